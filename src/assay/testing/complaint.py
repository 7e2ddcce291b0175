"""The rules for agents, and how it is said that one is broken."""

from __future__ import annotations

from dataclasses import dataclass

from assay.agents.malformed import shorten
from assay.core.query import Invalid, PlanQuery, Response
from assay.core.universe import State

RULES = {
    "declaration": "it has a vocabulary with predicates and actions, and objects of known types",
    "offer": "the states it offers are made of its own atoms, and it offers some if it starts in no others",
    "answer": "every question gets an answer, in time, that makes sense for the question",
    "hands off": "it leaves the question and its universe as they are",
    "repeatable": "the same question gets the same answer, whatever was asked in between",
    "empty plan": "a plan without steps runs 0 steps and changes nothing",
    "prefix": "a plan that is cut short runs as far as before, or to its end",
    "longest prefix": "a plan stops only where the next step is refused from the state reported",
    "refusal": "a refused step changes nothing",
    "states between": "the states it tells between steps are those it reports if the plan ends there",
    "whole state": "what runs next depends on the reported state alone",
    "own states": "a state that it offered or reported is not invalid",
    "walk": "left to itself, it does what it says it did, and each step leads where it says",
    "new objects": "if it declares that it takes objects beyond its own, it does",
}
"""What `check_agent` checks, by the names its complaints use."""
WITHOUT_CHANCE = frozenset(
    {"repeatable", "prefix", "longest prefix", "refusal", "states between", "whole state", "walk"}
)
"""Rules that compare two answers: one that says it acts by chance need not keep them."""


@dataclass(frozen=True, slots=True)
class Complaint:
    rule: str
    """A key of `RULES`."""
    sentence: str
    questions: tuple[str, ...] = ()
    """The questions concerned and their answers, in words."""

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence}" + "".join(f"\n    {text}" for text in self.questions)


def describe(query: PlanQuery, answer: Response | None = None) -> str:
    """A question, and its answer if there is one, in words."""
    text = f"from {shorten(str(query.state), 400)}"
    if brought := query.new_objects:
        text += " with new " + ", ".join(f"{o.type} {o.name}" for o in brought)
    text += f" run {shorten(' '.join(map(str, query.plan)), 400) or 'nothing'}"
    if isinstance(answer, Invalid):
        return f"{text}: invalid" + (f" ({shorten(answer.reason, 100)})" if answer.reason else "")
    if answer is None:
        return text
    return f"{text}: {answer.steps} of {len(query.plan)} steps, then {shorten(str(answer.state), 400)}"


def apart(one: Response, other: Response) -> str:
    """Where two answers differ, in words; nothing if one of them is invalid."""
    if isinstance(one, Invalid) or isinstance(other, Invalid):
        return ""
    if one.steps != other.steps:
        return f": {one.steps} step(s) ran, or {other.steps}"
    if one.state == other.state:
        return ": the states between differ"
    return f": {ways(one.state, other.state)}"


def ways(one: State | None, other: State | None) -> str:
    """Two outcomes of one step: None is a refusal."""
    if one is None or other is None:
        return "once it ran, once it was refused"
    atoms = " ".join(f"({text})" for text in sorted(set(one.texts()) ^ set(other.texts())))
    return f"once true and once false afterwards: {atoms}"
