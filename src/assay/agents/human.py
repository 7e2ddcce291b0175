"""A person as the agent: every question in a sentence, every answer by a few keys.

The vocabulary comes from a PDDL domain, whose action bodies are not looked at; a problem adds things the
person knows and a situation to start from. For each step of a plan the person says whether it can be done;
where the plan stops or ends, what is different now, chosen from a numbered list of the facts that could have
changed. Nobody can follow a plan of eighty steps, so the agent asks for short ones (`max_plan`).

How things are said and how a person is spoken to are not this module's business: a `Speech` makes the
sentences, a `Dialogue` shows them and brings back what was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from assay.agents.pddl import read_file, read_situation
from assay.core.quantity import count
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError
from assay.pddl.reader import read_vocabulary

MAX_PLAN = 2
"""Steps in one question that a person can keep in mind."""

KEYS = "y yes, n no, u undo, i this situation cannot be, ? the question again, q stop"
CHANGES = "their numbers, 0 for nothing, u undo, ? the question again, q stop"


class Dialogue(Protocol):
    """Somebody who can be spoken to."""

    def say(self, text: str, /) -> None: ...

    def ask(self, prompt: str, /) -> str:
        """One line of input; `EOFError` if there will be no more."""
        ...


class Speech(Protocol):
    """Sentences for questions and symbols; see `language.questions`."""

    def question(self, query: PlanQuery, /) -> str: ...

    def step(self, step: Step, /) -> str: ...

    def change(self, literal: Literal, /) -> str: ...


class _Undo(Exception):
    """The person takes back the answer before."""


class HumanAgent:
    start = Start.ANY
    new_objects = True
    max_plan = MAX_PLAN
    """The longest plan to ask for, unless the caller wants another."""
    time_limit = 0.0
    """A person takes the time it takes: no limit from outside is put on an answer."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        dialogue: Dialogue,
        speech: Speech,
        objects: tuple[Object, ...] = (),
        initial: tuple[frozenset[Atom], ...] = (),
    ) -> None:
        self.vocabulary, self.objects = vocabulary, objects
        self._dialogue, self._speech, self._initial = dialogue, speech, initial

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        yield from (universe.state(sorted(atoms)) for atoms in self._initial[:count])

    def ask(self, query: PlanQuery, /) -> Response:
        self._dialogue.say(f"\n{self._speech.question(query)}")
        answers: list[bool] = []
        """Whether each step could be done, as far as the person has said."""
        while True:
            try:
                if answers[-1:] == [False] or len(answers) == len(query.plan):
                    return self._conclusion(query, sum(answers))
                said = self._can(query, len(answers))
                if said is None:
                    return Invalid("the person says so")
                answers.append(said)
            except _Undo:
                if answers:
                    answers.pop()
                else:
                    self._dialogue.say("There is nothing to undo in this question.")

    def _can(self, query: PlanQuery, place: int) -> bool | None:
        """Whether the step can be done; None if the situation cannot be."""
        step = self._speech.step(query.plan[place])
        number = f"Step {place + 1} of {len(query.plan)}: can" if len(query.plan) > 1 else "Can"
        while True:
            key = self._key(query, f"{number} you do {step}? [y/n/u/i/?/q] ")
            if key in ("y", "yes"):
                return True
            if key in ("n", "no"):
                return False
            if key == "i":
                return None
            self._dialogue.say(f"Keys: {KEYS}.")

    def _conclusion(self, query: PlanQuery, done: int) -> PlanResponse:
        while True:
            response = self._end(query, done)
            try:
                self._confirm(query, response)
            except _Undo:
                if not done:
                    raise
            else:
                return response

    def _end(self, query: PlanQuery, done: int) -> PlanResponse:
        """The state after the steps that could be done."""
        universe, before = query.state.universe, query.state
        if not done:
            return PlanResponse(0, before)
        numbers = {p: None for step in query.plan[:done] for p in universe.positions(step)}
        atoms = sorted(map(universe.atom, numbers), key=lambda atom: _order(atom, before))
        self._dialogue.say("What is different now from the beginning?")
        for number, atom in enumerate(atoms, start=1):
            self._dialogue.say(f"  {number:>2}  {self._change(atom, before)}")
        while True:
            line = self._key(query, f"Which? [0-{len(atoms)}/u/?/q] ")
            chosen = {0} if line == "nothing" else _numbers(line, len(atoms))
            if chosen:
                flipped = [atoms[n - 1] for n in sorted(chosen - {0})]
                return PlanResponse(
                    done,
                    before.change(
                        [a for a in flipped if a not in before], [a for a in flipped if a in before]
                    ),
                )
            self._dialogue.say(f"Give {CHANGES}.")

    def _confirm(self, query: PlanQuery, response: PlanResponse) -> None:
        """A last chance to undo: once given, an answer is evidence and stays."""
        before, after = query.state, response.state
        changed = sorted(set(before) ^ set(after), key=lambda atom: _order(atom, before))
        done = (
            f"{response.steps} of {count(len(query.plan), 'step')} can be done"
            if query.plan
            else "there is nothing to do"
        )
        told = "; ".join(self._change(atom, before) for atom in changed) or "nothing changes"
        while True:
            if self._key(query, f"So {done}, and {told}. Enter to go on, u to undo. ") in ("", "y", "yes"):
                return

    def _change(self, atom: Atom, before: State) -> str:
        return self._speech.change(Literal(atom, atom not in before))

    def _key(self, query: PlanQuery, prompt: str) -> str:
        """What was typed, in lower case; what every prompt understands is dealt with here."""
        while True:
            try:
                line = self._dialogue.ask(prompt).strip().lower()
            except EOFError:
                raise AgentError("nobody is there to answer") from None
            if line in ("u", "undo"):
                raise _Undo
            if line in ("q", "quit"):
                raise AgentError("the person stopped")
            if line != "?":
                return line
            self._dialogue.say(self._speech.question(query))
            self._dialogue.say(f"Keys: {KEYS}.")


def open_human(
    vocabulary: Path,
    problem: Path | None,
    dialogue: Dialogue,
    speech: Callable[[Vocabulary], Speech],
) -> HumanAgent:
    """A person who is asked about the vocabulary of a PDDL domain."""
    words = read_vocabulary(read_file(vocabulary), str(vocabulary))
    if problem is None:
        return HumanAgent(words, dialogue, speech(words))
    situation = read_situation(problem, words)
    return HumanAgent(words, dialogue, speech(words), situation.objects, (situation.initial,))


def _order(atom: Atom, before: State) -> tuple[bool, bool, str]:
    """What may cease first, then what may begin; facts about a thing and itself last."""
    return len(set(atom.args)) < len(atom.args), atom not in before, atom.text


def _numbers(line: str, most: int) -> set[int] | None:
    """The numbers typed, if all of them are in the list and 0 stands alone."""
    with suppress(ValueError):
        chosen = {int(word) for word in line.replace(",", " ").split()}
        if chosen <= set(range(most + 1)) and (0 not in chosen or len(chosen) == 1):
            return chosen
    return None
