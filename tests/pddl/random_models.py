"""Random models of the language that the reader and the writer share."""

from __future__ import annotations

from hypothesis import strategies as st

from assay.core.formula import FALSE, TRUE, Equality, Exists, Forall, Formula, conjoin, disjoin, negate
from assay.core.model import ActionModel, Case, Effect, Model, Outcome
from assay.core.symbols import (
    OBJECT,
    RESERVED,
    ActionHeader,
    Atom,
    Literal,
    Object,
    Parameter,
    Predicate,
    Type,
)
from assay.core.vocabulary import Vocabulary

names = st.from_regex(r"\A[a-z_][a-z0-9_\-.@#+]{0,6}\Z").filter(lambda n: n not in RESERVED | {OBJECT})


def distinct_names(most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(names, max_size=most, unique=True)


@st.composite
def types(draw: st.DrawFn) -> tuple[Type, ...]:
    """Hierarchies with several parents; children may be declared before their parents."""
    found: list[Type] = []
    for name in draw(distinct_names(4)):
        above = st.sampled_from([OBJECT, *(t.name for t in found)])
        parents = draw(st.lists(above, min_size=1, max_size=2, unique=True))
        found.append(Type(name, tuple(parents)))
    return tuple(draw(st.permutations(found)))


@st.composite
def parameters(draw: st.DrawFn, type_names: list[str]) -> tuple[Parameter, ...]:
    choices = st.lists(st.sampled_from(type_names), min_size=1, max_size=2, unique=True)
    return tuple(Parameter(f"?{name}", tuple(draw(choices))) for name in draw(distinct_names(3)))


@st.composite
def chances(draw: st.DrawFn, effects: st.SearchStrategy[frozenset[Effect]]) -> tuple[Outcome, ...]:
    """Different outcomes whose probabilities add up to one, as counts of something give them."""
    different = draw(st.lists(effects, min_size=1, max_size=4, unique=True))
    counts = [draw(st.integers(1, 1000)) for _ in different]
    return tuple(Outcome(e, n / sum(counts)) for e, n in zip(different, counts, strict=True))


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    hierarchy = draw(types())
    type_names = [OBJECT, *(t.name for t in hierarchy)]
    constants = tuple(Object(name, draw(st.sampled_from(type_names))) for name in draw(distinct_names(2)))
    predicates = tuple(Predicate(name, draw(parameters(type_names))) for name in draw(distinct_names(4)))
    headers = tuple(ActionHeader(name, draw(parameters(type_names))) for name in draw(distinct_names(3)))
    return Vocabulary(hierarchy, constants, predicates, headers, "random")


@st.composite
def models(draw: st.DrawFn, stochastic: bool = False) -> Model:
    """Conjunctions and unconditional effects."""
    vocabulary = draw(vocabularies())
    actions = []
    for header in vocabulary.actions:
        atoms = vocabulary.lifted_atoms(header.name)
        literals = (
            st.frozensets(st.builds(Literal, st.sampled_from(atoms), st.booleans()), max_size=6)
            if atoms
            else st.just(frozenset())
        )
        effects = literals.map(lambda ls: frozenset(map(Effect, ls)))
        variables = [p.name for p in header.parameters]
        terms = variables + [c.name for c in vocabulary.constants]
        pairs = [(x, y) for n, x in enumerate(variables) for y in terms[n:]]
        distinct = st.frozensets(st.sampled_from(pairs), max_size=3) if pairs else st.just(frozenset())
        outcomes = draw(chances(effects)) if stochastic else (Outcome(draw(effects)),)
        actions.append(ActionModel.chance(header, draw(literals), outcomes, draw(distinct)))
    return Model(vocabulary, tuple(actions))


WORLD = Vocabulary.of(
    types={"thing": "object", "box": "thing", "ball": "thing", "place": "object"},
    constants={"home": "place"},
    predicates={"wet": [], "at": ["thing", "place"], "on": ["thing", "thing"], "full": ["box"]},
    actions={"push": ["box", "place"], "swap": ["thing", "thing"], "rain": []},
    name="world",
)
"""What random formulas speak of: several types, a constant, and two parameters that one object may fill."""


@st.composite
def formulas(draw: st.DrawFn, terms: dict[str, str], depth: int = 2) -> Formula:
    """Any formula over the terms, given with their types, not in the order that the reader uses."""
    kind = draw(
        st.sampled_from(["leaf", "leaf", "and", "or", "exists", "forall", "not"] if depth else ["leaf"])
    )
    if kind in ("and", "or"):
        parts = draw(st.lists(formulas(terms, depth - 1), max_size=3))
        return conjoin(parts) if kind == "and" else disjoin(parts)
    if kind == "not":
        return negate(draw(formulas(terms, depth - 1)))
    if kind in ("exists", "forall"):
        variable = Parameter(f"?z{depth}", (draw(st.sampled_from(["box", "thing", "place"])),))
        body = draw(formulas({**terms, variable.name: variable.types[0]}, depth - 1))
        return (Exists if kind == "exists" else Forall)((variable,), body)
    if draw(st.integers(0, 5)) == 0 and len(terms) > 1:
        left, right = draw(st.permutations(sorted(terms)))[:2]
        return Equality(left, right, draw(st.booleans()))
    return Literal(draw(st.sampled_from(_atoms(terms))), draw(st.booleans()))


def _atoms(terms: dict[str, str]) -> list[Atom]:
    """The predicates over the terms; arguments fit."""
    found = [Atom("wet")]
    things = [t for t, kind in terms.items() if kind != "place"]
    places = [t for t, kind in terms.items() if kind == "place"]
    found += [Atom("full", (t,)) for t, kind in terms.items() if kind == "box"]
    found += [Atom("at", (t, p)) for t in things for p in places]
    return found + [Atom("on", (x, y)) for x in things for y in things]


@st.composite
def effects(draw: st.DrawFn, terms: dict[str, str]) -> Effect:
    variables = tuple(
        Parameter(f"?v{n}", (kind,))
        for n, kind in enumerate(draw(st.lists(st.sampled_from(["box", "thing", "place"]), max_size=2)))
    )
    inner = {**terms, **{v.name: v.types[0] for v in variables}}
    condition = draw(st.one_of(st.just(TRUE), formulas(inner, 1).filter(lambda f: f != FALSE)))
    return Effect(Literal(draw(st.sampled_from(_atoms(inner))), draw(st.booleans())), condition, variables)


@st.composite
def adl_models(draw: st.DrawFn, stochastic: bool = False) -> Model:
    """All of ADL, with chance and cases if wanted."""
    actions = []
    for header in WORLD.actions:
        terms = {p.name: p.types[0] for p in header.parameters} | {"home": "place"}
        sets = st.frozensets(effects(terms), max_size=3)
        cases = (Case((Outcome(draw(sets)),)),)
        if stochastic:
            condition = draw(st.one_of(st.just(TRUE), formulas(terms, 1)))
            cases = tuple(Case(draw(chances(sets)), c) for c in (condition, negate(condition)) if c != FALSE)
        actions.append(ActionModel(header, draw(formulas(terms)), cases))
    return Model(WORLD, tuple(actions))
