"""The description of a model: golden texts, evidence, and what is left open."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from assay.agents.model import ModelAgent
from assay.core.model import ActionModel, Model, Outcome
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal
from assay.core.vocabulary import Vocabulary
from assay.knowledge.dossier import Claim, Part, Status
from assay.knowledge.knowledge import Knowledge
from assay.pddl import read_domain
from assay.report.describe import describe
from assay.strategies.chain import chain


def domain(name: str) -> Model:
    return read_domain((files("assay.bench") / "domains" / f"{name}.pddl").read_text())


def interrogate(model: Model, questions: int | None = None, *, equality: bool = False) -> Knowledge:
    agent = ModelAgent(model)
    knowledge = Knowledge(Setting.of(agent, equality=equality))
    dialogue = chain(knowledge)
    try:
        query = next(dialogue)
        while questions is None or knowledge.entries < questions:
            response = agent.ask(query)
            knowledge.learn(query, response)
            query = dialogue.send(response)
    except StopIteration:
        pass
    return knowledge


def described(knowledge: Knowledge) -> str:
    never = [name for name, dossier in knowledge.dossiers.items() if not dossier.ran]
    tried = {name: dossier.tried for name, dossier in knowledge.dossiers.items()}
    return describe(knowledge.model(), knowledge.claims(), never, tried)


def without_evidence(text: str) -> str:
    """Which question settled what is the strategy's affair."""
    return re.sub(r"Because:\n\n(- .*\n)+\n", "", text)


DELIVERY = """\
# What the delivery agent can do

Names in capitals stand for things, different names for different things.

## drive

The agent can drive truck T from location FROM to location TO when T is at FROM and there is a road from \
FROM to TO. Afterwards T is at TO and T is no longer at FROM. Everything else stays as it was.

## load

The agent can load package P into truck T at location L when P is at L and T is at L. Afterwards P is in \
T and P is no longer at L. Everything else stays as it was.

## unload

The agent can unload package P from truck T at location L when T is at L and P is in T. Afterwards P is \
at L and P is no longer in T. Everything else stays as it was.

## What is not settled

Nothing: every point that a question can settle is settled.

Besides, 3 points make no visible difference (for example, whether an action makes true again what must \
be true before it), so no question can settle them.
"""

BLOCKSWORLD = """\
# What the blocksworld agent can do

Names in capitals stand for things, different names for different things.

## pick-up

The agent can pick up X when X is on the table, X is clear and the hand is empty. Afterwards the agent \
is holding X, X is no longer on the table, X is no longer clear and the hand is no longer empty. \
Everything else stays as it was.

## put-down

The agent can put down X when the agent is holding X. Afterwards X is on the table, X is clear, the hand \
is empty and the agent is no longer holding X. Everything else stays as it was.

## stack

The agent can stack X on Y when Y is clear and the agent is holding X. Afterwards X is on Y, X is clear, \
the hand is empty, Y is no longer clear and the agent is no longer holding X. Everything else stays as \
it was.

## unstack

The agent can unstack X from Y when X is on Y, X is clear and the hand is empty. Afterwards Y is clear, \
the agent is holding X, X is no longer on Y, X is no longer clear and the hand is no longer empty. \
Everything else stays as it was.

## What is not settled

Nothing: every point that a question can settle is settled.
"""


def test_delivery() -> None:
    assert without_evidence(described(interrogate(domain("delivery")))) == DELIVERY


def test_blocksworld() -> None:
    assert without_evidence(described(interrogate(domain("blocksworld")))) == BLOCKSWORLD


def test_every_literal_of_a_finished_interrogation_names_its_questions() -> None:
    text = described(interrogate(domain("delivery")))
    assert text.count("Because:") == 3
    for line in re.findall(r"- (?:before|afterwards): .*", text):
        assert all(re.search(r"\(questions? \d+", reason) for reason in line.split("; "))


def test_different_things_are_asked_for_where_equality_was_learned() -> None:
    text = described(interrogate(domain("ferry"), equality=True))
    assert "two of them may be the same thing" in text
    assert (
        "The agent can sail from location FROM to location TO when the ferry is at FROM "
        "(FROM and TO must be different)."
    ) in text
    assert re.search(r"FROM and TO are different \(questions? ", text)


def test_what_is_open_is_said_in_the_paragraph_and_at_the_end() -> None:
    text = described(interrogate(domain("delivery"), questions=1))
    assert (
        ", and perhaps only if more is true. " in text or "in some situations; in which ones is open" in text
    )
    assert "What else changes is open." in text
    assert "Nothing: every point" not in text
    (line,) = re.findall(r"^- To load .*$", text, re.MULTILINE)
    assert line.startswith("- To load package P into truck T at location L: ")
    assert "points are open: whether " in line
    assert len(line) < 400


