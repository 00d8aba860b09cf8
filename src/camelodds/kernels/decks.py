"""Sampling of racing decks: rounds, and whole races with their set-up between the rounds (C4).

A deck is drawn from in place: what is left of a kind of cards is the front of its segment of one
array, and a card that came changes places with the last of it.  Where a segment begins in
another order than the last time makes no difference to a uniform draw.

A position between rounds has no marker, so that where a unit lands is arithmetic there.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from camelodds.kernels.bag import CARD, COPIES, DRAWS, FIRST, SEGMENTS
from camelodds.kernels.board import (
    AHEAD,
    BANNER,
    BONUS,
    FLAGS,
    FLOOR,
    FOURTH,
    GOAL,
    landings,
    row,
)
from camelodds.kernels.legs import (
    ORDER_OF_CODE,
    RACE_ENDS,
    count_gone,
    markers_gone,
    move_unit,
)
from camelodds.kernels.rng import Words, next_word
from camelodds.kernels.sampling import N_COUNTS
from camelodds.kernels.stacks import (
    CRAZY,
    LANE,
    RACERS,
    SHIFT,
    TOP_FLAGS,
    Array,
    below,
    camel_at,
    camel_code,
    count_bits,
    find,
    first_from,
    guards_from,
    racer_guards,
    relocate,
    settle,
    space_at,
    squeeze,
)

LEGS, LEGS_SQUARES, ENDS_NOW, N_RACE = range(4)
"""What is counted beside the outcomes of races, as in `sampling`: rounds of all races, the
squares of them, races that end in this round."""

HALF_WORD = 0x7FFF_FFFF


@njit(nogil=True, forceinline=True)
def draw_card(cards: Array, first: Array, size: Array, draws: Array, left: int, word: int) -> int:
    """The next card of a deck of which `left` cards are to come, by 63 random bits.

    The two halves of the word pick the segment and the card; their bias is below 1e-8.
    """
    pick = (word >> 31) * left >> 32
    segment = int(pick >= draws[0]) + int(pick >= draws[0] + draws[1])
    rest = int(size[segment])
    at = int(first[segment])
    end = at + rest - 1
    at += (word & HALF_WORD) * rest >> 31
    card = int(cards[np.uint64(at)])
    cards[np.uint64(at)] = cards[np.uint64(end)]
    cards[np.uint64(end)] = card
    size[segment] = rest - 1
    draws[segment] -= 1
    return card


@njit(nogil=True, forceinline=True)
def over(stack: int, goal: int) -> int:
    """Not 0 if a racing camel stands on the finish (C12)."""
    return guards_from(stack, goal) & racer_guards(stack)


@njit(nogil=True)
def outcome_in(stack: int, crazy: int, banner: int, outcomes: Array) -> int:
    """Number of the outcome, as `legs.outcome_of` for stacks with at most one crazy camel."""
    racers = squeeze(stack, crazy)
    waiting = 0
    if banner >= 0:
        waiting = RACERS - count_bits(guards_from(stack, banner + 1) & racer_guards(stack))
    return int(outcomes[waiting, ORDER_OF_CODE[np.uint64(camel_code(racers))]])


@njit(nogil=True)
def play_plain(
    stack: int,
    cards: Array,
    first: Array,
    size: Array,
    draws: Array,
    left: int,
    goal: int,
    floor: int,
    banner: int,
    bonus: int,
    state: Words,
) -> int:
    """Reveal the `left` cards of a deck on a track without markers; stop when the race is over."""
    while left > 0:
        word = int(np.int64(next_word(state, 0) >> 1))
        card = draw_card(cards, first, size, draws, left, word)
        left -= 1
        camel, steps = card & 7, card >> CARD
        at = find(stack, camel)
        space = space_at(stack, at)
        top = first_from(stack, space + 1)
        if space == banner:
            top = at + LANE
        if camel < CRAZY:
            to = min(space + steps, goal)
            stack = relocate(stack, at, top, to, to + 1)
            if to == goal:
                break
        else:
            to = max(space - steps - (bonus if top > at + LANE else 0), floor)
            stack = relocate(stack, at, top, to, to + 1)
            if to == banner:
                stack = settle(stack, banner)
    return stack


@njit(nogil=True)
def play_marked(
    stack: int,
    cards: Array,
    first: Array,
    size: Array,
    draws: Array,
    left: int,
    table: Array,
    plus: int,
    minus: int,
    rules: Array,
    state: Words,
) -> int:
    """Do what `play_plain` does on a track with markers; the flags tell which still lie."""
    banner, bonus, goal = int(rules[BANNER]), int(rules[BONUS]), int(rules[GOAL])
    floor, flags = int(rules[FLOOR]), int(rules[FLAGS])
    while left > 0:
        lying = (stack >> TOP_FLAGS) & flags
        if lying == 0:
            return play_plain(
                stack, cards, first, size, draws, left, goal, floor, banner, bonus, state
            )
        word = int(np.int64(next_word(state, 0) >> 1))
        card = draw_card(cards, first, size, draws, left, word)
        left -= 1
        camel, steps = card & 7, card >> CARD
        at = find(stack, camel)
        space = space_at(stack, at)
        top = first_from(stack, space + 1)
        if space == banner:
            top = at + LANE
        pips = space + steps
        if camel >= CRAZY:
            pips = space - steps - (bonus if top > at + LANE else 0)
        entry = int(table[np.uint64(row(lying, camel >= CRAZY) + pips)])
        stack = move_unit(stack, at, top, entry, banner)
        stack ^= markers_gone(stack, entry, plus, minus, lying) << TOP_FLAGS
        if over(stack, goal):
            break
    return stack


@njit(nogil=True)
def open_deck(deck: Array, first: Array, size: Array, draws: Array) -> int:
    """Take all cards of a deck together again; gives how many are drawn."""
    left = 0
    for i in range(SEGMENTS):
        first[i] = deck[FIRST, i]
        size[i] = deck[COPIES, i]
        draws[i] = deck[DRAWS, i]
        left += int(deck[DRAWS, i])
    return left


@njit(cache=True, nogil=True)
def sample_deck(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    content: Array,
    deck: Array,
    crazy: int,
    outcomes: Array,
    n_outcomes: int,
    n: int,
    state: Words,
) -> Array:
    """Counts over `n` random courses of a round.

    Parameters
    ----------
    stack, plus, minus, rules, outcomes, n_outcomes
        See `legs.exact_leg`.
    content : (c,) int64
        The cards, segment after segment: camel and steps, see `CARD`.
    deck : (3, 3) int64
        Where each segment begins, its cards, how many of them are drawn.
    crazy
        Crazy camels on the track, at most one.
    n
        Number of courses.
    state : (4, 1 or more) uint64
        Random stream, the first column is used up.

    Returns
    -------
    (n_outcomes + 68,) int64
        How often each outcome came, then what `sampling.N_COUNTS` lists, but no landings.
    """
    result = np.zeros(n_outcomes + N_COUNTS, dtype=np.int64)
    counts = result[n_outcomes:]
    table = landings(plus, minus, rules)
    cards = content.copy()
    first = np.empty(SEGMENTS, dtype=np.int64)
    size = np.empty(SEGMENTS, dtype=np.int64)
    draws = np.empty(SEGMENTS, dtype=np.int64)
    banner, bonus = int(rules[BANNER]), int(rules[BONUS])
    goal, floor, flags = int(rules[GOAL]), int(rules[FLOOR]), int(rules[FLAGS])
    lying = (stack >> TOP_FLAGS) & flags
    for _ in range(n):
        left = open_deck(deck, first, size, draws)
        if lying:
            now = play_marked(
                stack, cards, first, size, draws, left, table, plus, minus, rules, state
            )
            count_gone(counts, lying & ~(now >> TOP_FLAGS), 1)
        else:
            now = play_plain(
                stack, cards, first, size, draws, left, goal, floor, banner, bonus, state
            )
        counts[RACE_ENDS] += int(over(now, goal) != 0)
        result[outcome_in(now, crazy, banner, outcomes)] += 1
    return result


@njit(nogil=True)
def set_up(stack: int, last: int, flipped: int, longest: int) -> tuple[int, int, int]:
    """What happens on the track between two rounds (C4).

    Parameters
    ----------
    stack
        Packed stack of five racing camels and the crazy one, spaces counted as they lie.
    last
        The last space before the finish, by its name.
    flipped
        Bit k for each flipped track card k.
    longest
        The longest track.

    Returns
    -------
    tuple of int
        Stack, last space and flipped cards afterwards.
    """
    n_flipped = count_bits(flipped)
    racing = racer_guards(stack)
    camels = RACERS + 1
    top = camels * LANE
    # Of the lanes below the sentinels, the foremost that holds a racing camel.
    leader_lane = top - LANE
    if not racing >> (leader_lane + 8) & 1:
        leader_lane -= LANE
    leader = space_at(stack, leader_lane) - SHIFT
    if last - n_flipped - leader < AHEAD:
        last = min(longest, leader + AHEAD + n_flipped)
    at = find(stack, CRAZY)
    # Where two or more wait before the banner, they are behind it, and there is no fourth.
    if count_bits(racing & ~below(at)) >= FOURTH:
        to = min(leader + AHEAD, last - n_flipped + 1) + SHIFT
        stack = relocate(stack, at, at + LANE, to, to + 1)
    # Which card each space belongs to, as the spaces lie; the banner is card 0.
    rear_lane = 0
    if camel_at(stack, 0) == CRAZY:
        rear_lane = LANE
    held, leader_card, rear_card = 0, 0, 0
    for lane in range(0, top, LANE):
        space = space_at(stack, lane) - SHIFT
        card = card_of(space, flipped)
        held |= 1 << card
        if lane == rear_lane:
            rear_card = card
        if camel_at(stack, lane) != CRAZY:
            leader_card = card
    blown = 0
    for card in range(rear_card + 1, leader_card):
        if not (held | flipped) >> card & 1:
            blown |= 1 << card
    # From the front, so that the spaces behind still count as they lay.
    while blown:
        card = highest_bit(blown)
        blown ^= 1 << card
        # The second space of the card, as the spaces lie.
        second = 2 * card - count_bits(flipped & below(card)) + SHIFT
        passed = guards_from(stack, second + 1) & below(top)
        stack -= passed >> 5
        flipped |= 1 << card
    return stack, last, flipped


@njit(nogil=True)
def card_of(space: int, flipped: int) -> int:
    """The track card of a space counted as the spaces lie."""
    rest = flipped
    card = 0
    while rest:
        card = count_bits((rest & -rest) - 1)
        if space < 2 * card:
            break
        space += 1
        rest &= rest - 1
    return (space + 1) >> 1


@njit(nogil=True)
def highest_bit(x: int) -> int:
    """Position of the highest bit set in a positive `x` below 2^32."""
    x |= x >> 1
    x |= x >> 2
    x |= x >> 4
    x |= x >> 8
    x |= x >> 16
    return count_bits(x) - 1


@njit(cache=True, nogil=True)
def sample_card_races(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    content: Array,
    deck: Array,
    fresh_content: Array,
    fresh_deck: Array,
    last: int,
    flipped: int,
    longest: int,
    before_banner: int,
    outcomes: Array,
    n_outcomes: int,
    n: int,
    state: Words,
) -> Array:
    """Counts over `n` random races: the rest of this round, then rounds set up by C4.

    Parameters
    ----------
    stack, plus, minus, rules, content, deck, outcomes, n_outcomes, n, state
        See `sample_deck`; there is one crazy camel.
    fresh_content, fresh_deck
        The deck of every later round.
    last, flipped, longest
        The track, see `set_up`.
    before_banner
        Lane space where the racing camels wait.

    Returns
    -------
    (n_outcomes + 3,) int64
        How often each outcome came, then what `N_RACE` lists.
    """
    result = np.zeros(n_outcomes + N_RACE, dtype=np.int64)
    counts = result[n_outcomes:]
    table = landings(plus, minus, rules)
    now_cards, fresh = content.copy(), fresh_content.copy()
    first = np.empty(SEGMENTS, dtype=np.int64)
    size = np.empty(SEGMENTS, dtype=np.int64)
    draws = np.empty(SEGMENTS, dtype=np.int64)
    banner, bonus = int(rules[BANNER]), int(rules[BONUS])
    goal_now, floor, flags = int(rules[GOAL]), int(rules[FLOOR]), int(rules[FLAGS])
    lying = (stack >> TOP_FLAGS) & flags
    for _ in range(n):
        left = open_deck(deck, first, size, draws)
        if lying:
            now = play_marked(
                stack, now_cards, first, size, draws, left, table, plus, minus, rules, state
            )
        else:
            now = play_plain(
                stack, now_cards, first, size, draws, left, goal_now, floor, banner, bonus, state
            )
        legs, goal, end, cards_flipped = 1, goal_now, last, flipped
        if over(now, goal):
            counts[ENDS_NOW] += 1
        else:
            while True:
                now, end, cards_flipped = set_up(now, end, cards_flipped, longest)
                goal = end - count_bits(cards_flipped) + 1 + SHIFT
                left = open_deck(fresh_deck, first, size, draws)
                now = play_plain(
                    now,
                    fresh,
                    first,
                    size,
                    draws,
                    left,
                    goal,
                    floor,
                    before_banner,
                    bonus,
                    state,
                )
                legs += 1
                if over(now, goal):
                    break
        result[outcome_in(now, 1, before_banner, outcomes)] += 1
        counts[LEGS] += legs
        counts[LEGS_SQUARES] += legs * legs
    return result
