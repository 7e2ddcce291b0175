"""Soundness and completeness, against the definition itself: every transition of every state."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agents.worlds import WORLDS, truth
from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Literal
from assay.core.vocabulary import Vocabulary
from assay.pddl.reader import read_ppddl
from assay.scoring.correctness import correctness

VOCABULARY = Vocabulary.of(predicates={"p": ["object"], "q": [], "r": []}, actions={"a": ["object"], "b": []})


@st.composite
def models(draw: st.DrawFn) -> Model:
    actions = []
    for header in VOCABULARY.actions:
        atoms = VOCABULARY.lifted_atoms(header.name)
        literals = st.frozensets(st.builds(Literal, st.sampled_from(atoms), st.booleans()), max_size=3)
        effects = draw(st.lists(literals, min_size=1, max_size=4, unique=True))
        if not draw(st.integers(0, 9)):
            continue
        # one outcome may be written down that never happens
        zero = draw(st.booleans()) and len(effects) > 1
        shares = [0.0 if zero and n == 0 else 1.0 for n in range(len(effects))]
        outcomes = [Outcome.plain(e, p / sum(shares)) for e, p in zip(effects, shares, strict=True)]
        actions.append(ActionModel.chance(header, draw(literals), outcomes))
    return Model(VOCABULARY, tuple(actions))


def transitions(model: Model) -> set:
    """All of them, over the lifted atoms of each action."""
    found = set()
    for name, action in model.action.items():
        atoms = VOCABULARY.lifted_atoms(name)
        for values in product((False, True), repeat=len(atoms)):
            state = {atom for atom, value in zip(atoms, values, strict=True) if value}
            if any((atom in state) != positive for atom, positive in action.needed):
                continue
            for outcome in action.outcomes:
                if outcome.probability:
                    added = {a for a, positive in outcome.literals if positive}
                    deleted = {a for a, positive in outcome.literals if not positive}
                    found.add((name, frozenset(state), frozenset(state - deleted | added)))
    return found


@given(models(), models(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_as_defined(model: Model, other: Model, similar: bool) -> None:
    if similar:  # the same preconditions, so that outcomes decide
        other = Model(
            VOCABULARY,
            tuple(
                ActionModel.chance(
                    a.header,
                    model.action[a.header.name].needed if a.header.name in model.action else a.needed,
                    a.outcomes,
                )
                for a in other.actions
            ),
        )
    found = correctness(model, other)
    mine, theirs = transitions(model), transitions(other)
    assert found.sound == (mine <= theirs)
    assert found.complete == (theirs <= mine)


def domain(effect: str, precondition: str = "(p ?x)", parameter: str = "?x") -> Model:
    return read_ppddl(
        f"(define (domain d) (:predicates (p ?x) (q)) "
        f"(:action a :parameters ({parameter}) :precondition {precondition} :effect {effect}))"
    )


@pytest.mark.parametrize(
    ("model", "spurious", "missing"),
    [
        (domain("(probabilistic 0.9 (q))"), (), ()),
        (domain("(probabilistic 0.9 (q))", "(p ?y)", "?y"), (), ()),
        (domain("(probabilistic 0.9 (and (q) (p ?x)))"), (), ()),
        (domain("(q)"), (), ("a can lead to (not (q)) where (not (q))",)),
        (domain("(and)"), (), ("a can lead to (q) where (not (q))",)),
        (
            domain("(probabilistic 0.5 (q) 0.1 (not (p ?x)))"),
            ("a can lead to (not (p ?x)) (q) where (q)",),
            (),
        ),
        (domain("(probabilistic 0.5 (q))", "(and)"), ("a can be executed where (not (p ?x))",), ()),
        (
            domain("(probabilistic 0.5 (q))", "(and (p ?x) (not (q)))"),
            (),
            ("a can be executed where (q)",),
        ),
        (
            domain("(probabilistic 0.5 (q))", "(and (p ?x) (not (p ?x)))"),
            (),
            ("a can be executed",),
        ),
    ],
)
def test_in_words(model: Model, spurious: tuple[str, ...], missing: tuple[str, ...]) -> None:
    found = correctness(model, domain("(probabilistic 0.2 (q))"))
    assert (found.spurious, found.missing) == (spurious, missing)


def test_a_condition_of_an_outcome() -> None:
    model = domain("(probabilistic 0.5 (when (q) (not (q))))")
    found = correctness(model, domain("(probabilistic 0.5 (not (q)))"))
    assert found.sound
    assert found.complete
    found = correctness(model, domain("(when (q) (not (q)))"))
    assert found.spurious == ("a can lead to (q) where (q)",)
    assert found.complete


def test_a_capability_left_out_is_missing():
    model = truth("driving")
    found = correctness(Model(model.vocabulary, model.actions[:1]), model)
    assert found.sound
    assert found.missing == ("changetire can be executed",)


@pytest.mark.parametrize("name", WORLDS)
def test_the_truth_is_sound_and_complete(name):
    found = correctness(truth(name), truth(name))
    assert found.sound
    assert found.complete
