"""The loop: propose, ask, append, learn. Nothing else loops over the agent.

Everything that is concluded is a fold of the journal, so a run that was cut off is continued by folding
what the journal holds and going on: the strategy proposes the same questions again, and those already
answered are answered from the journal. With a folder the journal lives there and each answer is flushed
before the next question is asked; without one it is kept in memory only.

Logs of the agent come first in the journal, marked as such. They are evidence and no questions: nothing was
asked, no state in them is taken to be within reach, and they are not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.agents.guard import Guard
from assay.confirmation import confirmations, refusals
from assay.core.quantity import count
from assay.core.query import Agent, PlanQuery, PlanResponse, Response, Start, WalkQuery, agree
from assay.core.setting import Setting
from assay.errors import Contradiction, InputError, JournalError
from assay.knowledge.knowledge import Knowledge
from assay.old_result import Costs, Outcome, Result
from assay.planning.planners import planner as named_planner
from assay.sitting import OTHER_AGENT, SOFTWARE, end_of, handed_over, other_question
from assay.store.chain import left_over
from assay.store.folder import Folder
from assay.store.journal import Entry, entry_from_dict
from assay.store.traces import read_traces
from assay.strategies.registry import strategy as named_strategy

REPEATS = 5
"""How often everything is asked again of an agent that says it acts by chance, until an answer differs."""

Progress = Callable[[Knowledge, Costs, PlanQuery | WalkQuery], None]
"""Called after every answer that came from the agent."""


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
    traces: Path | str | None = None,
    never: str = "",
    out: Path | str | None = None,
    spec: str = "",
    progress: Progress | None = None,
) -> Result:
    """Interrogate an agent and return what was found out; with `out`, keep it there, crash-safe.

    `traces` is a file of logs of the agent, taken as evidence before the first question (see `store.traces`).
    `never` is a formula: no step is taken that might lead into a state where it holds.
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
        never=never,
    )
    logs = read_traces(Path(traces), setting.universe) if traces is not None else []
    setting = replace(setting, traces=len(logs))
    sitting = _Interrogation(guard, setting, logs, budget, progress)
    if out is not None:
        options = {
            "agent": spec,
            "budget": budget,
            "timeout": timeout,
            **SOFTWARE,
        }
        if traces is not None:
            options["traces"] = str(traces)
        sitting.folder = Folder.create(Path(out), setting, options)
        for entry in sitting.entries:
            sitting.folder.append(entry)
    return _conclude(sitting)


