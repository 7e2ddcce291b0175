"""Did a run keep out of the states that it was told never to enter?

The states in which questions began and ended are in the journal; those between are as told, or as the model
foretells. Logs are not looked at: nobody asked for what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.core.model import Model
from assay.core.symbols import Atom, Object
from assay.core.universe import Universe
from assay.pddl.conditions import read_condition
from assay.proof.recount.facts import Fact, Facts
from assay.proof.recount.foretelling import Foretelling
from assay.proof.recount.questions import Journal, Question


def trespasses(never: str, journal: Journal, model: Model) -> Iterator[str]:
    """The questions that passed through a state where the formula holds, in sentences."""
    foretelling = Foretelling(model) if never else None
    for question in journal.questions:
        if foretelling is None or question.logged:
            continue
        names = question.objects.types.items()
        universe = Universe(journal.vocabulary, [Object(name, kind) for name, kind in names])
        forbidden = read_condition(never, universe, "--never")
        if any(forbidden.holds(_bits(universe, facts)) for facts in _passed(question, foretelling)):
            yield f"Question {question.number} passed through a state that was not to be entered: {never}."


def _bits(universe: Universe, facts: set[Fact]) -> int:
    return universe.bits(Atom(fact[0], fact[1:]) for fact in facts)


def _passed(question: Question, foretelling: Foretelling) -> Iterator[set[Fact]]:
    """The states of a question, one after the other."""
    facts = Facts(question.objects, question.state)
    yield facts.all
    for told in question.told or ():
        facts.change(told)
        yield facts.all
    if question.whole is None:
        return
    last = Facts(question.objects, question.state)
    last.change(question.whole)
    yield last.all
    for step in question.plan[: question.ran]:
        change = foretelling.step(facts, step) if foretelling.knows(step[0]) else None
        if change is None:
            return  # the model does not give this answer, which is said elsewhere
        facts.change(change)
        yield facts.all
