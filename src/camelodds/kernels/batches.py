"""Many positions in one call: is each of them one, and the exact leg of each.

A batch is four int64 arrays, see `camelodds.position.Packed`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from camelodds.kernels.board import CRAZY_CAMELS, FLOOR, GOAL, REACH
from camelodds.kernels.legs import RACE_ENDS, enumerate_leg, outcome_of
from camelodds.kernels.sampling import race_over
from camelodds.kernels.stacks import (
    CRAZY,
    LANE,
    LANES,
    RACERS,
    SENTINEL,
    SPACES,
    Array,
)

BAD_CAMELS, BAD_SPACES, BAD_FINISH, BAD_TILES, BAD_DICE = 1, 2, 4, 8, 16
"""What can be wrong with a row: bits of a code."""


@njit(cache=True, nogil=True)
def check_row(stack: int, plus: int, minus: int, dice: int, n_dice: int, rules: Array) -> int:
    """What is wrong with a packed position of a game with dice; 0 if nothing is.

    Parameters
    ----------
    stack, plus, minus, dice
        See `camelodds.position.Packed`.
    n_dice
        Dice of a full pyramid.
    rules
        See `board`.
    """
    faults = 0
    crazy = int(rules[CRAZY_CAMELS])
    goal, floor = int(rules[GOAL]), int(rules[FLOOR])
    lowest = floor - REACH if crazy else floor
    seen, before, occupied, beyond = 0, 0, 0, -1
    if stack < 0:
        faults |= BAD_CAMELS
    for lane in range(LANES):
        bits = (stack >> LANE * lane) & 511
        if lane >= RACERS + crazy:
            if bits != SENTINEL:
                faults |= BAD_CAMELS
            continue
        camel, space = bits & 7, (bits >> 3) & SPACES
        if bits > 255 or camel >= CRAZY + crazy or (seen >> camel) & 1:
            faults |= BAD_CAMELS
        seen |= 1 << camel
        if space < before or not lowest <= space < goal + REACH:
            faults |= BAD_SPACES
        before = space
        occupied |= 1 << space
        if space >= goal or space < floor:
            if beyond < 0:
                beyond = space
                # The camel at the bottom took the others with it.
                if (space >= goal) != (camel < CRAZY):
                    faults |= BAD_FINISH
            elif beyond != space:
                faults |= BAD_FINISH
    tiles = plus | minus
    allowed = (1 << goal) - (1 << floor + 1)
    if (plus & minus) | (tiles & ~allowed) | (tiles & tiles << 1) | (tiles & occupied):
        faults |= BAD_TILES
    if not 0 <= dice < 1 << n_dice:
        faults |= BAD_DICE
    return faults


@njit(cache=True, nogil=True)
def check_rows(
    stacks: Array, plus: Array, minus: Array, dice: Array, n_dice: int, rules: Array
) -> Array:
    """`check_row` of each row."""
    codes = np.empty(len(stacks), dtype=np.int64)
    for i in range(len(stacks)):
        codes[i] = check_row(
            int(stacks[i]), int(plus[i]), int(minus[i]), int(dice[i]), n_dice, rules
        )
    return codes


@njit(cache=True, nogil=True)
def races_over(stacks: Array, rules: Array) -> npt.NDArray[np.bool_]:
    """`race_over` of each row."""
    over = np.empty(len(stacks), dtype=np.bool_)
    for i in range(len(stacks)):
        over[i] = race_over(int(stacks[i]), rules)
    return over


@njit(cache=True, nogil=True)
def exact_legs(
    rows: Array,
    stacks: Array,
    plus: Array,
    minus: Array,
    rules: Array,
    nodes: Array,
    inner: Array,
    last: Array,
    outcomes: Array,
    pool: int,
    n_slots: int,
    total: int,
    weights_out: Array,
    counts_out: Array,
    totals_out: Array,
) -> int:
    """Exact legs of the positions in `rows`, which have the same dice.

    Parameters
    ----------
    rows : (r,) int64
        Which rows of the following and of the results are meant.
    stacks, plus, minus : (m,) int64
        The positions, see `camelodds.position.Packed`.
    rules, nodes, inner, last, outcomes, pool, n_slots
        See `legs.exact_leg`.
    total
        The weight of all courses, 0 if nothing is left to draw.
    weights_out : (m, N) int64
        Gets the weight of each outcome.
    counts_out : (m, 36) int64
        Gets what `legs.exact_leg` counts beside them.
    totals_out : (m,) int64
        Gets the sum of the weights.

    Returns
    -------
    int
        How many of the rows are done: fewer than all if there was no room.
    """
    states = np.empty(pool, dtype=np.int64)
    weights = np.empty(pool, dtype=np.int64)
    starts = np.empty(len(nodes) + 1, dtype=np.int64)
    slots = np.zeros(n_slots, dtype=np.int32)
    crazy = int(rules[CRAZY_CAMELS])
    for done in range(len(rows)):
        r = int(rows[done])
        result, counts = weights_out[r], counts_out[r]
        result[:] = 0
        counts[:] = 0
        stack = int(stacks[r])
        if total == 0 or race_over(stack, rules):
            result[outcome_of(stack, crazy, -1, outcomes)] = 1
            counts[RACE_ENDS] = int(race_over(stack, rules))
            totals_out[r] = 1
            continue
        slots[:] = 0
        if not enumerate_leg(
            stack,
            int(plus[r]),
            int(minus[r]),
            rules,
            nodes,
            inner,
            last,
            outcomes,
            False,
            states,
            weights,
            starts,
            slots,
            result,
            counts,
            None,
        ):
            return done
        totals_out[r] = total
    return len(rows)
