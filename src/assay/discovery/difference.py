"""Two studies compared, capability by capability: what one agent can do that the other cannot.

Capabilities are the same if they change the same facts, whatever their names. Where the changes are the same,
literals of the conditions differ; a condition that only one of them has is shown by a situation in which that
one refused. Where the words are the same, one may still refuse what they promise, if no words tell when; that
is shown by such a refusal. A capability that one agent was never seen to use is shown by a situation in which
it was asked and refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from assay.core.symbols import Atom, Literal
from assay.discovery.folder import read_capabilities, read_summary


@dataclass(frozen=True, slots=True)
class Ability:
    """What only one of the two can do."""

    name: str
    only: str
    """The agent that can: first or second."""
    said: str
    witness: tuple[str, ...]
    """A situation in which the one acts or the other refuses, without what never changes."""
    shown: str
    """What happened there."""


@dataclass(frozen=True, slots=True)
class Gap:
    first: str
    second: str
    abilities: tuple[Ability, ...]
    same: tuple[str, ...]
    """Capabilities in which the two do not differ."""
    unsettled: tuple[str, ...] = ()
    """Which of the two descriptions are not complete, or about some facts only, in words."""

    @property
    def differs(self) -> bool:
        return bool(self.abilities)

    def text(self) -> str:
        lines = [f"First: {self.first}", f"Second: {self.second}", ""]
        for ability in self.abilities:
            lines += [f"{ability.name}: {ability.said}", f"    {ability.shown}"]
            if ability.witness:
                lines.append("    " + " ".join(f"({fact})" for fact in ability.witness))
            lines.append("")
        lines += self.unsettled
        if self.same:
            lines.append(f"The same in both: {', '.join(self.same)}.")
        return "\n".join(lines) + "\n"


def compare(first: Path, second: Path) -> Gap:
    """What the agents of two result folders can do, side by side."""
    sides = [read_capabilities(first), read_capabilities(second)]
    abilities: list[Ability] = []
    same: list[str] = []
    matched: set[int] = set()
    for mine in sides[0]["capabilities"]:
        found = next(
            (
                (n, renaming)
                for n, theirs in enumerate(sides[1]["capabilities"])
                if n not in matched and (renaming := _renaming(mine, theirs)) is not None
            ),
            None,
        )
        if found is None:
            abilities.append(_lacking(mine, "first", sides[1]))
            continue
        matched.add(found[0])
        theirs = sides[1]["capabilities"][found[0]]
        differences = [*_conditions(mine, theirs, found[1]), *_at_times(mine, theirs)]
        abilities += differences
        if not differences:
            same.append(mine["name"])
    for n, theirs in enumerate(sides[1]["capabilities"]):
        if n not in matched:
            abilities.append(_lacking(theirs, "second", sides[0]))
    unsettled = tuple(
        f"The {number} description is {said}: what is not in it may still be so."
        for number, folder in (("first", first), ("second", second))
        if (said := _unsettled(folder))
    )
    return Gap(sides[0]["agent"], sides[1]["agent"], tuple(abilities), tuple(same), unsettled)


def _unsettled(folder: Path) -> str:
    """What a description leaves out, if it does."""
    summary = read_summary(folder)
    said = [] if summary["complete"] else ["not complete"]
    if summary["interest"]:
        said.append(f"only about {', '.join(summary['interest'])}")
    return " and ".join(said)


def _literals(texts: list[str]) -> frozenset[Literal]:
    return frozenset(
        Literal(Atom.parse(t.removeprefix("(not ").removesuffix(")")), False)
        if t.startswith("(not ")
        else Literal(Atom.parse(t))
        for t in texts
    )


def _renaming(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, str] | None:
    """Their parameters in terms of mine, if the two change the same facts."""
    effects = _literals(mine["effects"])
    wanted, given = _changing(mine), _changing(theirs)
    if sorted(mine["parameters"][v] for v in wanted) != sorted(theirs["parameters"][v] for v in given):
        return None
    rest = [v for v in mine["parameters"] if v not in wanted]
    others = [v for v in theirs["parameters"] if v not in given]
    for order in permutations(wanted):
        renaming = dict(zip(given, order, strict=True))
        if any(mine["parameters"][b] != theirs["parameters"][a] for a, b in renaming.items()):
            continue
        if _renamed(_literals(theirs["effects"]), renaming) == effects:
            left = list(rest)
            for v in others:
                kind = theirs["parameters"][v]
                twin = v if v in left else next((x for x in left if mine["parameters"][x] == kind), None)
                renaming[v] = twin or v
                if twin:
                    left.remove(twin)
            return renaming
    return None


def _changing(capability: Mapping[str, Any]) -> list[str]:
    used = {v for x in _literals(capability["effects"]) for v in x.atom.args}
    return [v for v in capability["parameters"] if v in used]


def _renamed(literals: frozenset[Literal], renaming: dict[str, str]) -> frozenset[Literal]:
    return frozenset(Literal(x.atom.substitute(renaming), x.positive) for x in literals)


def _conditions(
    mine: Mapping[str, Any], theirs: Mapping[str, Any], renaming: dict[str, str]
) -> list[Ability]:
    """What one of them needs and the other does not."""
    ours, others = _literals(mine["precondition"]), _renamed(_literals(theirs["precondition"]), renaming)
    found = []
    for only, extra, strict in (("first", others - ours, theirs), ("second", ours - others, mine)):
        if not extra or not strict["refused"]:
            continue  # two ways to say the same: the one with more literals was never refused anything
        needs = " and ".join(sorted(map(str, extra)))
        found.append(
            Ability(
                mine["name"],
                only,
                f"only the {only} can without {needs}",
                *_refused(strict, "second" if only == "first" else "first"),
            )
        )
    return found


def _at_times(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[Ability]:
    """Where one keeps what its description promises, and the other does not."""
    found = []
    for only, kept, broken in (("first", mine, theirs), ("second", theirs, mine)):
        if kept["expressible"] and not broken["expressible"]:
            who = "second" if only == "first" else "first"
            said = f"the {who} does so only at times, and no words tell when; the {only} always"
            found.append(Ability(mine["name"], only, said, *_refused(broken, who, "promised")))
    return found


def _lacking(capability: Mapping[str, Any], only: str, other: Mapping[str, Any]) -> Ability:
    """A capability that the other does not have at all."""
    who = "second" if only == "first" else "first"
    twin = next((m for m in other["missing"] if _alike(m, capability)), None)
    if twin is not None and twin["refusals"]:
        return Ability(capability["name"], only, f"only the {only} can do this", *_refused(twin, who))
    example = capability["examples"][0] if capability["examples"] else {"keys": [], "state": []}
    shown = f"the {only} did it here, with {' '.join(example['keys'])}; the {who} was never asked to"
    return Ability(
        capability["name"], only, f"only the {only} was seen to do this", tuple(example["state"]), shown
    )


def _alike(missing: Mapping[str, Any], capability: Mapping[str, Any]) -> bool:
    """Whether the change that was refused is this one, but for the names of its variables."""

    def outline(texts: list[str]) -> list[tuple[bool, str, int]]:
        return sorted((x.positive, x.atom.predicate, len(x.atom.args)) for x in _literals(texts))

    return missing["name"] == capability["name"] and outline(missing["effects"]) == outline(
        capability["effects"]
    )


def _refused(capability: Mapping[str, Any], who: str, kind: str = "refusals") -> tuple[tuple[str, ...], str]:
    refusal = next(iter(capability[kind]), None)
    if refusal is None:
        return (), f"the {who} refused"
    change = [f"({t})" for t in refusal["added"]] + [f"(not ({t}))" for t in refusal["removed"]]
    return tuple(refusal["state"]), f"the {who} refused here to bring about {' '.join(change)}"
