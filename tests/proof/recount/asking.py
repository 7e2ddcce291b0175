"""A learner-free way to a journal with its certificate: whoever knows the model asks covering rows.

For each term of an action, rows over the features that it does not name, in which any s of them show all
patterns, are asked as runs; with one or two literals turned round, rows for t of them are asked as
refusals. Each row is one question of its own, on objects of its own. Answers come from `core.execution`,
which the checker does not use.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product
from typing import Any

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.proof.recount import ActionClaim, Certificate, OtherClaim

TRIES = 12
"""Rows tried for a pattern: other terms make some of them run."""
LEVELS = ((1, 0, 0), (1, 1, 3), (2, 1, 3), (2, 2, 3))
Line = dict[str, Any]


@dataclass(frozen=True)
class Claimed:
    """What is known of an action by whoever asks: terms, and the other objects that they speak of."""

    terms: Sequence[Sequence[str]]
    others: Sequence[tuple[str, Sequence[str]]] = ()


@dataclass
class Asking:
    """An agent with this model, and the journal of what it was asked."""

    model: Model
    tells: bool = True
    objects: Mapping[str, str] = field(default_factory=dict)
    """The agent's own."""
    invalid: frozenset[str] = frozenset()
    """Facts that may not hold together."""
    lines: list[Line] = field(default_factory=list)

    @property
    def setting(self) -> Line:
        return {"assay": 1, "vocabulary": self.model.vocabulary.to_dict(), "objects": dict(self.objects)}

    def ask(self, new: Mapping[str, str], state: Iterable[str], plan: Sequence[str]) -> Line:
        """Asks a question and writes it down."""
        universe = Universe(self.model.vocabulary, [Object(n, t) for n, t in {**self.objects, **new}.items()])
        first = universe.state(map(Atom.parse, state))
        line: Line = {"n": len(self.lines) + 1}
        if new:
            line["objects"] = dict(new)
        line |= {"state": first.texts(), "plan": list(plan)}
        if self.invalid and self.invalid <= {a.predicate for a in first}:
            line["invalid"] = "these do not go together"
        else:
            states = Execution(self.model, universe).states(first, tuple(map(Step.parse, plan)))
            line |= {"steps": len(states)} | self._told([first, *states])
        self.lines.append(line)
        return line

    def _told(self, states: Sequence[State]) -> Line:
        if self.tells:
            pairs = pairwise(states)
            return {"changes": [_change(before, after) for before, after in pairs]}
        return _change(states[0], states[-1])

    def cover(self, action: str, claimed: Claimed, level: int, rng: random.Random) -> None:
        """Asks everything that the level wants to be shown of the action."""
        turned, beside, runs = LEVELS[level]
        for term in claimed.terms:
            self._cover_rows(action, claimed, list(term), runs, rng, 1)
            for size in range(1, turned + 1):
                for chosen in combinations(range(len(term)), size):
                    literals = [_negated(x) if n in chosen else x for n, x in enumerate(term)]
                    strength = beside if size == 1 else max(0, beside - 1)
                    self._cover_rows(action, claimed, literals, strength, rng, 0)

    def _cover_rows(
        self,
        action: str,
        claimed: Claimed,
        fixed: list[str],
        strength: int,
        rng: random.Random,
        wanted: int,
    ) -> None:
        """Rows in which any `strength` features show all patterns, as far as tries give the wanted answer."""
        atoms = [a.text for a in self.model.vocabulary.lifted_atoms(action)]
        names = atoms + [f"some {n}" for n in range(len(claimed.others))]
        given = {x.removeprefix("not "): not x.startswith("not ") for x in fixed}
        free = [name for name in names if name not in given]
        missing = patterns(free, strength)
        while missing:
            pattern = min(missing, key=sorted)
            missing.remove(pattern)
            for _ in range(TRIES):
                row = {name: rng.random() < 0.5 for name in free} | dict(pattern) | given
                line = self.ask_row(action, claimed, row)
                if line is not None and line.get("steps") == wanted:
                    missing = {p for p in missing if not p <= {*row.items()}}
                    break

    def ask_row(self, action: str, claimed: Claimed, values: Mapping[str, bool]) -> Line | None:
        """Asks one step in a state that shows these features; None if none is found in this simple way."""
        header = self.model.vocabulary.action[action]
        binding = {p.name: f"a{n}" for n, p in enumerate(header.parameters)}
        new = {f"a{n}": p.types[0] for n, p in enumerate(header.parameters)}
        state = {_ground(x, binding) for x, true in values.items() if true and not x.startswith("some ")}
        for number, (type_name, profile) in enumerate(claimed.others):
            if values[f"some {number}"]:
                new[f"z{number}"] = type_name
                at = {**binding, "?z": f"z{number}"}
                state |= {_ground(x, at) for x in profile if not x.startswith("not ")}
        if any(
            values[f"some {n}"] != self._around(new, state, binding, *o) for n, o in enumerate(claimed.others)
        ):
            return None
        return self.ask(new, sorted(state), [" ".join([action, *binding.values()])])

    def _around(
        self,
        new: Mapping[str, str],
        state: set[str],
        binding: Mapping[str, str],
        type_name: str,
        profile: Sequence[str],
    ) -> bool:
        """Whether some object that was brought besides the arguments has the profile."""
        return any(
            all(
                (_ground(x.removeprefix("not "), {**binding, "?z": z}) in state) != x.startswith("not ")
                for x in profile
            )
            for z, t in new.items()
            if z.startswith("z") and self.model.vocabulary.fits(t, (type_name,))
        )

    def certificate(
        self,
        claims: Mapping[str, Claimed],
        level: int,
        journal_hash: str = "",
        model_file: bytes = b"",
    ) -> Certificate:
        """What follows from having asked everything."""
        actions = {
            name: ActionClaim(
                "learned",
                level,
                LEVELS[level],
                tuple(OtherClaim(t, tuple(p)) for t, p in claimed.others),
                tuple(map(tuple, claimed.terms)),
            )
            for name, claimed in claims.items()
        }
        model = hashlib.sha256(model_file).hexdigest()
        return Certificate(2, len(self.lines), journal_hash, model, level, self.tells, "complete", actions)


Pattern = frozenset[tuple[str, bool]]


def patterns(names: Sequence[str], size: int) -> set[Pattern]:
    """Every way to fix `size` of the features, or all if there are fewer."""
    size = min(size, len(names))
    return {
        frozenset(zip(chosen, values, strict=True))
        for chosen in combinations(names, size)
        for values in product((False, True), repeat=size)
    }


def _negated(literal: str) -> str:
    return literal.removeprefix("not ") if literal.startswith("not ") else f"not {literal}"


def _ground(text: str, binding: Mapping[str, str]) -> str:
    return " ".join(binding.get(word, word) for word in text.split())


def _change(before: State, after: State) -> Line:
    texts = before.universe.texts
    return {"added": texts(after.bits & ~before.bits), "removed": texts(before.bits & ~after.bits)}
