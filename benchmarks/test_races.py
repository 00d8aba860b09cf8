"""Race odds: building, loading and asking the tables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.positions import random_play
from benchmarks.timing import in_turn, summary
from camelodds import FIRST, SECOND, Edition, race_odds
from camelodds.solving import solve
from camelodds.tables import race_table

N_POSITIONS = 120
SETS = [(FIRST, (0, 0)), (FIRST, (1, 4)), (SECOND, (0, 0)), (SECOND, (1, 4))]


def name_of(value: object) -> str:
    return "tiles" if value == (1, 4) else "no tiles" if value == (0, 0) else str(value)


def test_build_first(benchmark: BenchmarkFixture) -> None:
    """All 15 504 positions with all places, on one thread, after compilation."""
    places = tuple(range(5))
    solve(FIRST.with_options(spaces=4), places)
    benchmark.group = "race table, build"
    benchmark.pedantic(solve, (FIRST, places), rounds=5)
    if not benchmark.disabled:
        benchmark.extra_info["seconds"] = round(benchmark.stats.stats.median, 3)


def test_load_first(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """Loading and checking the table in a new process, the imports left aside."""
    code = (
        "import time, camelodds as co\n"
        "from camelodds.tables import race_table\n"
        "start = time.perf_counter()\n"
        "race_table(co.FIRST)\n"
        "print(1e3 * (time.perf_counter() - start))"
    )
    environment = os.environ | {"CAMELODDS_CACHE": str(tmp_path)}

    def milliseconds() -> float:
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, check=True, capture_output=True
        )
        return float(done.stdout)

    milliseconds()
    benchmark.group = "race table, load"
    times = [milliseconds() for _ in range(1 if benchmark.disabled else 7)]
    benchmark.pedantic(milliseconds, rounds=1)
    benchmark.extra_info["ms"] = round(sorted(times)[len(times) // 2], 1)


@pytest.mark.parametrize(("edition", "tiles"), SETS, ids=name_of)
def test_race_odds(benchmark: BenchmarkFixture, edition: Edition, tiles: tuple[int, int]) -> None:
    """The public call over random-play positions with a full pyramid, the table loaded."""
    if race_table(edition) is None:
        pytest.skip("no race table: camelodds tables build second")
    positions = random_play(edition, N_POSITIONS, tiles=tiles)
    for position in positions:
        race_odds(position)
    benchmark.group = "race odds, all positions"
    benchmark(lambda: [race_odds(position) for position in positions])
    if not benchmark.disabled:
        benchmark.extra_info |= summary(in_turn({"call": race_odds}, positions))