def small() -> tuple[Vocabulary, ActionModel]:
    vocabulary = Vocabulary.of(
        types=["lamp"],
        predicates={"lit": {"l": "lamp"}, "broken": {"l": "lamp"}},
        actions={"switch-on": {"l": "lamp"}, "repair": {"l": "lamp"}},
        name="lamp",
    )
    header = vocabulary.action["switch-on"]
    needs = frozenset({Literal(Atom("broken", ("?l",)), False)})
    return vocabulary, ActionModel.strips(header, needs, frozenset({Literal(Atom("lit", ("?l",)))}))


def claim(part: Part, predicate: str, modes: str, status: Status, *evidence: int) -> Claim:
    mode = {"+": "+", "-": "-", "0": "absent"}
    return Claim("switch-on", Atom(predicate, ("?l",)), part, tuple(mode[m] for m in modes), status, evidence)


def test_evidence_open_slots_and_actions_that_never_ran() -> None:
    vocabulary, action = small()
    claims = [
        claim(Part.PRECONDITION, "broken", "-", Status.SETTLED, 2, 3, 5, 7, 11),
        claim(Part.PRECONDITION, "lit", "0-", Status.OPEN, 2),
        claim(Part.EFFECT, "lit", "+", Status.SETTLED, 4),
        claim(Part.EFFECT, "broken", "0-", Status.INDISTINGUISHABLE, 4),
    ]
    text = describe(Model(vocabulary, (action,)), claims, ["repair"], {"repair": 12})
    assert text == (
        "# What the lamp agent can do\n\n"
        "Names in capitals stand for things, different names for different things.\n\n"
        "## switch-on\n\n"
        "The agent can switch on lamp L when L is not broken, and perhaps only if more is true. "
        'Afterwards L is lit. Everything else stays as it was. See "What is not settled".\n\n'
        "Because:\n\n"
        "- before: L is not broken (questions 5, 7 and 11, and 2 before them).\n"
        "- afterwards: L is lit (question 4).\n\n"
        "## What is not settled\n\n"
        "- The agent was never seen to repair lamp L: it was refused in all 12 situations tried.\n"
        "- To switch on lamp L: 1 point is open: whether it needs that L is not lit.\n\n"
        "Besides, 1 point makes no visible difference (for example, whether an action makes true again "
        "what must be true before it), so no question can settle it.\n"
    )
    model = Model(vocabulary, ())
    assert "it was refused in all situations tried." in describe(model, [], ["repair"])
    assert "it was refused in the one situation tried." in describe(model, [], ["repair"], {"repair": 1})
    assert "it was never asked to." in describe(model, [], ["repair"], {"repair": 0})


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ({"": 1}, 'the one question about it was answered "invalid".'),
        (
            {"no such place": 3, "": 2},
            'all 5 questions about it were answered "invalid" (reason given: no such place).',
        ),
        (
            {"a": 1, "b\nc": 2, "d": 1, "e": 1, "x" * 200: 9},
            'all 14 questions about it were answered "invalid" '
            f"(reasons given: {'x' * 100}...; b c; a; and 2 more).",
        ),
    ],
)
def test_what_was_only_called_invalid_was_asked(reasons: dict[str, int], said: str) -> None:
    vocabulary, _ = small()
    told = describe(Model(vocabulary, ()), [], ["repair"], {"repair": 0}, rejected={"repair": reasons})
    assert f"- The agent was never seen to repair lamp L: {said}\n" in told


def test_no_precondition_no_effect_and_several_outcomes() -> None:
    vocabulary, action = small()
    lit, broken = Literal(Atom("lit", ("?l",))), Literal(Atom("broken", ("?l",)))
    idle = ActionModel.strips(action.header, frozenset(), frozenset())
    risky = ActionModel.chance(
        vocabulary.action["repair"],
        [broken],
        [Outcome.plain([lit, Literal(broken.atom, False)], 0.75), Outcome.plain([], 0.25)],
    )
    text = describe(Model(vocabulary, (idle, risky)), [], [])
    assert (
        "The agent can switch on lamp L at any time. This changes nothing that the vocabulary can express."
    ) in text
    assert (
        "The agent can repair lamp L when L is broken. Afterwards, with probability 0.75 L is lit and L is "
        "no longer broken; with probability 0.25 nothing changes. Everything else stays as it was."
    ) in text
    assert "What is not settled" not in text


def test_a_delete_of_what_need_not_be_true_before_is_no_end() -> None:
    text = without_evidence(describe(domain("goldminer"), [], []))
    assert "Afterwards THERE is clear, there is no soft rock at THERE, there is no hard rock at THERE" in text
    assert "there is no longer a laser at L" in text
