"""The shortest conjunction that the answers and the simulator leave.

The literals that hold in every situation in which the agent did it are the most that its precondition can
be. Many of them are idle: the others imply them wherever the simulator has been. So literals are taken one
by one, those first that rule out most of what has to be ruled out: situations in which the agent refused,
and situations in which the change is impossible in the simulator (never evidence about the agent, but a
description that promised the change there would promise what no state can be). What is left out makes no
difference anywhere that was seen.

If refusals remain that no literal rules out, every literal common to all successes held in them, too: that
is the proof that no conjunction over the vocabulary describes this agent. The description then promises what
it must, to cover every success that was seen (Theorem 1), and says how many refusals it promises away.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from assay.core.symbols import Atom, Literal
from assay.core.universe import indices
from assay.discovery.atlas import Atlas, Region
from assay.discovery.case import Case
from assay.discovery.grounding import Matcher
from assay.discovery.questions import common, sayable

REGIONS = 2500
"""Situations looked at for what must be ruled out."""
_BATCH = 40
"""How many of them are looked at at a time."""

_Choice = list[tuple[int, bool]]


@dataclass(frozen=True, slots=True)
class Precondition:
    literals: frozenset[Literal]
    """Over the schema's variables."""
    promised: int
    """Refusals that the description promises all the same."""
    idle: int
    """How many literals always held, too, and make no difference anywhere that was seen."""
    impossible: int = 0
    """In how many ways it promises what the simulator does not allow: no literal tells them apart."""


