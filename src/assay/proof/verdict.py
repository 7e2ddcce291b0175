"""The proof: is the claimed model the only one, up to equivalence, that gives these answers?

The claim is compared with every model of the class at once: a solver is asked for a model that gives all
the answers and differs somewhere from the claim. If there is none, the claim is proved. If there is one,
the slots where some such model differs are listed, each with the modes it could have instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.core.model import Model
from assay.core.setting import Setting
from assay.proof.certificate import Mode, Part
from assay.proof.claims import Subject, assertions
from assay.proof.examination import Examination
from assay.proof.simulation import gives
from assay.proof.slots import SlotAction, slot_actions
from assay.store.journal import Entry


@dataclass(frozen=True, slots=True)
class Doubt:
    """A slot where another model gives all the answers too."""

    action: str
    atom: str
    part: Part
    mode: Mode
    """What the claimed model says."""
    alternatives: tuple[Mode, ...]

    @property
    def subject(self) -> Subject:
        return Subject(self.action, self.atom, self.part)

    def __str__(self) -> str:
        ways = " or ".join(in_words(self.part, self.atom, mode) for mode in self.alternatives)
        return (
            f"{self.action} {in_words(self.part, self.atom, self.mode)}, but it could also be that it {ways}"
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    unexplained: tuple[int, ...] = ()
    """Entries whose answers the claimed model does not give."""
    unproved: tuple[Doubt, ...] = ()
    never_ran: tuple[str, ...] = ()
    """Actions that no answer shows running: what they need and do is not pinned down."""
    left_out: tuple[str, ...] = ()
    """Actions that ran and are missing from the claimed model."""
    contradiction: bool = False
    """Whether no model of the class gives all the answers."""
    impossible: tuple[str, ...] = field(default=(), compare=False)
    """Actions that run nowhere in any model that gives the answers: the claim rightly leaves them out."""

    @property
    def proved(self) -> bool:
        return self == Verdict()

    def sentences(self) -> list[str]:
        if self.contradiction:
            return ["No model of the class gives all these answers."]
        refused = [f"{name} never runs: refused in every state." for name in self.impossible]
        if self.proved:
            return ["This is the only model, up to equivalence, that gives these answers.", *refused]
        found = [f"The model does not give the answer to question {n}." for n in self.unexplained]
        found += [f"The model leaves out {name}, which ran." for name in self.left_out]
        found += [f"Not proved: {doubt}." for doubt in self.unproved]
        return [*found, *(f"Nothing is known of {name}: it never ran." for name in self.never_ran), *refused]


def in_words(part: Part, atom: str, mode: Mode) -> str:
    if atom.startswith("= "):
        pair = " and ".join(atom.split()[1:])
        return f"needs {pair} to be different" if mode == "-" else f"lets {pair} be the same"
    verb = {
        ("precondition", "+"): "needs",
        ("precondition", "-"): "forbids",
        ("precondition", "absent"): "does not ask for",
        ("effect", "+"): "adds",
        ("effect", "-"): "deletes",
        ("effect", "absent"): "does not change",
    }[part, mode]
    return f"{verb} ({atom})"


def prove(setting: Setting, entries: Sequence[Entry], model: Model) -> Verdict:
    """Checks the claimed model against the answers and against every other model of the class."""
    examination = Examination(setting, entries)
    try:
        return examine(examination, setting, model)
    finally:
        examination.close()


def examine(examination: Examination, setting: Setting, model: Model) -> Verdict:
    """The same, on a formula already made from these entries."""
    return examine_slots(examination, setting, slot_actions(model, setting.profile.vocabulary))


def examine_slots(examination: Examination, setting: Setting, claimed: Mapping[str, SlotAction]) -> Verdict:
    """The same, of a model in slots."""
    unexplained = tuple(
        n for n, answer in examination.testimony.items() if not gives(claimed, examination.grounding, answer)
    )
    if not examination.explicable():
        return Verdict(unexplained, contradiction=True)
    variables, ran = examination.variables, examination.ran
    claims = [
        claim
        for name in sorted(ran & claimed.keys())
        for claim in assertions(setting, variables, name, claimed[name])
    ]
    survivors = examination.surviving(
        [x for claim in claims for x in claim.alternatives], examination.selectors
    )
    modes: dict[Subject, set[Mode]] = {}
    for survivor in survivors:
        modes.setdefault(survivor.subject, set()).add(survivor.mode)
    unproved = [
        Doubt(s.action, s.atom, s.part, claim.mode, tuple(sorted(modes[s])))
        for claim in claims
        if (s := claim.subject) in modes
    ]
    unseen = {name: examination.can_run(name) for name in sorted(variables.slots.keys() - ran)}
    return Verdict(
        unexplained,
        tuple(unproved),
        tuple(name for name, can_run in unseen.items() if can_run),
        tuple(sorted(ran - claimed.keys())),
        impossible=tuple(name for name, can_run in unseen.items() if not can_run),
    )
