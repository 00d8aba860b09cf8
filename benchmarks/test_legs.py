"""Exact leg odds: the kernel against plain recursion, the public call, imports, first calls."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.positions import random_play
from benchmarks.recursion import recursive_leg
from benchmarks.timing import in_turn, summary
from camelodds import FIRST, SECOND, Edition, Position, leg_odds
from camelodds.kernels.bag import GREY
from camelodds.kernels.legs import exact_leg
from camelodds.odds.legs import POOL, SLOTS

N_POSITIONS = 120
SETS = [(FIRST, (0, 0)), (FIRST, (2, 4)), (SECOND, (0, 0)), (SECOND, (2, 4))]


def name_of(value: object) -> str:
    return "tiles" if value == (2, 4) else "no tiles" if value == (0, 0) else str(value)


def arguments(position: Position) -> dict[str, tuple[Any, ...]]:
    edition, packed = position.edition, position.packed
    graph = edition.bag(position.dice)
    outcomes = edition.outcome_of_order
    actors = (GREY if die == "*" else edition.lane_of[die] for die in position.dice)
    left = sum(1 << actor for actor in actors)
    shared = (packed.stack, packed.plus, packed.minus, edition.rules)
    return {
        "kernel": (*shared, graph.nodes, graph.inner, graph.last, outcomes, 120, POOL, SLOTS),
        "recursion": (*shared, left, edition.staying, outcomes, 120),
    }


@pytest.mark.parametrize(("edition", "tiles"), SETS, ids=name_of)
def test_full_leg(benchmark: BenchmarkFixture, edition: Edition, tiles: tuple[int, int]) -> None:
    """The kernel over random-play positions; beside it the recursion and the public call."""
    positions = random_play(edition, N_POSITIONS, tiles=tiles)
    prepared = [arguments(position) for position in positions]
    for one in prepared:
        merged, plain = exact_leg(*one["kernel"]), recursive_leg(*one["recursion"])
        assert np.array_equal(merged[:120], plain)
    benchmark.group = "full leg, kernel, all positions"
    benchmark(lambda: [exact_leg(*one["kernel"]) for one in prepared])
    if not benchmark.disabled:
        times = in_turn(
            {
                "kernel": lambda i: exact_leg(*prepared[i]["kernel"]),
                "recursion": lambda i: recursive_leg(*prepared[i]["recursion"]),
                "leg_odds": lambda i: leg_odds(positions[i]),
            },
            range(N_POSITIONS),
        )
        ratio = np.array(times["recursion"]) / np.array(times["kernel"])
        benchmark.extra_info.update(
            summary(times), positions=N_POSITIONS, ratio=round(float(np.median(ratio)), 2)
        )


def seconds(code: str, **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | environment)
    return time.perf_counter() - start


def test_import(benchmark: BenchmarkFixture) -> None:
    """What the package adds to importing numpy and numba, in new processes."""
    benchmark.group = "import"
    benchmark.pedantic(partial(seconds, "import camelodds"), rounds=1)
    if not benchmark.disabled:
        ours, others = [], []
        for _ in range(9):
            others.append(seconds("import numpy, numba"))
            ours.append(seconds("import numpy, numba, camelodds"))
        added = statistics.median(ours) - statistics.median(others)
        benchmark.extra_info["added seconds"] = round(added, 4)


def test_first_call(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """A whole process with one leg, on an empty and on a filled compile cache."""
    code = (
        "import camelodds as co;"
        "co.leg_odds(co.Position.parse('3:ob 4:g 6:y 7:w 5- 8+', edition=co.FIRST))"
    )
    benchmark.group = "first call"
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    empty = seconds(code, **cache)
    benchmark.pedantic(partial(seconds, code, **cache), rounds=5)
    benchmark.extra_info["empty cache seconds"] = round(empty, 2)
    if not benchmark.disabled:
        benchmark.extra_info["warm seconds"] = round(benchmark.stats.stats.median, 3)
