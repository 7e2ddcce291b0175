"""QACE, Algorithm 1 of the paper: every location and predicate, three candidate models, policies that tell.

For each capability, each of its two locations (precondition, effect) and each of its lifted atoms there are
three candidates: the atom is added, added negated, or left out (M_T, M_F, M_I; section 4). As long as two of
them are possible, a query is generated that separates them (`separation`, section 4.2), the agent simulates
its policy eta times for at most alpha = 2d steps, d being the depth of the policy, and a candidate is pruned
(section 4.3). Every transition also widens the effect sets of its capability (line 9). Probabilities are the
likeliest ones (line 10). The strategy ends when no pair is left that any query separates; or, if as much is
wanted as a number of samples allows, it then goes on with twice the eta (Theorem 2 is about eta without end).

Read so that it works from executions alone:

- A refusal in a state that lacks one literal in doubt and nothing else proves that literal, and a run clears
  it. So the candidates for a precondition are compared where everything else that may be needed holds. If no
  policy leads to such a state, it is made by flipping the atom in a state where the capability ran, as far
  as the agent accepts that: the repair that the deterministic algorithm needs after a refused query. Being
  refused is no matter of chance: where the step in question is the first, once is enough.
- An effect is a matter of chance. M_T survives if any execution made the atom true, and is pruned when eta
  executions left it false; likewise M_F. That is a statistical conclusion: an effect of probability p is
  missed with probability (1-p) to the power of eta.
- The pool of states (section 4.3) is what the agent offers and what it has been seen in. Capabilities that
  never ran are tried there with all groundings, those with most true atoms first. If that does not do,
  learned capabilities are executed where they are sure to run and lead on: the directed exploration.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from assay.core.model import ActionModel, Model, Outcome
from assay.core.policy import PolicyQuery
from assay.core.symbols import Atom, Literal
from assay.core.universe import State
from assay.errors import InputError
from assay.knowledge.conjunction import Conjunction
from assay.knowledge.experience import Experience
from assay.strategies.chance import Questions
from assay.strategies.chance.partial_model import PartialModel
from assay.strategies.chance.pool import Entry, Pool
from assay.strategies.chance.query_generation import Generator

ETA = 5
"""Executions of a policy, as in the paper's evaluation."""
ATTEMPTS = 3
"""Queries spent on one pair of candidates before another location's turn."""
EXPLORED, FRUITLESS, UNSEEN = 10, 2, 30
"""Steps of one exploration, and how many explorations in a row may settle nothing before all that is left is
given up: more if a capability never ran."""


