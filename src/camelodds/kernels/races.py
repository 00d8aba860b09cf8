"""Race tables: what the race holds for every position between legs, and looking it up.

The value of a position is a *row*: for some of the places, the probability of each racing
camel, leader first, to come in there; and the expected number of leg scorings still to come.
Rows are kept for every position and every set of racing dice still in the pyramid.  A racing
die leads to a position whose racing camels have a greater sum of spaces; so all positions with
one sum, a *level*, can be done at once, the greatest sum first.

Only the grey die leads back.  The rows of positions in which it is out (`racing_rows`) lead
to greater sums only; those in which it is still inside (`grey_rows`) lead to any level of
the first kind.  Without a grey die one pass over the levels is the solution; with it the passes
are Gauss-Seidel sweeps.

The last row of each array is the finished race, in which the places are the ranks; so a move
over a line is a move to that row.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from camelodds.kernels.bag import GREY
from camelodds.kernels.board import (
    CRAZY_CAMELS,
    OVER,
    landing_edge,
    landing_space,
    landings,
    row,
)
from camelodds.kernels.index import N_CRAZY, index_of
from camelodds.kernels.legs import (
    ORDER_OF_CODE,
    ORDERS,
    movers,
    outcome_of,
    pips_to,
)
from camelodds.kernels.stacks import (
    RACERS,
    Array,
    camel_code,
    count_bits,
    find,
    relocate,
    squeeze,
    unit_top,
)

FULL = (1 << RACERS) - 1
"""The set of all racing dice."""

RANKS = np.array([[order.index(c) for c in range(RACERS)] for order in ORDERS], dtype=np.uint8)
"""(120, 5): rank of each camel, by the order of the racing camels."""

FLAT_RANKS = RANKS.reshape(-1)

SETS = np.array(
    [
        [
            sum(1 << int(ranks[c]) for c in range(RACERS) if dice >> c & 1)
            for dice in range(FULL + 1)
        ]
        for ranks in RANKS
    ],
    dtype=np.uint8,
)
"""(120, 32): a set of dice by camel, as a set of dice by rank."""


@njit(cache=True, nogil=True, forceinline=True)
def add_row(
    out: npt.NDArray[np.floating],
    to: int,
    source: npt.NDArray[np.floating],
    at: int,
    order: int,
    places: tuple[int, ...],
    times: float,
) -> None:
    """Add `times` the row at `at`, whose camels are ranked by `order`, to the row at `to`.

    The number of places is known when this is compiled, so the loops are unrolled.
    """
    here, there = np.uint64(to), np.uint64(at)
    one, five = np.uint64(1), np.uint64(RACERS)
    factor = out.dtype.type(times)
    if order == 0:
        for i in range(len(places) * RACERS + 1):
            out[here + np.uint64(i)] += factor * source[there + np.uint64(i)]
        return
    ranks = np.uint64(order * RACERS)
    first = np.uint64(FLAT_RANKS[ranks])
    second = np.uint64(FLAT_RANKS[ranks + one])
    third = np.uint64(FLAT_RANKS[ranks + np.uint64(2)])
    fourth = np.uint64(FLAT_RANKS[ranks + np.uint64(3)])
    fifth = np.uint64(FLAT_RANKS[ranks + np.uint64(4)])
    for _ in range(len(places)):
        out[here] += factor * source[there + first]
        out[here + one] += factor * source[there + second]
        out[here + np.uint64(2)] += factor * source[there + third]
        out[here + np.uint64(3)] += factor * source[there + fourth]
        out[here + np.uint64(4)] += factor * source[there + fifth]
        here += five
        there += five
    out[here] += factor * source[there]


@njit(cache=True, nogil=True)
def racing_rows(
    begin: int,
    end: int,
    stacks: Array,
    positions: Array,
    numbers: Array,
    rules: Array,
    slots: Array,
    places: tuple[int, ...],
    rows: npt.NDArray[np.floating],
) -> None:
    """Rows of the positions from `begin` to `end` in which no crazy camel can move.

    Parameters
    ----------
    begin, end
        Positions of one level.
    stacks : (n,) int64
        All positions between legs, by level from the greatest sum on.
    positions : (n,) int64
        Where among them the position of a number stands.
    numbers, rules
        See `index.numbering` and `board`.
    slots : (33,) int64
        Slot of each set of racing dice in a row, 0 if the leg is over with it; and the
        number of slots.
    places
        The places for which there are probabilities.
    rows : ((n + 1) * slots * width,) float
        Slot 0 holds the row between legs, the other slots are written.
    """
    width = len(places) * RACERS + 1
    stride = int(slots[FULL + 1]) * width
    crazy = int(rules[CRAZY_CAMELS])
    table = landings(0, 0, rules)
    for p in range(begin, end):
        stack = int(stacks[p])
        base = p * stride
        rows[base + width : base + stride] = 0
        for die in range(RACERS):
            at = find(stack, die)
            top = unit_top(stack, at, -1)
            low = (1 << die) - 1
            for face in range(1, 4):
                entry = int(table[pips_to(stack, at, top, die, face, 0)])
                after = relocate(stack, at, top, landing_space(entry), landing_edge(entry))
                order = int(ORDER_OF_CODE[camel_code(squeeze(after, crazy))])
                source = len(stacks)
                if not entry & OVER:
                    source = int(positions[index_of(after, numbers)])
                for others in range((FULL + 1) // 2):
                    rest = (others & ~low) << 1 | (others & low)
                    slot = int(slots[rest | 1 << die])
                    if slot:
                        there = source * stride + int(slots[SETS[order, rest]]) * width
                        add_row(rows, base + slot * width, rows, there, order, places, 1.0)
        for dice in range(1, FULL + 1):
            slot = int(slots[dice])
            if slot:
                here = base + slot * width
                rows[here : here + width] *= 1.0 / (3 * count_bits(dice))


@njit(cache=True, nogil=True)
def grey_rows(
    begin: int,
    end: int,
    stacks: Array,
    positions: Array,
    numbers: Array,
    rules: Array,
    slots: Array,
    places: tuple[int, ...],
    rows: npt.NDArray[np.floating],
    ring: npt.NDArray[np.floating],
    capacity: int,
) -> None:
    """Rows of the positions from `begin` to `end` with the grey die in the pyramid.

    Parameters
    ----------
    begin, end, stacks, positions, numbers, rules, slots, places
        See `racing_rows`.
    rows
        What `racing_rows` wrote.
    ring : ((capacity + 1) * 32 * width,) float
        The rows with the grey die, a slot for each set of racing dice beside it: of the last
        `capacity` positions only, which is as far as a racing die leads.
    """
    width = len(places) * RACERS + 1
    stride = int(slots[FULL + 1]) * width
    turn = (FULL + 1) * width
    crazy = int(rules[CRAZY_CAMELS])
    table = landings(0, 0, rules)
    for p in range(begin, end):
        stack = int(stacks[p])
        base = p % capacity * turn
        ring[base : base + turn] = 0
        for die in range(RACERS):
            at = find(stack, die)
            top = unit_top(stack, at, -1)
            low = (1 << die) - 1
            for face in range(1, 4):
                entry = int(table[pips_to(stack, at, top, die, face, 0)])
                after = relocate(stack, at, top, landing_space(entry), landing_edge(entry))
                order = int(ORDER_OF_CODE[camel_code(squeeze(after, crazy))])
                source = capacity
                if not entry & OVER:
                    source = int(positions[index_of(after, numbers)]) % capacity
                for others in range((FULL + 1) // 2):
                    rest = (others & ~low) << 1 | (others & low)
                    here = base + (rest | 1 << die) * width
                    there = source * turn + int(SETS[order, rest]) * width
                    add_row(ring, here, ring, there, order, places, 1.0)
        mover, last_mover, repeat = movers(stack, GREY)
        for camel in range(mover, last_mover + 1):
            at = find(stack, camel)
            top = unit_top(stack, at, -1)
            for face in range(1, 4):
                entry = int(table[row(0, True) + pips_to(stack, at, top, camel, face, 0)])
                after = relocate(stack, at, top, landing_space(entry), landing_edge(entry))
                order = int(ORDER_OF_CODE[camel_code(squeeze(after, crazy))])
                source = len(stacks)
                if not entry & OVER:
                    source = int(positions[index_of(after, numbers)])
                for dice in range(1, FULL + 1):
                    here = base + dice * width
                    there = source * stride + int(slots[SETS[order, dice]]) * width
                    # The grey die has twice as many faces.
                    add_row(ring, here, rows, there, order, places, 0.5 * repeat)
        for dice in range(1, FULL + 1):
            here = base + dice * width
            ring[here : here + width] *= 1.0 / (3 * (count_bits(dice) + 1))


@njit(cache=True, nogil=True)
def close_level(
    begin: int,
    end: int,
    places: tuple[int, ...],
    leg: npt.NDArray[np.floating],
    turn: int,
    capacity: int,
    full: int,
    rows: npt.NDArray[np.floating],
    stride: int,
) -> tuple[float, float]:
    """Make the rows of full pyramids, at `full` in those of `leg`, the rows between legs.

    Returns
    -------
    tuple of float
        The largest change of a probability, and of the number of leg scorings.
    """
    width = len(places) * RACERS + 1
    largest, largest_legs = 0.0, 0.0
    for p in range(begin, end):
        start = p % capacity * turn
        base = p * stride
        for i in range(width):
            value = leg[start + full + i]
            if i == width - 1:
                value += 1.0
                largest_legs = max(largest_legs, abs(float(value - rows[base + i])))
            else:
                largest = max(largest, abs(float(value - rows[base + i])))
            leg[start + i] = value
            rows[base + i] = value
    return largest, largest_legs


@njit(cache=True, nogil=True)
def look_up(
    stack: int,
    weight: float,
    numbers: Array,
    values: npt.NDArray[np.generic],
    unit: float,
    legs_unit: float,
    n_places: int,
    odds: npt.NDArray[np.float64],
) -> None:
    """Add `weight` times the race odds of a position between legs to `odds`.

    Parameters
    ----------
    stack, weight
        The position.
    numbers
        See `index.numbering`.
    values : (n, k) number
        The table: for each of `n_places` places either all ranks, or all but the last, and
        then the number of leg scorings.
    unit, legs_unit
        What makes 1 of a probability and of a number of leg scorings in the table.
    odds : (n_places * 5 + 1,) float64
        By place and camel, then the number of leg scorings.
    """
    at = index_of(stack, numbers)
    kept = (values.shape[1] - 1) // n_places
    crazy = int(numbers[N_CRAZY])
    order = int(ORDER_OF_CODE[camel_code(squeeze(stack, crazy))])
    for place in range(n_places):
        rest = 1.0 / unit
        unkept = 0
        for camel in range(RACERS):
            rank = int(RANKS[order, camel])
            if rank < kept:
                value = float(values[at, place * kept + rank])
                rest -= value
                odds[place * RACERS + camel] += weight * unit * value
            else:
                unkept = camel
        if kept < RACERS:
            odds[place * RACERS + unkept] += weight * unit * rest
    odds[-1] += weight * legs_unit * float(values[at, values.shape[1] - 1])


@njit(cache=True, nogil=True)
def look_up_ends(
    states: Array,
    weights: Array,
    outcomes: Array,
    result: Array,
    numbers: Array,
    values: npt.NDArray[np.generic],
    unit: float,
    legs_unit: float,
    places: Array,
    odds: npt.NDArray[np.float64],
) -> None:
    """Finish the leg and the race of a position from what `legs.leg_ends` gives.

    Parameters
    ----------
    states, weights, outcomes, result
        What `legs.leg_ends` gives and takes; the ends with the race going on are added to
        `result`.
    numbers, values, unit, legs_unit
        The race table, see `look_up`; `values` without rows if there is none.
    places : (p,) int64
        The places that the table holds, the leader's being 0.
    odds : (5 p + 1,) float64
        By place and camel, and the expected number of leg scorings after this leg: times the
        weight of all courses; empty before.
    """
    crazy = int(numbers[N_CRAZY])
    n_places = len(places)
    for order in range(len(RANKS)):
        weight = float(result[outcomes[0, order]])
        for place in range(n_places):
            for camel in range(RACERS):
                if RANKS[order, camel] == places[place]:
                    odds[place * RACERS + camel] += weight
    for i in range(len(states)):
        stack, weight = int(states[i]), int(weights[i])
        result[outcome_of(stack, crazy, -1, outcomes)] += weight
        if len(values):
            look_up(stack, float(weight), numbers, values, unit, legs_unit, n_places, odds)
