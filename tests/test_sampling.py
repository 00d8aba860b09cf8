"""Sampling against exact odds; seeds, chunks, workers; refused values."""

from __future__ import annotations

import json
import math
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2

import camelodds as co
from benchmarks.positions import random_play
from camelodds import FIRST, SECOND, LegOdds, OptionError, Position, leg_odds
from camelodds.kernels.board import COLUMNS, LANDED
from camelodds.kernels.legs import single_move
from camelodds.kernels.sampling import (
    N_COUNTS,
    ROWS,
    SQUARES,
    TALLY,
    grey_moves,
    move_drawn,
)
from camelodds.kernels.stacks import CRAZY, LANE, SHIFT, grey_mover
from camelodds.odds.legs import dice_leg
from camelodds.odds.sampling import CHUNK, read_plan, run_chunks, words_of
from tests.sampled_bags import sample_bag
from tests.strategies import positions

BOTH = pytest.mark.parametrize("edition", [FIRST, SECOND], ids=str)

TILES = Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition=FIRST)
FINISH = Position.parse("12:y 14:r 15:bW 16:Kpg 10- 13+", edition=SECOND)
REVERSE = Position.parse("1:rWb 3:gK 5:y 6:p 2- 4+ 8-", edition=SECOND)


def same(a: LegOdds, b: LegOdds) -> bool:
    return a == b and a.standard_errors["landings"] == b.standard_errors["landings"]


def farthest(sampled: LegOdds, exact: LegOdds) -> float:
    """The largest difference of the two, in standard errors of the exact odds."""
    n = sampled.total
    p, q = exact.places, sampled.places
    error = np.sqrt(p * (1 - p) / n)
    assert np.array_equal(q[error == 0], p[error == 0])
    far = np.abs(q - p)[error > 0] / error[error > 0]
    others = [0.0]
    ends = exact.race_ends
    if 0 < ends < 1:
        others.append(abs(sampled.race_ends - ends) / math.sqrt(ends * (1 - ends) / n))
    else:
        assert sampled.race_ends == ends
    for space, mean in exact.landings.items():
        if sampled.landings[space] != mean:
            error_here = sampled.standard_errors["landings"][space]
            others.append(abs(sampled.landings[space] - mean) / error_here)
    return float(max([*far.tolist(), *others]))


# The lockstep pieces, one by one.


@given(positions(SECOND), st.sampled_from([CRAZY, CRAZY + 1]))
def test_S4_grey_moves_as_the_scalar_rule(position: Position, colour: int) -> None:
    mover = int(grey_mover(position.packed.stack, colour))
    assert grey_moves(position.packed.stack, colour) == (-1 - mover if mover < 0 else mover)


