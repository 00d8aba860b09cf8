"""The race against the cases, the slow reference, and by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import camelodds as co
from camelodds.odds.races import leg_and_race_batch
from camelodds.tables import race_table
from tests import naive, naive_races
from tests.simulated_races import simulate

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data/cases/races.json").read_text()
)
FIRST_CASES = [case for case in CASES if case["edition"] == "first"]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """No test touches the user's cache folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CAMELODDS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in FIRST_CASES])
def test_case(case: dict[str, Any]) -> None:
    race = co.race_odds(co.Position.parse(case["position"], "first"))
    assert race.winner == pytest.approx(case["winner"], abs=1e-12)
    assert race.last == pytest.approx(case["last"], abs=1e-12)
    assert race.legs == pytest.approx(case["legs"], abs=1e-12)
    assert race.method == ("exact" if case["legs"] == 1 else "table")
    assert race.error <= 1e-12


SEEN: dict[str, naive_races.Value] = {}


@pytest.mark.parametrize(
    "text",
    [
        "14:wy 15:o 16:bg",
        "13:b 15:gy 16:ow dice=b",
        "11:b 15:g 16:ywo dice=bg",
        "15:bygow 16- dice=wo",
        "13:wo 14:bg 15:y 16+ dice=ogy",
        "12:b 14:g 15:oy 16:w 13+ dice=bo",
        "14:bygow dice=",
        "15:ywbg 16:o dice=o",
    ],
)
def test_short_endgame(text: str) -> None:
    reference = naive_races.race(naive.parse(text, "first"), SEEN)
    race = co.race_odds(co.Position.parse(text, "first"))
    assert race.places is not None
    for i, camel in enumerate(race.camels):
        assert race.places[i] == pytest.approx(
            [float(p) for p in reference.places[camel]], abs=1e-13
        )
        assert race.winner[camel] == race.places[i, 0]
        assert race.last[camel] == race.places[i, 4]
    assert race.legs == pytest.approx(float(reference.legs), abs=1e-13)


def test_F1_one_step_before_the_end() -> None:
    # All stand on 16, w at the top: whoever rolls carries w over the line, and b is at the
    # bottom of whatever unit it is in.
    race = co.race_odds(co.Position.parse("16:bygow", "first"))
    assert (race.method, race.legs, race.race_ends) == ("exact", 1, 1)
    assert race.winner["w"] == 1
    assert race.last["b"] == 1


def test_two_legs_by_hand() -> None:
    # b has the last roll of the leg: with 3 it is over the line and first, with 2 it is on top
    # of the others and whoever rolls first in the next leg carries it over. With 1 it is on
    # 15: then it wins if it rolls first (1 in 5) and not a 1, which puts it on top but is over
    # as soon as anybody rolls - it wins then too.
    text = "14:b 16:ygow dice=b"
    wins = Fraction(1, 3) + Fraction(1, 3) + Fraction(1, 3) * Fraction(1, 5)
    legs = Fraction(1, 3) * 1 + Fraction(2, 3) * 2
    reference = naive_races.race(naive.parse(text, "first"), SEEN)
    assert (reference.winner("b"), reference.legs) == (wins, legs)
    race = co.race_odds(co.Position.parse(text, "first"))
    assert race.winner["b"] == pytest.approx(float(wins), abs=1e-15)
    assert race.legs == pytest.approx(float(legs), abs=1e-15)


def test_F6_tile_on_16_carries_over_the_line() -> None:
    race = co.race_odds(co.Position.parse("1:bygo 15:w 16+ dice=w", "first"))
    assert (race.winner["w"], race.race_ends, race.method) == (1, 1, "exact")
    race = co.race_odds(co.Position.parse("1:bygo 15:w 16- dice=w", "first"))
    assert race.race_ends == pytest.approx(2 / 3)
    assert race.method == "table"


