"""The three positions on which other public programs were timed, see docs/comparison.md."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.timing import in_turn
from camelodds import Position, leg_odds

POSITIONS = {
    "P1": "4:by 5:go 7:w",
    "P1e": "12:by 13:go 15:w",
    "P2": "4:by 5:gr 7:p 9:W 11:K",
}


@pytest.mark.parametrize("name", POSITIONS)
def test_peer_position(benchmark: BenchmarkFixture, name: str) -> None:
    position = Position.parse(POSITIONS[name])
    benchmark.group = "the positions of the comparison"
    benchmark(leg_odds, position)
    if not benchmark.disabled:
        times = in_turn({"leg_odds": leg_odds}, [position], repeats=201)
        benchmark.extra_info["leg_odds median ms"] = round(1e3 * times["leg_odds"][0], 4)
