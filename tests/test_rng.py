"""The random numbers: published vectors, bounded draws without bias."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from scipy.stats import chi2

from camelodds.kernels.rng import next_below, next_row, next_word
from camelodds.kernels.sampling import ROWS, draw_dice
from camelodds.odds.sampling import words_of

# State -> first outputs of xoshiro256++: the first is the vector in the tests of Rust's
# rand_xoshiro, the second that of xoshiro-fortran.
VECTORS = {
    (1, 2, 3, 4): [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
        14011001112246962877,
        12406186145184390807,
        15849039046786891736,
        10450023813501588000,
    ],
    (0, 0, 0, 1): [
        0x0000000000800000,
        0x0000000000800011,
        0x0002200000800011,
        0x0002200044000020,
        0x00022000448008A1,
        0x01102100802208A0,
        0x0114002284200880,
        0x0402896644A64095,
        0x8A14A0A244ACC891,
        0x8C88BA4680B20495,
    ],
}


def state_of(words: tuple[int, ...]) -> np.ndarray:
    return np.array(words, dtype=np.uint64).reshape(4, 1)


@pytest.mark.nojit
@pytest.mark.parametrize("words", VECTORS)
def test_published_vectors(words: tuple[int, ...]) -> None:
    state = state_of(words)
    assert [int(next_word(state, 0)) for _ in range(10)] == VECTORS[words]


@pytest.mark.nojit
def test_streams_side_by_side() -> None:
    state = np.hstack([state_of(words) for words in VECTORS])
    row = np.empty(2, dtype=np.int64)
    for i in range(10):
        next_row(state, row)
        assert row.tolist() == [vector[i] >> 1 for vector in VECTORS.values()]


@pytest.mark.nojit
def test_chunks_have_streams_of_their_own() -> None:
    words = np.hstack([words_of(seed, chunk, 8) for seed in (0, 1, 2**200) for chunk in (0, 1)])
    assert words.shape == (4, 48)
    assert words.dtype == np.uint64
    assert len(np.unique(words)) == words.size
    assert np.array_equal(words_of(1, 1, 8), words[:, 24:32])


@pytest.mark.nojit
@pytest.mark.parametrize("bound", [1, 2, 3, 7, 36, 2**31 + 1, 2**32])
def test_bounded_draws_follow_lemire(bound: int) -> None:
    state, again = state_of((5, 6, 7, 8)), state_of((5, 6, 7, 8))
    for _ in range(50):
        product = (int(next_word(again, 0)) >> 32) * bound
        while product % 2**32 < 2**32 % bound:
            product = (int(next_word(again, 0)) >> 32) * bound
        assert next_below(state, 0, bound) == product >> 32


@njit(nogil=True)
def tally_below(state: np.ndarray, bound: int, n: int) -> np.ndarray:
    counts = np.zeros(bound, dtype=np.int64)
    for _ in range(n):
        counts[next_below(state, 0, bound)] += 1
    return counts


@njit(nogil=True)
def tally_dice(left: int, faces: int, state: np.ndarray, n: int) -> np.ndarray:
    words = np.empty(ROWS, dtype=np.int64)
    bags = np.empty(ROWS, dtype=np.int64)
    drawn = np.empty(ROWS, dtype=np.int64)
    bag = 0
    for die in range(left):
        bag |= die << 3 * die
    counts = np.zeros(64, dtype=np.int64)
    for _ in range(n // ROWS):
        for i in range(ROWS):
            bags[i] = bag
        next_row(state, words)
        draw_dice(left, faces, words, bags, drawn)
        for i in range(ROWS):
            counts[drawn[i]] += 1
    return counts


def p_value(counts: np.ndarray, expected: float) -> float:
    statistic = float(((counts - expected) ** 2).sum() / expected)
    return float(chi2.sf(statistic, len(counts) - 1))


def test_bounded_draws_are_uniform() -> None:
    for bound in (3, 5, 6, 36):
        counts = tally_below(words_of(bound, 0, 1), bound, 10**6)
        assert p_value(counts, 10**6 / bound) > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("bound", [2, 3, 5, 6, 7, 36, 1000])
def test_bounded_draws_are_uniform_over_1e8(bound: int) -> None:
    counts = tally_below(words_of(bound, 1, 1), bound, 10**8)
    assert p_value(counts, 10**8 / bound) > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(("left", "faces"), [(6, 6), (5, 6), (5, 3), (4, 3), (3, 3), (2, 3)])
def test_dice_in_lockstep_are_uniform_over_1e8(left: int, faces: int) -> None:
    n = 10**8 // ROWS * ROWS
    counts = tally_dice(left, faces, words_of(left, faces, ROWS), n)
    cells = np.array([die | face << 3 for die in range(left) for face in range(faces)])
    assert counts[cells].sum() == n
    assert p_value(counts[cells], n / len(cells)) > 1e-4
