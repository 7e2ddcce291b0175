"""Result folders of agents that only act: claims about reachable states are proved, false ones caught."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from assay.core.model import Model
from assay.core.query import PlanQuery, PlanResponse
from assay.proof import Claim, FolderVerdict, verify_folder
from assay.proof.certificate import Part
from assay.store.journal import Entry

from .acting import Walks
from .folders import claims_of, write_folder
from .test_acting import ask_all, blocksworld


class Folder:
    def __init__(self, path: Path, walks: Walks, entries: list[Entry], model: Model) -> None:
        self.path, self.setting, self.entries, self.model = path, walks.setting, entries, model
        numbers = tuple(e.number for e in entries)
        self.claims = claims_of(self.setting, entries, model, lambda action: numbers, "indistinguishable")

    def verify(self, claims: list[Claim] | None = None, complete: bool = True) -> FolderVerdict:
        stated = self.claims if claims is None else claims
        write_folder(self.path, self.setting, self.entries, self.model, stated, complete)
        return verify_folder(self.path)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    walks, truth = blocksworld(3)
    return Folder(tmp_path, walks, ask_all(walks, walks.entries(20, 12), truth), truth)


def test_proved(folder: Folder) -> None:
    found = folder.verify()
    assert found.proved, found.sentences()
    assert not found.trusted
    count = sum(c.status == "indistinguishable" for c in folder.claims)
    assert count
    assert found.sentences() == [
        "This is the only model, up to equivalence on reachable states, that gives these answers.",
        f"{count} literals cannot be told apart on reachable states: proved by exhausting 22 states.",
        "Reachable means by steps that name no thing twice; others were not tried.",
    ]


def test_a_difference_that_a_question_would_show(tmp_path: Path) -> None:
    """Half the questions: what they leave undecided is called indistinguishable, and it is not."""
    walks, truth = blocksworld(3)
    folder = Folder(tmp_path, walks, walks.entries(12, 12), truth)
    found = folder.verify()
    assert not found.in_order
    assert not found.proved
    told = [p for p in found.problems if "called indistinguishable, but" in p]
    assert told
    assert all("from an initial state would tell" in p for p in told)


def test_one_false_claim(tmp_path: Path) -> None:
    """All questions but those that convict one literal."""
    walks, truth = blocksworld(3)
    entries = ask_all(walks, walks.entries(20, 12), truth)
    for left_out in range(len(entries) - 1, -1, -1):
        rest = [Entry(n, e.query, e.response) for n, e in enumerate(entries, start=1) if n != left_out + 1]
        rest = [Entry(n, e.query, e.response) for n, e in enumerate(rest, start=1)]
        folder = Folder(tmp_path, walks, rest, truth)
        found = folder.verify()
        if not found.proved:
            assert any("called indistinguishable, but" in p for p in found.problems)
            as_open = [
                msgspec.structs.replace(c, status="open") if c.status == "indistinguishable" else c
                for c in folder.claims
            ]
            honest = folder.verify(as_open, complete=False)
            assert honest.in_order
            assert not honest.proved
            return
    raise AssertionError("no question was needed")


def test_settled_called_indistinguishable(folder: Folder) -> None:
    number, claim = next(
        (n, c) for n, c in enumerate(folder.claims) if c.status == "settled" and c.part == "precondition"
    )
    folder.claims[number] = msgspec.structs.replace(claim, status="indistinguishable")
    assert any("but the answers settle it" in p for p in folder.verify().problems)


def test_an_action_left_out_although_it_might_run(tmp_path: Path) -> None:
    walks, truth = blocksworld(3)
    idle = "unstack"
    entries = [
        e
        for e in walks.entries(40, 12)
        if isinstance(e.response, PlanResponse)
        and all(step.action != idle for step in e.query.plan[: e.response.steps])
    ]
    entries = [Entry(n, e.query, e.response) for n, e in enumerate(entries, start=1)]
    model = Model(truth.vocabulary, tuple(a for a in truth.actions if a.header.name != idle))
    folder = Folder(tmp_path, walks, entries, model)
    problems = folder.verify().problems
    assert "The certificate calls itself complete, but leaves something open." in problems


@pytest.mark.parametrize("complete", [True, False])
def test_an_action_called_idle_although_it_might_run(tmp_path: Path, complete: bool) -> None:
    """Its claims say that it is refused everywhere; nobody has tried hard enough."""
    walks, truth = blocksworld(3)
    idle = "unstack"
    entries = [
        e
        for e in ask_all(walks, walks.entries(20, 12), truth)
        if isinstance(e.response, PlanResponse)
        and all(step.action != idle for step in e.query.plan[: e.response.steps])
    ]
    entries = [Entry(n, e.query, e.response) for n, e in enumerate(entries, start=1)]
    model = Model(truth.vocabulary, tuple(a for a in truth.actions if a.header.name != idle))
    folder = Folder(tmp_path, walks, entries, model)
    parts: list[Part] = ["precondition", "effect"]
    claims = folder.claims + [
        Claim(idle, atom.text, part, "absent", "indistinguishable")
        for atom in truth.vocabulary.lifted_atoms(idle)
        for part in parts
    ]
    found = folder.verify(claims, complete)
    assert not found.in_order
    assert any(p.startswith(f"certificate.json: {idle}: ") and "would tell" in p for p in found.problems)


def test_logged_answers_count_but_their_states_are_not_within_reach(tmp_path: Path) -> None:
    """A log from a state of its own: all that it adds is what it shows."""
    walks, truth = blocksworld(3)
    entries = ask_all(walks, walks.entries(20, 12), truth)
    universe = walks.setting.universe
    nowhere = universe.state([a for a in walks.setting.offered[0] if a.predicate == "clear"])
    query = PlanQuery(nowhere, (walks.steps[0],))
    answer = PlanResponse(0, nowhere)
    renumbered = [Entry(n, e.query, e.response) for n, e in enumerate(entries, start=2)]
    walks.setting = replace(walks.setting, traces=1)
    with_log = Folder(tmp_path, walks, [Entry(1, query, answer, logged=True), *renumbered], truth)
    found = with_log.verify()
    assert found.proved, found.sentences()
    assert found.acting is not None
    assert found.acting.states == 22
