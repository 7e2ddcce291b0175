"""Whether two models say the same: run in the same states, and lead to the same states as likely.

Decided by SAT, action by action, for all states over the vocabulary, reachable or not: no invariant is
assumed. The arguments of a step are different objects and no constants; with `equality` every way to let them
coincide is looked at as well. Parameters are matched by position.

Guarantee: of actions without quantifiers the verdict is exact. Where there are quantifiers, states with up
to three objects of each kind besides the arguments and constants are looked at (see `settings`): a difference
that is found is one; one that takes more objects is not found.
"""

from __future__ import annotations

from assay.core.execution import Execution
from assay.core.model import Model
from assay.scoring.comparison import Comparison, Witness
from assay.scoring.settings import Setting, settings

_SIDES = "in the first model only", "in the second model only"


def differences(model: Model, truth: Model, equality: bool = False) -> list[str]:
    """What separates the models, each with a state in which it shows, in words; empty iff nothing does."""
    found = []
    for name in sorted(model.action.keys() | truth.action.keys()):
        if name not in model.action or name not in truth.action:
            found.append(f"{name} is only in the {'first' if name in model.action else 'second'} model")
            continue
        arities = [m.action[name].header.arity for m in (model, truth)]
        if arities[0] != arities[1]:
            found.append(f"{name} has {arities[0]} and {arities[1]} parameters")
            continue
        found += _of_action(model, truth, name, equality)
    return found


def _of_action(model: Model, truth: Model, name: str, equality: bool) -> list[str]:
    """One state of each kind: it runs in one model only, or leads elsewhere."""
    found: dict[str, str] = {}
    for setting in settings(model, truth, name, equality):
        comparison = compare(model, truth, setting)
        for side, kind in enumerate(_SIDES):
            if kind not in found and (witness := comparison.runs_only(side)) is not None:
                found[kind] = f"{name} runs {kind}{where(setting, witness)}"
        if "leads" not in found and (leads := comparison.leads_differently()) is not None:
            witness, first, second = leads
            how = _SIDES[second > first] if {first, second} == {0, 1} else _odds(first, second)
            found["leads"] = f"{name} leads to {becomes(setting, witness)} {how}{where(setting, witness)}"
    return list(found.values())


def _odds(first: float, second: float) -> str:
    return f"with probability {first:g} in the first model and {second:g} in the second"


def compare(model: Model, truth: Model, setting: Setting) -> Comparison:
    actions = [Execution(m, setting.universe).ground(setting.step) for m in (model, truth)]
    return Comparison(setting.universe.size, *actions)


def where(setting: Setting, witness: Witness) -> str:
    """The state of a witness in words, with the arguments called as in the action."""
    facts = [*setting.given, *sorted(setting.text(bit, v) for bit, v in witness.before.items())]
    return f" where {' '.join(facts)}" if facts else ""


def becomes(setting: Setting, witness: Witness) -> str:
    """The state after a transition in words."""
    return " ".join(sorted(setting.text(bit, value) for bit, value in witness.after.items()))
