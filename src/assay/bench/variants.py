"""The default strategy on domains that nobody tuned it on: altered at random, by a seed.

Ways to alter a domain: its symbols get meaningless names; a predicate is told as its opposite; one action
forbids two or three things more, among the usual predicates or among forty; half of the actions forbid two
things more each. What is added is drawn from all lifted atoms that the action does not mention yet, or from
what it adds, by turns. A draw counts only if every action that ran before still runs in one of the
situations that the agent offers: one that never runs has no first example, whatever is asked.

Measured is the excess, questions beyond K. Seeds that were used while a strategy was improved show how well
it does on them, not how well it does: take others to judge it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from assay.agents.model import ModelAgent
from assay.assessment import assess
from assay.bench import peers_files
from assay.bench.problems import DOMAINS, EXTRA, load
from assay.bench.questions import Verdict, judge
from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.setting import OFFERED
from assay.core.symbols import OBJECT, ActionHeader, Atom, Literal, Object, Parameter, Predicate
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import Problem, read_domain, read_problem
from assay.pddl.writer import write_domain, write_problem
from assay.planning.applicable import Applicable, Facts
from assay.scoring.normal_form import literal_count, normalised, normalised_action

PEERS = "amlgym:"
"""Before the names of domains from the peers' wheel."""
CROWD = 40
"""Predicates of a crowded domain."""
DRAWS, SIZE = 30, 3
MOST = 150
"""Questions after which a run is stopped: where it is still searching then, it may go on for ever."""


class Kind(StrEnum):
    PLAIN = "plain"
    RENAMED = "renamed"
    OPPOSITE = "opposite"
    FORBIDDING = "forbidding"
    CROWDED = "crowded"
    HALF = "half"


MEANING = {
    Kind.PLAIN: "as it is",
    Kind.RENAMED: "every symbol renamed",
    Kind.OPPOSITE: "one predicate told as its opposite",
    Kind.FORBIDDING: "two or three more negative preconditions in one action",
    Kind.CROWDED: f"the same, with {CROWD} predicates",
    Kind.HALF: "two more negative preconditions in half of the actions",
}


@dataclass(frozen=True)
class Case:
    domain: str
    kind: Kind
    seed: int
    walks: bool = True
    """Whether the agent can be asked to do as it likes."""

    def __str__(self) -> str:
        return f"{self.domain} {self.kind} {self.seed}"


@dataclass(frozen=True)
class Row:
    case: Case
    altered: tuple[str, ...]
    """What was altered: actions, or the predicate."""
    precondition_literals: int
    questions: int
    excess: int
    """Questions beyond K."""
    search: int
    seconds: float
    verdict: Verdict


def known_domains(names: Sequence[str]) -> list[str]:
    """Those named, or else the bundled ones and the peers' where their wheel is installed."""
    peers = peers_files.DOMAINS if peers_files.installed() else ()
    every = [*DOMAINS, *EXTRA, *(PEERS + name for name in peers)]
    if unknown := [name for name in names if name not in every]:
        raise InputError(f"unknown domain {unknown[0]!r}; there are {', '.join(every)}")
    return list(names) or every


def kinds_named(names: Sequence[str]) -> list[Kind]:
    if unknown := [name for name in names if name not in list(Kind)]:
        raise InputError(f"unknown kind {unknown[0]!r}; there are {', '.join(Kind)}")
    return [Kind(name) for name in names]


def measure(case: Case) -> Row | None:
    """One run; None if no draw left every action something to run in."""
    drawn = variant(case)
    if drawn is None:
        return None
    model, problem, altered = drawn
    agent = ModelAgent(model, problem.objects, (problem.initial,), case.seed)
    agent.walks = case.walks
    result = assess(agent, seed=case.seed, budget=MOST)
    verdict, _ = judge(result, model)
    return Row(
        case,
        altered,
        literal_count(model),
        result.questions,
        result.questions - literal_count(model),
        result.knowledge.searches,
        result.costs.seconds,
        verdict,
    )


def variant(case: Case) -> tuple[Model, Problem, tuple[str, ...]] | None:
    """The altered domain with its problem, and what was altered."""
    domain, kind, seed = case.domain, case.kind, case.seed
    if domain.startswith(PEERS):
        instance = peers_files.instance(domain.removeprefix(PEERS))
        model, problem = instance.model, instance.problem
    else:
        model, problem = load(domain, SIZE, seed)
    rng = random.Random(f"{domain} {kind} {seed}")
    match kind:
        case Kind.PLAIN:
            return model, problem, ()
        case Kind.RENAMED:
            return *_renamed(model, problem, rng), ()
        case Kind.OPPOSITE:
            return _opposite(model, problem, rng)
        case Kind.CROWDED:
            model, problem = _crowded(model, problem, rng)
    return _forbidding(model, problem, rng, seed, half=kind is Kind.HALF)


