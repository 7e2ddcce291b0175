"""PDDLGym's environments in our simulator: what is left out, what is refused, that both simulators agree."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import pytest

from assay.agents import pddlgym
from assay.agents.open import open_agent
from assay.agents.pddlgym import Original, PddlgymAgent, environments, read_environment
from assay.bench import pddlgym as comparison
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import read_domain
from assay.scoring.equivalence import differences
from assay.session import assess

pytestmark = pytest.mark.skipif(find_spec("pddlgym") is None, reason="pddlgym is not installed")

READABLE = 48
"""Environments whose first problem our reader takes, at least."""


def test_predicates_that_name_actions_are_part_of_the_action():
    sokoban = read_environment("Sokoban:2")
    assert sokoban.problem.name == "task06.pddl"
    assert "move" not in sokoban.model.vocabulary.predicate
    assert {str(call) for call in sokoban.calls.values()} == {"(move ?dir)"}
    assert not any(a.predicate == "move" for a in sokoban.initial)
    gripper = read_environment("gripper")
    assert gripper.naming == frozenset()
    assert {name: call.predicate for name, call in gripper.calls.items()} == {
        name: name for name in gripper.model.action
    }


@pytest.mark.parametrize(
    ("name", "published", "actions", "naming"), [("sokoban", 35, 3, 2), ("doors", 10, 2, 3)]
)
def test_the_paper_counts_the_same_predicates_and_actions(name, published, actions, naming):
    """Lifted atoms, named by the positions of their arguments among an action's, as AIA-21 counts them."""
    environment = read_environment(name)
    written = read_domain(environment.domain.read_text()).vocabulary

    def counted(vocabulary):
        found = set()
        for header in vocabulary.actions:
            place = {p.name: number for number, p in enumerate(header.parameters)}
            for atom in vocabulary.lifted_atoms(header.name):
                if len(set(atom.args)) == len(atom.args):
                    found.add((atom.predicate, *map(place.__getitem__, atom.args)))
        return len(found)

    assert (counted(written), len(written.actions)) == (published, actions)
    assert counted(environment.model.vocabulary) == published - naming


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("tireworld", "'probabilistic': stochastic"),
        ("derivedblocks", "':derived': derived predicates"),
        ("chess", "no environment 'chess'; it has baking"),
        ("doors:3", "problems 0 to 2"),
        ("doors:x", "problems 0 to 2"),
    ],
)
def test_what_cannot_be_run_is_refused_by_name(spec, reason):
    with pytest.raises(InputError, match=reason.replace("(", r"\(")):
        read_environment(spec)


def test_most_environments_are_read():
    read, refused = [], {}
    for name in environments():
        try:
            read.append(read_environment(name).name)
        except InputError as error:
            refused[name] = str(error)
    assert len(read) >= READABLE
    assert "fridge" in read, "it has quantifiers"
    assert all("outside the language" in r or "not read here" in r or ".pddl:" in r for r in refused.values())


@pytest.mark.parametrize(
    ("name", "steps"), [("doors_test", 12), ("blocks", 40), ("gripper", 20), ("sokoban_test:1", 2)]
)
def test_both_simulators_agree(name, steps):
    *_, last = comparison.walk(name, steps, seed=1)
    assert last.agrees, last.disagreement
    assert last.steps == steps


def test_a_disagreement_is_found(monkeypatch):
    environment = read_environment("blocks")
    kept = tuple(
        ActionModel.strips(
            a.header, [x for x in a.needed if x.atom.predicate != "handempty"], a.plain_effects, a.distinct
        )
        for a in environment.model.actions
    )
    wrong = replace(environment, model=Model(environment.model.vocabulary, kept))
    monkeypatch.setattr(comparison, "read_environment", lambda name: wrong)
    *_, last = comparison.walk("blocks", 60, seed=1)
    assert "PDDLGym refuses (" in last.disagreement


@pytest.mark.parametrize("name", ["sokoban_test:1", "doors_test:0"])
def test_frames_put_together_from_tiles_are_the_renderers(name):
    environment = read_environment(name)
    original = Original(environment)
    assert (original.frame(environment.initial) == original.rendered(environment.initial)).all()


def test_pictures_are_shown_where_there_are_any():
    agent = PddlgymAgent(read_environment("blocks"))
    universe = Universe(agent.vocabulary, agent.objects)
    picture = agent.picture(next(iter(agent.states(1, universe))))
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    doors = PddlgymAgent(read_environment("doors_test"))
    nobody = Universe(doors.vocabulary, doors.objects).state([Atom("unlocked", ("room-0",))])
    assert doors.picture(nobody) is None


def test_an_environment_is_interrogated_like_any_agent():
    with open_agent("pddlgym:doors_test:1", timeout=30) as agent:
        result = assess(agent)
    assert result.complete
    assert not differences(result.model, read_environment("doors_test:1").model)


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setattr(pddlgym.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install .*\[pddlgym\]"):
        read_environment("doors")
