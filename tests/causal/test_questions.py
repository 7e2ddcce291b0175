"""What if, why, why not, can it: on a delivery company, and by properties on random models."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from worlds import coin, delivery, network, start

from assay.causal.ask import Doubt, ask, read_question
from assay.causal.network import Decision, Fact, unroll
from assay.causal.reading import (
    Setting,
    introduce,
    read_intervention,
    read_literal,
    read_literals,
    read_plan,
    read_state,
)
from assay.causal.whatif import resolve, what_if
from assay.causal.why import why
from assay.causal.why_not import NoPlan, PlanChange, Unknown, why_not
from assay.core.model import Execution
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.planning.applicable import Applicable
from assay.planning.search import GaveUp, Plan, Unsolvable
from assay.report.words import Speaker
from hidden_models import objects_of, random_model

STATE = "(truck t) (package p) (at t depot) (at p depot) (road depot market) (road market depot)"
PLAN = "(load p t depot) (drive t depot market) (unload p t market)"
ACTIONS = ("load", "drive", "unload")


def do(text: str, facts: str = ""):  # type: ignore[no-untyped-def]
    found = network(delivery(), STATE, PLAN, facts)
    return what_if(found, resolve(found, [read_intervention(text, ACTIONS)]))


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
    lines = do("(at p depot) at 0").lines(Speaker(model.vocabulary, model))
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
        ("not not (in p t) at 1", "cannot be read"),
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
    both = [Setting(Literal(Atom("in", ("p", "t")), value), None, 1) for value in (True, False)]
    with pytest.raises(InputError, match="both ways"):
        resolve(found, both)
    with pytest.raises(InputError, match="nothing is set"):
        what_if(found, {})


def test_why_names_facts_at_times_and_decisions() -> None:
    found = why(network(delivery(), STATE, PLAN), read_literal("(at p market)"))
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
    found = why(network(delivery(), STATE, PLAN), read_literal("(at p market)"))
    assert [str(x) for x in found.given] == ["(road depot market)"]  # and not the way back
    model = delivery()
    lines = found.lines(Speaker(model.vocabulary, model))
    place = lines.index("Nor would it be so without these, which no action changes (so they are no causes):")
    assert lines[place + 1 :] == ["- there is a road from depot to market", "", "There are no other causes."]
    assert found.to_dict()["given"] == ["(road depot market)"]
    assert not why(network(delivery(), STATE, PLAN), read_literal("(in p t)"), time=1).given


def test_why_of_a_fact_that_no_action_changes() -> None:
    found = why(network(delivery(), STATE, PLAN), read_literal("(road depot market)"))
    assert found.static
    assert not found.causes


def test_why_of_what_is_not_so_is_refused() -> None:
    with pytest.raises(InputError, match="does not hold at the end, so nothing caused it: ask why not"):
        why(network(delivery(), STATE, PLAN), read_literal("(in p t)"))


def test_why_with_two_sufficient_steps() -> None:
    """Two painters paint the same wall: neither decision is a cause alone, both together are."""
    vocabulary = Vocabulary.of(predicates={"painted": []}, actions={"ann": [], "bob": []})
    from assay.core.model import ActionModel, Model

    painted = frozenset({Literal(Atom("painted"))})
    model = Model(
        vocabulary,
        tuple(ActionModel.deterministic(vocabulary.action[a], frozenset(), painted) for a in ("ann", "bob")),
    )
    found = why(network(model, "", "(ann) (bob)", "(painted)"), read_literal("(painted)"))
    sizes = sorted(len(c.values) for c in found.causes)
    decisions = {frozenset(map(str, c.variables)) for c in found.causes if len(c.values) == 2}
    assert sizes == [1, 2, 2]
    assert frozenset({"the decision to (ann) at 0", "the decision to (bob) at 1"}) in decisions
    assert any("only together" in line for line in found.lines(Speaker(vocabulary, model)))


def test_why_with_chance() -> None:
    model = coin()
    plan = [Step("toss"), Step("bet")]
    found = why(unroll(model, start(model, ""), plan, outcomes=[1, 1]), read_literal("(won)"))
    assert {str(v) for c in found.causes for v in c.variables} == {
        "the decision to (toss) at 0",
        "(heads) at 1",
        "the decision to (bet) at 1",
        "(won) at 2",
    }


def ask_why_not(state: str, plan: str, facts: str = "", step: str = "", **options: object):  # type: ignore[no-untyped-def]
    model = delivery()
    begin = start(model, state, f"{plan} {step}", facts)
    goal = read_literals(facts) if facts else []
    asked = read_plan(step)[0] if step else None
    return why_not(model, begin, read_plan(plan), goal=goal, step=asked, **options)  # type: ignore[arg-type]


def test_why_not_a_step_that_stopped_the_plan() -> None:
    found = ask_why_not(STATE, "(drive t depot market) (load p t market)")
    assert found.step == Step("load", ("p", "t", "market"))
    assert [str(x) for x in found.missing] == ["(at p market)"]
    assert [[str(x) for x in c] for c in found.starts] == [["(at p market)"]]
    assert isinstance(found.by_plan, PlanChange)
    assert [str(e.new) for e in found.by_plan.edits] == ["(load p t depot)", "(unload p t market)"]


def test_why_not_a_fact() -> None:
    found = ask_why_not(STATE, "(drive t depot market)", "(in p t)")
    assert [[str(x) for x in c] for c in found.starts] == [["(in p t)"]]
    assert isinstance(found.by_plan, PlanChange)
    assert [str(s) for s in found.by_plan.plan] == ["(load p t depot)", "(drive t depot market)"]
    assert [(e.kind, e.place) for e in found.by_plan.edits] == [("inserted", 1)]


def test_why_not_when_nothing_does_it() -> None:
    found = ask_why_not("(at t depot)", "(drive t depot market)", "(at t market)")
    assert [[str(x) for x in c] for c in found.starts] == [["(road depot market)"], ["(at t market)"]]
    assert found.by_plan == NoPlan()


def test_why_not_says_when_it_gave_up() -> None:
    found = ask_why_not(STATE, "(drive t depot market)", "(in p t)", max_states=1)
    assert isinstance(found.by_plan, Unknown)
    assert found.by_plan.bound.endswith(" 1 state")


def test_why_not_of_what_is_so_is_refused() -> None:
    with pytest.raises(InputError, match="does hold"):
        ask_why_not(STATE, "(drive t depot market)", "(at t market)")
    with pytest.raises(InputError, match="runs to its end"):
        ask_why_not(STATE, "(drive t depot market)")
    with pytest.raises(InputError, match="can run there"):
        ask_why_not(STATE, "", step="(load p t depot)")


def test_why_not_finds_the_smallest_changes_of_random_models() -> None:
    """Start changes are exactly the minimal ones by trying all; plan changes are as few as by trying all."""
    rng = random.Random(7)
    compared = changed = 0
    for seed in range(120):
        model = random_model(seed, nullary=2)
        universe = Universe(model.vocabulary, objects_of(model, 1))
        steps = [
            s
            for a in model.vocabulary.actions
            for s in _steps(universe, a.name)
            if len(set(s.args)) == len(s.args)
        ]
        if not steps:
            continue
        plan = tuple(rng.choice(steps) for _ in range(rng.randint(1, 2)))
        atoms = sorted({universe.atom(p) for s in plan for p in universe.positions(s)})
        if not 1 <= len(atoms) <= 6:
            continue
        state = universe.state(a for a in atoms if rng.random() < 0.5)
        run = Execution(model, universe)
        goal = Literal(rng.choice(atoms))
        goal = Literal(goal.atom, goal.atom not in run.run(state, plan)[1])
        found = why_not(model, state, plan, goal=[goal], limit=1000)
        compared += 1
        good = []
        for size in range(len(atoms) + 1):
            for flips in combinations(atoms, size):
                bits = state.bits ^ universe.bits(flips)
                after = run.run(type(state)(universe, bits), plan)[1]
                if (goal.atom in after) == goal.positive and not any(set(g) < set(flips) for g in good):
                    good.append(flips)
        assert {frozenset(x.atom for x in c) for c in found.starts} == set(map(frozenset, good))
        fewest = _fewest_edits(run, state.bits, plan, goal)
        if isinstance(found.by_plan, PlanChange):
            changed += 1
            assert len(found.by_plan.edits) == fewest
            done, after = run.run(state, found.by_plan.plan)
            assert done == len(found.by_plan.plan)
            assert (goal.atom in after) == goal.positive
        else:
            assert fewest is None
    assert compared > 40
    assert changed > 15


def _steps(universe: Universe, action: str) -> list[Step]:
    from itertools import product

    header = universe.vocabulary.action[action]
    fits = universe.vocabulary.fits
    places = [[o.name for o in universe.objects if fits(o.type, p.types)] for p in header.parameters]
    return [Step(action, args) for args in product(*places)]


def _fewest_edits(run: Execution, bits: int, plan: tuple[Step, ...], goal: Literal) -> int | None:
    """By going through all reachable states for every number of changes, without remembering any."""
    applicable = Applicable(run)
    layer = {(0, bits)}
    seen: set[tuple[int, int]] = set()
    for changes in range(64):
        todo = list(layer)
        while todo:  # what costs nothing
            place, here = todo.pop()
            after = run.apply(here, plan[place]) if place < len(plan) else None
            if after is not None and (place + 1, after) not in layer:
                layer.add((place + 1, after))
                todo.append((place + 1, after))
        index = run.universe.index(goal.atom)
        if any(p == len(plan) and bool(b >> index & 1) == goal.positive for p, b in layer):
            return changes
        following = set()
        for place, here in layer:
            ends = [run.apply(here, s) for s in applicable.steps(here)]
            following |= {(place, e) for e in ends if e is not None}
            if place < len(plan):
                following |= {(place + 1, e) for e in ends if e is not None} | {(place + 1, here)}
        seen |= layer
        layer = following - seen
        if not layer:
            return None
    raise AssertionError


# --- can it


def can(state: str, question: str, **options: object):  # type: ignore[no-untyped-def]
    model = delivery()
    goal, _ = read_question(question)
    begin = start(model, state, facts=" ".join(str(a) for a, _ in goal))
    return ask(model, begin, goal, **options)  # type: ignore[arg-type]


def test_ask_answers_with_a_shortest_plan() -> None:
    found = can(STATE, "can (at p market) hold from this state?")
    assert found.possible
    assert isinstance(found.outcome, Plan)
    assert len(found.outcome.steps) == 3


def test_ask_proves_that_it_cannot() -> None:
    found = can("(truck t) (package p) (at t depot) (at p depot)", "can (at p market) and not (in p t) hold")
    assert found.possible is False
    assert isinstance(found.outcome, Unsolvable)


def test_ask_says_when_it_gave_up() -> None:
    found = can(STATE, "can (at p market) hold", max_states=1)
    assert found.possible is None
    assert isinstance(found.outcome, GaveUp)


def test_ask_names_the_open_literals_that_matter_and_no_others() -> None:
    at_p, at_t, in_pt = (Atom("at", ("?p", "?l")), Atom("at", ("?t", "?l")), Atom("in", ("?p", "?t")))
    matters = [
        Doubt("load", in_pt, False, ("absent", "+")),  # it is false when load is done
        Doubt("load", Atom("at", ("?t", "?l")), True, ("absent", "-")),  # drive needs it
    ]
    harmless = [
        Doubt("load", in_pt, False, ("absent", "-")),  # it is false anyway
        Doubt("load", at_p, False, ("+",)),  # settled
        Doubt("unload", at_t, True, ("absent", "-")),  # nothing needs it afterwards
        Doubt("drive", Atom("road", ("?to", "?from")), False, ("absent", "+")),  # it is true there
    ]
    found = can(STATE, "can (at p market) hold", doubts=[*matters, *harmless])
    assert [(r.doubt, r.step) for r in found.rests_on] == [(matters[0], 1), (matters[1], 1)]
    model = delivery()
    lines = found.lines(Speaker(model.vocabulary, model))
    assert "This rests on what is not settled:" in lines


def test_an_impossibility_rests_on_open_effects_and_unknown_actions_only() -> None:
    doubts = [
        Doubt("load", Atom("in", ("?p", "?t")), False, ("absent", "+")),
        Doubt("load", Atom("at", ("?p", "?l")), True, ("absent", "-")),
    ]
    found = can("(truck t) (at t depot)", "can (at t market) hold", doubts=doubts, never_ran=["fly"])
    assert [r.doubt for r in found.rests_on] == doubts[1:]
    assert found.never_ran == ("fly",)


# --- what people type


def test_questions_are_read() -> None:
    assert read_question("can (a) hold from this state") == ([Literal(Atom("a"))], None)
    assert read_question("(a) and not (b x)?") == (
        [Literal(Atom("a")), Literal(Atom("b", ("x",)), False)],
        None,
    )
    assert read_question("Can (a) ever hold from (b) (c)?") == (
        [Literal(Atom("a"))],
        [Atom("b"), Atom("c")],
    )
    for text in ("", "can it fly", "can (a hold", "can (a) hold from Mars", "can (a) or (b) hold"):
        with pytest.raises(InputError):
            read_question(text)


def test_comments_and_lines_are_read() -> None:
    assert read_state("(a) ; and so on\n(b x)\n") == [Atom("a"), Atom("b", ("x",))]
    assert read_literal("(not (a))") == Literal(Atom("a"), False)
    for text in ("a", "(a", "(a))", "((a))", "()"):
        with pytest.raises(InputError):
            read_state(text)


def test_new_objects_get_the_type_that_their_places_ask_for() -> None:
    universe = Universe(delivery().vocabulary)
    facts = introduce(universe, read_state("(at p here) (truck van) (at van here) (in p t)"))
    types = {o.name: o.type for o in universe.objects}
    assert types == {"p": "package", "t": "truck", "here": "location", "van": "truck"}
    assert [str(a) for a in facts] == ["(at p here)", "(at van here)", "(in p t)"]


@pytest.mark.parametrize(
    ("state", "plan", "message"),
    [
        ("(flies p)", "", "unknown predicate 'flies'"),
        ("(in p)", "", r"takes 2 argument\(s\), not 1"),
        ("", "(drive t a)", r"takes 3 argument\(s\), not 2"),
        ("", "(fly t)", "unknown action 'fly'"),
        ("(in p t) (road p t)", "", "no type of object fits 'p'"),
        ("(at <b>x</b> here)", "", "object name '<b>x</b>'"),
        ("(truck <b>x</b>)", "", "object name '<b>x</b>'"),
        ("(truck x) (package x)", "", "'x' is of type 'truck' and of type 'package'"),
        (
            "(at x here)",
            "",
            r"the type of 'x' in \(at x here\) is not clear: add \(package x\) or \(truck x\)",
        ),
    ],
)
def test_hostile_states_and_plans_are_refused(state: str, plan: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        introduce(Universe(delivery().vocabulary), read_state(state), read_plan(plan))


def test_a_type_that_is_not_clear_is_said_so() -> None:
    vocabulary = Vocabulary.of(types=["cat", "dog"], predicates={"owned": ["cat|dog"]}, actions={})
    with pytest.raises(InputError, match=r"add \(cat rex\) or \(dog rex\) to the state"):
        introduce(Universe(vocabulary), read_state("(owned rex)"))
