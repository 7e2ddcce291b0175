"""The rules of the four games, on boards drawn for the purpose."""

from __future__ import annotations

import pytest
from boards import after, clear, escape, facts, pasta, snowman, zelda

from assay.errors import InputError
from assay.games.grid import DOWN, NOWHERE, RIGHT
from assay.games.pasta import DISH, FISH, PASTA, RAW, WATER

# turning and walking


def test_a_direction_key_turns_first_and_then_walks():
    game = zelda("P.k", "..m", "..d")
    assert game.initial.facing == DOWN
    turned = after(game, "D")
    assert (turned.player, turned.facing) == (0, RIGHT)
    assert after(game, "DD").player == 1
    assert after(game, "S").player == 3


def test_walls_and_the_edge_block_and_nothing_changes_then():
    game = zelda("P#k", "..m", "..d")
    state = after(game, "D")
    assert game.successor(state, "D") is state
    state = after(game, "W")
    assert game.successor(state, "W") is state


def test_a_key_that_is_none_is_refused():
    game = zelda("P.k", "..m", "..d")
    with pytest.raises(InputError, match="the keys are W A S D E"):
        game.successor(game.initial, "X")


def test_the_facing_cannot_be_told_from_the_facts():
    game = zelda("P.k", "..m", "..d")
    assert len({game.facts(after(game, keys)) for keys in ("", "W", "A", "D")}) == 1


# Zelda


def test_the_key_is_picked_up_where_it_lies():
    game = zelda("Pk.", "..m", "..d")
    assert not after(game, "DE").has_key  # facing it is not enough
    taken = after(game, "DDE")
    assert taken.has_key
    assert "has_key" in facts(game, taken)
    assert "at key1 cell_1_0" not in facts(game, taken)


def test_a_monster_is_killed_by_facing_it():
    game = zelda("Pm.", "..k", "..d")
    assert after(game, "E").monsters  # it looks the other way
    before, killed = after(game, "D"), after(game, "DE")
    assert {"next_to_monster", "monster_alive monster1", "at monster1 cell_1_0"} <= facts(game, before)
    assert not killed.monsters
    assert not {"next_to_monster", "monster_alive monster1", "at monster1 cell_1_0"} & facts(game, killed)
    assert "cell_1_0" in clear(game, killed)
    assert after(game, "DDDD").player == 0  # alive it blocks


def test_the_monster_comes_before_the_key_underfoot():
    game = zelda("Pkm", "...", "..d")
    state = after(game, "DDE")
    assert (state.monsters, state.has_key) == (0, 0)
    assert after(game, "DDEE").has_key


@pytest.mark.parametrize(("before", "out"), [("", 0), ("DDEAA", 0), ("DDWEAA", 0), ("DDEEAA", 1)])
def test_the_door_wants_the_key_and_no_monster_alive(before, out):
    game = zelda("Pkm", "d..", "...")
    state = after(game, before + "SE")
    assert state.escaped == out
    assert ("escaped" in facts(game, state)) == bool(out)


def test_a_won_game_is_over():
    game = zelda("Pkm", "d..", "...")
    won = after(game, "DDEEAASE")
    assert game.won(won)
    assert all(game.successor(won, key) is won for key in "WASDE")
    assert not list(game.successors(won))


# Cook-Me-Pasta


def test_an_item_is_pushed_if_the_cell_beyond_is_free():
    game = pasta("Pr.k", "wst.", "...d")
    pushed = after(game, "DD")
    assert (pushed.player, pushed.items[RAW]) == (1, 2)
    assert game.successor(pushed, "D") is pushed  # the key lies beyond
    assert game.successor(game.initial, "S").items[WATER] == 8  # faces down, so it pushes


@pytest.mark.parametrize("row", ["Prw.", "Pwr."])
def test_fitting_items_merge_on_the_far_cell(row):
    game = pasta(row, "..st", "k..d")
    state = after(game, "DD")
    assert state.player == 1
    assert state.items[RAW] == state.items[WATER] == NOWHERE
    assert state.items[PASTA] == 2
    assert "at cooked_pasta1 cell_2_0" in facts(game, state)
    assert not {"at raw_pasta1 cell_1_0", "at water1 cell_1_0"} & facts(game, state)


def test_items_that_do_not_fit_block_each_other():
    game = pasta("Prs.", "..wt", "k..d")
    state = after(game, "D")
    assert game.successor(state, "D") is state


def test_the_dish_wins():
    game = pasta("Prw..", ".st..", "k...d")
    ready = after(game, "DDAASSDD")
    assert (ready.items[PASTA], ready.items[FISH]) == (2, 7)
    assert not game.won(ready)
    state = game.play(ready, "SSDDWW")[-1]
    assert state.items[DISH] == 2
    assert game.won(state)
    assert {"pasta_cooked", "escaped"} <= facts(game, state)


