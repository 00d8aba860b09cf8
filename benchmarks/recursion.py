"""The baseline: enumeration by plain recursion, every course walked on its own.

Same packed stack, same move and same table for the last roll as `camelodds.kernels.legs`, but
no merging of equal states, and nothing shared between the faces of a die.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from camelodds.kernels.bag import GREY
from camelodds.kernels.board import CRAZY_CAMELS, OVER, landing_edge, landings, row
from camelodds.kernels.legs import (
    ORDER_AFTER,
    ORDER_OF_CODE,
    move_unit,
    outcome_of,
    pips_to,
)
from camelodds.kernels.stacks import (
    CRAZY,
    RACERS,
    Array,
    below,
    camel_code,
    count_bits,
    find,
    grey_mover,
    guards_from,
    racer_guards,
    squeeze,
    unit_top,
)


@njit(cache=True, nogil=True)
def walk(
    stack: int,
    left: int,
    stays: int,
    weight: int,
    crazy: int,
    table: Array,
    outcomes: Array,
    result: Array,
) -> None:
    """Add all courses of the dice `left` (a bit for each actor), of which `stays` stay."""
    n_left = count_bits(left)
    for die in range(GREY + 1):
        if not left >> die & 1:
            continue
        rest = left ^ (1 << die)
        for face in range(6 if die == GREY else 3):
            camel = die
            if die == GREY:
                camel = grey_mover(stack, CRAZY + face // 3)
                if camel < 0:
                    camel = -1 - camel
            at = find(stack, camel)
            top = unit_top(stack, at, -1)
            pips = pips_to(stack, at, top, camel, 1 + face % 3, 0)
            entry = int(table[row(0, camel >= CRAZY) + pips])
            if n_left - 1 == stays:
                racing = racer_guards(stack)
                unit = int(ORDER_OF_CODE[camel_code(squeeze(stack, crazy))]) * 216
                unit += 36 * count_bits(racing & below(at)) + 6 * count_bits(racing & below(top))
                target = RACERS - count_bits(guards_from(stack, landing_edge(entry)) & racing)
                # The grey die has six faces: where it stays, a course weighs two.
                times = 2 * weight if rest >> GREY & 1 else weight
                result[outcomes[0, ORDER_AFTER[unit + target]]] += times
                continue
            after = move_unit(stack, at, top, entry, -1)
            if entry & OVER:
                # A course that ends early stands for all its continuations.
                times = 2 * weight if rest >> GREY & 1 else weight
                for n in range(stays, n_left - 1):
                    times *= 3 * (n + 1)
                result[outcome_of(after, crazy, -1, outcomes)] += times
            else:
                walk(after, rest, stays, weight, crazy, table, outcomes, result)


@njit(cache=True, nogil=True)
def recursive_leg(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    left: int,
    stays: int,
    outcomes: Array,
    n_outcomes: int,
) -> Array:
    """Weights of the outcomes of a leg of the first or the second edition."""
    result = np.zeros(n_outcomes, dtype=np.int64)
    table = landings(plus, minus, rules)
    walk(stack, left, stays, 1, int(rules[CRAZY_CAMELS]), table, outcomes, result)
    return result
