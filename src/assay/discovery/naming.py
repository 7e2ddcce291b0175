"""Names for capabilities and their parameters, proposed from what changes.

`monster_alive` ends: kill_monster. `has_key` begins and the key is gone: pick_up_key. The player and a
block move: push_block. Names are guesses for the reader and nothing depends on them; what no rule fits is
named after the facts that change, and two capabilities with one name get the fact they differ in, or a
number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.core.symbols import Atom, Literal
from assay.discovery.kinds import ACTORS, PLACES

_VERBS = {"placed": "place", "escaped": "escape", "closed": "close", "used": "use", "moved": "move"}


@dataclass(frozen=True, slots=True)
class Change:
    """What a capability does, for the purpose of a name: facts that are not derived, with variables."""

    added: tuple[Atom, ...]
    removed: tuple[Atom, ...]
    types: Mapping[str, str]
    needs: frozenset[Literal]

    def kind(self, variable: str) -> str:
        return self.types[variable]

    @property
    def actor(self) -> str | None:
        """The one who acts, if there is one who by its type looks it."""
        return next((v for v, t in self.types.items() if t in ACTORS), None)

    @property
    def moved(self) -> dict[str, tuple[str, str]]:
        """Things that are elsewhere afterwards: from where, to where."""
        found = {}
        for before in self.removed:
            for after in self.added:
                if len(before.args) == 2 and before[0] == after[0] and before.args[0] == after.args[0]:
                    found[before.args[0]] = before.args[1], after.args[1]
        return found

    def places(self, atoms: Sequence[Atom]) -> dict[str, str]:
        return {a.args[0]: a.args[1] for a in atoms if len(a.args) == 2 and a.args[0] not in self.moved}


def parameter_names(change: Change) -> dict[str, str]:
    """Readable names for the variables: the type, and for places here, there and beyond."""
    found: dict[str, str] = {}
    kinds = list(change.types.values())
    places = [v for v, t in change.types.items() if t in PLACES]
    here = there = None
    if (actor := change.actor) is not None:
        if actor in change.moved:
            here, there = change.moved[actor]
        else:
            needed = [x.atom for x in sorted(change.needs) if x.positive]
            here = next((a.args[1] for a in needed if len(a.args) == 2 and a.args[0] == actor), None)
    order = [p for p in (here, there) if p is not None]
    order += [p for p in places if p not in order]
    labels = ["?here", "?there", "?beyond"] if here is not None else []
    for number, place in enumerate(order):
        if number < len(labels):
            found[place] = labels[number]
    taken = set(found.values())
    for variable, kind in change.types.items():
        if variable not in found:
            name, number = f"?{kind}", 1
            if kinds.count(kind) > 1:
                name = f"?{kind}1"
            while name in taken:
                number += 1
                name = f"?{kind}{number}"
            found[variable] = name
            taken.add(name)
    return found


def propose(change: Change) -> str:
    """A name for what changes."""
    gone, come = change.places(change.removed), change.places(change.added)
    facts_on = [a for a in change.added if len(a.args) < 2]
    facts_off = [a for a in change.removed if len(a.args) < 2]
    names_on, names_off = {a.predicate for a in facts_on}, {a.predicate for a in facts_off}
    for atom in facts_off:
        if atom.predicate.split("_")[-1] == "alive":
            return f"kill_{_subject(change, atom, 'alive')}"
    if len(gone) > 1 and come:
        return _merge(change, gone, come)
    for atom in facts_on:
        words = atom.predicate.split("_")
        if words[0] == "has" and len(words) > 1 and not atom.args:
            return "pick_up_" + "_".join(words[1:])
        if words[-1] in ("has", "holding", "holds", "carries", "carrying") and atom.args:
            return f"pick_up_{change.kind(atom.args[-1])}"
        if words[-1].endswith("ed") and atom.predicate not in names_off:
            return f"{_verb(words[-1])}_{_subject(change, atom, words[-1])}".rstrip("_")
    for atom in facts_off:
        words = atom.predicate.split("_")
        if words[-1] in ("has", "holding", "holds", "carries", "carrying") and atom.args:
            return f"put_down_{change.kind(atom.args[-1])}"
    shifted = sorted(names_on & names_off)
    ended = [a.predicate.removeprefix("is_") for a in facts_off if a.predicate not in names_on]
    actor = change.actor
    others = [change.kind(v) for v in change.moved if v != actor] + [n.removeprefix("is_") for n in shifted]
    if others and actor in change.moved:
        return f"push_{'_and_'.join(others)}"
    if len(ended) > 1 and actor in change.moved:
        return f"push_{ended[0]}_into_{ended[1]}"
    if ended:
        return f"{'open' if ended[0] in ('door', 'gate', 'lock') else 'end'}_{ended[0]}"
    if actor is not None and actor in change.moved:
        return "move"
    if change.moved:
        return "move_" + "_and_".join(change.kind(v) for v in change.moved)
    if facts_on:
        return f"bring_about_{facts_on[0].predicate}"
    return "change_" + "_and_".join(sorted({a.predicate for a in (*change.added, *change.removed)}))


def _merge(change: Change, gone: Mapping[str, str], come: Mapping[str, str]) -> str:
    """Two things became one."""
    entered = {to for _, to in change.moved.values()}
    pushed = [v for v, place in gone.items() if place in entered]
    struck = [v for v, place in gone.items() if place not in entered]
    if len(pushed) == 1 and len(struck) == 1:
        return f"push_{change.kind(pushed[0])}_into_{change.kind(struck[0])}"
    return "make_" + "_and_".join(change.kind(v) for v in come)


def _verb(participle: str) -> str:
    return _VERBS.get(participle) or participle.removesuffix("ed")


def _subject(change: Change, atom: Atom, word: str) -> str:
    if atom.args:
        return change.kind(atom.args[0])
    return "_".join(atom.predicate.split("_")[:-1]) if atom.predicate != word else ""


def distinct(names: Sequence[str], changes: Sequence[Change]) -> list[str]:
    """The names, with what tells apart those that are the same."""
    found: list[str] = []
    for number, name in enumerate(names):
        same = [n for n, other in enumerate(names) if other == name]
        found.append(name if len(same) == 1 else name + _difference(changes, number, same))
    seen: dict[str, int] = {}
    for number, name in enumerate(found):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            found[number] = f"{name}_{seen[name]}"
    return found


def _difference(changes: Sequence[Change], number: int, same: Sequence[int]) -> str:
    """Where something stands that the others do not ask for."""
    change = changes[number]
    here, there = change.moved.get(change.actor or "", ("", ""))
    for literal in sorted(change.needs):
        (_, args), positive = literal
        if not positive or len(args) != 2 or args[0] in change.moved or args[0] not in change.types:
            continue
        if args[1] in (here, there) and args[0] not in (here, there):
            return f"_{'onto' if args[1] == there else 'off'}_{change.kind(args[0])}"
    return ""
