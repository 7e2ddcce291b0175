"""Asks an agent that has pictures for those of the states that matter, and puts them into the result folder.

An agent can show the states it has been in (those a question started from, and those it passed through), so
this is done when a run has ended, or after its questions have been asked again. A picture that fails is noted
in the index and left out; nothing here raises because of an agent or a drawing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from assay.core.universe import State
from assay.extras import install
from assay.report.pictures.album import (
    ANIMATION,
    CONTRADICTION,
    FOLDER,
    INDEX,
    Album,
    Picture,
    Still,
    encode_album,
    read_album,
)
from assay.report.pictures.telling import Moment, Telling, contradiction, read_claims, telling_questions
from assay.store.folder import replace
from assay.store.journal import Record

_T = TypeVar("_T")
QUESTIONS = 10
"""Questions in the animation."""
PICTURES = 60
"""States that are shown: those of contradicting answers, of the animation, of the other failing witnesses."""
FAILURES = 3
"""Pictures that may fail before the agent is asked for no more."""
ANSWERS = 4
"""Contradicting answers shown side by side."""


def take_pictures(folder: Path, agent: Any, record: Record) -> Album | None:
    """The pictures of a run, put into its folder; None if the agent shows none of them."""
    with suppress(Exception):  # what goes wrong is noted where it matters
        if not shows_states(agent, record):
            return None
    claims = read_claims(folder)
    tellings = telling_questions(record.entries, record.setting.profile.vocabulary, claims)
    answers = contradiction(record.entries, claims)[:ANSWERS]
    camera = _Camera(agent.picture)
    played = sorted(tellings[:QUESTIONS], key=lambda told: told.question)
    refusals = [told for told in tellings if told.literal]
    camera.look([moment for pair in answers for moment in pair])
    camera.look([moment for told in played for moment in told.moments])
    camera.look([told.moments[-1] for told in refusals])
    camera.look([moment for told in refusals for moment in told.moments])
    if not camera.shown:
        return None
    sheet = _Sheet(camera)
    album = Album(
        entries=len(record.entries),
        stills=tuple(still for told in refusals if (still := sheet.still(told)) is not None),
        answers=tuple(pair for both in answers if (pair := sheet.answer(both)) is not None),
        frames=(frames := sheet.animate(played)),
        animation=ANIMATION if frames else "",
        contradiction=CONTRADICTION if sheet.set_side_by_side(answers) else "",
        notes=tuple(camera.notes + sheet.notes),
    )
    _write(folder / FOLDER, read_album(folder), album, sheet.files)
    return album


def shows_states(agent: object, record: Record) -> bool:
    """Whether the agent has a picture of a state that the run began with: cheap, before all else is done.

    Where objects were made up for questions, the situations asked about are in no picture.
    """
    show, setting = getattr(agent, "picture", None), record.setting
    if show is None or setting.profile.new_objects:
        return False
    begun = [*setting.offered[:1], *(entry.query.state for entry in record.entries[:1])]
    return any(show(state) is not None for state in begun)


class _Camera:
    """Pictures of states, each asked for once."""

    def __init__(self, show: Callable[[State], bytes | None]) -> None:
        self.shown: dict[State, bytes] = {}
        self.notes: list[str] = []
        self._show = show
        self._asked: set[State] = set()
        self._failures = 0

    def look(self, moments: Sequence[Moment]) -> None:
        for moment in moments:
            if moment.state not in self._asked:
                self._take(moment)

    def __getitem__(self, moment: Moment) -> bytes | None:
        return self.shown.get(moment.state)

    def _take(self, moment: Moment) -> None:
        if self._failures == FAILURES or len(self.shown) == PICTURES:
            return
        self._asked.add(moment.state)
        try:
            picture = self._show(moment.state)
        except Exception as error:
            self._fail(f"question {moment.question}: {error}")
            return
        if picture is None:
            return
        if isinstance(picture, bytes) and picture.startswith(b"\x89PNG\r\n\x1a\n"):
            self.shown[moment.state] = picture
        else:
            self._fail(f"question {moment.question}: the agent's picture is not a PNG file")

    def _fail(self, why: str) -> None:
        self._failures += 1
        self.notes.append(why)


class _Sheet:
    """Files made from pictures, with Pillow where it is there."""

    def __init__(self, camera: _Camera) -> None:
        self.files: dict[str, bytes] = {}
        self.notes: list[str] = []
        self._camera = camera
        self._ran: dict[tuple[str, State], Picture | None] = {}
        self._draw = self._pillow()

    def still(self, told: Telling) -> Still | None:
        *earlier, last = told.moments
        refused = self._keep(self._free(f"{told.action} {told.literal}"), last)
        if refused is None:
            return None
        ran = self._beside(told.action, earlier[0]) if earlier else None
        return Still(told.action, told.literal, told.says, refused, ran)

    def _beside(self, action: str, moment: Moment) -> Picture | None:
        """Many refusals are seen beside one state: it is kept once."""
        key = (moment.caption, moment.state)
        if key not in self._ran:
            self._ran[key] = self._keep(self._free(f"ran {action} {moment.question}"), moment)
        return self._ran[key]

    def answer(self, both: tuple[Moment, Moment]) -> tuple[Picture, Picture] | None:
        first, last = (
            self._keep(_slug(f"contradiction {moment.question} {when}"), moment)
            for moment, when in zip(both, ("before", "after"), strict=True)
        )
        return None if first is None or last is None else (first, last)

    def animate(self, tellings: Sequence[Telling]) -> tuple[str, ...]:
        """Writes the animation and returns what it says."""
        told = [t for t in tellings if all(self._camera[moment] for moment in t.moments)]
        frames = [
            (picture, moment.kind, _caption(t, moment))
            for t in told
            for moment in t.moments
            if (picture := self._camera[moment]) is not None
        ]
        if not frames or self._draw is None or not self._made(ANIMATION, self._draw.animation, frames):
            return ()
        return tuple(caption for _, _, caption in frames)

    def set_side_by_side(self, answers: Sequence[tuple[Moment, Moment]]) -> bool:
        columns = [
            [(picture, m.kind, m.caption) for m in both if (picture := self._camera[m]) is not None]
            for both in answers
        ]
        columns = [column for column in columns if len(column) == 2]
        if not columns or self._draw is None:
            return False
        return self._made(CONTRADICTION, self._draw.side_by_side, columns)

    def _keep(self, name: str, moment: Moment) -> Picture | None:
        picture = self._camera[moment]
        if picture is None:
            return None
        if self._draw is None or not self._made(name, self._draw.reduced, picture):
            self.files[name] = picture
        return Picture(name, moment.question, moment.caption)

    def _made(self, name: str, draw: Callable[[_T], bytes], content: _T) -> bool:
        try:
            self.files[name] = draw(content)
        except Exception as error:  # whatever Pillow finds wrong with the agent's bytes
            self.notes.append(f"{name} could not be drawn: {error}")
            return False
        return True

    def _pillow(self) -> ModuleType | None:
        try:
            from assay.report.pictures import draw
        except ImportError:
            self.notes.append(f"there is no animation, for want of Pillow: {install('images')}")
            return None
        return draw

    def _free(self, text: str) -> str:
        """A file name of its own."""
        name, number = _slug(text), 1
        while name in self.files:
            number += 1
            name = _slug(f"{text} {number}")
        return name


def _caption(told: Telling, moment: Moment) -> str:
    return f"{moment.caption} So {told.says}." if moment.kind == "refused" else moment.caption


def _slug(text: str) -> str:
    return f"{re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')[:100] or 'state'}.png"


def _write(folder: Path, old: Album | None, album: Album, files: dict[str, bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for name in set(old.files() if old is not None else ()) - files.keys():
        with suppress(OSError):
            (folder / Path(name).name).unlink()
    for name, content in sorted(files.items()):
        replace(folder / name, content)
    replace(folder / INDEX, encode_album(album))
