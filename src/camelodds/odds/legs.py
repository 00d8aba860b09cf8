"""Odds of the present leg."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from camelodds.errors import OptionError, Problem
from camelodds.kernels.board import COLUMNS
from camelodds.kernels.legs import RACE_ENDS, STATES, exact_leg
from camelodds.kernels.stacks import SHIFT
from camelodds.position import Position
from camelodds.results import LegOdds

POOL, SLOTS = 16_384, 2_048
"""Room for merged states and slots of the hash table that is enough for nearly every leg of
the pyramid games; a leg that needs more is tried again with twice as much."""

METHODS = ("auto", "exact")


def leg_odds(position: Position, method: str = "auto") -> LegOdds:
    """Odds of the present leg, the tiles that lie there in force.

    Parameters
    ----------
    position
        What to ask about.
    method
        ``"exact"`` enumerates all that the dice can still do; ``"auto"`` takes the best that
        there is, which is exact.

    Returns
    -------
    LegOdds
        Of a finished race or leg: its outcome with certainty.

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
    """
    _check(position, method)
    edition = position.edition
    n_outcomes = len(edition.outcomes)
    if position.leg_over:
        weights = np.zeros(n_outcomes, dtype=np.int64)
        weights[edition.outcome_names.index(position.outcome)] = 1
        landings = MappingProxyType(dict.fromkeys(position.tiles, 0))
        return LegOdds(position, weights, 1, landings, int(position.race_over))
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


def _check(position: object, method: object) -> None:
    faults = []
    if not isinstance(position, Position):
        tip = "make one with Position.parse(...)"
        faults.append(Problem(f"{position!r:.60}", "not a Position", tip=tip))
    if method not in METHODS:
        tip = f"use one of {', '.join(METHODS)}"
        faults.append(Problem(f"method={method!r:.40}", "no such method", tip=tip))
    if faults:
        raise OptionError(faults)