def test_F10_tiles_act_in_this_leg_only() -> None:
    with_tile = co.race_odds(co.Position.parse("1:bygow 4+ dice=", "first"))
    without = co.race_odds(co.Position.parse("1:bygow", "first"))
    assert with_tile.winner == pytest.approx(without.winner, abs=1e-15)
    # The leg that is over is still to be scored.
    assert with_tile.legs == pytest.approx(without.legs + 1)


def test_F11_finished_race() -> None:
    race = co.race_odds(co.Position.parse("3:bo 9:gy 17:w dice=bo", "first"))
    assert race.winner == {"b": 0, "y": 0, "g": 0, "o": 0, "w": 1}
    assert race.last == {"b": 1, "y": 0, "g": 0, "o": 0, "w": 0}
    assert race.places is not None
    assert race.places[race.camels.index("y")].tolist() == [0, 1, 0, 0, 0]
    assert (race.method, race.error, race.legs, race.race_ends) == ("exact", 0, 0, 1)


def some_positions(n: int, seed: int) -> list[co.Position]:
    """Positions reached by random play, some with tiles."""
    rng = np.random.default_rng(seed)
    found: list[co.Position] = []
    while len(found) < n:
        position = co.Position.start(co.FIRST, int(rng.integers(1 << 30)))
        while not position.race_over and len(found) < n:
            free = [s for s in range(2, 17) if s not in position.stacks]
            tiles = {int(s): int(rng.choice([-1, 1])) for s in rng.choice(free, 1)}
            with_tiles = co.Position(co.FIRST, position.stacks, tiles, position.dice)
            if rng.random() < 0.2:
                found.append(with_tiles if rng.random() < 0.5 else position)
            if position.leg_over:
                position = position.next_leg()
            die = rng.choice(list(position.dice))
            position = position.after(f"{die}{rng.integers(1, 4)}")
    return found


def test_places_sum_to_one() -> None:
    for position in some_positions(150, 1):
        race = co.race_odds(position)
        assert race.places is not None
        assert race.places.sum(axis=0) == pytest.approx(np.ones(5), abs=1e-12)
        assert race.places.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-12)
        assert race.places.min() >= 0
        leg = co.leg_odds(position)
        assert race.race_ends == leg.race_ends
        assert race.legs is not None
        assert race.legs >= 1


def test_renaming_camels_renames_the_odds() -> None:
    names = str.maketrans("bygow", "owbyg")
    for position in some_positions(40, 2):
        renamed = co.Position(
            co.FIRST,
            {space: camels.translate(names) for space, camels in position.stacks.items()},
            position.tiles,
            position.dice.translate(names),
        )
        race, other = co.race_odds(position), co.race_odds(renamed)
        for camel in position.edition.racing:
            assert other.winner[camel.translate(names)] == pytest.approx(
                race.winner[camel], abs=1e-13
            )
            assert other.last[camel.translate(names)] == pytest.approx(race.last[camel], abs=1e-13)
        assert other.legs == pytest.approx(race.legs, abs=1e-12)


def test_table_is_the_mean_of_its_leg() -> None:
    """A full pyramid is looked up at once; with a tile out of reach it is enumerated."""
    for position in some_positions(200, 3):
        if position.leg_over or max(position.stacks) > 12:
            continue
        fresh = co.Position(co.FIRST, position.stacks)
        with_tile = co.Position(co.FIRST, position.stacks, {})
        free = [s for s in range(2, min(position.stacks)) if s not in position.stacks]
        if free:
            with_tile = co.Position(co.FIRST, position.stacks, {free[0]: -1})
        table, enumerated = co.race_odds(fresh), co.race_odds(with_tile)
        assert table.winner == pytest.approx(enumerated.winner, abs=1e-13)
        assert table.last == pytest.approx(enumerated.last, abs=1e-13)
        assert table.legs == pytest.approx(enumerated.legs, abs=1e-12)


