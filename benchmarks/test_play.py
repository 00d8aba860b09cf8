"""Best play of a leg: full legs with all tickets, by edition and number of players."""

from __future__ import annotations

import random
import resource

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.positions import random_play
from benchmarks.timing import in_turn, summary
from camelodds import FIRST, SECOND, Edition, Game, Position, best_play
from camelodds.odds.graph import leg_graph

N_POSITIONS = 12


def legs(edition: Edition, dice: int) -> list[Position]:
    """Random-play positions with so many dice in the pyramid."""
    rng = random.Random(7)
    found = []
    for position in random_play(edition, 10 * N_POSITIONS):
        while len(position.dice) > dice and not position.leg_over:
            die = rng.choice(position.dice)
            camel = rng.choice(edition.crazy) if die == "*" else die
            position = position.after(f"{camel}{rng.randint(1, 3)}")
        if not position.leg_over and len(found) < N_POSITIONS:
            found.append(position)
    return found


@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize(
    ("edition", "dice"), [(FIRST, 5), (SECOND, 6), (SECOND, 3)], ids=["first", "second", "3 out"]
)
def test_all_tickets(
    benchmark: BenchmarkFixture, edition: Edition, dice: int, players: int
) -> None:
    """The public call over random-play positions; the slowest position counts too."""
    positions = legs(edition, dice)
    benchmark.group = f"best play, all tickets, {players} players"
    play = benchmark.pedantic(
        best_play, args=(positions[0],), kwargs={"players": players}, rounds=3, warmup_rounds=1
    )
    assert play.turns > 1
    if not benchmark.disabled:
        times = in_turn({"best_play": lambda p: best_play(p, players=players)}, positions, 3)
        # Of the whole process so far, in MB.
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        benchmark.extra_info.update(summary(times), memory=memory)


@pytest.mark.parametrize("edition", [FIRST, SECOND], ids=str)
def test_graph(benchmark: BenchmarkFixture, edition: Edition) -> None:
    """The merged graph alone."""
    positions = legs(edition, 6)
    benchmark.group = "best play, the graph of a leg"
    graph = benchmark(leg_graph, positions[0])
    assert len(graph.states) > 1
    if not benchmark.disabled:
        benchmark.extra_info.update(summary(in_turn({"leg_graph": leg_graph}, positions)))


def test_every_placement(benchmark: BenchmarkFixture) -> None:
    """A game of four with every placement of the own tile, each a leg of its own."""
    game = Game(legs(FIRST, 5)[0], players=4)
    benchmark.group = "best play, every placement of the tile"
    play = benchmark.pedantic(
        best_play, args=(game,), kwargs={"tiles": "all", "bets": False}, rounds=2, warmup_rounds=1
    )
    assert len(play.options) > 10


def test_policy(benchmark: BenchmarkFixture) -> None:
    """Looking one choice up."""
    position = legs(FIRST, 5)[0]
    policy = best_play(position).policy
    then = position.after(f"{position.dice[0]}2")
    assert policy(then) in ("roll", *(f"ticket {camel}" for camel in FIRST.racing))
    benchmark.group = "best play, the policy looked up"
    benchmark(policy, then)
