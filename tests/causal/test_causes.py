"""Actual causes: the published examples by name, and agreement with the definition taken literally."""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest
from brute_force import all_causes

from assay.causal.causes import actual_causes, first_causes
from assay.causal.formula import And, AtLeast, Formula, Not, Or, Var, evaluate
from assay.causal.structural import StructuralModel
from assay.errors import InputError


def model(*roots: str, **functions: Formula) -> StructuralModel:
    """A model whose roots copy a context variable of the same name with a `u_` before it."""
    own = {name: Var(f"u_{name}") for name in roots}
    return StructuralModel(frozenset(f"u_{r}" for r in roots), {**own, **functions})


def causes(found: StructuralModel, context: dict[str, bool], effect: Formula) -> set[frozenset[str]]:
    return {c.variables for c in actual_causes(found, {f"u_{n}": v for n, v in context.items()}, effect)}  # type: ignore[misc]


def sets(*members: str) -> set[frozenset[str]]:
    return {frozenset(m.split()) for m in members}


BOTH = {"lightning": True, "match": True}


def test_forest_fire_conjunctive() -> None:
    """Lightning and a match are both needed: each by itself is a cause."""
    fire = model("lightning", "match", fire=And((Var("lightning"), Var("match"))))
    assert causes(fire, BOTH, Var("fire")) == sets("lightning", "match", "fire")


def test_forest_fire_disjunctive() -> None:
    """Either would do: neither is a cause by itself, the two together are."""
    fire = model("lightning", "match", fire=Or((Var("lightning"), Var("match"))))
    assert causes(fire, BOTH, Var("fire")) == sets("lightning match", "fire")


def test_rock_throwing() -> None:
    """Suzy's rock hits first: her throw is a cause of the bottle shattering, Billy's is no part of any."""
    rocks = model(
        "suzy_throws",
        "billy_throws",
        suzy_hits=Var("suzy_throws"),
        billy_hits=And((Var("billy_throws"), Not(Var("suzy_hits")))),
        shatters=Or((Var("suzy_hits"), Var("billy_hits"))),
    )
    context = {"suzy_throws": True, "billy_throws": True}
    assert causes(rocks, context, Var("shatters")) == sets("suzy_throws", "suzy_hits", "shatters")
    (throw,) = [
        c
        for c in actual_causes(rocks, {f"u_{n}": v for n, v in context.items()}, Var("shatters"))
        if c.variables == {"suzy_throws"}
    ]
    assert throw.contingency == (("billy_hits", False),)
    assert not throw.but_for


def test_rock_throwing_without_who_hits_first() -> None:
    """In the naive model nothing tells the two throws apart, so only both together are a cause."""
    rocks = model("suzy", "billy", shatters=Or((Var("suzy"), Var("billy"))))
    assert causes(rocks, {"suzy": True, "billy": True}, Var("shatters")) == sets("suzy billy", "shatters")


VOTERS = tuple(f"voter{i:02d}" for i in range(11))


def election() -> StructuralModel:
    return model(*VOTERS, wins=AtLeast(6, tuple(map(Var, VOTERS))))


def test_voting_six_to_five() -> None:
    """Each of the six is a cause; those who voted against are not."""
    context = {v: i < 6 for i, v in enumerate(VOTERS)}
    assert causes(election(), context, Var("wins")) == sets(*VOTERS[:6], "wins")


def test_voting_eleven_to_none() -> None:
    """Any six of them together are a cause, no fewer are, and they come smallest first."""
    context = dict.fromkeys(VOTERS, True)
    expected = {frozenset(c) for c in combinations(VOTERS, 6)} | sets("wins")
    assert causes(election(), context, Var("wins")) == expected
    first = first_causes(election(), {f"u_{v}": True for v in VOTERS}, Var("wins"), limit=5)
    assert [len(c.values) for c in first.found] == [1, 6, 6, 6, 6]
    assert first.more


def test_all_of_them_and_no_more() -> None:
    fire = model("lightning", "match", fire=And((Var("lightning"), Var("match"))))
    found = first_causes(fire, {"u_lightning": True, "u_match": True}, Var("fire"), limit=3)
    assert len(found.found) == 3
    assert not found.more


def test_a_search_that_runs_out_of_time_says_so() -> None:
    """Many bills, each passed by either of two; why most passed has far too many causes to list."""
    voters = [f"v{i}" for i in range(80)]
    bills = {f"b{i}": Or((Var(f"v{2 * i}"), Var(f"v{2 * i + 1}"))) for i in range(40)}
    house, context = model(*voters, **bills), {f"u_{v}": True for v in voters}
    most = AtLeast(20, tuple(map(Var, bills)))
    began = time.monotonic()
    found = first_causes(house, context, most, limit=10**6, seconds=0.5)
    assert found.gave_up
    assert not found.more
    assert time.monotonic() - began < 20


def test_what_is_not_so_has_no_causes() -> None:
    fire = model("match", fire=Var("match"))
    with pytest.raises(InputError, match="not so"):
        first_causes(fire, {"u_match": False}, Var("fire"))
    with pytest.raises(InputError, match="exogenous"):
        first_causes(fire, {"u_match": True}, Var("u_match"))
    with pytest.raises(InputError, match="unknown variable"):
        first_causes(fire, {"u_match": True}, Var("rain"))
    with pytest.raises(InputError, match="at least 1"):
        first_causes(fire, {"u_match": True}, Var("fire"), limit=0)


def random_formula(rng: random.Random, parents: list[str], depth: int = 2) -> Formula:
    if not depth or rng.random() < 0.25:
        chosen = Var(rng.choice(parents))
        return chosen if rng.random() < 0.6 else Not(chosen)
    parts = tuple(random_formula(rng, parents, depth - 1) for _ in range(rng.randint(1, 3)))
    kind = rng.randrange(4)
    if kind == 3:
        return AtLeast(rng.randint(0, len(parts)), parts)
    return Not(parts[0]) if kind == 2 else (And, Or)[kind](parts)


def random_structure(rng: random.Random) -> tuple[StructuralModel, dict[str, bool], Formula]:
    names = [f"v{i}" for i in range(rng.randint(2, 7))]
    outside = [f"u{i}" for i in range(rng.randint(1, 3))]
    functions = {n: random_formula(rng, outside + names[:i]) for i, n in enumerate(names)}
    found = StructuralModel(frozenset(outside), functions)
    context = {u: rng.random() < 0.5 for u in outside}
    effect = random_formula(rng, names)
    return found, context, effect if evaluate(effect, found.evaluate(context)) else Not(effect)


def agree(structure: StructuralModel, context: dict, effect: Formula, candidates: set | None = None) -> int:  # type: ignore[type-arg]
    found = list(actual_causes(structure, context, effect, candidates))
    assert [len(c.values) for c in found] == sorted(len(c.values) for c in found)
    assert len({c.variables for c in found}) == len(found)
    assert {c.variables for c in found} == all_causes(structure, context, effect, candidates)
    actual = structure.evaluate(context)
    for cause in found:  # the witness is one
        assert all(actual[v] == value for v, value in (*cause.values, *cause.contingency))
        changed = {v: not value for v, value in cause.values} | dict(cause.contingency)
        after = structure.do(changed).evaluate(context)
        assert not evaluate(effect, after)
    return len(found)


def test_agrees_with_the_definition_on_350_random_structures() -> None:
    rng = random.Random(6)
    several = sum(agree(*random_structure(rng)) > 1 for _ in range(350))
    assert several > 80
