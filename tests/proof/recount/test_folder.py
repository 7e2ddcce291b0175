"""Result folders: what is in order passes, and whatever was tampered with is caught."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.core.formula import TRUE, Equality, Exists, negate
from assay.core.model import Model
from assay.core.symbols import Parameter
from assay.core.vocabulary import Vocabulary
from assay.errors import JournalError
from assay.pddl.writer import write_domain
from assay.proof.recount.folder import verify_folder
from assay.proof.recount.report import as_dict

from .asking import Asking, Claimed, Line
from .doors import CLAIMS, DOORS, NEEDS, OPEN, REPAIR, VOCABULARY, action, both, either, lit
from .folders import Folder

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Asked once; tests that change files take `folder`."""
    return Folder(tmp_path_factory.mktemp("made") / "r", DOORS, CLAIMS)


@pytest.fixture
def folder(made: Folder) -> Folder:
    made.write()
    return made


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("tells", [True, False])
def test_the_strength_asked_for_is_shown(tmp_path: Path, level: int, tells: bool) -> None:
    found = Folder(tmp_path / "r", DOORS, CLAIMS, level, tells=tells).verify()
    assert found.problems == ()
    assert found.holds
    assert found.verdict is not None
    assert found.verdict.strength == level


# ---- the journal


def test_every_answer_counts(folder: Folder) -> None:
    """What is left once no entry is one too many: without any one of them too much is claimed."""
    kept, needed = list(folder.lines), 0
    for line in folder.lines:
        fewer = [x for x in kept if x is not line]
        folder.write()
        folder.replace_journal(fewer)
        found = folder.verify()
        if found.holds:
            kept = fewer
        else:
            assert found.verdict is not None
            assert found.verdict.strength in (None, 0, 1)
            assert "strength 2 is claimed" in " ".join(found.problems)
            needed += 1
    assert needed == len(kept) < len(folder.lines)


def test_a_flipped_answer_is_rejected(folder: Folder) -> None:
    for number, line in enumerate(folder.lines):
        folder.write()
        changed = {k: v for k, v in line.items() if k != "changes"}
        changed |= {
            "steps": 1 - line["steps"],
            "changes": [] if line["steps"] else [{"added": [], "removed": []}],
        }
        folder.replace_journal([*folder.lines[:number], changed, *folder.lines[number + 1 :]])
        assert f"Question {number + 1}" in folder.problems()


def test_a_changed_effect_is_rejected(folder: Folder) -> None:
    number = next(n for n, x in enumerate(folder.lines) if x["steps"] and "wet" in x["state"])
    for change in ({"added": ["card a1"]}, {"removed": []}, {"added": [], "removed": ["wet"]}):
        folder.write()
        line = folder.lines[number]
        changed = {**line, "changes": [line["changes"][0] | change]}
        folder.replace_journal([*folder.lines[:number], changed, *folder.lines[number + 1 :]])
        assert f"Question {number + 1}, step 1" in folder.problems()


def test_an_edited_journal_is_no_evidence(folder: Folder) -> None:
    path = folder.path / "journal.jsonl"
    path.write_text(path.read_text().replace('"steps":1', '"steps":0', 1))
    with pytest.raises(JournalError, match="edited"):
        verify_folder(folder.path)
    path.unlink()
    with pytest.raises(JournalError):
        verify_folder(folder.path)


@pytest.mark.parametrize(
    "change",
    [
        {"state": ["shut nowhere"]},
        {"state": ["shut a1"]},
        {"plan": ["open a1 a0"]},
        {"objects": {"a0": "window", "a1": "tool"}},
        {"steps": 7},
        {"changes": []},
        {"steps": 0, "changes": None},
        {"policy": []},
    ],
)
def test_a_journal_that_makes_no_sense_is_no_evidence(folder: Folder, change: Line) -> None:
    line = next(x for x in folder.lines if x["steps"] == 1 and x["plan"][0].startswith("open"))
    folder.replace_journal([{**line, **change}])
    with pytest.raises(JournalError, match="line 2"):
        verify_folder(folder.path)


def test_a_journal_that_was_cut_or_went_on(folder: Folder) -> None:
    folder.write_journal(folder.lines[:-1])
    assert "the rest is missing" in folder.problems()
    folder.write_journal([*folder.lines, folder.lines[0]])
    assert "it went on since" in folder.problems()
    folder.write_journal([folder.lines[1], folder.lines[0], *folder.lines[2:]])
    assert "hashes differ" in folder.problems()


def test_invalid_answers_are_no_evidence(folder: Folder) -> None:
    lines = [
        {k: x[k] for k in ("n", "objects", "state", "plan")} | {"invalid": "no"}
        if x["plan"][0].startswith("repair")
        else x
        for x in folder.lines
    ]
    folder.replace_journal(lines)
    assert "repair: strength 2 is claimed; the answers show none" in folder.problems()


