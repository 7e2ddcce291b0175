"""Which steps an agent that only acts is never asked for, and how to say so.

Different parameters are different objects and none is a constant, unless the agent declares that it does not
mind (`free_arguments`). Where states can be made up nothing is lost by that: an action is the same for all
objects. An agent that has to act its way to every state may be kept from some: then what is claimed of
reachable states is claimed of those that the other steps reach, and every claim says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.matching import all_different
from assay.core.query import Start
from assay.core.setting import Setting, fitting


@dataclass(frozen=True, slots=True)
class Confinement:
    """What steps may not name, if there are steps that do."""

    twice: bool = False
    """One object twice."""
    constants: bool = False

    @classmethod
    def of(cls, setting: Setting) -> Confinement:
        profile = setting.profile
        if profile.start is Start.ANY or profile.free_arguments:
            return UNCONFINED
        names = {c.name for c in profile.vocabulary.constants}
        twice = constants = False
        for header in profile.vocabulary.actions:
            choices = [set(fit) for fit in fitting(profile, header, constants=True)]
            if all(choices):
                own = [fit - names for fit in choices]
                constants |= any(fit & names for fit in choices)
                twice |= sum(map(len, own)) > len(set[str]().union(*own))
        return cls(twice, constants)

    def __bool__(self) -> bool:
        return self.twice or self.constants

    @property
    def words(self) -> str:
        """What the steps are by which the agent was led, after "steps"; nothing if there are no others."""
        named = [
            *(["no thing twice"] if self.twice else []),
            *(["no constant"] if self.constants else []),
        ]
        return f"that name {' and '.join(named)}" if named else ""

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
    either = profile.free_arguments or (setting.equality and profile.start is Start.ANY)
    return not all(choices) if either else all_different(choices) is None
