"""The command line as tests call it, in a folder with agents that misbehave."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from assay.cli import app

FLAWED = '''
import random
from assay.agents.model import ModelAgent
from assay.bench.problems import load

model, problem = load("gripper", 1, 0)

class Moody(ModelAgent):
    """Refuses at random."""
    rng = random.Random(3)
    def ask(self, query, /):
        done = 0
        while done < len(query.plan) and self.rng.random() > 0.1:
            done += 1
        return super().ask(type(query)(query.state, query.plan[:done]))

class Fickle(ModelAgent):
    """Leaves everything lying where it was in every other question."""
    asked = 0
    def ask(self, query, /):
        self.asked += 1
        answer = super().ask(query)
        lying = [a for a in query.state if a.predicate == "at"] if self.asked % 2 else []
        return type(answer)(answer.steps, answer.state.change(add=lying))

class Broken(ModelAgent):
    asked = 0
    def ask(self, query, /):
        self.asked += 1
        if self.asked == 4:
            raise RuntimeError("out of steam")
        return super().ask(query)

class Sleepy(ModelAgent):
    asked = 0
    def ask(self, query, /):
        import time
        self.asked += 1
        if self.asked == 3:
            time.sleep(5)
        return super().ask(query)

class Nowhere(ModelAgent):
    walks = property(lambda self: False, lambda self, wanted: None)  # it shows nothing of itself
    def ask(self, query, /):
        from assay import Invalid
        return Invalid("no such hall")

class Still(ModelAgent):
    """Reports the state it was given."""
    walks = property(lambda self: False, lambda self, wanted: None)  # it shows nothing of itself
    def ask(self, query, /):
        answer = super().ask(query)
        return type(answer)(answer.steps, query.state)

def agent(kind):
    return lambda: kind(model, problem.objects, (problem.initial,))

moody, fickle, broken, sleepy, nowhere, still, good = map(
    agent, (Moody, Fickle, Broken, Sleepy, Nowhere, Still, ModelAgent)
)
'''


@pytest.fixture(autouse=True, scope="session")
def state(tmp_path_factory):
    """Tests leave nothing in the user's home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "flawed_agents.py").write_text(FLAWED)
    runner = CliRunner()

    def call(*arguments, code=0):
        result = runner.invoke(app, list(arguments))
        assert code is None or result.exit_code == code, (result.output, result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return call
