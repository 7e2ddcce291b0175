"""Random instances: from a seed, of a size, playable; and what their facts say."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from assay.core.reach import Reached
from assay.errors import InputError
from assay.games import open_game
from assay.games.grid import KEYS, NOWHERE
from assay.games.instances import GAMES, random_game, showcase
from assay.games.opening import parse_size
from assay.games.search import reach_condition

SIZES = [
    ("zelda", 3, 4),
    ("zelda", 8, 8),
    ("pasta", 4, 5),
    ("pasta", 8, 8),
    ("escape", 3, 3),
    ("escape", 8, 8),
]
SIZES += [("snowman", 5, 5), ("snowman", 8, 8)]


@pytest.mark.parametrize(("name", "rows", "columns"), SIZES)
def test_an_instance_has_walls_and_can_be_won(name, rows, columns):
    game = random_game(name, rows, columns, 7)
    assert len(game.grid.walls) == round(rows * columns / 5)
    way = showcase(game)
    assert way[0] == game.initial
    assert game.won(way[-1])
    assert all(after in dict(map(reversed, game.successors(before))) for before, after in pairwise(way))


def test_the_same_seed_gives_the_same_instance():
    for name in GAMES:
        kind = GAMES[name]
        again = random_game.__wrapped__(name, *kind.smallest, 5)
        first = random_game(name, *kind.smallest, 5)
        assert again.initial == first.initial
        assert again.grid == first.grid
        assert again.facts(again.initial) == first.facts(first.initial)
        others = {random_game(name, *kind.smallest, seed).initial for seed in range(6)}
        assert len(others) > 1


def test_every_rule_is_at_work_on_the_way():
    """Doors are opened and holes filled even where one could win without."""
    for seed in range(5):
        game = random_game("pasta", 4, 5, seed)
        assert showcase(game)[-1].open
        game = random_game("snowman", 5, 5, seed)
        assert showcase(game)[-1].open
        game = random_game("escape", 3, 3, seed)
        end = showcase(game)[-1]
        assert end.holes != game.initial.holes


@pytest.mark.parametrize("size", ["1x9", "9", "axb", "5x", "99x99"])
def test_sizes_that_cannot_be(size):
    with pytest.raises(InputError, match=r"size|grid"):
        open_game(f"zelda:{size}")


def test_sizes_that_are_too_small():
    with pytest.raises(InputError, match="too small for 7 things"):
        open_game("snowman:2x3")
    with pytest.raises(InputError, match=r"none of them playable; the smallest size is 3x3"):
        open_game("escape:2x3")


def test_names_that_are_none():
    with pytest.raises(InputError, match="there are zelda, pasta, escape, snowman"):
        open_game("tetris")
    with pytest.raises(InputError, match="there are search, policy-hand, policy-learned"):
        open_game("zelda:3x4:genius")
    with pytest.raises(InputError, match="only policy-learned reads a file"):
        open_game("zelda:3x4:search:table.json")
    assert parse_size("zelda", "") == (3, 4)


def test_a_size_is_rows_by_columns():
    grid = random_game("zelda", 3, 4, 0).grid
    assert (grid.rows, grid.columns, grid.names[-1]) == (3, 4, "cell_3_2")


@pytest.mark.parametrize("name", list(GAMES))
def test_facts_say_what_is_to_be_seen(name):
    """The bitmask against the vocabulary's definitions, spelled out from what a picture would show."""
    rng = random.Random(name)
    for seed in range(3):
        game = random_game(name, 5, 5, seed)
        way = showcase(game)
        for _ in range(60):
            state = rng.choice(way)
            for _ in range(rng.randrange(10)):
                state = game.successor(state, rng.choice(KEYS))
            told = set(game.words.universe.texts(game.facts(state)))
            assert told - _geometry(game) == _spelled_out(game, state)


def _geometry(game):
    names = game.grid.names
    around = {(a, b) for step in game.grid.beside for a, b in enumerate(step) if b != NOWHERE}
    lines = {(a, b, step[b]) for step in game.grid.beside for a, b in enumerate(step) if b != NOWHERE}
    adjacent = {f"adjacent {names[a]} {names[b]}" for a, b in around}
    in_line = {f"in_line {names[a]} {names[b]} {names[c]}" for a, b, c in lines if c != NOWHERE}
    told = set(game.words.universe.texts(game.facts(game.initial)))
    assert adjacent == {t for t in told if t.startswith("adjacent")}
    assert {t for t in told if t.startswith("in_line")} == (in_line if "in_line" in game.static else set())
    return adjacent | in_line


def _spelled_out(game, state):
    names = game.grid.names
    things = game.sprites(state)
    at = {("player1", state.player)}
    facts = {f"wall {names[cell]}" for cell in game.grid.walls}
    taken = {state.player, *game.grid.walls}
    for kind, cell in things:
        if kind in ("goal", "cheese"):
            facts.add(f"is_goal {names[cell]}")
            continue
        if kind in ("hole", "block") or (kind == "door" and game.name != "zelda"):
            facts.add(f"is_{kind} {names[cell]}")
        elif kind != "open door" or game.name == "zelda":
            at.add((f"{kind.removeprefix('open ')}1", cell))
        if kind != "open door" or game.name == "zelda":
            taken.add(cell)
    facts |= {f"at {thing} {names[cell]}" for thing, cell in at}
    facts |= {f"clear {name}" for cell, name in enumerate(names) if cell not in taken}
    if getattr(state, "has_key", 0):
        facts.add("has_key")
    if game.name == "zelda":
        facts |= {"escaped"} if state.escaped else set()
        if state.monsters:
            facts.add("monster_alive monster1")
            (x, y), (mx, my) = game.grid.place(state.player), game.grid.place(game.monsters[0])
            facts |= {"next_to_monster"} if abs(x - mx) + abs(y - my) == 1 else set()
    if game.name == "pasta" and game.won(state):
        facts |= {"pasta_cooked", "escaped"}
    if game.name == "snowman":
        pieces = ("bottom1", "middle1", "top1")
        facts |= {f"placed {piece}" for piece in pieces[: state.placed]}
        facts |= {f"player_has {pieces[state.hand]}"} if state.hand >= 0 else set()
    return facts


def test_one_state_for_one_situation():
    """Many ways lead to the same place and it is the same state: no counter, no history, no order."""
    for name in GAMES:
        game = random_game(name, *GAMES[name].smallest, 1)
        seen = {}
        rng = random.Random(3)
        state = game.initial
        for _ in range(4_000):
            state = game.successor(state, rng.choice(KEYS))
            looks = (game.facts(state), state.facing)
            assert seen.setdefault(looks, state) == state
            if game.won(state):
                state = game.initial
        assert len(seen) < 4_000


def test_searching_to_win_is_possible_from_the_start():
    game = random_game("pasta", 4, 5, 3)
    assert isinstance(reach_condition(game, game.initial, game.winning), Reached)