class Qace:
    def __init__(self, experience: Experience, eta: int = ETA) -> None:
        self._experience, self._eta = experience, eta
        self._rng = random.Random(f"{experience.setting.seed} qace")
        self._partial = PartialModel(experience)
        self._pool = Pool(experience)
        self._generator = Generator(experience, self._partial, self._pool)

    def model(self) -> Model:
        return self._partial.estimate()

    def questions(self) -> Questions:
        aims = self._experience.setting.aims
        if not self._experience.setting.offered:
            raise InputError("strategy 'qace' needs an agent with objects and a state to begin with")
        while True:
            before = self._experience.samples
            yield from self._algorithm()
            stuck = self._experience.samples == before and self._eta > before
            if aims is None or aims.precision is not None or stuck:
                return
            self._eta *= 2

    def _algorithm(self) -> Questions:
        fruitless = 0
        while fruitless < (FRUITLESS if self._all_ran() else UNSEEN):
            before = self._settled()
            for action in sorted(self._experience.capabilities):
                yield from self._first_example(action)
                if self._experience.capabilities[action].dossier.ran:
                    yield from self._locations(action)
            if self._finished():
                return
            fruitless = 0 if self._settled() > before else fruitless + 1
            yield from self._explore()

    def _locations(self, action: str) -> Questions:
        size = len(self._experience.capabilities[action].dossier.atoms)
        for atom in range(size):
            yield from self._precondition(action, atom)
        for atom in range(size):
            modes = [True, False]
            self._rng.shuffle(modes)
            for positive in modes:
                yield from self._effect(action, atom, positive)

    def _settled(self) -> int:
        """How many locations and candidates are decided."""
        return sum(self._settled_of(action) for action in self._experience.capabilities)

    def _settled_of(self, action: str) -> int:
        dossier = self._experience.capabilities[action].dossier
        if not dossier.ran:
            return 0
        atoms = range(len(dossier.atoms))
        effects = sum(not self._effect_open(action, atom, sign) for atom in atoms for sign in (True, False))
        return 1 + len(atoms) - dossier.precondition.open.bit_count() + effects

    def _all_ran(self) -> bool:
        return all(capability.dossier.ran for capability in self._experience.capabilities.values())

    def _finished(self) -> bool:
        every = sum(1 + 3 * len(c.dossier.atoms) for c in self._experience.capabilities.values())
        return self._settled() == every

    def _first_example(self, action: str) -> Questions:
        """Tries groundings over the pool until one runs; refusals depend on the valuation alone."""
        capability = self._experience.capabilities[action]
        tried = set(capability.refused_at)
        entries = sorted(self._pool.entries(action), key=lambda e: -e.values.bit_count())
        for entry in entries:
            if capability.dossier.ran:
                return
            if entry.values not in tried and (query := self._generator.at(entry, 1)) is not None:
                tried.add(entry.values)
                yield query

    def _precondition(self, action: str, atom: int) -> Questions:
        capability = self._experience.capabilities[action]
        needs = capability.dossier.precondition
        for query in islice(self._precondition_queries(action, atom), ATTEMPTS):
            if not needs.open >> atom & 1 or capability.contradicted:
                return
            yield query

    def _precondition_queries(self, action: str, atom: int) -> Iterator[PolicyQuery]:
        needs = self._experience.capabilities[action].dossier.precondition
        if not needs.open >> atom & 1:
            return
        bit = 1 << atom
        cautious = self._cautious(action)
        without = frozenset(e for e in cautious.needed if e.atom != self._atom(action, atom))
        ignored = ActionModel.chance(cautious.header, without, cautious.outcomes)
        lacking = [e for e in self._pool.entries(action) if _violated(needs, e.values) == bit]
        if (found := self._generator.separating(action, (cautious, ignored), lacking)) is not None:
            yield found.query(1 if found.depth == 1 else self._eta)
        for entry in self._pool.entries(action):
            if not _violated(needs, entry.values) and (query := self._flipped(entry, atom, 1)) is not None:
                yield query
                break
        # nothing shows it alone: where it lacks together with others, a run would still clear it
        others = [e for e in self._pool.entries(action) if _violated(needs, e.values) & bit]
        for entry in sorted(others, key=lambda e: _violated(needs, e.values).bit_count()):
            if entry.values not in needs.failures and (query := self._generator.at(entry, 1)) is not None:
                yield query

    def _effect(self, action: str, atom: int, positive: bool) -> Questions:
        for _ in range(ATTEMPTS):
            if not self._effect_open(action, atom, positive):
                return
            if (query := self._effect_query(action, atom, positive)) is None:
                return
            yield query

    def _effect_open(self, action: str, atom: int, positive: bool) -> bool:
        """Whether both the candidate with this effect and the one without are possible and differ."""
        capability = self._experience.capabilities[action]
        needs, bit = capability.dossier.precondition, 1 << atom
        if (needs.need_true if positive else needs.need_false) & bit:
            return False
        spared = 0
        for before, counts in capability.runs.items():
            for after, count in counts.items():
                if bool(after & bit) != positive:
                    spared += count
                elif bool(before & bit) != positive:
                    return False
        return spared < self._eta

    def _effect_query(self, action: str, atom: int, positive: bool) -> PolicyQuery | None:
        needs, bit = self._experience.capabilities[action].dossier.precondition, 1 << atom
        absent = self._cautious(action)
        literal = Literal(self._atom(action, atom), positive)
        opposite = Literal(literal.atom, not positive)
        added = tuple(
            o if opposite in o.literals else Outcome.plain(o.literals | {literal}, o.probability)
            for o in absent.outcomes
        )
        present = ActionModel.chance(absent.header, absent.needed, added)
        running = [e for e in self._pool.entries(action) if not _violated(needs, e.values)]
        telling = [e for e in running if bool(e.values & bit) != positive]
        if (found := self._generator.separating(action, (present, absent), telling)) is not None:
            return found.query(self._eta)
        if not needs.suspects & bit:
            queries = (self._flipped(entry, atom, self._eta) for entry in running)
            return next((query for query in queries if query is not None), None)
        return None

    def _explore(self) -> Questions:
        """Executes learned capabilities where they have not been executed yet, to see states not yet seen."""
        for _ in range(EXPLORED):
            entries = self._unexplored()
            fresh = [e for e in entries if self._generator.leads_beyond(e)] or entries
            self._rng.shuffle(fresh)
            queries = (self._generator.at(entry, 1) for entry in fresh[:ATTEMPTS])
            if (query := next((q for q in queries if q is not None), None)) is None:
                return
            yield query

    def _unexplored(self) -> list[Entry]:
        return [
            entry
            for action, capability in sorted(self._experience.capabilities.items())
            if capability.dossier.ran
            for entry in self._pool.entries(action)
            if not _violated(capability.dossier.precondition, entry.values)
            and (entry.bits, entry.step) not in self._experience.transitions
        ]

    def _flipped(self, entry: Entry, atom: int, runs: int) -> PolicyQuery | None:
        """The entry with one atom turned round, if the agent can be put there."""
        bits = entry.bits ^ 1 << self._experience.universe.positions(entry.step)[atom]
        if not self._pool.can_start(bits) or self._pool.rejected(bits):
            return None
        return PolicyQuery.trial(State(self._experience.universe, bits), entry.step, runs)

    def _cautious(self, action: str) -> ActionModel:
        found = self._partial.cautious(action)
        assert found is not None, "asked about before it ran"
        return found

    def _atom(self, action: str, atom: int) -> Atom:
        return self._experience.capabilities[action].dossier.atoms[atom]


def _violated(needs: Conjunction, values: int) -> int:
    """Literals not excluded so far that do not hold there."""
    return needs.may_true & ~values | needs.may_false & values