@given(positions())
def test_moves_in_lockstep_are_the_one_move(position: Position) -> None:
    """Each camel of each face, on tiles and over the lines (M1-M4, F6, S3, S5, S6)."""
    edition, packed = position.edition, position.packed
    n_camels = len(edition.camels)
    stacks = np.full(ROWS, packed.stack)
    drawn = np.array([i % n_camels | i // n_camels % 3 << 3 for i in range(ROWS)])
    landed = np.zeros(ROWS, dtype=np.int64)
    goal, floor = int(edition.rules[0]), int(edition.rules[1])
    move_drawn(stacks, drawn, landed, packed.plus, packed.minus, LANE * (n_camels - 1), goal, floor)
    for i in range(3 * n_camels):
        number = edition.lane_of[edition.camels[i % n_camels]]
        after, moved, pips, entry = single_move(
            packed.stack, packed.plus, packed.minus, edition.rules, number, i // n_camels + 1
        )
        if moved != number:
            continue  # a grey roll of this colour moves the other one (S4)
        assert int(stacks[i]) == after
        assert int(landed[i]) == (1 << TALLY * (pips >> 1) if entry & LANDED else 0)


@pytest.mark.nojit
def test_no_camel_moves_after_the_race_F11() -> None:
    position = Position.parse("3:b 5:y 7:g 17:ow", edition=FIRST)
    stacks = np.full(ROWS, position.packed.stack)
    landed = np.zeros(ROWS, dtype=np.int64)
    move_drawn(stacks, np.zeros(ROWS, dtype=np.int64), landed, 1 << 6, 0, 4 * LANE, 19, 3)
    assert (stacks == position.packed.stack).all()
    assert not landed.any()


@pytest.mark.nojit
@pytest.mark.parametrize("position", [TILES, FINISH, REVERSE], ids=str)
def test_one_row_of_legs(position: Position) -> None:
    """Without compilation too: what comes has a weight, and sums are whole."""
    sampled, exact = leg_odds(position, method="sample", n=ROWS, seed=4), leg_odds(position)
    assert sampled.weights.sum() == sampled.total == ROWS
    assert (exact.weights[sampled.weights > 0] > 0).all()
    for space, mean in exact.landings.items():
        assert (sampled.landing_weights[space] > 0) <= (mean > 0)


@pytest.mark.nojit
def test_a_seed_gives_these_numbers() -> None:
    """Compiled or not, and tomorrow."""
    leg = leg_odds(REVERSE, method="sample", n=150, seed=11)
    assert leg.place_weights[:, 0].tolist() == [9, 33, 22, 4, 82]
    assert dict(leg.landing_weights) == {2: 82, 4: 81, 8: 61}
    assert leg.race_end_weight == 81


# Against the exact odds.


@BOTH
@pytest.mark.parametrize("tiles", [(0, 0), (2, 4)], ids=["no tiles", "tiles"])
def test_within_four_standard_errors(edition: co.Edition, tiles: tuple[int, int]) -> None:
    for seed, position in enumerate(random_play(edition, 4, tiles=tiles, seed=1)):
        sampled = leg_odds(position, method="sample", n=1_000_000, seed=seed)
        assert farthest(sampled, leg_odds(position)) < 4


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("tiles", [(0, 0), (2, 4)], ids=["no tiles", "tiles"])
def test_within_four_standard_errors_at_10_million(
    edition: co.Edition, tiles: tuple[int, int]
) -> None:
    for seed, position in enumerate(random_play(edition, 25, tiles=tiles, seed=2)):
        sampled = leg_odds(position, method="sample", n=10_000_000, seed=seed)
        assert farthest(sampled, leg_odds(position)) < 4
        rows = sampled.standard_errors["places"]
        assert np.allclose(rows, np.sqrt(sampled.places * (1 - sampled.places) / 10**7))


@pytest.mark.parametrize("position", [TILES, FINISH, REVERSE], ids=str)
def test_outcomes_follow_their_weights(position: Position) -> None:
    n = 4_000_000
    exact = leg_odds(position)
    counts = leg_odds(position, method="sample", n=n, seed=2).weights
    expected = n * exact.weights / exact.total
    assert not counts[expected == 0].any()
    seen = expected > 5
    statistic = float(((counts - expected)[seen] ** 2 / expected[seen]).sum())
    assert 1e-4 < chi2.sf(statistic, seen.sum() - 1) < 1 - 1e-4


@pytest.mark.parametrize("position", [TILES, FINISH, REVERSE], ids=str)
def test_any_bag_gives_the_same_odds(position: Position) -> None:
    """The scalar sampler, which decks use as well, over the bag of dice."""
    edition, packed, n = position.edition, position.packed, 300_000
    items = np.array([item[:5] for item in edition.items(position.dice)])
    result = sample_bag(
        packed.stack,
        packed.plus,
        packed.minus,
        edition.rules,
        items,
        np.array([len(position.dice) - edition.staying]),
        edition.outcome_of_order,
        120,
        n,
        words_of(3, 0, 1),
    )
    assert result[:120].sum() == n
    counts = result[120:]
    sampled = LegOdds(
        position,
        result[:120].copy(),
        n,
        {space: int(counts[space + SHIFT]) for space in position.tiles},
        int(counts[COLUMNS]),
        "sampled",
        3,
        {space: int(counts[SQUARES + space + SHIFT]) for space in position.tiles},
    )
    assert farthest(sampled, leg_odds(position)) < 4


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_intervals_cover_as_often_as_they_say(confidence: float) -> None:
    exact = leg_odds(TILES)
    covered = landings = 0
    for seed in range(200):
        sampled = leg_odds(TILES, method="sample", n=2_000, seed=seed)
        low, high = sampled.interval("w", 1, confidence)
        covered += low <= exact.first["w"] <= high
        low, high = sampled.intervals(confidence)["landings"][8]
        landings += low <= exact.landings[8] <= high
    error = math.sqrt(200 * confidence * (1 - confidence))
    assert abs(covered - 200 * confidence) < 3 * error
    assert abs(landings - 200 * confidence) < 3 * error


def test_intervals_are_those_of_scipy() -> None:
    sampled = leg_odds(FINISH, method="sample", n=500, seed=1)
    intervals = sampled.intervals(0.9)
    for row, column in np.ndindex(5, 5):
        result = binomtest(int(sampled.place_weights[row, column]), 500)
        expected = result.proportion_ci(0.9, method="wilson")
        assert intervals["places"][row, column].tolist() == pytest.approx([*expected], abs=1e-12)
    expected = binomtest(sampled.race_end_weight, 500).proportion_ci(0.9, method="wilson")
    assert intervals["race_ends"] == pytest.approx([*expected], abs=1e-12)
    assert intervals["outcomes"].shape == (120, 2)
    assert intervals["joint"].shape == (5, 5, 2)


def test_standard_errors_are_those_of_many_seeds() -> None:
    """Of places, pairs, tickets, landings and the end of the race, within their own error."""
    runs = [leg_odds(FINISH, method="sample", n=1_000, seed=seed) for seed in range(400)]
    some = runs[0]
    for seen, told in [
        ([run.places for run in runs], some.standard_errors["places"]),
        ([run.joint for run in runs], some.standard_errors["joint"]),
        ([run.race_ends for run in runs], some.standard_errors["race_ends"]),
        ([[*run.landings.values()] for run in runs], [*some.standard_errors["landings"].values()]),
        ([[*run.ticket(5).values()] for run in runs], [*some.ticket_errors(5).values()]),
    ]:
        spread = np.std(np.array(seen), axis=0)
        assert np.allclose(spread, told, rtol=0.25, atol=2e-3)


# Seeds, chunks and workers.


def reference(n: int, seed: int) -> LegOdds:
    return leg_odds(TILES, method="sample", n=n, seed=seed, executor=None)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(threads: int) -> None:
    n = 5 * CHUNK + 1
    with ThreadPoolExecutor(threads) as pool:
        assert same(leg_odds(TILES, method="sample", n=n, seed=9, executor=pool), reference(n, 9))


def test_processes_change_nothing() -> None:
    n = 9 * CHUNK + 17
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(leg_odds(TILES, method="sample", n=n, seed=5, executor=pool), reference(n, 5))


@pytest.mark.slow
def test_a_cluster_changes_nothing() -> None:
    distributed = pytest.importorskip("distributed")
    n = 20 * CHUNK + 3
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        ) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as pool,
    ):
        assert same(leg_odds(TILES, method="sample", n=n, seed=8, executor=pool), reference(n, 8))