class Conditions:
    """Finds preconditions, with what was explored as the stage."""

    def __init__(self, atlas: Atlas, matcher: Matcher, regions: list[Region], seed: int) -> None:
        self._atlas, self._matcher = atlas, matcher
        self._rng = random.Random(seed)
        seen = regions if atlas.simulates else []
        self._regions = [r.bits for r in seen]
        self._ends = [r.bits for r in seen if not r.ways]
        """Where nothing can be done any more: seldom come by, and telling about every capability."""
        self._about: dict[tuple[str, ...], int] = {}

    def find(self, case: Case) -> Precondition:
        schema = case.schema
        true, false = common(case.passes, len(schema.atoms))
        wanted = sayable(schema, true)
        literals = [(n, True) for n in indices(true & wanted)] + [(n, False) for n in indices(false & wanted)]
        # without a simulator nothing says what else is impossible: all that held every time (section 3.1.1)
        chosen, impossible = [x for x in literals if x[1]], 0
        if self._atlas.simulates:
            chosen, impossible = self._settle(case, literals)
        wrong = [v for v in case.failures if _fits(chosen, v)]
        written = frozenset(Literal(schema.atoms[n], sign) for n, sign in chosen)
        return Precondition(written, len(wrong), len(literals) - len(chosen), impossible)

    def _settle(self, case: Case, literals: _Choice) -> tuple[_Choice, int]:
        """Literals that rule out what they must, checked against the situations seen and mended; and how many
        valuations are left that none of them rules out."""
        home = sorted({c.before for same in case.candidates.values() for c in same})
        few = self._rng.sample(home, min(len(home), REGIONS // 3))
        few += self._rng.sample(self._ends, min(len(self._ends), REGIONS // 3))
        few += self._rng.sample(self._regions, min(len(self._regions), REGIONS - len(few)))
        self._rng.shuffle(few)
        against: dict[int, None] = dict.fromkeys(case.failures)
        chosen = self._cover(case, literals, list(against))
        alike: set[int] = set()
        for at in range(0, len(few), _BATCH):
            while True:
                promised = dict.fromkeys(self._impossible(case, chosen, few[at : at + _BATCH]))
                alike.update(v for v in promised if _fits(literals, v))
                new = [v for v in promised if v not in against and not _fits(literals, v)]
                if not new:
                    break
                against.update(dict.fromkeys(new))
                chosen = self._cover(case, literals, list(against))
        return chosen, len(alike)

    def _impossible(self, case: Case, chosen: _Choice, situations: list[int]) -> Iterator[int]:
        """Valuations of groundings that the literals promise and the simulator does not allow."""
        schema, shape, universe = case.schema, case.shape, self._matcher.universe
        types = {shape.variable(n): (t,) for n, t in enumerate(shape.types)}
        core = frozenset(
            Literal(schema.atoms[n], sign) for n, sign in chosen if types.keys() >= set(schema.atoms[n].args)
        )
        apart = [x for x in chosen if not types.keys() >= set(schema.atoms[x[0]].args)]
        for bits in situations:
            allowed: list[int] | None = None
            for binding in self._matcher.bindings(bits, core, types):
                args = tuple(binding[v] for v in types)
                if not schema.fits(apart, args, bits):
                    continue
                added, removed = shape.ground(args)
                after = bits & ~universe.bits(removed) | universe.bits(added)
                compared = ~universe.mask(self._atlas.derived) | self._derived(args)
                if allowed is None:
                    allowed = list(self._atlas.regions[bits].ways)
                if (after ^ bits) & compared and not any(not (after ^ x) & compared for x in allowed):
                    yield schema.valuation(args, bits)

    def _derived(self, args: tuple[str, ...]) -> int:
        """The derived facts about these things, which are part of a shape."""
        if args not in self._about:
            self._about[args] = self._derived_about(args)
        return self._about[args]

    def _derived_about(self, args: tuple[str, ...]) -> int:
        universe = self._matcher.universe
        found = 0
        for name in sorted(self._atlas.derived):
            places = [
                [x for x in args if universe.vocabulary.fits(universe.object(x).type, p.types)]
                for p in universe.vocabulary.predicate[name].parameters
            ]
            if places:
                found |= universe.bits(Atom(name, each) for each in product(*places))
        return found

    def _cover(self, case: Case, literals: _Choice, against: list[int]) -> _Choice:
        """Few literals of which every valuation violates one, where that is possible."""
        schema = case.schema
        removed = {schema.number[a] for a in schema.shape.removed}
        chosen = [(n, True) for n in sorted(removed) if (n, True) in literals]
        left = [v for v in against if _fits(chosen, v)]
        prices = {x: self._price(case, *x) for x in literals}
        while left:
            gain = {x: sum((v >> x[0] & 1) != x[1] for v in left) / prices[x] for x in literals}
            best = max(literals, key=lambda x: (gain[x], -x[0]), default=None)
            if best is None or not gain[best]:
                break
            more = [best, *((n, True) for n in schema.anchors(best[0]))]
            chosen += [x for x in more if x not in chosen]
            left = [v for v in left if _fits(chosen, v)]
        return self._without_idle(case, chosen, against)

    def _without_idle(self, case: Case, chosen: _Choice, against: list[int]) -> _Choice:
        """What was taken early may have become superfluous."""
        schema = case.schema
        removed = {schema.number[a] for a in schema.shape.removed}
        ruled_out = [v for v in against if not _fits(chosen, v)]
        for literal in sorted(chosen, key=lambda x: -self._price(case, *x)):
            rest = [x for x in chosen if x != literal]
            anchors = {a for n, _ in rest for a in schema.anchors(n)}
            if literal[0] in removed or literal[0] in anchors:
                continue
            if not any(_fits(rest, v) for v in ruled_out):
                chosen = rest
        return chosen

    def _price(self, case: Case, number: int, positive: bool) -> float:
        """What a reader pays for a literal: context, negation and quantifiers cost extra."""
        atom, schema = case.schema.atoms[number], case.schema
        context = {r.variable for r in schema.roles}
        price = 1.0 + 0.4 * len(context.intersection(atom.args)) + 0.1 * len(schema.anchors(number))
        if atom.predicate in self._matcher.facts.quantified:
            price += 0.1 if not atom.args and not positive else 0.5
        elif atom.predicate in self._atlas.derived and not atom.args:
            price += 1.0  # it depends on everything, so it explains little
        return price if positive else price + 0.4


def _fits(literals: _Choice, value: int) -> bool:
    return all((value >> n & 1) == sign for n, sign in literals)
