"""Odds of the present leg."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from types import MappingProxyType

import numpy as np

from camelodds.editions import IntArray
from camelodds.errors import Problem
from camelodds.kernels.board import COLUMNS
from camelodds.kernels.legs import RACE_ENDS, STATES, exact_leg
from camelodds.kernels.rng import Words
from camelodds.kernels.sampling import N_COUNTS, ROWS, SQUARES, sample_dice
from camelodds.kernels.stacks import RACERS, SHIFT
from camelodds.odds.sampling import Plan, Progress, not_sampled, read_plan, refuse, run_chunks
from camelodds.position import Position
from camelodds.results import LegOdds
from camelodds.results.errors import binomial_error

POOL, SLOTS = 16_384, 2_048
"""Room for merged states and slots of the hash table that is enough for nearly every leg of
the pyramid games; a leg that needs more is tried again with twice as much."""

METHODS = ("auto", "exact", "sample")


def leg_odds(
    position: Position,
    method: str = "auto",
    *,
    n: int | None = None,
    seed: int | None = None,
    until: float | None = None,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> LegOdds:
    """Odds of the present leg, the tiles that lie there in force.

    Parameters
    ----------
    position
        What to ask about.
    method
        ``"exact"`` enumerates all that the dice can still do; ``"auto"`` takes the best that
        there is, which is exact; ``"sample"`` plays random courses.
    n
        Number of samples; a million if neither this nor `until` is given.
    seed
        The same seed gives the same numbers, whatever the number of threads or workers; one
        is drawn if left out, and the result tells it.
    until
        Instead of `n`: sample until no probability has a greater standard error.
    executor
        Who takes the chunks of samples: any `concurrent.futures.Executor`; threads of this
        process if left out.
    progress
        A function that is called with samples done and samples in all; True for a bar, False
        for none.  If left out, a bar is shown in a terminal or notebook after a second.

    Returns
    -------
    LegOdds
        Of a finished race or leg: its outcome with certainty, whatever the method.

    Raises
    ------
    OptionError
        If an argument cannot be used.

    Examples
    --------
    >>> import camelodds as co
    >>> leg = co.leg_odds(co.Position.parse("1:gyo 3:bw", edition="first"))
    >>> leg.total, leg.ticket_fraction("w", 5)
    (29160, Fraction(4373, 2916))
    >>> rough = co.leg_odds(leg.position, method="sample", n=10_000, seed=1)
    >>> low, high = rough.interval("w", place=1, confidence=0.999)
    >>> low < leg.first["w"] < high
    True
    """
    given = {"n": n, "seed": seed, "until": until, "executor": executor, "progress": progress}
    plan, faults = read_plan(**given)
    faults = check(position, method, METHODS) + faults
    if method == "exact":
        faults += not_sampled(given, method)
    refuse(faults)
    edition = position.edition
    n_outcomes = len(edition.outcomes)
    if position.leg_over:
        weights = np.zeros(n_outcomes, dtype=np.int64)
        weights[edition.outcome_names.index(position.outcome)] = 1
        landings = MappingProxyType(dict.fromkeys(position.tiles, 0))
        return LegOdds(position, weights, 1, landings, int(position.race_over))
    if method == "sample" and plan is not None:
        return _sampled(position, plan)
    return _exact(position)


def _exact(position: Position) -> LegOdds:
    edition = position.edition
    n_outcomes = len(edition.outcomes)
    packed = position.packed
    graph = edition.bag(position.dice)
    pool, slots = POOL, SLOTS
    while True:
        result = exact_leg(
            packed.stack,
            packed.plus,
            packed.minus,
            edition.rules,
            graph.nodes,
            graph.inner,
            graph.last,
            edition.outcome_of_order,
            n_outcomes,
            pool,
            slots,
        )
        counts = result[n_outcomes:]
        if counts[STATES] >= 0:
            break
        pool, slots = 2 * pool, 2 * slots
    landed = counts[:COLUMNS].tolist()
    return LegOdds(
        position,
        result[:n_outcomes],
        graph.total,
        MappingProxyType({space: landed[space + SHIFT] for space in position.tiles}),
        int(counts[RACE_ENDS]),
    )


def _sampled(position: Position, plan: Plan) -> LegOdds:
    edition = position.edition
    packed = position.packed
    chunk = partial(
        dice_leg,
        packed.stack,
        packed.plus,
        packed.minus,
        edition.rules,
        edition.bag_of_dice(position.dice),
        len(position.dice),
        edition.staying,
    )
    n_outcomes = len(edition.outcomes)
    outcomes = edition.outcomes.T
    at_place = (outcomes[:, None, :] == np.arange(1, RACERS + 1)[None, :, None]).astype(np.int64)

    def error(tally: IntArray, n: int) -> float:
        shares = np.append((at_place @ tally[:n_outcomes]).ravel(), tally[n_outcomes + RACE_ENDS])
        return float(binomial_error(shares / n, n).max())

    sample = run_chunks(chunk, plan, size=n_outcomes + N_COUNTS, streams=ROWS, error=error)
    counts = sample.counts[n_outcomes:]
    tiles = position.tiles
    return LegOdds(
        position,
        sample.counts[:n_outcomes],
        sample.n,
        MappingProxyType({space: int(counts[space + SHIFT]) for space in tiles}),
        int(counts[RACE_ENDS]),
        "sampled",
        sample.seed,
        MappingProxyType({space: int(counts[SQUARES + space + SHIFT]) for space in tiles}),
    )


def dice_leg(
    stack: int,
    plus: int,
    minus: int,
    rules: IntArray,
    dice: int,
    left: int,
    last: int,
    words: Words,
    n: int,
) -> IntArray:
    """Counts of one chunk, see `sample_dice`; a function of its own so that it can be pickled."""
    ends = np.empty(0, dtype=np.int64)
    counts: IntArray = sample_dice(stack, plus, minus, rules, dice, left, last, n, words, ends)
    return counts


def check(position: object, method: object, methods: Sequence[str]) -> list[Problem]:
    """Faults of the first arguments of `leg_odds` and `race_odds`."""
    faults = []
    if not isinstance(position, Position):
        tip = "make one with Position.parse(...)"
        faults.append(Problem(f"{position!r:.60}", "not a Position", tip=tip))
    if method not in methods:
        tip = f"use one of {', '.join(methods)}"
        faults.append(Problem(f"method={method!r:.40}", "no such method", tip=tip))
    return faults
