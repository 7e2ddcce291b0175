"""What is written into a result folder by somebody else is noticed, file by file."""

from __future__ import annotations

import hashlib
import json

import pytest

from assay.store.chain import MARK, TAIL, link


def edit(folder, name, change):
    path = folder / name
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data, indent=2))


def chained(folder, change):
    """The journal with lines changed, and all hashes made anew, in journal and certificate."""
    last, lines = "", []
    for number, line in enumerate((folder / "journal.jsonl").read_bytes().splitlines()):
        body = change(number, line[:-TAIL] + b"}")
        last = link(last, body)
        lines.append(body[:-1] + MARK + last.encode() + b'"}\n')
    (folder / "journal.jsonl").write_bytes(b"".join(lines))
    edit(folder, "certificate.json", lambda data: data["journal"].update(hash=last))


def text_in_model(folder, old, new):
    """The model edited, and the certificate made to fit."""
    path = folder / "model.pddl"
    path.write_text(path.read_text().replace(old, new, 1))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    edit(folder, "certificate.json", lambda data: data["model"].update(sha256=digest))


def test_a_folder_as_it_was_written_is_in_order(call, finished):
    call("verify", str(finished))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("equivalent_models", 5),
            ("strategy", "naive"),
            ("seed", 7),
            ("start", "reset"),
            ("lower_bound", 1),
        ),
        *(("never_ran", ["x"]), ("new_objects", False), ("equality", True), ("rejected", 3)),
        *(("outcome", "open"), ("outcome", "nonsense"), ("certified", True), ("steps", 1)),
    ],
)
def test_members_of_the_summary(call, finished, name, value):
    edit(finished, "summary.json", lambda data: data.update({name: value}))
    assert "summary.json" in call("verify", str(finished), code=3).output


def test_members_of_a_hello_are_there_once(call, lamps, tmp_path):
    agent, path = lamps(), tmp_path / "lamps.py"
    twice = """print(json.dumps(HELLO)[:-1] + ', "name": "a", "name": "b"}', flush=True)"""
    path.write_text(path.read_text().replace("print(json.dumps(HELLO), flush=True)", twice))
    assert "two members" in call("run", agent, "--quiet", code=2).output


def test_a_run_is_not_relabelled(call, finished):
    edit(finished, "run.json", lambda data: data.update(agent="exec:another"))
    assert "run.json names another agent" in call("verify", str(finished), code=3).output


def test_a_seal(call, finished, tmp_path):
    (tmp_path / "key").write_bytes(b"k" * 32)
    (tmp_path / "other").write_bytes(b"o" * 32)
    call("verify", str(finished), "--key", "key", code=3)
    call("seal", str(finished), "--key", "key")
    call("verify", str(finished), "--key", "key")
    assert "not made with this key" in call("verify", str(finished), "--key", "other", code=3).output
    edit(finished, "summary.json", lambda data: data.update(seconds=0.1))
    call("report", str(finished))
    call("verify", str(finished))  # nothing else shows what a journal does not hold
    assert (
        "summary.json is not as it was sealed" in call("verify", str(finished), "--key", "key", code=3).output
    )
    (finished / "more").write_text("")
    assert "more came after" in call("verify", str(finished), "--key", "key", code=3).output


@pytest.mark.parametrize("key", [b"", b"short", None])
def test_a_key_that_is_none(call, finished, tmp_path, key):
    if key is not None:
        (tmp_path / "key").write_bytes(key)
    call("seal", str(finished), "--key", "key", code=2)


@pytest.mark.parametrize("seal", ["", "[]", '{"files": {}, "hmac": "é"}', '{"files": 5}', "[" * 100_000])
def test_a_seal_that_is_none(call, finished, tmp_path, seal):
    (tmp_path / "key").write_bytes(b"k" * 32)
    (finished / "seal.json").write_text(seal)
    call("verify", str(finished), "--key", "key", code=3)
