"""Everything a strategy may know before the first answer: all inputs of a run but the agent itself.

A run is a deterministic function of its setting and the agent's answers; the journal's first line is the
setting, so a journal alone is enough to continue or to re-check a run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import prod
from typing import Any

from assay.core.fingerprint import hello_fingerprint
from assay.core.limits import check_size, check_symbols
from assay.core.query import Agent, Profile, Start, free_actions, offered_states
from assay.core.symbols import ActionHeader, Atom, Object
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

OFFERED = 200
"""How many of the agent's own situations are looked at."""
MOST_FREE = 20_000
"""Most steps, with any arguments that fit, for those to be taken that name a thing twice or a constant."""


@dataclass(frozen=True, slots=True)
class Aims:
    """What is wanted of an assessment with chance."""

    precision: float | None = None
    """Half the width that every interval may have at the end; None: as narrow as the samples allow."""
    confidence: float = 0.95
    refusals: bool = True
    """Whether the agent shows that a step was refused; else it looks like one that changed nothing."""

    def __post_init__(self) -> None:
        if self.precision is not None and not 0 < self.precision < 0.5:
            raise InputError(f"the precision must be between 0 and 0.5, not {self.precision:g}")
        if not 0.5 <= self.confidence < 1:
            raise InputError(f"the confidence must be at least 0.5 and less than 1, not {self.confidence:g}")


