"""Sampled races, whole ones and tails, against exact race odds."""

from __future__ import annotations

import json
import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from benchmarks.positions import random_play
from camelodds import FIRST, SECOND, OptionError, Position, RaceOdds, leg_odds, race_odds
from camelodds.kernels.sampling import ROWS, finish_races
from camelodds.odds.sampled_races import CHUNK, first_leg
from camelodds.odds.sampling import words_of
from camelodds.position import stacks_of
from tests.strategies import positions

CASES = json.loads((Path(__file__).parent / "data/cases/races.json").read_text())
METHODS = pytest.mark.parametrize("method", ["sample", "tail"])

MIDDLE = Position.parse("5:by 6:o 8:w 9:g 2+ 4- 10+ 12- dice=og", edition=FIRST)
LATE = Position.parse("9:gyo 11:b 12:w 14-", edition=FIRST)
GREY = Position.parse("1:rW 5:y 7:gK 9:p 10:b 2- 11+ dice=bgr*", edition=SECOND)


def farthest(race: RaceOdds, winner: dict[str, float], last: dict[str, float]) -> float:
    """The largest difference from exact odds, in standard errors."""
    assert race.n
    off = [0.0]
    for camel in race.camels:
        for exact, found, se in (
            (winner[camel], race.winner[camel], (race.winner_se or {})[camel]),
            (last[camel], race.last[camel], (race.last_se or {})[camel]),
        ):
            # Of a rare event hardly any sample tells the error; exact odds are rounded to 1e-5.
            floor = math.sqrt(exact * (1 - exact) / race.n)
            off.append(abs(found - exact) / (max(se, floor) + 3e-6))
    return max(off)


@METHODS
def test_first_edition_against_the_table(method: str) -> None:
    places = random_play(FIRST, 4, tiles=(0, 4), seed=3)
    for seed, position in enumerate([MIDDLE, LATE, *places]):
        exact = race_odds(position)
        race = race_odds(position, method, n=400_000, seed=seed)
        assert farthest(race, dict(exact.winner), dict(exact.last)) < 4.5
        assert race.legs is not None
        assert exact.legs is not None
        assert abs(race.legs - exact.legs) <= 4.5 * race.standard_errors["legs"] + 1e-12
        assert abs(race.race_ends - exact.race_ends) <= 4.5 * race.standard_errors["race_ends"]
        assert race.places is not None
        assert exact.places is not None
        off = np.abs(race.places - exact.places)
        assert (off <= 5 * race.standard_errors["places"] + 1e-5).all()


@METHODS
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases(method: str, case: dict[str, Any]) -> None:
    position = Position.parse(case["position"], edition=case["edition"])
    race = race_odds(position, method, n=200_000, seed=1)
    assert farthest(race, case["winner"], case["last"]) < 4.5


@pytest.mark.slow
@METHODS
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases_at_10_million(method: str, case: dict[str, Any]) -> None:
    position = Position.parse(case["position"], edition=case["edition"])
    race = race_odds(position, method, n=10_000_000, seed=2)
    assert farthest(race, case["winner"], case["last"]) < 4.5
    if "legs" in case:
        assert race.legs == pytest.approx(case["legs"], abs=5 * race.standard_errors["legs"] + 1e-9)


def test_both_ways_agree_in_the_second_edition() -> None:
    whole, tail = (race_odds(GREY, m, n=1_000_000, seed=1) for m in ("sample", "tail"))
    assert whole.places is not None
    assert tail.places is not None
    variance = whole.standard_errors["places"] ** 2 + tail.standard_errors["places"] ** 2
    assert (np.abs(whole.places - tail.places) < 4.5 * np.sqrt(variance) + 1e-5).all()
    assert whole.legs == pytest.approx(tail.legs, abs=6 * whole.standard_errors["legs"])
    assert tail.race_ends == leg_odds(GREY).race_ends


@METHODS
@pytest.mark.parametrize("position", [LATE, GREY], ids=str)
def test_standard_errors_are_those_of_many_seeds(method: str, position: Position) -> None:
    """True ones: those of a tail are smaller than the binomial ones."""
    n = 400
    runs = [race_odds(position, method, n=n, seed=seed) for seed in range(400)]

    def told(name: str) -> Any:
        return np.sqrt(np.mean([np.square(run.standard_errors[name]) for run in runs], axis=0))

    seen = np.std([run.places for run in runs], axis=0)
    assert np.allclose(seen, told("places"), rtol=0.15, atol=4e-4)
    assert np.std([run.legs for run in runs]) == pytest.approx(told("legs"), rel=0.15)
    outcomes = np.std([run.counts / n for run in runs if run.counts is not None], axis=0)
    assert np.allclose(outcomes, told("outcomes"), rtol=0.5, atol=1e-3)
    mean = np.mean([run.places for run in runs], axis=0)
    binomial = np.sqrt(mean * (1 - mean) / n)
    if method == "tail" and position is LATE:
        assert (told("places") < 0.95 * binomial)[mean > 0.02].all()
    if method == "sample":
        assert np.allclose(told("places"), binomial, rtol=0.02, atol=1e-4)


def test_intervals_cover_as_often_as_they_say() -> None:
    exact = race_odds(LATE)
    covered = legs = 0
    for seed in range(200):
        race = race_odds(LATE, "tail", n=1000, seed=seed)
        intervals = race.intervals(0.95)
        low, high = intervals["places"][1, 0]
        covered += low <= exact.winner["y"] <= high
        low, high = intervals["legs"]
        legs += low <= (exact.legs or 0) <= high
    assert 178 <= covered <= 200
    assert 178 <= legs <= 200


