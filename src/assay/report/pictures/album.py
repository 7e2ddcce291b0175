"""What the folder `pictures` of a result holds, as its `index.json` says it.

questions.gif          the most telling questions, one after the other, told in words below the picture
ACTION-LITERAL.png     the state of a failing witness: here the agent refused the action, for want of this
ran-ACTION-N.png       a state in which it ran, in question N
contradiction.png      answers that do not go together, side by side
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.core.visible import visible_data
from assay.errors import InputError
from assay.store.plain import decode_json, read_plain

FOLDER, INDEX = "pictures", "index.json"
ANIMATION, CONTRADICTION = "questions.gif", "contradiction.png"


@dataclass(frozen=True, slots=True)
class Picture:
    file: str
    question: int
    caption: str


@dataclass(frozen=True, slots=True)
class Still:
    """A failing witness: the state in which the action was refused, and one like it in which it ran."""

    action: str
    atom: str
    says: str
    refused: Picture
    ran: Picture | None


@dataclass(frozen=True, slots=True)
class Album:
    entries: int
    """How long the journal was when the pictures were taken."""
    animation: str = ""
    frames: tuple[str, ...] = ()
    """What the animation says, frame by frame."""
    stills: tuple[Still, ...] = ()
    contradiction: str = ""
    answers: tuple[tuple[Picture, Picture], ...] = ()
    """The answers that contradict each other: where each began, and where it ended."""
    notes: tuple[str, ...] = ()
    """What could not be drawn, and why."""

    def files(self) -> Iterator[str]:
        yield from filter(None, (self.animation, self.contradiction))
        for pair in (*((s.refused, s.ran) for s in self.stills), *self.answers):
            yield from (picture.file for picture in pair if picture is not None)


def read_album(folder: Path) -> Album | None:
    """The album of a result folder, if it has one that can be read."""
    try:
        read = decode_json(read_plain(folder / FOLDER / INDEX))
        return msgspec.convert(visible_data(read), Album)
    except (OSError, msgspec.MsgspecError, InputError):
        return None


def encode_album(album: Album) -> bytes:
    return msgspec.json.format(msgspec.json.encode(album), indent=2) + b"\n"
