"""Perfect numbering of the positions between legs, for the race tables.

Racing camels are relabelled by rank, crazy camels are exchangeable, since one grey die moves
either.  What is left is a multiset of spaces, one for each camel, and which of the ranks are
crazy: both are numbered by the combinatorial number system, without a gap.  Lanes are sorted
already, so a number is a sum of one table entry for each lane.

Moving a unit forward lowers no lane's space, so it never lowers the number of the multiset.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numba import njit

from camelodds.kernels.stacks import (
    CRAZY,
    LANE,
    LANES,
    RACERS,
    SENTINEL,
    SHIFT,
    SPACES,
    Array,
    camel_at,
    space_at,
)

COLUMNS = SPACES + 1
PATTERNS = LANES * COLUMNS
SIZES = PATTERNS + 2 * LANES
N_CRAZY, N_PATTERNS, N_STATES = range(SIZES, SIZES + 3)
"""Where a numbering holds the weights of the crazy lanes, and its three sizes."""


@lru_cache(maxsize=64)
def numbering(crazy: int, spaces: int) -> Array:
    """The numbering of positions with `crazy` crazy camels on spaces 1 to `spaces`.

    Returns
    -------
    (7 · 32 + 2 · 7 + 3,) int64
        For each lane and space, what that lane adds; for the first and second crazy camel,
        what its lane adds; the number of crazy camels, of patterns and of positions.
    """
    lanes = RACERS + crazy
    table = np.zeros(N_STATES + 1, dtype=np.int64)
    patterns = comb(lanes, crazy)
    for lane in range(lanes):
        for space in range(1, spaces + 1):
            table[lane * COLUMNS + space + SHIFT] = comb(space - 1 + lane, lane + 1) * patterns
        for k in range(crazy):
            table[PATTERNS + k * LANES + lane] = comb(lane, k + 1)
    table[N_CRAZY] = crazy
    table[N_PATTERNS] = patterns
    table[N_STATES] = comb(spaces - 1 + lanes, lanes) * patterns
    table.flags.writeable = False
    return table


@njit(cache=True, nogil=True, forceinline=True)
def index_of(stack: int, numbers: Array) -> int:
    """Number of a packed stack, all camels before the lines."""
    index = 0
    crazy = int(numbers[N_CRAZY])
    weights = PATTERNS
    for lane in range(RACERS + crazy):
        offset = lane * LANE
        index += int(numbers[np.uint64(lane * COLUMNS + space_at(stack, offset))])
        if crazy and camel_at(stack, offset) >= CRAZY:
            index += int(numbers[np.uint64(weights + lane)])
            weights += LANES
    return index


@njit(cache=True, nogil=True)
def stack_of(index: int, numbers: Array) -> int:
    """The packed stack of that number: the leading racing camel is 0, the last one 4."""
    crazy = int(numbers[N_CRAZY])
    pattern = index % int(numbers[N_PATTERNS])
    rest = index - pattern
    left = crazy
    rank = 0
    stack = 0
    for lane in range(LANES - 1, -1, -1):
        if lane >= RACERS + crazy:
            stack |= SENTINEL << lane * LANE
            continue
        space = SENTINEL >> 3
        # Spaces that are not on the track add nothing; the first one on it adds 0 as well.
        while space > 1 + SHIFT and not 0 < int(numbers[lane * COLUMNS + space]) <= rest:
            space -= 1
        rest -= int(numbers[lane * COLUMNS + space])
        camel = rank
        if left and pattern >= int(numbers[PATTERNS + (left - 1) * LANES + lane]):
            pattern -= int(numbers[PATTERNS + (left - 1) * LANES + lane])
            left -= 1
            camel = CRAZY + left
        else:
            rank += 1
        stack |= (space << 3 | camel) << lane * LANE
    return stack


@njit(cache=True, nogil=True)
def racer_sum(stack: int) -> int:
    """Sum of the spaces of the racing camels: no racing die lowers it."""
    total = 0
    for lane in range(LANES):
        if camel_at(stack, lane * LANE) < CRAZY:
            total += space_at(stack, lane * LANE) - SHIFT
    return total


@njit(cache=True, nogil=True)
def all_stacks(numbers: Array) -> tuple[Array, Array]:
    """The stack of every number, and the sum of its racing camels' spaces."""
    n = int(numbers[N_STATES])
    stacks = np.empty(n, dtype=np.int64)
    sums = np.empty(n, dtype=np.int64)
    for i in range(n):
        stacks[i] = stack_of(i, numbers)
        sums[i] = racer_sum(int(stacks[i]))
    return stacks, sums
