"""Which steps an agent that only acts is never asked for, and how to say so.

Different parameters are different objects and none is a constant, unless the agent declares that the action
does not mind (`free_arguments`). Where states can be made up nothing is lost by that: an action is the same
for all objects. An agent that has to act its way to every state may be kept from some: then what is claimed
of reachable states is claimed of those that the other steps reach, and every claim says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.matching import all_different
from assay.core.query import Start
from assay.core.setting import Setting, fitting
from assay.core.symbols import Step
from assay.core.universe import Universe


@dataclass(frozen=True, slots=True)
class Confinement:
    """What steps may not name, if there are steps that do."""

    twice: bool = False
    """One object twice."""
    constants: bool = False
    actions: tuple[str, ...] = ()
    """In which actions, if not in all."""

    @classmethod
    def of(cls, setting: Setting) -> Confinement:
        profile = setting.profile
        if profile.start is Start.ANY:
            return UNCONFINED
        names = {c.name for c in profile.vocabulary.constants}
        twice, constants = list[str](), list[str]()
        for header in profile.vocabulary.actions:
            choices = [set(fit) for fit in fitting(profile, header, constants=True)]
            if header.name not in profile.free_arguments and all(choices):
                own = [fit - names for fit in choices]
                if any(fit & names for fit in choices):
                    constants.append(header.name)
                if sum(map(len, own)) > len(set[str]().union(*own)):
                    twice.append(header.name)
        some = sorted({*twice, *constants}) if profile.free_arguments else ()
        return cls(bool(twice), bool(constants), tuple(some))

    def __bool__(self) -> bool:
        return self.twice or self.constants

    @property
    def words(self) -> str:
        """What the steps are by which the agent was led, after "steps"; nothing if there are no others."""
        named = [
            *(["no thing twice"] if self.twice else []),
            *(["no constant"] if self.constants else []),
        ]
        where = f" in {' and '.join(self.actions)}" if self.actions else ""
        return f"that name {' and '.join(named)}{where}" if named else ""

    @property
    def by_steps(self) -> str:
        return f" by steps {self.words}" if self else ""


UNCONFINED = Confinement()
"""Any steps were taken that there are."""


def lacks_objects(setting: Setting, action: str) -> bool:
    """Whether no step of the action can be asked for, with the objects that there are."""
    profile = setting.profile
    if profile.new_objects:
        return False
    choices = setting.fitting(profile.vocabulary.action[action])
    either = action in profile.free_arguments or (setting.equality and profile.start is Start.ANY)
    return not all(choices) if either else all_different(choices) is None


def distinct_arguments(universe: Universe, step: Step) -> bool:
    """Whether the step's arguments and the constants are all different things."""
    constants = {c.name for c in universe.vocabulary.constants}
    return len(set(step.args)) == len(step.args) and constants.isdisjoint(step.args)
