"""What a variable of a network depends on (DCDN Def. 14), for some setting of all the others.

That is direct dependence, a matter of the model alone: what happened plays no part. A change may also make a
difference by way of others; that is asked of two copies of the network that differ in nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.causal.encoding import Encoding
from assay.causal.formula import Formula, Var, Variable, substitute, variables
from assay.causal.minimal import minimal_sets
from assay.causal.network import Network
from assay.causal.structural import StructuralModel
from assay.causal.variables import Given
from assay.causal.words import Words, plain, said
from assay.language.lists import listed
from assay.language.strength import limit_sentence


@dataclass(frozen=True)
class Dependence:
    """Everything that a variable depends on directly."""

    variable: Variable
    end: int
    direct: tuple[Variable, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"variable": plain(self.variable), "depends_on": [plain(v) for v in self.direct]}

    def lines(self, words: Words) -> list[str]:
        whether = f"Whether {said(words, self.variable, True, self.end)}"
        if not self.direct:
            return [f"{whether} depends on nothing but the situation."]
        return [
            f"{whether} depends directly on whether",
            *(f"- {said(words, v, True, self.end)}" for v in self.direct),
        ]


@dataclass(frozen=True)
class Difference:
    """Whether one variable makes a difference to another, and in which setting of the others."""

    variable: Variable
    on: Variable
    end: int
    setting: tuple[tuple[Variable, bool], ...] | None
    """If it depends directly: the values of what else the variable looks at, few of them true."""
    indirect: bool
    """Whether it can make a difference, at least by way of others."""
    strength: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "variable": plain(self.variable),
            "on": plain(self.on),
            "direct": self.setting is not None,
            "indirect": self.indirect,
            "setting": [plain(v, value) for v, value in self.setting or ()],
            "strength": self.strength,
        }

    def lines(self, words: Words) -> list[str]:
        one, other = (said(words, v, True, self.end) for v in (self.variable, self.on))
        lead = f"whether {one} depends on whether {other}"
        if self.setting is not None:
            held = [said(words, v, value, self.end) for v, value in self.setting]
            when = f", for example where {listed(held)}" if held else ""
            return [f"Yes: {lead}, and directly{when}."]
        if self.indirect:
            return [f"Yes: {lead}, not directly, but by way of other variables."]
        return [
            f"No: it makes no difference to whether {one} whether {other}, in any situation.",
            limit_sentence(self.strength),
        ]


def depends(network: Network, variable: Variable) -> Dependence:
    """What the variable depends on directly: facts and decisions before it, and whether steps can run."""
    structure = network.structure
    parents = [v for v in structure.parents[variable] if not isinstance(v, Given)]
    direct = [v for v in parents if structure.depends(variable, v)]
    return Dependence(variable, network.end, tuple(sorted(direct, key=str)))


def difference(network: Network, variable: Variable, on: Variable, strength: int | None = None) -> Difference:
    """Whether `on` makes a difference to the variable, directly or by way of others."""
    structure = network.structure
    setting = structure.dependence(variable, on)
    told = None if setting is None else tuple(sorted(setting.items(), key=lambda pair: str(pair[0])))
    indirect = setting is not None or _matters(structure, variable, on)
    return Difference(variable, on, network.end, told, indirect, strength)


def _matters(structure: StructuralModel, variable: Variable, on: Variable) -> bool:
    """Whether, in some context, setting `on` one way or the other gives the variable different values."""
    ancestors = structure.ancestors([variable])
    if variable == on or on not in ancestors:
        return variable == on
    encoding = Encoding()
    for copy in (False, True):
        encoding.fix((on, copy), copy)

        def of_copy(formula: Formula, copy: bool = copy) -> Formula:
            inner = {v for v in variables(formula) if v in structure.functions or v == on}
            return substitute(formula, {v: Var((v, copy)) for v in inner})

        for v in structure.order:
            if v in ancestors and v != on:
                encoding.equate(encoding.number((v, copy)), encoding.literal(of_copy(structure.functions[v])))
    encoding.equate(encoding.number((variable, True)), -encoding.number((variable, False)))
    return next(minimal_sets(encoding, []), None) is not None
