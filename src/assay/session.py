"""The one loop: a strategy proposes, the agent answers, the journal keeps, the strategy learns.

Everything that is concluded is a function of the journal, so a run that was cut off is continued by handing
the strategy what the journal holds: it proposes the same questions again, and those already answered are
answered from the journal. Logs of the agent come first in the journal, marked as such. They are evidence and
no questions.

When a strategy has nothing left to ask, its model is put to the test from outside (`audit`: random
situations), and a share of all answers is asked again: so an agent is noticed that begins to lie or acts by
chance. The strategy hears of every entry of the journal exactly once, so it can number them.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

from assay.agents.guard import Guard
from assay.core.query import (
    Agent,
    Invalid,
    PlanQuery,
    PlanResponse,
    Response,
    Start,
    WalkQuery,
    WalkResponse,
    agree,
)
from assay.core.setting import Setting
from assay.core.universe import Universe
from assay.errors import InputError, JournalError
from assay.learn.audit import Audit
from assay.learn.consistency import denied_by_answers, withdrawn
from assay.learn.finding import LEVELS, Finding, Strategy
from assay.learn.precaution import check_precaution
from assay.learn.registry import strategy as named_strategy
from assay.report.write import add_pictures
from assay.result import Costs, Outcome, Result, outcome_of
from assay.sitting import OTHER_AGENT, SOFTWARE, end_of, handed_over, other_question
from assay.store.chain import left_over
from assay.store.folder import Folder
from assay.store.journal import AGAIN, AUDIT, Entry, entry_from_dict
from assay.store.traces import read_traces

DEFAULT_STRENGTH = 2
RECHECK = 0.1
"""The share of answers that is asked again at the end."""
FEWEST_RECHECKED = 20
"""So many at least: an agent that lies in one answer of ten is then noticed in seven runs of eight."""

Progress = Callable[[Mapping[str, int | None], Costs, PlanQuery | WalkQuery], None]
"""Called after every answer that came from the agent, with the strength reached by action."""


def assess(
    agent: Agent,
    *,
    strategy: str | None = None,
    strength: int = DEFAULT_STRENGTH,
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
    audit: int = 0,
    recheck: float = RECHECK,
    out: Path | str | None = None,
    spec: str = "",
    progress: Progress | None = None,
) -> Result:
    """Interrogate an agent and return what was found out; with `out`, keep it there, crash-safe.

    `strength` (0 to 3) says what the model is to be sure against; a run reaches 0, 1, 2 in turn. `audit` is a
    number of random situations to try at the end, `recheck` the share of answers to ask again. `traces` is a
    file of logs of the agent, evidence before the first question. `never` is a formula: no step is taken that
    might lead into a state where it holds. Raises `AgentError` if the agent breaks its side of the interface;
    the exception's `result` and the folder then hold everything learned before.
    """
    check_strength(strength)
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
    if not setting.profile.vocabulary.actions:
        raise InputError("the agent names no actions: there is nothing to ask about")
    check_precaution(setting)
    logs = read_traces(Path(traces), setting.universe) if traces is not None else []
    setting = replace(setting, traces=len(logs))
    session = Session(guard, setting, logs, strength, budget, audit, recheck, progress)
    if out is not None:
        options = {
            "agent": spec,
            "strength": strength,
            "budget": budget,
            "timeout": timeout,
            "audit": audit,
            "recheck": recheck,
            **SOFTWARE,
        }
        if traces is not None:
            options["traces"] = str(traces)
        session.folder = Folder.create(Path(out), setting, options)
        session.keep_logs()
    return _conclude(session)


def resume(
    folder: Path | str,
    agent: Agent,
    *,
    strength: int | None = None,
    budget: int | None = None,
    timeout: float | None = None,
    audit: int | None = None,
    recheck: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Go on with a run that was cut off, or to a higher strength; no journaled question is asked again.

    But for an agent that can be put back only where it has been: it is first led through the journal's
    questions, without counting them, and must answer as it did.
    """
    guard = Guard(agent, timeout)
    kept, record = Folder.resume(Path(folder))
    try:
        options = kept.options
        strength = options.get("strength", DEFAULT_STRENGTH) if strength is None else strength
        check_strength(strength)
        setting = Setting.from_dict(record.lines[0])
        if guard.vocabulary != setting.profile.vocabulary:
            raise InputError(OTHER_AGENT)
        if len(record.entries) < setting.traces:
            raise JournalError(f"{folder} was cut off while its traces came in: begin again, elsewhere")
        if budget is not None:
            budget = max(budget, len(record.entries) - setting.traces)  # what is known is not thrown away
        audit = options.get("audit", 0) if audit is None else audit
        recheck = options.get("recheck", RECHECK) if recheck is None else recheck
        session = Session(guard, setting, record.lines[1:], strength, budget, audit, recheck, progress)
        kept.set_option("strength", max(strength, options.get("strength", strength)))
        kept.set_option("audit", audit)
        kept.set_option("recheck", recheck)
    except BaseException:
        kept.close()
        raise
    session.folder = kept
    return _conclude(session)


