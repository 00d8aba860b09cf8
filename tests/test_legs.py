"""Leg odds: the kernel against the slow reference, with `==` on whole numbers."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import camelodds as co
from camelodds import FIRST, SECOND, LegOdds, Position, leg_odds
from camelodds.kernels.legs import exact_leg, leg_ends
from camelodds.odds import legs as odds_legs
from camelodds.position import stacks_of
from tests import naive
from tests.strategies import positions

DATA = Path(__file__).parent / "data"


def read(folder: str, name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((DATA / folder / f"{name}.json").read_text())
    return cases


GOLDEN = [*read("golden", "first"), *read("golden", "second")]


def weights_of(leg: LegOdds) -> dict[str, int]:
    names = leg.edition.outcome_names
    return {names[i]: int(leg.weights[i]) for i in np.flatnonzero(leg.weights)}


def equals_naive(position: Position) -> None:
    expected = naive.leg(naive.parse(str(position), position.edition.name))
    leg = leg_odds(position)
    assert weights_of(leg) == {k: v for k, v in expected.weights.items() if v}
    assert leg.total == expected.total
    assert dict(leg.landing_weights) == dict(expected.landings)
    assert leg.race_end_weight == expected.race_ends


@pytest.mark.parametrize("case", read("cases", "legs"), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    leg = leg_odds(Position.parse(case["position"], case["edition"]))
    for camel, places in case["places"].items():
        assert [leg.fraction(camel, place) for place in range(1, 6)] == list(map(Fraction, places))
    assert {str(space): leg.landing_fraction(space) for space in leg.landings} == {
        space: Fraction(mean) for space, mean in case["landings"].items()
    }
    assert leg.race_ends_fraction == Fraction(case["race_ends"])


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["id"])
def test_golden_position(case: dict[str, Any]) -> None:
    leg = leg_odds(Position.parse(case["position"], case["edition"]))
    assert weights_of(leg) == case["weights"]
    assert leg.total == case["total"]
    assert {str(space): w for space, w in leg.landing_weights.items()} == case["landings"]
    assert leg.race_end_weight == case["race_ends"]


@pytest.mark.nojit
@pytest.mark.parametrize("case", [c for c in GOLDEN if c["kind"] == "small"], ids=lambda c: c["id"])
def test_small_golden_position_is_plain_python_too(case: dict[str, Any]) -> None:
    leg = leg_odds(Position.parse(case["position"], case["edition"]))
    assert weights_of(leg) == case["weights"]
    assert leg.race_end_weight == case["race_ends"]


@given(positions(FIRST, most_dice=4))
def test_first_edition_equals_the_naive_reference(position: Position) -> None:
    equals_naive(position)


@given(positions(SECOND, most_dice=4))
def test_second_edition_equals_the_naive_reference(position: Position) -> None:
    equals_naive(position)


@pytest.mark.nojit
@settings(max_examples=30)
@given(positions(most_dice=3))
def test_three_dice_equal_the_naive_reference(position: Position) -> None:
    equals_naive(position)


@pytest.mark.slow
@settings(max_examples=60)
@given(positions())
def test_full_pyramids_equal_the_naive_reference(position: Position) -> None:
    equals_naive(position)


@settings(max_examples=60)
@given(positions(most_dice=4))
def test_the_states_at_the_end_equal_the_naive_reference(position: Position) -> None:
    assume(not position.leg_over)
    edition, packed = position.edition, position.packed
    graph = edition.bag(position.dice, keep_ends=True)
    result, states, weights = leg_ends(
        *packed[:3],
        edition.rules,
        graph.nodes,
        graph.inner,
        graph.last,
        edition.outcome_of_order,
        120,
        odds_legs.POOL,
        odds_legs.SLOTS,
        graph.ends,
    )
    found: dict[str, int] = {}
    for state, weight in zip(states.tolist(), weights.tolist(), strict=True):
        text = " ".join(f"{s}:{c}" for s, c in sorted(stacks_of(edition, state).items()))
        found[text] = found.get(text, 0) + weight
    plain = naive.parse(str(position), edition.name)
    expected = naive.leg_end_states(plain)
    over = {text for text in expected if naive.finished(naive.parse(text, edition.name))}
    assert found == {text: w for text, w in expected.items() if text not in over}
    assert sum(result[:120]) == sum(expected[text] for text in over)


@given(positions())
def test_totals(position: Position) -> None:
    leg, n = leg_odds(position), len(position.dice)
    assert leg.weights.sum() == leg.total
    if position.leg_over:
        assert leg.total == 1
    elif position.edition is FIRST:
        assert leg.total == factorial(n) * 3**n
    elif "*" in position.dice:
        assert leg.total == factorial(n) * 3 ** (n - 2) * 6
    else:
        assert leg.total == factorial(n) * 3 ** (n - 1)


def test_total_of_a_full_pyramid() -> None:
    assert leg_odds(Position.start(FIRST, seed=1)).total == 29_160
    assert leg_odds(Position.start(SECOND, seed=1)).total == 349_920


def renamed(position: Position, names: dict[str, str]) -> Position:
    table = str.maketrans(names)
    return Position(
        position.edition,
        {space: camels.translate(table) for space, camels in position.stacks.items()},
        position.tiles,
        position.dice.translate(table),
    )


@given(positions(), st.data())
def test_renaming_camels_renames_the_answer(position: Position, data: st.DataObject) -> None:
    racing = position.edition.racing
    names = dict(zip(racing, data.draw(st.permutations(racing)), strict=True))
    table = str.maketrans(names)
    there = weights_of(leg_odds(renamed(position, names)))
    assert there == {k.translate(table): v for k, v in weights_of(leg_odds(position)).items()}


@given(positions(SECOND))
def test_S4_exchanging_the_crazy_camels_changes_nothing(position: Position) -> None:
    exchanged = renamed(position, {"W": "K", "K": "W"})
    assert weights_of(leg_odds(exchanged)) == weights_of(leg_odds(position))
    assert leg_odds(exchanged).landings == leg_odds(position).landings


@given(positions(FIRST), st.integers(1, 5))
def test_F1_shifting_camels_tiles_and_line_changes_nothing(position: Position, by: int) -> None:
    longer = FIRST.with_options(spaces=FIRST.spaces + by)
    shifted = Position(
        longer,
        {space + by: camels for space, camels in position.stacks.items()},
        {space + by: tile for space, tile in position.tiles.items()},
        position.dice,
    )
    there, here = leg_odds(shifted), leg_odds(position)
    assert np.array_equal(there.weights, here.weights)
    assert there.race_end_weight == here.race_end_weight
    assert list(there.landing_weights.values()) == list(here.landing_weights.values())


@given(positions())
def test_a_tile_out_of_reach_changes_nothing(position: Position) -> None:
    edition = position.edition
    # Nobody comes to a space that is more than a grey roll and a tile behind the last camel.
    space = min(position.stacks) - (5 if edition.crazy else 1)
    assume(space >= 2)
    without = Position(edition, position.stacks, {}, position.dice)
    behind = Position(edition, position.stacks, {space: 1}, position.dice)
    assert np.array_equal(leg_odds(behind).weights, leg_odds(without).weights)
    assert leg_odds(behind).landings == {space: 0}


@given(positions())
def test_M6_asking_twice_gives_the_same_and_changes_nothing(position: Position) -> None:
    before = str(position)
    assert leg_odds(position) == leg_odds(position)
    assert str(position) == before


@given(positions(most_dice=5))
def test_the_next_roll_changes_no_expectation(position: Position) -> None:
    """The odds are the mean of the odds after each equally likely roll."""
    assume(not position.leg_over)
    edition = position.edition
    mean = np.zeros(120, dtype=object)
    for die in position.dice:
        camels = edition.crazy if die == "*" else die
        for camel in camels:
            for face in (1, 2, 3):
                leg = leg_odds(position.after(f"{camel}{face}"))
                share = Fraction(1, len(position.dice) * 3 * len(camels))
                mean += np.array([share * Fraction(int(w), leg.total) for w in leg.weights])
    leg = leg_odds(position)
    assert list(mean) == [Fraction(int(w), leg.total) for w in leg.weights]


def test_worked_example() -> None:
    leg = leg_odds(Position.parse("1:gyo 3:bw", FIRST))
    assert leg.fraction("w", 1) == Fraction(9647, 29160)
    assert leg.fraction("b", 2) == Fraction(8347, 29160)
    tickets = {camel: leg.ticket_fraction(camel, 5) for camel in "woby"}
    assert tickets == {
        "w": Fraction(4373, 2916),
        "o": Fraction(14633, 14580),
        "b": Fraction(7207, 14580),
        "y": Fraction(433, 1215),
    }
    assert leg.ticket_fraction("g", 5) == Fraction(-5161, 14580)
    assert leg.ticket(5)["w"] == pytest.approx(4373 / 2916, abs=1e-15)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "outcome", "ends"),
    [
        ("3:ob 4:g 6:yw dice=", "wygbo", 0),
        ("3:ob 4:g 17:yw", "wygbo", 1),
        ("3:rb 4:g 6:yp 14:WK dice=*", "pygbr", 0),
        ("3:rb 4:g 6:yp 14:WK dice=r", "pygbr", 0),
        ("1:b 4:g 6:yp 14:K 0:Wr dice=b", "pygbr", 1),
        ("1:b 4:g 6:yp 14:K 18:rW 9+ dice=b*", "rpygb", 1),
    ],
)
def test_F11_S1_a_finished_leg_or_race_is_certain(text: str, outcome: str, ends: int) -> None:
    leg = leg_odds(Position.parse(text))
    assert (weights_of(leg), leg.total) == ({outcome: 1}, 1)
    assert leg.race_ends == ends
    assert set(leg.landings.values()) <= {0}


def test_F11_a_course_that_ends_early_keeps_its_weight() -> None:
    """Any first roll ends the race: one third each for the five camels on 16."""
    leg = leg_odds(Position.parse("16:bygow", FIRST))
    assert leg.race_ends_fraction == 1
    assert [leg.fraction(c, 1) for c in "bygow"] == [0, 0, 0, 0, 1]


def test_S1_the_grey_die_has_no_double_weight() -> None:
    """Two dice left, one is rolled: each with probability one half."""
    leg = leg_odds(Position.parse("1:yrp 10:WK 14:b 15:g dice=b*", SECOND))
    assert leg.fraction("b", 1) == Fraction(1, 2)
    assert leg.race_ends_fraction == Fraction(1, 6)


def test_results_can_be_pickled_and_copied() -> None:
    leg = leg_odds(Position.parse("3:ob 4:g 6:y 7:w 5-@Ann 8+", FIRST))
    for again in (pickle.loads(pickle.dumps(leg)), copy.deepcopy(leg)):
        assert again == leg
        assert again.landings == leg.landings
        with pytest.raises(TypeError):
            again.landing_weights[5] = 0


def test_floats_are_the_nearest_to_the_fractions() -> None:
    for seed in range(20):
        leg = leg_odds(Position.start(SECOND, seed=seed))
        for camel in leg.camels:
            for worth in (5, 3, 2):
                assert leg.ticket(worth)[camel] == float(leg.ticket_fraction(camel, worth))


def test_many_threads_get_the_answers_of_one() -> None:
    asked = [Position.start(edition, seed=s) for s in range(30) for edition in (FIRST, SECOND)]
    expected = [leg_odds(position) for position in asked]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            assert list(pool.map(leg_odds, asked)) == expected


def test_the_parts_of_a_result() -> None:
    leg = leg_odds(Position.parse("3:ob 4:g 6:y 7:w 5-@Ann 8+", FIRST))
    assert leg.places.sum(axis=0) == pytest.approx(np.ones(5), abs=1e-12)
    assert leg.places.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-12)
    assert leg.joint.sum() == pytest.approx(1, abs=1e-12)
    assert leg.joint.sum(axis=1) == pytest.approx(leg.places[:, 0], abs=1e-12)
    assert leg.joint.sum(axis=0) == pytest.approx(leg.places[:, 1], abs=1e-12)
    assert leg.last["o"] == leg.places["bygow".index("o"), 4]
    with pytest.raises(ValueError, match="read-only"):
        leg.weights[0] = 1
    with pytest.raises(TypeError):
        leg.first["w"] = 1.0  # type: ignore[index]


REFUSED: dict[str, tuple[Any, str]] = {
    "no such camel": (lambda leg: leg.fraction("x", 1), "no racing camel"),
    "a crazy camel": (lambda leg: leg.fraction("W", 1), "no racing camel"),
    "two camels": (lambda leg: leg.fraction("by", 1), "no racing camel"),
    "place 0": (lambda leg: leg.fraction("b", 0), "no such place"),
    "place 6": (lambda leg: leg.fraction("b", 6), "no such place"),
    "place 1.0": (lambda leg: leg.fraction("b", 1.0), "no such place"),
    "place True": (lambda leg: leg.fraction("b", True), "no such place"),
    "worth text": (lambda leg: leg.ticket("5"), "not a finite number"),
    "worth nan": (lambda leg: leg.ticket_fraction("b", float("nan")), "not a finite number"),
    "landing list": (lambda leg: leg.landing_fraction([]), "no tile on this space"),
    "seed": (lambda leg: Position.start("first", seed=-1), "not a whole number"),
    "no tile": (lambda leg: leg.landing_fraction(5), "no tile on this space"),
    "text": (lambda leg: leg_odds("3:ob 4:g 6:y 7:w"), "not a Position"),
    "method": (lambda leg: leg_odds(leg.position, method="guess"), "no such method"),
    "option": (lambda leg: FIRST.with_options(colour="b"), "no such option"),
    "track": (lambda leg: FIRST.with_options(spaces=40), "a track has"),
}


@pytest.mark.parametrize(("ask", "what"), REFUSED.values(), ids=list(REFUSED))
def test_questions_that_are_refused(ask: Any, what: str) -> None:
    leg = leg_odds(Position.parse("3:rb 4:g 6:yp 14:WK", SECOND))
    with pytest.raises(co.OptionError, match=what):
        ask(leg)


def test_a_small_workspace_is_told_and_then_enlarged(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse("3:rb 4:g 6:yp 14:WK", SECOND)
    expected = leg_odds(position)
    edition, packed = SECOND, position.packed
    graph = edition.bag(position.dice)
    small = exact_leg(
        *packed[:3],
        edition.rules,
        graph.nodes,
        graph.inner,
        graph.last,
        edition.outcome_of_order,
        120,
        64,
        16,
    )
    assert small[-1] < 0
    monkeypatch.setattr(odds_legs, "POOL", 64)
    monkeypatch.setattr(odds_legs, "SLOTS", 16)
    assert leg_odds(position) == expected


def test_to_dict_is_what_the_terminal_prints() -> None:
    leg = leg_odds(Position.parse("3:ob 4:g 6:y 7:w 5- 8+", FIRST))
    data = json.loads(leg.to_json())
    assert data == leg.to_dict()
    assert data["fractions"]["w"][0] == "12641/29160"
    assert data["places"]["w"][0] == 12641 / 29160
    assert data["landing_fractions"] == {str(s): str(leg.landing_fraction(s)) for s in (5, 8)}
    assert data["tickets"]["w"] == [leg.ticket(worth)["w"] for worth in (5, 3, 2)]
    assert (data["method"], data["total"], data["race_ends_fraction"]) == ("exact", 29_160, "0")
    assert set(data) == {
        "edition",
        "position",
        "method",
        "total",
        "places",
        "fractions",
        "landings",
        "landing_fractions",
        "race_ends",
        "race_ends_fraction",
        "tickets",
    }


def test_a_result_names_unusual_options() -> None:
    leg = leg_odds(Position(FIRST.with_options(spaces=20), {18: "b", 3: "ygow"}))
    assert "spaces=20" in str(leg)
    assert leg.to_dict()["options"] == {"spaces": 20}
    assert not leg.position.race_over


def test_how_a_result_looks() -> None:
    leg = leg_odds(Position.parse("3:ob 4:g 6:y 7:w 5- 8+@<b>", FIRST))
    text = str(leg)
    lines = text.splitlines()
    assert "w white" in lines[3]
    assert "43.4%" in lines[3]
    assert "bottom to top" in lines[0]
    assert "exact" in text
    html = leg._repr_html_()
    assert "43.4%" in html
    assert "@<b>" not in html
    assert "@&lt;b&gt;" in html
