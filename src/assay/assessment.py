"""The loop: propose, ask, append, learn. Nothing else loops over the agent.

Everything that is concluded is a fold of the journal, so a run that was cut off is continued by folding
what the journal holds and going on: the strategy proposes the same questions again, and those already
answered are answered from the journal. With a folder the journal lives there and each answer is flushed
before the next question is asked; without one it is kept in memory only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from assay.agents.guard import Guard
from assay.core.model import Model
from assay.core.query import Agent, PlanQuery, PlanResponse, Response, Start
from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.errors import AgentError, Contradiction, InputError, JournalError
from assay.knowledge.dossier import Claim, Status
from assay.knowledge.knowledge import Knowledge
from assay.pddl.writer import write_domain
from assay.planning.planners import planner as named_planner
from assay.proof.certificate import Certificate, encode_certificate
from assay.proof.certificate import Claim as CertifiedClaim
from assay.proof.contradiction import Conflict, smallest_contradiction
from assay.proof.explanation import explain_contradiction
from assay.report.describe import describe
from assay.report.write import write_report
from assay.store.folder import CERTIFICATE, DESCRIPTION, MODEL, SUMMARY, Folder, summary_file
from assay.store.journal import Entry, entry_from_dict
from assay.strategies.registry import strategy as named_strategy


class Outcome(StrEnum):
    COMPLETE = "complete"
    """Every slot is settled, or proved indistinguishable."""
    OPEN = "open"
    """The strategy has no further question, and some slots are open."""
    BUDGET = "budget"
    """The number of questions allowed was reached."""
    CONTRADICTION = "contradiction"
    """No model of the class gives these answers."""
    INTERRUPTED = "interrupted"
    """Someone stopped it."""
    FAILED = "failed"
    """The agent broke its side of the interface, or did not answer in time."""


@dataclass(frozen=True)
class Costs:
    """What a run has spent, over all its sittings."""

    questions: int = 0
    steps: int = 0
    cached: int = 0
    seconds: float = 0.0
    agent_seconds: float = 0.0


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
        """The settled part of the agent's model, normalised; actions never seen to run are left out."""
        return self.knowledge.model()

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

    def to_pddl(self) -> str:
        notes = [f"Learned by assay in {self.questions} questions."]
        if not self.complete:
            notes.append("Not complete: what is open is left out; see description.md.")
        notes += [f"Left out, never seen to run: {name}" for name in self.never_ran]
        return write_domain(self.model, notes)

    def describe(self) -> str:
        tried = {name: d.tried for name, d in self.knowledge.dossiers.items()}
        return describe(self.model, self.evidence, self.never_ran, tried)

    def contradiction(self) -> Conflict | None:
        """A smallest set of answers that no model gives, if the outcome is a contradiction."""
        if self.outcome is not Outcome.CONTRADICTION:
            return None
        return smallest_contradiction(self.knowledge.setting, self.entries)

    def explain_contradiction(self) -> str:
        found = self.contradiction()
        if found is None:
            return ""
        return explain_contradiction(self.knowledge.setting, self.entries, found.numbers)

    def files(self, journal_hash: str) -> dict[str, bytes]:
        """What a result folder holds beside the journal that ends in this hash."""
        model = self.to_pddl().encode()
        described = self.model.action
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
        return {
            "outcome": self.outcome.value,
            "complete": self.complete,
            "questions": self.questions,
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
            "lower_bound": self.model.precondition_count,
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
        }


Progress = Callable[[Knowledge, Costs, PlanQuery], None]
"""Called after every answer that reached the agent."""


def assess(
    agent: Agent,
    *,
    strategy: str | None = None,
    seed: int = 0,
    budget: int | None = None,
    max_plan: int | None = None,
    timeout: float | None = None,
    equality: bool = False,
    start: Start | str | None = None,
    new_objects: bool | None = None,
    planner: str = "builtin",
    out: Path | str | None = None,
    spec: str = "",
    progress: Progress | None = None,
) -> Result:
    """Interrogate an agent and return what was found out; with `out`, keep it there, crash-safe.

    Raises `AgentError` if the agent breaks its side of the interface; the exception's `result` and the
    folder then hold everything learned before. A contradiction is a finding: returned, not raised.
    """
    named_planner(planner)
    guard = Guard(agent, timeout)
    setting = Setting.of(
        guard,
        strategy=strategy,
        seed=seed,
        max_plan=max_plan,
        equality=equality,
        start=start,
        new_objects=new_objects,
        planner=planner,
    )
    sitting = _Interrogation(guard, setting, (), budget, progress)
    if out is not None:
        options = {
            "agent": spec,
            "budget": budget,
            "timeout": timeout,
            "version": version("assay"),
            "python": python_version(),
        }
        sitting.folder = Folder.create(Path(out), setting, options)
    return _conclude(sitting)


