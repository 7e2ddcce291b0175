"""A separation task as PDDL text, for planners that take conditional effects and disjunctions.

Every predicate comes twice, with the suffix -i or -j for the model whose copy it is; the refined one a
third time with -u. What may fill a parameter is said by unary predicates, because a plan must keep
constants out of arguments and not every planner reads "either"; objects are numbered, because PDDL does
not tell upper from lower case.
"""

from __future__ import annotations

from itertools import combinations

from assay.core.symbols import Atom, Step
from assay.core.universe import indices
from assay.planning.abstract import AbstractAction
from assay.planning.distinguish import Separation


class SeparationText:
    """The domain and problem of a task, and the way back from plan lines to steps."""

    def __init__(self, task: Separation) -> None:
        self._task = task
        self._vocabulary = task.universe.vocabulary
        constants = [c.name for c in self._vocabulary.constants]
        mentioned = {name for atom in task.situation.state for name in atom.args}
        names = dict.fromkeys([*constants, *sorted({o.name for o in task.situation.objects} | mentioned)])
        self._number = {name: f"o{n}" for n, name in enumerate(names)}
        self._name = {number: name for name, number in self._number.items()}
        self._constants = constants
        places = [p.types for a in task.model for p in self._vocabulary.action[a].parameters]
        self._fits = {types: f"fits{n}" for n, types in enumerate(dict.fromkeys(places))}

    def domain(self) -> str:
        lines = ["(define (domain separation)", "(:requirements :adl)"]
        if self._constants:
            lines.append(f"(:constants {' '.join(self._number[c] for c in self._constants)})")
        lines.append("(:predicates (psi)")
        for predicate in self._vocabulary.predicates:
            variables = "".join(f" ?x{n}" for n in range(predicate.arity))
            copies = "iju" if predicate.name == self._task.predicate else "ij"
            lines.append("  " + " ".join(f"({predicate.name}-{copy}{variables})" for copy in copies))
        lines += [f"  ({name} ?x)" for name in self._fits.values()]
        lines.append(")")
        lines += [self._action(name, abstract) for name, abstract in self._task.model.items()]
        return "\n".join([*lines, ")"]) + "\n"

    def problem(self) -> str:
        task, fits = self._task, self._vocabulary.fits
        rest = [n for name, n in self._number.items() if name not in self._constants]
        lines = [
            "(define (problem separate)",
            "(:domain separation)",
            f"(:objects {' '.join(rest)})",
            "(:init",
        ]
        for atom in sorted(task.situation.state):
            lines += [f"  {self._ground(atom, copy)}" for copy in "ij"]
        for types, name in self._fits.items():
            lines += [
                f"  ({name} {self._number[o.name]})"
                for o in task.situation.objects
                if o.name not in self._constants and fits(o.type, types)
            ]
        lines += [")", f"(:goal {self._goal()})", ")"]
        return "\n".join(lines) + "\n"

    def step(self, line: str) -> Step:
        """The step that a line of a plan names."""
        action, *args = line.strip().strip("()").split()
        names = {name.lower(): name for name in self._task.model}
        return Step(names[action], tuple(self._name[a] for a in args))

    def _ground(self, atom: Atom, copy: str) -> str:
        args = "".join(f" {self._number[a]}" for a in atom.args)
        return f"({atom.predicate}-{copy}{args})"

    def _lifted(self, atom: Atom, copy: str) -> str:
        args = "".join(f" {self._number.get(a, a)}" for a in atom.args)
        return f"({atom.predicate}-{copy}{args})"

    def _goal(self) -> str:
        predicate = self._vocabulary.predicate[self._task.predicate]
        variables = [f"?x{n}" for n in range(predicate.arity)]
        left, right = (f"({' '.join([f'{predicate.name}-{copy}', *variables])})" for copy in "ij")
        differ = [f"(and {left} (not {right}))", f"(and (not {left}) {right})"]
        if variables:
            differ = [f"(exists ({' '.join(variables)}) {d})" for d in differ]
        return f"(or (psi) {' '.join(differ)})"

    def _action(self, name: str, abstract: AbstractAction) -> str:
        header = self._vocabulary.action[name]
        first, second = (self._precondition(name, abstract, side) for side in (0, 1))
        names = [p.name for p in header.parameters]
        always = [f"({self._fits[p.types]} {p.name})" for p in header.parameters]
        always += [f"(not (= {x} {y}))" for x, y in combinations(names, 2)]
        both = _and([first, second])
        effects = [
            f"(when {both} {_and(changes)})" for changes in (self._changes(name, abstract),) if changes
        ]
        effects += [
            f"(when {_and([both, *when])} {_and(c)})" for when, c in self._slot_changes(name, abstract)
        ]
        if first != second:
            effects += [
                f"(when (and {one} (not {other})) (psi))" for one, other in ((first, second), (second, first))
            ]
        return "\n".join(
            [
                f"(:action {name}",
                f" :parameters ({' '.join(names)})",
                f" :precondition {_and([*always, f'(or {first} {second})'])}",
                f" :effect {_and(effects)})",
            ]
        )

    def _precondition(self, name: str, abstract: AbstractAction, side: int) -> str:
        """What one of the two models asks of its copy."""
        atoms, slot, copy = self._vocabulary.lifted_atoms(name), self._task.refinement, "ij"[side]
        refined = name == slot.action
        parts = [self._lifted(atoms[n], copy) for n in indices(abstract.need_true)]
        parts += [f"(not {self._lifted(atoms[n], copy)})" for n in indices(abstract.need_false)]
        if refined and not slot.effect:
            if (mode := slot.modes[side]) != "0":
                literal = self._lifted(atoms[slot.atom], copy)
                literal = literal if mode == "+" else f"(not {literal})"
                parts.append(f"(or {literal} {self._lifted(atoms[slot.atom], 'u')})")
        else:
            blank = indices(abstract.blank & (1 << slot.atom)) if refined else indices(abstract.blank)
            parts += [
                self._lifted(atoms[n], "u") for n in blank if atoms[n].predicate == self._task.predicate
            ]
        return _and(parts)

    def _changes(self, name: str, abstract: AbstractAction) -> list[str]:
        """Effects common to both models, on both copies, and what becomes of p_u."""
        atoms, predicate = self._vocabulary.lifted_atoms(name), self._task.predicate
        slot = self._task.refinement
        own = slot.atom if slot.effect and slot.action == name else None
        found = []
        for mask, sign in ((abstract.add, True), (abstract.delete & ~abstract.add, False)):
            for n in indices(mask):
                changed = [self._lifted(atoms[n], copy) for copy in "ij"]
                found += changed if sign else [f"(not {c})" for c in changed]
                if atoms[n].predicate == predicate:
                    found.append(f"(not {self._lifted(atoms[n], 'u')})")
        found += [
            self._lifted(atoms[n], "u")
            for n in indices(abstract.unknown)
            if atoms[n].predicate == predicate and n != own
        ]
        return found

    def _slot_changes(self, name: str, abstract: AbstractAction) -> list[tuple[list[str], list[str]]]:
        """What the refined effect does, where the value of its atom is known."""
        slot = self._task.refinement
        if not slot.effect or name != slot.action:
            return []
        atom = self._vocabulary.lifted_atoms(name)[slot.atom]
        known = f"(not {self._lifted(atom, 'u')})"
        changes = []
        for mode, copy in zip(slot.modes, "ij", strict=True):
            literal = self._lifted(atom, copy)
            changes += {"+": [literal], "-": [f"(not {literal})"], "0": []}[mode]
        return [([known], changes)]


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})" if parts else "(and)"