# ---- the model


def test_a_model_written_otherwise_is_accepted_and_said_to_be_so(folder: Folder) -> None:
    reordered = action(
        VOCABULARY,
        "open",
        either(both("card ?k", "not broken ?k", "shut ?d"), both("fits ?k ?d", "shut ?d", "not broken ?k")),
        ("muddy", lit("wet")),
        ("not shut ?d", TRUE),
    )
    text = write_domain(Model(VOCABULARY, (REPAIR, reordered)))
    text = text.replace("?k", "?thing").replace("?d ", "?k ").replace("?d)", "?k)")
    folder.replace_model(text, known=False)
    found = folder.verify()
    assert found.holds, found.problems
    assert "equivalent to the certificate's terms" in " ".join(found.notes)


@pytest.mark.parametrize(
    ("needs", "where"),
    [
        (both("shut ?d", either("fits ?k ?d", "card ?k")), "the model runs and the terms do not"),
        (both(NEEDS, "not muddy"), "the terms hold, the model not"),
        (both("shut ?d", "not broken ?k", "card ?k"), "the terms hold, the model not"),
        (both("shut ?d", "not broken ?k"), "the model runs and the terms do not"),
        (either(NEEDS, both("wet", "muddy", "card ?k", "broken ?k")), "the model runs and the terms do not"),
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_another_precondition_is_rejected(folder: Folder, needs: Any, where: str, known: bool) -> None:
    edited = Model(VOCABULARY, (action(VOCABULARY, "open", needs, *_effects()), REPAIR))
    folder.replace_model(write_domain(edited), known=known)
    assert (
        f"open: the certificate's terms are not its precondition in the model: {where}" in folder.problems()
    )


def _effects() -> list[tuple[str, Any]]:
    return [("not shut ?d", TRUE), ("muddy", lit("wet"))]


@pytest.mark.parametrize(
    "effects",
    [
        [("not shut ?d", TRUE)],
        [("not shut ?d", TRUE), ("muddy", TRUE)],
        [("not shut ?d", TRUE), ("muddy", both("wet", "not card ?k"))],
        [*_effects(), ("broken ?k", both("wet", "muddy", "card ?k"))],
    ],
)
def test_other_effects_are_rejected(folder: Folder, effects: list[tuple[str, Any]]) -> None:
    edited = Model(VOCABULARY, (action(VOCABULARY, "open", NEEDS, *effects), REPAIR))
    folder.replace_model(write_domain(edited))
    assert "the model foretells" in folder.problems()


def test_widened_everywhere_is_rejected_by_the_answers(folder: Folder) -> None:
    """Model and certificate agree, and the answers do not."""
    wide = Model(VOCABULARY, (OPEN, action(VOCABULARY, "repair", TRUE, ("not broken ?k", TRUE))))
    folder.replace_model(write_domain(wide))
    folder.edit(lambda c: c["actions"]["repair"].update(terms=[[]]))
    assert "the model runs (repair a0), which was refused" in folder.problems()


def test_a_model_that_cannot_be_used(folder: Folder) -> None:
    folder.replace_model("(define (domain x)")
    assert "model.pddl cannot be used" in folder.problems()
    folder.replace_model(folder.asking.model and write_domain(DOORS).replace("wet", "damp"))
    assert "another vocabulary" in folder.problems()
    folder.replace_model(write_domain(Model(VOCABULARY, (OPEN,))))
    assert "repair: it is marked as learned, and the model leaves it out" in folder.problems()
    (folder.path / "model.pddl").unlink()
    assert "Cannot read model.pddl" in folder.problems()


# ---- the certificate


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (
            lambda c: c["actions"]["open"].update({"strength": 3, "class": [2, 2, 3]}),
            "strength 3 is claimed; the answers show 2",
        ),
        (lambda c: c.update(strength=3), "claims strength 3 of the model; the answers show 2"),
        (lambda c: c["actions"]["open"].update({"class": [2, 2, 3]}), "strength 2 means class [2, 1, 3]"),
        (lambda c: c["actions"]["open"].pop("class"), "no class is stated"),
        (lambda c: c["actions"]["open"].update(strength=7), "there is no strength 7"),
        (lambda c: c["actions"]["open"].update(terms=[]), "has no terms"),
        (lambda c: c["actions"]["open"]["terms"].pop(), "are not its precondition"),
        (lambda c: c["actions"]["open"]["terms"][0].append("flat ?d"), "is not about the arguments"),
        (lambda c: c["actions"]["open"]["terms"][0].append("some 0"), "there is no such other object"),
        (lambda c: c["actions"]["open"]["terms"][0].append("not shut ?d"), "a contradiction in itself"),
        (lambda c: c["actions"].pop("repair"), "repair: the certificate says nothing of it"),
        (lambda c: c["actions"].update(fly={"status": "open"}), "'fly', which there is not"),
        (lambda c: c["actions"]["open"].update(status="never ran"), "strength 2 is claimed"),
        (lambda c: c["actions"].update(repair={"status": "never ran"}), "said never to have run, and ran"),
        (
            lambda c: c["actions"].update(repair={"status": "open"}),
            "is 'complete', and an action is marked as open",
        ),
        (lambda c: c["actions"].update(repair={"status": "contradicted"}), "no questions are named"),
        (lambda c: c.update(outcome="contradiction"), "no action is marked as contradicted"),
        (lambda c: c.update(proved=True), "not a certificate of version 2"),
        (lambda c: c.update(journal="0" * 64), "hashes differ"),
    ],
)
def test_a_certificate_that_claims_more(folder: Folder, edit: Edit, what: str) -> None:
    folder.edit(edit)
    assert what in folder.problems()


