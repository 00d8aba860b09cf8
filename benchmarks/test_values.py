"""Values of all actions of random games: four players, three tiles, in the middle of a leg."""

from __future__ import annotations

import statistics

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.games import mid_leg_games
from benchmarks.timing import in_turn, summary
from camelodds import FIRST, SECOND, Edition, action_values

N_GAMES = 24
BETS = ("winner", "last")


@pytest.mark.parametrize(
    ("edition", "bets", "without"),
    [(FIRST, 4, ()), (SECOND, 0, BETS), (SECOND, 0, ()), (SECOND, 3, ())],
    ids=[
        "first, bets in the piles",
        "second, no bets",
        "second, bets to make",
        "second, bets in the piles",
    ],
)
def test_action_values(
    benchmark: BenchmarkFixture, edition: Edition, bets: int, without: tuple[str, ...]
) -> None:
    """All placements; race odds from the table of the first edition, else sampled."""
    games = mid_leg_games(edition, N_GAMES, bets=bets)
    actions = [len(action_values(game, without=without)) for game in games]
    assert statistics.median(actions) > 10
    benchmark.group = "values of all actions, all games"
    benchmark(lambda: [action_values(game, without=without) for game in games])
    if not benchmark.disabled:
        times = in_turn(
            {"values": lambda i: action_values(games[i], without=without)}, range(N_GAMES)
        )
        benchmark.extra_info.update(
            summary(times), games=N_GAMES, actions=statistics.median(actions)
        )
