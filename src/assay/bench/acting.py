"""Acting only, on the peers' own benchmark, and what it costs beside agents that can be put into any state.

The agent runs one problem of a domain in the `amlgym` wheel, from its initial state alone. The learned
model is judged by a walk of the hidden one (`reachable`): which steps run and what they do, in states within
reach. Literals are compared with the reference as well, because the peers' metrics do; there, literals that
no state within reach can show count as missing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from statistics import fmean

from assay.agents.model import ModelAgent
from assay.bench.confined import ConfinedAgent
from assay.bench.peers import PeerRun, Peers, Scores
from assay.bench.peers_files import Instance
from assay.bench.problems import load
from assay.bench.reachable import Agreement, agreement_on_reachable
from assay.bench.syntactic import similarity
from assay.core.model import ActionModel, Model
from assay.core.query import Start
from assay.core.symbols import Object, Parameter
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.pddl.reader import Problem, read_domain
from assay.pddl.writer import write_domain
from assay.result import Outcome
from assay.scoring.normal_form import literal_count
from assay.session import assess


@dataclass(frozen=True)
class Size:
    """Of a domain and of its problem."""

    actions: int
    predicates: int
    precondition_literals: int
    objects: int
    ground_atoms: int
    ground_actions: int


@dataclass(frozen=True)
class Ours:
    outcome: Outcome
    strength: int | None
    questions: int
    steps: int
    seconds: float
    """Processor time."""
    precision: float
    recall: float
    agreement: Agreement
    never_ran: tuple[str, ...]
    scores: Scores | None = None
    """By the peers' own functions."""
    model: str = field(default="", repr=False)


@dataclass(frozen=True)
class Row:
    domain: str
    problem: int
    size: Size
    ours: Ours
    peers: tuple[PeerRun, ...] = ()


@dataclass(frozen=True)
class Mean:
    """Over the domains where the learner has a model; without one it has no figure."""

    learner: str
    domains: int
    precision: float
    recall: float
    complete: bool
    """Whether that is every domain."""


def compare(
    instance: Instance,
    peers: Peers | None,
    learners: Sequence[str],
    *,
    strength: int,
    seed: int = 0,
    most: int | None = None,
) -> Row:
    """One line of the table; without peers our own figures alone."""
    ours, runs = measure(instance, strength=strength, seed=seed, most=most), []
    if peers is not None:
        whole = with_every_action(ours.model, instance.model)
        ours = replace(ours, scores=peers.score(ours.model, whole, instance))
        runs = [peers.learn(name, instance) for name in learners]
    sizes = size(instance.model, instance.problem)
    return Row(instance.domain, instance.number, sizes, ours, tuple(runs))


def with_every_action(text: str, reference: Model) -> str:
    """The model with every action of the reference, in its order; those not learned are left blank."""
    learned = read_domain(text, "our model").action
    actions = (learned.get(a.header.name) or ActionModel.strips(a.header, (), ()) for a in reference.actions)
    return write_domain(Model(reference.vocabulary, tuple(actions)))


def measure(instance: Instance, *, strength: int, seed: int = 0, most: int | None = None) -> Ours:
    model, problem = instance.model, instance.problem
    began = time.process_time()
    agent = ConfinedAgent(model, problem)
    result = assess(agent, strategy="acting", strength=strength, seed=seed, budget=most)
    spent = time.process_time() - began
    written = similarity(result.model, model)
    return Ours(
        result.outcome,
        result.strength,
        result.questions,
        result.costs.steps,
        spent,
        written.precision,
        written.recall,
        agreement_on_reachable(result.model, model, _initial(model, problem), seed=seed),
        tuple(result.never_ran),
        model=result.to_pddl(),
    )


def _initial(model: Model, problem: Problem) -> State:
    return Universe(model.vocabulary, problem.objects).state(sorted(problem.initial))


def size(model: Model, problem: Problem) -> Size:
    vocabulary = model.vocabulary
    objects = (*vocabulary.constants, *problem.objects)
    return Size(
        len(vocabulary.actions),
        len(vocabulary.predicates),
        literal_count(model),
        len(objects),
        sum(_instances(p.parameters, vocabulary, objects) for p in vocabulary.predicates),
        sum(_instances(a.parameters, vocabulary, objects) for a in vocabulary.actions),
    )


def _instances(parameters: Sequence[Parameter], vocabulary: Vocabulary, objects: Sequence[Object]) -> int:
    return prod(sum(vocabulary.fits(o.type, p.types) for o in objects) for p in parameters)


def means(rows: Sequence[Row], learners: Sequence[str]) -> list[Mean]:
    """Ours, by the package's functions if they were run, and the peers'."""
    seen = [(r.ours.scores or r.ours) for r in rows]
    found = [_mean("assay", [(s.precision, s.recall) for s in seen], len(rows))]
    for learner in learners:
        runs = [p.scores for r in rows for p in r.peers if p.learner == learner and p.scores]
        found.append(_mean(learner, [(s.precision, s.recall) for s in runs], len(rows)))
    return found


def _mean(learner: str, figures: Sequence[tuple[float, float]], rows: int) -> Mean:
    precision, recall = (fmean(column) for column in zip(*figures, strict=True)) if figures else (0.0, 0.0)
    return Mean(learner, len(figures), precision, recall, len(figures) == rows)


PLANS = ("any", "any, own objects", "visited", "reset")
"""What may be set: any state with objects of our making, any state of the problem's own objects, a state
that was visited, none but the initial one."""


@dataclass(frozen=True)
class Cost:
    """One interrogation of a bundled domain."""

    start: str
    outcome: Outcome
    strength: int | None
    questions: int
    steps: int
    seconds: float
    agreement: Agreement


@dataclass(frozen=True)
class Price:
    domain: str
    size: int
    costs: tuple[Cost, ...]


SMALLER = {"barman": 1, "freecell": 1}
"""Domains in which acting only takes long: their problems are of this size at most."""


def price(domain: str, *, size: int, strength: int, seed: int = 0, most: int | None = None) -> Price:
    """The same problem with every kind of start.

    After so many questions a run is stopped; its figures are those so far.
    """
    size = min(size, SMALLER.get(domain, size))
    model, problem = load(domain, size, seed)
    costs = (_cost(model, problem, start, strength, seed, most) for start in PLANS)
    return Price(domain, size, tuple(costs))


def _cost(model: Model, problem: Problem, start: str, strength: int, seed: int, most: int | None) -> Cost:
    began = time.process_time()
    if start.startswith("any"):
        agent = ModelAgent(model, problem.objects, (problem.initial,), seed)
        made = start == "any"
        result = assess(agent, strength=strength, seed=seed, new_objects=made, budget=most)
    else:
        confined = ConfinedAgent(model, problem, Start(start))
        result = assess(confined, strategy="acting", strength=strength, seed=seed, budget=most)
    return Cost(
        start,
        result.outcome,
        result.strength,
        result.questions,
        result.costs.steps,
        time.process_time() - began,
        agreement_on_reachable(result.model, model, _initial(model, problem), seed=seed),
    )
