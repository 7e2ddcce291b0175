"""Why, why not, what if, can it: the causal layer's answers, made ready for the page.

An answer is `blocks` of sentences (a text or a list of items), `rows` that compare what happened with what
would have, and a `plan` that the page can take over, beginning after `from` steps of the one shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from assay.causal.ask import ask as reach
from assay.causal.network import Network, unroll
from assay.causal.plan_change import PlanChange
from assay.causal.variables import Static
from assay.causal.whatif import Counterfactual
from assay.causal.whatif import what_if as compare
from assay.causal.why import why as causes
from assay.causal.why_not import why_not as obstacles
from assay.causal.words import moment, said
from assay.core.execution import Execution
from assay.core.formula import conjoin
from assay.core.symbols import Literal, Step
from assay.language.english import English
from assay.planning.search import Plan
from assay.serve.scene import Asked, World, sentence

_NUMBERED = re.compile(r"\d+\. ")  # steps of a plan, which the page lists by itself
CAUSES = 25
"""So many causes are listed."""
SECONDS = 5.0
"""So long a search may take before it gives up and says so."""


def why(world: World, asked: Asked) -> dict[str, Any]:
    """The causes of a fact at a moment of the plan."""
    network = _network(world, asked)
    time = world.time(asked, world.plan(asked))
    found = causes(network, Literal(world.fact(asked.fact)), time, limit=CAUSES)
    return _answer(found.lines(world.english))


def why_not(world: World, asked: Asked) -> dict[str, Any]:
    """What would have made a fact true, or, without a fact, let the last step of the plan run."""
    plan, state = world.plan(asked), world.state(asked)
    goal = Literal(world.fact(asked.fact)) if asked.fact else None
    if goal is not None:
        plan = plan[: world.time(asked, plan)]
    found = obstacles(
        world.model, state, plan, goal=goal, seconds=SECONDS, scope=world.scope, strength=world.strength
    )
    steps = found.by_plan.plan if isinstance(found.by_plan, PlanChange) else ()
    return _answer(found.lines(world.english), _steps(world.english, steps), note="The plan in full:")


def what_if(world: World, asked: Asked) -> dict[str, Any]:
    """What would have been different, had the fact been otherwise at that moment."""
    network = _network(world, asked)
    variable = network.variable(world.fact(asked.fact), world.time(asked, world.plan(asked)))
    found = compare(network, {variable: asked.value})
    lead = f"Suppose that {said(world.english, variable, asked.value, network.end)}."
    if isinstance(variable, Static):
        lead += " No action changes this, so it is supposed for the whole time."
    rows = list(_rows(found, world.english))
    closing = [] if rows else ["", "Nothing would have been different."]
    return _answer([lead, *closing], rows=rows)


def ask(world: World, asked: Asked) -> dict[str, Any]:
    """Whether the goal can be reached from a moment of the plan, and what the answer rests on."""
    plan, goal = world.plan(asked), world.goal(asked)
    time = world.time(asked, plan)
    ran, state = Execution(world.model, world.universe).run(world.state(asked), plan[:time])
    found = reach(
        world.model,
        state,
        conjoin(goal),
        unsettled=world.unsettled,
        strength=world.strength,
        seconds=SECONDS,
        scope=world.scope,
    )
    steps = found.outcome.steps if isinstance(found.outcome, Plan) else ()
    lines = [line for line in found.lines(world.english) if not (steps and _NUMBERED.match(line))]
    return _answer(lines, _steps(world.english, steps), start=ran, note="The plan:")


def _rows(found: Counterfactual, english: English) -> Iterable[dict[str, str]]:
    """Only what differs: steps first, then facts by time."""
    for number, course in enumerate(found.courses, start=1):
        if course.happened != course.would_have:
            task = english.step(course.step)
            yield _row(f"Step {number}", f"{task}: {course.happened}", f"{task}: {course.would_have}")
    for change in found.changes:
        when = "Throughout" if change.time is None else sentence(moment(change.time, found.end))
        before, after = (
            english.clause(Literal(change.atom, value)) for value in (change.happened, change.would_have)
        )
        yield _row(when, before, after)


def _row(when: str, happened: str, would_have: str) -> dict[str, str]:
    return {"when": when, "happened": sentence(happened), "would_have": sentence(would_have)}


def _network(world: World, asked: Asked) -> Network:
    return unroll(world.model, world.state(asked), world.plan(asked), mention=[world.fact(asked.fact)])


def _steps(english: English, steps: Iterable[Step]) -> list[dict[str, str]]:
    return [{"text": s.text, "words": sentence(english.step(s))} for s in steps]


def _answer(
    lines: Sequence[str],
    plan: Sequence[dict[str, str]] = (),
    *,
    start: int = 0,
    rows: Sequence[dict[str, str]] = (),
    note: str = "",
) -> dict[str, Any]:
    return {"blocks": _blocks(lines), "plan": plan, "from": start, "rows": rows, "note": note if plan else ""}


def _blocks(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Paragraphs, and lists of lines that begin with a dash."""
    blocks: list[dict[str, Any]] = []
    for line in lines:
        if line.startswith("- "):
            if not blocks or "items" not in blocks[-1]:
                blocks.append({"items": []})
            blocks[-1]["items"].append(sentence(line[2:]))
        elif line.strip():
            blocks.append({"text": line.strip()})
    return blocks
