"""The journal of an agent that presses keys, read for checking: situations as sets of facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.core.symbols import Atom
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, JournalError
from assay.store.chain import read_lines

Situation = frozenset[Atom]
"""All that holds, static facts included."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A question, from one situation to another, and its answer."""

    number: int
    before: Situation
    after: Situation
    keys: tuple[str, ...] = ()
    changes: tuple[tuple[int, Situation, Situation], ...] = ()
    """After how many keys the situation changed, from what, to what."""
    cannot: bool = False
    gave_up: bool = False


@dataclass(frozen=True, slots=True)
class Study:
    seed: int
    interest: tuple[str, ...]
    vocabulary: Vocabulary
    objects: Mapping[str, str]
    """The type of each."""
    derived: frozenset[str]
    static: frozenset[str]
    """Predicates that no key changes."""
    reaches: tuple[Reach, ...]

    def reach(self, number: int) -> Reach | None:
        return self.reaches[number - 1] if 1 <= number <= len(self.reaches) else None

    def segments(self, number: int) -> Iterator[tuple[tuple[str, ...], Situation]]:
        """The keys of each change on a way, and the situation they were pressed in."""
        reach, since = self.reach(number), 0
        for place, before, _ in reach.changes if reach is not None else ():
            yield reach.keys[since:place], before  # type: ignore[union-attr]
            since = place

    def told(self, situation: Situation) -> frozenset[str]:
        """A situation as results tell it: without static and derived facts."""
        left_out = self.static | self.derived
        return frozenset(a.text for a in situation if a.predicate not in left_out)


def read_study(path: Path) -> Study:
    """The journal, its hashes checked, every way followed from its start to its target."""
    lines = read_lines(path).data
    if not lines or lines[0].get("kind") != "capabilities":
        raise JournalError(f"{path.name}: not the journal of an agent that presses keys")
    first = lines[0]
    try:
        ground = frozenset(map(Atom.parse, first["ground"]))
        return Study(
            first["seed"],
            tuple(first["interest"]),
            Vocabulary.of(**first["vocabulary"]),
            first["objects"],
            frozenset(first["derived"]),
            frozenset(first["static"]),
            tuple(
                _reach(path.name, number, entry, ground) for number, entry in enumerate(lines[1:], start=1)
            ),
        )
    except (KeyError, TypeError, AttributeError, InputError) as error:
        raise JournalError(f"{path.name} lacks something, or is of another version: {error!r}") from error


def _reach(source: str, number: int, entry: Mapping[str, Any], ground: Situation) -> Reach:
    if entry["n"] != number:
        raise JournalError(f"{source}: entry {number} says that it is number {entry['n']}")
    if len([kind for kind in ("keys", "cannot", "gave_up") if kind in entry]) != 1:
        raise JournalError(f"{source}: entry {number} has not exactly one answer")
    if "ground" in entry:
        ground = _follow(source, number, ground, entry["ground"])
    before = ground | frozenset(map(Atom.parse, entry["state"]))
    after = _follow(source, number, before, entry)
    if "keys" not in entry:
        return Reach(number, before, after, cannot="cannot" in entry, gave_up="gave_up" in entry)
    here, last, changes = before, 0, []
    for change in entry["changes"]:
        if not last < change["after"] <= len(entry["keys"]):
            raise JournalError(f"{source}: entry {number}: a change after key {change['after']}")
        last, there = change["after"], _follow(source, number, here, change)
        changes.append((last, here, there))
        here = there
    if here != after:
        raise JournalError(f"{source}: entry {number}: the changes on the way do not lead to the target")
    return Reach(number, before, after, tuple(entry["keys"]), tuple(changes))


def _follow(source: str, number: int, here: Situation, change: Mapping[str, Any]) -> Situation:
    added, removed = (frozenset(map(Atom.parse, change[name])) for name in ("added", "removed"))
    if added & here or not removed <= here:
        raise JournalError(
            f"{source}: entry {number} adds what held, or removes what did not: "
            + " ".join(map(str, sorted((added & here) | (removed - here))))
        )
    return (here - removed) | added