def _renamed(model: Model, problem: Problem, rng: random.Random) -> tuple[Model, Problem]:
    words = model.vocabulary
    names = {t.name for t in words.types} | {c.name for c in words.constants}
    names |= {p.name for p in words.predicates} | {a.name for a in words.actions}
    headers: tuple[Predicate | ActionHeader, ...] = (*words.predicates, *words.actions)
    names |= {p.name.lstrip("?") for header in headers for p in header.parameters}
    names |= {o.name for o in problem.objects}
    names -= {OBJECT}
    numbers = rng.sample(range(10 * len(names)), len(names))
    new = {name: f"w{number}" for name, number in zip(sorted(names), numbers, strict=True)}
    token = re.compile(r"[^\s()?]+")

    def rename(text: str) -> str:
        return token.sub(lambda match: new.get(match[0], match[0]), text)

    domain = read_domain(rename(write_domain(model)), f"{words.name}, renamed")
    text = write_problem(problem.name, words.name, problem.objects, sorted(problem.initial))
    return domain, read_problem(rename(text), domain.vocabulary, f"{problem.name}, renamed")


def _opposite(model: Model, problem: Problem, rng: random.Random) -> tuple[Model, Problem, tuple[str, ...]]:
    """One predicate that actions change holds where it did not, and is written with the other sign."""
    changed = {e.atom.predicate for a in model.actions for e in a.plain_effects}
    chosen = rng.choice(sorted(changed))

    def flipped(literals: Iterable[Literal]) -> frozenset[Literal]:
        return frozenset(Literal(x.atom, x.positive != (x.atom.predicate == chosen)) for x in literals)

    told = [
        ActionModel.strips(a.header, flipped(a.needed), flipped(a.plain_effects), a.distinct)
        for a in normalised(model).actions
    ]
    instances = set(_instances(model, problem, model.vocabulary.predicate[chosen]))
    initial = problem.initial ^ instances
    return Model(model.vocabulary, tuple(told)), replace(problem, initial=initial), (chosen,)


def _crowded(model: Model, problem: Problem, rng: random.Random) -> tuple[Model, Problem]:
    """Further predicates that nothing changes and that hold of some."""
    words = model.vocabulary
    types = sorted({t for p in words.predicates for place in p.parameters for t in place.types})
    more = [
        Predicate(
            f"extra{n}",
            tuple(Parameter(f"?x{k}", (rng.choice(types),)) for k in range(rng.choice((1, 1, 2)))),
        )
        for n in range(CROWD - len(words.predicates))
    ]
    model = Model(replace(words, predicates=(*words.predicates, *more)), model.actions)
    facts = [atom for p in more for atom in _instances(model, problem, p) if rng.random() < 0.3]
    return model, replace(problem, initial=problem.initial | frozenset(facts))


def _forbidding(
    model: Model, problem: Problem, rng: random.Random, seed: int, *, half: bool
) -> tuple[Model, Problem, tuple[str, ...]] | None:
    """With more negative preconditions; if the seed is even, rather about what the action makes true."""
    ran = _running(model, problem, seed)
    for _ in range(DRAWS):
        names = sorted(ran)
        chosen = rng.sample(names, max(1, len(names) // 2) if half else 1)
        altered = {
            name: _with_more(model, name, rng, 2 if half else rng.choice((2, 3)), seed % 2 == 0)
            for name in chosen
        }
        if None in altered.values():
            continue
        drawn = Model(model.vocabulary, tuple(altered.get(a.header.name) or a for a in model.actions))
        if _running(drawn, problem, seed) >= ran:
            return drawn, problem, tuple(sorted(chosen))
    return None


def _with_more(model: Model, name: str, rng: random.Random, count: int, own: bool) -> ActionModel | None:
    action = normalised_action(model.action[name])
    mentioned = {x.atom for x in action.needed}
    adds = sorted(e.atom for e in action.plain_effects if e.positive and e.atom not in mentioned)
    others = [a for a in model.vocabulary.lifted_atoms(name) if a not in mentioned and a not in adds]
    first = rng.sample(adds, min(count, len(adds))) if own else []
    pool = others if own else others + adds
    if len(first) + len(pool) < count:
        return None
    forbidden = first + rng.sample(pool, count - len(first))
    needs = action.needed | {Literal(a, False) for a in forbidden}
    return ActionModel.strips(action.header, needs, action.plain_effects, action.distinct)


def _running(model: Model, problem: Problem, seed: int) -> set[str]:
    """The actions that run in some of the situations that the agent offers."""
    universe = Universe(model.vocabulary, problem.objects)
    applicable = Applicable(Execution(model, universe), constants=True)
    agent = ModelAgent(model, problem.objects, (problem.initial,), seed)
    ran: set[str] = set()
    for state in agent.states(OFFERED, universe):
        facts = Facts(universe, state.bits)
        ran |= {n for n in model.action if n not in ran and next(applicable.of(n, facts), None)}
        if len(ran) == len(model.actions):
            break
    return ran


def _instances(model: Model, problem: Problem, predicate: Predicate) -> list[Atom]:
    things: tuple[Object, ...] = (*model.vocabulary.constants, *problem.objects)
    places = [
        [thing.name for thing in things if model.vocabulary.fits(thing.type, place.types)]
        for place in predicate.parameters
    ]
    return [Atom(predicate.name, args) for args in product(*places)]