def resume(
    folder: Path | str,
    agent: Agent,
    *,
    budget: int | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Go on with a run that was cut off; no journaled question is asked again.

    But for an agent that can be put back only where it has been: it is first led through the journal's
    questions, without counting them, and must answer as it did.
    """
    guard = Guard(agent, timeout)
    kept, record = Folder.resume(Path(folder))
    try:
        setting = Setting.from_dict(record.lines[0])
        if guard.vocabulary != setting.profile.vocabulary:
            raise InputError(OTHER_AGENT)
        if len(record.entries) < setting.traces:
            raise JournalError(
                f"{folder} was cut off while its {count(setting.traces, 'trace')} came in: "
                "begin again, elsewhere"
            )
        if budget is not None:
            budget = max(budget, len(record.entries) - setting.traces)  # what is known is not thrown away
        sitting = _Interrogation(guard, setting, record.lines[1:], budget, progress)
    except BaseException:
        kept.close()
        raise
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
        self.guard, self._recorded, self._budget, self._progress = guard, recorded, budget, progress
        self._answers: dict[PlanQuery | WalkQuery, Response] = {}
        self._cached = self._steps = 0
        self._began = time.perf_counter()
        guard.questions = len(recorded)
        self._away = guard.start is Start.VISITED and setting.profile.start is Start.VISITED
        """Whether the agent has yet to be led where it was."""
        self._contradicted = not self._take_logs()
        self._first: PlanQuery | WalkQuery | None = None
        if not self._contradicted:
            self._questions = named_strategy(setting.strategy, setting.never)(self.knowledge)
            self._first = next(self._questions, None)

    def _take_logs(self) -> bool:
        """Learn from the logs; whether they fit together."""
        setting = self.knowledge.setting
        for number, line in enumerate(self._recorded[: setting.traces], start=1):
            self.entries.append(entry_from_dict(line, setting.universe, number))
        try:
            for entry in self.entries:
                self.knowledge.learn(entry.query, entry.response, entry.states)
        except Contradiction:
            return False
        finally:
            self.knowledge.searches = 0
        return True

    @property
    def _asked(self) -> int:
        return len(self.entries) - self.knowledge.setting.traces

    def costs(self) -> Costs:
        earlier: Mapping[str, float] = self.folder.earlier if self.folder is not None else {}
        repeats = self.guard.repeats if self.guard.counts_repeats else None
        return Costs(
            self._asked,
            self._steps,
            self._cached,
            earlier.get("seconds", 0.0) + time.perf_counter() - self._began,
            earlier.get("agent_seconds", 0.0) + self.guard.seconds,
            None if repeats is None else int(earlier.get("repeats", 0)) + repeats,
            int(earlier.get("retries", 0)) + self.guard.retries,
        )

    def go(self) -> Outcome:
        outcome = self._interrogate()
        if len(self.entries) < len(self._recorded):
            raise left_over(len(self.entries), len(self._recorded))
        return outcome

    def _interrogate(self) -> Outcome:
        if self._contradicted:
            return Outcome.CONTRADICTION
        knowledge, query = self.knowledge, self._first
        try:
            while query is not None:
                response = self._answers.get(query)
                if response is not None:
                    self._cached += 1
                elif self._budget is not None and self._asked >= self._budget:
                    return Outcome.COMPLETE if knowledge.complete else Outcome.BUDGET
                else:
                    entry = self._answer(query)
                    response = self._answers[query] = entry.response
                    knowledge.learn(entry.query, response, entry.states)
                    self._tell(query)
                query = self._questions.send(response)
        except StopIteration:
            pass
        except Contradiction:
            return Outcome.CONTRADICTION
        if not self._repeats_itself():
            return Outcome.CONTRADICTION
        return Outcome.COMPLETE if knowledge.complete else Outcome.OPEN

    def _repeats_itself(self) -> bool:
        """Whether it gives the same answers again, as far as it is asked.

        An agent that says it acts by chance is asked everything, one that may vary some of it; any other that
        takes any state, what shows that an action never runs.
        """
        again: list[Entry] = []
        if self.guard.stochastic:
            again = [entry for entry in self.entries if not entry.logged] * REPEATS
        elif self.guard.may_vary:
            again = confirmations(self.entries)
        elif self.knowledge.setting.profile.start is Start.ANY:
            dossiers = self.knowledge.dossiers
            again = refusals(self.entries, {name for name, d in dossiers.items() if d.impossible})
        try:
            for entry in again:
                if self._budget is not None and self._asked >= self._budget:
                    break
                response = self._answer(entry.query).response
                self.knowledge.learn(entry.query, response)
                self._tell(entry.query)
                if not agree(response, entry.response):
                    return False
        except Contradiction:
            return False
        return True

    def _tell(self, query: PlanQuery | WalkQuery) -> None:
        """Report an answer that came from the agent."""
        if self._progress is not None and len(self.entries) > len(self._recorded):
            self._progress(self.knowledge, self.costs(), query)

    def _answer(self, query: PlanQuery | WalkQuery) -> Entry:
        """The answer with its question, from the journal if it is there, else from the agent."""
        number = len(self.entries) + 1
        if number <= len(self._recorded):
            entry = entry_from_dict(self._recorded[number - 1], query.state.universe, number)
            if entry.asked != query:
                raise other_question(number)
        else:
            if self._away:
                self._lead_back()
            if isinstance(query, WalkQuery):
                entry = Entry.of_walk(number, query, self.guard.walk(query))
            else:
                entry = Entry(number, query, self.guard.ask(query))
            if self.folder is not None:
                spent = self.costs()
                times: dict[str, float] = {"seconds": spent.seconds, "agent_seconds": spent.agent_seconds}
                if spent.repeats is not None:
                    times["repeats"] = spent.repeats
                times |= {"retries": spent.retries} if spent.retries else {}
                self.folder.append(entry, times)
        self.entries.append(entry)
        if isinstance(entry.response, PlanResponse):
            self._steps += entry.response.steps + (entry.response.steps < len(entry.query.plan))
        return entry

    def _lead_back(self) -> None:
        """Take an agent that has been nowhere yet, as far as it knows, through all it was asked before."""
        self._away = False
        for entry in self.entries:
            if entry.logged:
                continue
            self.guard.questions = entry.number - 1
            if not agree(self.guard.ask(entry.query), entry.response):
                raise JournalError(f"the agent no longer answers question {entry.number} as recorded")
            if self._progress is not None:
                self._progress(self.knowledge, self.costs(), entry.query)


def _conclude(sitting: _Interrogation) -> Result:
    folder = sitting.folder
    with closing(folder) if folder is not None else nullcontext():
        outcome, error = end_of(sitting.go)
        sitting.knowledge.choose_effects()
        result = Result(sitting.knowledge, tuple(sitting.entries), outcome, sitting.costs(), str(error or ""))
        if folder is not None:
            folder.write(result.files(folder.hash))
            # whoever stops a run does not want to wait for pictures
    return handed_over(result, error)
