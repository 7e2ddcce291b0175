"""The rules of all capabilities, kept up with the experience, as something to plan with and to write down.

Rules are learned anew when something happens that they did not foresee. To plan, every rule has its likeliest
outcome. To be written as PPDDL a capability has one action: its precondition is the context of the rule that
most executions rest on, its outcomes are that rule's. Other rules and the noise are left out: PPDDL says
them only with conditional effects, or with several actions where the agent has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Step
from assay.core.universe import bits_of, indices
from assay.knowledge.experience import Experience
from assay.scoring.normal_form import normalised
from assay.strategies.chance.effect_sets import EffectSet
from assay.strategies.chance.partial_model import PartialModel
from assay.strategies.chance.rules import Rule, applicable, examples_of, fitted, learn_rules

Move = tuple[int, int, EffectSet | None]
"""A ground step under one rule: atoms needed, atoms forbidden, and what it most likely does."""


class Rulebook:
    def __init__(self, experience: Experience, steps: Mapping[str, Sequence[Step]]) -> None:
        self._experience, self._steps = experience, steps
        self._partial = PartialModel(experience)
        self._rules: dict[str, tuple[Rule, ...]] = dict.fromkeys(sorted(experience.capabilities), ())
        self._kinds: dict[str, set[tuple[int, int | None]]] = {name: set() for name in self._rules}
        """Which examples there were when the rules were last looked at, how often each aside."""
        self._executions = 0
        self._moves: dict[str, dict[Step, list[Move]]] = {}

    def update(self) -> None:
        """Takes in what has happened since."""
        if self._experience.samples == self._executions:
            return
        self._executions = self._experience.samples
        for name, capability in self._experience.capabilities.items():
            examples = examples_of(capability)
            fresh = examples.keys() - self._kinds[name]
            if any(not self._foreseen(name, before, after) for before, after in fresh):
                self._rules[name] = learn_rules(examples, len(capability.dossier.atoms))
                self._moves.pop(name, None)
            self._kinds[name] |= fresh

    def _foreseen(self, name: str, before: int, after: int | None) -> bool:
        rule = applicable(self._rules[name], before)
        if rule is None:
            return after is None
        return rule.foresees(before, after)

    def successors(self, bits: int) -> Iterator[tuple[Step, int]]:
        """Where steps lead there, each with its likeliest outcome; those likely refused are left out."""
        for _, steps in sorted(self._steps.items()):
            for step in steps:
                if (after := self.after(bits, step)) is not None:
                    yield step, after

    def after(self, bits: int, step: Step) -> int | None:
        """Where the step is most likely to lead; None if it is most likely refused."""
        known = self._moves.setdefault(step.action, {})
        if step not in known:
            known[step] = list(self._ground(step))
        for needed, forbidden, effects in known[step]:
            if bits & needed == needed and not bits & forbidden:
                return None if effects is None else effects.apply(bits)
        return None

    def _ground(self, step: Step) -> Iterator[Move]:
        positions = self._experience.universe.positions(step)

        def ground(mask: int) -> int:
            return bits_of(positions[index] for index in indices(mask))

        for rule in self._rules[step.action]:
            does = rule.likeliest
            effects = None if does is None else EffectSet(ground(does.add), ground(does.delete))
            yield ground(rule.true), ground(rule.false), effects

    def model(self) -> Model:
        found = []
        for name, capability in sorted(self._experience.capabilities.items()):
            examples, size = examples_of(capability), len(capability.dossier.atoms)
            rules = [rule for rule in fitted(self._rules[name], examples, size) if rule.likeliest is not None]
            if rules:
                found.append(self._action(name, max(rules, key=lambda rule: rule.ran)))
        return normalised(Model(self._experience.vocabulary, tuple(found)))

    def _action(self, name: str, rule: Rule) -> ActionModel:
        literals, ran = self._partial.literals, sum(p for _, p in rule.outcomes)
        outcomes = tuple(
            Outcome.plain(literals(name, effects.add, effects.delete), p / ran)
            for effects, p in rule.outcomes
            if p > 0
        )
        header = self._experience.capabilities[name].dossier.header
        return ActionModel.chance(header, literals(name, rule.true, rule.false), outcomes)
