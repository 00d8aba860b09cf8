"""The packed stack: every camel of a position in one non-negative int64, and its one move.

A *lane* of nine bits holds one camel, from low to high: three bits of camel, five of space,
one guard bit that is always 0.  Seven lanes take 63 bits.  Lanes are sorted from last to
first (M5): lane 0 holds the rearmost camel at the bottom, the top lane the leader.  Editions
with fewer than seven camels fill the upper lanes with sentinels, whose space is greater
than any that a camel can have.

Spaces inside the kernels are shifted by `SHIFT`, so that a finished race in reverse
(space -2) still has a non-negative one.  Racing camels are numbered from 0 in the order of
the edition, crazy camels are `CRAZY` and `CRAZY` + 1.

An *offset* is a position in the packed stack in bits: nine times a lane.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import config, njit
from numba.core import types
from numba.extending import intrinsic

Array = npt.NDArray[np.int64]

LANE = 9
LANES = 7
RACERS = 5
CRAZY = 5
NOBODY = 7
SHIFT = 2
"""What is added to a space of the track to get the space of a lane."""

ONES = sum(1 << (LANE * lane) for lane in range(LANES))
CAMELS = 7 * ONES
SPACES = 31
GUARDS = 256 * ONES
MARK = 8 * ONES

SENTINEL_SPACE = 28
"""Spaces from here on are sentinels; the two low bits of the topmost one are *flags*."""
SENTINEL = ((SENTINEL_SPACE + 3) << 3) | NOBODY
TOP_LANE = LANE * (LANES - 1)
TOP_FLAGS = TOP_LANE + 3

if config.DISABLE_JIT:  # type: ignore[attr-defined]

    def count_bits(x: int) -> int:
        """Number of bits set in a non-negative `x`."""
        return int(x).bit_count()

    def lowest_bit(x: int) -> int:
        """Position of the lowest bit set in a positive `x`."""
        return (x & -x).bit_length() - 1

else:

    @intrinsic
    def count_bits(typingctx: Any, x: Any) -> Any:
        """Number of bits set in a non-negative `x`."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest_bit(typingctx: Any, x: Any) -> Any:
        """Position of the lowest bit set in a positive `x`."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen


@njit(nogil=True, forceinline=True)
def find(stack: int, camel: int) -> int:
    """Offset of the lane that holds `camel`."""
    # A field of three bits that equals `camel` leaves 8 - 0, the only one with bit 3 set.
    return lowest_bit((MARK - ((stack & CAMELS) ^ (camel * ONES))) & MARK) - 3


@njit(nogil=True, forceinline=True)
def space_at(stack: int, offset: int) -> int:
    """Space of the lane at `offset`."""
    return (stack >> (offset + 3)) & SPACES


@njit(nogil=True, forceinline=True)
def camel_at(stack: int, offset: int) -> int:
    """Camel in the lane at `offset`."""
    return (stack >> offset) & 7


@njit(nogil=True, forceinline=True)
def guards_from(stack: int, space: int) -> int:
    """The guard bits of all lanes whose space is `space` or more."""
    return ((stack | GUARDS) - (space << 3) * ONES) & GUARDS


@njit(nogil=True, forceinline=True)
def racer_guards(stack: int) -> int:
    """The guard bits of all lanes that hold a racing camel."""
    # Adding 3 carries into the fourth bit from camel 5 on.
    return (MARK & ~((stack & CAMELS) + (8 - CRAZY) * ONES)) << 5


@njit(nogil=True, forceinline=True)
def first_from(stack: int, space: int) -> int:
    """Offset of the first lane whose space is `space` or more; 63 if there is none."""
    return LANE * LANES - LANE * count_bits(guards_from(stack, space))


@njit(nogil=True, forceinline=True)
def below(offset: int) -> int:
    """All bits below `offset`, which is at most 63."""
    return (1 << offset) - 1


@njit(nogil=True, forceinline=True)
def swap(stack: int, low: int, middle: int, high: int) -> int:
    """Swap the adjacent blocks of lanes [`low`, `middle`) and [`middle`, `high`)."""
    both = (stack >> low) & below(high - low)
    swapped = ((both << (high - middle)) | (both >> (middle - low))) & below(high - low)
    return stack ^ ((both ^ swapped) << low)


@njit(nogil=True, forceinline=True)
def relocate(stack: int, at: int, top: int, space: int, edge: int) -> int:
    """Move the unit in the lanes from `at` to `top` to `space` (M1).

    It is inserted before the first lane whose space is `edge` or more: `space` itself puts it
    underneath the residents of its target, `space` + 1 on top of them.  The lanes that it
    passes and the unit are two adjacent blocks, which change places.
    """
    target = first_from(stack, edge)
    step = (space - space_at(stack, at)) << 3
    stack += step * ((ONES & below(top)) ^ (ONES & below(at)))
    if target >= top:
        return swap(stack, at, top, target)
    return swap(stack, target, at, top)


@njit(nogil=True, forceinline=True)
def squeeze(stack: int, crazy: int) -> int:
    """Lanes of the racing camels, from the bottom on; what lies above them is undefined."""
    if crazy == 0:
        return stack
    low = find(stack, CRAZY)
    high = find(stack, CRAZY + 1) if crazy == 2 else LANE * LANES
    if low > high:
        low, high = high, low
    middle = (stack >> LANE) & (below(high - LANE) ^ below(low))
    return (stack & below(low)) | middle | ((stack >> 2 * LANE) & ~below(high - LANE))


@njit(cache=True, nogil=True, forceinline=True)
def only_racers(stack: int, crazy: int) -> int:
    """The stack without its crazy camels, of which there are `crazy`; flags stay."""
    if crazy == 0:
        return stack
    top = stack >> TOP_LANE if crazy == 1 else SENTINEL
    racers = squeeze(stack, crazy) & below(RACERS * LANE)
    return racers | SENTINEL << RACERS * LANE | top << TOP_LANE


@njit(nogil=True, forceinline=True)
def unit_top(stack: int, at: int, banner: int) -> int:
    """Offset just above the unit that starts at `at`: all above it on its space (M1).

    Before the banner, on space `banner`, nobody carries (C3).
    """
    space = space_at(stack, at)
    if space == banner:
        return at + LANE
    return first_from(stack, space + 1)


@njit(nogil=True)
def settle(stack: int, banner: int) -> int:
    """Sort the lanes before the banner by camel: they stand side by side (C3)."""
    end = first_from(stack, banner + 1)
    for done in range(LANE, end, LANE):
        lane = (stack >> done) & 255
        at = done
        while at > 0 and (stack >> (at - LANE)) & 255 > lane:
            stack = swap(stack, at - LANE, at, at + LANE)
            at -= LANE
    return stack


@njit(nogil=True)
def grey_mover(stack: int, colour: int) -> int:
    """The crazy camel that a grey roll of `colour` moves (S4); -1 - mover if it is forced.

    Parameters
    ----------
    stack
        Seven lanes.
    colour
        `CRAZY` or `CRAZY` + 1, the colour of the face.
    """
    first = find(stack, CRAZY)
    second = find(stack, CRAZY + 1)
    same = space_at(stack, first) == space_at(stack, second)
    if same and second == first + LANE:
        return -1 - (CRAZY + 1)
    if same and first == second + LANE:
        return -1 - CRAZY
    first_carries = first_from(stack, space_at(stack, first) + 1) - first - LANE
    second_carries = first_from(stack, space_at(stack, second) + 1) - second - LANE
    if same and first < second:
        first_carries -= LANE
    elif same:
        second_carries -= LANE
    if first_carries > 0 and second_carries == 0:
        return -1 - CRAZY
    if second_carries > 0 and first_carries == 0:
        return -1 - (CRAZY + 1)
    return colour


@njit(nogil=True, forceinline=True)
def camel_code(racers: int) -> int:
    """Twelve bits that tell the camels in the lanes 0 to 3, and so all five."""
    x = racers & (7 | 7 << LANE | 7 << 2 * LANE | 7 << 3 * LANE)
    x |= x >> 6
    return (x & 63) | ((x >> 12) & 0xFC0)
