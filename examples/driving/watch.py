"""What a bystander makes of the driving robot, who always paints a place before leaving it.

    python examples/driving/watch.py > watched.pddl

Nothing in these traces is false or rare: every drive really did start from a blue place. The learner is
OffLAM, from its own package (`.venv/bin/pip install -e '.[bench]'`).
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from assay.bench.observational import Trace, learn
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.pddl.reader import read_domain, read_problem
from assay.pddl.writer import write_domain

HERE = Path(__file__).parent

ROUTES = (
    ("depot", "market", "harbour", "depot"),
    ("depot", "harbour", "market", "depot", "market"),
    ("depot", "market", "depot", "harbour", "market"),
)


def traces(model: Model) -> list[Trace]:
    """The robot on its routes: paint a place that is not blue yet, then drive on."""
    problem = read_problem((HERE / "problem.pddl").read_text(), model.vocabulary)
    universe = Universe(model.vocabulary, problem.objects)
    run = Execution(model, universe)
    found = []
    for route in ROUTES:
        states, steps = [universe.state(problem.initial).bits], []
        for here, there in pairwise(route):
            for step in (Step("paint", ("robot", here)), Step("drive", ("robot", here, there))):
                after = run.apply(states[-1], step)
                if after is not None and after != states[-1]:
                    states.append(after)
                    steps.append(step)
        found.append(Trace(universe, tuple(states), tuple(steps)))
    return found


def watch() -> Model:
    model = read_domain((HERE / "robot.pddl").read_text())
    return learn(model.vocabulary, traces(model))


if __name__ == "__main__":
    print(write_domain(watch(), ["Learned by OffLAM from traces in which every source is blue."]), end="")
