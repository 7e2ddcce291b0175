"""How other objects were varied, against looking at every part in every situation."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from assay.core.formula import Equality, Exists, Formula, negate
from assay.core.model import Model
from assay.core.symbols import Parameter
from assay.core.vocabulary import Vocabulary
from assay.proof.recount import ActionVerdict, Journal, coverage, read_questions

from .asking import Asking
from .doors import action, both

TOOLS = Vocabulary.of(
    types=["tool", "box"],
    constants={"bench": "box"},
    predicates={"sharp": ["tool"], "near": ["tool", "tool"], "in": ["tool", "box"], "wet": []},
    actions={"cut": {"k": "tool"}, "dry": []},
)
SHARPER = Exists((Parameter("?o", ("tool",)),), both(Equality("?o", "?k", False), "sharp ?o", "near ?o ?k"))
OBJECTS = {"a": "tool", "b": "tool", "c": "tool", "x": "box"}
ATOMS = [
    *("wet", *(f"sharp {t}" for t in "abc"), *(f"near {t} {u}" for t in "abc" for u in "abc")),
    *(f"in {t} {b}" for t in "abc" for b in ("x", "bench")),
]
PROFILES = {
    "tool": ["sharp ?z", "near ?k ?z", "near ?z ?k", "near ?z ?z", "in ?z bench"],
    "box": ["in ?k ?z"],
}


def asked(needs: Formula, seed: int, count: int) -> tuple[Journal, Model, Asking]:
    rng = random.Random(seed)
    model = Model(
        TOOLS, (action(TOOLS, "cut", needs), action(TOOLS, "dry", both("wet"), ("not wet", both())))
    )
    asking = Asking(model)
    for _ in range(count):
        names = rng.sample(sorted(OBJECTS), rng.randint(1, 4))
        likely = rng.choice((0.1, 0.5, 0.9))
        known = {*names, "bench"}
        state = [a for a in ATOMS if rng.random() < likely and {*a.split()[1:]} <= known]
        if tools := [n for n in names if OBJECTS[n] == "tool"]:
            plan = ["dry", f"cut {rng.choice(tools)}", f"cut {rng.choice(tools)}"]
            asking.ask({n: OBJECTS[n] for n in names}, state, plan[rng.randint(0, 1) :])
    return read_questions([asking.setting, *asking.lines]), model, asking


def parts() -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for kind, facts in PROFILES.items():
        literals = [sign + fact for fact in facts for sign in ("", "not ")]
        found += [(kind, (one,)) for one in literals]
        pairs = combinations(literals, 2)
        found += [(kind, p) for p in pairs if p[0].removeprefix("not ") != p[1].removeprefix("not ")]
    return found


def is_there(part: tuple[str, tuple[str, ...]], line: dict[str, object], state: set[str], tool: str) -> bool:
    kind, literals = part
    objects = {n: t for n, t in line["objects"].items() if n != tool and t == kind}  # type: ignore[attr-defined]
    return any(
        all(
            (x.removeprefix("not ").replace("?z", z).replace("?k", tool) in state) != x.startswith("not ")
            for x in literals
        )
        for z in objects
    )


def situations(asking: Asking, ran: bool) -> list[tuple[dict[str, object], set[str], str]]:
    """Every situation in which `cut` ran, or was refused."""
    found = []
    for line in asking.lines:
        state = {*line["state"]}
        for number, step in enumerate(line["plan"][: line["steps"] + 1]):
            if step.startswith("cut") and (number < line["steps"]) == ran:
                found.append((line, set(state), step.split()[1]))
            if number < line["steps"]:
                state -= {*line["changes"][number]["removed"]}
    return found


def verdict(journal: Journal, model: Model, others: bool = True) -> ActionVerdict:
    return coverage(journal, model, others=others).actions[0]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [3, 12, 60])
def test_counts_like_looking_at_everything(seed: int, count: int) -> None:
    journal, model, asking = asked(both("sharp ?k"), seed, count)
    found = verdict(journal, model)
    if found.status != "learned":
        pytest.skip("it never ran")
    ran, refused = situations(asking, True), situations(asking, False)
    free = ["wet", "near {0} {0}", "in {0} bench"]
    cases = [
        [(line, state, tool) for line, state, tool in ran if (fact.format(tool) in state) == value]
        for fact in free
        for value in (False, True)
    ]
    expected = sum(
        any(is_there(p, *s) == value for s in case) for p in parts() for case in cases for value in (0, 1)
    )
    assert found.runs_among.covered == expected
    assert found.runs_among.required == 2 * len(parts()) * len(cases)
    expected = sum(any(is_there(p, *s) == value for s in refused) for p in parts() for value in (0, 1))
    assert found.refusals_among.covered == expected
    assert found.refusals_among.required == 2 * len(parts())


def test_what_the_precondition_settles_is_not_required() -> None:
    """It runs only if no other tool is sharp and near: with one, there is nothing to see."""
    journal, model, _ = asked(both("sharp ?k", negate(SHARPER)), 0, 60)
    found = verdict(journal, model)
    settled = 1  # both facts together
    assert found.runs_among.required == 6 * (2 * len(parts()) - settled)
    # turned round: without a sharp tool as before; with another one sharp and near, it cannot be without
    assert found.refusals_among.required == 2 * (2 * len(parts())) - settled - 3


def test_only_on_demand() -> None:
    journal, model, _ = asked(both("sharp ?k"), 0, 12)
    assert verdict(journal, model, others=False).runs_among.required == 0
