"""What a report consists of, apart from how it is shown: sections of a few kinds of blocks, as data.

`sections` makes them from a result; `markdown` and `html` show them; `report.json` keeps them, so that the
page can be made again without asking or learning anything. In a text, symbols stand in backquotes, `#12` is
entry 12 of the journal, `**` marks a lead, and the rest is plain words: what an agent wrote is only ever in
backquotes.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.store.plain import decode_json, read_plain

CONTENT = "report.json"
VERSION = 1


class Text(msgspec.Struct, frozen=True, tag=True):
    text: str


class Item(msgspec.Struct, frozen=True):
    """A point of a list, with points below it."""

    text: str
    items: tuple[Item, ...] = ()


class Items(msgspec.Struct, frozen=True, tag=True):
    items: tuple[Item, ...]

    @classmethod
    def of(cls, *texts: str) -> Items:
        return cls(tuple(map(Item, texts)))


class Table(msgspec.Struct, frozen=True, tag=True):
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Code(msgspec.Struct, frozen=True, tag=True):
    text: str


class Warning(msgspec.Struct, frozen=True, tag=True):
    """What a reader must not overlook."""

    text: str


class EntryText(msgspec.Struct, frozen=True, tag=True):
    """One question and its answer; reports link to it."""

    number: int
    head: str
    lines: tuple[str, ...]


Block = Text | Items | Table | Code | Warning | EntryText


class Section(msgspec.Struct, frozen=True):
    key: str
    title: str
    blocks: tuple[Block, ...]
    folded: bool = False
    """Shown on demand."""


class Report(msgspec.Struct, frozen=True):
    title: str
    sections: tuple[Section, ...]
    version: int = VERSION


def encode(report: Report) -> bytes:
    return msgspec.json.encode(report) + b"\n"


def read_content(folder: Path) -> Report:
    """The report of a result folder as data."""
    try:
        report = msgspec.convert(decode_json(read_plain(folder / CONTENT)), Report)
    except OSError as error:
        raise InputError(f"{folder} has no report yet: {error.strerror}: {CONTENT}") from error
    except msgspec.MsgspecError as error:
        raise InputError(f"{folder / CONTENT}: {error}") from error
    if report.version != VERSION:
        raise InputError(f"{folder / CONTENT} was written by another version of assay")
    return report