def test_a_certificate_may_claim_less(folder: Folder) -> None:
    def less(data: dict[str, Any]) -> None:
        data.update(strength=1, outcome="partial")
        data["actions"]["open"].update({"strength": 1, "class": [1, 1, 3]})
        data["actions"]["repair"] = {"status": "open"}

    folder.edit(less)
    assert "claims strength 1 of the model; the answers show none" in folder.problems()
    folder.edit(lambda data: data.update(strength=None))
    found = folder.verify()
    assert found.holds, found.problems
    assert found.verdict is not None
    assert [a.strength for a in found.verdict.actions] == [2, None]


def test_states_between_that_were_not_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "r", DOORS, CLAIMS, 0, tells=False)
    plan = ["open d k", "repair j"]
    folder.asking.ask({"d": "door", "k": "tool", "j": "tool"}, ["shut d", "card k", "broken j"], plan)
    folder.write()
    assert folder.verify().holds
    folder.edit(lambda data: data.update(states_between=True))
    assert "in 1 answer they were not" in folder.problems()


def test_without_a_certificate_nothing_is_claimed(folder: Folder) -> None:
    (folder.path / "certificate.json").unlink()
    assert "There is no certificate.json: nothing is claimed." in folder.problems()
    assert verify_folder(folder.path, 2).holds
    found = verify_folder(folder.path, 3)
    assert not found.holds
    assert found.problems == ("Strength 3 is asked for; the answers show 2.",)
    assert found.verdict is not None
    assert found.verdict.strength == 2


# ---- patterns that were not realised


@pytest.fixture
def invalid(tmp_path: Path) -> Folder:
    """An agent that knows no states that are both wet and muddy."""
    folder = Folder(tmp_path / "r", DOORS, {}, 0)
    folder.asking = Asking(DOORS, invalid=frozenset({"wet", "muddy"}))
    folder.claims, folder.level = CLAIMS, 2
    for name, claimed in CLAIMS.items():
        folder.asking.cover(name, claimed, 2, random.Random(1))
    folder.write()
    return folder


def listed(why: str = "invalid") -> Edit:
    items = [{"term": n, "pattern": ["wet", "muddy"], "why": why} for n in (0, 1)]

    def edit(data: dict[str, Any]) -> None:
        data["actions"]["open"]["not_realised"] = items
        data["actions"]["repair"]["not_realised"] = items[:1]

    return edit


def test_invalid_patterns_are_listed_apart(invalid: Folder) -> None:
    assert "strength 2 is claimed" in invalid.problems()
    invalid.edit(listed())
    found = invalid.verify()
    assert found.holds, found.problems
    assert found.verdict is not None
    assert found.verdict.actions[0].runs.excused == 4
    assert found.verdict.actions[0].on_trust == 0
    invalid.edit(listed("out of reach"))
    found = invalid.verify()
    assert found.holds
    assert found.verdict is not None
    assert found.verdict.actions[0].on_trust == 2


@pytest.mark.parametrize(
    ("item", "what"),
    [
        ({"term": 0, "pattern": ["wet", "not muddy"], "why": "invalid"}, "shows it"),
        (
            {"term": 0, "pattern": ["wet", "muddy"], "turned": ["shut ?d"], "why": "impossible"},
            "not impossible",
        ),
        ({"term": 3, "pattern": ["wet"]}, "there is no term 3"),
        ({"term": 0, "pattern": ["shut ?d"]}, "is about literals of term 0"),
        ({"term": 0, "turned": ["not shut ?d"]}, "is not part of term 0"),
        ({"term": 0, "pattern": ["low ?d"]}, "is not about the arguments"),
    ],
)
def test_a_list_that_is_not_so_excuses_nothing(invalid: Folder, item: dict[str, Any], what: str) -> None:
    invalid.edit(listed())
    invalid.edit(lambda data: data["actions"]["open"]["not_realised"].append(item))
    assert what in invalid.problems()


