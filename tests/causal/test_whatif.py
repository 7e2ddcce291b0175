"""What if: interventions on a plan, side by side with what happened."""

from __future__ import annotations

import pytest

from assay.causal.objects import Spelling
from assay.causal.reading import Intervention, read_intervention
from assay.causal.variables import Refused
from assay.causal.whatif import resolve, what_if
from assay.core.symbols import Atom, Literal
from assay.core.universe import Universe
from assay.errors import InputError
from assay.language.english import English
from worlds import delivery, door, network

STATE = "(truck t) (package p) (at t depot) (at p depot) (road depot market) (road market depot)"
PLAN = "(load p t depot) (drive t depot market) (unload p t market)"


def do(text: str, facts: str = ""):  # type: ignore[no-untyped-def]
    found = network(delivery(), STATE, PLAN, facts)
    return what_if(found, resolve(found, [read_intervention(text, Spelling(found.universe))]))


def test_what_if_sets_a_fact_and_computes_the_rest_again() -> None:
    found = do("not (in p t) at 2")
    assert [c.would_have for c in found.courses] == ["ran", "ran", "could not run"]
    assert {(str(c.atom), c.time) for c in found.changes} == {("(in p t)", 2), ("(at p market)", 3)}
    assert {str(c.atom) for c in found.final} == {"(at p market)"}


def test_what_if_leaves_out_a_step() -> None:
    for text in ("not step 2", "not (drive t depot market) at 1"):
        assert [c.would_have for c in do(text).courses] == ["ran", "left out", "could not run"]


def test_what_if_of_what_no_action_changes_is_another_situation() -> None:
    found = do("not (road depot market) at 0")
    assert [c.would_have for c in found.courses] == ["ran", "could not run", "not reached"]
    assert found.changes[0].time is None
    with pytest.raises(InputError, match="same at every time: set it at 0"):
        do("not (road depot market) at 1")


def test_what_if_nothing_changes() -> None:
    model = delivery()
    lines = do("(at p depot) at 0").lines(English(model.vocabulary, mark=""))
    assert lines[-1] == "Nothing would have changed."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not (in p t) at 9", "time 9 is outside the plan: times go from 0 to 3"),
        ("not (in p t) at -1", "outside the plan"),
        ("not step 9", "no step is taken at time 8"),
        ("not step 0", "no step is taken at time -1"),
        ("not (drive t market depot) at 1", "the step taken at time 1 is"),
        ("(in p t)", "cannot be read"),
        ("not (in p t) or (in p t) at 1", "cannot be read"),
        ("(in p t at 1", "cannot be read"),
        ("(in (p) t) at 1", "cannot be read"),
        ("() at 1", "nothing between"),
        ("", "cannot be read"),
    ],
)
def test_interventions_that_make_no_sense_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        do(text)


def test_contradicting_interventions_are_refused() -> None:
    found = network(delivery(), STATE, PLAN)
    both = [Intervention(Literal(Atom("in", ("p", "t")), value), None, 1) for value in (True, False)]
    with pytest.raises(InputError, match="both ways"):
        resolve(found, both)
    with pytest.raises(InputError, match="nothing is set"):
        what_if(found, {})


def test_what_if_a_condition_had_been_otherwise() -> None:
    """A dry hall makes nobody muddy; the door opens all the same."""
    people = "(person ann) (door d) (card) (wet)"
    found = network(door(), people, "(unlock ann d)")
    (change,) = what_if(found, resolve(found, [read_intervention("not (wet) at 0")])).final[1:]
    assert (str(change.atom), change.would_have) == ("(muddy ann)", False)


def test_what_if_refused_steps_are_passed_over() -> None:
    found = network(delivery(), STATE, PLAN, refused=Refused.SKIP)
    spelling = Spelling(Universe(delivery().vocabulary))
    courses = what_if(found, resolve(found, [read_intervention("not STEP 1", spelling)])).courses
    assert [c.would_have for c in courses] == ["left out", "ran", "could not run"]
