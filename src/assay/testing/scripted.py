"""An agent that answers from a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.core.query import PlanQuery, PlanResponse, Response, Start
from assay.core.symbols import Atom, Object
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.testing.complaint import describe


class ScriptedAgent:
    """Answers from a script: a mapping from questions to answers, or a list of answers in order.

    An answer may be a response, a pair of a number of steps and the atoms that hold after them
    (`(1, ["at p1 l1"])`), an exception to raise, or anything else to return as it is.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        answers: Mapping[PlanQuery, object] | Iterable[object],
        *,
        objects: Iterable[Object] = (),
        start: Start | str = Start.ANY,
        new_objects: bool = False,
        states: Iterable[Iterable[str]] = (),
    ) -> None:
        self.vocabulary, self.objects = vocabulary, tuple(objects)
        self.start, self.new_objects = Start(start), new_objects
        self.asked: list[PlanQuery] = []
        """The questions so far."""
        self._states = [[Atom.parse(text) for text in texts] for texts in states]
        self._script = answers if isinstance(answers, Mapping) else iter(answers)

    def ask(self, query: PlanQuery, /) -> Response:
        self.asked.append(query)
        if isinstance(self._script, Mapping):
            if query not in self._script:
                raise InputError(f"the script has no answer to: {describe(query)}")
            answer = self._script[query]
        else:
            try:
                answer = next(self._script)
            except StopIteration:
                raise InputError(f"the script has only {len(self.asked) - 1} answer(s)") from None
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, tuple) and len(answer) == 2:
            steps, texts = answer
            return PlanResponse(steps, query.state.universe.state(map(Atom.parse, texts)))
        return answer  # type: ignore[return-value]  # a script may play a misbehaving agent

    def states(self, count: int, universe: Universe) -> list[State]:
        return [universe.state(atoms) for atoms in self._states[:count]]
