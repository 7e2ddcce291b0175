"""What the "Try it" part of the page draws: situations, plans and facts, all of them in words.

The browser sends atoms and steps as text and gets back what to show; it knows no PDDL and computes nothing.
Everything that comes from it is checked against the vocabulary, and what does not fit is an `InputError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from math import prod
from pathlib import Path
from typing import Any

import msgspec

from assay.causal.scope import Scope
from assay.causal.subject import load
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.quantity import count
from assay.core.setting import Setting
from assay.core.symbols import OBJECT, Atom, Literal, Object, Parameter, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.language.english import English, noun
from assay.planning.applicable import applicable_steps
from assay.proof.spelling import in_vocabulary
from assay.store.folder import MODEL

STEPS = 100
"""Longest plan."""
ATOMS = 5000
"""Largest situation."""
SHOWN = 240
"""So many facts are listed; the rest are reached by choosing objects."""
POSSIBLE = 60
"""So many steps that are possible next are offered."""
OFFERED = 12
"""So many of the agent's own situations are offered."""


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """What the browser sends."""

    state: list[str]
    plan: list[str] = []
    fact: str = ""
    """The fact in question, an atom."""
    time: int | None = None
    """After how many steps; the end of the plan by default."""
    value: bool = True
    """What the fact is set to, in a what-if."""
    goal: list[str] = []
    """Atoms, with a minus sign before those that must be false."""
    about: list[str] = []
    """Objects that the facts listed must mention."""


def parse(body: bytes) -> Asked:
    try:
        return msgspec.json.decode(body, type=Asked)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"The request was not understood: {error}") from error


@dataclass(frozen=True)
class World:
    """A model with objects to try it on."""

    model: Model
    universe: Universe
    offered: tuple[tuple[str, ...], ...]
    strength: int | None
    """What the certificate says of the model."""
    unsettled: Mapping[str, str]
    """Actions of which too little is known, and why."""
    scope: Scope
    """Of which steps the model speaks."""

    @classmethod
    def of(cls, folder: Path, setting: Setting) -> World:
        """The agent's own objects; two made up of every type where it has none."""
        if not (folder / MODEL).is_file():
            raise InputError("There is no model yet: it is written when the run ends.")
        found = load(folder)
        vocabulary = setting.profile.vocabulary
        model = in_vocabulary(found.model, vocabulary)
        distinct = dict.fromkeys(tuple(state.texts()) for state in setting.offered)
        return cls(
            model,
            Universe(vocabulary, setting.profile.objects or tuple(_made_up(vocabulary))),
            tuple(islice(distinct, OFFERED)),
            found.strength,
            found.unsettled,
            found.scope or Scope(),
        )

    @cached_property
    def english(self) -> English:
        return English(self.vocabulary)

    @property
    def vocabulary(self) -> Vocabulary:
        return self.universe.vocabulary

    def state(self, asked: Asked) -> State:
        if len(asked.state) > ATOMS:
            raise InputError(f"A situation may have at most {ATOMS} facts here.")
        return self.universe.state(map(Atom.parse, asked.state))

    def plan(self, asked: Asked) -> tuple[Step, ...]:
        if len(asked.plan) > STEPS:
            raise InputError(f"A plan may have at most {STEPS} steps here.")
        plan = tuple(map(Step.parse, asked.plan))
        for step in plan:
            self.universe.check_step(step)
            if step.action not in self.model.action:
                raise InputError(
                    f"Nothing is known yet of {step.action!r}: the agent was never seen to do it."
                )
            if not self.scope.covers(self.universe, step):
                raise InputError(f"{step}: the model speaks of different things in different places only.")
        return plan

    def fact(self, text: str) -> Atom:
        atom = Atom.parse(text)
        self.universe.index(atom)  # checks it
        return atom

    def goal(self, asked: Asked) -> list[Literal]:
        if not 0 < len(asked.goal) <= STEPS:
            raise InputError("Choose at least one fact for the goal.")
        return [Literal(self.fact(text.removeprefix("-")), not text.startswith("-")) for text in asked.goal]

    def time(self, asked: Asked, plan: tuple[Step, ...]) -> int:
        time = len(plan) if asked.time is None else asked.time
        if not 0 <= time <= len(plan):
            raise InputError(f"The plan has {count(len(plan), 'step')}: there is no moment {time}.")
        return time