def test_many_callers_at_once() -> None:
    expected = [reference(CHUNK + i, i) for i in range(8)]
    found: list[Any] = [None] * 8

    def call(i: int) -> None:
        found[i] = reference(CHUNK + i, i)

    threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(same(a, b) for a, b in zip(expected, found, strict=True))


@pytest.mark.parametrize("n", [0, 1, ROWS - 1, ROWS + 1, CHUNK - 1, CHUNK, CHUNK + 1])
def test_chunk_boundaries(n: int) -> None:
    leg = reference(n, 3)
    assert leg.total == leg.n == int(leg.weights.sum()) == n
    assert all(leg.place_weights.sum(axis=0) == n)
    packed, whole = TILES.packed, np.zeros(120 + N_COUNTS, dtype=np.int64)
    for chunk, start in enumerate(range(0, n, CHUNK)):
        size = min(CHUNK, n - start)
        words = words_of(3, chunk, ROWS)
        dice = FIRST.bag_of_dice("bygow")
        whole += dice_leg(*packed[:3], FIRST.rules, dice, 5, 0, words, size)
    assert np.array_equal(leg.weights, whole[:120])


def test_without_samples_nothing_is_known() -> None:
    leg = reference(0, 3)
    assert np.isnan(leg.places).all()
    assert np.isnan(leg.standard_errors["places"]).all()
    assert math.isnan(leg.race_ends)
    assert leg.interval("w", 1) == (0, 1)
    assert "unknown" in str(leg)
    assert "unknown" in leg._repr_html_()
    assert json.loads(leg.to_json())["places"]["w"] == [None] * 5


def test_a_seed_is_drawn_and_told() -> None:
    first, second = (leg_odds(TILES, method="sample", n=1_000) for _ in range(2))
    assert first.seed is not None
    assert first.seed != second.seed
    assert same(first, leg_odds(TILES, method="sample", n=1_000, seed=first.seed))
    assert not same(first, second)


def test_until_a_standard_error() -> None:
    leg = leg_odds(TILES, method="sample", until=0.001, seed=1)
    assert leg.standard_errors["places"].max() <= 0.001
    assert leg.total == 2 * CHUNK
    with ThreadPoolExecutor(3) as pool:
        again = leg_odds(TILES, method="sample", until=0.001, seed=1, executor=pool)
    assert same(leg, again)


