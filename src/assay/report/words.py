"""From symbols to English: clauses, verb phrases, questions and answers.

A `Speaker` knows a vocabulary and how to say it. What it says is never more than the symbols mean: a name it
cannot read with confidence is quoted (see `clauses` and `verbs`). Long questions are told by the step that
matters, the one that was refused, and by what was true of the things in it; `full=True` leaves nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.model import Model
from assay.core.quantity import count
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary
from assay.report.clauses import phrases
from assay.report.names import Names
from assay.report.phrase import enumeration
from assay.report.verbs import verb_phrases

FACTS = 8
"""A state with more facts is told by those that matter."""
STEPS = 4
"""A plan with more steps is told by the one that matters."""


class Speaker:
    def __init__(self, vocabulary: Vocabulary, model: Model | None = None) -> None:
        """A model, where one is known, helps to say which way a journey goes."""
        self.vocabulary = vocabulary
        self._phrases = phrases(vocabulary)
        self._verbs = verb_phrases(vocabulary, model)

    def names(self, action: str) -> Names:
        """Names for a paragraph about the action's parameters."""
        return Names.of_action(self.vocabulary, self.vocabulary.action[action])

    def clause(self, literal: Literal, names: Names | None = None, *, ended: bool = False) -> str:
        """What the literal says; `ended` makes "is not" into "is no longer"."""
        names = names or Names.plain()
        (predicate, args), positive = literal
        if predicate == "=":
            same = enumeration([names.say(a) for a in args])
            return f"{same} are {'the same' if positive else 'different'}"
        phrase = self._phrases[predicate]
        return names.format(phrase.holds if positive else phrase.ended if ended else phrase.fails, args)

    def action(self, action: str, names: Names | None = None) -> str:
        """The action as a verb phrase over its parameters."""
        parameters = tuple(p.name for p in self.vocabulary.action[action].parameters)
        return (names or self.names(action)).format(self._verbs[action], parameters)

    def step(self, step: Step, names: Names | None = None) -> str:
        return (names or Names.plain()).format(self._verbs[step.action], step.args)

    def question(
        self, query: PlanQuery, response: Response | None = None, *, full: bool = False, walk: int = 0
    ) -> str:
        """The question in words; on a walk of so many steps at most the plan was up to the agent. With the
        answer at hand, a long one is told by the step that was refused."""
        names = Names.of_universe(query.state.universe)
        focus = _stop(query, response)
        if walk:
            situation = self._situation(query.state, (), names, full)
            return f"{situation} What do you do if you may do as you like, in at most {walk} steps?"
        situation = self._situation(query.state, query.plan[focus : focus + 1], names, full)
        return f"{situation} {self._request(query.plan, focus, names, full)}"

    def answer(self, query: PlanQuery, response: Response, *, full: bool = False, walk: int = 0) -> str:
        """What the agent said: how far it came, what it refused, and what changed."""
        if isinstance(response, Invalid):
            reason = f": {response.reason}" if response.reason else ""
            return f"The agent says that this situation cannot exist{reason.rstrip('.')}."
        names = Names.of_universe(query.state.universe)
        total, done = len(query.plan), response.steps
        if not total:
            return "The agent did nothing." if walk else "There was nothing to do."
        if walk:
            text = f"The agent did {count(total, 'step')} of its own choice."
        elif done == total:
            text = "The agent did it." if total == 1 else f"The agent did all {total} steps."
        else:
            refused = query.plan[done]
            task = self.step(refused, names)
            if total == 1:
                text = f"The agent refused to {task}."
            elif not done:
                text = f"The agent refused the first of {total} steps, to {task}."
            else:
                some = "the first" if done == 1 else f"the first {done}"
                text = f"The agent did {some} of {total} steps and refused the next, to {task}."
            if done:
                text += f" At that point {self._known(response.state, refused, names)}"
        return f"{text} {self._changes(query.state, response, names, full)}"

    # --- questions

    def _situation(self, state: State, focus: tuple[Step, ...], names: Names, full: bool) -> str:
        if not len(state):
            return "Suppose that nothing we have words for is true."
        if full or len(state) <= FACTS:
            return f"Suppose only that {self._facts(state, names)}."
        if not focus:
            return f"Suppose a situation of {len(state)} facts."
        return f"Suppose a situation of {len(state)} facts. There {self._known(state, focus[0], names)}"

    def _known(self, state: State, step: Step, names: Names) -> str:
        """What is true of the things in the step and what is not, whichever is shorter."""
        atoms = [state.universe.atom(p) for p in dict.fromkeys(state.universe.positions(step))]
        true = [a for a in atoms if a in state]
        false = [a for a in atoms if a not in state]
        things = [names.say(a) for a in dict.fromkeys(step.args)]
        among = (
            f"among {enumeration(things)}" if things[1:] else f"of {things[0]} alone" if things else "here"
        )
        if not true:
            return f"nothing is true {among}."
        if len(false) < len(true):
            text = f"everything we have words for is true {among}"
            return f"{text}, except that {self._facts(false, names, False, FACTS)}." if false else f"{text}."
        return f"only this is true {among}: {self._facts(true, names, True, FACTS)}."

    def _facts(
        self, atoms: Iterable[Atom], names: Names, positive: bool = True, most: int | None = None
    ) -> str:
        ordered = sorted(atoms, key=lambda a: a.text)
        clauses = [self.clause(Literal(a, positive), names) for a in ordered[:most]]
        if len(ordered) > len(clauses):
            clauses.append(count(len(ordered) - len(clauses), "more fact"))
        return enumeration(clauses)

    def _request(self, plan: tuple[Step, ...], focus: int, names: Names, full: bool) -> str:
        if not plan:
            return "What is true if you do nothing?"
        if full or len(plan) <= STEPS:
            return f"What happens if you {', then '.join(self.step(s, names) for s in plan)}?"
        task = self.step(plan[focus], names)
        return f"What happens if you do {len(plan)} steps, of which step {focus + 1} is to {task}?"

    # --- answers

    def _changes(self, before: State, response: PlanResponse, names: Names, full: bool) -> str:
        risen, fallen = _difference(response.state, before), _difference(before, response.state)
        changes = [*(Literal(a) for a in risen), *(Literal(a, False) for a in fallen)]
        if not changes:
            return "Nothing changed."
        if not full and len(changes) > FACTS:
            return f"Along the way {count(len(risen), 'fact')} became true and {len(fallen)} became false."
        return f"What changed: {enumeration([self.clause(c, names, ended=True) for c in changes])}."


def _stop(query: PlanQuery, response: Response | None) -> int:
    """The step to tell a question by: the refused one, or else the first."""
    if isinstance(response, PlanResponse) and response.steps < len(query.plan):
        return response.steps
    return 0


def _difference(first: State, second: State) -> list[Atom]:
    """What is true only in the first, sorted."""
    if first.universe is second.universe:
        atoms = first.universe.atoms(first.bits & ~second.bits)
    else:
        atoms = list(set(first) - set(second))
    return sorted(atoms, key=lambda a: a.text)
