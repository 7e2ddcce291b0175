"""The search agent: shortest ways, and a "no" that is certain."""

from __future__ import annotations

import random
from collections import deque

import pytest
from boards import after, escape, pasta, snowman, zelda

from assay.core.reach import Cannot, GaveUp, LowLevelAgent, Reached, check_answer, is_low_level
from assay.games import open_game
from assay.games.game import Condition
from assay.games.grid import FAR, KEYS
from assay.games.instances import random_game
from assay.games.search import reach_condition, reach_state, reachable

SMALL = [("zelda", 3, 4), ("zelda", 4, 5), ("escape", 3, 3), ("escape", 4, 4), ("pasta", 4, 5)]


def distances(game, start):
    """Breadth-first over all keys, without anybody's bound."""
    far = {start: 0}
    todo = deque([start])
    while todo:
        state = todo.popleft()
        for key in KEYS:
            following = game.successor(state, key)
            if following not in far:
                far[following] = far[state] + 1
                todo.append(following)
    return far


def wander(game, state, rng, most):
    for _ in range(rng.randrange(most)):
        following = game.successor(state, rng.choice(KEYS))
        state = state if game.won(following) else following
    return state


@pytest.mark.parametrize(("name", "rows", "columns"), SMALL)
@pytest.mark.parametrize("seed", [0, 1])
def test_ways_are_shortest_and_no_means_no(name, rows, columns, seed):
    game = random_game(name, rows, columns, seed)
    rng = random.Random(seed)
    everything = sorted(distances(game, game.initial))
    start = wander(game, game.initial, rng, 40)
    far = distances(game, start)
    answers = set()
    for _ in range(40):
        target = rng.choice(everything)
        answer = reach_state(game, start, target)
        answers.add(type(answer))
        if target in far:
            assert isinstance(answer, Reached)
            assert len(answer.keys) == far[target]
            assert game.play(start, answer.keys) == list(answer.states)
        else:
            assert isinstance(answer, Cannot)
    assert answers


@pytest.mark.parametrize("seed", range(4))
def test_bounds_never_overestimate(seed):
    """Along a shortest way from state to state, in games too large to search through."""
    for name, rows, columns in (("snowman", 4, 4), ("pasta", 4, 5), ("escape", 4, 5), ("zelda", 4, 5)):
        game = random_game(name, rows, columns, seed)
        rng = random.Random(seed)
        for _ in range(30):
            start = wander(game, game.initial, rng, 60)
            passed = game.play(start, [rng.choice(KEYS) for _ in range(rng.randrange(1, 30))])
            left = game.bound(game.alike(passed[-1]))
            assert all(left(state) <= len(passed) - 1 - n for n, state in enumerate(passed))


def test_snowman_ways_are_as_short_as_breadth_first():
    for seed in range(3):
        game = random_game("snowman", 4, 4, seed)
        rng = random.Random(seed)
        for _ in range(4):
            start = wander(game, game.initial, rng, 60)
            target = wander(game, start, rng, 40)
            answer = reach_state(game, start, target)
            assert isinstance(answer, Reached)
            assert len(answer.keys) == _shortest(game, start, target)


def _shortest(game, start, target):
    layer, seen, length = {start}, {start}, 0
    while target not in layer:
        layer = {after for state in layer for _, after in game.successors(state)} - seen
        seen |= layer
        length += 1
    return length


def test_winning_is_a_condition_like_others():
    game = zelda("Pkm", "d..", "...")
    answer = reach_condition(game, game.initial, game.winning)
    assert isinstance(answer, Reached)
    assert len(answer.keys) == len("DDEEAASE")
    assert game.won(answer.states[-1])


