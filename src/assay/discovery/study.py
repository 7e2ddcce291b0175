"""A run from end to end: the agent asked, its answers kept, the description written.

    reaches.jsonl      every question that reached the agent, with its answer, chained by hash
    model.pddl, description.md, summary.json, report.html     what was learned
    capabilities.json  capability by capability: examples, refusals, counts; what `assay diff` reads
    pictures/          before and after

A run is a function of the seed and the answers, so a run that was cut off is resumed by going through it
again with the answers from the file: ways are walked again in the simulator, and the agent is asked only
what it was not asked before. An agent without a simulator has to be asked again.

What an independent checker needs is in the journal, in words: which predicates are derived and which facts
never change, the situation each question was put in, and after which key of a way which facts changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from assay.core.reach import Answer, Cannot, GaveUp, Low, LowLevelAgent, Reached, check_answer
from assay.core.symbols import Atom
from assay.core.universe import State
from assay.discovery.capability import Description, describe
from assay.discovery.discover import Discovery, Findings, Limits, Spent
from assay.discovery.interest import Interest
from assay.errors import AgentError, AgentTimeout, AssayError, JournalError
from assay.store.chain import Chain, left_over
from assay.store.folder import REACHES

Progress = Callable[[int, str], None]


@dataclass(frozen=True)
class Study:
    """What a run found, and what it cost."""

    agent: str
    seed: int
    interest: tuple[Atom, ...]
    findings: Findings
    description: Description
    questions: int
    """How many reached the agent, those of earlier sittings included."""
    gave_up: int
    seconds: float
    agent_seconds: float
    spent: bool
    """Whether the budget ran out."""

    @property
    def complete(self) -> bool:
        """Whether every question that could tell descriptions apart was asked and answered.

        Every one, that is, that the explored situations offer.
        """
        return not self.spent and self.findings.atlas.simulates and self.description.complete

    @property
    def verdict(self) -> str:
        """What `complete` says, and what it does not, in words."""
        found = self.findings
        if not found.atlas.simulates:
            return "Not complete: without a simulator no telling questions can be found."
        if self.complete:
            said = "No telling question is left within what was explored."
        elif self.spent:
            said = "Not complete: the budget ran out before the telling questions did."
        elif not all(c.expressible for c in self.description.capabilities):
            said = "Not complete: some refusals fit no conjunction over the vocabulary."
        elif any(c.impossible for c in self.description.capabilities):
            said = "Not complete: no word tells apart some situations in which a change is possible or not."
        else:
            said = "Not complete: the agent gave up on some questions."
        if not found.exploration.exhausted:
            said += " Exploration was bounded: situations that were not looked at may show more."
        return said

    def summary(self) -> dict[str, Any]:
        found, atlas = self.findings, self.findings.atlas
        return {
            "agent": self.agent,
            "seed": self.seed,
            "complete": self.complete,
            "verdict": self.verdict,
            "capabilities": [c.name for c in self.description.capabilities],
            "missing": [m.name for m in self.description.missing],
            "inexpressible": [c.name for c in self.description.capabilities if not c.expressible],
            "user_questions": found.user_questions,
            "agent_questions": self.questions,
            "gave_up": self.gave_up,
            "budget_spent": self.spent,
            "situations_explored": len(atlas.regions),
            "explored_all": found.exploration.exhausted,
            "observed_changes": len(found.observed),
            "violations": [
                {"assumption": v.kind, "said": v.said, "state": told(found, v.bits)}
                for v in atlas.violations[:5]
            ],
            "violations_count": len(atlas.violations),
            "interest": [str(a) for a in self.interest],
            "seconds": round(self.seconds, 3),
            "agent_seconds": round(self.agent_seconds, 3),
        }


def told(found: Findings, bits: int) -> list[str]:
    """A state without what never changes, and what follows from the rest."""
    left_out = found.atlas.static | found.atlas.derived
    return [a.text for a in sorted(found.facts.universe.atoms(bits)) if a.predicate not in left_out]


class Interview:
    """Asks the agent, counts, measures, keeps a journal; answers from an earlier sitting come first."""

    def __init__(
        self,
        agent: LowLevelAgent,
        journal: Chain | None = None,
        earlier: tuple[Mapping[str, Any], ...] = (),
        budget: int | None = None,
        progress: Progress | None = None,
        clock: Callable[[], float] = time.perf_counter,
        ground: frozenset[str] = frozenset(),
    ) -> None:
        self._clock = clock
        self._agent, self._journal, self._earlier = agent, journal, earlier
        self._budget, self._progress = budget, progress
        self._static = frozenset(getattr(agent, "static", ()))
        self._ground = ground
        self.questions = self.gave_up = 0
        self.seconds = 0.0

    def ask(self, low: Low, target: Low) -> Answer:
        if self._budget is not None and self.questions >= self._budget:
            raise Spent
        self.questions += 1
        answer: Answer | None = None
        known = self._earlier[self.questions - 1] if self.questions <= len(self._earlier) else None
        if known is not None:
            answer = self._remembered(known, low, target)
        if answer is None:
            began = self._clock()
            answer = self._answer(low, target)
            self.seconds += self._clock() - began
        self.gave_up += isinstance(answer, GaveUp)
        if known is None and self._journal is not None:
            self._journal.append(self._entry(low, target, answer))
        if self._progress is not None:
            self._progress(self.questions, type(answer).__name__)
        return answer

    def _answer(self, low: Low, target: Low) -> Answer:
        """The agent's answer, if it is one, and its way, if the simulator goes it, too."""
        try:
            answer = check_answer(self._agent.reach(low, target), low, target)
        except AgentTimeout as error:
            raise AgentTimeout(
                f"question {self.questions}: {error}; that is evidence of nothing: "
                "go on with 'assay resume' and a longer --timeout"
            ) from error
        except AssayError:
            raise
        except Exception as error:
            raise AgentError(
                f"question {self.questions}: reach raised {type(error).__name__}: {error}"
            ) from error
        press = getattr(self._agent, "press", None)
        if isinstance(answer, Reached) and press is not None:
            for key, (here, there) in zip(answer.keys, pairwise(answer.states), strict=True):
                if press(here, key) != there:
                    raise AgentError(
                        f"question {self.questions}: the way says that {key} leads to {there!r}; "
                        "the simulator says otherwise"
                    )
        return answer

    def _entry(self, low: Low, target: Low, answer: Answer) -> dict[str, Any]:
        before, after = self._agent.abstract(low), self._agent.abstract(target)
        still = {a.text for a in before if a.predicate in self._static}
        entry: dict[str, Any] = {
            "n": self.questions,
            "from": repr(low),
            "to": repr(target),
            "state": [a.text for a in sorted(before) if a.predicate not in self._static],
            **_change(before, after),
        }
        if still != self._ground:
            entry["ground"] = {"added": sorted(still - self._ground), "removed": sorted(self._ground - still)}
        if isinstance(answer, Reached):
            return entry | {"keys": list(answer.keys), "changes": self._changes(answer)}
        if isinstance(answer, Cannot):
            return entry | {"cannot": answer.proof}
        return entry | {"gave_up": answer.reason}

    def _changes(self, way: Reached) -> list[dict[str, Any]]:
        """After how many keys the abstract state changed, and how."""
        seen = [self._agent.abstract(low) for low in way.states]
        return [
            {"after": number} | _change(before, after)
            for number, (before, after) in enumerate(pairwise(seen), start=1)
            if before != after
        ]

    def _remembered(self, entry: Mapping[str, Any], low: Low, target: Low) -> Answer | None:
        """The answer in the journal, if it can be had back from it."""
        if (entry.get("n"), entry.get("from"), entry.get("to")) != (self.questions, repr(low), repr(target)):
            raise JournalError(
                f"entry {self.questions} of {REACHES} answers another question than the one asked now: "
                "the agent, the seed or the program has changed"
            )
        if "cannot" in entry:
            return Cannot(entry["cannot"])
        if "gave_up" in entry:
            return GaveUp(entry["gave_up"])
        press = getattr(self._agent, "press", None)
        if press is None:
            return None
        states = [low]
        for key in entry["keys"]:
            states.append(press(states[-1], key))
        if states[-1] != target:
            raise JournalError(
                f"entry {self.questions} of {REACHES}: its keys do not lead to its target any more"
            )
        return Reached(tuple(entry["keys"]), tuple(states))


