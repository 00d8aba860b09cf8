"""Exact batches on one thread: positions per second, and the share of Python in it."""

from __future__ import annotations

import statistics
import time
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.positions import random_play
from benchmarks.test_legs import SETS, name_of
from camelodds import (
    FIRST,
    Edition,
    LegBatch,
    PackedBatch,
    Position,
    leg_odds_batch,
    pack,
    race_odds_batch,
)
from camelodds.odds import batches

N_POSITIONS = 300


def all_of(batch: LegBatch) -> object:
    """Everything that a batch gives."""
    return batch.places, batch.landings, batch.race_ends


def kernel_share(
    monkeypatch: pytest.MonkeyPatch, given: Any, edition: Edition, repeats: int = 9
) -> tuple[float, float]:
    """Positions per second of the kernel, and the share of all that is not kernel; medians."""
    kernel, spent = batches.exact_legs, [0.0]

    def timed(*arguments: Any) -> Any:
        start = time.thread_time()
        done = kernel(*arguments)
        spent[0] += time.thread_time() - start
        return done

    monkeypatch.setattr(batches, "exact_legs", timed)
    rates, shares = [], []
    for _ in range(repeats):
        spent[0] = 0.0
        start = time.thread_time()
        all_of(leg_odds_batch(given, edition=edition, threads=1))
        whole = time.thread_time() - start
        rates.append(N_POSITIONS / spent[0])
        shares.append(1 - spent[0] / whole)
    monkeypatch.setattr(batches, "exact_legs", kernel)
    return statistics.median(rates), statistics.median(shares)


@pytest.mark.parametrize(("edition", "tiles"), SETS, ids=name_of)
def test_leg_batch(
    benchmark: BenchmarkFixture,
    monkeypatch: pytest.MonkeyPatch,
    edition: Edition,
    tiles: tuple[int, int],
) -> None:
    """Full pyramids, random-play positions, as packed arrays and as a list."""
    positions: list[Position] = random_play(edition, N_POSITIONS, tiles=tiles)
    packed: PackedBatch = pack(positions)
    benchmark.group = f"exact leg batch of {N_POSITIONS} positions, one thread"
    benchmark(lambda: all_of(leg_odds_batch(packed, edition=edition, threads=1)))
    if not benchmark.disabled:
        for name, given in (("arrays", packed), ("list", positions)):
            per_second, python = kernel_share(monkeypatch, given, edition)
            benchmark.extra_info[f"{name}: positions/s, kernel"] = round(per_second)
            benchmark.extra_info[f"{name}: share of Python"] = round(python, 4)


def test_race_batch(benchmark: BenchmarkFixture) -> None:
    """First edition, this leg with tiles enumerated, the race table behind it."""
    packed = pack(random_play(FIRST, N_POSITIONS, tiles=(2, 4)))
    race_odds_batch(packed, edition=FIRST, threads=1)
    benchmark.group = f"race batch of {N_POSITIONS} positions, one thread"
    benchmark(lambda: race_odds_batch(packed, edition=FIRST, threads=1))
    if not benchmark.disabled:
        start = time.thread_time()
        race_odds_batch(packed, edition=FIRST, threads=1)
        per_second = N_POSITIONS / (time.thread_time() - start)
        benchmark.extra_info["positions/s"] = round(per_second)
