"""Race odds by sampling: whole races, or the tails of races whose first leg is exact."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from camelodds.deck import Deck
from camelodds.editions import BEFORE_BANNER, IntArray
from camelodds.kernels.decks import sample_card_races
from camelodds.kernels.rng import Words
from camelodds.kernels.sampling import (
    ENDS_NOW,
    N_RACE_COUNTS,
    RACE_LEGS,
    RACE_LEGS_SQUARES,
    ROWS,
    race_orders,
    sample_races,
    sample_tails,
)
from camelodds.kernels.stacks import RACERS, SHIFT
from camelodds.odds.legs import ends_of_leg
from camelodds.odds.sampling import Chunk, Plan, Sample, run_chunks
from camelodds.position import Position
from camelodds.results.errors import FloatArray, binomial_error, by_camel, mean_error, share
from camelodds.results.race import RaceOdds

CHUNK = 1 << 16
"""Races of a chunk: some milliseconds."""

N_ORDERS = 120


def sampled_race(position: Position, plan: Plan) -> RaceOdds:
    """Play whole races; no race is over."""
    n_outcomes = len(position.edition.outcomes)

    def error(tally: IntArray, n: int) -> float:
        return float(binomial_error(place_shares(position, tally, n), n).max())

    chunk, size = race_chunk(position), n_outcomes + N_RACE_COUNTS - N_ORDERS
    sample = run_chunks(chunk, plan, size=size, streams=ROWS, chunk=CHUNK, error=error)
    n, tally, beside = sample.n, sample.counts, _beside(position, sample.counts)
    places = place_shares(position, tally, n)
    legs, ends = share(beside[RACE_LEGS], n), share(beside[ENDS_NOW], n)
    return _race_odds(
        position,
        sample,
        float(ends),
        {
            "outcomes": binomial_error(share(tally[:n_outcomes], n), n),
            "places": binomial_error(places, n),
            "legs": float(mean_error(legs, share(beside[RACE_LEGS_SQUARES], n), n)),
            "race_ends": float(binomial_error(ends, n)),
        },
    )


def race_chunk(position: Position) -> Chunk:
    """What plays one chunk of whole races."""
    edition, packed = position.edition, position.packed
    track = (packed.stack, packed.plus, packed.minus, position.rules)
    if position.deck is None:
        return partial(
            races,
            *track,
            edition.bag_of_dice(position.dice),
            len(position.dice),
            edition.bag_of_dice(edition.dice),
            len(edition.dice),
            edition.staying,
        )
    return partial(
        card_races,
        *track,
        *position.deck.packed(edition),
        *Deck.full(edition, position.known_players).packed(edition),
        position.last_space,
        sum(1 << card for card in position.flipped),
        edition.spaces,
        BEFORE_BANNER + SHIFT,
        edition.outcome_of_order,
        len(edition.outcomes),
    )


def sampled_tail(position: Position, plan: Plan, ends: LegEnds | None = None) -> RaceOdds:
    """Play the races on from the ends of the present leg; no race is over."""
    edition = position.edition
    ends = ends or first_leg(position)
    sums = np.cumsum(ends.weights)
    chunk = partial(
        tails,
        ends.starts,
        sums,
        edition.rules,
        edition.bag_of_dice(edition.dice),
        len(edition.dice),
        edition.staying,
    )

    def errors_of(tally: IntArray, n: int, values: FloatArray) -> FloatArray:
        """Standard errors of the means of values (k, orders), from the pairs of the strata."""
        pairs = tally[N_RACE_COUNTS:].reshape(N_ORDERS, N_ORDERS).astype(np.float64)
        singles = pairs.sum(axis=0) + pairs.sum(axis=1)
        # Two plain sums: three indices at once are slow, and BLAS waits for busy cores.
        across = np.einsum("ki,ij->kj", values, pairs)
        squares = values**2 @ singles - 2 * np.einsum("kj,kj->k", across, values)
        return np.sqrt(share(np.maximum(squares, 0), n) / max(n, 1))

    at_place = edition.at_place.reshape(-1, N_ORDERS).astype(np.float64)

    def error(tally: IntArray, n: int) -> float:
        return float(errors_of(tally, n, at_place).max())

    size = N_RACE_COUNTS + N_ORDERS**2
    sample = run_chunks(chunk, plan, size=size, streams=ROWS, chunk=CHUNK, error=error)
    n, tally = sample.n, sample.counts
    return _race_odds(
        position,
        sample,
        ends.race_ends / ends.total,
        {
            "outcomes": errors_of(tally, n, np.eye(N_ORDERS)),
            "places": errors_of(tally, n, at_place).reshape(RACERS, RACERS),
            "legs": float(np.sqrt(share(tally[RACE_LEGS_SQUARES], n) / max(n, 1))),
            "race_ends": 0.0,
        },
        exact_leg=True,
    )


class LegEnds(NamedTuple):
    """Where a leg can end, for `sample_tails`.

    Attributes
    ----------
    starts, weights : (m,) int64
        Stacks, or -1 - the order in which the race is over, like orders side by side; and
        their weights.
    outcomes : (N,) int64
        The weights of the outcomes with which the race ends.
    total : int
        The sum of the weights.
    """

    starts: IntArray
    weights: IntArray
    outcomes: IntArray
    total: int

    @property
    def race_ends(self) -> int:
        """The weight of the ends of the race."""
        return int(self.outcomes.sum())


def first_leg(position: Position) -> LegEnds:
    """Enumerate the present leg with its tiles; no race is over."""
    edition, packed = position.edition, position.packed
    graph = edition.bag(position.dice, keep_ends=True)
    result, states, weights = ends_of_leg(edition, graph, packed.stack, packed.plus, packed.minus)
    outcomes = result[:N_ORDERS]
    over = np.flatnonzero(outcomes)
    starts = np.concatenate([-1 - over, states])
    return _leg_ends(starts, np.concatenate([outcomes[over], weights]), graph.total, edition.rules)


def _leg_ends(starts: IntArray, weights: IntArray, total: int, rules: IntArray) -> LegEnds:
    """Leg ends in any order, as `sample_tails` wants them."""
    over = starts < 0
    outcomes = np.zeros(N_ORDERS, dtype=np.int64)
    np.add.at(outcomes, -1 - starts[over], weights[over])
    orders = np.full(len(starts), -1, dtype=np.int64)
    orders[~over] = race_orders(starts[~over], rules)
    by_order = np.lexsort((np.abs(starts), orders))
    return LegEnds(starts[by_order], weights[by_order], outcomes, total)


def gained_and_lost(before: LegEnds, after: LegEnds, rules: IntArray) -> tuple[LegEnds, LegEnds]:
    """What `after` has more, and what less, than `before`, of the same total.

    The totals of the two are the weight that moved; what both have in common is left out.
    """
    starts, at = np.unique(np.concatenate([before.starts, after.starts]), return_inverse=True)
    change = np.zeros(len(starts), dtype=np.int64)
    np.subtract.at(change, at[: len(before.starts)], before.weights)
    np.add.at(change, at[len(before.starts) :], after.weights)
    sides = []
    for side in (change, -change):
        some = side > 0
        sides.append(_leg_ends(starts[some], side[some], int(side[some].sum()), rules))
    return sides[0], sides[1]


def races(
    stack: int,
    plus: int,
    minus: int,
    rules: IntArray,
    dice: int,
    left: int,
    full_dice: int,
    full: int,
    last: int,
    words: Words,
    n: int,
) -> IntArray:
    """Counts of one chunk, see `sample_races`."""
    counts: IntArray = sample_races(
        stack, plus, minus, rules, dice, left, full_dice, full, last, n, words
    )
    return counts


def card_races(
    stack: int,
    plus: int,
    minus: int,
    rules: IntArray,
    content: IntArray,
    deck: IntArray,
    fresh_content: IntArray,
    fresh_deck: IntArray,
    last: int,
    flipped: int,
    longest: int,
    before_banner: int,
    outcomes: IntArray,
    n_outcomes: int,
    words: Words,
    n: int,
) -> IntArray:
    """Counts of one chunk, see `sample_card_races`."""
    counts: IntArray = sample_card_races(
        stack,
        plus,
        minus,
        rules,
        content,
        deck,
        fresh_content,
        fresh_deck,
        last,
        flipped,
        longest,
        before_banner,
        outcomes,
        n_outcomes,
        n,
        words,
    )
    return counts


def tails(
    states: IntArray,
    weights_to: IntArray,
    rules: IntArray,
    full_dice: int,
    full: int,
    last: int,
    words: Words,
    n: int,
) -> IntArray:
    """Counts of one chunk, see `sample_tails`."""
    counts: IntArray = sample_tails(states, weights_to, rules, full_dice, full, last, n, words)
    return counts


def _beside(position: Position, tally: IntArray) -> IntArray:
    """Counts with what stands beside the outcomes where it stands beside the 120 orders."""
    more = len(position.edition.outcomes) - N_ORDERS
    return tally[more:]


def place_shares(position: Position, tally: IntArray, n: int) -> FloatArray:
    """(5, 5): share of each camel at each place."""
    edition = position.edition
    return share(edition.at_place @ tally[: len(edition.outcomes)], n)


def _race_odds(
    position: Position,
    sample: Sample,
    race_ends: float,
    errors: dict[str, FloatArray | float],
    *,
    exact_leg: bool = False,
) -> RaceOdds:
    n, tally = sample.n, sample.counts
    places = place_shares(position, tally, n)
    racing = position.edition.racing
    return RaceOdds(
        position,
        by_camel(racing, places[:, 0]),
        by_camel(racing, places[:, -1]),
        places,
        float(share(_beside(position, tally)[RACE_LEGS], n)),
        race_ends,
        "sampled",
        float(np.max(errors["places"])),
        n,
        sample.seed,
        tally[: len(position.edition.outcomes)].copy(),
        MappingProxyType(errors),
        exact_leg=exact_leg,
        race_ends_exact=exact_leg,
    )
