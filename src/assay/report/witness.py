"""What one question shows about one literal, in a sentence.

A long question tests many things at once. For a literal that rests on it, the step that matters is one of the
literal's own action: the one that was refused, or one that ran and left its mark. Values in between are not
observed; they are stated only where no other step could have changed them, or where the effects of those that
could are settled.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.query import Invalid, PlanResponse
from assay.core.symbols import Atom, Literal, Step
from assay.knowledge.dossier import Claim, Mode, Part, Status
from assay.report.names import Names
from assay.report.words import Speaker
from assay.store.journal import Entry

Modes = dict[tuple[str, Atom], Mode]
"""The settled effects, by action and lifted atom."""


@dataclass(frozen=True, slots=True)
class Witness:
    question: int
    shows: str
    decisive: bool
    """Whether the literal can be seen in this question alone; the others rule out other explanations."""


class Bench:
    """Hears what entries say about claims."""

    def __init__(self, speaker: Speaker, claims: list[Claim]) -> None:
        self._speaker = speaker
        self._effects: Modes = {
            (c.action, c.atom): c.mode
            for c in claims
            if c.part is Part.EFFECT and c.status is not Status.OPEN
        }

    def hear(self, claim: Claim, entry: Entry) -> Witness:
        response, found = entry.response, None
        if isinstance(response, PlanResponse) and claim.part is Part.EFFECT:
            return self._change(claim, entry, response)
        if isinstance(response, PlanResponse):
            look = self._indifference if claim.mode == "absent" else self._refusal
            found = look(claim, entry, response)
        return Witness(entry.number, found or self._background(claim, entry), found is not None)

    def _refusal(self, claim: Claim, entry: Entry, response: PlanResponse) -> str | None:
        plan, done = entry.query.plan, response.steps
        if done == len(plan) or plan[done].action != claim.action:
            return None
        step, names = plan[done], Names.of_universe(entry.query.state.universe)
        if claim.atom.predicate == "=":
            x, y = self._ground(claim.atom, step).args
            return f"The agent refused to {self._speaker.step(step, names)}." if x == y else None
        atom = self._ground(claim.atom, step)
        holds = atom in response.state
        if holds == (claim.mode == "+"):
            return None
        task = self._speaker.step(step, names)
        return f"The agent refused to {task} where {self._speaker.clause(Literal(atom, holds), names)}."

    def _indifference(self, claim: Claim, entry: Entry, response: PlanResponse) -> str | None:
        """It ran although the atom was false, and although it was true, as far as the question shows."""
        seen: dict[bool, tuple[Step, Atom]] = {}
        for place, step in enumerate(entry.query.plan[: response.steps]):
            if step.action == claim.action and (self._plain(step) or claim.atom.predicate == "="):
                atom = self._ground(claim.atom, step)
                value = (
                    atom.args[0] == atom.args[1]
                    if atom.predicate == "="
                    else self._before(entry, place, atom)
                )
                if value is not None:
                    seen.setdefault(value, (step, atom))
        if claim.atom.predicate == "=":
            return f"The agent could {self._speaker.step(seen[True][0])}." if True in seen else None
        if not seen:
            return None
        names = Names.of_universe(entry.query.state.universe)
        told = []
        for value, (step, atom) in sorted(seen.items()):
            task, fact = self._speaker.step(step, names), self._speaker.clause(Literal(atom, value), names)
            told.append(f"could {task} where {fact}")
        return f"The agent {', and '.join(told)}."

    def _change(self, claim: Claim, entry: Entry, response: PlanResponse) -> Witness:
        """The most telling run of the action: one that changed the atom, seen rather than inferred."""
        universe, ran = entry.query.state.universe, entry.query.plan[: response.steps]
        best: tuple[int, Step, Atom, bool, bool] | None = None
        for place, step in enumerate(ran):
            if step.action != claim.action or not self._plain(step):
                continue
            atom = self._ground(claim.atom, step)
            number = universe.index(atom)
            once = sum(number in universe.positions(other) for other in ran) == 1
            seen = once or entry.states is not None
            before, after = self._before(entry, place, atom), self._before(entry, place + 1, atom)
            if once:
                before, after = atom in entry.query.state, atom in response.state
            if before is None or after is None:
                continue
            rank = seen * 4 + (before != after) * 2 + before
            if best is None or rank > best[0]:
                best = (rank, step, atom, before, after)
        if best is None:
            return Witness(entry.number, self._background(claim, entry), False)
        rank, step, atom, before, after = best
        names = Names.of_universe(universe)
        task = self._speaker.step(step, names)
        was = self._speaker.clause(Literal(atom, before), names)
        now = self._speaker.clause(Literal(atom, after), names, ended=before)
        telling = rank >= 4 and (before != after or claim.mode == "absent")
        if before == after:
            return Witness(entry.number, f"The agent could {task} where {was}, and that stayed so.", telling)
        return Witness(entry.number, f"The agent could {task}: before, {was}; afterwards, {now}.", telling)

    def _background(self, claim: Claim, entry: Entry) -> str:
        if isinstance(entry.response, Invalid):
            return "The agent says that this situation cannot exist."
        ran = entry.query.plan[: entry.response.steps]
        step = next((s for s in ran if s.action == claim.action), None)
        if step is None:
            return "What other steps did here rules out other explanations."
        names = Names.of_universe(entry.query.state.universe)
        task = self._speaker.step(step, names)
        if claim.part is Part.PRECONDITION and claim.mode != "absent":
            return f"The agent could {task}, which rules out other reasons for a refusal."
        return f"The agent could {task}."

    def _before(self, entry: Entry, place: int, atom: Atom) -> bool | None:
        """The atom's value before a step, if it is certain; on a walk it is seen."""
        if entry.states is not None:
            return atom in (entry.query.state, *entry.states)[place]
        universe = entry.query.state.universe
        number, value = universe.index(atom), atom in entry.query.state
        for step in entry.query.plan[:place]:
            slots = [i for i, p in enumerate(universe.positions(step)) if p == number]
            if not slots:
                continue
            lifted = universe.vocabulary.lifted_atoms(step.action)
            modes = {self._effects.get((step.action, lifted[i])) for i in slots}
            if len(modes) > 1 or None in modes or not self._plain(step):
                return None
            mode = modes.pop()
            value = value if mode == "absent" else mode == "+"
        return value

    def _ground(self, atom: Atom, step: Step) -> Atom:
        return atom.substitute(self._speaker.vocabulary.action[step.action].bind(step.args))

    def _plain(self, step: Step) -> bool:
        """Whether every parameter is a thing of its own."""
        constants = {c.name for c in self._speaker.vocabulary.constants}
        return len(set(step.args)) == len(step.args) and constants.isdisjoint(step.args)
