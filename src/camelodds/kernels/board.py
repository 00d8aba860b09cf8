"""Where a unit lands and on which side of the residents: one small table per position.

Tiles, markers, finish lines and clamps are data of this table, not branches of the move.  It
has a row for each direction and, in the Card Game, for each combination of markers that still
lie on the track; a column is the space that the pips alone lead to.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from camelodds.kernels.stacks import SPACES, Array

GOAL, FLOOR, STOPS, BANNER, BONUS, FLAGS, CRAZY_CAMELS = range(7)
"""Columns of `rules`, the int64 array that tells the kernels what differs between editions.

GOAL is the first space over the line, FLOOR the last that a crazy camel reaches without
crossing; STOPS is 1 where nobody goes beyond either of them (C8, C12), 0 where crossing in
both directions ends the race (F11, S6).  BANNER is the space where nobody carries (C3) or
-1.  BONUS is what a crazy camel moves more while it carries (C8).  FLAGS masks the markers
that act once: 3 in the Card Game, 0 elsewhere.  CRAZY_CAMELS is their number.
"""

COLUMNS = 32
LANDED = 1 << 10
OVER = 1 << 11
SPENT = 12
SHORTCUT, FENNEC = 1, 2
"""An entry of the table: five bits of space, five of `edge` (see `stacks.relocate`), then
whether a tile acted, whether the race is over, and the markers that were spent."""

REACH = 3
"""How far beyond a line the last roll can carry a unit (F11, S6)."""

AHEAD = 3
"""The set-up of a round leaves so many spaces from the leader to finish and crazy camel (C4)."""

FOURTH = 4
"""With so many racing camels ahead of it the crazy camel catches up in that set-up (C4)."""


@njit(nogil=True)
def landing(space: int, forward: bool, plus: int, minus: int, rules: Array) -> int:
    """Entry for a unit whose pips lead to `space` (M2, M3).

    `plus` and `minus` are the tiles as bits by space.  Each acts once at most.
    """
    step = 1 if forward else -1
    edge = space + 1
    entry = 0
    while True:
        if forward and space >= rules[GOAL]:
            entry |= OVER
            if rules[STOPS]:
                space = rules[GOAL]
                edge = space + 1
            break
        if not forward and space < rules[FLOOR]:
            if not rules[STOPS]:
                entry |= OVER
                break
            space = rules[FLOOR]
            edge = space + 1
        if (plus >> space) & 1:
            plus ^= 1 << space
            entry |= LANDED | SHORTCUT << SPENT
            space += step
            edge = space + 1
        elif (minus >> space) & 1:
            minus ^= 1 << space
            entry |= LANDED | FENNEC << SPENT
            space -= step
            edge = space
        else:
            break
    return entry | space | edge << 5


@njit(cache=True, nogil=True)
def landings(plus: int, minus: int, rules: Array) -> Array:
    """The whole table, flat: entry of (`flags`, direction, space), see `row`."""
    flags = rules[FLAGS]
    table = np.empty((flags + 1) * 2 * COLUMNS, dtype=np.int64)
    for lying in range(flags + 1):
        here = plus if flags == 0 or lying & SHORTCUT else 0
        there = minus if flags == 0 or lying & FENNEC else 0
        for space in range(COLUMNS):
            at = row(lying, False) + space
            table[at] = landing(space, True, here, there, rules)
            table[at + COLUMNS] = landing(space, False, here, there, rules)
    return table


@njit(nogil=True)
def row(lying: int, crazy: bool) -> int:
    """Where the row for the markers `lying` and the direction begins."""
    return lying * 2 * COLUMNS + (COLUMNS if crazy else 0)


@njit(nogil=True)
def landing_space(entry: int) -> int:
    """Space where the unit comes to stand."""
    return entry & SPACES


@njit(nogil=True)
def landing_edge(entry: int) -> int:
    """The unit is inserted before the first lane with this space or more."""
    return (entry >> 5) & SPACES
