"""From a request to an answer: the routes of the page, without any HTTP.

GET  /                         the index, or the way to the only folder
GET  /rows                     the index again, for a browser that has it open
GET  /run/NAME/                the page of a result folder
GET  /run/NAME/report          the report in it, for a browser that has the page open
GET  /run/NAME/live            how the run stands
GET  /run/NAME/world           what "Try it" can choose from
POST /run/NAME/scene           what a plan does
POST /run/NAME/why, why-not, what-if, ask
GET  /run/NAME/files/FILE      a file of the folder, as a download
GET  /static/FILE              script and styles
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from assay.core.visible import visible
from assay.errors import AssayError, InputError
from assay.report.page import script_text, style_sheet
from assay.serve import answers, pages
from assay.serve.embedded import embedded, report_content
from assay.serve.ended import ended_content, ended_standing, is_for_the_end
from assay.serve.follow import Follower
from assay.serve.live import live, standing
from assay.serve.scene import Asked, World, describe_scene, describe_world, parse
from assay.serve.shelf import FILES, Missing, Shelf
from assay.store.folder import JOURNAL
from assay.store.plain import read_plain

HTML, JSON, TEXT = "text/html; charset=utf-8", "application/json; charset=utf-8", "text/plain; charset=utf-8"

LONGEST_PROBLEM = 1_000
"""Characters of what is wrong with a folder."""

_STATIC = {
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "report.js": "text/javascript; charset=utf-8",
    "report.css": "text/css; charset=utf-8",
}

_ANSWERS: dict[str, Callable[[World, Asked], dict[str, Any]]] = {
    "scene": describe_scene,
    "why": answers.why,
    "why-not": answers.why_not,
    "what-if": answers.what_if,
    "ask": answers.ask,
}


@dataclass(frozen=True)
class Reply:
    body: bytes
    kind: str = HTML
    status: HTTPStatus = HTTPStatus.OK
    headers: dict[str, str] = field(default_factory=dict)


def json_reply(data: Any, status: HTTPStatus = HTTPStatus.OK) -> Reply:
    return Reply(msgspec.json.encode(data), JSON, status)


class Site:
    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._followers: dict[Path, Follower] = {}
        self._reports: dict[Path, tuple[str, str]] = {}
        self._lock = threading.Lock()
        self._thinking = threading.Lock()

    def get(self, path: str) -> Reply:
        match _parts(path):
            case []:
                return self._front()
            case ["rows"]:
                return Reply(pages.rows(self._standings()).encode())
            case ["static", name]:
                return _static(name)
            case ["run", name]:
                self.shelf.folder(name)
                return _redirect(f"/run/{quote(name, safe='')}/")
            case ["run", name, ""]:
                return Reply(self._page(name).encode())
            case ["run", name, "report"]:
                return Reply(self._report(name).encode())
            case ["run", name, "live"]:
                follower = self._follower(name)
                with follower.lock:
                    follower.refresh()
                    return json_reply(live(follower, self.shelf.folder(name)))
            case ["run", name, "world"]:
                return json_reply(describe_world(self._world(name)))
            case ["run", name, "files", file]:
                return self._download(name, file)
        raise Missing("There is no such page.")

    def post(self, path: str, body: bytes) -> Reply:
        match _parts(path):
            case ["run", name, verb] if verb in _ANSWERS:
                world, asked = self._world(name), parse(body)
                if verb == "scene":
                    return json_reply(describe_scene(world, asked))
                with self._thinking:  # one at a time: a search may take a processor for seconds
                    return json_reply(_ANSWERS[verb](world, asked))
        raise Missing("There is nothing to ask at this address.")

    def told(self, error: Exception) -> str:
        """An error in words, without where on this machine the folder is."""
        if not isinstance(error, AssayError):
            said = f"its files are not as assay writes them ({type(error).__name__}: {error})"
        else:
            said = str(error)
        return (
            visible(said, LONGEST_PROBLEM)
            .replace(f"{self.shelf.root}/", "")
            .replace(str(self.shelf.root), "the folder")
        )

    def is_page(self, path: str) -> bool:
        """Whether a person is looking at the address, rather than the script."""
        try:
            parts = _parts(path)
        except InputError:
            return True
        return not (len(parts) == 3 and parts[0] == "run" and parts[2] != "") and parts[:1] != ["static"]

    def _front(self) -> Reply:
        if self.shelf.single:
            return _redirect(f"/run/{quote(self.shelf.title, safe='')}/")
        return Reply(pages.index(self.shelf.title, self._standings()).encode())

    def _standings(self) -> list[dict[str, Any]]:
        found = []
        for name in self.shelf.names():
            base = {"name": name, "href": f"/run/{quote(name, safe='')}/", "when": ""}
            row: dict[str, Any] = dict(base)
            try:
                folder = self.shelf.folder(name)
                row["when"] = _when(self.shelf.journal(name))
                if is_for_the_end(folder):
                    row |= ended_standing(folder)
                else:
                    follower = self._follower(name)
                    with follower.lock:
                        follower.refresh()
                        row |= standing(follower, folder)
            except Exception as error:  # whatever is wrong with one folder, the others are shown
                row = base | {"problem": self.told(error)}
            found.append(row)
        return sorted(found, key=lambda row: row["when"], reverse=True)

    def _page(self, name: str) -> str:
        present = [file for file in FILES if self._has(name, file)]
        return pages.folder(
            name=name,
            report=self._report(name),
            files=present,
            back=not self.shelf.single,
            when=_when(self.shelf.journal(name)),
            followed=not is_for_the_end(self.shelf.folder(name)),
        )

    def _report(self, name: str) -> str:
        """The report's content, made anew when the journal has grown."""
        folder = self.shelf.folder(name)
        if is_for_the_end(folder):
            return self._report_at_the_end(folder)
        follower = self._follower(name)
        with follower.lock:
            try:
                follower.refresh()
                version = f"{follower.hash} {standing(follower, folder)['finished']}"
                kept = self._reports.get(folder)
                if kept is None or kept[0] != version:
                    kept = self._reports[folder] = (version, report_content(folder))
            except Exception as error:
                return pages.problem(self.told(error))
        return kept[1]

    def _report_at_the_end(self, folder: Path) -> str:
        try:
            return embedded(ended_content(folder))
        except Exception as error:
            return pages.problem(self.told(error))

    def _download(self, name: str, file: str) -> Reply:
        try:
            content = read_plain(self.shelf.file(name, file))
        except OSError as error:
            raise Missing(f"{file} cannot be read: {error.strerror}.") from error
        return Reply(content, TEXT, headers={"Content-Disposition": f'attachment; filename="{file}"'})

    def _has(self, name: str, file: str) -> bool:
        try:
            self.shelf.file(name, file)
        except Missing:
            return False
        return True

    def _follower(self, name: str) -> Follower:
        path = self.shelf.file(name, JOURNAL)
        if is_for_the_end(path.parent):
            raise Missing("A result of this kind is shown by its report alone.")
        with self._lock:
            return self._followers.setdefault(path, Follower(path))

    def _world(self, name: str) -> World:
        """The model of the last sitting, with a universe that no other request shares."""
        follower = self._follower(name)
        with follower.lock:
            follower.refresh()
            return World.of(self.shelf.folder(name), follower.setting)


def _parts(path: str) -> list[str]:
    """The path's parts, each decoded once; "/" gives none."""
    try:
        parts = [unquote(part, errors="strict") for part in path.removeprefix("/").split("/")]
    except UnicodeDecodeError:
        raise InputError("The address is not text in UTF-8.") from None
    return parts if parts != [""] else []


def _static(name: str) -> Reply:
    if name not in _STATIC:
        raise Missing("There is no such file.")
    if name == "report.js":
        content = script_text().encode()
    elif name == "report.css":
        content = style_sheet().encode()
    else:
        content = files("assay.serve").joinpath("static", name).read_bytes()
    return Reply(content, _STATIC[name])


def _redirect(where: str) -> Reply:
    return Reply(b"", status=HTTPStatus.FOUND, headers={"Location": where})


def _when(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    except OSError:
        return ""
