"""Pictures in the page of a report: embedded, as the page is one file, up to so many bytes."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

from assay.errors import InputError
from assay.report.markup import Markup, element, join
from assay.report.pictures.album import FOLDER, Album, Picture, read_album
from assay.store.plain import read_inside

EMBEDDED = 500_000
"""Bytes of pictures in one report; written as text they are a third more."""
_KINDS = {".gif": ("image/gif", b"GIF8"), ".png": ("image/png", b"\x89PNG\r\n")}
"""By ending: the type, and what every file of it begins with."""


def gallery(folder: Path) -> Markup | None:
    """The section with the pictures of a result folder, if it has any."""
    album = read_album(folder)
    if album is None:
        return None
    shelf = _Shelf(folder / FOLDER)
    figures = [*_animation(shelf, album), *_stills(shelf, album)]
    if not figures:
        return None
    title = element("h2", "Telling questions in pictures", id="pictures-title")
    return element(
        "section",
        title,
        element("div", *figures, class_="pictures"),
        id="pictures",
        aria_labelledby="pictures-title",
    )


def _animation(shelf: _Shelf, album: Album) -> Iterator[Markup]:
    if source := shelf.embed(album.animation):
        told = element("ol", *(element("li", frame) for frame in album.frames))
        words = element("details", element("summary", "The same in words"), told)
        image = element("img", src=source, alt="The most telling questions, one after the other")
        yield element("figure", image, words)


def _stills(shelf: _Shelf, album: Album) -> Iterator[Markup]:
    for pair in album.answers:
        yield from (_figure(shelf, picture) for picture in pair)
    for still in album.stills:
        yield from (_figure(shelf, p) for p in (still.ran, still.refused) if p is not None)


def _figure(shelf: _Shelf, picture: Picture) -> Markup:
    source = shelf.embed(picture.file)
    image = element("img", src=source, alt="", loading="lazy") if source else None
    return element("figure", image, element("figcaption", picture.caption))


class _Shelf:
    """Files as addresses that hold them, while there is room."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._room = folder, EMBEDDED

    def embed(self, name: str) -> str:
        path = self._folder / Path(name).name
        kind, start = _KINDS.get(path.suffix, ("", b""))
        if not kind or self._folder.is_symlink():
            return ""
        try:
            content = read_inside(path, self._folder)
        except (OSError, InputError):
            return ""
        if not content.startswith(start) or len(content) > self._room:
            return ""
        self._room -= len(content)
        return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def with_pictures(body: Markup, pictures: Markup | None) -> Markup:
    """The page's body with the section before the end of its main part."""
    if pictures is None:
        return body
    return join(Markup(str(body).replace("</main>", f"{pictures}</main>")))
