"""Acting only, on the peers' own benchmark, and what it costs beside agents that can be put into any state.

The agent runs one problem of a domain in the `amlgym` wheel, from its initial state alone. The model is
then compared with the reference literal by literal. Where the two differ, the result must say why: the
literal makes no difference (an effect that is void), or none on any state that can be reached, which is
proved again here by the checker; or it is open. A literal that was settled otherwise is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import prod
from statistics import fmean

from assay.agents.model import ModelAgent
from assay.bench.confined import ConfinedAgent
from assay.bench.peers import PeerRun, Peers, Scores
from assay.bench.peers_files import Instance
from assay.bench.problems import load
from assay.bench.syntactic import Entry, Similarity, entries, similarity
from assay.core.model import ActionModel, Model
from assay.core.query import Start
from assay.core.symbols import Literal, Object, Parameter
from assay.core.vocabulary import Vocabulary
from assay.knowledge.dossier import Claim, Part, Status
from assay.pddl.reader import Problem, read_domain
from assay.pddl.writer import write_domain
from assay.proof.acting import reachable_verdict
from assay.result import Outcome, Result
from assay.scoring.normal_form import literal_count
from assay.session import assess


class Why(StrEnum):
    """Why a literal of the model or of the reference is not in the other."""

    VOID = "void"
    """An effect that its own precondition, or the action's other effects, leave without effect."""
    INDISTINGUISHABLE = "indistinguishable"
    """With it or without, every plan from the initial state runs alike, and the checker agrees."""
    UNCONFIRMED = "said to be indistinguishable, not confirmed"
    OPEN = "open"
    NEVER_RAN = "never ran"
    """Not excused, proved or not: with one object in two places it might have run."""
    WRONG = "WRONG"


@dataclass(frozen=True)
class Difference:
    text: str
    missing: bool
    """In the reference only; else in our model only."""
    why: Why


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
    questions: int
    steps: int
    seconds: float
    precision: float
    recall: float
    customary: Similarity
    """Of the model in which what cannot be told apart is written as is customary."""
    excused_precision: float
    """Leaving out the differences that are void or proved to be indistinguishable."""
    excused_recall: float
    differences: tuple[Difference, ...]
    proof: tuple[str, ...]
    """In words, from the independent checker: how it was proved that acting cannot tell."""
    scores: Scores | None = None
    """By the peers' own functions."""
    customary_scores: Scores | None = None
    model: str = field(default="", repr=False)
    customary_model: str = field(default="", repr=False)

    def count(self, why: Why) -> int:
        return sum(d.why is why for d in self.differences)


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


def compare(instance: Instance, peers: Peers | None, learners: Sequence[str], *, seed: int) -> Row:
    """One line of the table; without peers our own figures alone."""
    ours, runs = measure(instance, seed=seed), []
    if peers is not None:
        fewest, customary = (
            peers.score(text, with_every_action(text, instance.model), instance, behaviour=behaviour)
            for text, behaviour in ((ours.model, True), (ours.customary_model, False))
        )
        ours = replace(ours, scores=fewest, customary_scores=customary)
        runs = [peers.learn(name, instance) for name in learners]
    sizes = size(instance.model, instance.problem)
    return Row(instance.domain, instance.number, sizes, ours, tuple(runs))


def with_every_action(text: str, reference: Model) -> str:
    """The model with every action of the reference, in its order; those not learned are left blank."""
    learned = read_domain(text, "our model").action
    nothing: frozenset[Literal] = frozenset()
    return write_domain(
        Model(
            reference.vocabulary,
            tuple(
                learned.get(a.header.name) or ActionModel.strips(a.header, nothing, nothing)
                for a in reference.actions
            ),
        )
    )


def measure(instance: Instance, *, seed: int = 0) -> Ours:
    model, problem = instance.model, instance.problem
    result = assess(ConfinedAgent(model, problem, free=True), strategy="acting", seed=seed)
    found, proof = _confirmed(result, differences(result, model))
    excused = frozenset(e for e, d in found.items() if d.why in (Why.VOID, Why.INDISTINGUISHABLE))
    raw, fair = similarity(result.model, model), similarity(result.model, model, excused)
    customary = result.customary
    return Ours(
        result.outcome,
        result.questions,
        result.costs.steps,
        result.costs.seconds,
        raw.precision,
        raw.recall,
        similarity(customary, model),
        fair.precision,
        fair.recall,
        tuple(found.values()),
        proof,
        model=result.to_pddl(),
        customary_model=write_domain(customary),
    )


