"""What a class of coverage means, in plain sentences; never more than was counted.

The claim behind the words (docs/strength.md has the proof): a model over the same features that gives all the
answers does not differ from this one throughout a *case* that was covered. A case fixes a term and at most s
other features (runs), or a term with one literal turned round and at most t others, or with two to v turned
round and at most t - 1 others (refusals).
"""

from __future__ import annotations

from assay.proof.recount.coverage import Class

_NUMBERS = ("no", "one", "two", "three", "four")


def number(value: int) -> str:
    return _NUMBERS[value] if value < len(_NUMBERS) else str(value)


def shown(covered: Class) -> str:
    """What was seen."""
    turned, beside, runs = covered
    text = f"Each fact that an action needs was turned round by itself{_with(beside)}"
    if turned > 1:
        text += f", and every two of them together{_with(beside - 1)}"
    ran = f"it ran{_with(runs)}" if runs else "it ran once for each way to run"
    return f"{text}: it was refused. And {ran}."


def _with(beside: int) -> str:
    known = {0: "", 1: " with every other fact both ways"}
    return known.get(beside, f" with every pattern of {number(beside)} other facts")


def excluded(covered: Class) -> str:
    """What follows."""
    turned, beside, runs = covered
    text = f"runs if one needed fact is missing{_unless(beside)}"
    if turned > 1:
        text += f", or if two are missing{_unless(beside - 1)}"
    if runs:
        others = "another fact is" if runs == 1 else f"up to {number(runs)} other facts are"
        text += f"; or that refuses, or does something else, where this one runs and {others} as it takes"
    return f"Ruled out is any model over the same facts that also {text}."


def _unless(beside: int) -> str:
    if beside <= 0:
        return ""
    return f" and up to {number(beside)} other fact{'s' if beside > 1 else ''} can stand in"


def left_open(covered: Class) -> str:
    """What does not."""
    turned, beside, runs = covered
    found = [f"{_together(beside + 1)} in for a needed one"]
    if turned > 1:
        found.append(f"{_together(max(1, beside))} in for two")
    found.append(f"it runs with {number(turned + 1)} or more needed facts missing")
    if runs:
        found.append(f"{number(runs + 1)} or more other facts together change what it needs or does")
    else:
        found.append("it needs more than the model says, or does more in other situations")
    found.append("other objects matter in a way that is not listed")
    found.append("something matters that no fact shows")
    return f"Not ruled out is that {'; that '.join(found)}."


def _together(size: int) -> str:
    return "one other fact stands" if size == 1 else f"{number(size)} other facts together stand"
