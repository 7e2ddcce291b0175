"""What a class of coverage means, in plain sentences; never more than was counted.

The claim behind the words (docs/strength.md has the proof): a model over the same features that gives all the
answers does not differ from this one throughout a *case* that was covered. A case fixes a term and at most s
other features (runs), or a term with one literal turned round and at most t others, or with two to v turned
round and at most t - 1 others (refusals).
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.proof.recount.coverage import Class

_NUMBERS = ("no", "one", "two", "three", "four")


def number(value: int) -> str:
    return _NUMBERS[value] if value < len(_NUMBERS) else str(value)


def shown(covered: Class) -> str:
    """What was seen."""
    turned, beside, runs = covered
    ways = ("", ", with every other fact both ways", f", with every pattern of {number(beside)} other facts")
    alone = f"Each fact that an action needs was turned round{ways[min(beside, 2)]}"
    together = ""
    if turned > 1:
        how = ways[min(beside - 1, 2)] if beside > 1 else ""
        pairs = "two" if turned == 2 else f"two to {number(turned)}"
        together = f"; so were any {pairs} of them together{how}"
    ran = {0: "it ran once for each term", 1: "it ran with every other fact both ways"}
    what = ran.get(runs, f"it ran with every pattern of {number(runs)} other facts")
    return f"{alone}{together}: it was refused. And {what}."


def excluded(covered: Class) -> str:
    """What follows."""
    turned, beside, runs = covered
    found = [f"runs with one of these facts turned round, {_whatever(beside)}"]
    if turned > 1:
        found.append(f"with two turned round, {_whatever(beside - 1)}")
    where = f", or does something else while this one runs, wherever {_certain(runs)}" if runs else ""
    return f"Ruled out is every other model over these facts that {', or '.join(found)}{where}."


def _whatever(beside: int) -> str:
    return "whatever else holds" if beside <= 0 else f"if {_certain(beside)}"


def _certain(size: int) -> str:
    if size == 1:
        return "one other fact is as it takes"
    return f"up to {number(size)} other facts are as it takes"


def left_open(covered: Class) -> str:
    """What does not."""
    turned, beside, runs = covered
    found = [_needs_more(runs), f"that {_together(beside + 1)} stand in for one that is needed"]
    if turned > 1:
        found.append(f"that {_together(max(1, beside))} stand in for two")
    else:
        found.append("that it runs with two needed facts turned round")
    if turned > 1:
        found.append(
            f"that it runs with {number(turned + 1)} or more needed facts turned round in every term"
        )
    found.append("that other objects matter in a way that is not listed")
    found.append("that something matters which no fact shows")
    return f"Not ruled out: {'; '.join(found)}."


def _needs_more(runs: int) -> str:
    if runs == 0:
        return "that it needs, or changes, more than the model says"
    return f"that {number(runs + 1)} or more other facts together change what it needs or does"


def _together(size: int) -> str:
    return "one other fact can" if size == 1 else f"{number(size)} other facts together can"


def joined(names: Iterable[str]) -> str:
    """a, b and c."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
