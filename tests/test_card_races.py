"""The Card Game between rounds and over whole races: set-up, samples."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numba import njit

import camelodds as co
from camelodds.kernels.decks import set_up
from tests import naive_cards
from tests.strategies import card_positions

EARLY = co.CARDS.with_options(crazy_stops_before_banner=True)


@njit
def call_set_up(stack: int, last: int, flipped: int) -> Any:
    return set_up(stack, last, flipped, 24)


@pytest.mark.parametrize("edition", [co.CARDS, EARLY], ids=["stops at 1", "before the banner"])
@pytest.mark.nojit
def test_set_up_kernel_equals_the_position_C4(edition: co.Edition) -> None:
    @settings(max_examples=300)
    @given(card_positions(most_left=1, edition=edition))
    def check(position: co.Position) -> None:
        assume(not position.race_over)
        position = position._with(players=3, tiles={})
        flipped = sum(1 << card for card in position.flipped)
        stack, last, cards = call_set_up(position.packed.stack, position.last_space, flipped)
        after = position.next_leg()
        assert (int(stack), last) == (after.packed.stack, after.last_space)
        assert cards == sum(1 << card for card in after.flipped)

    check()


@settings(max_examples=300)
@given(card_positions(most_left=1))
def test_set_up_equals_the_slow_reference_C4(position: co.Position) -> None:
    assume(not position.race_over)
    slow = naive_cards.set_up(naive_cards.load_round(position.to_dict()))
    after = position._with(players=5).next_leg().to_dict()
    assert {int(s): c for s, c in after["stacks"].items()} == dict(sorted(slow.stacks.items()))
    assert sorted(after["start"]) == sorted(slow.start)
    assert after["last_space"] == slow.last_space
    assert tuple(after["flipped_cards"]) == slow.flipped_cards
    assert after["markers"] == {"shortcut": None, "fennec": None}
    assert after["deck"]["left"] == 9


# Whole races.


def play_race(round_: naive_cards.Round, cards: list[str], size: int, rng: random.Random) -> Any:
    """The outcome of one random race by the slow reference, and its rounds."""
    legs = 1
    while True:
        for card in cards:
            moved = naive_cards.round_move(round_, card)
            round_ = moved.after
            if moved.race_over:
                return naive_cards.outcome(round_), legs
        round_ = naive_cards.set_up(round_)
        racing = [f"{c}{steps}" for c in naive_cards.RACING for steps in (1, 1, 1, 1, 1, 2)]
        cards = rng.sample(racing, size - 2) + rng.sample(["K0", "K0", "K1", "K1", "K2"], 2)
        rng.shuffle(cards)
        legs += 1


RACES = [
    "3:bg 5:y 6:Kr 8:p 7+ 9- last=16 deck=2+1 known=y1 pool=b20r10 crazy=011 players=4",
    "0:rp 2:gK 4:by 5- last=14 deck=1+2 players=2",
    "9:b 12:yKg 13:rp last=15 flip=5 deck=1+0 pool=b10r10p10 players=3",
]


@pytest.mark.slow
@pytest.mark.parametrize("text", RACES)
def test_sampled_races_agree_with_slow_ones(text: str) -> None:
    position = co.Position.parse(text)
    deck = position.deck
    size = co.Deck.full(co.CARDS, position.players).left
    rng = random.Random(text)
    n = 4000
    found: Counter[str] = Counter()
    rounds = 0
    pool = [card for card, count in deck.pool.items() for _ in range(count)]
    crazy_pool = [f"K{s}" for s, count in deck.crazy_pool.items() for _ in range(count)]
    start = naive_cards.load_round(position.to_dict())
    for _ in range(n):
        cards = [*deck.known, *rng.sample(pool, deck.unknown)]
        cards += rng.sample(crazy_pool, deck.crazy_left)
        rng.shuffle(cards)
        outcome, legs = play_race(start, cards, size, rng)
        ranked, _, waiting = outcome.partition("|")
        found[co.CARDS.outcome_name(ranked, waiting)] += 1
        rounds += legs
    shares = np.array([found[name] / n for name in co.CARDS.outcome_names])
    race = co.race_odds(position, "sample", n=400_000, seed=3)
    places = np.arange(1, 6)
    at_place = co.CARDS.outcomes.T[:, None] == places[:, None]
    slow = at_place @ shares
    assert np.all(
        np.abs(slow - race.places) < 5 * np.sqrt(race.places * (1 - race.places) / n) + 1e-4
    )
    assert abs(rounds / n - race.legs) < 0.15


def test_race_odds_of_the_card_game() -> None:
    position = co.Position.parse("3:bg 5:y 6:Kr 8:p 7+ 9- last=16 deck=8+2 players=4")
    race = co.race_odds(position, n=50_000, seed=1)
    assert race == co.race_odds(position, n=50_000, seed=1)
    assert race.method == "sampled"
    assert race.n == 50_000
    assert "as if nobody had chosen" in str(race)
    assert np.allclose(race.places.sum(axis=1), 1)
    assert 0 < race.errors["places"].max() < 0.003
    assert race.legs > 1
    with ThreadPoolExecutor(2) as pool:
        assert co.race_odds(position, n=200_000, seed=1, executor=pool) == co.race_odds(
            position, n=200_000, seed=1
        )


def test_race_odds_whose_round_is_the_last() -> None:
    position = co.Position.parse("9:b 12:yKg 14:rp last=14 deck=1+0 known=r1 pool=")
    race = co.race_odds(position)
    assert (race.method, race.winner["p"], race.last["b"], race.legs) == ("exact", 1, 1, 1)
    over = co.race_odds(position.after("r1"))
    assert (over.winner["p"], over.last["b"], over.legs) == (1, 1, 0)
    waiting = co.race_odds(co.Position.parse("0:bg 12:yK 15:rp last=14 deck=1+0 pool=y10"))
    assert dict(waiting.last) == {"b": 1, "y": 0, "g": 1, "r": 0, "p": 0}


def test_race_odds_that_are_refused() -> None:
    position = co.Position.parse("3:bg 5:y 6:Kr 8:p last=16 deck=8+2")
    with pytest.raises(co.OptionError, match="number of players"):
        co.race_odds(position, n=100)
    for method in ("exact", "table", "tail"):
        with pytest.raises(co.OptionError, match="rounds are dealt"):
            co.race_odds(position, method)


def test_what_an_exact_round_knows_of_the_race_is_exact() -> None:
    p = co.Position.parse("0:p 3:by 6:Kgr 5- last=16 deck=2+1 known=y1 players=3")
    race = co.race_odds(p, n=100, seed=1)
    assert race.method == "sampled"
    assert race.race_ends == co.leg_odds(p).race_ends == 0
    assert race.standard_errors["race_ends"] == 0
    assert race.intervals()["race_ends"] == (0, 0)
    assert "The race ends in this round: 0%; round scorings still to come: " in str(race)
    sampled = co.race_odds(p, "sample", n=100, seed=1)
    assert "The race ends in this round: 0.0% ±1.0;" in str(sampled)
    assert sampled.intervals()["race_ends"][1] > 0
    near = co.Position.parse("0:p 3:by 13:Kgr 5- last=14 deck=2+1 known=y1 players=2")
    leg, race = co.leg_odds(near), co.race_odds(near, n=100, seed=1)
    assert 0 < race.race_ends == leg.race_ends < 1
    first = co.leg_odds(co.Position.parse("1:gyo 3:bw", edition=co.FIRST))
    for text, word in ((str(leg), "round"), (str(first), "leg")):
        assert text.startswith(f"{word.capitalize()} odds of ")
        assert f"The race ends in this {word}: " in text
