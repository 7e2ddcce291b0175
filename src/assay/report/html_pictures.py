"""Pictures in the report: the animation at the top, a failing witness where it is told.

The report is one file, so pictures are embedded, the animation first, until they are `EMBEDDED` bytes; others
are linked, and lie in the folder beside the report. What an animation says stands below it in words, it can
be put away, and who wants less motion has the words alone.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from assay.errors import InputError
from assay.report.findings import Point
from assay.report.markup import Markup, element, join
from assay.report.pictures.album import FOLDER, Album, Picture, Still, read_album
from assay.store.plain import read_inside

EMBEDDED = 1_400_000
"""Bytes of pictures in one report; written as text they are a third more."""
_KINDS = {".gif": "image/gif", ".png": "image/png"}
_STARTS = {".gif": b"GIF8", ".png": b"\x89PNG\r\n"}
"""What every file of this kind begins with."""


@dataclass(frozen=True)
class Gallery:
    """What there is to show; by default nothing."""

    album: Album = field(default_factory=lambda: Album(0))
    data: Mapping[str, str] = field(default_factory=dict)
    """The files that are embedded, as addresses."""

    def animation(self) -> Markup | None:
        if not self.album.animation:
            return None
        source = self.data.get(self.album.animation)
        told = element("ol", *(element("li", caption) for caption in self.album.frames))
        words = element("details", element("summary", "The same in words"), told)
        moving = (
            element("img", src=source, alt="The most telling questions, one after the other", class_="moving")
            if source
            else element("p", _link(self.album.animation, "The animation"))
        )
        return element(
            "details",
            element("summary", "Watch the most telling questions"),
            moving,
            words,
            open=True,
            class_="watch",
        )

    def contradiction(self) -> Markup | None:
        """The answers that contradict each other, side by side."""
        if not self.album.answers:
            return None
        columns = (element("div", *map(self._figure, pair)) for pair in self.album.answers)
        return element("div", *columns, class_="pictures")

    def witness(self, action: str, point: Point) -> Markup | None:
        """The state in which the action was refused for want of this, and one in which it ran."""
        still = self._stills.get((action, point.atom)) if point.part == "precondition" else None
        if still is None:
            return None
        shown = [still.refused] if still.ran is None else [still.ran, still.refused]
        return element("div", *map(self._figure, shown), class_="pictures")

    @property
    def _stills(self) -> dict[tuple[str, str], Still]:
        return {(still.action, still.atom): still for still in self.album.stills}

    def _figure(self, picture: Picture) -> Markup:
        source = self.data.get(picture.file)
        image = element("img", src=source, alt="", loading="lazy") if source else None
        link = None if source else join(" ", _link(picture.file, "Picture"))
        return element("figure", image, element("figcaption", picture.caption, link))


def read_gallery(folder: Path) -> Gallery:
    """The pictures of a result folder."""
    album = read_album(folder)
    return Gallery() if album is None else Gallery(album, _embedded(folder / FOLDER, album))


def _embedded(folder: Path, album: Album) -> dict[str, str]:
    """As many pictures as there is room for; one that is shown twice takes twice the room."""
    found: dict[str, str] = {}
    total = 0
    if folder.is_symlink():
        return found
    for name, times in Counter(album.files()).items():
        path = folder / Path(name).name
        if name == album.contradiction or path.suffix not in _KINDS:
            continue  # the report sets the answers side by side itself, with text for captions
        try:
            content = read_inside(path, folder)
        except (OSError, InputError):
            continue
        if not content.startswith(_STARTS[path.suffix]):
            continue  # whatever it is, it is no picture
        if total + times * len(content) <= EMBEDDED:
            total += times * len(content)
            found[name] = f"data:{_KINDS[path.suffix]};base64,{base64.b64encode(content).decode()}"
    return found


def _link(file: str, text: str) -> Markup:
    return element("a", text, href=f"{FOLDER}/{quote(file)}")
