"""Positions: what a roll does to them, by rule id, and that they never change."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from camelodds import FIRST, SECOND, EventError, Position
from tests import naive
from tests.strategies import positions

pytestmark = pytest.mark.nojit

CASES = json.loads((Path(__file__).parent / "data/cases/moves.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_move_of_case(case: dict[str, Any]) -> None:
    position = Position.parse(case["position"], case["edition"])
    move = position.move(case["roll"])
    assert move.camel == case["moved"]
    assert move.after.stacks == {int(space): camels for space, camels in case["after"].items()}
    assert move.tile == case["tile_used"]
    assert move.race_over == move.after.race_over == case["race_over"]
    assert move.after.outcome == case["ranking"]


@given(positions(owners=True), st.data())
def test_move_equals_the_naive_reference(position: Position, data: st.DataObject) -> None:
    faces = [
        f"{camel}{n}"
        for die in position.dice
        for camel in (position.edition.crazy if die == "*" else die)
        for n in (1, 2, 3)
    ]
    if position.leg_over:
        with pytest.raises(EventError):
            position.move("b1")
        return
    event = data.draw(st.sampled_from(faces))
    move = position.move(event)
    expected = naive.move(
        naive.parse(str(position), position.edition.name), event[0], int(event[1])
    )
    assert move.after.stacks == expected.position.stacks
    assert move.camel == expected.camel
    assert move.tile == expected.tile
    assert move.race_over == expected.race_over
    assert move.owner == (position.tiles[move.tile].owner if move.tile else None)
    assert sorted(move.after.dice) == sorted(expected.position.dice)
    # A position after a move is one that could have been typed.
    assert Position.parse(str(move.after), position.edition) == move.after


def after(text: str, *events: str) -> str:
    position = Position.parse(text)
    for event in events:
        position = position.after(event)
    return " ".join(token for token in str(position).split() if not token.startswith("dice"))


def test_M1_a_camel_carries_what_is_above_it() -> None:
    assert after("5:bygow", "g2") == "5:by 7:gow"
    assert after("5:byg 6:ow", "y1") == "5:b 6:owyg"


def test_M2_a_tile_passed_over_does_nothing() -> None:
    assert after("5:bygow 6-", "w2") == "5:bygo 7:w 6-"


def test_M3_the_tile_moves_the_whole_unit_and_is_paid_once() -> None:
    move = Position.parse("5:bygow 7+@Ann").move("g2")
    assert (move.tile, move.owner, move.unit) == (7, "Ann", "gow")
    assert str(move.after) == "5:by 8:gow 7+@Ann dice=byow"
    assert after("4:b 5:ygow 6-", "g1") == "4:b 5:gowy 6-"
    assert after("4:b 3:y 7:gow 5-", "b1") == "3:y 4:b 7:gow 5-"


def test_M4_mirage_back_to_the_own_space_puts_the_unit_underneath() -> None:
    assert after("5:yb 9:gow 6-", "b1") == "5:by 9:gow 6-"
    assert after("5:yb 9:gow 6-", "y1") == "5:yb 9:gow 6-"


def test_M5_the_farther_and_the_higher_camel_is_ahead() -> None:
    assert Position.parse("3:ob 4:g 6:yw").outcome == "wygbo"
    assert Position.parse("3:rWb 4:g 6:yKp").outcome == "pygbr"


def test_M6_asking_changes_nothing() -> None:
    position = Position.parse("3:ob 4:g 6:yw 8+")
    before = str(position)
    position.move("w2")
    position.next_leg()
    assert str(position) == before
    with pytest.raises(dataclasses.FrozenInstanceError):
        position.dice = ""  # type: ignore[misc]
    with pytest.raises(TypeError):
        position.stacks[3] = "bo"  # type: ignore[index]


def test_F1_standing_on_16_is_no_finish() -> None:
    position = Position.parse("14:bygow").after("b2")
    assert position.stacks == {16: "bygow"}
    assert not position.race_over


@given(st.integers(0, 2**32))
def test_F2_a_start_is_on_the_spaces_that_dice_show(seed: int) -> None:
    position = Position.start(FIRST, seed=seed)
    assert set(position.stacks) <= {1, 2, 3}
    assert (position.dice, dict(position.tiles)) == (FIRST.dice, {})


def test_F2_every_order_within_a_space_comes_up() -> None:
    stacks = {Position.start(FIRST, seed=seed).stacks.get(2) for seed in range(400)}
    assert {"bw", "wb", "go", "og"} <= stacks


def test_F6_a_tile_on_16_is_resolved_before_the_line() -> None:
    over = Position.parse("2:wy 13:o 14:bg 16+@Ann").move("b2")
    assert (over.race_over, over.owner, over.after.stacks[17]) == (True, "Ann", "bg")
    back = Position.parse("2:wy 15:o 14:bg 16-@Ann").move("b2")
    assert (back.race_over, back.owner, back.after.stacks[15]) == (False, "Ann", "bgo")


def test_F8_no_roll_after_the_last_die() -> None:
    with pytest.raises(EventError, match="the leg is over"):
        Position.parse("3:ob 4:g 6:yw dice=").after("w1")
    with pytest.raises(EventError, match="the leg is over"):
        Position.parse("3:rb 4:g 6:yp 14:WK dice=p").after("p1")


def test_F10_the_next_leg_has_all_dice_and_no_tiles() -> None:
    position = Position.parse("3:ob 4:g 6:yw 8+ dice=").next_leg()
    assert str(position) == "3:ob 4:g 6:yw"


def test_F11_no_camel_moves_after_the_line() -> None:
    position = Position.parse("3:ob 4:g 16:yw").after("y2")
    assert position.stacks[18] == "yw"
    assert position.outcome == "wygbo"
    for refused in (lambda: position.after("b1"), position.next_leg):
        with pytest.raises(EventError, match="the race is over"):
            refused()


def test_F12_tiles_beyond_the_line_are_not_met() -> None:
    position = Position.parse("3:ob 4:g 16:yw 2+").after("w2")
    assert position.stacks[18] == "w"


@given(st.integers(0, 2**32))
def test_S2_crazy_camels_start_on_14_to_16(seed: int) -> None:
    position = Position.start(SECOND, seed=seed)
    crazy = {s: c for s, c in position.stacks.items() if s > 3}
    assert sorted("".join(crazy.values())) == ["K", "W"]
    assert set(crazy) <= {14, 15, 16}


def test_S2_either_crazy_camel_can_be_on_top() -> None:
    stacks = ["".join(Position.start(SECOND, seed=s).stacks.values()) for s in range(200)]
    assert any("WK" in s for s in stacks)
    assert any("KW" in s for s in stacks)


def test_S3_crazy_camels_go_back_carry_and_land_on_top() -> None:
    assert after("3:yp 5:bg 9:KrW", "K2") == "3:yp 5:bg 7:KrW"
    assert after("3:yp 6:bg 9:KrW", "W3") == "3:yp 6:bgKrW"
    assert after("3:yp 5:bKW 9:gr", "b3") == "3:yp 8:bKW 9:gr"


@pytest.mark.parametrize(
    ("stacks", "roll", "mover"),
    [
        ("9:WK 3:bygrp", "W1", "K"),
        ("9:WK 3:bygrp", "K1", "K"),
        ("9:WKr 3:bygp", "W1", "K"),
        ("9:KW 3:bygrp", "K1", "W"),
        ("9:WrK 3:bygp", "K1", "W"),
        ("9:WrK 3:bygp", "W1", "W"),
        ("9:WrKp 3:byg", "K1", "K"),
        ("9:WrKp 3:byg", "W1", "W"),
        ("9:Wr 12:K 3:bygp", "K1", "W"),
        ("9:Wr 12:Kp 3:byg", "K1", "K"),
        ("9:Wr 12:Kp 3:byg", "W1", "W"),
        ("9:W 12:K 3:bygrp", "K1", "K"),
        ("9:rW 12:pK 3:byg", "W1", "W"),
        ("9:pWbrK 3:yg", "K1", "W"),
    ],
)
def test_S4_which_crazy_camel_a_grey_roll_moves(stacks: str, roll: str, mover: str) -> None:
    assert Position.parse(stacks, SECOND).move(roll).camel == mover


def test_S5_tiles_act_in_the_crazy_camels_direction() -> None:
    assert after("3:yp 6:g 9:Wr 14:Kb 7+", "W2") == "3:yp 6:gWr 14:Kb 7+"
    move = Position.parse("3:yp 8:g 9:Wr 14:Kb 7-@Ann").move("W2")
    assert move.owner == "Ann"
    assert move.after.stacks[8] == "Wrg"


def test_S6_the_race_ends_in_reverse() -> None:
    move = Position.parse("1:Kry 8:pbgW 16-").move("K1")
    assert (move.race_over, move.after.stacks[0], move.tile) == (True, "Kry", None)
    assert move.after.outcome == "gbpyr"
    assert Position.parse("1:bK 8:pygrW").after("K3").outcome == "rgypb"


def test_S7_a_unit_with_a_crazy_camel_crosses_forward() -> None:
    move = Position.parse("15:bKr 8:pygW").move("b2")
    assert move.race_over
    assert move.after.outcome == "rbgyp"


@pytest.mark.parametrize(
    ("event", "what"),
    [
        ("x1", "no such die"),
        ("b4", "no face 4"),
        ("b0", "no face 0"),
        ("w1", "the white die is out already"),
        ("", "not a roll"),
        ("b", "not a roll"),
        ("ticket b", "not a roll"),
        ("b99999999999999999999", "no face"),
        ("K1", "no such die"),
        ("\u00df1", "not a roll"),
    ],
)
def test_rolls_that_are_refused(event: str, what: str) -> None:
    position = Position.parse("3:ob 4:g 6:yw dice=bgo")
    with pytest.raises(EventError, match=what):
        position.move(event)


def test_the_grey_die_is_rolled_once() -> None:
    position = Position.parse("3:yp 5:bg 9:KrW").after("K2")
    with pytest.raises(EventError, match="the grey die is out already"):
        position.after("W1")
    with pytest.raises(EventError, match="not a roll"):
        position.after("grey 1")