def _change(before: State, after: State) -> dict[str, list[str]]:
    universe = before.universe
    return {
        "added": universe.texts(after.bits & ~before.bits),
        "removed": universe.texts(before.bits & ~after.bits),
    }


def fixed(agent: LowLevelAgent) -> frozenset[str]:
    """The facts that no key changes, where the agent was opened; other starts may have other ones."""
    static = frozenset(getattr(agent, "static", ()))
    first = agent.starts(1)
    return frozenset(a.text for low in first for a in agent.abstract(low) if a.predicate in static)


def study(
    agent: LowLevelAgent,
    *,
    name: str = "agent",
    seed: int = 0,
    limits: Limits | None = None,
    interest: tuple[Atom, ...] = (),
    budget: int | None = None,
    out: Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Study:
    """What the agent can do, in the words of its universe; kept in the folder `out`, if one is given."""
    began = clock()
    limits = limits or Limits()
    vocabulary = agent.universe.vocabulary
    wishes = Interest(interest, agent.universe, frozenset(getattr(agent, "static", ())))
    ground = fixed(agent)
    setting = {
        "assay": 1,
        "kind": "capabilities",
        "seed": seed,
        "limits": asdict(limits),
        "interest": [a.text for a in interest],
        "vocabulary": vocabulary.to_dict(),
        "objects": {o.name: o.type for o in agent.universe.objects},
        "derived": sorted(getattr(agent, "derived", ())),
        "static": sorted(getattr(agent, "static", ())),
        "ground": sorted(ground),
    }
    journal, earlier = _journal(out, setting, resume)
    if budget is not None:
        budget = max(budget, len(earlier))  # what is known is not thrown away
    spent = False
    with closing(journal) if journal is not None else nullcontext():
        interview = Interview(agent, journal, earlier, budget, progress, clock, ground)
        discovery = Discovery(agent, interview.ask, seed=seed, limits=limits, interest=wishes)
        try:
            discovery.run()
        except Spent:
            spent = True
        except AgentError as error:
            error.result = discovery.findings
            raise
        if interview.questions < len(earlier):
            raise left_over(interview.questions, len(earlier))
    found = discovery.findings
    description = describe(found, seed)
    seconds = clock() - began
    return Study(
        name,
        seed,
        interest,
        found,
        description,
        interview.questions,
        interview.gave_up,
        seconds,
        interview.seconds,
        spent,
    )


def _journal(
    out: Path | None, setting: Mapping[str, Any], resume: bool
) -> tuple[Chain | None, tuple[Mapping[str, Any], ...]]:
    if out is None:
        return None, ()
    path = out / REACHES
    if resume:
        journal, lines = Chain.resume(path)
        if not lines.data:
            journal.close()
            raise JournalError(f"{REACHES}: no complete first line")
        if dict(lines.data[0]) != dict(setting):
            journal.close()
            raise JournalError(f"{REACHES} was begun with another agent, seed or interest")
        return journal, lines.data[1:]
    out.mkdir(parents=True, exist_ok=True)
    journal = Chain.create(path)
    journal.append(setting)
    return journal, ()
