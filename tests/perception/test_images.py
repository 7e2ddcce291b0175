"""Pictures of two games read as states: frame by frame right, noisy or not, and never guessed."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(find_spec("pddlgym") is None, reason="pddlgym is not installed")
np = pytest.importorskip("numpy")

from assay.agents.image import GAMES, Camera, Eyes, open_image  # noqa: E402 - they need numpy
from assay.agents.pddlgym import read_environment  # noqa: E402
from assay.bench.perception import confusion  # noqa: E402
from assay.core.query import Invalid, PlanQuery, PlanResponse  # noqa: E402
from assay.core.symbols import Atom, Step  # noqa: E402
from assay.core.universe import Universe  # noqa: E402
from assay.errors import AgentError, InputError  # noqa: E402
from assay.perception.noise import Noise  # noqa: E402
from assay.perception.validity import Unfit  # noqa: E402
from assay.testing import check_agent  # noqa: E402

SMALL = {"sokoban": "sokoban_test:1", "doors": "doors_test:0"}


class Game:
    def __init__(self, name: str) -> None:
        self.environment = read_environment(SMALL[name])
        self.sight = GAMES[name](self.environment.objects, self.environment.initial)
        self.camera = Camera(self.environment)
        self.eyes = Eyes(self.sight, self.camera, self.environment.initial)
        self.frame = self.camera.frame()
        self.labels = dict(self.sight.labels(self.environment.initial))

    def cell(self, place: tuple[int, int]) -> tuple[slice, slice]:
        grid = self.eyes.templates.grid
        top, left = grid.top + grid.height * place[0], grid.left + grid.width * place[1]
        return slice(round(top), round(top + grid.height)), slice(round(left), round(left + grid.width))

    def copied(self, source: str, target: tuple[int, int]):
        """The frame with what one cell shows copied to another."""
        frame = self.frame.copy()
        found = next(place for place, label in sorted(self.labels.items()) if label == source)
        (down, across), (below, beside) = self.cell(found), self.cell(target)
        high = min(down.stop - down.start, below.stop - below.start)
        wide = min(across.stop - across.start, beside.stop - beside.start)
        frame[below.start : below.start + high, beside.start : beside.start + wide] = self.frame[
            down.start : down.start + high, across.start : across.start + wide
        ]
        return frame

    def read(self, frame):
        return self.eyes.read(frame, self.environment.initial)

    def first(self, label: str) -> tuple[int, int]:
        return next(place for place, found in sorted(self.labels.items()) if found == label)


@pytest.fixture(scope="module")
def sokoban():
    return Game("sokoban")


@pytest.fixture(scope="module")
def doors():
    return Game("doors")


@pytest.mark.parametrize("name", sorted(SMALL))
@pytest.mark.parametrize("noise", [Noise(), Noise(pixels=25, brightness=0.4)], ids=["clean", "noisy"])
def test_fifty_random_frames_are_read_as_the_simulator_has_them(name, noise):
    found = confusion(name, 50, noise, among=[SMALL[name]])
    assert (found.frames, found.wrong) == (50, 0)
    assert found.unfit <= (2 if noise.disturbs else 0)
    assert all(row.seen and row.absent for row in found.rows.values())


def test_a_thing_never_seen_before_is_not_forced_into_a_label(sokoban):
    frame = sokoban.frame.copy()
    down, across = sokoban.cell(sokoban.first("floor"))
    frame[down, across] = (255, 0, 255)
    with pytest.raises(Unfit, match="looks like nothing known"):
        sokoban.read(frame)


def test_states_that_cannot_be_are_named(sokoban, doors):
    player, floor = sokoban.first("player"), sokoban.first("floor")
    inside = next(
        p
        for p, label in sorted(sokoban.labels.items())
        if label == "floor" and p not in sokoban.sight._scenery
    )
    for frame, reason in (
        (sokoban.copied("player", inside), r"2 player\(s\) are seen and there must be 1"),
        (sokoban.copied("floor", player), r"0 player\(s\) are seen"),
        (sokoban.copied("stone", inside), r"3 stone\(s\) are seen and there must be 2"),
        (sokoban.copied("stone", sokoban.first("wall")), "a stone is seen where there is a wall, row 1"),
        (sokoban.copied("goal", inside), "a goal is seen where there is a floor"),
    ):
        with pytest.raises(Unfit, match=reason):
            sokoban.read(frame)
    assert floor in sokoban.labels
    for frame, reason in (
        (doors.copied("floor and player", doors.first("floor")), "2 players are seen"),
        (doors.copied("floor and key", doors.first("floor")), "2 key"),
        (doors.copied("floor", doors.first("fence")), "seen half fenced and half open"),
        (doors.copied("fence", doors.first("floor")), "half fenced|fence is seen inside"),
    ):
        with pytest.raises(Unfit, match=reason):
            doors.read(frame)


def test_invalid_atoms_are_named(sokoban, doors):
    seen = sokoban.read(sokoban.frame)
    assert sokoban.sight.faults(seen) == []
    stone, cell = next(a.args for a in sorted(seen) if a.predicate == "at" and a.args[0].startswith("stone"))
    assert f"{stone} is nowhere" in sokoban.sight.faults(seen - {Atom("at", (stone, cell))})
    assert f"{cell} is clear and holds {stone}" in sokoban.sight.faults(seen | {Atom("clear", (cell,))})
    assert f"{stone} is on a goal and is not" in sokoban.sight.faults(seen ^ {Atom("at-goal", (stone,))})
    there = doors.read(doors.frame)
    assert doors.sight.faults(there) == []
    assert doors.sight.faults(there - {a for a in there if a.predicate == "at"}) == ["the player is nowhere"]


def test_an_agent_that_shows_an_impossible_picture_is_reported(monkeypatch):
    agent = open_image("doors_test")
    universe = Universe(agent.vocabulary, agent.objects)
    (start,) = agent.states(1, universe)
    monkeypatch.setattr(Camera, "frame", lambda camera: np.full_like(camera.photograph(start), 255))
    with pytest.raises(AgentError, match="20 frames in a row fit no valid state; the last: "):
        agent.ask(PlanQuery(start, (Step("moveto", ("loc-0-0", "loc-0-1", "room-0")),)))


def test_an_image_agent_starts_only_where_it_has_been():
    agent = open_image("doors_test")
    universe = Universe(agent.vocabulary, agent.objects)
    (start,) = agent.states(5, universe)
    step = Step("moveto", ("loc-0-0", "loc-0-1", "room-0"))
    elsewhere = start.change(add=[Atom("at", ("loc-0-1",))], delete=[Atom("at", ("loc-0-0",))])
    assert isinstance(agent.ask(PlanQuery(elsewhere, ())), Invalid)
    assert agent.picture(elsewhere) is None
    assert agent.ask(PlanQuery(start, (step, step))) == PlanResponse(1, elsewhere)
    assert agent.ask(PlanQuery(elsewhere, (step,))) == PlanResponse(0, elsewhere)
    picture = agent.picture(elsewhere)
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    assert agent.repeats == 0


def test_it_keeps_the_promises_of_an_agent():
    assert check_agent(open_image("doors_test"), questions=5) == []


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("chess", "no game 'chess'; there are doors, sokoban"),
        ("doors,snow=1", "unknown option 'snow'"),
        ("doors,errors=often", "errors is a number, not 'often'"),
        ("doors,errors=0.4", "errors must be from 0 to 0.2"),
        ("doors,problem=9", "problems 0 to 2"),
    ],
)
def test_what_cannot_be_opened_is_refused(spec, reason):
    with pytest.raises(InputError, match=reason):
        open_image(spec)