def test_progress_is_told_in_order() -> None:
    told: list[tuple[int, int]] = []
    n = 3 * CHUNK + 5
    leg_odds(TILES, method="sample", n=n, progress=lambda done, total: told.append((done, total)))
    assert told == [(CHUNK, n), (2 * CHUNK, n), (3 * CHUNK, n), (n, n)]
    told.clear()
    leg_odds(
        TILES,
        method="sample",
        until=0.0007,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told[-1][0] == told[-1][1]
    assert all(done < total for done, total in told[:-1])


def test_an_interrupt_stops_within_a_chunk() -> None:
    played = []

    def chunk(words: Any, n: int) -> Any:
        played.append(n)
        return np.zeros(1, dtype=np.int64)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    for executor in (None, ThreadPoolExecutor(2)):
        plan, _ = read_plan(n=10_000 * CHUNK, seed=1, executor=executor, progress=interrupt)
        assert plan is not None
        with pytest.raises(KeyboardInterrupt):
            run_chunks(chunk, plan, size=1)
        if executor is not None:
            executor.shutdown()
    assert len(played) < 100


def test_a_fault_in_a_worker_is_raised() -> None:
    def chunk(words: Any, n: int) -> Any:
        raise RuntimeError("out of camels")

    plan, _ = read_plan(n=10 * CHUNK, seed=1)
    assert plan is not None
    with pytest.raises(RuntimeError, match="out of camels"):
        run_chunks(chunk, plan, size=1)


# What is refused.


@pytest.mark.parametrize(
    "options",
    [
        {"n": -1},
        {"n": 1.5},
        {"n": 10**13 + 1},
        {"n": 10**400},
        {"n": math.inf},
        {"n": math.nan},
        {"n": "1000"},
        {"n": True},
        {"seed": -1},
        {"seed": 0.5},
        {"seed": "1"},
        {"until": 0},
        {"until": -0.1},
        {"until": 1},
        {"until": 1e-9},
        {"until": math.nan},
        {"until": "0.1"},
        {"n": 10, "until": 0.1},
        {"executor": 4},
        {"progress": 3},
    ],
    ids=str,
)
def test_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        leg_odds(TILES, method="sample", **options)
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].tip


def test_all_faults_at_once() -> None:
    with pytest.raises(OptionError) as caught:
        leg_odds("3:ob", method="guess", n=-1, seed=-1, executor=1)  # type: ignore[arg-type]
    assert len(caught.value.problems) == 5


def test_exact_odds_take_no_samples() -> None:
    with pytest.raises(OptionError, match="no meaning"):
        leg_odds(TILES, method="exact", n=100)


def test_whole_numbers_of_any_type() -> None:
    a = leg_odds(TILES, method="sample", n=1e3, seed=np.int64(4))  # type: ignore[arg-type]
    assert same(a, leg_odds(TILES, method="sample", n=1000, seed=4))


def test_sampled_odds_have_no_fractions() -> None:
    leg = leg_odds(TILES, method="sample", n=100, seed=1)
    for ask in (
        partial(leg.fraction, "w", 1),
        partial(leg.landing_fraction, 8),
        partial(leg.ticket_fraction, "w", 5),
        lambda: leg.race_ends_fraction,
    ):
        with pytest.raises(OptionError, match="no exact fraction"):
            ask()


# How it is shown.


def test_nothing_is_shown_without_its_error() -> None:
    leg = leg_odds(FINISH, method="sample", n=10_000, seed=1)
    text, html = str(leg), leg._repr_html_()
    assert "sampled, n = 10,000, seed 1" in text
    assert "sampled, n = 10,000, seed 1" in html
    assert text.count("±") == 5 * 8 + 2 + 2  # a table, two tiles, the end, the note
    assert html.count("±") == text.count("±")
    assert "±0 " not in text + html


def test_dictionary_of_a_sampled_leg() -> None:
    leg = leg_odds(TILES, method="sample", n=10_000, seed=1)
    data = json.loads(leg.to_json())
    assert (data["method"], data["n"], data["seed"]) == ("sampled", 10_000, 1)
    assert data["places"]["w"] == leg.places[4].tolist()
    errors = data["standard_errors"]
    assert errors["places"]["w"] == leg.standard_errors["places"][4].tolist()
    assert set(errors) == {"places", "landings", "race_ends", "tickets"}
    assert errors["landings"]["8"] == leg.standard_errors["landings"][8]
    assert len(errors["tickets"]["w"]) == 3
    assert "fractions" not in data


def test_exact_odds_have_no_error() -> None:
    leg = leg_odds(TILES)
    assert not leg.sampled
    assert leg.n is None
    assert not leg.standard_errors["places"].any()
    assert set(leg.ticket_errors(5).values()) == {0.0}
    assert leg.interval("w", 1) == (leg.first["w"], leg.first["w"])
    assert leg.intervals()["landings"][8] == (leg.landings[8], leg.landings[8])


def test_confidence_is_checked() -> None:
    leg = leg_odds(TILES, method="sample", n=100, seed=1)
    for confidence in (0, 1, -0.1, True, "95", math.nan):
        with pytest.raises(OptionError, match="confidence"):
            leg.intervals(confidence)  # type: ignore[arg-type]


def test_finished_leg_is_certain_whatever_the_method() -> None:
    over = Position.parse("3:ob 4:g 6:y 7:w dice=", edition=FIRST)
    assert leg_odds(over, method="sample", n=10) == leg_odds(over)
