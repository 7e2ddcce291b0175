"""The loop with chance: samples, precision, resume, several processes, result folders, findings."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.agents.guard import Guard
from assay.agents.simulator import SimulatorAgent
from assay.agents.stochastic import StochasticAgent, open_world
from assay.agents.worlds import truth
from assay.chance_assessment import assess_chance, resume_chance
from assay.cli import app
from assay.core.policy import PolicyQuery, Trace
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.symbols import Atom, Object, Step
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, InputError
from assay.knowledge.intervals import wilson
from assay.pddl.reader import read_ppddl
from assay.perception.predicates import predicate
from assay.proof.chance import verify_chance
from assay.result import Outcome
from assay.session import assess
from assay.testing import check_agent

COIN = read_ppddl(
    """(define (domain coin) (:requirements :strips :probabilistic-effects)
    (:predicates (heads ?x) (held ?x))
    (:action toss :parameters (?x) :precondition (held ?x)
      :effect (and (not (held ?x)) (probabilistic 0.3 (heads ?x) 0.7 (not (heads ?x))))))""",
    "coin",
)


def journal(folder: Path) -> bytes:
    return (folder / "journal.jsonl").read_bytes()


def test_every_execution_counts() -> None:
    for samples in (1, 7, 60):
        result = assess_chance(open_world("driving"), samples=samples)
        assert result.samples == samples
        assert result.samples == sum(
            s.response.samples for s in result.simulations if not isinstance(s.response, Invalid)
        )


def test_result_folder(tmp_path: Path) -> None:
    result = assess_chance(open_world("driving", 2), seed=2, samples=92, out=tmp_path / "r")
    names = {p.name for p in (tmp_path / "r").iterdir()}
    assert {"model.ppddl", "summary.json", "description.md", "certificate.json", "report.html"} <= names
    assert (
        read_ppddl((tmp_path / "r" / "model.ppddl").read_text(), "m").action.keys()
        == truth("driving").action.keys()
    )
    summary = json.loads((tmp_path / "r" / "summary.json").read_text())
    assert summary["samples"] == 92
    outcomes = summary["capabilities"]["move-car"]["outcomes"]
    assert sum(o["probability"] for o in outcomes) == pytest.approx(1)
    for outcome in outcomes:
        assert outcome["interval"][0] <= outcome["seen"] / outcome["tries"] <= outcome["interval"][1]
    text = (tmp_path / "r" / "description.md").read_text()
    assert "of attempts (" in text
    assert "has a probability below" in text
    assert "What it needs is proved by questions" in text
    assert verify_chance(tmp_path / "r").proved
    assert result.complete


def test_cut_off_anywhere_it_goes_on_the_same(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    for start in ("any", "visited", "reset"):
        assess_chance(open_world("driving", 1), seed=1, samples=92, start=start, out=whole / start)
        assess_chance(open_world("driving", 1), seed=1, samples=40, start=start, out=part / start)
        torn = journal(part / start)[:-30]
        (part / start / "journal.jsonl").write_bytes(torn)
        resume_chance(part / start, open_world("driving", 1), samples=92)
        assert journal(part / start) == journal(whole / start)


def test_nothing_in_the_journal_is_asked_again(tmp_path: Path) -> None:
    assess_chance(open_world("warehouse"), samples=60, out=tmp_path / "r")
    agent = open_world("warehouse")
    asked: list[int] = []
    original = agent.rollout

    def rollout(query: PolicyQuery, number: int, run: int) -> Trace | Invalid:
        asked.append(number)
        return original(query, number, run)

    agent.rollout = rollout  # type: ignore[method-assign]
    known = len(journal(tmp_path / "r").splitlines()) - 1
    resume_chance(tmp_path / "r", agent, samples=80)
    assert asked
    assert min(asked) == known + 1


def test_processes_do_not_show(tmp_path: Path) -> None:
    opener = partial(open_world, "driving", 3)
    for workers in (1, 2):
        assess_chance(
            opener(), seed=3, samples=120, workers=workers, opener=opener, out=tmp_path / str(workers)
        )
    assert journal(tmp_path / "1") == journal(tmp_path / "2")
    with pytest.raises(InputError, match="led anywhere"):
        assess_chance(opener(), samples=50, start="visited", workers=2, opener=opener)


def test_precision_decides_when_to_stop() -> None:
    stops = []
    for seed in range(12):
        result = assess_chance(StochasticAgent(COIN, seed=seed), seed=seed, precision=0.08)
        assert result.complete
        found = result.tallies["toss"]
        assert all((c.high - c.low) / 2 <= 0.08 for c in found.counts)
        stops.append(found.runs)
    bound = next(n for n in range(1, 1000) if (b := wilson(0.3, n, 0.95)) and (b[1] - b[0]) / 2 <= 0.08)
    assert bound <= sum(stops) / len(stops) <= 1.3 * bound


@pytest.mark.parametrize("samples", [1, 5, 15, 30])
def test_a_result_too_early_claims_no_more_than_it_knows(samples: int, tmp_path: Path) -> None:
    result = assess_chance(open_world("warehouse"), samples=samples, out=tmp_path / "r")
    verdict = verify_chance(tmp_path / "r")
    assert result.outcome is Outcome.BUDGET
    assert verdict.problems == ()
    assert not verdict.proved


def test_verify_sees_what_was_changed(tmp_path: Path) -> None:
    assess_chance(open_world("driving"), samples=92, out=tmp_path / "r")
    model, certificate = tmp_path / "r" / "model.ppddl", tmp_path / "r" / "certificate.json"
    written, certified = model.read_text(), certificate.read_text()
    model.write_text(written.replace("(spare-in ?loc)\n      (vehicle-at ?loc)", "(vehicle-at ?loc)"))
    assert not verify_chance(tmp_path / "r").proved
    model.write_text(written)
    assert verify_chance(tmp_path / "r").proved
    data = json.loads(certified)
    data["outcomes"][0]["hits"] += 1
    certificate.write_text(json.dumps(data))
    assert any("in the journal" in p for p in verify_chance(tmp_path / "r").problems)
    data = json.loads(certified)
    data["outcomes"][0]["low"] += 0.01
    certificate.write_text(json.dumps(data))
    assert any("interval" in p for p in verify_chance(tmp_path / "r").problems)
    data = json.loads(certified)
    for claim in data["claims"]:
        claim["evidence"] = claim["evidence"][:1]
    certificate.write_text(json.dumps(data))
    assert any("do not settle" in p for p in verify_chance(tmp_path / "r").problems)


class Moody:
    """Runs or refuses by something that its vocabulary does not say."""

    vocabulary = Vocabulary.of(predicates={"done": ["object"]}, actions={"act": ["object"]})
    objects = (Object("thing"),)
    stochastic = True

    def ask(self, query: PlanQuery) -> PlanResponse:
        raise AssertionError

    def rollout(self, query: PolicyQuery, number: int, run: int) -> Trace:
        from assay.core.policy import End

        if (number + run) % 2:
            return Trace((query.state,), End.REFUSED)
        after = query.state.change(add=[Atom("done", ("thing",))])
        return Trace((query.state, after), query.next_step(after.bits, 1))  # type: ignore[arg-type]


def test_refusals_by_chance_are_a_finding(tmp_path: Path) -> None:
    result = assess_chance(Moody(), samples=30, out=tmp_path / "r")
    assert result.outcome is Outcome.CONTRADICTION
    (finding, *_) = result.experience.findings
    assert finding.kind == "refusal"
    assert len(finding.entries) >= 1
    assert "missing from the vocabulary" in result.describe()


class Fussy(Moody):
    """Succeeds with one thing much more often than with the other, for reasons of its own."""

    objects = (Object("thing"), Object("other"))

    def rollout(self, query: PolicyQuery, number: int, run: int) -> Trace:
        ((_, step),) = query.policy
        often = 9 if step.args == ("thing",) else 4
        succeeds = (number * 7 + run * 3) % 10 < often
        after = query.state.change(add=[Atom("done", step.args)] if succeeds else [])
        return Trace((query.state, after), query.next_step(after.bits, 1))  # type: ignore[arg-type]


def test_chance_that_depends_on_what_is_not_said_is_told() -> None:
    told = "depends on the situation, or on the things involved"
    assert told in assess_chance(Fussy(), samples=400).describe()
    assert told not in assess_chance(open_world("driving"), samples=400).describe()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("world", ["driving", "warehouse", "elevator"])
def test_determinism_is_refuted(world: str, seed: int) -> None:
    result = assess(open_world(world, seed), seed=seed, budget=400)
    assert not result.complete
    assert result.outcome is not Outcome.OPEN


class Lamp:
    """A simulator whose switch fails one time in five."""

    def __init__(self) -> None:
        self.on, self._drawn = False, 0

    def reseed(self, seed: int) -> None:
        self._drawn = seed

    def reset(self, seed: int) -> bool:
        self.on = False
        return self.on

    def step(self, action: Step) -> bool | None:
        if self.on == (action.action == "switch-on"):
            return None
        self.on ^= self._drawn % 5 != 0
        self._drawn //= 5
        return self.on

    def snapshot(self) -> bool:
        return self.on

    def restore(self, snapshot: bool) -> bool:
        self.on = snapshot
        return self.on


def test_ones_own_simulator() -> None:
    @predicate
    def lit(on, lamp: "lamp"):  # type: ignore[no-untyped-def]  # noqa: F821, UP037
        return on

    agent = SimulatorAgent(
        Lamp(),
        predicates=[lit],
        actions={"switch-on": ["lamp"], "switch-off": ["lamp"]},
        objects={"lamp": "lamp"},
        stochastic=True,
    )
    assert Guard(agent).stochastic
    result = assess_chance(agent, samples=300)
    assert result.complete
    for name in ("switch-on", "switch-off"):
        likely = max(o.probability for o in result.model.action[name].outcomes)
        assert likely == pytest.approx(0.8, abs=0.15)


def test_check_does_not_hold_chance_against_an_agent() -> None:
    assert check_agent(open_world("driving"), questions=15) == []


def test_an_agent_that_breaks_leaves_what_was_learned(tmp_path: Path) -> None:
    agent = open_world("driving")
    original = agent.rollout

    def rollout(query: PolicyQuery, number: int, run: int) -> Trace | Invalid:
        if number > 12:
            raise RuntimeError("worn out")
        return original(query, number, run)

    agent.rollout = rollout  # type: ignore[method-assign]
    with pytest.raises(AgentError, match="worn out"):
        assess_chance(agent, samples=92, out=tmp_path / "r")
    assert json.loads((tmp_path / "r" / "summary.json").read_text())["outcome"] == "failed"
    whole = resume_chance(tmp_path / "r", open_world("driving"), samples=92)
    assert whole.complete


def test_command_line(tmp_path: Path) -> None:
    run, folder = CliRunner(), str(tmp_path / "r")
    done = run.invoke(app, ["run", "sdma:driving", "--samples", "92", "--out", folder, "-q"])
    assert done.exit_code == 0, done.output
    assert "In about" in done.output
    checked = run.invoke(app, ["verify", folder, "--replay", "sdma:driving"])
    assert checked.exit_code == 0, checked.output
    assert "no journal proves them" in checked.output
    more = run.invoke(app, ["resume", folder, "--samples", "120", "--json"])
    assert json.loads(more.stdout)["samples"] == 120
    assert run.invoke(app, ["score", folder, "sdma:driving"]).exit_code == 0
    wrong = run.invoke(
        app, ["run", "sdma:driving", "--strategy", "chain", "--samples", "5", "--out", folder + "2"]
    )
    assert wrong.exit_code == 2
    page = Path(folder, "report.html")
    written = page.read_bytes()
    page.unlink()
    again = run.invoke(app, ["report", folder])
    assert again.exit_code == 0, again.output
    assert page.read_bytes() == written
    Path(folder, "description.md").unlink()
    assert run.invoke(app, ["report", folder]).exit_code == 2