@pytest.mark.parametrize(
    ("game", "undo"),
    [
        (zelda("Pkm", "d..", "..."), "DDEE"),
        (pasta("Pkd.", "rw..", "st.."), "DD"),
        (pasta("Pkd.", "rw..", "st.."), "DDD"),
        (pasta("Prw.", "..st", "k..d"), "DD"),
        (escape("Pbo.", "..#c"), "DD"),
        (escape("Pb..", "...c", "...."), "DDD"),
        (snowman("Pd.", "k3.", "21g"), "SEDE"),
        (snowman("P3g", "2k1", "..d"), "DEDE"),
    ],
)
def test_what_is_spent_does_not_come_back_and_needs_no_search(game, undo):
    """Keys used, monsters killed, doors opened, items merged or in a corner: the first bound says no."""
    spent = after(game, undo)
    assert game.bound(game.alike(game.initial))(spent) >= FAR
    answer = reach_state(game, spent, game.initial, limit=0)
    assert isinstance(answer, Cannot)


def test_large_spaces_are_refused_without_enumeration():
    """8x8 Snowman has millions of states; that a used key is back is refuted at once all the same."""
    game = random_game("snowman", 8, 8, 0)
    assert reachable(game, game.initial, limit=20_000) is None
    key = game.condition(
        holds=[a for a in game.words.universe.atoms(game.facts(game.initial)) if "key1" in a.args]
    )
    taken = reach_condition(game, game.initial, game.condition(holds=[_atom(game, "has_key")]))
    assert isinstance(reach_condition(game, taken.states[-1], key, limit=0), Cannot)


def _atom(game, text):
    return next(a for a in map(game.words.universe.atom, range(2_000)) if a.text == text)


def test_out_of_states_is_not_a_no():
    game = random_game("snowman", 5, 5, 0)
    assert isinstance(reach_condition(game, game.initial, game.winning, limit=10), GaveUp)


def test_the_smallest_zelda_has_about_a_hundred_states():
    game = zelda(".P.#", "#.dk", "...m")
    assert len(reachable(game, game.initial)) == 104


@pytest.mark.parametrize(
    "spec", ["zelda:4x5:search", "pasta:4x5:search", "escape:4x4:search", "snowman:5x5:search"]
)
def test_the_seam(spec):
    agent = open_game(spec, seed=2)
    assert is_low_level(agent)
    assert isinstance(agent, LowLevelAgent)
    first, *others = starts = agent.starts(4)
    assert starts == agent.starts(4) == [*agent.starts(2), *starts[2:]]
    assert len({agent.abstract(low) for low in starts}) == 4
    assert all(agent.abstract(low).universe is agent.universe for low in starts)
    moved = first
    for key in "WDDSSAAEWD":
        moved = agent.press(moved, key)
    answer = check_answer(agent.reach(first, moved), first, moved)
    assert isinstance(answer, Reached)
    replayed = [first]
    for key in answer.keys:
        replayed.append(agent.press(replayed[-1], key))
    assert tuple(replayed) == answer.states
    assert isinstance(agent.reach(first, others[0]), Cannot)
    assert agent.picture(first).startswith(b"\x89PNG")


@pytest.mark.parametrize(("name", "rows", "columns"), SMALL)
def test_conditions_of_any_kind_are_met_by_shortest_ways(name, rows, columns):
    """Parts of what holds somewhere, now and then with one fact turned round, against breadth-first."""
    game = random_game(name, rows, columns, 4)
    rng = random.Random(f"{name} {rows}x{columns}")
    everything = sorted(distances(game, game.initial))[:3_000]
    facts = range(game.words.clear[-1].bit_length() + 10)
    for _ in range(12):
        start = rng.choice(everything)
        wanted = game.facts(rng.choice(everything)) ^ (rng.random() < 0.3) << rng.choice(facts)
        share = rng.choice([0.02, 0.1, 0.5, 1])
        mask = sum(1 << number for number in facts if rng.random() < share)
        for bits in game.words.at.values():
            mask |= sum(bits) if rng.random() < 0.3 else 0
        target = Condition(mask, wanted & mask)
        met = [far for state, far in distances(game, start).items() if target.met(game.facts(state))]
        answer = reach_condition(game, start, target)
        if met:
            assert isinstance(answer, Reached)
            assert len(answer.keys) == min(met)
        else:
            assert isinstance(answer, Cannot)
