"""What an assessment of a deterministic agent found out, and what it took: numbers, texts, files.

Everything here is read off the knowledge and the journal's entries; nothing is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.core.confinement import Confinement
from assay.core.model import Model
from assay.core.quantity import count
from assay.core.query import Start
from assay.knowledge.custom import customary
from assay.knowledge.dossier import Claim, Status
from assay.knowledge.knowledge import Knowledge
from assay.pddl.writer import write_domain
from assay.proof.certificate import Certificate, encode_certificate
from assay.proof.certificate import Claim as CertifiedClaim
from assay.proof.contradiction import Conflict, smallest_contradiction
from assay.proof.explanation import explain_contradiction
from assay.report.forbidden import Forbidden
from assay.report.reach import Reach
from assay.report.retelling import tell
from assay.report.supposed import settled_part
from assay.result import Outcome
from assay.store.folder import CERTIFICATE, DESCRIPTION, MODEL, SUMMARY, summary_file
from assay.store.journal import Entry

HINT = (
    "If the same action may turn out differently in the same situation, the agent acts by chance: "
    "'assay run AGENT --strategy sampling' learns how often what happens."
)
WALK_HINT = "'assay check AGENT' lets the agent walk and tries every step that it tells of."


@dataclass(frozen=True)
class Costs:
    """What a run has spent, over all its sittings."""

    questions: int = 0
    steps: int = 0
    cached: int = 0
    seconds: float = 0.0
    agent_seconds: float = 0.0
    repeats: int | None = None
    """How often the agent looked again where an observation was doubtful, if it counts that."""


@dataclass(frozen=True)
class Result:
    """What was found out, and what it took."""

    knowledge: Knowledge
    entries: tuple[Entry, ...]
    outcome: Outcome
    costs: Costs
    error: str = ""

    @property
    def model(self) -> Model:
        """The agent's model, normalised, as far as it is settled; actions never seen to run are left out.

        Where it is not complete, it has the fewest open literals besides that explain all refusals.
        """
        return self.knowledge.model()

    @property
    def customary(self) -> Model:
        """The same with what cannot be told apart written as is customary (see `knowledge.custom`)."""
        return customary(self.knowledge)

    @property
    def evidence(self) -> list[Claim]:
        """For every slot: its modes, whether it is settled, and the questions that settled it."""
        return self.knowledge.claims()

    @property
    def questions(self) -> int:
        return self.costs.questions

    @property
    def complete(self) -> bool:
        return self.outcome is Outcome.COMPLETE

    @property
    def never_ran(self) -> list[str]:
        return [name for name, d in self.knowledge.dossiers.items() if not d.ran]

    @property
    def asked_again(self) -> int:
        """How many of the questions had been asked before, to see if the answer is the same."""
        asked = [(e.query.state.bits, e.query.plan) for e in self.entries if not e.logged]
        return len(asked) - len(set(asked))

    def to_pddl(self) -> str:
        notes = [f"Learned by assay in {count(self.questions, 'question')}."]
        marked = {} if self.complete else self._suppositions()
        if self.outcome is Outcome.CONTRADICTION:
            notes.append("The answers contradict each other: this fits those before the contradiction only.")
        elif not self.complete:
            but = ", but for what is marked" if marked else ""
            notes.append(f"Not complete: what is open is left out{but}; see description.md.")
        reach = Reach.of(self.knowledge)
        if reach.points:
            told = f"{count(reach.points, 'literal')} cannot be told apart on reachable states"
            notes.append(f"{told}: as few as can be are written; see description.md.")
        if told := self._meant():
            notes.append(told)
        if reach.confinement:
            notes.append(f"Within reach is what the agent gets into{reach.confinement.by_steps}.")
        for name in self.never_ran:
            why = "refused in every state within reach" if name in reach.idle else "never seen to run"
            why = "refused in every state" if name in reach.impossible else why
            why = "not enough objects to try it with" if name in reach.lacking else why
            notes.append(f"Left out, {why}: {name}")
        return write_domain(self.model, {"": notes, **marked})

    def _meant(self) -> str:
        """What parameters stand for, where steps of another kind were never asked for."""
        setting = self.knowledge.setting
        if setting.profile.start is not Start.ANY:
            return ""
        vocabulary = setting.profile.vocabulary
        several = any(len(header.parameters) > 1 for header in vocabulary.actions) and not setting.equality
        told = ["different parameters stand for different things"] if several else []
        if vocabulary.constants and any(header.parameters for header in vocabulary.actions):
            told.append("no parameter stands for a constant")
        return f"Here {' and '.join(told)}." if told else ""

    def _suppositions(self) -> dict[str, list[str]]:
        """By action, what is written because something must explain the answers."""
        found: dict[str, list[str]] = {}
        for name, dossier in self.knowledge.dossiers.items():
            if not dossier.ran:
                continue
            _, supposed = settled_part(dossier.model(), dossier.claims())
            if notes := [*supposed.notes()]:
                found[name] = notes
        return found

    def describe(self) -> str:
        contradicted = self.outcome is Outcome.CONTRADICTION
        return tell(self.knowledge, Forbidden.of(self.knowledge), contradicted)

    def contradiction(self) -> Conflict | None:
        """A smallest set of answers that no model gives, if the outcome is a contradiction."""
        return self._contradiction

    @cached_property
    def _contradiction(self) -> Conflict | None:
        if self.outcome is not Outcome.CONTRADICTION:
            return None
        return smallest_contradiction(self.knowledge.setting, self.entries)

    def explain_contradiction(self) -> str:
        found = self.contradiction()
        if found is None:
            return ""
        return explain_contradiction(self.knowledge.setting, self.entries, found.numbers)

    @property
    def hint(self) -> str:
        """What to try if the answers fit no model of the class."""
        if self.outcome is not Outcome.CONTRADICTION:
            return ""
        walks = {entry.number for entry in self.entries if entry.walk}
        if walks and (found := self.contradiction()) is not None and walks.intersection(found.numbers):
            return WALK_HINT
        return HINT

    def files(self, journal_hash: str) -> dict[str, bytes]:
        """What a result folder holds beside the journal that ends in this hash."""
        model = self.to_pddl().encode()
        described = {*self.model.action, *Reach.of(self.knowledge).never_run}
        certificate = Certificate.of(
            entries=len(self.entries),
            journal_hash=journal_hash,
            model_file=model,
            complete=self.complete,
            claims=[
                CertifiedClaim(c.action, c.atom.text, c.part.value, c.mode, c.status.value, c.evidence)
                for c in self.evidence
                if c.action in described
            ],
        )
        return {
            MODEL: model,
            DESCRIPTION: self.describe().encode(),
            SUMMARY: summary_file(self.summary()),
            CERTIFICATE: encode_certificate(certificate),
        }

    def summary(self) -> dict[str, Any]:
        setting, claims = self.knowledge.setting, self.evidence
        by_status = {s: sum(c.status is s for c in claims) for s in Status}
        reach, extra = Reach.of(self.knowledge), Forbidden.of(self.knowledge).to_dict()
        if lacking := reach.lacking.intersection(self.never_ran):
            extra["lacking"] = sorted(lacking)
        if reach.never_run or setting.profile.start is not Start.ANY:
            extra["idle"] = sorted(reach.never_run)
        if setting.profile.start is not Start.ANY:
            extra["out_of_reach"] = reach.points
            extra["alternatives"] = {name: a.to_dict() for name, a in sorted(reach.alternatives.items())}
            extra["confined"] = Confinement.of(setting).words
        if reach.proof:
            extra["proof"] = reach.proof
        if self.costs.repeats is not None:
            extra["repeats"] = self.costs.repeats
        if self.asked_again:
            extra["asked_again"] = self.asked_again
        return {
            "outcome": self.outcome.value,
            "complete": self.complete,
            "questions": self.questions,
            "traces": setting.traces,
            "search": self.knowledge.searches,
            "test": self.questions - self.knowledge.searches,
            "steps": self.costs.steps,
            "cached": self.costs.cached,
            "slots": {
                "total": len(claims),
                "settled": by_status[Status.SETTLED],
                "indistinguishable": by_status[Status.INDISTINGUISHABLE],
                "open": by_status[Status.OPEN],
            },
            "lower_bound": self.knowledge.needed,
            "equivalent_models": self.knowledge.equivalent_models,
            "never_ran": self.never_ran,
            "rejected": len(self.knowledge.rejected),
            "strategy": setting.strategy,
            "seed": setting.seed,
            "start": setting.profile.start.value,
            "new_objects": setting.profile.new_objects,
            "equality": setting.equality,
            "seconds": round(self.costs.seconds, 6),
            "agent_seconds": round(self.costs.agent_seconds, 6),
            "error": self.error,
            **({"hint": self.hint} if self.hint else {}),
            **extra,
        }