def test_the_key_is_taken_by_walking_and_opens_the_door():
    game = pasta("Pkd.", "rw..", "st..")
    assert after(game, "DD").has_key
    shut, opened = after(game, "DD"), after(game, "DDD")
    assert "is_door cell_2_0" in facts(game, shut)
    assert (opened.open, opened.player) == (1, 1)  # it has not moved
    assert "is_door cell_2_0" not in facts(game, opened)
    assert "cell_2_0" in clear(game, opened)
    assert after(game, "DDDD").player == 2


def test_the_door_is_locked_without_the_key_and_blocks_items():
    game = pasta("Prd.", "kw..", "st..")
    state = after(game, "D")
    assert game.successor(state, "D") is state
    game = pasta("Pd..", "kw.r", "st..")
    state = after(game, "D")
    assert game.successor(state, "D") is state


# Escape


def test_a_block_is_pushed_over_free_floor_only():
    game = escape("Pb.", "..c", "...")
    state = after(game, "DD")
    assert state.blocks == 1 << 2
    assert {"is_block cell_2_0", "at player1 cell_1_0"} <= facts(game, state)
    assert game.successor(state, "D") is state  # the edge
    game = escape("Pbb.", "..c.")
    state = after(game, "D")
    assert game.successor(state, "D") is state


def test_a_block_fills_a_hole_and_both_are_gone():
    game = escape("Pbo.", "..#c")
    state = after(game, "DD")
    assert (state.blocks, state.holes) == (0, 0)
    assert not {"is_hole cell_2_0", "is_block cell_2_0", "is_block cell_1_0"} & facts(game, state)
    assert "cell_2_0" in clear(game, state)
    assert game.won(after(game, "DDDDSS"))


def test_a_hole_blocks_the_player():
    game = escape("Po.", "..c")
    state = after(game, "D")
    assert game.successor(state, "D") is state
    assert "cell_1_0" not in clear(game, state)


def test_blocks_have_no_names():
    game = escape("bPb.", "...c", "....")
    one, other = after(game, "DD"), after(game, "AA")
    assert one.blocks == 1 << 0 | 1 << 3
    assert other.blocks == game.initial.blocks  # at the edge


# Snowman

YARD = ("P3.", "k2g", "1.d")


def test_things_are_taken_by_facing_them_one_at_a_time():
    game = snowman(*YARD)
    held = after(game, "DE")
    assert held.hand == 0
    assert "player_has bottom1" in facts(game, held)
    assert "cell_1_0" in clear(game, held)
    assert game.successor(after(game, "DES"), "E").has_key == 0  # the hand is full
    keyed = after(game, "SE")
    assert "has_key" in facts(game, keyed)
    assert game.successor(after(game, "SED"), "E").hand == 0  # the key does not fill the hand


def test_things_and_the_closed_door_block():
    game = snowman(*YARD)
    for key in "SD":
        state = after(game, key)
        assert game.successor(state, key) is state


def test_a_piece_is_put_on_a_free_cell():
    game = snowman(*YARD)
    put = after(game, "DEE")
    assert put == after(game, "D")
    carried = after(game, "DEDE")
    assert carried.pieces[0] == 2
    assert carried.hand == -1


def test_the_goal_takes_the_pieces_in_order_and_keeps_them():
    game = snowman("P2g", "3k1", "..d")
    wrong = after(game, "DED")
    assert (wrong.player, wrong.hand) == (1, 1)
    assert game.successor(wrong, "E") is wrong  # the middle before the bottom
    game = snowman("P3g", "2k1", "..d")
    placed = after(game, "DEDE")
    assert placed.placed == 1
    assert {"placed bottom1", "at bottom1 cell_2_0"} <= facts(game, placed)
    assert game.successor(placed, "E") is placed  # it stays
    assert game.successor(placed, "D") is placed  # and blocks
    assert game.play(placed, "AASEDDE")[-1].placed == 2


def test_three_pieces_win():
    game = snowman("23P1", "d.gk")
    state = after(game, "AESEAAAEDDSEDESE")
    assert state.placed == 3
    assert game.won(state)
    assert {"placed bottom1", "placed middle1", "placed top1"} <= facts(game, state)


def test_the_door_opens_with_the_key():
    game = snowman("Pd.", "k3.", "21g")
    shut = after(game, "D")
    assert game.successor(shut, "E") is shut
    opened = after(game, "SEDE")
    assert opened.open
    assert "is_door cell_1_0" not in facts(game, opened)
    assert after(game, "SEDED").player == 1
