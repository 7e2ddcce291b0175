"""Random models of the language that the reader and the writer share."""

from __future__ import annotations

from hypothesis import strategies as st

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import OBJECT, RESERVED, ActionHeader, Literal, Object, Parameter, Predicate, Type
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
def chances(draw: st.DrawFn, effects: st.SearchStrategy[frozenset[Literal]]) -> tuple[Outcome, ...]:
    """Different outcomes whose probabilities add up to one, as counts of something give them."""
    different = draw(st.lists(effects, min_size=1, max_size=4, unique=True))
    counts = [draw(st.integers(1, 1000)) for _ in different]
    return tuple(Outcome(e, n / sum(counts)) for e, n in zip(different, counts, strict=True))


@st.composite
def models(draw: st.DrawFn, stochastic: bool = False) -> Model:
    hierarchy = draw(types())
    type_names = [OBJECT, *(t.name for t in hierarchy)]
    constants = tuple(Object(name, draw(st.sampled_from(type_names))) for name in draw(distinct_names(2)))
    predicates = tuple(Predicate(name, draw(parameters(type_names))) for name in draw(distinct_names(4)))
    headers = tuple(ActionHeader(name, draw(parameters(type_names))) for name in draw(distinct_names(3)))
    vocabulary = Vocabulary(hierarchy, constants, predicates, headers, "random")
    actions = []
    for header in headers:
        atoms = vocabulary.lifted_atoms(header.name)
        literals = (
            st.frozensets(st.builds(Literal, st.sampled_from(atoms), st.booleans()), max_size=6)
            if atoms
            else st.just(frozenset())
        )
        variables = [p.name for p in header.parameters]
        terms = variables + [c.name for c in constants]
        pairs = [(x, y) for n, x in enumerate(variables) for y in terms[n:]]
        distinct = st.frozensets(st.sampled_from(pairs), max_size=3) if pairs else st.just(frozenset())
        outcomes = draw(chances(literals)) if stochastic else (Outcome(draw(literals)),)
        actions.append(ActionModel(header, draw(literals), outcomes, draw(distinct)))
    return Model(vocabulary, tuple(actions))
