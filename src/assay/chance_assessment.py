"""The loop for agents with chance: propose, simulate, append, learn. Only samples are counted, not questions.

As for deterministic agents (`assessment`), everything concluded is a fold of the journal. A run that was cut
off goes on by folding what is there: the learner asks the same questions again, and those already answered
are answered from the journal. A question that the samples left do not pay for is asked with fewer runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.agents.crew import Crew
from assay.agents.guard import Guard
from assay.chance_result import ChanceResult, Spent
from assay.core.policy import PolicyQuery, PolicyResponse
from assay.core.query import Agent, Invalid, Start
from assay.core.setting import Aims, Setting
from assay.errors import InputError
from assay.knowledge.experience import Experience
from assay.result import Outcome
from assay.sitting import OTHER_AGENT, SOFTWARE, end_of, handed_over, other_question
from assay.store.chain import left_over
from assay.store.folder import Folder
from assay.store.simulations import Simulation, simulation_from_dict
from assay.strategies.chance import Learner
from assay.strategies.chance.registry import learner as named_learner

PRECISION = 0.05
"""What is aimed at if neither samples nor a precision are given."""

Progress = Callable[[Experience, Spent, PolicyQuery], None]
"""Called after every answer that came from the agent."""


def assess_chance(
    agent: Agent,
    *,
    strategy: str | None = None,
    seed: int = 0,
    samples: int | None = None,
    precision: float | None = None,
    confidence: float = 0.95,
    refusals: bool | None = None,
    timeout: float | None = None,
    start: Start | str | None = None,
    new_objects: bool | None = None,
    workers: int = 1,
    opener: Callable[[], Agent] | None = None,
    out: Path | str | None = None,
    spec: str = "",
    progress: Progress | None = None,
) -> ChanceResult:
    """Learn the model of an agent with chance from executions; with `out`, keep it there, crash-safe.

    It goes on until `samples` executions were made (refused ones count), or until every probability is known
    to within `precision` with `confidence`; without either, to within 0.05. `refusals` says whether the agent
    shows that it refused (by default, as it declares). With several `workers`, `opener` must open the agent
    once more, in another process.
    """
    guard = Guard(agent, timeout)
    if samples is None and precision is None:
        precision = PRECISION
    shown = guard.shows_refusals if refusals is None else refusals
    setting = Setting.of(
        guard,
        strategy=strategy,
        seed=seed,
        start=start,
        new_objects=new_objects,
        aims=Aims(precision, confidence, shown),
    )
    sitting = _Sitting(guard, setting, [], samples, progress)
    if out is not None:
        options = {
            "agent": spec,
            "samples": samples,
            "timeout": timeout,
            "workers": workers,
            **SOFTWARE,
        }
        sitting.folder = Folder.create(Path(out), setting, options)
    return _conclude(sitting, workers, opener)


def resume_chance(
    folder: Path | str,
    agent: Agent,
    *,
    samples: int | None = None,
    timeout: float | None = None,
    workers: int = 1,
    opener: Callable[[], Agent] | None = None,
    progress: Progress | None = None,
) -> ChanceResult:
    """Go on with a run that was cut off, or with more samples; no journaled question is asked again.

    But for an agent that can be put back only where it has been: it is first led through the journal's
    questions, without counting them.
    """
    guard = Guard(agent, timeout)
    kept, record = Folder.resume(Path(folder))
    try:
        setting = Setting.from_dict(record.lines[0])
        if guard.vocabulary != setting.profile.vocabulary:
            raise InputError(OTHER_AGENT)
        if setting.aims is None or record.entries:
            raise InputError(f"{folder} holds a run about plans, not about policies")
        if samples is not None:  # what is known is not thrown away
            answers = [s.response for s in record.simulations if isinstance(s.response, PolicyResponse)]
            samples = max(samples, sum(a.samples for a in answers))
        sitting = _Sitting(guard, setting, record.lines[1:], samples, progress)
    except BaseException:
        kept.close()
        raise
    sitting.folder = kept
    return _conclude(sitting, workers, opener)


class _Sitting:
    folder: Folder | None = None
    crew: Crew | None = None

    def __init__(
        self,
        guard: Guard,
        setting: Setting,
        recorded: Sequence[Mapping[str, Any]],
        samples: int | None,
        progress: Progress | None,
    ) -> None:
        if samples is not None and samples < 1:
            raise InputError(f"at least one sample, not {samples}")
        self.experience = Experience(setting)
        self.learner: Learner = named_learner(setting.strategy)(self.experience)
        self.simulations: list[Simulation] = []
        self.guard, self._recorded, self._samples, self._progress = guard, recorded, samples, progress
        self._began = time.perf_counter()
        self._away = guard.start is Start.VISITED and setting.profile.start is Start.VISITED
        guard.questions = len(recorded)

    def spent(self) -> Spent:
        earlier: Mapping[str, float] = self.folder.earlier if self.folder is not None else {}
        return Spent(
            self.experience.samples,
            len(self.simulations),
            earlier.get("seconds", 0.0) + time.perf_counter() - self._began,
            earlier.get("agent_seconds", 0.0) + self.guard.seconds,
        )

    def go(self) -> Outcome:
        """Whether the learner came to its end; else the samples did."""
        questions, ended = self.learner.questions(), False
        try:
            query = next(questions)
            while (paid := self._paid(query)) is not None:
                response = self._answer(paid)
                self.experience.learn(self.simulations[-1].query, response)
                if self._progress is not None and len(self.simulations) > len(self._recorded):
                    self._progress(self.experience, self.spent(), query)
                query = questions.send(response)
        except StopIteration:
            ended = True
        if len(self.simulations) < len(self._recorded):
            raise left_over(len(self.simulations), len(self._recorded))
        return self._outcome(ended)

    def _outcome(self, ended: bool) -> Outcome:
        if self.experience.findings:
            return Outcome.CONTRADICTION
        settled = all(c.settled for c in self.experience.capabilities.values())
        aims = self.experience.setting.aims
        if settled and (ended or (aims is not None and aims.precision is None)):
            return Outcome.COMPLETE
        return Outcome.OPEN if ended else Outcome.BUDGET

    def _paid(self, query: PolicyQuery) -> PolicyQuery | None:
        """The question with as many runs, and steps in a run, as the samples left can pay for."""
        if self._samples is None:
            return query
        left = self._samples - self.experience.samples
        if left <= 0:
            return None
        horizon = min(query.horizon, left)
        return replace(query, horizon=horizon, runs=min(query.runs, left // horizon))

    def _answer(self, query: PolicyQuery) -> PolicyResponse | Invalid:
        """The answer, from the journal if it is there, else from the agent."""
        number = len(self.simulations) + 1
        if number <= len(self._recorded):
            entry = simulation_from_dict(self._recorded[number - 1], query.state.universe, number)
            known = entry.query
            if replace(query, horizon=known.horizon, runs=known.runs) != known:
                raise other_question(number)
        else:
            if self._away:
                self._lead_back()
            entry = Simulation(number, query, self._simulate(query, number))
            if self.folder is not None:
                spent = self.spent()
                times = {"seconds": spent.seconds, "agent_seconds": spent.agent_seconds}
                self.folder.append(entry, times)
        self.simulations.append(entry)
        return entry.response

    def _simulate(self, query: PolicyQuery, number: int) -> PolicyResponse | Invalid:
        if self.crew is None or query.runs == 1:
            self.guard.questions = number - 1
            return self.guard.simulate(query)
        began = time.perf_counter()
        try:
            return self.crew.simulate(query, number)
        finally:
            self.guard.seconds += time.perf_counter() - began

    def _lead_back(self) -> None:
        """Take an agent that has been nowhere yet, as far as it knows, through all it was asked before."""
        self._away = False
        for entry in self.simulations:
            self.guard.questions = entry.number - 1
            self.guard.simulate(entry.query)


def _conclude(sitting: _Sitting, workers: int, opener: Callable[[], Agent] | None) -> ChanceResult:
    folder = sitting.folder
    with closing(folder) if folder is not None else nullcontext():
        if workers > 1:
            if opener is None:
                raise InputError("runs on several processes need a way to open the agent once more")
            sitting.crew = Crew(opener, workers, sitting.experience.setting.profile.start)
        with closing(sitting.crew) if sitting.crew is not None else nullcontext():
            outcome, error = end_of(sitting.go)
        result = ChanceResult(
            sitting.experience,
            sitting.learner.model(),
            tuple(sitting.simulations),
            outcome,
            sitting.spent(),
            str(error or ""),
        )
        if result.complete and any(t.unexplained for t in result.tallies.values()):
            result = replace(result, outcome=Outcome.OPEN)
        if folder is not None:
            folder.write(result.files(folder.hash))
    return handed_over(result, error)