def check_strength(strength: int) -> None:
    if not 0 <= strength < len(LEVELS):
        raise InputError(f"the strength must be 0 to {len(LEVELS) - 1}, not {strength}")


class Session:
    """A run under way."""

    def __init__(
        self,
        guard: Guard,
        setting: Setting,
        recorded: Sequence[Mapping[str, Any]],
        strength: int,
        budget: int | None,
        audit: int,
        recheck: float,
        progress: Progress | None,
    ) -> None:
        self.guard, self.setting, self.strength = guard, setting, strength
        self.strategy: Strategy = named_strategy(setting, setting.profile.tells_states)
        self.entries: list[Entry] = []
        self.folder: Folder | None = None
        self.disagreements: list[tuple[int, int]] = []
        self._recorded, self._budget, self._progress = recorded, budget, progress
        self._audit, self._recheck = Audit(setting, self.strategy, audit), recheck
        self._steps = self._asked = self._again = self._sampled = 0
        self._began = time.perf_counter()
        self._led_back = setting.profile.start is Start.ANY or len(recorded) <= setting.traces

    # ---- the loop

    def go(self) -> Outcome:
        for _ in range(self.setting.traces):
            entry = self._recorded_entry()
            self.strategy.take(entry.query, entry.response, entry.states or _told(entry.response))
        for level in range(self.strength + 1):
            if not self._reach(level) or not self._replay_extra(level):
                return Outcome.BUDGET
        if not self._audited() or not self._rechecked():
            return Outcome.BUDGET
        if len(self.entries) < len(self._recorded):
            raise left_over(len(self.entries), len(self._recorded))
        if self.disagreements:
            return Outcome.CONTRADICTION
        return outcome_of(self.findings(), self.strength)

    def findings(self) -> tuple[Finding, ...]:
        """What the strategy says, less what the answers deny: a learned model gives them all."""
        found = self.strategy.findings()
        denied = denied_by_answers(self.setting.profile.vocabulary, found, self.entries)
        return tuple(withdrawn(f, denied[f.action]) if f.action in denied else f for f in found)

    def _reach(self, level: int) -> bool:
        """Asks until the level is reached; False if the budget ran out before."""
        questions = self.strategy.questions(level)
        try:
            query = next(questions)
            while True:
                entry = self._answer(query)
                if entry is None:
                    return False
                query = questions.send(_response(entry))
        except StopIteration:
            return True

    def _answer(self, query: PlanQuery | WalkQuery, source: str = "") -> Entry | None:
        """The answer with its question, from the journal or from the agent; None if the budget is spent."""
        number = len(self.entries) + 1
        if number <= len(self._recorded):
            entry = self._recorded_entry(query.state.universe)
            if not _same_question(entry.asked, query) or entry.source != source:
                raise other_question(number)
            return entry
        if self._budget is not None and self._asked >= self._budget:
            return None
        if not self._led_back:
            self._lead_back()
        if isinstance(query, WalkQuery):
            entry = Entry.of_walk(number, query, self.guard.walk(query))
        else:
            entry = Entry(number, query, self.guard.ask(query), source=source)
        if self.folder is not None:
            self.folder.append(entry, self._times())
        self._count(entry)
        if self._progress is not None:
            self._progress(self.strategy.progress(), self.costs(), query)
        return entry

    def _recorded_entry(self, universe: Universe | None = None) -> Entry:
        """The next entry of the journal, in the universe of the question that was proposed."""
        number = len(self.entries) + 1
        data = self._recorded[number - 1]
        if universe is None or not _brings(data, universe):
            entry = entry_from_dict(data, self.setting.universe, number, apart=True)
        else:
            entry = entry_from_dict(data, universe, number)
        self._count(entry)
        return entry

    def _count(self, entry: Entry) -> None:
        self.entries.append(entry)
        if entry.logged:
            return
        self._asked += 1
        self._again += entry.source == AGAIN
        self._sampled += entry.source == AUDIT
        if isinstance(entry.response, PlanResponse):
            self._steps += entry.response.steps + (entry.response.steps < len(entry.query.plan))

    def _replay_extra(self, level: int) -> bool:
        """Audits and repetitions that an earlier sitting made when it had reached the level."""
        while len(self.entries) < len(self._recorded) and "source" in self._recorded[len(self.entries)]:
            self._begin_audit()
            entry = self._recorded_entry()
            if entry.source == AGAIN:
                self._compare(entry)
            elif not self._take_audit(entry, level):
                return False
        return True

    def keep_logs(self) -> None:
        """Writes the logs to the new journal."""
        assert self.folder is not None
        for number, data in enumerate(self._recorded, start=1):
            self.folder.append(entry_from_dict(data, self.setting.universe, number, apart=True))

    # ---- tests from outside

    def _audited(self) -> bool:
        """Tries random situations; after a counterexample the strategy goes on, and the audit begins anew."""
        self._begin_audit()
        while (query := self._audit.next()) is not None:
            entry = self._answer(query, AUDIT)
            if entry is None or not self._take_audit(entry, self.strength):
                return False
        return True

    def _begin_audit(self) -> None:
        """What was drawn before the strategy asked more says nothing of the model as it is now."""
        if self._audit.drawn and not self.entries[-1].source:
            self._audit.begin_again()

    def _take_audit(self, entry: Entry, level: int) -> bool:
        """Counts a random situation; after a counterexample reaches the levels again. False at the budget."""
        wrong = self._audit.take(entry.query, entry.response)
        self.strategy.take(entry.query, entry.response, _told(entry.response))
        if wrong:
            if not all(self._reach(lower) for lower in range(level + 1)):
                return False
            self._audit.begin_again()
        return True

    def _rechecked(self) -> bool:
        """Asks a random share of all questions again."""
        asked = [e for e in self.entries if not e.logged and not e.source and not e.walk]
        if self.setting.profile.start is not Start.ANY:  # a state may have been visited since
            asked = [e for e in asked if not isinstance(e.response, Invalid)]
        count = (
            min(len(asked), max(FEWEST_RECHECKED, ceil(self._recheck * len(asked)))) if self._recheck else 0
        )
        again = Counter(e.query for e in self.entries if e.source == AGAIN)
        missing = max(0, count - again.total())
        rng = random.Random(f"recheck {self.setting.seed} {len(asked)}")
        for query in [e.query for e in rng.sample(asked, count)]:
            if again[query]:
                again[query] -= 1
            elif missing:
                missing -= 1
                entry = self._answer(query, AGAIN)
                if entry is None:
                    return False
                self._compare(entry)
        return True

    def _compare(self, again: Entry) -> None:
        """Notes whether the question was answered as before."""
        self.strategy.take(again.query, again.response, _told(again.response))
        for entry in self.entries:
            if entry.number < again.number and not entry.source and _same_question(entry.query, again.query):
                if not agree(entry.response, again.response):
                    self.disagreements.append((entry.number, again.number))
                return

    # ---- costs and the way back

    def result(self, outcome: Outcome, error: object = "") -> Result:
        return Result(
            self.setting,
            self.findings(),
            tuple(self.entries),
            outcome,
            self.costs(),
            self.strength,
            str(error or ""),
            tuple(self.disagreements),
        )

    def costs(self) -> Costs:
        earlier = self.folder.earlier if self.folder is not None else {}
        return Costs(
            self._asked,
            self._steps,
            earlier.get("seconds", 0.0) + time.perf_counter() - self._began,
            earlier.get("agent_seconds", 0.0) + self.guard.seconds,
            self._again,
            self._sampled,
            self.guard.repeats if self.guard.counts_repeats else None,
            int(earlier.get("retries", 0)) + self.guard.retries,
        )

    def _times(self) -> dict[str, float]:
        spent = self.costs()
        times: dict[str, float] = {"seconds": spent.seconds, "agent_seconds": spent.agent_seconds}
        if spent.repeats is not None:
            times["repeats"] = spent.repeats
        if spent.retries:
            times["retries"] = spent.retries
        return times

    def _lead_back(self) -> None:
        """Takes an agent that can be put only where it has been through all that it was asked before."""
        self._led_back = True
        for entry in self.entries:
            if not entry.logged and not agree(self.guard.ask(entry.query), entry.response):
                raise JournalError(f"the agent no longer answers question {entry.number} as recorded")