def test_batch_is_leg_and_race_at_once() -> None:
    table = race_table(co.FIRST)
    position = co.Position.parse("3:ob 4:g 6:y 7:w dice=bgw", "first")
    placed = [
        co.Position(co.FIRST, position.stacks, {space: sign}, position.dice)
        for space in (5, 8, 9, 10)
        for sign in (1, -1)
    ]
    stacks, plus, minus, _ = zip(*(p.packed for p in placed), strict=True)
    both = leg_and_race_batch(co.FIRST, position.dice, stacks, plus, minus, table)
    alone = leg_and_race_batch(co.FIRST, position.dice, stacks, plus, minus, None)
    assert alone.places == ()
    for i, p in enumerate(placed):
        leg, race = co.leg_odds(p), co.race_odds(p)
        assert both.total == leg.total
        assert np.array_equal(both.weights[i], leg.weights)
        assert np.array_equal(alone.weights[i], leg.weights)
        (space,) = p.tiles
        assert both.landings[i, space + 2] == leg.landing_weights[space]
        assert both.race_ends[i] == leg.race_end_weight
        assert both.winner[i].tolist() == list(race.winner.values())
        assert both.last[i].tolist() == list(race.last.values())
        assert both.legs[i] == race.legs


def test_wrong_arguments() -> None:
    with pytest.raises(co.OptionError) as caught:
        co.race_odds("1:bygow", method="guess")  # type: ignore[arg-type]
    assert len(caught.value.problems) == 2


def test_result_shows_itself() -> None:
    race = co.race_odds(co.Position.parse("1:gyo 3:bw", "first"))
    data = json.loads(race.to_json())
    assert {"winner", "last", "places", "legs", "race_ends", "method", "error"} <= set(data)
    assert data["winner"] == race.winner
    assert data["places"]["w"][0] == race.winner["w"]
    for shown in (str(race), race._repr_html_()):
        assert "Tiles act in this leg only; none is placed or moved later." in shown
        assert f"{race.winner['w']:.1%}" in shown
    assert race == co.race_odds(race.position)
    assert race != co.race_odds(co.Position.parse("1:gyo 3:wb", "first"))


def test_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from camelodds.cli import main

    assert main(["race", "1:gyo 3:bw", "--json"]) == 0
    race = co.race_odds(co.Position.parse("1:gyo 3:bw", "first"))
    assert json.loads(capsys.readouterr().out) == race.to_dict()
    assert main(["race", "1:gyo", "3:bw", "--edition", "first"]) == 0
    assert str(race) in capsys.readouterr().out
    assert main(["race", "1:gyo 3:bw", "--method", "guess"]) == 2
    assert "no such method" in capsys.readouterr().err


@pytest.mark.nojit
def test_short_track_against_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way from the rows to the odds on a track of four spaces."""
    monkeypatch.setattr(naive, "LAST_SPACE", 4)
    short = co.FIRST.with_options(spaces=4)
    seen: dict[str, naive_races.Value] = {}
    for text in ["2:bygow 4+ dice=bg", "3:gy 4:obw dice=w", "1:b 4:wgyo"]:
        reference = naive_races.race(naive.parse(text, "first"), seen)
        race = co.race_odds(co.Position.parse(text, short))
        for camel in race.camels:
            assert race.winner[camel] == pytest.approx(float(reference.winner(camel)), abs=1e-13)
            assert race.last[camel] == pytest.approx(float(reference.last(camel)), abs=1e-13)
        assert race.legs == pytest.approx(float(reference.legs), abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "1:gyo 3:bw",
        "1:bygow",
        "3:ob 4:g 6:y 7:w 5- 8+",
        "1:w 3:yob 4:g 8- 11- dice=bowy",
        "10:y 11:wgb 12:o dice=w",
        "12:b 13:ow 14:y 15:g 16-",
    ],
)
def test_simulated_races(text: str) -> None:
    race = co.race_odds(co.Position.parse(text, "first"))
    simulated = simulate(text, "first", 3_000_000, seed=len(text))
    assert simulated.farthest(dict(race.winner), dict(race.last)) < 4
    assert race.legs is not None
    assert abs(simulated.legs - race.legs) < 4 * simulated.legs_error
