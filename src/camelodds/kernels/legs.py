"""Exact enumeration of what is left of a leg, by merging equal states.

The nodes of a `bag.Graph` (what is already out) are visited in their order.  The states of a
node are the packed stacks that can then stand on the track, each with its weight; equal ones
are found by one small hash table of indices into the growing pool of states.  An index older
than the first state of the present node is stale, so nothing is ever cleared.

The last draw builds no state: a table tells the order of the racing camels after a unit
moved past some others.

Most draws move a racing camel on a track without markers, so they have a tight loop of their
own (`step_by_racer`, `last_by_racer`) beside the general one (`step_by_any`, `last_by_any`):
that halves the time of a leg.  `step_by_marked` is one for a racing deck with markers.  An index
that is known not to be negative is cast to uint64, which spares numba's test for negative ones.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import numpy.typing as npt
from numba import njit

from camelodds.kernels.bag import (
    EDGE_ACTOR,
    EDGE_HIGH,
    EDGE_LOW,
    EDGE_NODE,
    EDGE_TIMES,
    GREY,
    NODE_INNER,
    NODE_LAST,
    NODE_SETTLED,
    NODE_WEIGHT,
)
from camelodds.kernels.board import (
    BANNER,
    BONUS,
    COLUMNS,
    CRAZY_CAMELS,
    FENNEC,
    FLAGS,
    LANDED,
    OVER,
    SHORTCUT,
    SPENT,
    landing_edge,
    landing_space,
    landings,
    row,
)
from camelodds.kernels.stacks import (
    CAMELS,
    CRAZY,
    GUARDS,
    LANE,
    LANES,
    MARK,
    ONES,
    RACERS,
    SPACES,
    TOP_FLAGS,
    Array,
    below,
    camel_at,
    camel_code,
    count_bits,
    find,
    first_from,
    grey_mover,
    guards_from,
    lowest_bit,
    only_racers,
    racer_guards,
    relocate,
    settle,
    space_at,
    squeeze,
    swap,
    unit_top,
)

ORDERS = list(permutations(range(RACERS)))
"""The 120 orders of the racing camels, leader first, in lexicographic order."""


def _order_tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Order of each `camel_code`; order after a unit moved.

    The second is indexed by the order (of 120), the lanes of the unit from `lane` to below
    `top`, and the lane before which it is inserted, each 0 to 5, all in one number.
    """
    lanes = np.array(ORDERS)[:, ::-1]
    places = 1 << 3 * np.arange(4)
    of_code = np.zeros(4096, dtype=np.uint8)
    of_code[lanes[:, :4] @ places] = np.arange(len(ORDERS))
    after = np.zeros((len(ORDERS), 6, 6, 6), dtype=np.uint8)
    rest = list(range(RACERS))
    for lane, top, target in product(range(6), repeat=3):
        low, middle, high = (lane, top, target) if target >= top else (target, lane, top)
        if low <= middle <= high:
            moved = rest[:low] + rest[middle:high] + rest[low:middle] + rest[high:]
            after[:, lane, top, target] = of_code[lanes[:, moved[:4]] @ places]
    return of_code, after.reshape(-1)


ORDER_OF_CODE, ORDER_AFTER = _order_tables()

RACE_ENDS, SHORTCUT_GONE, FENNEC_GONE, STATES = range(COLUMNS, COLUMNS + 4)
N_COUNTS = COLUMNS + 4
"""What is counted beside the outcomes: landings by space, and these four."""

LEG_MARK = MARK & ((1 << RACERS * LANE) - 1)
LEG_GUARDS = GUARDS & ((1 << RACERS * LANE) - 1)
LEG_ONES = ONES & ((1 << RACERS * LANE) - 1)
SPREAD_LANDED, SPREAD_OVER = 1 << 60, 1 << 61
"""The table of `last_by_racer`: an edge in each of five lanes, and two flags above them."""

FULL_POOL, FULL_SLOTS = -1, -2
"""What is returned instead of a number of states where there is no room for more."""

MOST_NEW = 6
"""As many states can come of one state and one draw."""

SCRAMBLE = -7046029254386353131
"""2^64 divided by the golden ratio, odd: spreads packed stacks over the hash table."""


