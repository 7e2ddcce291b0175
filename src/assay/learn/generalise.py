"""A run becomes a term: which of its facts does it need?

Facts are dropped one after the other: a fact goes if the action still runs with it turned round and all that was
dropped before set at random. Runs are free, so one question tries as many facts as it takes to meet a refusal; the
refusal keeps its fact. Contexts are random from the start, which alone exposes many disjunctions.
"""

from __future__ import annotations

from collections.abc import Generator

from assay.learn.bystander import find_harmful, find_needed
from assay.learn.evidence import Example
from assay.learn.features import Profile
from assay.learn.probe import BARE, Answers, Batch, Impossible, Probe, Prober, Steps

Plan = list[tuple[int, int | None]]
"""Facts in order, each with the number of the probe that decides it: None if a known refusal does, -1 if none can."""


def generalise(prober: Prober, example: Example) -> Steps:
    """Adds a term that the example satisfies.

    A chain begins with the example itself, without its other objects. If that is refused, the objects around
    matter: either the run needs some of its own, or those of other probes in the question forbid it.
    """
    hypothesis, own = prober.hypothesis, example.point.own
    needed: tuple[Profile, ...] = ()
    kept = dropped = 0
    order = _order(prober, own)
    trusting, tried = False, False
    while order or not tried:
        row = hypothesis.row_of(own, needed)
        plan, probes = _plan(prober, row, kept, dropped, order)
        leading = not tried or (not trusting and _may_lead(prober, own, needed, probes))
        if leading:
            free = dropped & hypothesis.features.shared
            probes.insert(0, Probe(own, needed, None, free, False, row >> hypothesis.features.width))
        answers = (yield Batch(probes, ordered=True)) if probes else {}
        if leading:
            if 0 not in answers:
                continue
            tried, first = True, answers[0]
            if not isinstance(first, Impossible) and not first.ran:
                known = hypothesis.width
                forbidden, needed = yield from _explain(prober, own, needed, example, first)
                trusting = forbidden is None and not needed
                kept |= forbidden or 0
                for number, feature in enumerate(hypothesis.quantified):
                    if any(map(feature.fits, needed)):
                        kept |= 1 << hypothesis.features.width + number
                order = [p for p in (*order, *range(known, hypothesis.width)) if not kept >> p & 1]
                continue
            answers = {number - 1: answer for number, answer in answers.items() if number}
            trusting = trusting or not answers  # nothing fitted into a question after it
        kept, dropped, done = _decide(plan, answers, kept, dropped)
        order = order[done:]
    hypothesis.terms.append((kept, hypothesis.row_of(own, needed) & kept))


def _may_lead(prober: Prober, own: int, needed: tuple[Profile, ...], probes: list[Probe]) -> bool:
    """Whether the example can come first: the probe after it wants the shared facts as the example leaves them."""
    if not probes:
        return False
    shared = prober.hypothesis.features.shared
    after = prober.hypothesis.predict(own, needed)
    return not ((own ^ after) & shared or (own ^ probes[0].own) & shared & ~probes[0].free)


def _explain(
    prober: Prober, own: int, needed: tuple[Profile, ...], example: Example, refusal: Example
) -> Generator[Batch, Answers, tuple[int | None, tuple[Profile, ...]]]:
    """Why the example was refused among other objects: a feature that must be false, or objects that it needs."""
    bare = yield from prober.ask_alone(own, needed)
    if bare is not None and bare.ran:
        harmful = yield from find_harmful(prober, own, needed, refusal.point.others)
        width = prober.hypothesis.features.width
        return None if harmful is None else 1 << width + harmful, needed
    if needed:
        return None, ()
    return None, (yield from find_needed(prober, own, example.point.others))


def _decide(plan: Plan, answers: Answers, kept: int, dropped: int) -> tuple[int, int, int]:
    """What is kept and dropped after these answers, and how many facts of the plan they decide."""
    for done, (place, number) in enumerate(plan):
        bit = 1 << place
        if number is None:
            kept |= bit
        elif number < 0:
            dropped |= bit
        elif number not in answers:
            return kept, dropped, done
        else:
            found = answers[number]
            if not isinstance(found, Impossible) and not found.ran:
                return kept | bit, dropped, done + 1
            dropped |= bit
    return kept, dropped, len(plan)


def _order(prober: Prober, own: int) -> list[int]:
    """Shared facts first, then those that no term names: most of these go, and what goes costs nothing."""
    hypothesis = prober.hypothesis
    named = 0
    for mask, _ in hypothesis.terms:
        named |= mask
    shared = hypothesis.features.shared
    order = list(range(hypothesis.width))
    prober.rng.shuffle(order)
    return sorted(order, key=lambda p: (not shared >> p & 1, named >> p & 1))


def _plan(prober: Prober, row: int, kept: int, dropped: int, order: list[int]) -> tuple[Plan, list[Probe]]:
    """For every fact the probe that decides it, if those before it run; None where a known refusal decides it."""
    hypothesis = prober.hypothesis
    full = (1 << hypothesis.width) - 1
    refused = [hypothesis.row(e) for e in hypothesis.evidence.refusals]
    plan: Plan = []
    probes: list[Probe] = []
    for place in order:
        bit = 1 << place
        fixed = full & ~dropped & ~bit
        if any((other ^ row) & fixed == 0 for other in refused):
            plan.append((place, None))
            continue
        target = row ^ bit
        if not prober.cautious:
            target = target & ~dropped | prober.rng.getrandbits(hypothesis.width) & dropped
        probe = prober.probe(target, BARE, None)
        if probe is None:
            plan.append((place, -1))
        else:
            free = hypothesis.features.shared & dropped
            plan.append((place, len(probes)))
            quantified = probe.quantified if hypothesis.quantified else None
            probes.append(Probe(probe.own, probe.others, None, free, False, quantified))
        dropped |= bit
    return plan, probes
