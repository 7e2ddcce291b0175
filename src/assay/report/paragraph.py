"""The paragraph about an action, cut so that each literal in it can be pointed at.

The text is the one of the description; the literals are found in it in the order in which they are said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.core.model import ActionModel
from assay.core.symbols import Atom
from assay.knowledge.dossier import Claim, Part
from assay.report.describe import OPEN_SECTION, action_paragraph, effect_clauses, in_order
from assay.report.phrase import enumeration
from assay.report.reach import Alternatives
from assay.report.supposed import settled_part
from assay.report.words import Speaker


@dataclass(frozen=True, slots=True)
class Mention:
    """A literal in a sentence."""

    text: str
    key: str
    """The key of its point."""
    part: str


Keys = Mapping[tuple[Part, Atom], str]


def paragraph(
    speaker: Speaker,
    action: ActionModel,
    claims: list[Claim],
    keys: Keys,
    others: Alternatives | None = None,
) -> tuple[str | Mention, ...]:
    rest = action_paragraph(speaker, action, claims, others)[0].removesuffix(f' See "{OPEN_SECTION}".')
    pieces: list[str | Mention] = []
    for text, part, atom in _said(speaker, settled_part(action, claims)[0]):
        before, found, after = rest.partition(text)
        if not found or (part, atom) not in keys:
            continue
        pieces += [before, Mention(text, keys[part, atom], part.value)]
        rest = after
    return tuple(p for p in (*pieces, rest) if p)


def _said(speaker: Speaker, action: ActionModel) -> list[tuple[str, Part, Atom]]:
    """The clauses of the paragraph, in its order: names are introduced at first mention."""
    names = speaker.names(action.header.name)
    speaker.action(action.header.name, names)
    said = [
        (speaker.clause(literal, names), Part.PRECONDITION, literal.atom)
        for literal in in_order(speaker, action, action.needed)
    ]
    for pair in sorted(action.distinct):
        text = f"{enumeration([names.say(x) for x in pair])} must be different"
        said.append((text, Part.PRECONDITION, Atom("=", pair)))
    for outcome in action.outcomes:
        literals = in_order(speaker, action, outcome.literals)
        clauses = effect_clauses(speaker, action, literals, names)
        said += [(c, Part.EFFECT, x.atom) for c, x in zip(clauses, literals, strict=True)]
    return said
