"""Random numbers: xoshiro256++ of Blackman and Vigna, and bounded draws from it.

A stream is four uint64 words that are not all 0, a column of a (4, n) array: n streams side
by side, which a loop over the columns advances together, in wide vectors where the processor
has them.  The words come from `numpy.random.SeedSequence`, see `camelodds.odds.sampling`.

Everything is masked to 64 bits, so that the same source runs on Python integers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from camelodds.kernels.stacks import Array

Words = npt.NDArray[np.uint64]

MASK = 0xFFFF_FFFF_FFFF_FFFF
HALF = 32
LOW = 0xFFFF_FFFF


@njit(cache=True, nogil=True, forceinline=True)
def rotate(x: int, k: int) -> int:
    """Rotate the 64 bits of `x` to the left by `k`."""
    return (x << k & MASK) | x >> 64 - k


@njit(cache=True, nogil=True, forceinline=True)
def next_word(state: Words, stream: int) -> int:
    """The next 64 random bits of one of the streams in `state`, (4, n) uint64."""
    s0, s1 = int(state[0, stream]), int(state[1, stream])
    s2, s3 = int(state[2, stream]), int(state[3, stream])
    word = (rotate((s0 + s3) & MASK, 23) + s0) & MASK
    t = s1 << 17 & MASK
    s2 ^= s0
    s3 ^= s1
    state[1, stream] = s1 ^ s2
    state[0, stream] = s0 ^ s3
    state[2, stream] = s2 ^ t
    state[3, stream] = rotate(s3, 45)
    return word


@njit(cache=True, nogil=True, forceinline=True)
def next_below(state: Words, stream: int, bound: int) -> int:
    """A uniform number from 0 to below `bound`, from 1 to 2^32, without any bias.

    The method of Lemire: the high half of a product, drawn again in the rare case that its
    low half falls into the remainder.
    """
    product = int(next_word(state, stream) >> HALF) * np.uint64(bound)
    if product & LOW < bound:
        least = (LOW + 1) % bound
        while product & LOW < least:
            product = int(next_word(state, stream) >> HALF) * np.uint64(bound)
    return int(product >> HALF)


@njit(cache=True, nogil=True)
def next_row(state: Words, row: Array) -> None:
    """Put 63 random bits of each stream of `state` into `row`."""
    for stream in range(len(row)):
        row[stream] = next_word(state, stream) >> 1