@dataclass(frozen=True)
class Setting:
    profile: Profile
    universe: Universe
    offered: tuple[State, ...] = ()
    strategy: str = "chain"
    seed: int = 0
    max_plan: int | None = None
    equality: bool = False
    planner: str = "builtin"
    traces: int = 0
    """How many entries at the beginning of the journal come from logs of the agent."""
    never: str = ""
    """States that must not be entered while asking, as a formula; nothing if there are none."""
    aims: Aims | None = None
    """None: the agent is taken to be deterministic, and asked about plans."""
    hello: str = ""
    """The fingerprint of what the agent declared."""
    opened: str = ""
    """The fingerprint of how it was opened, where it was opened by name."""

    @classmethod
    def of(
        cls,
        agent: Agent,
        *,
        strategy: str | None = None,
        seed: int = 0,
        max_plan: int | None = None,
        equality: bool = False,
        start: Start | str | None = None,
        new_objects: bool | None = None,
        planner: str = "builtin",
        never: str = "",
        aims: Aims | None = None,
    ) -> Setting:
        """The setting for an agent. `start` and `new_objects` may ask for less than the agent declares.

        Where questions may not start anywhere, new objects cannot be brought about either; the states offered
        are then the initial ones. The strategy is the one made for the start, if none is named; acting knows
        of no other states than those it comes to, so the start is then visited. Arguments that are the same
        object are of use only where states cannot be made up and the steps are not too many, and nothing is
        said about them beforehand if equality or chance is to be learned.
        """
        declared = Profile.of(agent)
        if start is not None and start not in list(Start):
            raise InputError(f"unknown start {str(start)!r}; there are {', '.join(Start)}")
        wanted = declared.start if start is None else Start(start)
        if strategy == "acting" and wanted is Start.ANY:
            if start is not None:
                raise InputError("strategy 'acting' starts where the agent has been: from visited or reset")
            wanted = Start.VISITED
        strength = [Start.RESET, Start.VISITED, Start.ANY]
        if strength.index(wanted) > strength.index(declared.start):
            raise InputError(f"the agent accepts start {declared.start.value!r}, not {wanted.value!r}")
        if new_objects and not declared.new_objects:
            raise InputError("the agent does not accept objects beyond its own")
        if max_plan is None:
            max_plan = getattr(agent, "max_plan", None)
        if max_plan is not None and max_plan < 1:
            raise InputError(f"the longest plan must have at least one step, not {max_plan}")
        anywhere = wanted is Start.ANY
        allowed = anywhere and (declared.new_objects if new_objects is None else new_objects)
        free = declared.free_arguments
        if anywhere or equality or aims is not None or _steps(declared) > MOST_FREE:
            free = frozenset()
        walks = declared.walks and anywhere and not never and aims is None
        profile = Profile(
            declared.vocabulary, declared.objects, wanted, allowed, free, walks, declared.tells_states
        )
        universe = Universe(profile.vocabulary, profile.objects)
        # an agent that could start anywhere counts its initial situation first; further ones it has acted
        # to come to, which would be executions that nobody counts
        alone = declared.start is Start.ANY and (wanted is not Start.ANY or aims is not None)
        offered = offered_states(agent, universe, 1 if alone else OFFERED)
        strategy = strategy or ("sampling" if aims is not None else "interrogate" if anywhere else "acting")
        return cls(
            profile,
            universe,
            offered,
            strategy,
            seed,
            max_plan,
            equality,
            planner,
            never=never,
            aims=aims,
            hello=hello_fingerprint(declared, bool(getattr(agent, "stochastic", False))),
        )

    def fitting(self, header: ActionHeader) -> list[list[str]]:
        """The agent's own objects that fit each parameter; constants only where arguments are free."""
        return fitting(self.profile, header, header.name in self.profile.free_arguments)

    def to_dict(self) -> dict[str, Any]:
        rest = {
            "traces": self.traces,
            "free_arguments": self.profile.free_declared,
            "walks": self.profile.walks,
            "tells_states": self.profile.tells_states,
            "never": self.never,
            "aims": self.aims and asdict(self.aims),
            "hello": self.hello,
            "opened": self.opened,
        }
        return {
            "assay": 1,
            "strategy": self.strategy,
            "seed": self.seed,
            "max_plan": self.max_plan,
            "equality": self.equality,
            "planner": self.planner,
            "start": self.profile.start.value,
            "new_objects": self.profile.new_objects,
            "vocabulary": self.profile.vocabulary.to_dict(),
            "objects": {o.name: o.type for o in self.profile.objects},
            "offered": [s.texts() for s in self.offered],
            **{name: value for name, value in rest.items() if value},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Setting:
        if data.get("assay") != 1:
            raise InputError(f"this is version {data.get('assay')!r} of the format; version 1 is understood")
        check_symbols(
            sum(len(v) for v in data["vocabulary"].values() if not isinstance(v, str)), len(data["objects"])
        )
        vocabulary = Vocabulary.of(**data["vocabulary"])
        objects = tuple(Object(n, t) for n, t in data["objects"].items())
        check_size(vocabulary, objects)
        universe = Universe(vocabulary, objects)
        return cls(
            Profile(
                vocabulary,
                objects,
                Start(data["start"]),
                bool(data["new_objects"]),
                free_actions(data.get("free_arguments", False), vocabulary),
                bool(data.get("walks", False)),
                bool(data.get("tells_states", False)),
            ),
            universe,
            tuple(universe.state(map(Atom.parse, texts)) for texts in data["offered"]),
            data["strategy"],
            data["seed"],
            data["max_plan"],
            data["equality"],
            data["planner"],
            data.get("traces", 0),
            data.get("never", ""),
            Aims(**data["aims"]) if "aims" in data else None,
            str(data.get("hello", "")),
            str(data.get("opened", "")),
        )


def fitting(profile: Profile, header: ActionHeader, constants: bool) -> list[list[str]]:
    """The agent's own objects that fit each parameter, with constants or without."""
    vocabulary = profile.vocabulary
    named = {c.name for c in vocabulary.constants}
    objects = [o for o in profile.objects if o.name not in named]
    if constants:
        objects += vocabulary.constants
    return [[o.name for o in objects if vocabulary.fits(o.type, p.types)] for p in header.parameters]


def cramped(places: Sequence[Collection[str]]) -> bool:
    """Whether there are too few objects for all parameters to be different ones."""
    return any(sum(set(other) <= set(place) for other in places) > len(place) for place in places)


def _steps(profile: Profile) -> int:
    """How many there are with any arguments that fit."""
    headers, free = profile.vocabulary.actions, profile.free_arguments
    return sum(prod(map(len, fitting(profile, header, header.name in free))) for header in headers)
