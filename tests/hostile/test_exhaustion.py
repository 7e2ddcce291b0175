"""What would take all memory or time is refused in words, before anything is done."""

from __future__ import annotations

import json
import time

import pytest

from assay.core.limits import LONGEST_REASON, Limits, check_size
from assay.core.symbols import Object
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

WIDE = {"predicates": {"p": ["object"] * 4}, "actions": {"a": ["object"] * 60}, "types": {}, "objects": {}}
HUGE = {
    "60 parameters and a predicate with four": (WIDE, "--max-lifted 12960000"),
    "5,000 predicates": ({"predicates": {f"p{n}": [] for n in range(5_000)}}, "--max-symbols"),
    "3,000 predicates": (
        {"predicates": {f"p{n}": [] for n in range(3_000)}, "actions": {"connect": []}},
        "--max-lifted 3000",
    ),
    "100,000 objects": ({"objects": {f"o{n}": "lamp" for n in range(100_000)}}, "--max-objects 100000"),
    "many facts": (
        {"predicates": {"p": ["lamp"] * 3}, "objects": {f"o{n}": "lamp" for n in range(200)}},
        "--max-ground 8000000",
    ),
}


@pytest.mark.parametrize(("hello", "told"), HUGE.values(), ids=HUGE)
def test_a_hello_is_counted_before_it_is_worked_on(call, lamps, hello, told):
    began = time.monotonic()
    said = call("run", lamps(**hello), "--quiet", code=2).output
    assert told in " ".join(said.split())
    assert time.monotonic() - began < 5


def test_the_option_that_is_named_raises_the_limit(call, lamps):
    small = lamps(predicates={"power": [], "on": ["lamp"], **{f"p{n}": ["lamp"] for n in range(50)}})
    call("run", small, "--quiet", "--max-lifted", "51", "--budget", "1", code=2)
    call("run", small, "--quiet", "--max-lifted", "52", "--budget", "1", code=3)
    call("run", small, "--quiet", "--budget", "1", code=3)


def journal_with(folder, predicates, actions):
    """A journal without questions about these words, its hash in order."""
    from assay.store.chain import MARK, link

    setting = json.loads((folder / "journal.jsonl").read_text().splitlines()[0])
    del setting["hash"]
    setting["vocabulary"] |= {"predicates": predicates, "actions": actions}
    body = json.dumps(setting, separators=(",", ":")).encode()
    return body[:-1] + MARK + link("", body).encode() + b'"}\n'


def test_counting_agrees_with_what_there_is():
    vocabulary = Vocabulary.of(
        types={"car": "object", "truck": "car", "place": "object"},
        constants={"depot": "place"},
        predicates={"at": ["car", "place"], "big": ["truck"], "near": ["place|car", "place"], "on": []},
        actions={"go": {"c": "car", "p": "place", "q": "place"}, "load": {"t": "truck"}},
    )
    most = max(len(vocabulary.lifted_atoms(action)) for action in ("go", "load"))
    check_size(vocabulary, [Object("t1", "truck"), Object("p1", "place")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_MAX_LIFTED", str(most))
        check_size(vocabulary, [])
        patch.setenv("ASSAY_MAX_LIFTED", str(most - 1))
        with pytest.raises(InputError, match=f"--max-lifted {most}"):
            check_size(vocabulary, [])


@pytest.mark.parametrize("trick", ["invalid", "error"])
def test_what_an_agent_says_is_cut(call, lamps, tmp_path, trick):
    agent = lamps(f"print(json.dumps({{'{trick}': 'so long ' * 1_000_000}}), flush=True); continue")
    call("run", agent, "--out", "r", "--quiet", "--budget", "3", code=3 if trick == "invalid" else 2)
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "r").iterdir()}
    assert sum(sizes.values()) < 200_000, sizes
    assert (tmp_path / "r" / "journal.jsonl").stat().st_size < 10 * (LONGEST_REASON + 500)


def test_long_names_are_refused(call, lamps):
    said = call("run", lamps(objects={"x" * 10_000: "lamp"}), "--quiet", code=2).output
    assert "10000 characters" in " ".join(said.split())
    assert len(said) < 500


def test_the_usual_limits_leave_room_for_the_benchmarks():
    from assay.bench.growth import synthetic
    from assay.bench.problems import DOMAINS, load

    check_size(synthetic(1_000, 100).vocabulary, [])
    for name in DOMAINS:
        model, problem = load(name, 10, 0)
        check_size(model.vocabulary, problem.objects)
    assert Limits.here() == Limits()
