"""Sampling legs and races of dice, many in lockstep.

A leg is a fixed number of dice and a tile never leads to another (F5): so `ROWS` legs are played
side by side, each step as a loop without branches over a few arrays, which the compiler turns
into wide vectors.  Tiles are bits to be looked up by shifting, since gathering from a table is not
vectorised.

All give whole-number counts in one array, so that the counts of chunks can be added.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from camelodds.kernels.bag import DIE, GREY
from camelodds.kernels.board import (
    COLUMNS,
    CRAZY_CAMELS,
    FLOOR,
    GOAL,
)
from camelodds.kernels.legs import N_COUNTS as LEG_COUNTS
from camelodds.kernels.legs import (
    ORDER_OF_CODE,
    RACE_ENDS,
)
from camelodds.kernels.rng import Words, next_row, next_word
from camelodds.kernels.stacks import (
    CRAZY,
    GUARDS,
    LANE,
    LANES,
    ONES,
    RACERS,
    SPACES,
    Array,
    below,
    camel_code,
    count_bits,
    find,
    only_racers,
)

SQUARES = LEG_COUNTS
N_COUNTS = SQUARES + COLUMNS
"""What is counted beside the outcomes: as in `legs` the landings by space, the ends of the race
and the markers that are gone; from `SQUARES` on the squares of the landings of each leg."""

ROWS = 128
"""Legs side by side; a stream of random numbers for each."""

TALLY = 3
"""Bits that count the landings on one tile in a leg: five at most, one for each die."""


@njit(cache=True, nogil=True, forceinline=True)
def grey_moves(stack: int, colour: int) -> int:
    """The crazy camel that a grey roll of `colour` moves (S4), as `grey_mover`, branch-free."""
    first, second = find(stack, CRAZY), find(stack, CRAZY + 1)
    space = (stack >> (first + 3)) & SPACES
    other = (stack >> (second + 3)) & SPACES
    # Lanes above each on its space, the other crazy camel not counted.
    spread = stack | GUARDS
    riders = LANES - count_bits((spread - ((space + 1) << 3) * ONES) & GUARDS)
    others = LANES - count_bits((spread - ((other + 1) << 3) * ONES) & GUARDS)
    same = int(space == other)
    lower = int(first < second)
    riders -= first // LANE + 1 + (same & lower)
    others -= second // LANE + 1 + (same & (1 - lower))
    above = same & int(second == first + LANE)
    under = same & int(first == second + LANE)
    alone = int(riders > 0) & int(others == 0)
    alone_other = int(others > 0) & int(riders == 0)
    forced_second = above | ((1 - under) & alone_other)
    forced_first = under | ((1 - above) & alone)
    mover = CRAZY + 1 if forced_second else colour
    return CRAZY if forced_first else mover


@njit(cache=True, nogil=True)
def draw_dice(left: int, faces: int, words: Array, bags: Array, drawn: Array) -> None:
    """Draw one of `left` dice from each bag and one of `faces` faces of it.

    `drawn` gets the die and above it the face, from 0 on.  The two come from separate halves
    of a random word, whose 31 bits or more leave a bias below 1e-8.
    """
    for i in range(ROWS):
        word = int(words[i])
        bag = int(bags[i])
        at = ((word >> 31) * left >> 32) * DIE
        face = (word & 0x7FFF_FFFF) * faces >> 31
        rest = below(at)
        drawn[i] = (bag >> at) & 7 | face << DIE
        bags[i] = (bag & rest) | ((bag >> DIE) & ~rest)


@njit(nogil=True)
def resolve_grey(stacks: Array, drawn: Array) -> None:
    """Put the camel that moves and its pips less one in the place of dice with six faces.

    The lowest bit of a face is the colour of the grey die.
    """
    for i in range(ROWS):
        die = int(drawn[i]) & 7
        face = int(drawn[i]) >> DIE
        crazy = grey_moves(int(stacks[i]), CRAZY + (face & 1))
        drawn[i] = (crazy if die == GREY else die) | face >> 1 << DIE


@njit(cache=True, nogil=True)
def move_drawn(
    stacks: Array,
    drawn: Array,
    landed: Array,
    plus: int,
    minus: int,
    leader: int,
    goal: int,
    floor: int,
) -> None:
    """Move the camels that were `drawn`, in the rows where the race goes on.

    A landing on the tile of a space is counted in the bits from `TALLY` * (space / 2) on:
    tiles are never side by side (F4).

    Parameters
    ----------
    stacks, drawn, landed : (ROWS,) int64
        Packed stacks; camel and pips less one; landings so far.
    plus, minus
        The tiles as bits by space.
    leader
        Offset of the foremost lane that holds a camel.
    goal, floor
        First space over the line, last space that is not over the one at the other end.
    """
    for i in range(ROWS):
        stack = int(stacks[i])
        camel = int(drawn[i]) & 7
        way = 1 - 2 * (camel // CRAZY)
        at = find(stack, camel)
        spread = stack | GUARDS
        space = (stack >> (at + 3)) & SPACES
        top = LANE * LANES - LANE * count_bits((spread - ((space + 1) << 3) * ONES) & GUARDS)
        # A crazy camel that has crossed in reverse moves no more, but is computed on.
        pips = max(space + way * ((int(drawn[i]) >> DIE) + 1), 0)
        up, down = (plus >> pips) & 1, (minus >> pips) & 1
        to = pips + way * (up - down)
        target = LANE * LANES - LANE * count_bits((spread - ((to + 1 - down) << 3) * ONES) & GUARDS)
        moved = stack + ((to - space) << 3) * ((ONES & below(top)) ^ (ONES & below(at)))
        low, high = min(at, target), max(top, target)
        middle = top if target >= top else at
        inner = below(high - low)
        both = (moved >> low) & inner
        swapped = ((both << (high - middle)) | (both >> (middle - low))) & inner
        moved ^= (both ^ swapped) << low
        over = int((stack >> (leader + 3)) & SPACES >= goal) | int((stack >> 3) & SPACES < floor)
        stacks[i] = stack if over else moved
        landed[i] += (up | down) * (1 - over) << TALLY * (pips >> 1)


@njit(nogil=True)
def play_leg(
    stacks: Array,
    landed: Array,
    work: Array,
    dice: int,
    left: int,
    last: int,
    plus: int,
    minus: int,
    rules: Array,
    state: Words,
) -> None:
    """Roll dice in all rows until `last` of `left` are inside.

    Parameters
    ----------
    stacks, landed : (ROWS,) int64
        See `move_drawn`.
    work : (3, ROWS) int64
        Room.
    dice, left, last
        The bag, `DIE` bits a die; how many are inside, and how many when the leg is over.
    plus, minus, rules
        See `board`.
    state : (4, ROWS) uint64
        Random streams.
    """
    words, bags, drawn = work[0], work[1], work[2]
    n_camels = RACERS + int(rules[CRAZY_CAMELS])
    for i in range(ROWS):
        bags[i] = dice
    while left > last:
        next_row(state, words)
        draw_dice(left, 6 if n_camels > RACERS else 3, words, bags, drawn)
        if n_camels > RACERS:
            resolve_grey(stacks, drawn)
        leader = LANE * (n_camels - 1)
        move_drawn(stacks, drawn, landed, plus, minus, leader, int(rules[GOAL]), int(rules[FLOOR]))
        left -= 1


@njit(nogil=True)
def race_over(stack: int, rules: Array) -> bool:
    """Whether a camel is over a line (F11, S6)."""
    leader = LANE * (RACERS + int(rules[CRAZY_CAMELS]) - 1)
    return bool(
        ((stack >> (leader + 3)) & SPACES >= rules[GOAL]) | ((stack >> 3) & SPACES < rules[FLOOR])
    )


@njit(cache=True, nogil=True)
def sample_dice(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    dice: int,
    left: int,
    last: int,
    n: int,
    state: Words,
    ends: Array,
) -> Array:
    """Counts over `n` random courses of a leg of dice.

    Parameters
    ----------
    stack, plus, minus, rules
        See `legs.exact_leg`.
    dice, left, last, state
        See `play_leg`.
    n
        Number of courses.
    ends : (n or 0,) int64
        Gets the stacks at the end of each course.

    Returns
    -------
    (120 + 68,) int64
        How often each order came, then what `N_COUNTS` lists.
    """
    result = np.zeros(120 + N_COUNTS, dtype=np.int64)
    counts = result[120:]
    codes = np.zeros(4096, dtype=np.int64)
    stacks = np.empty(ROWS, dtype=np.int64)
    landed = np.zeros(ROWS, dtype=np.int64)
    work = np.empty((3, ROWS), dtype=np.int64)
    crazy = int(rules[CRAZY_CAMELS])
    tiles = plus | minus
    for start in range(0, n, ROWS):
        for i in range(ROWS):
            stacks[i] = stack
        play_leg(stacks, landed, work, dice, left, last, plus, minus, rules, state)
        rows = min(ROWS, n - start)
        over = 0
        for i in range(rows):
            now = int(stacks[i])
            codes[np.uint64(camel_code(only_racers(now, crazy)))] += 1
            over += int(race_over(now, rules))
        counts[RACE_ENDS] += over
        if tiles:
            for space in range(COLUMNS):
                if tiles >> space & 1:
                    total, squares = 0, 0
                    for i in range(rows):
                        times = (int(landed[i]) >> TALLY * (space >> 1)) & 7
                        total += times
                        squares += times * times
                    counts[space] += total
                    counts[SQUARES + space] += squares
            for i in range(ROWS):
                landed[i] = 0
        if len(ends):
            for i in range(rows):
                ends[start + i] = stacks[i]
    for code in range(len(codes)):
        if codes[code]:
            result[ORDER_OF_CODE[code]] += codes[code]
    return result


@njit(cache=True, nogil=True)
def finish_races(
    starts: Array, rules: Array, dice: int, left: int, last: int, state: Words, legs: Array
) -> None:
    """Play each race on from between two legs to its end, without tiles.

    As soon as one of `ROWS` races is over, the next one takes its row; every race that begins
    is played to its end, so long ones count as often as short ones.

    Parameters
    ----------
    starts : (n,) int64
        Packed stacks; or -1 - the order of a race that is over.  All of them become
        the orders in which the races end.
    rules
        See `board`.
    dice, left, last, state
        See `play_leg`; a full pyramid.
    legs : (n,) int64
        To each is added the number of legs that were played.
    """
    crazy = int(rules[CRAZY_CAMELS])
    stacks = np.zeros(ROWS, dtype=np.int64)
    landed = np.zeros(ROWS, dtype=np.int64)
    work = np.empty((3, ROWS), dtype=np.int64)
    races = np.full(ROWS, -1, dtype=np.int64)
    since = np.zeros(ROWS, dtype=np.int64)
    free = np.arange(ROWS)
    n_free, begun, played, running = ROWS, 0, 0, 0
    while True:
        for f in range(n_free):
            i = int(free[f])
            race = int(races[i])
            if race >= 0:
                end = only_racers(int(stacks[i]), crazy)
                starts[race] = ORDER_OF_CODE[np.uint64(camel_code(end))]
                legs[race] += played - since[i]
                running -= 1
            while begun < len(starts) and starts[begun] < 0:
                starts[begun] = -1 - starts[begun]
                begun += 1
            races[i] = -1
            if begun < len(starts):
                races[i] = begun
                stacks[i] = starts[begun]
                since[i] = played
                begun += 1
                running += 1
            elif played == 0:
                stacks[i] = stacks[0]  # computed on, never counted
        if running == 0:
            break
        play_leg(stacks, landed, work, dice, left, last, 0, 0, rules, state)
        played += 1
        # Which races are over cannot be guessed, so this is without branches.
        n_free = 0
        for i in range(ROWS):
            free[n_free] = i
            n_free += int(race_over(int(stacks[i]), rules)) & int(races[i] >= 0)


RACE_LEGS, RACE_LEGS_SQUARES, ENDS_NOW, N_RACE_COUNTS = range(120, 124)
"""What is counted beside the 120 orders: legs of all races, the squares of them (or of the
differences of pairs), races that end in the first leg; from `N_RACE_COUNTS` on the pairs."""


@njit(cache=True, nogil=True)
def sample_races(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    dice: int,
    left: int,
    full_dice: int,
    full: int,
    last: int,
    n: int,
    state: Words,
) -> Array:
    """Counts over `n` random races: a leg as it stands, then legs without tiles.

    Parameters
    ----------
    stack, plus, minus, rules, dice, left, last, state
        See `sample_dice`.
    full_dice, full
        The bag of a full pyramid, and how many are inside.
    n
        Number of races.

    Returns
    -------
    (123,) int64
        How often each order came, then what `N_RACE_COUNTS` lists.
    """
    result = np.zeros(N_RACE_COUNTS, dtype=np.int64)
    crazy = int(rules[CRAZY_CAMELS])
    ends = np.empty(n, dtype=np.int64)
    legs = np.ones(n, dtype=np.int64)
    sample_dice(stack, plus, minus, rules, dice, left, last, n, state, ends)
    for i in range(n):
        end = int(ends[i])
        if race_over(end, rules):
            ends[i] = -1 - int(ORDER_OF_CODE[np.uint64(camel_code(only_racers(end, crazy)))])
            result[ENDS_NOW] += 1
    finish_races(ends, rules, full_dice, full, last, state, legs)
    for i in range(n):
        result[ends[i]] += 1
        result[RACE_LEGS] += legs[i]
        result[RACE_LEGS_SQUARES] += legs[i] * legs[i]
    return result


@njit(cache=True, nogil=True)
def sample_tails(
    states: Array,
    weights_to: Array,
    rules: Array,
    full_dice: int,
    full: int,
    last: int,
    n: int,
    state: Words,
) -> Array:
    """Counts over `n` races whose first leg is known exactly.

    The weights of the ends of the first leg, laid end to end, are cut into n / 2 equal strata,
    and two races begin in each.  So the counts need no weights, and the difference of the two
    tells the variance without bias.

    Parameters
    ----------
    states, weights_to : (m,) int64
        Ends of the first leg, as `starts` of `finish_races`; sums of their weights up to each.
    rules, full_dice, full, last, state
        See `sample_races`.
    n
        Number of races.

    Returns
    -------
    (123 + 120 * 120,) int64
        As `sample_races`, with the squared differences of the legs of the two of each stratum;
        then how often two orders were those of a stratum.
    """
    result = np.zeros(N_RACE_COUNTS + 120 * 120, dtype=np.int64)
    starts = np.empty(n, dtype=np.int64)
    legs = np.ones(n, dtype=np.int64)
    total = float(weights_to[-1])
    first = 0
    for i in range(n):
        begin = i & ~1
        width = min(2, n - begin)
        while float(weights_to[first]) <= total * begin / n:
            first += 1
        share = float(next_word(state, 0) >> 11) / 9007199254740992.0
        point = total * ((begin + width * share) / n)
        at = first
        while at < len(states) - 1 and float(weights_to[at]) <= point:
            at += 1
        starts[i] = states[at]
        if starts[i] < 0:
            result[ENDS_NOW] += 1
    finish_races(starts, rules, full_dice, full, last, state, legs)
    for i in range(n):
        result[starts[i]] += 1
        result[RACE_LEGS] += legs[i]
    for i in range(1, n):
        # The last of an odd number is compared with the one before it.
        if i & 1 or i == n - 1:
            gap = legs[i] - legs[i - 1]
            result[RACE_LEGS_SQUARES] += gap * gap
            result[N_RACE_COUNTS + starts[i] * 120 + starts[i - 1]] += 1
    return result


@njit(cache=True, nogil=True)
def race_orders(stacks: Array, rules: Array) -> Array:
    """The order of the racing camels in each of `stacks`."""
    orders = np.empty(len(stacks), dtype=np.int64)
    crazy = int(rules[CRAZY_CAMELS])
    for i in range(len(stacks)):
        racers = only_racers(int(stacks[i]), crazy)
        orders[i] = ORDER_OF_CODE[np.uint64(camel_code(racers))]
    return orders