def _brings(data: Mapping[str, Any], universe: Universe) -> bool:
    """Whether the universe has all objects that the entry brings; else it is another question."""
    return {o.name for o in universe.objects} >= set(data.get("objects", ()))


def _told(response: Response) -> tuple[Any, ...] | None:
    return response.states if isinstance(response, PlanResponse) else None


def _response(entry: Entry) -> Response | WalkResponse:
    """The answer as the strategy gets it."""
    if entry.walk and isinstance(entry.response, PlanResponse):
        return WalkResponse(entry.query.plan, entry.states or ())
    return entry.response


def _same_question(one: PlanQuery | WalkQuery, other: PlanQuery | WalkQuery) -> bool:
    """Whether two questions, which may be in different universes, are one."""
    if isinstance(one, WalkQuery) or isinstance(other, WalkQuery):
        return one == other
    return (one.state, one.plan, one.new_objects) == (other.state, other.plan, other.new_objects)


def _conclude(session: Session) -> Result:
    folder = session.folder
    with closing(folder) if folder is not None else nullcontext():
        outcome, error = end_of(session.go)
        result = session.result(outcome, error)
        if folder is not None:
            folder.write(result.files(folder.hash))
            if outcome is not Outcome.INTERRUPTED:  # who stops a run does not want to wait for pictures
                add_pictures(folder.path, session.guard)
    return handed_over(result, error)
