"""Result folders: what is in order passes, whatever was tampered with is caught."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assay.agents.model import ModelAgent
from assay.core.model import ActionModel, Model
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, JournalError
from assay.proof import Claim, prove, read_certificate, replay, verify_folder, write_certificate
from assay.store.journal import Entry, entry_to_dict

from .folders import claims_of, write_folder
from .reference import Interview

GRIPPER = Vocabulary.of(
    types=["Room", "ball"],
    constants={"Depot": "Room"},
    predicates={"At": ["Room"], "in": ["ball", "Room"], "holding": ["ball"], "free": []},
    actions={"move": ["Room", "Room"], "pick": {"b": "ball", "r": "Room"}},
)
THINGS = (Object("r1", "Room"), Object("r2", "Room"), Object("b1", "ball"), Object("b2", "ball"))


def literals(*texts: str) -> frozenset[Literal]:
    return frozenset(Literal(Atom.parse(t.removeprefix("-")), not t.startswith("-")) for t in texts)


TRUTH = Model(
    GRIPPER,
    (
        ActionModel.strips(
            GRIPPER.action["move"],
            literals("At ?x1"),
            literals("At ?x2", "-At ?x1"),
            frozenset({("?x1", "?x2")}),
        ),
        ActionModel.strips(
            GRIPPER.action["pick"],
            literals("At ?r", "in ?b ?r", "free", "-holding ?b"),
            literals("holding ?b", "-in ?b ?r", "-free"),
        ),
    ),
)


def telling_questions(setting: Setting, agent: ModelAgent, model: Model) -> list[Entry]:
    """For every action: where it runs, with all else false and all else true, and each literal violated."""
    universe, entries = setting.universe, list[Entry]()
    arguments = {"move": ("r1", "r2"), "pick": ("b1", "r1")}
    for action in model.actions:
        step = Step(action.header.name, arguments[action.header.name])
        atoms = GRIPPER.lifted_atoms(step.action)
        need = {x.atom: x.positive for x in action.needed}
        least = {a for a in atoms if need.get(a, False)}
        most = {a for a in atoms if need.get(a, True)}
        for lifted in [least, most, *(least ^ {a} for a in sorted(need))]:
            binding = action.header.bind(step.args)
            query = PlanQuery(universe.state([a.substitute(binding) for a in lifted]), (step,))
            entries.append(Entry(len(entries) + 1, query, agent.ask(query)))
    return entries


class Folder:
    """A result folder and handles to tamper with it."""

    def __init__(self, path: Path, model: Model = TRUTH, truth: Model = TRUTH) -> None:
        self.path = path
        self.agent = ModelAgent(truth, THINGS)
        self.setting = Setting.of(self.agent)
        self.entries = telling_questions(self.setting, self.agent, truth)
        self.model = model
        self.write()

    def write(self, claims: list[Claim] | None = None, complete: bool = True) -> None:
        if claims is None:
            claims = claims_of(self.setting, self.entries, self.model, self._about, "open")
        write_folder(self.path, self.setting, self.entries, self.model, claims, complete)

    def _about(self, action: str) -> tuple[int, ...]:
        return tuple(e.number for e in self.entries if e.query.plan[0].action == action)

    def edit_certificate(self, edit: Callable[[dict[str, Any]], object]) -> None:
        path = self.path / "certificate.json"
        data = msgspec.json.decode(path.read_bytes())
        edit(data)
        path.write_bytes(msgspec.json.encode(data))

    def claim(self, data: dict[str, Any], atom: str, part: str = "precondition") -> dict[str, Any]:
        return next(c for c in data["claims"] if (c["action"], c["atom"], c["part"]) == ("pick", atom, part))

    def problems(self) -> str:
        found = verify_folder(self.path)
        assert not found.in_order
        assert not found.proved
        return " ".join(found.sentences())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_in_order(folder: Folder) -> None:
    found = verify_folder(folder.path)
    assert found.sentences() == ["This is the only model, up to equivalence, that gives these answers."]
    assert found.in_order
    assert found.proved


def test_certificate_round_trip(folder: Folder) -> None:
    path = folder.path / "certificate.json"
    certificate = read_certificate(path)
    write_certificate(folder.path / "copy.json", certificate)
    assert (folder.path / "copy.json").read_bytes() == path.read_bytes()
    assert msgspec.json.decode(path.read_bytes())["assay"] == 1


# The journal


def journal_lines(folder: Folder) -> list[bytes]:
    return (folder.path / "journal.jsonl").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    "tamper",
    [
        lambda lines: [*lines[:3], lines[3].replace(b"move", b"pick"), *lines[4:]],
        lambda lines: [*lines[:3], *lines[4:]],
        lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]],
        lambda lines: [lines[0].replace(b'"seed":0', b'"seed":1'), *lines[1:]],
        lambda lines: lines[1:],
    ],
    ids=["edited", "removed", "swapped", "other setting", "no setting"],
)
def test_a_tampered_journal_is_no_evidence(
    folder: Folder, tamper: Callable[[list[bytes]], list[bytes]]
) -> None:
    (folder.path / "journal.jsonl").write_bytes(b"".join(tamper(journal_lines(folder))))
    with pytest.raises(JournalError):
        verify_folder(folder.path)


@pytest.mark.parametrize(("lost", "ends"), [(1, "last question is"), (3, "last 3 questions are")])
def test_of_a_journal_without_its_end_only_that_is_said_and_what_is_not_proved(
    folder: Folder, lost: int, ends: str
) -> None:
    (folder.path / "journal.jsonl").write_bytes(b"".join(journal_lines(folder)[:-lost]))
    found = verify_folder(folder.path)
    assert found.problems == (
        f"The journal's {ends} missing: the certificate is about a journal of 9 questions; "
        f"this one has {9 - lost}. 'assay resume {folder.path}' goes on with it.",
    )
    assert found.verdict is not None
    doubts = found.verdict.unproved
    assert len({doubt.subject for doubt in doubts}) == len(doubts) > 0
    assert found.sentences() == [*found.problems, *(f"Not proved: {doubt}." for doubt in doubts)]


def rehashed(folder: Folder, edit: Callable[[dict[str, Any]], object], number: int) -> None:
    """Edits an entry and makes the chain of hashes fit again, as a careful forger would."""
    lines, last, found = journal_lines(folder), "", []
    for place, line in enumerate(lines):
        data = msgspec.json.decode(line)
        del data["hash"]
        if place == number:
            edit(data)
        body = msgspec.json.encode(data)
        last = hashlib.sha256(last.encode() + body).hexdigest()
        found.append(body[:-1] + b',"hash":"' + last.encode() + b'"}\n')
    (folder.path / "journal.jsonl").write_bytes(b"".join(found))
    folder.edit_certificate(lambda data: data["journal"].update(hash=last))


def test_a_forged_answer_with_good_hashes(folder: Folder) -> None:
    """The journal reads well and the certificate names its hash: the answers themselves give it away."""
    rehashed(folder, lambda data: data.update(steps=0, changes=[]), 1)
    verdict = verify_folder(folder.path).verdict
    assert verdict is not None
    assert 1 in verdict.unexplained
    folder.problems()
    assert replay(folder.agent, folder.entries) == ()


def test_a_forged_answer_is_found_by_asking_again(folder: Folder) -> None:
    forged = Entry(3, folder.entries[2].query, PlanResponse(1, folder.entries[2].query.state))
    entries = [*folder.entries[:2], forged, Entry(4, folder.entries[3].query, Invalid("not here"))]
    assert replay(folder.agent, entries) == (3, 4)
    agreeing = Entry(1, folder.entries[0].query, Invalid("gone"))

    class Silent(ModelAgent):
        def ask(self, query: PlanQuery, /) -> Invalid:  # type: ignore[override]
            return Invalid("still gone")

    assert replay(Silent(TRUTH), [agreeing]) == ()


# The model


def test_an_edited_model(folder: Folder) -> None:
    path = folder.path / "model.pddl"
    path.write_text(path.read_text() + "; a remark\n")
    assert folder.problems().startswith("model.pddl is not the file that the certificate is about.")


def test_an_edited_model_is_not_held_against_its_certificate(folder: Folder) -> None:
    edit = folder.edit_certificate
    edit(lambda data: folder.claim(data, "free", "effect").update(status="settled"))
    edit(lambda data: folder.claim(data, "At ?r", "effect").update(status="indistinguishable"))
    assert verify_folder(folder.path).proved
    path = folder.path / "model.pddl"
    path.write_text(path.read_text().replace("(At ?r)\n", "", 1))
    assert verify_folder(folder.path).problems == (
        "model.pddl is not the file that the certificate is about.",
        "certificate.json says that pick: precondition (At ?r) is +; model.pddl says absent.",
    )
    said = folder.problems()
    assert "The model does not give the answer to question" in said
    assert "Not proved: pick does not ask for (At ?r), but it could also be that it needs (At ?r)." in said


@pytest.mark.parametrize(("mode", "said"), [("absent", "free"), ("-", "free")])
def test_an_edited_certificate_is_not_held_against_the_model(folder: Folder, mode: str, said: str) -> None:
    folder.edit_certificate(lambda data: folder.claim(data, "free").update(mode=mode))
    found = verify_folder(folder.path)
    assert f"certificate.json says that pick: precondition ({said}) is {mode}; model.pddl says +." in (
        found.problems
    )
    assert (
        f"certificate.json: pick: precondition ({said}) is {mode}: the cited questions do not settle this."
        in found.problems
    )
    assert found.verdict is not None
    assert found.verdict.proved


def test_a_wrong_model_with_a_certificate_that_fits(tmp_path: Path) -> None:
    move, pick = TRUTH.actions
    wrong = ActionModel.strips(pick.header, pick.needed - literals("free"), pick.plain_effects)
    folder = Folder(tmp_path, model=Model(GRIPPER, (move, wrong)))
    folder.write([c if c.status == "settled" else settled(c) for c in current_claims(folder)])
    problems = folder.problems()
    assert "The model does not give the answer to question" in problems
    assert "pick: precondition (free) is absent: the cited questions do not settle this." in problems


def current_claims(folder: Folder) -> list[Claim]:
    return list(read_certificate(folder.path / "certificate.json").claims)


def settled(claim: Claim) -> Claim:
    return msgspec.structs.replace(claim, status="settled")


def test_a_model_in_another_vocabulary(folder: Folder) -> None:
    path = folder.path / "model.pddl"
    path.write_text(path.read_text().replace("holding", "carrying"))
    problems = folder.problems()
    assert "another vocabulary" in problems
    assert "predicate holding - ball is missing" in problems


@pytest.mark.parametrize("damage", [lambda p: p.write_text("(define"), lambda p: p.unlink()])
def test_a_model_that_cannot_be_read(folder: Folder, damage: Callable[[Path], object]) -> None:
    damage(folder.path / "model.pddl")
    assert "model.pddl" in folder.problems()
    assert verify_folder(folder.path).verdict is None


# The certificate


def test_no_certificate(folder: Folder) -> None:
    (folder.path / "certificate.json").unlink()
    found = verify_folder(folder.path)
    assert not found.in_order
    assert found.verdict is not None
    assert found.verdict.proved
    (folder.path / "certificate.json").write_text('{"assay":2}')
    assert "not a certificate" in folder.problems()
    with pytest.raises(InputError):
        read_certificate(folder.path / "certificate.json")


def test_evidence_that_does_not_settle(folder: Folder) -> None:
    folder.edit_certificate(lambda data: folder.claim(data, "free").update(evidence=[4, 5]))
    assert folder.problems() == (
        "certificate.json: pick: precondition (free) is +: the cited questions do not settle this. "
        "This is the only model, up to equivalence, that gives these answers."
    )


def test_evidence_may_be_as_little_as_needed(folder: Folder) -> None:
    """Two runs that differ in all that is free, and the failure: enough for one literal."""
    pick = [e.number for e in folder.entries if e.query.plan[0].action == "pick"]
    first, second, *refused = pick
    (failure,) = (n for n in refused if Atom("free") not in folder.entries[n - 1].query.state)
    folder.edit_certificate(lambda data: folder.claim(data, "free").update(evidence=[first, second, failure]))
    assert verify_folder(folder.path).proved
    folder.edit_certificate(lambda data: folder.claim(data, "free").update(evidence=[second, failure]))
    assert "do not settle" in folder.problems()


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda f, d: f.claim(d, "free").update(mode="absent"), "model.pddl says +"),
        (lambda f, d: f.claim(d, "free").update(evidence=[99]), "there is no question 99"),
        (lambda f, d: f.claim(d, "free").update(evidence=[]), "do not settle this"),
        (lambda f, d: f.claim(d, "free").update(atom="heavy"), "no part of the model"),
        (lambda f, d: f.claim(d, "free").update(status="open"), "leaves something open"),
        (lambda f, d: f.claim(d, "free").update(status="indistinguishable"), "but the answers settle it"),
        (lambda f, d: d["claims"].remove(f.claim(d, "free")), "no claim about pick: precondition (free)"),
        (lambda f, d: d["claims"].append(f.claim(d, "free")), "two claims about pick: precondition (free)"),
        (lambda f, d: d.update(complete=False), "calls itself incomplete"),
        (lambda f, d: d["journal"].update(hash="0" * 64), "another journal"),
        (lambda f, d: d["journal"].update(entries=3), "a journal of 3 questions"),
        (lambda f, d: d["model"].update(sha256="0" * 64), "not the file"),
        (lambda f, d: d.update(note="trust me"), "not a certificate"),
        (lambda f, d: d["claims"][0].update(mode="?"), "not a certificate"),
    ],
)
def test_an_edited_certificate(folder: Folder, edit: Callable[[Folder, Any], object], said: str) -> None:
    folder.edit_certificate(lambda data: edit(folder, data))
    assert said in folder.problems()


def test_a_void_effect_may_be_called_indistinguishable(folder: Folder) -> None:
    """Adding what is needed comes to the same as not adding it; that it is needed takes evidence."""
    edit = folder.edit_certificate
    edit(lambda data: folder.claim(data, "At ?r", "effect").update(status="indistinguishable"))
    found = verify_folder(folder.path)
    assert found.proved
    assert not found.trusted
    edit(lambda data: folder.claim(data, "At ?r", "effect").update(evidence=[4, 5]))
    assert "pick: effect (At ?r) is absent: the cited questions do not settle this." in folder.problems()


def test_less_can_be_claimed(tmp_path: Path) -> None:
    """Half the questions: what is open is said to be open, and an action that never ran is left out."""
    folder = Folder(tmp_path)
    folder.entries = [e for e in folder.entries if e.query.plan[0].action == "move"][:2]
    folder.model = Model(GRIPPER, TRUTH.actions[:1])
    folder.write(complete=False)
    found = verify_folder(tmp_path)
    assert found.in_order, found.problems
    assert not found.proved
    assert found.verdict is not None
    assert found.verdict.never_ran == ("pick",)
    assert found.verdict.unproved
    folder.write([settled(c) for c in current_claims(folder)], complete=False)
    assert "the cited questions do not settle this" in folder.problems()
    folder.write([msgspec.structs.replace(c, status="indistinguishable") for c in current_claims(folder)])
    assert "but the answers settle it" in folder.problems()
    assert verify_folder(tmp_path).trusted


def test_equality_claims(tmp_path: Path) -> None:
    vocabulary = Vocabulary.of(predicates={"p": ["object"]}, actions={"a": {"x": "object", "y": "object"}})
    action = ActionModel.strips(
        vocabulary.action["a"], literals("p ?x"), literals("p ?y"), frozenset({("?x", "?y")})
    )
    model = Model(vocabulary, (action,))
    interview = Interview(random.Random(0), ModelAgent(model), equality=True)
    entries = interview.entries(40, 1)
    assert prove(interview.setting, entries, model).proved
    numbers = tuple(e.number for e in entries)
    claims = [
        Claim("a", "p ?x", "precondition", "+", "settled", numbers),
        Claim("a", "p ?x", "effect", "absent", "settled", numbers),
        Claim("a", "p ?y", "precondition", "absent", "settled", numbers),
        Claim("a", "p ?y", "effect", "+", "settled", numbers),
        Claim("a", "= ?x ?y", "precondition", "-", "settled", numbers),
    ]

    def certify(pair: Claim) -> None:
        write_folder(tmp_path, interview.setting, entries, model, [*claims[:-1], pair])

    certify(claims[-1])
    assert verify_folder(tmp_path).proved, verify_folder(tmp_path).sentences()
    apart = tuple(e.number for e in entries if len(set(e.query.plan[0].args)) == 2)
    certify(msgspec.structs.replace(claims[-1], evidence=apart))
    assert "certificate.json: a: precondition (= ?x ?y) is -: the cited questions do not settle this." in (
        verify_folder(tmp_path).problems
    )


def test_entries_survive_the_file(folder: Folder) -> None:
    assert [entry_to_dict(e) for e in folder.entries] == [
        {k: v for k, v in msgspec.json.decode(line).items() if k != "hash"}
        for line in journal_lines(folder)[1:]
    ]
