"""Why not: what was missing, and the smallest changes of the start or the plan that would have done it."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from random_adl import OBJECTS, random_model, steps

from assay.causal.plan_change import NoPlan, PlanChange, Unknown
from assay.causal.reading import read_formula, read_plan
from assay.causal.scope import StateSpace
from assay.causal.variables import Refused
from assay.causal.why_not import WhyNot, why_not
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import Universe
from assay.errors import InputError
from assay.language.english import English
from worlds import delivery, door, start

STATE = "(truck t) (package p) (at t depot) (at p depot) (road depot market) (road market depot)"
PLAN = "(load p t depot) (drive t depot market) (unload p t market)"


def ask_why_not(
    state: str, plan: str, facts: str = "", step: str = "", model: Model | None = None, **options: object
) -> WhyNot:
    model = model or delivery()
    begin = start(model, state, f"{plan} {step}", facts)
    goal = read_formula(facts) if facts else None
    asked = read_plan(step)[0] if step else None
    return why_not(model, begin, read_plan(plan), goal=goal, step=asked, **options)  # type: ignore[arg-type]


def told(changes: tuple[tuple[Literal, ...], ...]) -> list[list[str]]:
    return [[str(x) for x in change] for change in changes]


def test_why_not_a_step_that_stopped_the_plan() -> None:
    found = ask_why_not(STATE, "(drive t depot market) (load p t market)")
    assert found.step == Step("load", ("p", "t", "market"))
    assert told(found.missing) == [["(at p market)"]]
    assert told(found.starts) == [["(at p market)"]]
    assert isinstance(found.by_plan, PlanChange)
    assert [str(e.new) for e in found.by_plan.edits] == ["(load p t depot)", "(unload p t market)"]


def test_why_not_a_fact() -> None:
    found = ask_why_not(STATE, "(drive t depot market)", "(in p t)")
    assert told(found.starts) == [["(in p t)"]]
    assert isinstance(found.by_plan, PlanChange)
    assert [str(s) for s in found.by_plan.plan] == ["(load p t depot)", "(drive t depot market)"]
    assert [(e.kind, e.place) for e in found.by_plan.edits] == [("inserted", 1)]


def test_why_not_when_nothing_does_it() -> None:
    found = ask_why_not("(at t depot)", "(drive t depot market)", "(at t market)")
    assert told(found.starts) == [["(road depot market)"], ["(at t market)"]]
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


PEOPLE = "(person ann) (person bob) (door d) (door e) "


def test_what_a_disjunction_lacks_are_alternatives() -> None:
    found = ask_why_not(PEOPLE, "(unlock ann d)", model=door())
    assert told(found.missing) == [["(card)"], ["(key)"]]
    assert told(found.starts) == [["(card)"], ["(key)"]]
    assert isinstance(found.by_plan, PlanChange)
    assert len(found.by_plan.edits) == 1
    model = door()
    lines = found.lines(English(model.vocabulary, mark=""))
    assert lines[0].endswith("it needs that one of these is so:")


def test_what_a_quantified_condition_lacks_names_the_objects() -> None:
    found = ask_why_not(PEOPLE + "(watching bob)", "(unlock ann d)", model=door())
    assert told(found.missing) == [["(card)", "(not (watching bob))"], ["(key)", "(not (watching bob))"]]
    found = ask_why_not(PEOPLE + "(key) (watching bob)", "(unlock ann d)", model=door())
    assert isinstance(found.by_plan, PlanChange)
    assert [str(e.new) for e in found.by_plan.edits] == ["(look-away bob)"]


def test_combinations_of_facts_are_asked_about() -> None:
    found = ask_why_not(PEOPLE + "(key)", "(unlock ann d)", "(open e) or not (open d)", model=door())
    assert told(found.missing) == [["(not (open d))"], ["(open e)"]]
    assert isinstance(found.by_plan, PlanChange)


def test_what_can_never_be_names_what_that_rests_on() -> None:
    model = door()
    words = English(model.vocabulary, mark="")
    found = ask_why_not(PEOPLE, "", "(key) and not (key)", model=model)
    assert found.ruled_out
    assert found.lines(words)[-1] == "That is so of this model."
    found = ask_why_not("(at t depot)", "(drive t depot market)", "(at t market)", strength=2)
    text = found.lines(English(delivery().vocabulary, mark=""))[-1]
    assert text.endswith("every state within reach was looked at. That is so as far as strength 2 tells.")
    assert found.to_dict()["strength"] == 2


def test_refused_steps_may_be_passed_over() -> None:
    found = ask_why_not(PEOPLE, "(unlock ann d) (take-key)", "(open d)", model=door(), refused=Refused.SKIP)
    assert found.courses == ("could not run", "ran")
    assert found.stopped is None
    assert told(found.starts)[:2] == [["(card)"], ["(key)"]]
    assert isinstance(found.by_plan, PlanChange)
    assert len(found.by_plan.edits) == 1


def test_the_smallest_changes_of_random_models() -> None:
    """Start changes are exactly the minimal ones by trying all; plan changes are as few as by trying all."""
    rng = random.Random(7)
    changed = impossible = 0
    for number in range(120):
        model = random_model(rng, {"p": [], "q": ["thing"]})
        universe = Universe(model.vocabulary, OBJECTS)
        refused = list(Refused)[number % 2]
        plan = tuple(rng.choice(steps(universe)) for _ in range(rng.randint(1, 2)))
        atoms = [Atom("p"), *(Atom("q", (o.name,)) for o in OBJECTS)]
        state = universe.bits(a for a in atoms if rng.random() < 0.5)
        run, goal = Execution(model, universe), universe.index(rng.choice(atoms))
        wanted = not _end(run, state, plan, refused) >> goal & 1
        found = why_not(
            model,
            universe.state(universe.atoms(state)),
            plan,
            goal=Literal(universe.atom(goal), wanted),
            limit=1000,
            refused=refused,
        )
        good: list[set[Atom]] = []
        for size in range(len(atoms) + 1):
            for flips in combinations(atoms, size):
                after = _end(run, state ^ universe.bits(flips), plan, refused)
                if bool(after >> goal & 1) == wanted and not any(g < set(flips) for g in good):
                    good.append(set(flips))
        assert sorted(map(sorted, ({x.atom for x in c} for c in found.starts))) == sorted(map(sorted, good))
        fewest = _fewest_edits(StateSpace(model, universe), state, plan, goal, wanted, refused)
        if isinstance(found.by_plan, PlanChange):
            changed += 1
            assert len(found.by_plan.edits) == fewest
            after = _end(run, state, found.by_plan.plan, refused)
            assert bool(after >> goal & 1) == wanted
        else:
            impossible += 1
            assert fewest is None
    assert changed > 15
    assert impossible > 15


def _end(run: Execution, bits: int, plan: tuple[Step, ...], refused: Refused) -> int:
    for step in plan:
        after = run.apply(bits, step)
        if after is None and refused is Refused.STOP:
            break
        bits = bits if after is None else after
    return bits


def _fewest_edits(
    space: StateSpace, bits: int, plan: tuple[Step, ...], goal: int, wanted: bool, refused: Refused
) -> int | None:
    """By going through all reachable states for every number of changes."""
    layer: set[tuple[int, int]] = {(0, bits)}
    seen: set[tuple[int, int]] = set()
    for changes in range(64):
        todo = list(layer)
        while todo:  # what costs nothing
            place, here = todo.pop()
            after = space.execution.apply(here, plan[place]) if place < len(plan) else None
            if after is None and place < len(plan) and refused is Refused.SKIP:
                after = here
            if after is not None and (place + 1, after) not in layer:
                layer.add((place + 1, after))
                todo.append((place + 1, after))
        if any(p == len(plan) and bool(b >> goal & 1) == wanted for p, b in layer):
            return changes
        following = set()
        for place, here in layer:
            ends = [after for _, after in space.successors(here)]
            following |= {(place, e) for e in ends}
            if place < len(plan):
                following |= {(place + 1, e) for e in [*ends, here]}
        seen |= layer
        layer = following - seen
        if not layer:
            return None
    raise AssertionError
