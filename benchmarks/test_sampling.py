"""Sampling kernels on one thread, samples per second; exact first legs against whole races."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.positions import random_play
from benchmarks.test_legs import name_of
from camelodds import FIRST, SECOND, Edition, Position, race_odds
from camelodds.kernels.rng import next_row
from camelodds.kernels.sampling import ROWS
from camelodds.odds.legs import dice_leg, leg_chunk
from camelodds.odds.sampled_races import races
from camelodds.odds.sampling import words_of
from tests.sampled_bags import sample_bag

N_POSITIONS = 12
SETS = [(FIRST, (0, 0)), (FIRST, (2, 4)), (SECOND, (0, 0)), (SECOND, (2, 4))]
BOTH = pytest.mark.parametrize("edition", [FIRST, SECOND], ids=str)


def rate(calls: Sequence[Callable[[], object]], samples: int, repeats: int = 7) -> float:
    """Median of the millions of samples a second of processor time, over calls and repeats.

    Processor time of this thread, so that others at work do not count.
    """
    rates = []
    for _ in range(repeats):
        for call in calls:
            start = time.thread_time()
            call()
            rates.append(samples / (time.thread_time() - start) / 1e6)
    return round(statistics.median(rates), 1)


@pytest.mark.parametrize(("edition", "tiles"), SETS, ids=name_of)
def test_sampled_leg(benchmark: BenchmarkFixture, edition: Edition, tiles: tuple[int, int]) -> None:
    """Legs with a full pyramid in lockstep, over random-play positions; a chunk of each."""
    chunks = [leg_chunk(position) for position in random_play(edition, N_POSITIONS, tiles=tiles)]
    n = ROWS if benchmark.disabled else 1 << 17
    words = words_of(1, 0, ROWS)
    calls = [lambda chunk=chunk: chunk(words, n) for chunk in chunks]  # type: ignore[misc]
    benchmark.group = "sampled legs, kernel, a chunk of each position"
    benchmark(lambda: [call() for call in calls])
    if not benchmark.disabled:
        benchmark.extra_info["million legs/s"] = rate(calls, n)


@BOTH
def test_sampled_leg_one_by_one(benchmark: BenchmarkFixture, edition: Edition) -> None:
    """The sampler of any bag on the same legs, beside the one in lockstep."""
    n = 10 if benchmark.disabled else 20_000
    calls = []
    for position in random_play(edition, N_POSITIONS):
        packed = position.packed
        items = np.array([item[:5] for item in edition.items(position.dice)])
        draws = np.array([len(position.dice) - edition.staying])
        track = (packed.stack, packed.plus, packed.minus, edition.rules)
        bag = (items, draws, edition.outcome_of_order, 120, n, words_of(1, 0, 1))
        calls.append(lambda track=track, bag=bag: sample_bag(*track, *bag))  # type: ignore[misc]
    benchmark.group = "sampled legs, any bag"
    benchmark(lambda: [call() for call in calls])
    if not benchmark.disabled:
        benchmark.extra_info["million legs/s"] = rate(calls, n)


@BOTH
def test_sampled_race(benchmark: BenchmarkFixture, edition: Edition) -> None:
    """Whole races from random starts, a chunk of each."""
    n = ROWS if benchmark.disabled else 1 << 16
    words = words_of(1, 0, ROWS)
    calls = []
    for seed in range(N_POSITIONS):
        packed = Position.start(edition, seed=seed).packed
        dice = edition.bag_of_dice(edition.dice)
        full = len(edition.dice)
        arguments = (
            *(packed.stack, packed.plus, packed.minus, edition.rules),
            *(dice, full, dice, full, edition.staying),
        )
        calls.append(lambda a=arguments: races(*a, words, n))  # type: ignore[misc]
    benchmark.group = "sampled races, kernel, a chunk of each start"
    benchmark(lambda: [call() for call in calls])
    if not benchmark.disabled:
        benchmark.extra_info["million races/s"] = rate(calls, n)


@BOTH
def test_tails_against_whole_races(benchmark: BenchmarkFixture, edition: Edition) -> None:
    """How much smaller the variance is for as many races when the first leg is enumerated."""
    positions = random_play(edition, 30, seed=9)
    n = 1_000 if benchmark.disabled else 100_000
    benchmark.group = "race odds, this leg enumerated, public call"
    benchmark(lambda: race_odds(positions[0], "tail", n=n, seed=1))
    if not benchmark.disabled:
        gains = []
        for position in positions:
            whole = race_odds(position, "sample", n=n, seed=1).error
            tail = race_odds(position, "tail", n=n, seed=1).error
            gains.append((whole / tail) ** 2 if tail else np.inf)
        benchmark.extra_info["variance ratio, median"] = round(float(np.median(gains)), 2)
        benchmark.extra_info["variance ratio, tenth"] = round(sorted(gains)[-3], 2)


def test_random_numbers(benchmark: BenchmarkFixture) -> None:
    """Random words of streams side by side."""
    state = words_of(1, 0, ROWS)
    row = np.empty(ROWS, dtype=np.int64)
    benchmark.group = "random words"
    benchmark(next_row, state, row)
    if not benchmark.disabled:
        calls = [lambda: [next_row(state, row) for _ in range(1000)]]
        benchmark.extra_info["million words/s"] = rate(calls, 1000 * ROWS)


def test_one_chunk_is_what_the_public_call_plays(benchmark: BenchmarkFixture) -> None:
    """The chunk of a leg as a worker gets it, its random words included."""
    packed = random_play(FIRST, 1)[0].packed
    dice = FIRST.bag_of_dice(FIRST.dice)
    n = ROWS if benchmark.disabled else 1 << 17

    def play() -> object:
        track = (packed.stack, packed.plus, packed.minus, FIRST.rules)
        return dice_leg(*track, dice, 5, 0, words_of(1, 7, ROWS), n)

    benchmark.group = "sampled legs, a chunk with its random words"
    benchmark(play)
    if not benchmark.disabled:
        benchmark.extra_info["million legs/s"] = rate([play], n, repeats=21)
