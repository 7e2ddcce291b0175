"""A difference as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.quantity import count
from assay.report.difference import Change, Difference, Side

WITNESSES = 2
"""So many questions are told for each side; the others are listed by number."""
UNDECIDED = 20
"""So many literals that one of the two leaves open are told."""


def difference_text(found: Difference) -> str:
    lines = [f"first:  {found.first}", f"second: {found.second}", ""]
    if not found.differs:
        lines.append("Nothing differs.")
    lines += [f"- {sentence}" for sentence in (*found.vocabulary, *found.notes)]
    if found.vocabulary or found.notes:
        lines.append("")
    if found.changed:
        lines += [f"Changed: {count(len(found.changed), 'literal')}.", "", *_told(found.changed)]
    if found.undecided:
        lines.append(f"Settled in one, open in the other: {count(len(found.undecided), 'literal')}.")
        lines += ["", *_told(found.undecided[:UNDECIDED], brief=True)]
        if (left := len(found.undecided) - UNDECIDED) > 0:
            lines += [f"and {left} more; --json lists all of them.", ""]
    if found.open_in_both:
        lines.append(f"{count(found.open_in_both, 'literal')} open in both, and not compared.")
    return "\n".join(lines).rstrip() + "\n"


def _told(changes: Iterable[Change], brief: bool = False) -> Iterable[str]:
    for change in changes:
        yield f"{change.action}, {'before' if change.part == 'precondition' else 'afterwards'}: {change.fact}"
        for place, side in (("first", change.first), ("second", change.second)):
            yield f"  {place}:".ljust(11) + side.says
            if not brief:
                yield from _because(side)
        yield ""


def _because(side: Side) -> Iterable[str]:
    for witness in side.witnesses[:WITNESSES]:
        yield f"           - question {witness.question}: {witness.shows}"
    if rest := [str(w.question) for w in side.witnesses[WITNESSES:]]:
        yield f"           - also {'question' if len(rest) == 1 else 'questions'} {', '.join(rest)}"