def test_invalid_must_have_been_asked(folder: Folder) -> None:
    lines = [x for x in folder.lines if not ({"wet", "muddy"} <= {*x["state"]} and x["steps"])]
    folder.replace_journal(lines)
    folder.edit(listed())
    assert "no question that shows it was answered as invalid" in folder.problems()


# ---- other objects


BOXES = Vocabulary.of(
    types=["box", "place"],
    predicates={"at": ["box", "place"], "on": ["box", "box"], "red": ["box"], "held": ["box"]},
    actions={"lift": {"b": "box"}, "sweep": {"p": "place"}},
)
ON_TOP = Exists((Parameter("?y", ("box",)),), both("on ?y ?b"))
ANOTHER_ON_TOP = Exists((Parameter("?y", ("box",)),), both(Equality("?y", "?b", False), "on ?y ?b"))


def boxes() -> Model:
    """Something can be lifted if no other box is on it; a place can be swept if a red box is there."""
    free = both("not held ?b", "not on ?b ?b", negate(ANOTHER_ON_TOP))
    red = Exists((Parameter("?y", ("box",)),), both("at ?y ?p", "red ?y"))
    return Model(BOXES, (action(BOXES, "lift", free, ("held ?b", TRUE)), action(BOXES, "sweep", red)))


BOX_CLAIMS = {
    "lift": Claimed([["not held ?b", "not on ?b ?b", "not some 0"]], [("box", ["on ?z ?b"])]),
    "sweep": Claimed([["some 0"]], [("box", ["at ?z ?p", "red ?z"])]),
}


@pytest.mark.parametrize("level", [0, 2, 3])
def test_other_objects(tmp_path: Path, level: int) -> None:
    folder = Folder(tmp_path / "r", boxes(), BOX_CLAIMS, level)
    found = folder.verify()
    assert found.holds, found.problems
    wrong = Model(
        BOXES,
        (boxes().actions[0], action(BOXES, "sweep", Exists((Parameter("?y", ("box",)),), lit("at ?y ?p")))),
    )
    folder.replace_model(write_domain(wrong))
    assert "sweep: the certificate's terms are not its precondition" in folder.problems()


def test_an_argument_is_no_other_object(tmp_path: Path) -> None:
    """A box on itself: the certificate says no *other* box is on it, the model that none is."""
    folder = Folder(tmp_path / "r", boxes(), BOX_CLAIMS, 2)
    lift = action(BOXES, "lift", both("not held ?b", negate(ON_TOP)), ("held ?b", TRUE))
    folder.replace_model(write_domain(Model(BOXES, (lift, boxes().actions[1]))))
    assert folder.verify().holds
    folder.edit(lambda data: data["actions"]["lift"].update(terms=[["not held ?b", "not some 0"]]))
    assert "lift: the certificate's terms are not its precondition" in folder.problems()


def test_bystanders_are_there(tmp_path: Path) -> None:
    """Objects that no fact and no step mentions count for quantifiers."""
    everything = Exists((Parameter("?y", ("box",)),), both("not at ?y ?p"))
    model = Model(BOXES, (boxes().actions[0], action(BOXES, "sweep", everything)))
    claims = {"lift": BOX_CLAIMS["lift"], "sweep": Claimed([["some 0"]], [("box", ["not at ?z ?p"])])}
    folder = Folder(tmp_path / "r", model, claims, 0)
    assert folder.verify().holds
    number, line = next(
        (n, x) for n, x in enumerate(folder.lines) if x["plan"] == ["sweep a0"] and x["steps"]
    )
    assert len(line["objects"]) == 2
    alone = {**line, "objects": {"a0": "place"}}
    folder.replace_journal([*folder.lines[:number], alone, *folder.lines[number + 1 :]])
    assert "the model refuses (sweep a0), which ran" in folder.problems()


def test_never_ran_and_no_more(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "r", DOORS, {"repair": CLAIMS["repair"]}, 2)
    folder.asking.ask({"d": "door", "k": "tool"}, ["card k"], ["open d k"])
    folder.write()
    folder.replace_model(write_domain(Model(VOCABULARY, (REPAIR,))))
    folder.edit(lambda data: data["actions"].update(open={"status": "never ran"}))
    found = folder.verify()
    assert found.holds, found.problems
    assert found.verdict is not None
    assert found.verdict.strength == 2
    assert (found.verdict.actions[0].status, found.verdict.actions[0].refused) == ("never ran", 1)


def test_json(folder: Folder) -> None:
    told = json.loads(json.dumps(as_dict(folder.verify())))
    assert told["strength"] == 2
    assert told["actions"]["open"]["counted"]["runs"] == {"covered": 16, "required": 16, "not_realised": 0}
