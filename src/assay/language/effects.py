"""What an action does, in clauses: "`open(D)` becomes true", "if `wet` is true: `rusty(D)` becomes true"."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.formula import TRUE, Formula
from assay.core.model import Effect
from assay.core.symbols import Parameter
from assay.language.english import English
from assay.language.lists import listed

Key = tuple[tuple[Parameter, ...], Formula]


def effect_clauses(english: English, effects: Iterable[Effect]) -> list[str]:
    """One clause for all effects that happen under the same condition; unconditional ones first."""
    groups: dict[Key, list[Effect]] = {}
    for effect in sorted(effects, key=_order):
        groups.setdefault((effect.variables, effect.condition), []).append(effect)
    return [_clause(english, key, group) for key, group in groups.items()]


def _order(effect: Effect) -> tuple[object, ...]:
    return (
        [(v.name, v.types) for v in effect.variables],
        effect.condition != TRUE,
        str(effect.condition),
        not effect.literal.positive,
        effect.literal.atom,
    )


def _clause(english: English, key: Key, effects: list[Effect]) -> str:
    variables, condition = key
    becomes = listed(_becoming(english, effects))
    if not variables:
        return becomes if condition == TRUE else f"if {english.clause(condition)}: {becomes}"
    whom, such = english.each(variables, condition)
    return f"for {whom}{f' such that {such}' if such else ''}: {becomes}"


def _becoming(english: English, effects: list[Effect]) -> list[str]:
    told = []
    for positive, word in ((True, "true"), (False, "false")):
        literals = [e.literal for e in effects if e.literal.positive is positive]
        atoms = [english.atom(x.atom) for x in literals if not english.phrased(x)]
        if atoms:
            told.append(f"{listed(atoms)} {'become' if atoms[1:] else 'becomes'} {word}")
        lead = "it becomes so that" if positive else "it is no longer so that"
        told += [f"{lead} {english.atom(x.atom)}" for x in literals if english.phrased(x)]
    return told