@given(positions(most_dice=3))
@settings(max_examples=30)
def test_ends_of_the_first_leg_are_all_of_it(position: Position) -> None:
    if position.race_over:
        return
    ends, leg = first_leg(position), leg_odds(position)
    assert ends.weights.sum() == ends.total
    assert ends.race_ends * leg.total == leg.race_end_weight * ends.total
    weights = dict.fromkeys(position.edition.outcome_names, 0)
    for start, weight in zip(ends.starts.tolist(), ends.weights.tolist(), strict=True):
        if start < 0:
            weights[position.edition.outcome_names[-1 - start]] += weight
        else:
            stacks = stacks_of(position.edition, start)
            weights[Position(position.edition, stacks, {}, "").outcome] += weight
    expected = leg.weights * (ends.total // leg.total)
    assert list(weights.values()) == expected.tolist()


@pytest.mark.nojit
def test_every_race_that_begins_is_ended() -> None:
    """More races than rows, some over before they begin."""
    stack = Position.parse("14:wy 15:o 16:bg", edition=FIRST).packed.stack
    starts = np.full(ROWS + 20, stack)
    starts[5::7] = -1 - 119
    legs = np.zeros(len(starts), dtype=np.int64)
    dice = FIRST.bag_of_dice("bygow")
    finish_races(starts, FIRST.rules, dice, 5, 0, words_of(1, 0, ROWS), legs)
    assert (starts[5::7] == 119).all()
    assert not legs[5::7].any()
    going = np.ones(len(starts), dtype=bool)
    going[5::7] = False
    assert (legs[going] == 1).all()
    winners = {FIRST.outcome_names[end][0] for end in starts[going].tolist()}
    assert winners == set("gyow")


@METHODS
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(method: str, threads: int) -> None:
    n = 4 * CHUNK + 3
    with ThreadPoolExecutor(threads) as pool:
        race = race_odds(GREY, method, n=n, seed=5, executor=pool)
    assert race == race_odds(GREY, method, n=n, seed=5)


def test_processes_change_nothing() -> None:
    n = 5 * CHUNK + 3
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for method in ("sample", "tail"):
            race = race_odds(LATE, method, n=n, seed=5, executor=pool)
            assert race == race_odds(LATE, method, n=n, seed=5)


@METHODS
@pytest.mark.parametrize("n", [0, 1, 2, 3, CHUNK - 1, CHUNK, CHUNK + 1])
def test_chunk_boundaries(method: str, n: int) -> None:
    race = race_odds(LATE, method, n=n, seed=5)
    assert race.counts is not None
    assert race.n == race.counts.sum() == n
    if n == 0:
        assert math.isnan(race.winner["b"])
        assert "unknown" in str(race)
        assert json.loads(race.to_json())["legs"] is None
        assert race.intervals()["places"].tolist() == [[[0, 1]] * 5] * 5


@METHODS
def test_until_a_standard_error(method: str) -> None:
    race = race_odds(GREY, method, until=0.002, seed=3)
    assert race.error == race.standard_errors["places"].max() <= 0.002
    assert race.n == CHUNK


def test_auto_without_a_table_samples_tails_and_says_so(tmp_path: Path) -> None:
    race = race_odds(GREY, folder=tmp_path, seed=4)
    assert (race.method, race.exact_leg) == ("sampled", True)
    assert race.error <= 0.001
    assert race == race_odds(GREY, folder=tmp_path, seed=4, until=0.001)
    assert "camelodds tables build second" in str(race)
    assert "camelodds tables build second" in race.to_dict()["note"]
    decided = Position.parse("8:WK 16:rybpg", edition=SECOND)
    assert race_odds(decided, folder=tmp_path).method == "exact"
    assert race_odds(decided, folder=tmp_path).winner == leg_odds(decided).first
    with pytest.raises(OptionError, match="tables build second"):
        race_odds(GREY, "table", folder=tmp_path)


@METHODS
def test_nothing_is_shown_without_its_error(method: str) -> None:
    race = race_odds(GREY, method, n=10_000, seed=1)
    text = str(race)
    # Five places, the legs, the note; and the end of the race where it is sampled.
    assert text.count("±") == 25 + 2 + (method == "sample")
    assert f"{race.method}, n = 10,000, seed 1" in text
    data = json.loads(race.to_json())
    assert data["n"] == sum(data["counts"].values()) == 10_000
    assert set(data["standard_errors"]) == {"places", "legs", "race_ends"}
    assert data["winner_se"]["b"] == data["standard_errors"]["places"]["b"][0]


def test_finished_race_is_certain_whatever_the_method() -> None:
    over = Position.parse("3:b 5:y 7:g 17:ow", edition=FIRST)
    assert race_odds(over, "sample", n=10) == race_odds(over)
    assert race_odds(over, "tail", n=10) == race_odds(over)


def test_exact_odds_take_no_samples_and_have_no_error() -> None:
    for method in ("exact", "table"):
        with pytest.raises(OptionError, match="no meaning"):
            race_odds(MIDDLE, method, n=100)
    exact = race_odds(MIDDLE)
    assert not exact.sampled
    assert not exact.standard_errors["places"].any()
    with pytest.raises(OptionError, match="not sampled"):
        exact.intervals()
    with pytest.raises(OptionError) as caught:
        race_odds("3:ob", "guess", n=-1, seed=0.5)  # type: ignore[arg-type]
    assert len(caught.value.problems) == 4
