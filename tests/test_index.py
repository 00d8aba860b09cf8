"""The numbering of positions between legs: without a gap, and back."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from camelodds import FIRST, SECOND, Position
from camelodds.kernels.index import (
    N_PATTERNS,
    N_STATES,
    all_stacks,
    index_of,
    numbering,
    racer_sum,
    stack_of,
)
from camelodds.kernels.stacks import CRAZY, LANE, LANES, NOBODY, SHIFT


def lanes(stack: int) -> list[tuple[int, int]]:
    """Space and camel of each lane that holds a camel, from the rear."""
    fields = [(stack >> LANE * lane) & 255 for lane in range(LANES)]
    return [((f >> 3) - SHIFT, f & 7) for f in fields if f & 7 != NOBODY]


def test_all_positions_of_the_first_edition() -> None:
    numbers = numbering(0, 16)
    stacks, sums = all_stacks(numbers)
    assert len(stacks) == comb(20, 5) == 15_504
    seen = set()
    for i, stack in enumerate(stacks.tolist()):
        assert index_of(stack, numbers) == i
        spaces = [space for space, _ in lanes(stack)]
        assert spaces == sorted(spaces)
        assert spaces[0] >= 1
        assert spaces[-1] <= 16
        assert [camel for _, camel in lanes(stack)] == [4, 3, 2, 1, 0]
        assert sums[i] == sum(spaces)
        seen.add(tuple(spaces))
    assert len(seen) == 15_504


@pytest.mark.parametrize("spaces", [1, 2, 5])
def test_all_positions_with_crazy_camels(spaces: int) -> None:
    numbers = numbering(2, spaces)
    stacks, sums = all_stacks(numbers)
    assert len(stacks) == comb(spaces + 6, 7) * 21 == numbers[N_STATES]
    seen = set()
    for i, stack in enumerate(stacks.tolist()):
        assert index_of(stack, numbers) == i
        camels = [camel for _, camel in lanes(stack)]
        assert [c for c in camels if c < CRAZY] == [4, 3, 2, 1, 0]
        assert [c for c in camels if c >= CRAZY] == [CRAZY, CRAZY + 1]
        assert sums[i] == sum(space for space, camel in lanes(stack) if camel < CRAZY)
        seen.add(tuple((space, camel >= CRAZY) for space, camel in lanes(stack)))
    assert len(seen) == len(stacks)


@pytest.mark.nojit
def test_second_edition_in_samples() -> None:
    numbers = numbering(2, 16)
    assert int(numbers[N_STATES]) == comb(22, 7) * 21 == 3_581_424
    assert int(numbers[N_PATTERNS]) == 21
    rng = np.random.default_rng(1)
    for index in [0, 20, 3_581_423, *rng.integers(0, 3_581_424, 300).tolist()]:
        stack = stack_of(index, numbers)
        assert index_of(stack, numbers) == index
        assert racer_sum(stack) == sum(s for s, camel in lanes(stack) if camel < CRAZY)


@pytest.mark.nojit
@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_names_of_camels_do_not_matter(edition: object) -> None:
    if edition is FIRST:
        pairs = [("1:gyo 3:bw", "1:wbo 3:gy")]
    else:
        pairs = [("1:gyr 3:bWp 9:K", "1:pyr 3:bKg 9:W")]
    for one, other in pairs:
        stacks = [Position.parse(text, edition).packed.stack for text in (one, other)]
        numbers = numbering(len(edition.crazy), edition.spaces)
        assert index_of(stacks[0], numbers) == index_of(stacks[1], numbers)


@pytest.mark.nojit
def test_a_forward_move_never_lowers_the_number_of_the_spaces() -> None:
    numbers = numbering(0, 16)
    for text in ["1:bygow", "3:ob 4:g 6:y 7:w", "2:b 14:yg 15:ow"]:
        position = Position.parse(text, FIRST)
        for die in FIRST.dice:
            for face in "123":
                after = position.after(die + face)
                if not after.race_over:
                    before = index_of(position.packed.stack, numbers)
                    assert index_of(after.packed.stack, numbers) > before