def _confirmed(
    result: Result, found: dict[Entry, Difference]
) -> tuple[dict[Entry, Difference], tuple[str, ...]]:
    """What is said to be indistinguishable, proved again by the checker; and how, in words."""
    if all(d.why is not Why.INDISTINGUISHABLE for d in found.values()):
        return found, ()
    verdict = reachable_verdict(result.knowledge.setting, result.entries, result.model)
    if not verdict.proved:
        found = {
            e: replace(d, why=Why.UNCONFIRMED) if d.why is Why.INDISTINGUISHABLE else d
            for e, d in found.items()
        }
    return found, tuple(verdict.sentences())


def differences(result: Result, reference: Model) -> dict[Entry, Difference]:
    """Every literal that only one of the two has, with the result's own reason."""
    mine, theirs = entries(result.model, reference), entries(reference, reference)
    claims = {(c.action, c.part, c.atom): c for c in result.evidence}
    never = set(result.never_ran)
    return {
        e: Difference(str(e), e in theirs, _why(claims[e.slot], theirs, never))
        for e in sorted(mine ^ theirs, key=str)
    }


def _why(claim: Claim, theirs: set[Entry], never: set[str]) -> Why:
    if claim.action in never:
        return Why.NEVER_RAN
    signs = {e.literal.positive for e in theirs if e.slot == (claim.action, claim.part, claim.atom)}
    effect = claim.part is Part.EFFECT
    # An add beats a delete of the same atom.
    mode = "absent" if not signs else "+" if True in signs else "-"
    if effect and len(signs) == 2 and claim.modes == ("+",):
        return Why.VOID
    if mode not in claim.modes:
        return Why.WRONG
    if claim.status is Status.OPEN:
        return Why.OPEN
    required = {e.literal.positive for e in theirs if e.slot == (claim.action, Part.PRECONDITION, claim.atom)}
    return Why.VOID if effect and (mode == "+") in required else Why.INDISTINGUISHABLE


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
    """Ours as the package's functions see it, written both ways; without what cannot be told; the peers'."""
    ours = [r.ours for r in rows]
    seen, customary = [(o.scores or o) for o in ours], [(o.customary_scores or o.customary) for o in ours]
    found = [
        _mean("assay", [(s.precision, s.recall) for s in seen], len(rows)),
        _mean("assay, customary", [(s.precision, s.recall) for s in customary], len(rows)),
        _mean("assay*", [(o.excused_precision, o.excused_recall) for o in ours], len(rows)),
    ]
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
    questions: int
    steps: int
    seconds: float
    wrong: int
    indistinguishable: int
    """Slots that no question can settle, be it because no reachable state does."""
    open: int


@dataclass(frozen=True)
class Price:
    domain: str
    size: int
    costs: tuple[Cost, ...]


SMALLER = {"barman": 1, "freecell": 1}
"""Domains in which acting only takes long: their problems are of this size at most."""


def price(domain: str, *, size: int, seed: int, most: int | None = None) -> Price:
    """The same problem with every kind of start; where any state may be set, by `chain`.

    After so many questions a run is stopped; its figures are those so far.
    """
    size = min(size, SMALLER.get(domain, size))
    model, problem = load(domain, size, seed)
    return Price(domain, size, tuple(_cost(model, problem, start, seed, most) for start in PLANS))


def _cost(model: Model, problem: Problem, start: str, seed: int, most: int | None) -> Cost:
    if start.startswith("any"):
        agent = ModelAgent(model, problem.objects, (problem.initial,), seed)
        result = assess(agent, strategy="chain", seed=seed, new_objects=start == "any", budget=most)
    else:
        confined = ConfinedAgent(model, problem, Start(start))
        result = assess(confined, strategy="acting", seed=seed, budget=most)
    claims = result.evidence
    return Cost(
        start,
        result.outcome,
        result.questions,
        result.costs.steps,
        result.costs.seconds,
        sum(d.why is Why.WRONG for d in differences(result, model).values()),
        sum(c.status is Status.INDISTINGUISHABLE for c in claims),
        sum(c.status is Status.OPEN for c in claims),
    )
