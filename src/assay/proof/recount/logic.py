"""Which conjunctions of features a state can show, and which of them imply the precondition.

Facts about arguments and constants are independent of each other. Quantified features are not: some other
object that is a card and broken is also some other object that is a card. A state shows them exactly if each
that is true has an object of its type with its profile and without the profile of any that is false; one such
object each is enough, so this is a propositional formula, and the answers are exact.

Answers are remembered by what they can depend on: quantified features, and terms that may still hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.proof.recount.facts import Fact
from assay.proof.recount.features import Cube, Features, Other, single
from assay.proof.solver import Sat


class Logic:
    """Satisfiability over the features of one action with its terms."""

    def __init__(self, features: Features, terms: Sequence[Cube]) -> None:
        self.features, self.terms = features, tuple(terms)
        self._variables = features.size + 1
        """Features are numbered from 1; then comes "no term holds", then facts about witnesses."""
        self._sat = Sat([])
        nothing = self._variables
        self._sat.extend([-nothing, *(-literal for literal in self._literals(term))] for term in self.terms)
        for number, other in enumerate(features.others):
            self._witness(number, other)
        self._known: dict[tuple[Cube, bool], bool] = {}

    def possible(self, cube: Cube) -> bool:
        """Whether some state shows the conjunction."""
        quantified = self.features.quantified
        return self._solve(Cube(cube.named & quantified, cube.true & quantified), False)

    def may_be_refused(self, cube: Cube) -> bool:
        """Whether some state shows the conjunction and none of the terms."""
        relevant = self.relevant(cube)
        return self._solve(Cube(cube.named & relevant, cube.true & relevant), True)

    def relevant(self, cube: Cube) -> int:
        """The features on which it can depend whether a refusal can show this conjunction and more."""
        bits = self.features.quantified
        for term in self.terms:
            if not term.contradicts(cube):
                bits |= term.named
        return bits

    def close(self) -> None:
        self._sat.close()

    def _solve(self, cube: Cube, refused: bool) -> bool:
        found = self._known.get((cube, refused))
        if found is None:
            given = [*self._literals(cube), *([self.features.size + 1] if refused else [])]
            found = self._known[cube, refused] = self._sat.solve(given)
        return found

    def _literals(self, cube: Cube) -> list[int]:
        return [bit.bit_length() if cube.true & bit else -bit.bit_length() for bit in single(cube.named)]

    def _witness(self, number: int, other: Other) -> None:
        """If this feature is true, an object has its profile, and none of those that are false."""
        own = len(self.features.atoms) + 1
        facts: dict[Fact, int] = {}

        def literal(fact: Fact, positive: bool) -> int:
            if fact not in facts:
                self._variables += 1
                facts[fact] = self._variables
            return facts[fact] if positive else -facts[fact]

        here = own + number
        self._sat.extend([[-here, literal(*item)] for item in other.literals])
        above = self.features.vocabulary.supertypes(other.type)
        for n, rival in enumerate(self.features.others):
            if n != number and rival.type in above:
                self._sat.extend([[-here, own + n, *(-literal(*item) for item in rival.literals)]])
