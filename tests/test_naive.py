"""The slow references against the cases, by hand, and on the golden positions."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import chain
from math import comb, factorial
from pathlib import Path
from typing import Any

import pytest

from tests import naive, naive_cards
from tests.make_golden import caught, counts, faults_of, probabilities

DATA = Path(__file__).parent / "data"
EDITIONS = ("first", "second", "cards")


def read(folder: str, name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((DATA / folder / f"{name}.json").read_text())
    return cases


GOLDEN = {edition: read("golden", edition) for edition in EDITIONS}


def params(cases: list[dict[str, Any]]) -> list[Any]:
    """The six dice of the second edition take seconds."""
    return [
        pytest.param(
            case,
            id=case["id"],
            marks=[pytest.mark.slow] if "dice=bgpry*" in case.get("position", "") else [],
        )
        for case in cases
    ]


def place_of(outcome: str, camel: str) -> int:
    ranked, _, before_banner = outcome.partition("|")
    return 4 if camel in before_banner else ranked.index(camel)


def places(weights: dict[str, int], total: int, camel: str) -> list[Fraction]:
    """P(1st) to P(5th)."""
    return [
        Fraction(sum(w for o, w in weights.items() if place_of(o, camel) == place), total)
        for place in range(5)
    ]


# The cases: from an independent calculation.


@pytest.mark.parametrize("case", params(read("cases", "moves")))
def test_move_of_case(case: dict[str, Any]) -> None:
    position = naive.parse(case["position"], case["edition"])
    moved = naive.move(position, case["roll"][0], int(case["roll"][1]))
    assert moved.camel == case["moved"]
    assert moved.position.stacks == {int(s): stack for s, stack in case["after"].items()}
    assert moved.tile == case["tile_used"]
    assert moved.race_over == case["race_over"]
    assert naive.ranking(moved.position) == case["ranking"]


@pytest.mark.parametrize("case", params(read("cases", "legs")))
def test_leg_of_case(case: dict[str, Any]) -> None:
    leg = naive.leg(naive.parse(case["position"], case["edition"]))
    for camel, expected in case["places"].items():
        assert places(leg.weights, leg.total, camel) == [Fraction(p) for p in expected]
    landings = {str(tile): Fraction(w, leg.total) for tile, w in leg.landings.items()}
    assert landings == {tile: Fraction(mean) for tile, mean in case["landings"].items()}
    assert Fraction(leg.race_ends, leg.total) == Fraction(case["race_ends"])


@pytest.mark.parametrize("case", params(read("cases", "rounds")))
def test_round_of_case(case: dict[str, Any]) -> None:
    odds = naive_cards.round_odds(naive_cards.load_round(case))
    for camel, expected in case["places"].items():
        assert places(odds.weights, odds.total, camel) == [Fraction(p) for p in expected]
    assert Fraction(odds.race_ends, odds.total) == Fraction(case["race_ends"])


# The golden positions.


@pytest.mark.parametrize("position", params([*chain(*GOLDEN.values())]))
def test_golden_position(position: dict[str, Any]) -> None:
    again = counts(position["edition"], position)
    assert again == {field: position[field] for field in again}


def test_golden_positions_are_many() -> None:
    for edition in ("first", "second"):
        kinds = [position["kind"] for position in GOLDEN[edition]]
        assert kinds.count("full") >= 20
        assert kinds.count("small") >= 20
    assert len(GOLDEN["cards"]) >= 20


def test_every_fault_has_editions() -> None:
    assert list(naive.FAULTS) == list(naive.EDITIONS_OF_FAULT)
    assert set(chain(*naive.EDITIONS_OF_FAULT.values())) == set(EDITIONS)


@pytest.mark.parametrize(
    ("edition", "fault"), [(edition, fault) for edition in EDITIONS for fault in faults_of(edition)]
)
def test_fault_is_caught(edition: str, fault: str) -> None:
    """Some golden position has another probability with the fault."""
    catching = [position for position in GOLDEN[edition] if fault in position.get("catches", [])]
    assert catching
    position = min(catching, key=lambda position: int(position["total"]))
    wrong = counts(edition, position, fault)
    assert probabilities(wrong) != probabilities(position)


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
def test_golden_positions_catch_what_they_say(edition: str) -> None:
    for position in GOLDEN[edition]:
        if position.get("catches"):
            assert caught(edition, position, position) == position["catches"], position["id"]


def test_unknown_fault_is_refused() -> None:
    position = naive.parse("1:bygow", "first")
    with pytest.raises(KeyError):
        naive.leg(position, "no_such_fault")
    with pytest.raises(ValueError, match="makes no sense"):
        naive.leg(position, "sixth_die_rolled")


# By hand: the pyramid games.


def test_worked_example() -> None:
    leg = naive.leg(naive.parse("1:gyo 3:bw", "first"))
    assert leg.total == 29160
    table = {
        "w": ("9647/29160", "938/3645", "4373/2916"),
        "o": ("3937/14580", "5591/29160", "14633/14580"),
        "b": ("112/729", "8347/29160", "7207/14580"),
        "y": ("1609/9720", "353/1944", "433/1215"),
        "g": ("583/7290", "2423/29160", "-5161/14580"),
    }
    for camel, (first, second, value) in table.items():
        place = places(leg.weights, leg.total, camel)
        assert place[:2] == [Fraction(first), Fraction(second)]
        assert 5 * place[0] + place[1] - sum(place[2:]) == Fraction(value)
    assert leg.landings == {}
    assert leg.race_ends == 0


def test_totals() -> None:
    # values.md, Odds.
    for n in range(1, 6):
        position = naive.parse(f"1:bygow dice={'bygow'[:n]}", "first")
        assert naive.weight_of_rest(position) == factorial(n) * 3**n
        position = naive.parse(f"1:bygrp 14:W 15:K dice={'bygrp'[:n]}", "second")
        assert naive.weight_of_rest(position) == factorial(n) * 3 ** (n - 1)
    for n in range(2, 7):
        position = naive.parse(f"1:bygrp 14:W 15:K dice={'bygrp'[: n - 1]}*", "second")
        assert naive.weight_of_rest(position) == factorial(n) * 3 ** (n - 2) * 6


def test_leg_and_race_that_are_over() -> None:
    for text, edition, outcome, ends in [
        ("3:bo 5:gyw 7- dice=", "first", "wygob", 0),
        ("3:by 6:Wr 8:gp 10:K dice=b", "second", "pgryb", 0),
        ("4:b 8:gyw 17:o dice=bg", "first", "owygb", 1),
        ("0:Kry 8:pbgW", "second", "gbpyr", 1),
    ]:
        leg = naive.leg(naive.parse(text, edition))
        assert (leg.weights, leg.total, leg.race_ends) == ({outcome: 1}, 1, ends)


def test_notation() -> None:
    position = naive.parse("dice=ob 3:ob 5-@P1 4:gyw 8+", "first")
    assert position == naive.Position("first", {3: "ob", 4: "gyw"}, {5: -1, 8: 1}, "ob")
    assert naive.parse("1:bygrp", "second").dice == "bygrp*"


@pytest.mark.parametrize(
    ("text", "roll", "stacks"),
    [
        ("5:by 6-", "y1", "5:yb"),  # M4
        ("5:by 6-", "b1", "5:by"),  # M4
        ("5:byo 7:gw 8-", "y3", "5:b 7:yogw"),  # M3
        ("5:byo 7:gw 6+", "y1", "5:b 7:gwyo"),  # M3
        ("5:byo 7:gw 6+", "y3", "5:b 7:gw 8:yo"),  # M2
        ("15:by 16-", "b1", "15:by"),  # F6
        ("15:by 16+", "b1", "17:by"),  # F6
    ],
)
def test_moves_by_hand(text: str, roll: str, stacks: str) -> None:
    moved = naive.move(naive.parse(text, "first"), roll[0], int(roll[1]))
    assert naive.stacks_text(moved.position) == stacks


@pytest.mark.parametrize(
    ("stacks", "white", "black"),
    [
        ("9:WK", "K", "K"),
        ("9:WKr", "K", "K"),
        ("9:KW", "W", "W"),
        ("9:WrK", "W", "W"),
        ("9:WrKs", "W", "K"),
        ("4:Wr 9:K", "W", "W"),
        ("4:Wr 9:Ks", "W", "K"),
        ("4:W 9:K", "W", "K"),
    ],
)
def test_which_crazy_camel_moves(stacks: str, white: str, black: str) -> None:
    position = naive.parse(stacks, "second")  # S4
    assert naive.moving_camel(position, "W") == white
    assert naive.moving_camel(position, "K") == black


def test_leg_end_states() -> None:
    position = naive.parse("1:yrp 10:WK 14:b 15:g dice=b*", "second")
    assert naive.leg_end_states(position) == {
        "1:yrp 10:WK 15:gb": 2,
        "1:yrp 10:WK 15:g 16:b": 2,
        "1:yrp 10:WK 15:g 17:b": 2,
        "1:yrp 9:K 10:W 14:b 15:g": 2,
        "1:yrp 8:K 10:W 14:b 15:g": 2,
        "1:yrp 7:K 10:W 14:b 15:g": 2,
    }


# By hand: the Card Game.


def laid_out(stacks: str, **fields: Any) -> naive_cards.Round:
    defaults: dict[str, Any] = {
        "start": "",
        "last_space": 14,
        "flipped_cards": (),
        "shortcut": None,
        "fennec": None,
        "left": 1,
        "crazy_left": 0,
        "known": ("b1",),
        "pool": {},
        "crazy_pool": {},
    }
    spaces = (token.split(":") for token in stacks.split())
    return naive_cards.Round({int(s): camels for s, camels in spaces}, **(defaults | fields))


@pytest.mark.parametrize(
    ("stacks", "fields", "card", "after"),
    [
        ("7:K", {"start": "bygrp"}, "y2", "2:y 7:K"),  # C3
        ("5:by 7:K", {"flipped_cards": (4,)}, "b2", "7:Kby"),  # C4
        ("5:by 6:K", {"flipped_cards": (4,)}, "b2", "6:K 7:by"),  # C4
        ("6:by 11:K", {"flipped_cards": (4, 5)}, "b2", "9:by 11:K"),  # C4
        ("5:by 7:K", {"shortcut": 6}, "b1", "7:Kby"),  # C7
        ("5:by 7:K", {"fennec": 6}, "y1", "5:yb 7:K"),  # C7, M4
        ("5:by 9:K", {"fennec": 7, "shortcut": 6}, "b2", "7:by 9:K"),  # C7, chain
        ("5:by 9:K", {"fennec": 7, "shortcut": 6}, "b1", "6:by 9:K"),  # C7, chain
        ("3:y 7:K", {"start": "b", "fennec": 1}, "b1", "3:y 7:K"),  # C7
        ("2:gK 3:y", {"start": "b", "fennec": 1}, "K2", "2:Kg 3:y"),  # C7, C8
        ("2:gK 3:y", {"start": "b", "shortcut": 1}, "K2", "1:K 2:g 3:y"),  # C7, C8
        ("5:y 7:K", {}, "K0", "5:y 7:K"),  # C8
        ("5:y 7:Kb", {}, "K0", "5:y 6:Kb"),  # C8
        ("2:y 3:Kb", {}, "K2", "1:Kb 2:y"),  # C8
        ("14:rp 15:K", {}, "K1", "14:rpK"),  # C4, C12
        ("14:rp 15:K", {"fennec": 13}, "K2", "14:Krp"),  # C7
        ("13:rp 15:K", {"fennec": 14}, "K1", "13:rp 15:K"),  # C7, C12
        ("13:b 14:rp", {}, "b2", "14:rp 15:b"),  # C12
        ("12:b 14:Krp", {}, "r2", "12:b 14:K 15:rp"),  # C12
    ],
)
def test_card_moves_by_hand(stacks: str, fields: dict[str, Any], card: str, after: str) -> None:
    moved = naive_cards.round_move(laid_out(stacks, **fields), card)
    assert dict(sorted(moved.after.stacks.items())) == laid_out(after).stacks
    assert moved.race_over == (moved.after.stacks.get(15, "K") != "K")


def test_markers_go_home() -> None:
    # C6: after it acted, or when all racing camels are past it.
    round_ = laid_out("5:b 6:y 9:K", shortcut=7, fennec=8)
    moved = naive_cards.round_move(round_, "b2")
    assert (moved.used, moved.gone_home) == (("shortcut", "fennec"), ())
    assert (moved.after.shortcut, moved.after.fennec) == (None, None)
    round_ = laid_out("5:b 7:y 9:K", shortcut=6)
    moved = naive_cards.round_move(round_, "b2")
    assert (moved.used, moved.gone_home, moved.after.shortcut) == ((), ("shortcut",), None)
    round_ = laid_out("5:b 7:y 9:K", start="g", shortcut=6)
    assert naive_cards.round_move(round_, "b2").after.shortcut == 6


def test_weights_of_cards() -> None:
    round_ = laid_out(
        "5:byg 7:K",
        start="pr",
        left=4,
        crazy_left=1,
        known=("g1",),
        pool={"b1": 3, "p1": 2, "y2": 1},
        crazy_pool={0: 2, 1: 1, 2: 1},
    )
    odds = naive_cards.round_odds(round_)
    assert odds.total == comb(4, 1) * 3 * (6 * 5) * 4
    # p stays before the banner if both cards drawn are among the 4 that are not p1.
    still = sum(w for outcome, w in odds.weights.items() if outcome.endswith("|rp"))
    assert Fraction(still, odds.total) == Fraction(4 * 3, 30)
    assert odds.marker_gone == {"shortcut": 0, "fennec": 0}


def test_round_that_is_over() -> None:
    odds = naive_cards.round_odds(laid_out("3:y 4:Kb", start="rgp", left=0, known=()))
    assert (odds.weights, odds.total, odds.race_ends) == ({"by|grp": 1}, 1, 0)
    odds = naive_cards.round_odds(laid_out("3:y 4:K 15:bgrp"))
    assert (odds.weights, odds.total, odds.race_ends) == ({"prgby": 1}, 1, 1)
