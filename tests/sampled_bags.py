"""Sampling of any bag, one course after the other: what the samplers in lockstep are compared with.

It draws items one by one as `bag.Item` says and moves with the functions that `legs` uses.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from camelodds.kernels.bag import GREY
from camelodds.kernels.board import (
    BANNER,
    BONUS,
    COLUMNS,
    CRAZY_CAMELS,
    FLAGS,
    LANDED,
    OVER,
    landings,
    row,
)
from camelodds.kernels.legs import (
    RACE_ENDS,
    count_gone,
    markers_gone,
    move_unit,
    outcome_of,
    pips_to,
)
from camelodds.kernels.rng import Words, next_below
from camelodds.kernels.sampling import N_COUNTS, SQUARES
from camelodds.kernels.stacks import CRAZY, TOP_FLAGS, Array, find, grey_mover, unit_top

ITEM_ACTOR, ITEM_LOW, ITEM_HIGH, ITEM_COPIES, ITEM_GROUP = range(5)
"""Columns of `items`, the rows of which are `bag.Item`s."""


@njit(cache=True, nogil=True)
def sample_bag(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    items: Array,
    draws: Array,
    outcomes: Array,
    n_outcomes: int,
    n: int,
    state: Words,
) -> Array:
    """Counts over `n` random courses of a leg.

    Parameters
    ----------
    stack, plus, minus, rules, outcomes, n_outcomes
        See `legs.exact_leg`.
    items : (i, 5) int64
        The bag: actor, lowest and highest face, copies, group.
    draws : (g,) int64
        How many of each group are drawn.
    n
        Number of courses.
    state : (4, 1 or more) uint64
        Random stream, the first column is used up.

    Returns
    -------
    (n_outcomes + 68,) int64
        How often each outcome came, then what `N_COUNTS` lists.
    """
    result = np.zeros(n_outcomes + N_COUNTS, dtype=np.int64)
    counts = result[n_outcomes:]
    table = landings(plus, minus, rules)
    banner, bonus, flags = int(rules[BANNER]), int(rules[BONUS]), int(rules[FLAGS])
    crazy = int(rules[CRAZY_CAMELS])
    copies = np.empty(len(items), dtype=np.int64)
    inside = np.empty(len(draws), dtype=np.int64)
    to_draw = np.empty(len(draws), dtype=np.int64)
    landed = np.zeros(COLUMNS, dtype=np.int64)
    for _ in range(n):
        now = stack
        lying = (now >> TOP_FLAGS) & flags
        left = 0
        for g in range(len(draws)):
            to_draw[g] = draws[g]
            inside[g] = 0
            left += int(draws[g])
        for i in range(len(items)):
            copies[i] = items[i, ITEM_COPIES]
            inside[items[i, ITEM_GROUP]] += items[i, ITEM_COPIES]
        while left > 0:
            # Which group comes is uniform over the draws that are left of each.
            pick = next_below(state, 0, left)
            group = 0
            while pick >= to_draw[group]:
                pick -= int(to_draw[group])
                group += 1
            pick = next_below(state, 0, int(inside[group]))
            item = 0
            while items[item, ITEM_GROUP] != group or pick >= copies[item]:
                if items[item, ITEM_GROUP] == group:
                    pick -= int(copies[item])
                item += 1
            copies[item] -= 1
            inside[group] -= 1
            to_draw[group] -= 1
            left -= 1
            low = int(items[item, ITEM_LOW])
            face = low + next_below(state, 0, int(items[item, ITEM_HIGH]) - low + 1)
            camel = int(items[item, ITEM_ACTOR])
            if camel == GREY:
                camel = grey_mover(now, CRAZY + next_below(state, 0, 2))
                if camel < 0:
                    camel = -1 - camel
            at = find(now, camel)
            top = unit_top(now, at, banner)
            pips = pips_to(now, at, top, camel, face, bonus)
            entry = int(table[row(lying, camel >= CRAZY) + pips])
            now = move_unit(now, at, top, entry, banner)
            if entry & LANDED:
                landed[pips] += 1
            if lying:
                gone = markers_gone(now, entry, plus, minus, lying)
                count_gone(counts, gone, 1)
                now ^= gone << TOP_FLAGS
                lying ^= gone
            if entry & OVER:
                counts[RACE_ENDS] += 1
                break
        result[outcome_of(now, crazy, banner, outcomes)] += 1
        for space in range(COLUMNS):
            if landed[space]:
                counts[space] += landed[space]
                counts[SQUARES + space] += landed[space] * landed[space]
                landed[space] = 0
    return result