@njit(nogil=True)
def outcome_of(stack: int, crazy: int, banner: int, outcomes: Array) -> int:
    """Number of the outcome that a stack with `crazy` crazy camels shows (M5, C13)."""
    stack = only_racers(stack, crazy)
    waiting = first_from(stack, banner + 1) // LANE
    return int(outcomes[waiting, ORDER_OF_CODE[camel_code(stack)]])


@njit(nogil=True)
def markers_gone(stack: int, entry: int, plus: int, minus: int, lying: int) -> int:
    """Which of the markers `lying` on the track go home after a move (C6).

    They do when they acted, or when the last racing camel is past them.
    """
    gone = (entry >> SPENT) & lying
    at = 0
    while camel_at(stack, at) >= CRAZY:
        at += LANE
    rear = space_at(stack, at)
    if lying & SHORTCUT and (plus >> rear) == 0:
        gone |= SHORTCUT
    if lying & FENNEC and (minus >> rear) == 0:
        gone |= FENNEC
    return gone


@njit(nogil=True)
def count_gone(counts: Array, gone: int, weight: int) -> None:
    """Add `weight` to the counters of the markers that are `gone`."""
    if gone & SHORTCUT:
        counts[SHORTCUT_GONE] += weight
    if gone & FENNEC:
        counts[FENNEC_GONE] += weight


@njit(nogil=True, forceinline=True)
def movers(stack: int, actor: int) -> tuple[int, int, int]:
    """First and last camel that `actor` moves, and how often each is moved (S4)."""
    if actor < GREY:
        return actor, actor, 1
    mover = grey_mover(stack, CRAZY)
    if mover < 0:
        return -1 - mover, -1 - mover, 2
    return CRAZY, CRAZY + 1, 1


@njit(nogil=True, forceinline=True)
def pips_to(stack: int, at: int, top: int, camel: int, face: int, bonus: int) -> int:
    """Space that the pips of a roll or card lead to, lines and tiles left aside (C8)."""
    space = space_at(stack, at)
    if camel < CRAZY:
        return space + face
    if top > at + LANE:
        face += bonus
    return space - face


@njit(nogil=True, forceinline=True)
def move_unit(stack: int, at: int, top: int, entry: int, banner: int) -> int:
    """The stack after the unit from `at` to `top` moved as `entry` of the board says."""
    space = landing_space(entry)
    stack = relocate(stack, at, top, space, landing_edge(entry))
    if space == banner:
        stack = settle(stack, banner)
    return stack


@njit(nogil=True)
def loud_spaces(table: Array) -> int:
    """Bits of the spaces where a crazy camel meets a tile or a line, no marker lying."""
    loud = 0
    board = row(0, True)
    for space in range(COLUMNS):
        if table[board + space] & (LANDED | OVER):
            loud |= 1 << space
    return loud


@njit(nogil=True, forceinline=True)
def calm(stack: int, crazy: int, loud: int) -> bool:
    """Whether no crazy camel carries a racing camel or can come to one of the `loud` spaces.

    Then a move of theirs changes no place of a racing camel and nothing else that counts.
    """
    racing = racer_guards(stack)
    for camel in range(CRAZY, CRAZY + crazy):
        at = find(stack, camel)
        space = space_at(stack, at)
        riders = (racing & below(first_from(stack, space + 1))) >> at
        if riders | (loud << 3 >> space & 15):
            return False
    return True


@njit(nogil=True, forceinline=True)
def merge(
    after: int,
    weight: int,
    begin: int,
    count: int,
    states: Array,
    weights: Array,
    slots: npt.NDArray[np.int32],
) -> int:
    """Add a state of the present node, whose first is `begin`, to the pool of `count` states.

    Returns how many there are then.  There is one path for new and for known states, without
    a branch, since which it is cannot be guessed.
    """
    mask = len(slots) - 1
    slot = (after * SCRAMBLE >> 64 - count_bits(mask)) & mask
    found = int(slots[np.uint64(slot)])
    while (found >= begin) & (int(states[np.uint64(found)]) != after):
        slot = (slot + 1) & mask
        found = int(slots[np.uint64(slot)])
    new = int(found < begin)
    index = np.uint64(found + new * (count - found))
    slots[np.uint64(slot)] = index
    states[index] = after
    weights[index] = weight + (new - 1 & int(weights[index]))
    return count + new


