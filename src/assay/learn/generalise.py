"""A run becomes a term: which of its facts does it need?

Facts are dropped one after the other: a fact goes if the action still runs with it turned round and all that was
dropped before set at random. Runs are free, so one question tries as many facts as it takes to meet a refusal; the
refusal keeps its fact. Contexts are random from the start, which alone exposes many disjunctions.
"""

from __future__ import annotations

from collections.abc import Generator

from assay.learn.bystander import needed_profile
from assay.learn.evidence import Example
from assay.learn.features import Profile
from assay.learn.probe import BARE, Answers, Batch, Impossible, Probe, Prober, Steps


def generalise(prober: Prober, example: Example) -> Steps:
    """Adds a term that the example satisfies.

    The example is first tried without its other objects, as the first of the chain; only if that is refused it is
    worth finding out which of them it needs.
    """
    hypothesis = prober.hypothesis
    kept = 0
    baseline = Probe(example.point.own)
    row = hypothesis.row_of(*example.point)
    dropped = row & ~hypothesis.own_mask
    order = _order(prober, row, kept)
    tried = not example.point.others
    while order or not tried:
        plan, probes = _plan(prober, row, kept, dropped, order)
        lead = [] if tried else [baseline]
        answers: Answers = {}
        if lead or probes:
            answers = yield Batch([*lead, *probes], ordered=True)
        if lead:
            if 0 not in answers:
                continue
            tried = True
            if isinstance(answers[0], Impossible) or not answers[0].ran:
                kept = (yield from _needed_others(prober, example)) << hypothesis.features.width
                row = hypothesis.row_of(*example.point)
                dropped = row & ~hypothesis.own_mask & ~kept
                order = _order(prober, row, kept)
                continue
            answers = {number - 1: answer for number, answer in answers.items() if number}
        kept, dropped, done = _decide(plan, answers, kept, dropped)
        order = order[done:]
    hypothesis.terms.append((kept, row & kept))


def _decide(
    plan: list[tuple[int, int | None]], answers: Answers, kept: int, dropped: int
) -> tuple[int, int, int]:
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


def _order(prober: Prober, row: int, kept: int) -> list[int]:
    """Shared facts first, then those that no term names: most of these go, and what goes costs nothing."""
    hypothesis = prober.hypothesis
    named = 0
    for mask, _ in hypothesis.terms:
        named |= mask
    width, shared = hypothesis.features.width, hypothesis.features.shared
    order = [p for p in range(hypothesis.width) if not kept >> p & 1 and (p < width or not row >> p & 1)]
    prober.rng.shuffle(order)
    return sorted(order, key=lambda p: (not shared >> p & 1, named >> p & 1))


def _plan(
    prober: Prober, row: int, kept: int, dropped: int, order: list[int]
) -> tuple[list[tuple[int, int | None]], list[Probe]]:
    """For every fact the probe that decides it, if those before it run; None where a known refusal decides it."""
    hypothesis = prober.hypothesis
    full = (1 << hypothesis.width) - 1
    refused = [hypothesis.row(e) for e in hypothesis.evidence.refusals]
    plan: list[tuple[int, int | None]] = []
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


def _needed_others(prober: Prober, example: Example) -> Generator[Batch, Answers, int]:
    """The quantified features that the run needs, as bits; new ones are introduced."""
    hypothesis = prober.hypothesis
    own, around = example.point.own, sorted(example.point.others)
    needed: list[Profile] = []
    while True:
        bare = yield from prober.ask_alone(own, needed)
        if bare is None or bare.ran or not around:
            break
        points = [(own, (*needed, *around[:n])) for n in range(len(around), -1, -1)]
        low, high = yield from prober.change_between(points)
        # with the first n objects it runs, with one less it does not: the n-th is needed
        needed.append(around[len(around) - high])
        around = around[: len(around) - high]
        del low
    bits = 0
    for number, profile in enumerate(needed):
        known = next((n for n, f in enumerate(hypothesis.quantified) if f.fits(profile)), None)
        if known is None:
            rest = tuple(needed[:number] + needed[number + 1 :])
            known = hypothesis.add_feature((yield from needed_profile(prober, own, rest, profile)))
        bits |= 1 << known
    return bits
