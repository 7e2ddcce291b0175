"""Why: actual causes of facts and of combinations of them, in sentences."""

from __future__ import annotations

import pytest

from assay.causal.network import unroll
from assay.causal.reading import read_formula
from assay.causal.variables import Decision, Fact, Refused
from assay.causal.why import why
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal, Step
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.language.english import English
from worlds import coin, delivery, door, network, start

STATE = "(truck t) (package p) (at t depot) (at p depot) (road depot market) (road market depot)"
PLAN = "(load p t depot) (drive t depot market) (unload p t market)"


def test_why_names_facts_at_times_and_decisions() -> None:
    found = why(network(delivery(), STATE, PLAN), read_formula("(at p market)"))
    assert not found.more
    assert all(c.but_for and len(c.values) == 1 for c in found.causes)
    kinds = [type(v) for c in found.causes for v in c.variables]
    assert kinds.count(Decision) == 3
    assert {str(v) for c in found.causes for v in c.variables if isinstance(v, Fact)} == {
        "(at p depot) at 0",
        "(at t depot) at 0",
        "(at t depot) at 1",
        "(in p t) at 1",
        "(in p t) at 2",
        "(at t market) at 2",
        "(at p market) at 3",
    }


def test_why_tells_what_no_action_changes_apart() -> None:
    found = why(network(delivery(), STATE, PLAN), read_formula("(at p market)"))
    assert [[str(x) for x in xs] for xs in found.given] == [["(road depot market)"]]  # and not the way back
    model = delivery()
    lines = found.lines(English(model.vocabulary, mark=""))
    place = lines.index("Nor would it be so without these, which no action changes (so they are no causes):")
    assert lines[place + 1 :] == ["- road(depot, market) is true", "", "There are no other causes."]
    assert found.to_dict()["given"] == [["(road depot market)"]]
    assert not why(network(delivery(), STATE, PLAN), read_formula("(in p t)"), time=1).given


def test_why_of_a_fact_that_no_action_changes() -> None:
    found = why(network(delivery(), STATE, PLAN), read_formula("(road depot market)"))
    assert found.static
    assert not found.causes


def test_why_of_what_is_not_so_is_refused() -> None:
    with pytest.raises(InputError, match="does not hold at the end, so nothing caused it: ask why not"):
        why(network(delivery(), STATE, PLAN), read_formula("(in p t)"))


def test_why_with_two_sufficient_steps() -> None:
    """Two painters paint the same wall: neither decision is a cause alone, both together are."""
    vocabulary = Vocabulary.of(predicates={"painted": []}, actions={"ann": [], "bob": []})
    painted = [Literal(Atom("painted"))]
    model = Model(
        vocabulary,
        tuple(ActionModel.strips(vocabulary.action[a], (), painted) for a in ("ann", "bob")),
    )
    found = why(network(model, "", "(ann) (bob)", "(painted)"), read_formula("(painted)"))
    sizes = sorted(len(c.values) for c in found.causes)
    decisions = {frozenset(map(str, c.variables)) for c in found.causes if len(c.values) == 2}
    assert sizes == [1, 2, 2]
    assert frozenset({"the decision to (ann) at 0", "the decision to (bob) at 1"}) in decisions
    assert any("only together" in line for line in found.lines(English(vocabulary, mark="")))


def test_why_with_chance() -> None:
    model = coin()
    plan = [Step("toss"), Step("bet")]
    found = why(unroll(model, start(model, ""), plan, outcomes=[1, 1]), read_formula("(won)"))
    assert {str(v) for c in found.causes for v in c.variables} == {
        "the decision to (toss) at 0",
        "(heads) at 1",
        "the decision to (bet) at 1",
        "(won) at 2",
    }


PEOPLE = "(person ann) (person bob) (door d) (door e) "
TAKE = "(take-key) (take-card) (unlock ann d)"


def causes(state: str, plan: str, fact: str, refused: Refused = Refused.STOP) -> set[frozenset[str]]:
    found = why(network(door(), PEOPLE + state, plan, fact, refused), read_formula(fact))
    assert not found.more
    return {frozenset(map(str, c.variables)) for c in found.causes}


def test_either_of_two_that_would_do_is_a_cause_only_with_the_other() -> None:
    found = causes("", TAKE, "(open d)")
    taking = {"the decision to (take-key) at 0", "the decision to (take-card) at 1"}
    assert taking in found
    assert not any({part} in found for part in taking)
    assert {"the decision to (unlock ann d) at 2"} in found


def test_the_condition_of_an_effect_is_a_cause_of_it_alone() -> None:
    wet = Literal(Atom("wet"))
    network_ = network(door(), PEOPLE + "(wet)", TAKE, "(muddy ann)")
    assert why(network_, read_formula("(muddy ann)")).given == ((wet,),)
    assert why(network_, read_formula("(open d)")).given == ()


def test_facts_that_no_action_changes_are_told_by_what_would_do_without_them() -> None:
    """Either sign would have done, so it would not be so only without both."""
    vocabulary = Vocabulary.of(predicates={"a": [], "b": [], "done": []}, actions={"go": []})
    either, done = read_formula("(a) or (b)"), read_formula("(done)")
    assert isinstance(done, Literal)
    from assay.core.model import Effect

    model = Model(vocabulary, (ActionModel.adl(vocabulary.action["go"], either, [Effect(done)]),))
    found = why(network(model, "(a) (b)", "(go)", "(done)"), done)
    assert [[str(x) for x in xs] for xs in found.given] == [["(a)", "(b)"]]


def test_combinations_of_facts_have_causes() -> None:
    """For a disjunction to fail both must; for a conjunction one is enough; a negation is a fact as well."""
    state, plan = "(key)", "(unlock ann d) (unlock ann e)"
    first, second = (f"the decision to (unlock ann {d}) at {t}" for d, t in (("d", 0), ("e", 1)))
    either = causes(state, plan, "(open d) or (open e)")
    assert {first, second} in either
    assert {first} not in either
    both = causes(state, plan, "(and (open d) (open e))")
    assert {frozenset({first}), frozenset({second})} <= both
    shut = causes(state, "(unlock ann d) (slam e)", "not (open d) and (key)")
    assert {"the decision to (slam e) at 1"} in shut


def test_an_object_that_forbids_it_is_a_cause_of_what_was_refused() -> None:
    found = causes("(key) (watching bob)", "(unlock ann d)", "not (open d)")
    assert {"(watching bob) at 0"} in found


def test_steps_that_were_not_reached_are_told() -> None:
    found = why(network(door(), PEOPLE, "(unlock ann d) (take-key) (take-card)"), read_formula("not (key)"))
    assert found.courses == ("could not run", "not reached", "not reached")
    model = door()
    lines = found.lines(English(model.vocabulary, mark=""))
    assert lines[0].startswith("Step 1 (")
    assert lines[0].endswith("could not run.")
    assert lines[1] == "Steps 2 to 3 were not reached."
    assert found.to_dict()["steps"][1] == {"step": "(take-key)", "happened": "not reached"}


def test_passing_over_refused_steps_changes_what_is_a_cause() -> None:
    """Passed over, the refused first step has nothing to do with the key."""
    plan = "(unlock ann d) (take-key)"
    assert {"the decision to (take-key) at 1"} in causes("", plan, "(key)", Refused.SKIP)
    with pytest.raises(InputError, match="ask why not"):
        causes("", plan, "(key)")
