"""What a strength means for a reader: what was tried, what follows, and what would not have been found.

A class is (v, t, s): needed facts changed together, other facts beside a refusal, other facts beside a run.
docs/strength.md has the proof behind the sentences. This is the only place that words them.
"""

from __future__ import annotations

from assay.language.lists import listed

_WORDS = ("no", "one", "two", "three", "four", "five")

Class = tuple[int, int, int]


def limit_sentence(strength: int | None) -> str:
    """How far a "never" or a "cannot" reaches; without a certificate, the model as given."""
    return f"That is so {'of this model' if strength is None else as_far_as(strength)}."


def as_far_as(strength: int) -> str:
    return f"as far as strength {strength} tells"


def claim(strength: int | None) -> str:
    """What is claimed of a model, with its class named."""
    if strength is None:
        return "No strength is reached by all that ran, so nothing is claimed of the whole."
    return f"This is the only model at strength {strength} that gives these answers."


def tried(covered: Class) -> str:
    """What was done for the claim."""
    turned, beside, runs = covered
    text = f"Each fact that an action needs was changed by itself{_with(beside)}"
    if turned > 1:
        together = "every two" if turned == 2 else f"every {_word(turned)}"
        text += f", and {together} of them at once{_with(beside - 1)}"
    ran = f"It ran{_with(runs)}." if runs else "It was seen to run."
    return f"{text}: the action was refused. {ran}"


def rules_out(covered: Class) -> str:
    """What follows, in the terms of somebody who wonders what else might be."""
    turned, beside, runs = covered
    found = [_kept(beside)]
    if turned > 1:
        found.append("no exchange of two is overlooked")
    if runs:
        facts = "single other fact changes" if runs == 1 else f"{_word(runs)} other facts or fewer change"
        found.append(f"no {facts} what it needs or does")
    return f"So {listed(found)}{'' if runs else ', and nothing else is claimed'}."


def _kept(beside: int) -> str:
    if not beside:
        return "no fact listed below can simply be left out"
    facts = "single other fact" if beside == 1 else f"{_word(beside)} other facts together"
    return f"no {facts} can stand in for one that is needed"


def leaves_open(covered: Class) -> str:
    """What would not have been found."""
    turned, beside, runs = covered
    found = [f"{_several(beside + 1)} in for a needed one"]
    if beside:
        found.append(f"an action that runs once {_word(turned + 1)} needed facts are changed at once")
    if runs:
        found.append(f"{_word(runs + 1)} other facts that only together change what it needs or does")
    else:
        found.append("anything more that it needs or does in other situations")
    found.append("whatever no fact of the vocabulary shows")
    return f"Not found would be: {'; '.join(found)}."


def strength_sentences(covered: Class) -> str:
    return f"{tried(covered)} {rules_out(covered)} {leaves_open(covered)}"


def _word(number: int) -> str:
    return _WORDS[number] if number < len(_WORDS) else str(number)


def _with(beside: int) -> str:
    if beside <= 0:
        return ""
    return (
        " with every other fact tried both ways"
        if beside == 1
        else f" with any {_word(beside)} other facts tried every way"
    )


def _several(size: int) -> str:
    return "another fact that can stand" if size == 1 else f"{_word(size)} other facts that together stand"