def describe_world(world: World) -> dict[str, Any]:
    """What can be chosen from: objects, actions, and the agent's own situations."""
    vocabulary, fits = world.vocabulary, world.vocabulary.fits
    constants = {c.name for c in vocabulary.constants}
    common = frozenset(world.offered[0]).intersection(*world.offered) if world.offered[1:] else frozenset()

    def parameter(p: Parameter, free: bool) -> dict[str, Any]:
        return {
            "name": p.name.removeprefix("?"),
            "noun": noun(p.types),
            "objects": [
                o.name
                for o in world.universe.objects
                if (free or o.name not in constants) and fits(o.type, p.types)
            ],
        }

    return {
        "agent": vocabulary.name,
        "objects": [{"name": o.name, "noun": noun((o.type,))} for o in world.universe.objects],
        "actions": [
            {
                "name": header.name,
                "words": world.english.action(header),
                "known": header.name in world.model.action,
                "repeats": world.scope.equality or header.name in world.scope.free,
                "parameters": [parameter(p, header.name in world.scope.free) for p in header.parameters],
            }
            for header in vocabulary.actions
        ],
        "offered": [
            {"atoms": atoms, "words": _title(world.english, atoms, common)} for atoms in world.offered
        ],
    }


def describe_scene(world: World, asked: Asked) -> dict[str, Any]:
    """What a plan does from a situation, moment by moment, and the facts to click on at one of them."""
    plan, state = world.plan(asked), world.state(asked)
    time = world.time(asked, plan)
    execution = Execution(world.model, world.universe)
    bits = [state.bits]
    for step in plan:
        after = execution.apply(bits[-1], step)
        if after is None:
            break
        bits.append(after)
    ran = len(bits) - 1
    moment = min(time, ran)
    shown, more = _facts(world, asked.about, bits)
    index = world.universe.index
    possible = list(islice(applicable_steps(world.model, world.universe, bits[-1]), POSSIBLE + 1))
    return {
        "ran": ran,
        "time": moment,
        "plan": [
            {"text": s.text, "words": sentence(world.english.step(s)), "ran": n < ran, "refused": n == ran}
            for n, s in enumerate(plan)
        ],
        "facts": [
            {
                "atom": atom.text,
                "holds": holds,
                "words": world.english.clause(Literal(atom, holds)),
                "opposite": world.english.clause(Literal(atom, not holds)),
                "changed": bool(moment) and bool((bits[moment] ^ bits[moment - 1]) >> index(atom) & 1),
            }
            for atom in shown
            for holds in (bool(bits[moment] >> index(atom) & 1),)
        ],
        "more": more,
        "state": world.universe.texts(bits[moment]),
        "possible": [{"text": s.text, "words": sentence(world.english.step(s))} for s in possible[:POSSIBLE]],
        "possible_more": len(possible) > POSSIBLE,
    }


def _facts(world: World, about: list[str], bits: list[int]) -> tuple[list[Atom], int]:
    """The facts to list, in the order of the vocabulary, and how many are left out."""
    chosen = {world.universe.object(name).name for name in about}
    ever = 0
    for mask in bits:
        ever |= mask
    true = [a for a in world.universe.atoms(ever) if chosen <= set(a.args)]
    total = 0
    listed: dict[Atom, None] = dict.fromkeys(sorted(true)[:SHOWN])
    for predicate in world.vocabulary.predicates:
        places = _places(world, predicate.parameters)
        size = prod(map(len, places))
        total += size
        if size <= 20_000:
            for args in product(*places):
                if len(listed) >= SHOWN and not chosen:
                    break
                if chosen <= set(args):
                    listed.setdefault(Atom(predicate.name, args))
    kept = list(islice(listed, SHOWN))
    order = {p.name: i for i, p in enumerate(world.vocabulary.predicates)}
    kept.sort(key=lambda a: (order[a.predicate], a.args))
    left_out = len(listed) - len(kept) if chosen else total - len(kept)
    return kept, max(0, left_out)


def _places(world: World, parameters: tuple[Parameter, ...]) -> list[list[str]]:
    fits = world.vocabulary.fits
    return [[o.name for o in world.universe.objects if fits(o.type, p.types)] for p in parameters]


def _title(english: English, atoms: tuple[str, ...], common: frozenset[str]) -> str:
    """A few facts that tell the situation from the others, for a menu."""
    telling = [a for a in atoms if a not in common]
    said = [english.atom(Atom.parse(a)) for a in telling[:3]]
    more = f" and {len(atoms) - len(said)} more" if len(atoms) > len(said) else ""
    return (", ".join(said) or "nothing is true") + more


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _made_up(vocabulary: Vocabulary) -> Iterator[Object]:
    """Two objects of every type that has no type below it."""
    inner = {parent for t in vocabulary.types for parent in t.parents}
    leaves = [t.name for t in vocabulary.types if t.name not in inner] or [OBJECT]
    for name in leaves:
        for number in (1, 2):
            yield Object(f"{name}-{number}", name)