@njit(nogil=True)
def step_by_racer(
    first: int,
    final: int,
    begin: int,
    count: int,
    edge: Array,
    courses: int,
    crazy: int,
    table: Array,
    outcomes: Array,
    states: Array,
    weights: Array,
    slots: npt.NDArray[np.int32],
    result: Array,
    counts: Array,
) -> int:
    """Do what `step_by_any` does where a racing camel moves and there is no banner."""
    marked = int(edge[EDGE_ACTOR]) * ONES
    low, high = int(edge[EDGE_LOW]), int(edge[EDGE_HIGH]) + 1
    draws = int(edge[EDGE_TIMES])
    most = min(len(states), 3 * len(slots) // 4 + begin) - MOST_NEW
    for i in range(first, final):
        if count > most:
            return FULL_POOL if count > len(states) - MOST_NEW else FULL_SLOTS
        stack = int(states[np.uint64(i)])
        weight = int(weights[np.uint64(i)]) * draws
        spread = stack | GUARDS
        at = lowest_bit((MARK - ((stack & CAMELS) ^ marked)) & MARK) - 3
        space = space_at(stack, at)
        ahead = (spread - ((space + 1) << 3) * ONES) & GUARDS
        top = LANE * LANES - LANE * count_bits(ahead)
        unit = (ONES & below(top)) ^ (ONES & below(at))
        for pips in range(space + low, space + high):
            entry = int(table[np.uint64(pips)])
            moved = stack + ((landing_space(entry) - space) << 3) * unit
            ahead = (spread - (landing_edge(entry) << 3) * ONES) & GUARDS
            target = LANE * LANES - LANE * count_bits(ahead)
            if target >= top:
                after = swap(moved, at, top, target)
            else:
                after = swap(moved, target, at, top)
            if entry & (LANDED | OVER):
                if entry & LANDED:
                    counts[pips] += weight * courses
                if entry & OVER:
                    result[outcome_of(after, crazy, -1, outcomes)] += weight * courses
                    counts[RACE_ENDS] += weight * courses
                    continue
            count = merge(after, weight, begin, count, states, weights, slots)
    return count


@njit(nogil=True)
def step_by_marked(
    first: int,
    final: int,
    begin: int,
    count: int,
    edge: Array,
    courses: int,
    crazy: int,
    table: Array,
    plus: int,
    minus: int,
    flags: int,
    outcomes: Array,
    states: Array,
    weights: Array,
    slots: npt.NDArray[np.int32],
    result: Array,
    counts: Array,
) -> int:
    """Do what `step_by_any` does where a racing card moves and nobody is before the banner."""
    marked = int(edge[EDGE_ACTOR]) * ONES
    steps = int(edge[EDGE_LOW])
    draws = int(edge[EDGE_TIMES])
    room, most = len(states) - MOST_NEW, 3 * len(slots) // 4 + begin - MOST_NEW
    for i in range(first, final):
        if count > min(room, most):
            return FULL_POOL if count > room else FULL_SLOTS
        stack = int(states[np.uint64(i)])
        weight = int(weights[np.uint64(i)]) * draws
        lying = (stack >> TOP_FLAGS) & flags
        spread = stack | GUARDS
        at = lowest_bit((MARK - ((stack & CAMELS) ^ marked)) & MARK) - 3
        space = space_at(stack, at)
        ahead = (spread - ((space + 1) << 3) * ONES) & GUARDS
        top = LANE * LANES - LANE * count_bits(ahead)
        entry = int(table[np.uint64(row(lying, False) + space + steps)])
        moved = stack + ((landing_space(entry) - space) << 3) * (
            (ONES & below(top)) ^ (ONES & below(at))
        )
        ahead = (spread - (landing_edge(entry) << 3) * ONES) & GUARDS
        target = LANE * LANES - LANE * count_bits(ahead)
        if target >= top:
            after = swap(moved, at, top, target)
        else:
            after = swap(moved, target, at, top)
        if lying:
            # The crazy camel is one lane at the most.
            rear = space_at(after, LANE * int(camel_at(after, 0) >= CRAZY))
            past = int(plus >> rear == 0) * SHORTCUT | int(minus >> rear == 0) * FENNEC
            gone = (entry >> SPENT | past) & lying
            after ^= gone << TOP_FLAGS
            if gone:
                count_gone(counts, gone, weight * courses)
        if entry & OVER:
            result[outcome_of(after, crazy, -1, outcomes)] += weight * courses
            counts[RACE_ENDS] += weight * courses
            continue
        count = merge(after, weight, begin, count, states, weights, slots)
    return count


@njit(nogil=True)
def step_by_any(
    first: int,
    final: int,
    begin: int,
    count: int,
    edge: Array,
    courses: int,
    crazy: int,
    strip: bool,
    table: Array,
    plus: int,
    minus: int,
    rules: Array,
    outcomes: Array,
    states: Array,
    weights: Array,
    slots: npt.NDArray[np.int32],
    result: Array,
    counts: Array,
) -> int:
    """Draw `edge` in the states from `first` to `final` and merge what comes of it.

    Parameters
    ----------
    first, final
        States of the node that the edge comes from, in the pool.
    begin, count
        First state of the node that it leads to, and number of states in the pool.
    edge
        See `bag.Graph`.
    courses
        Weight of all courses from the node that it leads to.
    crazy
        Crazy camels in these states.
    strip
        Whether they can go, since none will move any more.
    table, plus, minus, rules
        See `board`.
    outcomes, result, counts
        See `exact_leg`.
    states, weights, slots
        See `enumerate_leg`.

    Returns
    -------
    int
        The number of states then; `FULL_POOL` or `FULL_SLOTS` if there is no room.
    """
    banner, bonus, flags = int(rules[BANNER]), int(rules[BONUS]), int(rules[FLAGS])
    actor, draws = int(edge[EDGE_ACTOR]), int(edge[EDGE_TIMES])
    low, high = int(edge[EDGE_LOW]), int(edge[EDGE_HIGH]) + 1
    n_faces = (high - low) * (2 if actor == GREY else 1)
    loud = loud_spaces(table)
    most = min(len(states), 3 * len(slots) // 4 + begin) - MOST_NEW
    for i in range(first, final):
        if count > most:
            return FULL_POOL if count > len(states) - MOST_NEW else FULL_SLOTS
        stack = int(states[i])
        lying = (stack >> TOP_FLAGS) & flags
        if strip and lying == 0 and calm(stack, crazy, loud):
            after = only_racers(stack, crazy)
            weight = int(weights[i]) * draws * n_faces
            count = merge(after, weight, begin, count, states, weights, slots)
            continue
        mover, last_mover, repeat = movers(stack, actor)
        weight = int(weights[i]) * draws * repeat
        for camel in range(mover, last_mover + 1):
            at = find(stack, camel)
            top = unit_top(stack, at, banner)
            board = row(lying, camel >= CRAZY)
            for face in range(low, high):
                pips = pips_to(stack, at, top, camel, face, bonus)
                entry = int(table[np.uint64(board + pips)])
                after = move_unit(stack, at, top, entry, banner)
                if entry & LANDED:
                    counts[pips] += weight * courses
                if lying:
                    gone = markers_gone(after, entry, plus, minus, lying)
                    count_gone(counts, gone, weight * courses)
                    after ^= gone << TOP_FLAGS
                if entry & OVER:
                    # It stands for all its continuations (F11).
                    result[outcome_of(after, crazy, banner, outcomes)] += weight * courses
                    counts[RACE_ENDS] += weight * courses
                    continue
                if strip:
                    after = only_racers(after, crazy)
                count = merge(after, weight, begin, count, states, weights, slots)
    return count


@njit(nogil=True)
def last_by_racer(
    states: Array,
    weights: Array,
    crazy: int,
    edge: Array,
    spread_table: Array,
    tally: Array,
    counts: Array,
) -> None:
    """Do what `last_by_any` does where a racing camel moves and there is no banner."""
    marked = int(edge[EDGE_ACTOR]) * ONES
    low, high = int(edge[EDGE_LOW]), int(edge[EDGE_HIGH]) + 1
    draws = int(edge[EDGE_TIMES])
    for i in range(len(states)):
        racers = squeeze(int(states[i]), crazy)
        spread = racers | GUARDS
        bit = lowest_bit((MARK - ((racers & CAMELS) ^ marked)) & LEG_MARK)
        space = (racers >> bit) & SPACES
        lane = count_bits(LEG_GUARDS & below(bit))
        top = RACERS - count_bits((spread - ((space + 1) << 3) * ONES) & LEG_GUARDS)
        unit = int(ORDER_OF_CODE[np.uint64(camel_code(racers))]) * 216 + lane * 36 + top * 6
        times = int(weights[i]) * draws
        for pips in range(space + low, space + high):
            entry = int(spread_table[np.uint64(pips)])
            target = RACERS - count_bits((spread - entry) & LEG_GUARDS)
            tally[np.uint64(ORDER_AFTER[np.uint64(unit + target)])] += times
            if entry >= SPREAD_LANDED:
                if entry & SPREAD_LANDED:
                    counts[pips] += times
                if entry & SPREAD_OVER:
                    counts[RACE_ENDS] += times


@njit(nogil=True)
def last_by_any(
    states: Array,
    weights: Array,
    crazy: int,
    edge: Array,
    table: Array,
    plus: int,
    minus: int,
    rules: Array,
    tally: Array,
    counts: Array,
) -> None:
    """Draw `edge`, with which the leg is over, in all these states.

    `tally` counts the orders of the racing camels, by how many of them stand before the
    banner; the other arguments are those of `step_by_any`.
    """
    banner, bonus, flags = int(rules[BANNER]), int(rules[BONUS]), int(rules[FLAGS])
    actor, draws = int(edge[EDGE_ACTOR]), int(edge[EDGE_TIMES])
    low, high = int(edge[EDGE_LOW]), int(edge[EDGE_HIGH]) + 1
    n_faces = (high - low) * (2 if actor == GREY else 1)
    loud = loud_spaces(table)
    for i in range(len(states)):
        stack = int(states[i])
        lying = (stack >> TOP_FLAGS) & flags
        racing = racer_guards(stack)
        order = int(ORDER_OF_CODE[np.uint64(camel_code(squeeze(stack, crazy)))])
        waiting = 0
        if banner >= 0:
            waiting = RACERS - count_bits(guards_from(stack, banner + 1) & racing)
        if actor >= CRAZY and lying == 0 and calm(stack, crazy, loud):
            tally[np.uint64(waiting * 120 + order)] += int(weights[i]) * draws * n_faces
            continue
        mover, last_mover, repeat = movers(stack, actor)
        times = int(weights[i]) * draws * repeat
        for camel in range(mover, last_mover + 1):
            at = find(stack, camel)
            top = unit_top(stack, at, banner)
            lane, lane_top = count_bits(racing & below(at)), count_bits(racing & below(top))
            unit = order * 216 + lane * 36 + lane_top * 6
            board = row(lying, camel >= CRAZY)
            still = waiting
            if space_at(stack, at) == banner:
                still -= lane_top - lane
            for face in range(low, high):
                pips = pips_to(stack, at, top, camel, face, bonus)
                entry = int(table[np.uint64(board + pips)])
                target = RACERS - count_bits(guards_from(stack, landing_edge(entry)) & racing)
                then = still
                if landing_space(entry) == banner:
                    then += lane_top - lane
                tally[np.uint64(then * 120 + ORDER_AFTER[np.uint64(unit + target)])] += times
                if entry & LANDED:
                    counts[pips] += times
                if entry & OVER:
                    counts[RACE_ENDS] += times
                if lying:
                    after = move_unit(stack, at, top, entry, banner)
                    count_gone(counts, markers_gone(after, entry, plus, minus, lying), times)


@njit(nogil=True)
def enumerate_leg(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    nodes: Array,
    inner: Array,
    last: Array,
    outcomes: Array,
    keep: bool,
    states: Array,
    weights: Array,
    starts: Array,
    slots: npt.NDArray[np.int32],
    result: Array,
    counts: Array,
    marked: int | None,
) -> bool:
    """Enumerate a leg; see `exact_leg` for the other arguments and the result.

    Parameters
    ----------
    keep
        Keep the crazy camels where they cannot move any more.
    states, weights
        Room for the pool of states.
    starts
        Room for the first state of each node.
    slots
        The hash table, empty, a power of two.
    result, counts
        The weight of each outcome, and what is counted beside them, empty.
    marked
        None where `step_by_marked` is not wanted: then numba leaves it out, and compiles sooner.

    Returns
    -------
    bool
        False if there was not enough room.
    """
    table = landings(plus, minus, rules)
    spread_table = np.empty(COLUMNS, dtype=np.int64)
    for space in range(COLUMNS):
        entry = int(table[space])
        spread_table[space] = (landing_edge(entry) << 3) * LEG_ONES
        if entry & LANDED:
            spread_table[space] |= SPREAD_LANDED
        if entry & OVER:
            spread_table[space] |= SPREAD_OVER
    banner, all_crazy = int(rules[BANNER]), int(rules[CRAZY_CAMELS])
    flags = int(rules[FLAGS])
    plain = banner < 0 and flags == 0
    by_card = banner < 0 and all_crazy <= 1
    for e in range(len(inner)):
        by_card &= inner[e, EDGE_LOW] == inner[e, EDGE_HIGH]
    tally = np.zeros(720 if banner >= 0 else 120, dtype=np.int64)
    count = 0
    for node in range(len(nodes) - 1):
        # Once no crazy camel can move any more it changes no outcome and no landing.
        crazy = 0 if nodes[node, NODE_SETTLED] and not keep else all_crazy
        begin = count
        starts[node] = begin
        courses = int(nodes[node, NODE_WEIGHT])
        if node == 0:
            states[0] = stack if crazy else only_racers(stack, all_crazy)
            weights[0] = 1
            count = 1
        for e in range(nodes[node, NODE_INNER], nodes[node + 1, NODE_INNER]):
            source = inner[e, EDGE_NODE]
            before = 0 if nodes[source, NODE_SETTLED] and not keep else all_crazy
            if inner[e, EDGE_ACTOR] < CRAZY and plain:
                count = step_by_racer(
                    starts[source],
                    starts[source + 1],
                    begin,
                    count,
                    inner[e],
                    courses,
                    before,
                    table,
                    outcomes,
                    states,
                    weights,
                    slots,
                    result,
                    counts,
                )
            else:
                general = True
                if marked is not None:  # a test on its own, so that numba can leave it out
                    general = inner[e, EDGE_ACTOR] >= CRAZY or not by_card
                    if not general:
                        count = step_by_marked(
                            starts[source],
                            starts[source + 1],
                            begin,
                            count,
                            inner[e],
                            courses,
                            before,
                            table,
                            plus,
                            minus,
                            flags,
                            outcomes,
                            states,
                            weights,
                            slots,
                            result,
                            counts,
                        )
                if general:
                    count = step_by_any(
                        starts[source],
                        starts[source + 1],
                        begin,
                        count,
                        inner[e],
                        courses,
                        before,
                        crazy < before,
                        table,
                        plus,
                        minus,
                        rules,
                        outcomes,
                        states,
                        weights,
                        slots,
                        result,
                        counts,
                    )
            if count < 0:
                counts[STATES] = count
                return False
        starts[node + 1] = count
        here, worth = states[begin:count], weights[begin:count]
        for e in range(nodes[node, NODE_LAST], nodes[node + 1, NODE_LAST]):
            if last[e, EDGE_ACTOR] < CRAZY and plain:
                last_by_racer(here, worth, crazy, last[e], spread_table, tally, counts)
            else:
                last_by_any(here, worth, crazy, last[e], table, plus, minus, rules, tally, counts)
    for i in range(len(tally)):
        result[outcomes[i // 120, i % 120]] += tally[i]
    counts[STATES] = count
    return True


@njit(cache=True, nogil=True)
def exact_leg(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    nodes: Array,
    inner: Array,
    last: Array,
    outcomes: Array,
    n_outcomes: int,
    pool: int,
    n_slots: int,
    marked: int | None = None,
) -> Array:
    """Weights of the outcomes of a leg.

    Parameters
    ----------
    stack
        The packed stack, see `stacks`.
    plus, minus
        The tiles or markers, as bits by space.
    rules
        See `board`.
    nodes, inner, last
        The bag, see `bag.Graph`.
    outcomes : (6, 120) int64
        Number of the outcome, by how many camels are before the banner and their order.
    n_outcomes
        Number of outcomes.
    pool, n_slots
        How many states there is room for, and slots of the hash table (a power of two).
    marked
        Anything but None for a deck of cards: a faster loop among markers is compiled for it.

    Returns
    -------
    (n_outcomes + 36,) int64
        The weight of each outcome, then of the landings by space, of the courses that
        end the race, of those after which the shortcut and the fennec are gone, and the
        number of merged states: `FULL_POOL` or `FULL_SLOTS` if there were too many.
    """
    result = np.zeros(n_outcomes + N_COUNTS, dtype=np.int64)
    states = np.empty(pool, dtype=np.int64)
    weights = np.empty(pool, dtype=np.int64)
    starts = np.empty(len(nodes) + 1, dtype=np.int64)
    slots = np.zeros(n_slots, dtype=np.int32)
    enumerate_leg(
        stack,
        plus,
        minus,
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
        result[:n_outcomes],
        result[n_outcomes:],
        marked,
    )
    return result


@njit(cache=True, nogil=True)
def leg_ends(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    nodes: Array,
    inner: Array,
    last: Array,
    outcomes: Array,
    n_outcomes: int,
    pool: int,
    n_slots: int,
    ends: Array,
) -> tuple[Array, Array, Array]:
    """The states in which a leg can end with the race going on, and their weights.

    The arguments are those of `exact_leg`, for a bag with its end nodes `ends` kept.  The
    result, first in the tuple, holds the courses that end the race only.  One state can
    come up once for each end node.
    """
    result = np.zeros(n_outcomes + N_COUNTS, dtype=np.int64)
    states = np.empty(pool, dtype=np.int64)
    weights = np.empty(pool, dtype=np.int64)
    starts = np.empty(len(nodes) + 1, dtype=np.int64)
    slots = np.zeros(n_slots, dtype=np.int32)
    if not enumerate_leg(
        stack,
        plus,
        minus,
        rules,
        nodes,
        inner,
        last,
        outcomes,
        True,
        states,
        weights,
        starts,
        slots,
        result[:n_outcomes],
        result[n_outcomes:],
        None,
    ):
        return result, states[:0], weights[:0]
    size = 0
    for node in ends:
        size += starts[node + 1] - starts[node]
    end_states = np.empty(size, dtype=np.int64)
    end_weights = np.empty(size, dtype=np.int64)
    size = 0
    for node in ends:
        times = nodes[node, NODE_WEIGHT]
        for i in range(starts[node], starts[node + 1]):
            end_states[size] = states[i]
            end_weights[size] = weights[i] * times
            size += 1
    return result, end_states, end_weights


@njit(cache=True, nogil=True)
def single_move(
    stack: int, plus: int, minus: int, rules: Array, actor: int, face: int
) -> tuple[int, int, int, int]:
    """Move what a roll or card of `actor` with `face` moves; crazy colours follow S4.

    Returns
    -------
    tuple of int
        The stack, the camel that moved, the space that its pips led to, and the entry
        of the board there.
    """
    table = landings(plus, minus, rules)
    camel = actor
    if actor >= CRAZY and rules[CRAZY_CAMELS] == 2:
        camel = grey_mover(stack, actor)
        if camel < 0:
            camel = -1 - camel
    banner = int(rules[BANNER])
    lying = (stack >> TOP_FLAGS) & int(rules[FLAGS])
    at = find(stack, camel)
    top = unit_top(stack, at, banner)
    pips = pips_to(stack, at, top, camel, face, int(rules[BONUS]))
    entry = int(table[row(lying, camel >= CRAZY) + pips])
    after = move_unit(stack, at, top, entry, banner)
    if lying:
        after ^= markers_gone(after, entry, plus, minus, lying) << TOP_FLAGS
    return after, camel, pips, entry
