"""The section of an action: when it runs, what it does, and the entries that show each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.core.formula import TRUE, And, Formula, Or, conjoin, conjuncts
from assay.core.model import ActionModel
from assay.core.quantity import count
from assay.core.symbols import Atom, Literal
from assay.language.effects import effect_clauses
from assay.language.english import English, noun
from assay.language.lists import listed, references
from assay.language.strength import strength_sentences
from assay.learn.finding import LEVELS, Finding, FoundTerm, NotRealised, OtherObject, Status, TermLiteral
from assay.report.content import Block, Item, Items, Section, Text
from assay.report.contradiction import both_answers
from assay.report.overview import name_of, tries
from assay.result import Result

SHOWN = 3
"""Entries beside a literal, and patterns that could not be shown, that are named; the rest are counted."""


def action_sections(result: Result, english: English) -> Iterator[Section]:
    for finding in result.findings:
        blocks = tuple(_blocks(result, english, finding))
        yield Section(f"action-{finding.action}", name_of(english, finding), blocks)


def _blocks(result: Result, english: English, finding: Finding) -> Iterator[Block]:
    if finding.model is not None and finding.model.header.parameters:
        yield Text(f"For {english.things(finding.model.header.parameters)}. {_standing(finding)}")
    else:
        yield Text(_standing(finding, tries(result)[finding.action]))
    if finding.status is Status.CONTRADICTED:
        yield from both_answers(result, english, finding)
    elif finding.model is not None and finding.terms:
        yield from _model(english, finding.model, finding.status is Status.LEARNED)
        yield from _because(english, finding)
        yield from _left_out(english, finding)
    if finding.notes:
        yield Items.of(*finding.notes)


def _standing(finding: Finding, tried: int = 0) -> str:
    match finding.status:
        case Status.LEARNED:
            text = f"Strength {finding.strength}."
            if finding.level and finding.strength is not None and finding.level != LEVELS[finding.strength]:
                text += (
                    f" There are many facts here, so fewer were combined: {strength_sentences(finding.level)}"
                )
            return text
        case Status.NEVER_RAN:
            return (
                f"It was refused all {count(tried, 'time')} it was tried." if tried else "It was never tried."
            )
        case Status.CONTRADICTED:
            return "Two answers about the same situation contradict each other."
    return f"Not settled: {finding.trouble or 'it was not asked enough'}."


# ---- condition and effects


def _model(english: English, action: ActionModel, settled: bool) -> Iterator[Block]:
    so_far = "" if settled else ", as far as is known"
    yield from _condition(english, action.precondition, so_far)
    clauses = effect_clauses(english, action.effects)
    if clauses:
        rest = " Nothing else changes." if settled else ""
        if len(clauses) == 1:
            yield Text(f"**What it does{so_far}:** {clauses[0]}.{rest}")
        else:
            yield Text(f"**What it does{so_far}:** each of these.{rest}")
            yield Items.of(*clauses)
    else:
        yield Text(f"**What it does{so_far}:** nothing that the vocabulary can express.")


def _condition(english: English, condition: Formula, so_far: str) -> Iterator[Block]:
    if condition == TRUE:
        yield Text(f"**When it runs{so_far}:** always.")
        return
    points = tuple(_points(english, condition))
    if len(points) == 1 and not points[0].items:
        yield Text(f"**When it runs{so_far}:** if {points[0].text}.")
        return
    which = "at least one of these is so" if isinstance(condition, Or) else "all of these are so"
    yield Text(f"**When it runs{so_far}:** if {which}.")
    yield Items(points)


def _points(english: English, formula: Formula) -> Iterator[Item]:
    """The parts of a condition, an "or" within an "and" as a list below it."""
    if isinstance(formula, Or):
        for part in formula.parts:
            yield _part(english, part)
        return
    parts = conjuncts(formula)
    simple = [p for p in parts if not isinstance(p, Or)]
    for clause in english.clauses(simple):
        yield Item(clause)
    for part in (p for p in parts if isinstance(p, Or)):
        yield _part(english, part)


def _part(english: English, part: Formula) -> Item:
    if isinstance(part, And) and any(isinstance(p, Or) for p in part.parts):
        return Item("all of these:", tuple(_points(english, part)))
    if isinstance(part, Or) and not all(isinstance(p, Literal) for p in part.parts):
        return Item("at least one of these:", tuple(_points(english, part)))
    return Item(english.clause(part))


# ---- evidence


def _because(english: English, finding: Finding) -> Iterator[Block]:
    ways = finding.terms
    yield Text("**Because:**" if len(ways) == 1 else f"**Because** it runs in {len(ways)} ways:")
    items: list[Item] = []
    for term in ways:
        points = tuple(_evidence(english, finding, term))
        items += points if len(ways) == 1 else [Item(term_clause(english, finding, term), points)]
    yield Items(tuple(items))


def _evidence(english: English, finding: Finding, term: FoundTerm) -> Iterator[Item]:
    if term.runs:
        yield Item(f"it ran in {_entries(term.runs)}")
    for literal in term.literals:
        if literal.refusals:
            needed = literal_clause(english, finding.others, literal)
            yield Item(f"needed that {needed}: without just that, refused in {_entries(literal.refusals)}")


def _entries(entries: Sequence[int]) -> str:
    more = f" and {len(entries) - SHOWN} more" if len(entries) > SHOWN else ""
    return f"{references(entries[:SHOWN])}{more}"


def term_clause(english: English, finding: Finding, term: FoundTerm) -> str:
    facts = [Literal(x.literal.atom, x.positive) for x in term.literals if isinstance(x.literal, Literal)]
    others = [
        literal_clause(english, finding.others, x)
        for x in term.literals
        if not isinstance(x.literal, Literal)
    ]
    return listed([*english.clauses(facts), *others]) or "always"


def literal_clause(english: English, others: Sequence[OtherObject], literal: TermLiteral) -> str:
    if isinstance(literal.literal, Literal):
        return english.clause(Literal(literal.literal.atom, literal.positive))
    return other_clause(english, others[literal.literal], literal.positive)


def other_clause(english: English, other: OtherObject, positive: bool) -> str:
    """That some object beside the arguments has the profile, or that none has."""
    such = english.clause(conjoin(other.profile)) if other.profile else ""
    kind = f"{'another' if positive else 'no other'} {noun((other.type,))} Z"
    return f"there is {kind}{f' such that {such}' if such else ''}"


# ---- what could not be shown


def _left_out(english: English, finding: Finding) -> Iterator[Block]:
    if not finding.not_realised:
        return
    number = len(finding.not_realised)
    lead = f"**Not shown:** {count(number, 'pattern')} of facts, which the strength leaves out."
    told = [Item(_pattern(english, finding, n)) for n in finding.not_realised[:SHOWN]]
    if number > SHOWN:
        told.append(Item(f"and {number - SHOWN:,} more, in certificate.json"))
    yield Text(lead)
    yield Items(tuple(told))


def _pattern(english: English, finding: Finding, missing: NotRealised) -> str:
    said = [_spoken(english, finding, text) for text in (*missing.turned, *missing.pattern)]
    kind = "a refusal" if missing.turned else "a run"
    return f"{kind} where {listed(said) or 'nothing else is so'}: {missing.why}"


def _spoken(english: English, finding: Finding, text: str) -> str:
    """A literal as a certificate writes it."""
    if text in _AROUND:
        return _AROUND[text]
    bare = text.removeprefix("not ")
    positive = bare == text
    if bare.startswith("some ") and bare.removeprefix("some ").isdecimal():
        return other_clause(english, finding.others[int(bare.removeprefix("some "))], positive)
    return english.clause(Literal(Atom.parse(bare), positive))


_AROUND = {"crowded": "other objects are around", "bare": "no other object is around"}
