"""Effect sets from transitions, and their maximum likelihood (QACE Algorithm 1, lines 9 and 10).

A transition shows what changed. What it does not show are effects that were true already, so it stands for
every effect set between the changes it must have made and what holds afterwards. Transitions are merged into
few sets that explain all of them: those with most changes first, each one going to a set that explains it as
it is, else to the first one that can be widened to, else making a new one.

The probability of a set is the share of transitions it explains; a transition that several sets explain is
divided among them in proportion, until that settles (expectation maximisation, whose fixpoint here is the
maximum of the likelihood).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ROUNDS, SETTLED = 200, 1e-9


class EffectSet(NamedTuple):
    """What an outcome makes true and what it makes false, as masks of lifted atoms."""

    add: int = 0
    delete: int = 0

    def apply(self, values: int) -> int:
        return values & ~self.delete | self.add


class Change(NamedTuple):
    """The values of a capability's lifted atoms before and after one execution."""

    before: int
    after: int

    @property
    def made(self) -> EffectSet:
        """What the execution must have done."""
        return EffectSet(self.after & ~self.before, self.before & ~self.after)

    def explained_by(self, effects: EffectSet) -> bool:
        return effects.apply(self.before) == self.after


@dataclass(frozen=True)
class _Group:
    effects: EffectSet
    true: int
    false: int
    """Atoms that are true, and such that are false, after every transition of the group."""

    def widened(self, change: Change, full: int) -> _Group | None:
        """The group with one more transition, if one effect set explains all of it."""
        made = change.made
        add, delete = self.effects.add | made.add, self.effects.delete | made.delete
        true, false = self.true & change.after, self.false & full & ~change.after
        if add & ~true or delete & ~false:
            return None
        return _Group(EffectSet(add, delete), true, false)


def effect_sets(changes: Mapping[Change, int], size: int) -> list[EffectSet]:
    """Few effect sets that explain all transitions over so many lifted atoms."""
    full = (1 << size) - 1
    groups: list[_Group] = []
    order = sorted(changes, key=lambda c: (-(c.before ^ c.after).bit_count(), -changes[c], c.before, c.after))
    for change in order:
        if any(change.explained_by(group.effects) for group in groups):
            continue
        for number, group in enumerate(groups):
            if (wider := group.widened(change, full)) is not None and _keeps(groups, number, wider, order):
                groups[number] = wider
                break
        else:
            groups.append(_Group(change.made, change.after, full & ~change.after))
    return [group.effects for group in groups]


def _keeps(groups: Sequence[_Group], number: int, wider: _Group, order: Sequence[Change]) -> bool:
    """Whether every transition explained so far still is."""
    others = [g.effects for n, g in enumerate(groups) if n != number]
    old = groups[number].effects
    return all(
        c.explained_by(wider.effects) or any(c.explained_by(e) for e in others)
        for c in order
        if c.explained_by(old)
    )


def likeliest(changes: Mapping[Change, int], sets: Sequence[EffectSet]) -> list[float]:
    """The probabilities of the sets under which the transitions are likeliest; those explained by none do
    not count."""
    explained: dict[tuple[int, ...], int] = {}
    for change, count in changes.items():
        who = tuple(n for n, effects in enumerate(sets) if change.explained_by(effects))
        if who:
            explained[who] = explained.get(who, 0) + count
    total = sum(explained.values())
    if not total:
        return [1 / len(sets)] * len(sets)
    found = [1 / len(sets)] * len(sets)
    rounds = ROUNDS if any(len(who) > 1 for who in explained) else 1
    for _ in range(rounds):
        shares = [0.0] * len(sets)
        for who, count in explained.items():
            weight = sum(found[n] for n in who)
            for n in who:
                shares[n] += count * (found[n] / weight if weight else 1 / len(who))
        last, found = found, [share / total for share in shares]
        if max(abs(a - b) for a, b in zip(last, found, strict=True)) < SETTLED:
            break
    return found
