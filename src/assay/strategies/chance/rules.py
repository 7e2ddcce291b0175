"""Noisy deictic rules (Pasula, Zettlemoyer and Kaelbling 2007), and a search for those that explain best.

A rule of a capability has a context, literals over the capability's parameters, and outcomes with their
probabilities; one of the outcomes is being refused, and what is left is noise, anything at all. A capability
has a list of rules. In a state the first one whose context holds applies, and where none does, the default
rule, which is all refusal and noise. Capabilities name every object that they touch, so that rules refer
to no others.

Rules are scored as in that paper: the log likelihood of all examples, less a penalty per literal of contexts
and outcomes. The search adds one rule after the other. A rule begins as specific as it can be, with all that
the examples it is meant to explain have in common, and loses literals, and gains some back, as long as the
score rises; it stays if the list is better with it. In the end rules are parted in two where that helps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from assay.knowledge.experience import Capability
from assay.strategies.chance.effect_sets import Change, EffectSet, effect_sets, likeliest

PENALTY = 0.5
"""Of a literal, in nats."""
NOISE, UNLIKELY = 1e-3, 1e-6
"""Probability left to noise, and of any one thing that happens by noise."""
SEEDS = 3
"""Examples not yet explained that a new rule is grown from, the most frequent ones."""
MOST_RULES = 4

Examples = Mapping[tuple[int, int | None], int]
"""How often which valuation followed upon which; None: a refusal."""


@dataclass(frozen=True, slots=True)
class Rule:
    true: int
    false: int
    """The context: lifted atoms that hold, and that do not."""
    outcomes: tuple[tuple[EffectSet, float], ...] = ()
    refused: float = 0.0
    ran: int = 0
    """Executions that it rests on."""

    def covers(self, values: int) -> bool:
        return values & self.true == self.true and not values & self.false

    def probability(self, before: int, after: int | None) -> float:
        if after is None:
            return max(self.refused * (1 - NOISE), UNLIKELY)
        known = sum(p for effects, p in self.outcomes if effects.apply(before) == after)
        return max(known * (1 - NOISE), UNLIKELY)

    def foresees(self, before: int, after: int | None) -> bool:
        """Whether it is more than noise."""
        return self.probability(before, after) > UNLIKELY

    @property
    def literals(self) -> int:
        effects = sum((e.add | e.delete).bit_count() for e, _ in self.outcomes)
        return (self.true | self.false).bit_count() + effects

    @property
    def likeliest(self) -> EffectSet | None:
        """What it is most likely to do; None if it is most likely refused."""
        effects, chance = max(self.outcomes, key=lambda o: o[1], default=(EffectSet(), 0.0))
        return None if self.refused >= chance else effects


def examples_of(capability: Capability) -> dict[tuple[int, int | None], int]:
    found: dict[tuple[int, int | None], int] = {
        (before, after): count
        for before, counts in capability.runs.items()
        for after, count in counts.items()
    }
    for values, count in capability.refusals.items():
        found[values, None] = count
    return found


def applicable(rules: Iterable[Rule], values: int) -> Rule | None:
    """The rule that applies, None for the default one."""
    return next((rule for rule in rules if rule.covers(values)), None)


def learn_rules(examples: Examples, size: int) -> tuple[Rule, ...]:
    """A list of rules for one capability over so many lifted atoms."""
    rules: list[Rule] = []
    best = _score(rules, examples)
    while len(rules) < MOST_RULES:
        grown = [_polish(rule, rules, examples, size) for rule in _specific(rules, examples, size)]
        candidates = [([*rules, rule], _score([*rules, rule], examples)) for rule in grown]
        if not candidates:
            break
        better, score = max(candidates, key=lambda c: c[1])
        if score <= best + 1e-9:
            break
        rules, best = better, score
    while (parted := max(_parted(rules, examples, size), key=lambda p: p[1], default=None)) is not None:
        if parted[1] <= best + 1e-9:
            break
        rules, best = parted
    return tuple(rules)


def _parted(rules: Sequence[Rule], examples: Examples, size: int) -> Iterator[tuple[list[Rule], float]]:
    """The list with one rule parted into two by an atom, and its score."""
    for place, rule in enumerate(rules if len(rules) < MOST_RULES else ()):
        for index in range(size):
            bit = 1 << index
            if not (rule.true | rule.false) & bit:
                halves = (Rule(rule.true | bit, rule.false), Rule(rule.true, rule.false | bit))
                better = fitted([*rules[:place], *halves, *rules[place + 1 :]], examples, size)
                if all(half.ran for half in better):
                    yield better, _score(better, examples)


def fitted(rules: Sequence[Rule], examples: Examples, size: int) -> list[Rule]:
    """The rules with probabilities from these examples."""
    found: list[Rule] = []
    for rule in rules:
        left = {key: n for key, n in examples.items() if applicable(found, key[0]) is None}
        found.append(_fitted(rule, left, size))
    return found


def _specific(rules: Sequence[Rule], examples: Examples, size: int) -> Iterator[Rule]:
    """Contexts of what runs and no rule covers: what all of it has in common, and the most frequent alone."""
    frequency: Counter[int] = Counter()
    for (before, after), count in examples.items():
        if after is not None and applicable(rules, before) is None:
            frequency[before] += count
    if not frequency:
        return
    full = (1 << size) - 1
    true, false = full, full
    for values in frequency:
        true &= values
        false &= ~values
    contexts = {(true, false)}
    ranked = sorted(frequency, key=lambda values: (-frequency[values], values))
    contexts.update((values, full & ~values) for values in ranked[:SEEDS])
    for true, false in sorted(contexts, key=lambda c: ((c[0] | c[1]).bit_count(), c)):
        yield Rule(true, false)


def _polish(rule: Rule, rules: Sequence[Rule], examples: Examples, size: int) -> Rule:
    """The rule after single literals were dropped, or added, as long as that helped."""
    free = {key: n for key, n in examples.items() if applicable(rules, key[0]) is None}
    rule = _fitted(rule, free, size)
    best = _score([rule], free)
    while True:
        changed = [_fitted(other, free, size) for other in _neighbours(rule, size)]
        scored = [(round(_score([other], free), 9), other) for other in changed if other.ran]
        # where two literals explain the same, the positive one stays
        top = max(scored, key=lambda s: (s[0], s[1].true.bit_count(), -s[1].true, -s[1].false), default=None)
        if top is None or top[0] <= best + 1e-9:
            return rule
        best, rule = top


def _neighbours(rule: Rule, size: int) -> Iterator[Rule]:
    for index in range(size):
        bit = 1 << index
        if (rule.true | rule.false) & bit:
            yield Rule(rule.true & ~bit, rule.false & ~bit)
        elif rule.ran:
            yield Rule(rule.true | bit, rule.false)
            yield Rule(rule.true, rule.false | bit)


def _fitted(rule: Rule, examples: Examples, size: int) -> Rule:
    """The context with the outcomes that explain what it covers."""
    changes: dict[Change, int] = {}
    refused = 0
    for (before, after), count in examples.items():
        if rule.covers(before):
            if after is None:
                refused += count
            else:
                changes[Change(before, after)] = count
    ran = sum(changes.values())
    if not ran:
        return Rule(rule.true, rule.false, (), 1.0, 0)
    sets = effect_sets(changes, size)
    share = ran / (ran + refused)
    outcomes = tuple((e, p * share) for e, p in zip(sets, likeliest(changes, sets), strict=True))
    return Rule(rule.true, rule.false, outcomes, 1 - share, ran)


def _score(rules: Sequence[Rule], examples: Examples) -> float:
    left: Counter[bool] = Counter()
    score = -PENALTY * sum(rule.literals for rule in rules)
    for (before, after), count in examples.items():
        rule = applicable(rules, before)
        if rule is None:
            left[after is None] += count
        else:
            score += count * log(rule.probability(before, after))
    refused, ran = left[True], left[False]
    if refused:
        score += refused * log(refused / (refused + ran))
    if ran:
        score += ran * log(max(UNLIKELY, ran / (refused + ran) * UNLIKELY))
    return score
