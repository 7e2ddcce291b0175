"""Symbols and formulas as clauses of a sentence.

A fact or a step is quoted as it is, `at(P, L)`: that is right whatever a name means; no verb is guessed. The
quotes are backquotes, so that Markdown and HTML show code; for a terminal there are none. Parameters are in
capitals, objects as they are. Who knows better phrases gives them: `{"at": "package {0} is in place {1}"}`.

A clause has one reading: a part that holds an "and" or "or" of its own stands in parentheses, unless it ends
the clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or, conjuncts, disjoin, negate
from assay.core.symbols import OBJECT, ActionHeader, Atom, Literal, Parameter, Step
from assay.core.vocabulary import Vocabulary
from assay.language.lists import article, listed


def noun(types: Sequence[str]) -> str:
    """What a variable of these types stands for."""
    return "object" if OBJECT in types else " or ".join(types)


class English:
    def __init__(
        self, vocabulary: Vocabulary, phrases: Mapping[str, str] | None = None, mark: str = "`"
    ) -> None:
        """`phrases`: by predicate or action, a text with `{0}`, `{1}`, ... for the arguments.

        `mark` stands before and after a symbol; nothing, for a terminal.
        """
        self.vocabulary, self.phrases, self.mark = vocabulary, phrases or {}, mark
        self._taken = {c.name.upper() for c in vocabulary.constants}

    # ---- symbols

    def term(self, term: str) -> str:
        """A parameter in capitals, unless a constant is called so; an object as it is."""
        shown = term[1:].upper() if term.startswith("?") else term
        return term if term.startswith("?") and shown in self._taken else shown

    def atom(self, atom: Atom) -> str:
        return self._symbol(atom.predicate, atom.args)

    def step(self, step: Step) -> str:
        return self._symbol(step.action, step.args)

    def action(self, header: ActionHeader) -> str:
        return self._symbol(header.name, [p.name for p in header.parameters])

    def _symbol(self, name: str, args: Sequence[str]) -> str:
        terms = [self.term(a) for a in args]
        if name in self.phrases:
            return self.phrases[name].format(*terms)
        text = f"{name}({', '.join(terms)})" if terms else name
        return f"{self.mark}{text}{self.mark}"

    def things(self, parameters: Iterable[Parameter]) -> str:
        """Parameters with what they stand for: "a door D and a tool K"."""
        return listed(f"{article(noun(p.types))} {self.term(p.name)}" for p in parameters)

    # ---- formulas

    def clause(self, formula: Formula) -> str:
        """A clause with a verb: "`shut(D)` is true and `broken(K)` is false"."""
        match formula:
            case Literal(("=", (left, right)), positive) | Equality(left, right, positive):
                # a literal may spell equality as PDDL does, as a predicate
                pair = f"{self.term(left)} and {self.term(right)}"
                return f"{pair} are {'the same object' if positive else 'different objects'}"
            case Literal():
                return self._literals([formula])[0]
            case And(parts):
                return self._all(parts)
            case Or(parts):
                return self._any(parts)
            case Exists(variables, body):
                return self._some(variables, body)
            case Forall(variables, body):
                return self._every(variables, body)

    def clauses(self, formulas: Iterable[Formula]) -> list[str]:
        """One clause for all facts that are true, one for all that are false, then the others."""
        found = list(formulas)
        literals = self._literals([f for f in found if isinstance(f, Literal)])
        simple = [self.clause(f) for f in found if isinstance(f, Equality)]
        return literals + simple + [self.clause(f) for f in found if not isinstance(f, Literal | Equality)]

    def _literals(self, literals: Sequence[Literal]) -> list[str]:
        told = []
        for positive, verb in ((True, "true"), (False, "false")):
            atoms = [self.atom(x.atom) for x in literals if x.positive is positive and not self.phrased(x)]
            if atoms:
                told.append(f"{listed(atoms)} {'are' if atoms[1:] else 'is'} {verb}")
            phrased = [self.atom(x.atom) for x in literals if x.positive is positive and self.phrased(x)]
            told += phrased if positive else [f"it is not so that {p}" for p in phrased]
        return told

    def phrased(self, literal: Literal) -> bool:
        """Whether there is a phrase for its predicate."""
        return literal.atom.predicate in self.phrases

    def _all(self, parts: Sequence[Formula]) -> str:
        if not parts:
            return "anything is so"
        told = self.clauses(parts)
        complex_ = sum(not isinstance(p, Literal | Equality) for p in parts)
        simple, others = told[: len(told) - complex_], told[len(told) - complex_ :]
        if len(others) == 1:
            return ", and ".join([*([listed(simple)] if simple else []), *others])
        return listed([*simple, *(f"({o})" for o in others)])

    def _any(self, parts: Sequence[Formula]) -> str:
        if not parts:
            return "the impossible is so"
        if len(parts) == 1:
            return self.clause(parts[0])
        signs = {p.positive for p in parts if isinstance(p, Literal) and not self.phrased(p)}
        if len(signs) == 1 and all(isinstance(p, Literal) and not self.phrased(p) for p in parts):
            atoms = [self.atom(p.atom) for p in parts if isinstance(p, Literal)]
            return f"at least one of {listed(atoms)} is {'true' if signs == {True} else 'false'}"
        return f"either {listed((self._apart(p) for p in parts), 'or')}"

    def _apart(self, formula: Formula) -> str:
        text = self.clause(formula)
        return text if isinstance(formula, Literal | Equality) else f"({text})"

    def _some(self, variables: tuple[Parameter, ...], body: Formula, none: str = "") -> str:
        others, rest = _set_apart(variables, conjuncts(body), False)
        whom = listed(self._thing(v, others[v.name], not none) for v in variables)
        such = f" such that {self._all(rest)}" if rest else ""
        return f"there is {none}{whom}{such}"

    def _every(self, variables: tuple[Parameter, ...], body: Formula) -> str:
        if len(variables) == 1 and all(isinstance(p, Literal) and p.positive for p in _denied(body)):
            return self._some(variables, negate(body), "no ")
        others, rest = _set_apart(variables, body.parts if isinstance(body, Or) else (body,), True)
        whom = listed(f"every {self._thing(v, others[v.name], False)}" for v in variables)
        return f"for {whom}, {self.clause(disjoin(rest))}"

    def each(self, variables: tuple[Parameter, ...], condition: Formula) -> tuple[str, str]:
        """Whom an effect is about, "every tool Z other than K", and what must be so of them, if anything."""
        others, rest = _set_apart(variables, conjuncts(condition), False)
        whom = listed(f"every {self._thing(v, others[v.name], False)}" for v in variables)
        return whom, self._all(rest) if rest else ""

    def _thing(self, variable: Parameter, others: Sequence[str], with_article: bool) -> str:
        kind = noun(variable.types)
        but = f" other than {listed((self.term(o) for o in others), 'or')}" if others else ""
        return f"{article(kind) if with_article else kind} {self.term(variable.name)}{but}"


def _denied(body: Formula) -> list[Formula]:
    """What must not be, if the body must be: the conjuncts of its negation, but for inequalities."""
    return [p for p in conjuncts(negate(body)) if not (isinstance(p, Equality) and not p.positive)]


def _set_apart(
    variables: tuple[Parameter, ...], parts: Sequence[Formula], positive: bool
) -> tuple[dict[str, list[str]], list[Formula]]:
    """By variable, what it must not be, as (in)equalities of this sign say; and the other parts."""
    others: dict[str, list[str]] = {v.name: [] for v in variables}
    rest: list[Formula] = []
    for part in parts:
        if isinstance(part, Equality) and part.positive is positive and _bound(part, others) is not None:
            variable, other = _bound(part, others) or ("", "")
            others[variable].append(other)
        else:
            rest.append(part)
    return others, rest


def _bound(part: Equality, variables: Mapping[str, object]) -> tuple[str, str] | None:
    """The variable that is compared, and what with."""
    if part.left in variables:
        return part.left, part.right
    return (part.right, part.left) if part.right in variables else None
