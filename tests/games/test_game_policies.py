"""Policy agents: they get where their habits let them, and a search gets further."""

from __future__ import annotations

import random

import pytest
from boards import after, escape, pasta, snowman, zelda

from assay.core.reach import Cannot, Reached, check_answer
from assay.errors import InputError
from assay.games import open_game
from assay.games.by_hand import HandWritten
from assay.games.grid import KEYS
from assay.games.instances import GAMES
from assay.games.learned import Learned, train, view
from assay.games.opening import read_table, write_table
from assay.games.search import reach_state


def by_hand(game, start, target):
    return HandWritten(game.name, *game.smallest)._reach(game, start, target)


def nearby(agent, count, seed=0):
    """Questions about states some keys away, on several instances."""
    rng = random.Random(seed)
    lows = agent.starts(15)
    asked = []
    while len(asked) < count:
        low = rng.choice(lows)
        for _ in range(rng.randrange(60)):
            low = agent.press(low, rng.choice(KEYS))
        target = low
        for _ in range(rng.randrange(1, 8)):
            target = agent.press(target, rng.choice(KEYS))
        if target != low:
            asked.append((low, target))
    return asked


@pytest.mark.parametrize("name", list(GAMES))
def test_by_hand_it_gets_far_but_not_as_far_as_a_search(name):
    hand = open_game(f"{name}::policy-hand", seed=3)
    search = open_game(f"{name}::search", seed=3)
    done = 0
    questions = nearby(hand, 250)
    for low, target in questions:
        answer = check_answer(hand.reach(low, target), low, target)
        assert isinstance(search.reach(low, target), Reached)
        done += isinstance(answer, Reached)
        if isinstance(answer, Reached):
            state = low
            for key, following in zip(answer.keys, answer.states[1:], strict=True):
                state = hand.press(state, key)
                assert state == following
    assert len(questions) / 2 < done < len(questions)


def test_the_habit_in_zelda_is_not_to_fight_without_the_key():
    game = zelda("Pm.", "..k", "..d")
    killed = after(game, "DE")
    assert isinstance(by_hand(game, game.initial, killed), Cannot)
    assert isinstance(reach_state(game, game.initial, killed), Reached)
    keyed = game.play(game.initial, "SDDDDE")[-1]
    assert keyed.has_key
    both = game.play(keyed, "AAAAWWDE")[-1]
    assert not both.monsters
    assert isinstance(by_hand(game, keyed, both), Reached)


def test_the_habit_in_pasta_is_to_fetch_the_key_first():
    game = pasta("Pr..", "wst.", "k..d")
    pushed = after(game, "DD")
    assert isinstance(by_hand(game, game.initial, pushed), Cannot)
    game = pasta("kPr.", "wst.", "...d")
    keyed = after(game, "AA")
    assert keyed.has_key
    pushed = game.play(keyed, "DDD")[-1]
    assert pushed.items[0] == 3
    assert isinstance(by_hand(game, keyed, pushed), Reached)


def test_the_habit_in_escape_is_to_push_into_holes_only():
    game = escape("Pb..", "...c", "....")
    assert isinstance(by_hand(game, game.initial, after(game, "DD")), Cannot)
    game = escape("Pbo.", "..#c")
    assert isinstance(by_hand(game, game.initial, after(game, "DD")), Reached)


def test_the_habit_in_snowman_is_piece_by_piece_to_the_goal():
    game = snowman("P3g", "2k1", "..d")
    assert isinstance(by_hand(game, game.initial, after(game, "SE")), Cannot)  # the middle is not due
    placed = after(game, "DEDE")
    assert isinstance(by_hand(game, game.initial, placed), Reached)
    taken = game.play(placed, "AASE")[-1]
    assert taken.hand == 1
    assert isinstance(by_hand(game, placed, taken), Reached)
    game = snowman("P3.", "2kg", "1.d")
    assert isinstance(by_hand(game, game.initial, after(game, "DEDE")), Cannot)  # on the floor


def test_a_policy_that_stops_or_circles_is_a_certain_no():
    class Spinner(HandWritten):
        def choose(self, game, state, target):
            return "WASD"[(state.facing + 1) % 4]

    game = zelda("P.k", "..m", "..d")
    answer = Spinner("zelda", 3, 4)._reach(game, game.initial, after(game, "DD"))
    assert answer == Cannot("its policy goes round in circles after 4 key(s)")
    answer = Learned("zelda", 3, 4, table={})._reach(game, game.initial, after(game, "DD"))
    assert answer == Cannot("its policy stops after 0 key(s)")


@pytest.fixture(scope="module")
def short():
    return train.__wrapped__("zelda", 3, 4, seed=1, episodes=4_000)


def test_training_is_the_same_from_the_same_seed(short):
    again = train.__wrapped__("zelda", 3, 4, seed=1, episodes=4_000)
    assert again == short
    assert train.__wrapped__("zelda", 3, 4, seed=2, episodes=100) != short


def test_training_helps(short):
    """Measured on boards it never saw."""
    assert short.curve[0] == (0, 0.0)
    assert short.curve[-1][0] == 4_000
    assert short.curve[-1][1] > 0.6


def test_what_was_learned_survives_writing(short, tmp_path):
    path = tmp_path / "zelda.json"
    write_table(path, "zelda", short.table)
    assert read_table(path, "zelda") == short.table
    agent = open_game(f"zelda:4x5:policy-learned:{path}", seed=3)  # a size it was not trained on
    search = open_game("zelda:4x5:search", seed=3)
    questions = nearby(agent, 150)
    done = sum(isinstance(agent.reach(*asked), Reached) for asked in questions)
    assert done > len(questions) / 2
    assert done < sum(isinstance(search.reach(*asked), Reached) for asked in questions)


def test_a_table_for_another_game_is_refused(short, tmp_path):
    path = tmp_path / "zelda.json"
    write_table(path, "zelda", short.table)
    with pytest.raises(InputError, match="a policy for zelda, not for pasta"):
        open_game(f"pasta:4x5:policy-learned:{path}")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"0....": [1, 2, 3, 4, 5]}',
        '{"game": "zelda", "views": {"0....": [1, 2]}}',
        '{"game": "zelda", "views": {"0....": ["a", 0, 0, 0, 0]}}',
    ],
)
def test_tables_that_are_none(text, tmp_path):
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(InputError, match="no table of a learned policy"):
        read_table(path, "zelda")
    with pytest.raises(InputError, match="cannot read"):
        read_table(tmp_path / "nowhere.json", "zelda")


def test_a_view_is_what_is_near():
    game = zelda("Pk..m", ".....", "....d")
    here, moved = game.initial, after(game, "S")
    assert view(game, here, moved) == "2##.. @0,1"
    assert view(game, here, after(game, "D")) == "2##.. =3"
    far = view(game, here, after(game, "DDE"))
    assert far == "2##.. -at key11,0 +has_key  @1,0"
