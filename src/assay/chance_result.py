"""What an assessment of an agent with chance found out, and what it took: numbers, texts, files.

Everything here is read off the experience and the estimated model; nothing is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.core.model import Model
from assay.core.quantity import count
from assay.core.setting import Aims
from assay.knowledge.experience import Experience
from assay.knowledge.tally import Tally, tally
from assay.pddl.writer import write_domain
from assay.proof.certificate import Claim
from assay.proof.chance import ChanceCertificate, CountedOutcome, encode
from assay.report.chance import MISFIT, chance_page, describe_chance
from assay.result import Outcome
from assay.scoring.normal_form import literal_count
from assay.store.folder import CERTIFICATE, CHANCE_MODEL, DESCRIPTION, SUMMARY, summary_file
from assay.store.simulations import Simulation

REPORT = "report.html"


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent, over all its sittings."""

    samples: int = 0
    questions: int = 0
    seconds: float = 0.0
    agent_seconds: float = 0.0


@dataclass(frozen=True)
class ChanceResult:
    """What was found out, and what it took."""

    experience: Experience
    model: Model
    """The best estimate; capabilities never seen to run are left out."""
    simulations: tuple[Simulation, ...]
    outcome: Outcome
    spent: Spent
    error: str = ""

    @property
    def aims(self) -> Aims:
        assert self.experience.setting.aims is not None
        return self.experience.setting.aims

    @property
    def samples(self) -> int:
        return self.spent.samples

    @property
    def complete(self) -> bool:
        return self.outcome is Outcome.COMPLETE

    @property
    def never_ran(self) -> list[str]:
        return [name for name, c in self.experience.capabilities.items() if not c.dossier.ran]

    @cached_property
    def uneven(self) -> list[str]:
        """Capabilities whose outcomes go by the situation in a way that no model of the class has."""
        return [a.header.name for a in self.model.actions if self.experience.evenness(a.header.name) < MISFIT]

    @cached_property
    def tallies(self) -> dict[str, Tally]:
        """By capability, how often each outcome of the model was seen, with intervals."""
        capabilities = self.experience.capabilities
        return {
            a.header.name: tally(a, capabilities[a.header.name], self.aims.confidence)
            for a in self.model.actions
        }

    def to_ppddl(self) -> str:
        notes = [f"Learned by assay from {count(self.samples, 'execution')}."]
        notes += [f"Left out, never seen to run: {name}" for name in self.never_ran]
        torn = [name for name, c in self.experience.capabilities.items() if c.contradicted]
        notes += [f"Left out, refused without a reason that the vocabulary has: {name}" for name in torn]
        return write_domain(self.model, notes)

    def describe(self) -> str:
        return describe_chance(self.model, self.experience, self.tallies, self.aims)

    def files(self, journal_hash: str) -> dict[str, bytes]:
        """What a result folder holds beside the journal that ends in this hash."""
        model, summary = self.to_ppddl().encode(), self.summary()
        certificate = ChanceCertificate.of(
            entries=len(self.simulations),
            journal_hash=journal_hash,
            model_file=model,
            confidence=self.aims.confidence,
            claims=[
                Claim(c.action, c.atom.text, c.part.value, c.mode, c.status.value, c.evidence)
                for a in self.model.actions
                for c in self.experience.capabilities[a.header.name].claims()
            ],
            outcomes=[
                CountedOutcome(
                    name,
                    tuple(sorted(str(x) for x in c.outcome.literals)),
                    c.outcome.probability,
                    c.low,
                    c.high,
                    c.hits,
                    c.tries,
                )
                for name, counted in self.tallies.items()
                for c in counted.counts
            ],
        )
        text = self.describe()
        return {
            CHANCE_MODEL: model,
            DESCRIPTION: text.encode(),
            SUMMARY: summary_file(summary),
            CERTIFICATE: encode(certificate),
            REPORT: chance_page(text, self.tallies).encode(),
        }

    def summary(self) -> dict[str, Any]:
        setting, aims = self.experience.setting, self.aims
        claims = [
            c
            for name, capability in self.experience.capabilities.items()
            if name in self.model.action
            for c in capability.claims()
        ]
        return {
            "outcome": self.outcome.value,
            "complete": self.complete,
            "samples": self.spent.samples,
            "refused": sum(c.refused for c in self.experience.capabilities.values()),
            "questions": self.spent.questions,
            "strategy": setting.strategy,
            "seed": setting.seed,
            "start": setting.profile.start.value,
            "new_objects": setting.profile.new_objects,
            "precision": aims.precision,
            "confidence": aims.confidence,
            "refusals_shown": aims.refusals,
            "preconditions": {
                "literals": literal_count(self.model),
                "open": sum(c.status == "open" for c in claims),
                "indistinguishable": sum(c.status == "indistinguishable" for c in claims),
            },
            "capabilities": {name: _counted(found) for name, found in self.tallies.items()},
            "never_ran": self.never_ran,
            "uneven": self.uneven,
            "findings": [
                {"capability": f.action, "kind": f.kind, "questions": list(f.entries)}
                for f in self.experience.findings
            ],
            "seconds": round(self.spent.seconds, 6),
            "agent_seconds": round(self.spent.agent_seconds, 6),
            "error": self.error,
        }


def _counted(found: Tally) -> dict[str, Any]:
    return {
        "runs": found.runs,
        "refused": found.refused,
        "unexplained": found.unexplained,
        "unseen_below": round(found.unseen, 6),
        "outcomes": [
            {
                "effects": sorted(str(x) for x in c.outcome.literals),
                "probability": c.outcome.probability,
                "interval": [round(c.low, 6), round(c.high, 6)],
                "seen": c.hits,
                "tries": c.tries,
            }
            for c in found.counts
        ],
    }
