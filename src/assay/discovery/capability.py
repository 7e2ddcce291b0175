"""The result: capabilities with names, parameters, preconditions and effects, and what stands behind each.

A capability is an `ActionModel` over the user's vocabulary (quantified predicates beside it), so everything
that reads models reads descriptions. What the agent was never seen to do although the game allows it is
part of the result, too: a `Missing` with a situation in which it was asked and refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.model import ActionModel, Model
from assay.core.symbols import ActionHeader, Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary
from assay.discovery.case import Case, Example, Refusal
from assay.discovery.discover import Findings
from assay.discovery.grounding import Matcher
from assay.discovery.naming import Change, distinct, parameter_names, propose
from assay.discovery.precondition import Conditions, Precondition
from assay.discovery.quantified import Quantified


@dataclass(frozen=True)
class Capability:
    action: ActionModel
    derived: tuple[str, ...]
    """Derived predicates that it was seen to change in some situations and not in others."""
    examples: tuple[Example, ...]
    refusals: tuple[Refusal, ...]
    promised: tuple[Refusal, ...]
    """Refusals that the description promises, a few of them."""
    executed: int
    """Situations, as far as they differ in what may matter, in which the agent did it."""
    refused: int
    wrong: int
    """Refusals that the description promises all the same: no conjunction over the vocabulary fits."""
    impossible: int
    """In how many ways it promises what the simulator does not allow, because no word tells them apart."""
    uneven: int
    """Situations from some of whose realisations the agent can and from others it cannot."""
    idle: int
    """Literals that always held, too, and make no difference anywhere that was seen."""
    open: bool
    """Whether something was left undecided: the agent gave up."""

    @property
    def name(self) -> str:
        return self.action.header.name

    @property
    def expressible(self) -> bool:
        return not self.wrong


@dataclass(frozen=True)
class Missing:
    """A change that the simulator allows and the agent was never seen to bring about."""

    name: str
    added: tuple[Atom, ...]
    removed: tuple[Atom, ...]
    refusals: tuple[Refusal, ...]
    gave_up: int


@dataclass(frozen=True)
class Description:
    vocabulary: Vocabulary
    """The user's, with the quantified predicates that conditions use and the capabilities as actions."""
    capabilities: tuple[Capability, ...]
    missing: tuple[Missing, ...]
    quantified: tuple[Quantified, ...]

    @property
    def model(self) -> Model:
        return Model(self.vocabulary, tuple(c.action for c in self.capabilities))

    @property
    def complete(self) -> bool:
        return not any(c.open or c.impossible or not c.expressible for c in self.capabilities) and not any(
            m.gave_up for m in self.missing
        )


def describe(findings: Findings, seed: int = 0) -> Description:
    """The capabilities that the findings speak of."""
    atlas = findings.atlas
    matcher = Matcher(findings.facts, atlas.static)
    conditions = Conditions(atlas, matcher, list(atlas.regions.values()), seed)
    cases = [case for _, case in sorted(findings.cases.items()) if case.shape in findings.touched]
    done = [(case, conditions.find(case)) for case in cases if case.held]
    never = [case for case in cases if not case.held and case.asked]
    changes = [_change(case, found, atlas.derived) for case, found in done]
    changes += [_change(case, None, atlas.derived) for case in never]
    names = distinct([propose(c) for c in changes], changes)
    told = zip(done, changes, names, strict=False)
    capabilities = [_capability(findings, case, found, change, name) for (case, found), change, name in told]
    capabilities.sort(key=lambda c: c.name)
    used = {x.atom.predicate for c in capabilities for x in c.action.needed}
    extra = tuple(q for n, q in sorted(findings.facts.quantified.items()) if n in used)
    own = findings.facts.universe.vocabulary
    vocabulary = Vocabulary(
        own.types,
        own.constants,
        own.predicates + tuple(q.symbol for q in extra),
        tuple(c.action.header for c in capabilities),
        own.name,
    )
    missing = tuple(
        Missing(name, case.shape.added, case.shape.removed, tuple(case.refusals[:3]), case.gave_up)
        for case, name in zip(never, names[len(done) :], strict=True)
    )
    return Description(vocabulary, tuple(capabilities), missing, extra)


def _change(case: Case, found: Precondition | None, derived: frozenset[str]) -> Change:
    shape = case.shape
    needs = found.literals if found is not None else frozenset()
    used = {v for x in needs for v in x.atom.args}
    types = {
        v: t
        for v, t in case.schema.types.items()
        if v in used or v in {a for atom in (*shape.added, *shape.removed) for a in atom.args}
    }
    own = [tuple(a for a in atoms if a.predicate not in derived) for atoms in (shape.added, shape.removed)]
    return Change(own[0], own[1], types, needs)


def _capability(findings: Findings, case: Case, found: Precondition, change: Change, name: str) -> Capability:
    renaming = parameter_names(change)
    order = sorted(change.types, key=lambda v: _rank(change, v, renaming[v]))
    header = ActionHeader(name, tuple(Parameter(renaming[v], (change.types[v],)) for v in order))
    effects = [Literal(a) for a in case.shape.added] + [Literal(a, False) for a in case.shape.removed]
    action = ActionModel.strips(
        header, _renamed(found.literals, renaming), _renamed(frozenset(effects), renaming)
    )
    refusals = [r for r in case.refusals if not r.others]
    promised = [r for r in refusals if _fits(findings, case, found, r)]
    examples = sorted(case.examples, key=lambda e: (len(e.keys), e.keys, e.args))
    return Capability(
        action,
        _unsteady(findings, case),
        _varied(examples),
        tuple(r for r in refusals if r not in promised)[:3],
        tuple(promised[:3]),
        len(case.passes),
        len(case.failures),
        found.promised,
        found.impossible,
        case.uneven,
        found.idle,
        bool(case.gave_up),
    )


def _fits(findings: Findings, case: Case, found: Precondition, refusal: Refusal) -> bool:
    value = case.schema.valuation(refusal.args, findings.atlas.bits(refusal.before))
    return all(bool(value >> case.schema.number[x.atom] & 1) == x.positive for x in found.literals)


def _rank(change: Change, variable: str, name: str) -> tuple[int, str, str]:
    """The actor first, then things, then places as here, there, beyond."""
    places = ("?here", "?there", "?beyond")
    if variable == change.actor:
        return 0, "", ""
    if name in places:
        return 3 + places.index(name), "", name
    return (6 if name.startswith("?cell") else 1), change.types[variable], name


def _renamed(literals: frozenset[Literal], renaming: dict[str, str]) -> frozenset[Literal]:
    return frozenset(Literal(x.atom.substitute(renaming), x.positive) for x in literals)


def _unsteady(findings: Findings, case: Case) -> tuple[str, ...]:
    """Derived facts without arguments that change in some of the examples."""
    universe, atlas = findings.facts.universe, findings.atlas
    found = []
    for predicate in universe.vocabulary.predicates:
        if predicate.name in atlas.derived and not predicate.arity:
            bit = 1 << universe.index(Atom(predicate.name))
            if any((atlas.bits(e.before) ^ atlas.bits(e.after)) & bit for e in case.examples):
                found.append(predicate.name)
    return tuple(found)


def _varied(examples: list[Example], count: int = 3) -> tuple[Example, ...]:
    """A few examples, with different keys and of different lengths as far as there are."""
    found: list[Example] = []
    for example in examples:
        if len(found) < count and all(example.keys != other.keys for other in found):
            found.append(example)
    if examples and examples[-1].keys not in [e.keys for e in found]:
        found[-1] = examples[-1]
    return tuple(found)
