"""The first lines of a report: what the agent can do, how sure that is, what it cannot, and what is odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.core.quantity import count
from assay.core.query import Invalid, PlanResponse
from assay.language.english import English
from assay.language.lists import listed, references
from assay.language.strength import claim, leaves_open, rules_out, tried
from assay.language.visible import quoted
from assay.learn.finding import LEVELS, Finding, Status
from assay.report.content import Item, Items, Section, Text, Warning
from assay.report.headline import headline
from assay.result import Result
from assay.store.journal import Entry

REASONS = 3
"""Reasons of the agent that are quoted."""
PAIRS = 5
"""Answers that changed when asked again, of which the entries are named."""


def overview(result: Result, english: English) -> Section:
    warnings = [Warning(text) for text in _odd(result, english)]
    items = tuple(_answers(result, english))
    return Section(
        "overview", "In short", (Text(headline(result)), *warnings, Items(items), *_legend(result))
    )


def name_of(english: English, finding: Finding) -> str:
    """The action with its parameters; the finding's own name where some are one object."""
    header = english.vocabulary.action.get(finding.action)
    return english.action(header) if header is not None else f"`{finding.action}`"


def _answers(result: Result, english: English) -> Iterator[Item]:
    runs = [f for f in result.findings if f.status in (Status.LEARNED, Status.OPEN) and f.terms]
    can = listed(name_of(english, f) for f in runs)
    yield Item(f"**Can do:** {can or 'nothing, as far as was seen'}.")
    yield _sure(result)
    times = tries(result)
    for finding in (f for f in result.findings if f.status is Status.NEVER_RAN):
        yield Item(f"**Never ran:** {name_of(english, finding)}, {_refused(times[finding.action])}.")
    for finding in (f for f in result.findings if f.status is Status.OPEN):
        why = finding.trouble or "not asked enough"
        yield Item(f"**Not settled:** {name_of(english, finding)}: {why}.")
    yield Item(f"**Cost:** {_cost(result)}")


def tries(result: Result) -> Counter[str]:
    """How often each action was tried."""
    found: Counter[str] = Counter()
    for entry in result.entries:
        if isinstance(entry.response, PlanResponse):
            found.update(s.action for s in entry.query.plan[: entry.response.steps + 1])
    return found


def _refused(number: int) -> str:
    if not number:
        return "for it was never tried in a situation that the agent takes for possible"
    return (
        "refused the one time it was tried" if number == 1 else f"refused all {number:,} times it was tried"
    )


def _sure(result: Result) -> Item:
    strength = result.strength
    reached = {f.strength for f in result.findings if f.status is Status.LEARNED} - {None}
    text = f"**How sure:** {claim(strength)}"
    if strength is None:
        return Item(f"{text} What is said of an action at a strength stands." if reached else text)
    if len(reached) > 1:
        text += " Some actions are at a higher one."
    level = LEVELS[strength]
    return Item(text, tuple(map(Item, (tried(level), rules_out(level), leaves_open(level)))))


def _cost(result: Result) -> str:
    costs = result.costs
    text = f"{count(costs.questions, 'question')} with {count(costs.steps, 'step')}"
    if costs.asked_again:
        text += f"; {costs.asked_again:,} of them were asked again, to see whether the answer is the same"
    if costs.sampled:
        text += f"; {costs.sampled:,} were drawn at random, to look for a counterexample"
    if logged := result.setting.traces:
        text += f"; besides, {count(logged, 'answer')} from logs of the agent"
    return f"{text}."


def _odd(result: Result, english: English) -> Iterator[str]:
    for finding in (f for f in result.findings if f.status is Status.CONTRADICTED):
        where = f" ({references(finding.conflict)})" if finding.conflict else ""
        yield (
            f"{name_of(english, finding)} contradicts itself{where}: {finding.trouble}. No model over this "
            "vocabulary explains it. Everything about the other actions stands."
        )
    if pairs := result.disagreements:
        named = listed(f"#{one} and #{other}" for one, other in pairs[:PAIRS])
        yield (
            f"Asked again, {count(len(pairs), 'question')} had another answer: {named}. "
            "The agent is not deterministic."
        )
    if result.error:
        yield f"The agent failed: {quoted(result.error)}."
    yield from _nothing_seen(result)


def _nothing_seen(result: Result) -> Iterator[str]:
    """Signs that the adapter is wrong rather than the agent odd."""
    invalid = Counter(e.response.reason for e in result.entries if isinstance(e.response, Invalid))
    if invalid:
        share = (
            "Every"
            if sum(invalid.values()) == len(result.entries)
            else f"{sum(invalid.values()):,} of {len(result.entries):,}"
        )
        reasons = listed(quoted(reason) for reason, _ in invalid.most_common(REASONS))
        were = "situation was" if share == "Every" else "situations were"
        yield f"{share} {were} called impossible by the agent; reasons given: {reasons}."
    ends = [(e.query.state, e.response) for e in result.entries if isinstance(e.response, PlanResponse)]
    if any(a.steps for _, a in ends) and all(state == a.state for state, a in ends):
        yield (
            "No answer changed anything, whatever ran. If the agent does change things, it reports the state "
            "that it was given, not the one that it ends in."
        )


def tells_states(entry: Entry) -> bool:
    """Whether the answer has the states between the steps."""
    return isinstance(entry.response, PlanResponse) and entry.response.states is not None


def _legend(result: Result) -> Iterator[Text]:
    text = "Names in capitals stand for objects"
    if not result.setting.equality:
        text += ": different names for different objects, none of them a constant"
    text += ". #1 is entry 1 of journal.jsonl: a question and its answer."
    if result.entries and not any(map(tells_states, result.entries)):
        text += (
            " The agent tells the last state of a question only; states between are as the model foretells."
        )
    yield Text(text)
