"""The learner from observations, which is another package: how it is fed, and how its failures are told."""

from __future__ import annotations

import random
from importlib.util import find_spec
from pathlib import Path

import pytest

from assay.agents.model import ModelAgent
from assay.bench import observational
from assay.bench.observational import Trace, learn
from assay.bench.problems import load
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.errors import InputError
from assay.planning.applicable import Applicable
from assay.scoring.equivalence import differences

INSTALLED = find_spec("offlam") is not None
LENGTH = 3
"""Steps of a trace."""


@pytest.fixture(autouse=True)
def _without_offlam(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the optional learner out, as if it were not installed; tests of it say so."""
    if "real_learner" not in request.fixturenames:
        monkeypatch.setattr(observational, "import_module", _missing)


def _missing(name: str) -> None:
    raise ImportError(name)


@pytest.fixture
def real_learner() -> None:
    if not INSTALLED:
        pytest.skip("OffLAM is not installed")


def test_the_missing_learner_says_how_to_get_it() -> None:
    model, traces = _traces("gripper", 1)
    with pytest.raises(InputError, match=r"pip install .*\[bench\]"):
        learn(model.vocabulary, traces)


@pytest.mark.parametrize("domain", ["gripper", "blocksworld", "logistics"])
def test_the_real_learner_learns(real_learner: None, domain: str) -> None:
    model, traces = _traces(domain, 60)
    learned = learn(model.vocabulary, traces)
    assert not differences(learned, model)


def test_what_the_learner_writes_comes_back_in_our_names(monkeypatch: pytest.MonkeyPatch) -> None:
    model, traces = _traces("blocksworld", 2)

    def copy(domain: str, paths: list[str]) -> str:
        assert "(not (" in Path(paths[0]).read_text()
        return Path(domain).read_text()

    monkeypatch.setattr(observational, "_algorithm", lambda: copy)
    learned = learn(model.vocabulary, traces)
    assert learned.vocabulary == model.vocabulary
    assert [a.header for a in learned.actions] == list(model.vocabulary.actions)
    assert not any(a.needed or a.plain_effects for a in learned.actions)


@pytest.mark.parametrize("fault", [ValueError("no"), SystemExit(), "(define (domain watched))", ""])
def test_a_learner_that_fails_is_an_error_in_words(
    fault: BaseException | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, traces = _traces("gripper", 1)

    def fail(domain: str, paths: list[str]) -> str:
        if isinstance(fault, str):
            return fault
        raise fault

    monkeypatch.setattr(observational, "_algorithm", lambda: fail)
    with pytest.raises(InputError, match="OffLAM"):
        learn(model.vocabulary, traces)


def _traces(domain: str, count: int) -> tuple[Model, tuple[Trace, ...]]:
    """Random steps from the situations that the agent offers."""
    model, problem = load(domain, 2, 0)
    universe = Universe(model.vocabulary, problem.objects)
    starts = list(ModelAgent(model, problem.objects, (problem.initial,)).states(50, universe))
    applicable, rng, found = Applicable(Execution(model, universe)), random.Random(0), []
    for _ in range(count):
        states, steps = [rng.choice(starts).bits], list[Step]()
        while len(steps) < LENGTH and (drawn := applicable.draw(states[-1], rng)) is not None:
            steps.append(drawn[0])
            states.append(drawn[1])
        found.append(Trace(universe, tuple(states), tuple(steps)))
    return model, tuple(found)
