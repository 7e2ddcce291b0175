"""States, plans, facts and interventions as people type them.

    state           (power) (on l1)
    plan            (load p1 t1 l1) (drive t1 l1 l2)
    fact            (in p1 t1)       not (in p1 t1)       (a) and ((b) or not (c))       (or (b) (not (c)))
    intervention    not (open door1) at 2       (on l1) at 0       not (drive t1 l1 l2) at 1       not step 2

Names are spelt as `objects` has it. Whatever cannot be read is an `InputError` that says what and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.causal.objects import Spelling
from assay.core.formula import Formula, conjoin, disjoin, negate
from assay.core.symbols import Atom, Literal, Step
from assay.errors import InputError

_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT = re.compile(r";[^\n]*")
SHOWN = 60
"""So many letters of what cannot be read are shown."""
DEEPEST = 100
"""Formulas inside each other."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """What an intervention sets: a literal at a time, or whether the step at a time is taken."""

    literal: Literal | None
    step: Step | None
    time: int
    taken: bool = True


def read_state(text: str, spelling: Spelling | None = None) -> list[Atom]:
    spelling = spelling or Spelling()
    return [spelling.atom(words) for words in _Tokens(text, "state", "(power) (on l1)").groups()]


def read_plan(text: str, spelling: Spelling | None = None) -> list[Step]:
    spelling = spelling or Spelling()
    tokens = _Tokens(text, "plan", "(load p1 t1 l1) (drive t1 l1 l2)")
    return [spelling.step(words) for words in tokens.groups()]


def read_formula(text: str, spelling: Spelling | None = None) -> Formula:
    """A Boolean combination of facts (DCDN Def. 15), as in PDDL or with `and` and `or` between them."""
    return _Combination(text, spelling or Spelling()).read()


_STEP = re.compile(r"\s*(not\s+)?step\s+(\d+)\s*\Z", re.IGNORECASE)
_AT = re.compile(r"(.*\))\s*at\s+(-?\d+)\s*\Z", re.DOTALL | re.IGNORECASE)


def read_intervention(text: str, spelling: Spelling | None = None) -> Intervention:
    """What to set and when. A name that is an action's is a decision, any other a fact."""
    if match := _STEP.match(text):
        return Intervention(None, None, int(match[2]) - 1, not match[1])
    match, spelling = _AT.match(text), spelling or Spelling()
    literal = read_formula(match[1], spelling) if match is not None else None
    if match is None or not isinstance(literal, Literal):
        raise _Tokens(text, "intervention", "not (open door1) at 2' or 'not step 2").malformed()
    (name, args), time = literal.atom, int(match[2])
    if spelling.is_action(name):
        return Intervention(None, Step(spelling.action(name), args), time, literal.positive)
    return Intervention(literal, None, time)


class _Tokens:
    """The text as words and parentheses, taken one after the other."""

    def __init__(self, text: str, kind: str, example: str) -> None:
        self._text, self._kind, self._example = text, kind, example
        self._tokens, self._place = _TOKEN.findall(_COMMENT.sub("", text)), 0

    def groups(self) -> Iterator[list[str]]:
        """All of it as groups of words."""
        while self.next():
            if not self.take("("):
                raise self.malformed()
            yield self.words()

    def words(self) -> list[str]:
        """The words of a group that was just opened."""
        start = self._place
        while self.next() not in ("(", ")", ""):
            self._place += 1
        found = self._tokens[start : self._place]
        self.close()
        if not found:
            raise self.error("there is nothing between two parentheses")
        return found

    def close(self) -> None:
        if not self.next():
            raise self.error("a parenthesis is not closed")
        if not self.take(")"):
            raise self.malformed()

    def next(self) -> str:
        """The next token in lower case, or nothing at the end."""
        return self._tokens[self._place].lower() if self._place < len(self._tokens) else ""

    def take(self, word: str) -> bool:
        """Whether this is the next token; if so, it is taken."""
        found = self.next() == word
        self._place += found
        return found

    def error(self, what: str) -> InputError:
        return InputError(f"{self._short()}: {what}")

    def malformed(self) -> InputError:
        return InputError(
            f"{self._kind} {self._short()} cannot be read: write, for example, '{self._example}'"
        )

    def _short(self) -> str:
        flat = " ".join(self._text.split())
        return repr(flat if len(flat) <= SHOWN else f"{flat[: SHOWN - 3]}...")


class _Combination(_Tokens):
    """Recursive descent: `or` binds less than `and`, which may be left out, and `not` binds most."""

    def __init__(self, text: str, spelling: Spelling) -> None:
        super().__init__(text, "fact", "(in p1 t1)' or 'not (in p1 t1)")
        self._spelling, self._depth = spelling, 0

    def read(self) -> Formula:
        found = self._any()
        if self.next():
            raise self.malformed()
        return found

    def _any(self) -> Formula:
        parts = [self._all()]
        while self.take("or"):
            parts.append(self._all())
        return disjoin(parts)

    def _all(self) -> Formula:
        parts = [self._one()]
        while self.take("and") or self.next() in ("(", "not"):
            parts.append(self._one())
        return conjoin(parts)

    def _one(self) -> Formula:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} formulas inside each other")
        negated = self.take("not")
        found = negate(self._one()) if negated else self._group()
        self._depth -= 1
        return found

    def _group(self) -> Formula:
        if not self.take("("):
            raise self.malformed()
        if self.take("and"):
            found = conjoin(self._operands())
        elif self.take("or"):
            found = disjoin(self._operands())
        elif self.next() in ("(", "not"):
            found = self._any()
            self.close()
        else:
            found = Literal(self._spelling.atom(self.words()))
        return found

    def _operands(self) -> list[Formula]:
        found = [self._one()]
        while not self.take(")"):
            found.append(self._one())
        return found