def resume(
    folder: Path | str,
    agent: Agent,
    *,
    budget: int | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Go on with a run that was cut off; no journaled question is asked again."""
    guard = Guard(agent, timeout)
    kept, record = Folder.resume(Path(folder))
    setting = Setting.from_dict(record.lines[0])
    if guard.vocabulary != setting.profile.vocabulary:
        kept.close()
        raise InputError("this agent's vocabulary is not the one the journal was begun with")
    guard.questions = len(record.entries)
    sitting = _Interrogation(guard, setting, record.lines[1:], budget, progress)
    sitting.folder = kept
    return _conclude(sitting)


class _Interrogation:
    """One sitting. Its first question is there before a folder is: what cannot begin leaves no trace."""

    folder: Folder | None = None

    def __init__(
        self,
        guard: Guard,
        setting: Setting,
        recorded: Sequence[Mapping[str, Any]],
        budget: int | None,
        progress: Progress | None,
    ) -> None:
        if budget is not None and budget < 0:
            raise InputError(f"the budget must not be negative, not {budget}")
        self.knowledge = Knowledge(setting)
        self.entries: list[Entry] = []
        self._guard, self._recorded, self._budget, self._progress = guard, recorded, budget, progress
        self._answers: dict[tuple[int, tuple[Step, ...]], Response] = {}
        self._cached = self._steps = 0
        self._began = time.perf_counter()
        self._questions = named_strategy(setting.strategy)(self.knowledge)
        self._first = next(self._questions, None)

    def costs(self) -> Costs:
        seconds, agent_seconds = self.folder.earlier if self.folder is not None else (0.0, 0.0)
        return Costs(
            len(self.entries),
            self._steps,
            self._cached,
            seconds + time.perf_counter() - self._began,
            agent_seconds + self._guard.seconds,
        )

    def go(self) -> Outcome:
        knowledge, query = self.knowledge, self._first
        try:
            while query is not None:
                key = (query.state.bits, query.plan)
                response = self._answers.get(key)
                if response is not None:
                    self._cached += 1
                elif self._budget is not None and len(self.entries) >= self._budget:
                    return Outcome.COMPLETE if knowledge.complete else Outcome.BUDGET
                else:
                    response = self._answers[key] = self._answer(query)
                    knowledge.learn(query, response)
                    if self._progress is not None and len(self.entries) > len(self._recorded):
                        self._progress(knowledge, self.costs(), query)
                query = self._questions.send(response)
        except StopIteration:
            pass
        except Contradiction:
            return Outcome.CONTRADICTION
        return Outcome.COMPLETE if knowledge.complete else Outcome.OPEN

    def _answer(self, query: PlanQuery) -> Response:
        """The answer, from the journal if it is there, else from the agent."""
        number = len(self.entries) + 1
        if number <= len(self._recorded):
            entry = entry_from_dict(self._recorded[number - 1], query.state.universe, number)
            if entry.query != query:
                raise JournalError(
                    f"entry {number} is not the question this run would ask; was it begun by another version?"
                )
        else:
            entry = Entry(number, query, self._guard.ask(query))
            if self.folder is not None:
                self.folder.append(entry, self.costs().seconds, self.costs().agent_seconds)
        self.entries.append(entry)
        if isinstance(entry.response, PlanResponse):
            self._steps += entry.response.steps + (entry.response.steps < len(query.plan))
        return entry.response


def _conclude(sitting: _Interrogation) -> Result:
    folder = sitting.folder
    with closing(folder) if folder is not None else nullcontext():
        error: AgentError | KeyboardInterrupt | None = None
        try:
            outcome = sitting.go()
        except AgentError as failure:
            outcome, error = Outcome.FAILED, failure
        except KeyboardInterrupt as stop:
            outcome, error = Outcome.INTERRUPTED, stop
        result = Result(sitting.knowledge, tuple(sitting.entries), outcome, sitting.costs(), str(error or ""))
        if folder is not None:
            folder.write(result.files(folder.hash))
            write_report(folder.path)
    if isinstance(error, AgentError):
        error.result = result
    if error is not None:
        raise error
    return result
