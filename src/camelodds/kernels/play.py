"""Best play of a leg: backward induction over its merged states and the tickets left.

The value of a state depends on the dice and tickets still to come and on nothing that anybody
holds, and it is the same for whoever is to move; so seats are counted from the player to
move, and after an action all move up by one.  Values are whole numbers: coins summed over all
courses from the state on.  So ties are exact, and nothing is ever rounded.

Two states have the same *future* if the same tickets pay as much in them and the same futures
follow in as many ways; the values of a future are computed once.  Tickets left are one
number, `t`, its digits the number of tickets left in each pile.  The layers of a leg, by the
number of dice out, are solved from the last to the first, and only two are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from camelodds.kernels.bag import EDGE_NODE, EDGE_TO, Graph
from camelodds.kernels.graph import LegGraph
from camelodds.kernels.stacks import Array

REVEAL = 1
"""Bit of the choice to reveal a die; the next bits are the piles, in their order."""


class Futures(NamedTuple):
    """The futures of one layer.

    Attributes
    ----------
    courses : (f,) int64
        Weight of all courses.
    places : (f, piles, 2) int64
        Weight of the courses in which the camel of a pile is first, and second.
    first : (f + 1,) int64
        Where the rows of each future begin in `next`.
    next : (c, 2) int64
        A future of the next layer, and in how many ways it follows.
    """

    courses: Array
    places: Array
    first: Array
    next: Array


def node_layers(bag: Graph) -> Array:
    """By node of the bag: how many draws lead to it."""
    layers = np.zeros(len(bag.nodes) - 1, dtype=np.int64)
    for edge in np.concatenate([bag.inner, bag.last]):
        layers[edge[EDGE_TO]] = layers[edge[EDGE_NODE]] + 1
    return layers


def merge_futures(graph: LegGraph, layer_of: Array, places: Array) -> tuple[Array, list[Futures]]:
    """The future of each state, numbered within its layer, and the futures of every layer.

    Parameters
    ----------
    graph
        The leg.
    layer_of : (s,) int64
        Layer of each state.
    places : (s, piles, 2) int64
        Weight of the courses in which the camel of a pile is first, and second.
    """
    n_states, n_piles = places.shape[:2]
    parent = np.repeat(np.arange(n_states), np.diff(graph.first_next))
    future_of = np.zeros(n_states, dtype=np.int64)
    futures = []
    for layer in range(int(layer_of.max()), -1, -1):
        members = np.flatnonzero(layer_of == layer)
        rows = np.flatnonzero(layer_of[parent] == layer)
        # A future is the sorted list of what follows, each way to it by itself; -1 for the
        # ways that end the race, and to fill up.
        rows = np.repeat(rows, graph.next[rows, 1])
        owner = np.searchsorted(members, parent[rows])
        column = np.arange(len(rows)) - np.searchsorted(owner, owner)
        ways = np.full((len(members), 1 + int(column.max(initial=-1))), -1, dtype=np.int64)
        ways[owner, column] = future_of[graph.next[rows, 0]]
        ways.sort(axis=1)
        keys = np.column_stack(
            [graph.courses[members], places[members].reshape(len(members), 2 * n_piles), ways]
        )
        unique, inverse = np.unique(keys, axis=0, return_inverse=True)
        future_of[members] = inverse.reshape(-1)
        ways = unique[:, 1 + 2 * n_piles :]
        new = np.ones(ways.shape, dtype=bool)
        new[:, 1:] = ways[:, 1:] != ways[:, :-1]
        begin = np.flatnonzero(new)
        count = np.diff(np.append(begin, ways.size))
        target = ways.reshape(-1)[begin]
        owner = begin // ways.shape[1]
        goes_on = target >= 0
        futures.append(
            Futures(
                courses=unique[:, 0].copy(),
                places=unique[:, 1 : 1 + 2 * n_piles].reshape(len(unique), n_piles, 2).copy(),
                first=np.searchsorted(owner[goes_on], np.arange(len(unique) + 1)),
                next=np.column_stack([target[goes_on], count[goes_on]]),
            )
        )
    return future_of, futures[::-1]


class Piles(NamedTuple):
    """The tickets left at first and all that can be left of them, as numbers `t`.

    Attributes
    ----------
    worths : (piles, most + 1) int64
        What the top ticket pays if first, by pile and number of tickets left; unused ones are 0.
    before : (size, piles) int64
        What is left after the top ticket of a pile is taken; `t` itself if there is none.
    left : (size, piles) int64
        Tickets left in each pile.
    """

    worths: Array
    before: Array
    left: Array


def piles_of(tickets: Sequence[Sequence[int]]) -> Piles:
    """The piles of these tickets, each given by its worths, top first, and not empty."""
    sizes = np.array([len(pile) for pile in tickets], dtype=np.int64)
    strides = np.cumprod(np.append(1, sizes + 1))
    t = np.arange(strides[-1])
    left = t[:, None] // strides[:-1] % (sizes + 1)
    before = t[:, None] - np.where(left > 0, strides[:-1], 0)
    worths = np.zeros((len(tickets), int(sizes.max(initial=0)) + 1), dtype=np.int64)
    for pile, worth in enumerate(tickets):
        worths[pile, 1 : len(worth) + 1] = worth[::-1]
    return Piles(worths, before, left)


@njit(cache=True, nogil=True)
def reveal(courses: int, rows: Array, later: Array, here: Array) -> None:
    """Fill `here`, (players, size), with the values of revealing a die.

    Parameters
    ----------
    courses
        Weight of all courses: the one coin of the player to move.
    rows
        What follows, see `Futures.next`.
    later : (futures, players, size)
        The values of the next layer, for its player to move.
    here
        Values by seat and tickets left.
    """
    players, size = here.shape
    for seat in range(players):
        coin = courses if seat == 0 else 0
        source = (seat + players - 1) % players
        mine = here[seat]
        for t in range(size):
            mine[t] = coin
        for i in range(len(rows)):
            theirs = later[rows[i, 0], source]
            ways = rows[i, 1]
            for t in range(size):
                mine[t] += ways * theirs[t]


@njit(nogil=True)
def choose(
    gains: Array,
    before: Array,
    left: Array,
    own: int,
    total: int,
    here: Array,
    totals: Array,
    choices: npt.NDArray[np.uint8],
) -> None:
    """Let the player to move choose, from the fewest tickets left to the most.

    Parameters
    ----------
    gains : (piles, most + 1) int64
        What the top ticket pays, by pile and number of tickets left.
    before, left
        See `Piles`.
    own, total
        What is made as large as can be: `own` times the own coins plus `total` times all coins.
    here : (players, size)
        The values of revealing a die; the values of the choice afterwards.
    totals : (size,) int64
        Room.
    choices : (size,) uint8
        A bit for each choice that is best, see `REVEAL`.
    """
    players, size = here.shape
    piles = len(gains)
    last = players - 1
    for t in range(size):
        all_coins = 0
        if total:
            for seat in range(players):
                all_coins += int(here[seat, t])
        best = own * int(here[0, t]) + total * all_coins
        taken, gain, bits = -1, 0, REVEAL
        for pile in range(piles):
            n = left[t, pile]
            if n == 0:
                continue
            earlier = before[t, pile]
            pays = gains[pile, n]
            # After the ticket the player to move is the last to move again.
            score = own * (pays + int(here[last, earlier])) + total * (pays + totals[earlier])
            if score > best:
                best, taken, gain, bits = score, pile, pays, 2 << pile
            elif score == best:
                bits |= 2 << pile
        if taken >= 0:
            earlier = before[t, taken]
            moved = here[last, earlier]
            for seat in range(last, 0, -1):
                here[seat, t] = here[seat - 1, earlier]
            here[0, t] = moved + gain
            all_coins = totals[earlier] + gain
        totals[t] = all_coins
        choices[t] = bits


@njit(cache=True, nogil=True)
def solve_layer(
    courses: Array,
    places: Array,
    first: Array,
    next_: Array,
    worths: Array,
    before: Array,
    left: Array,
    own: int,
    total: int,
    later: Array,
    here: Array,
    choices: npt.NDArray[np.uint8],
) -> None:
    """Solve one layer: fill `here`, (futures, players, size), and `choices`, (futures, size).

    The other arguments are the fields of `Futures` and `Piles`, and those of `choose`.
    """
    totals = np.zeros(here.shape[2], dtype=np.int64)
    gains = np.zeros(worths.shape, dtype=np.int64)
    for f in range(len(here)):
        all_courses = int(courses[f])
        reveal(all_courses, next_[first[f] : first[f + 1]], later, here[f])
        for pile in range(len(worths)):
            is_first, is_second = int(places[f, pile, 0]), int(places[f, pile, 1])
            for n in range(worths.shape[1]):
                # A ticket pays its worth if first, 1 if second, else -1 (F8).
                gains[pile, n] = (
                    int(worths[pile, n]) * is_first
                    + is_second
                    - (all_courses - is_first - is_second)
                )
        choose(gains, before, left, own, total, here[f], totals, choices[f])
