"""The Card Game: exact rounds, the graph of a deck, sampled rounds and races."""

from __future__ import annotations

import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from camelodds import CARDS, Deck, Position, leg_odds
from camelodds.deck import _deck_graph
from camelodds.odds.legs import leg_chunk
from camelodds.odds.sampled_races import race_chunk
from camelodds.odds.sampling import words_of

DECK = "deck=6+2"
"""Eight cards, six of them unknown racing cards."""

ROUNDS = {
    "a start": f"0:yg 2:pb 3:r 7:K last=16 {DECK}",
    "no marker": f"5:gbr 6:pK 8:y last=16 {DECK}",
    "a marker": f"5:pgrb 8:yK 9+ last=16 {DECK}",
    "two markers": f"2:y 4:grp 5:bK 9+ 8- last=16 {DECK}",
    "a tall stack": f"2:g 5:pyrb 6:K 3+ last=16 flip=2 {DECK}",
}
AT_MOST = 0.35
"""Seconds that an exact round of `DECK` may take, the graph of the deck included."""


@pytest.mark.parametrize("name", ROUNDS)
def test_exact_round(benchmark: BenchmarkFixture, name: str) -> None:
    position = Position.parse(ROUNDS[name])
    benchmark.group = "Card Game, exact round, deck of 8"

    def ask() -> float:
        _deck_graph.cache_clear()
        start = time.thread_time()  # what others use of the machine left out
        assert leg_odds(position).total == position.deck.total
        return time.thread_time() - start

    ask()
    benchmark(ask)
    if not benchmark.disabled:
        fastest = min(ask() for _ in range(5))
        benchmark.extra_info["fastest"] = fastest
        assert fastest <= AT_MOST


def test_graph_of_a_deck(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "Card Game, graph of a deck of 8"
    deck = Deck.full(CARDS, 2)

    def build() -> int:
        _deck_graph.cache_clear()
        return deck.graph(CARDS).total

    assert benchmark(build) == deck.total


@pytest.mark.parametrize("name", ["no marker", "two markers"])
def test_sampled_rounds(benchmark: BenchmarkFixture, name: str) -> None:
    """On one thread; the target is 5 million a second with a deck of ten."""
    position = Position.parse(ROUNDS[name].replace(DECK, "deck=8+2"))
    chunk, n = leg_chunk(position), 200_000
    chunk(words_of(1, 0, 1), 10)
    benchmark.group = f"Card Game, {n:,} sampled rounds, deck of 10"
    benchmark(lambda: chunk(words_of(1, 0, 1), n))
    if not benchmark.disabled:
        benchmark.extra_info["million a second"] = n / benchmark.stats["min"] / 1e6


def test_sampled_races(benchmark: BenchmarkFixture) -> None:
    """On one thread, from the start with four players; the target is 0.7 million a second."""
    position = Position.start(CARDS, 3, players=4)
    chunk, n = race_chunk(position), 50_000
    chunk(words_of(1, 0, 1), 10)
    benchmark.group = f"Card Game, {n:,} sampled races"
    benchmark(lambda: chunk(words_of(1, 0, 1), n))
    if not benchmark.disabled:
        benchmark.extra_info["million a second"] = n / benchmark.stats["min"] / 1e6
