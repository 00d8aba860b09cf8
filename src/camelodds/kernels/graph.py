"""The merged leg as a graph: its states, what can follow each, and what each roll settles.

`legs` walks this graph once, forward, and keeps nothing but sums.  Here it is kept, so that it
can be walked in either direction: forward it gives the odds of `legs.exact_leg`; backward, the
odds from every state on, the value of a decision at every state, or whatever is known of the
ends of a leg, brought back to its beginning.

The states are those of `legs`: merged, by node of the bag, without the crazy camels once none
can move any more.  Those of a node are ascending, so that one of them is found by bisection.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from camelodds.kernels.bag import (
    EDGE_ACTOR,
    EDGE_HIGH,
    EDGE_LOW,
    EDGE_NODE,
    EDGE_TIMES,
    EDGE_TO,
    GREY,
    NODE_INNER,
    NODE_SETTLED,
    NODE_WEIGHT,
    Graph,
)
from camelodds.kernels.board import (
    BANNER,
    BONUS,
    CRAZY_CAMELS,
    FENNEC,
    FLAGS,
    LANDED,
    OVER,
    SHORTCUT,
    landings,
    row,
)
from camelodds.kernels.legs import (
    FENNEC_GONE,
    RACE_ENDS,
    SHORTCUT_GONE,
    calm,
    loud_spaces,
    markers_gone,
    move_unit,
    movers,
    outcome_of,
    pips_to,
)
from camelodds.kernels.stacks import CRAZY, TOP_FLAGS, Array, find, only_racers, unit_top

MOST_SETTLED = 5
"""A face settles an outcome, a landing, the end of the race, and two markers, at the most."""


class LegGraph(NamedTuple):
    """The states of a leg, number 0 the present one; all that follow have higher numbers.

    Attributes
    ----------
    states : (s,) int64
        Packed stacks, those of one node together and ascending.
    starts : (nodes + 1,) int64
        The first state of each node of the bag; end nodes have none.
    courses : (s,) int64
        Weight of all courses from each state to the end of the leg.
    first_next : (s + 1,) int64
        Where the rows of each state begin in `next`.
    next : (c, 2) int64
        A state that can follow by one draw, the race going on, and in how many ways.
    first_settled : (s + 1,) int64
        Where the rows of each state begin in `settled`.
    settled : (k, 2) int64
        What a draw from this state settles at once, as an index into the result of
        `legs.exact_leg` (outcomes, landings, the end of the race), and the weight of the
        courses from the state on for which it does.
    """

    states: Array
    starts: Array
    courses: Array
    first_next: Array
    next: Array
    first_settled: Array
    settled: Array

    def weights(self) -> Array:
        """(s,) int64: in how many ways state 0 leads to each state."""
        return ways_forward(self.first_next, self.next)

    def forward(self, size: int) -> Array:
        """Everything that is settled, over all courses: the result of `legs.exact_leg`.

        Parameters
        ----------
        size
            Length of that result; its last entry, the number of states, stays 0 here.
        """
        result = np.zeros(size, dtype=np.int64)
        reached = np.repeat(self.weights(), np.diff(self.first_settled))
        np.add.at(result, self.settled[:, 0], reached * self.settled[:, 1])
        return result

    def backward(self, payoff: Array) -> Array:
        """From each state on, the sum of the payoffs of what is settled, over all courses.

        Parameters
        ----------
        payoff : (size, k) int64
            k whole numbers for each thing that can be settled.

        Returns
        -------
        (s, k) int64
            Sums; divided by `courses`, expectations.
        """
        return sum_backward(self.first_next, self.next, self.first_settled, self.settled, payoff)


@njit(cache=True, nogil=True)
def ways_forward(first_next: Array, next_: Array) -> Array:
    """Do what `LegGraph.weights` says."""
    weights = np.zeros(len(first_next) - 1, dtype=np.int64)
    weights[0] = 1
    for state in range(len(weights)):
        for i in range(first_next[state], first_next[state + 1]):
            weights[next_[i, 0]] += weights[state] * next_[i, 1]
    return weights


@njit(cache=True, nogil=True)
def sum_backward(
    first_next: Array, next_: Array, first_settled: Array, settled: Array, payoff: Array
) -> Array:
    """Do what `LegGraph.backward` says."""
    n, width = len(first_next) - 1, payoff.shape[1]
    result = np.zeros((n, width), dtype=np.int64)
    for state in range(n - 1, -1, -1):
        for i in range(first_settled[state], first_settled[state + 1]):
            for k in range(width):
                result[state, k] += settled[i, 1] * payoff[settled[i, 0], k]
        for i in range(first_next[state], first_next[state + 1]):
            for k in range(width):
                result[state, k] += next_[i, 1] * result[next_[i, 0], k]
    return result


@njit(cache=True, nogil=True)
def draw(
    states: Array,
    starts: Array,
    edges: Array,
    courses: Array,
    crazy: Array,
    table: Array,
    plus: int,
    minus: int,
    rules: Array,
    outcomes: Array,
    n_outcomes: int,
    after: Array,
    settled: Array,
) -> tuple[int, int]:
    """Draw each of `edges` in every state of the node that it leaves.

    Parameters
    ----------
    states, starts
        See `LegGraph`.
    edges
        Rows of `bag.Graph.inner` or `bag.Graph.last`.
    courses
        By node: weight of the courses from there on; 0 for the nodes at which the leg is over,
        since then the edges hold the weight.
    crazy
        By node: the crazy camels in its states.
    table, plus, minus, rules
        See `board`.
    outcomes, n_outcomes
        See `legs.exact_leg`.
    after : (k, 3) int64
        Room for what follows, the race going on: state, stack, number of ways.
    settled : (k, 3) int64
        Room for what is settled: state, index into the result of `legs.exact_leg`, weight.

    Returns
    -------
    tuple of int
        How many rows of `after` and of `settled` are filled.
    """
    banner, bonus, flags = int(rules[BANNER]), int(rules[BONUS]), int(rules[FLAGS])
    loud = loud_spaces(table)
    n_after, n_settled = 0, 0
    for edge in edges:
        node, to, actor = int(edge[EDGE_NODE]), int(edge[EDGE_TO]), int(edge[EDGE_ACTOR])
        low, high = int(edge[EDGE_LOW]), int(edge[EDGE_HIGH]) + 1
        final = courses[to] == 0
        weight = 1 if final else int(courses[to])
        strip = not final and crazy[to] < crazy[node]
        for state in range(starts[node], starts[node + 1]):
            stack = int(states[state])
            lying = (stack >> TOP_FLAGS) & flags
            ways = int(edge[EDGE_TIMES])
            if strip and lying == 0 and calm(stack, crazy[node], loud):
                after[n_after, 0] = state
                after[n_after, 1] = only_racers(stack, crazy[node])
                after[n_after, 2] = ways * (high - low) * (2 if actor == GREY else 1)
                n_after += 1
                continue
            mover, last_mover, repeat = movers(stack, actor)
            ways *= repeat
            for camel in range(mover, last_mover + 1):
                at = find(stack, camel)
                top = unit_top(stack, at, banner)
                board = row(lying, camel >= CRAZY)
                for face in range(low, high):
                    pips = pips_to(stack, at, top, camel, face, bonus)
                    entry = int(table[board + pips])
                    moved = move_unit(stack, at, top, entry, banner)
                    gone = markers_gone(moved, entry, plus, minus, lying) if lying else 0
                    moved ^= gone << TOP_FLAGS
                    over = entry & OVER != 0
                    what = outcome_of(moved, crazy[node], banner, outcomes)
                    for applies, thing in (
                        (entry & LANDED != 0, n_outcomes + pips),
                        (gone & SHORTCUT != 0, n_outcomes + SHORTCUT_GONE),
                        (gone & FENNEC != 0, n_outcomes + FENNEC_GONE),
                        (over, n_outcomes + RACE_ENDS),
                        (final or over, what),
                    ):
                        if applies:
                            settled[n_settled, 0] = state
                            settled[n_settled, 1] = thing
                            settled[n_settled, 2] = ways * weight
                            n_settled += 1
                    if not final and not over:
                        after[n_after, 0] = state
                        after[n_after, 1] = only_racers(moved, crazy[node]) if strip else moved
                        after[n_after, 2] = ways
                        n_after += 1
    return n_after, n_settled


def leg_graph(
    stack: int,
    plus: int,
    minus: int,
    rules: Array,
    bag: Graph,
    outcomes: Array,
    n_outcomes: int,
) -> LegGraph:
    """The graph of a leg; the arguments are those of `legs.exact_leg`."""
    nodes, n_nodes = bag.nodes, len(bag.nodes) - 1
    table = landings(plus, minus, rules)
    courses = nodes[:-1, NODE_WEIGHT].copy()
    courses[bag.ends] = 0
    crazy = np.where(nodes[:-1, NODE_SETTLED] == 1, 0, rules[CRAZY_CAMELS])
    states = np.zeros(1, dtype=np.int64)
    states[0] = stack if crazy[0] else only_racers(stack, int(rules[CRAZY_CAMELS]))
    starts = np.zeros(n_nodes + 1, dtype=np.int64)
    starts[1] = 1

    def drawn(edges: Array) -> tuple[Array, Array]:
        faces = edges[:, EDGE_HIGH] - edges[:, EDGE_LOW] + 1
        faces *= np.where(edges[:, EDGE_ACTOR] == GREY, 2, 1)
        sources = edges[:, EDGE_NODE]
        n_faces = int((faces * (starts[sources + 1] - starts[sources])).sum())
        after = np.empty((n_faces, 3), dtype=np.int64)
        settled = np.empty((MOST_SETTLED * n_faces, 3), dtype=np.int64)
        n_after, n_settled = draw(
            states,
            starts,
            edges,
            courses,
            crazy,
            table,
            plus,
            minus,
            rules,
            outcomes,
            n_outcomes,
            after,
            settled,
        )
        return after[:n_after], settled[:n_settled]

    following, ending = [], []
    for node in range(1, n_nodes):
        after, settled = drawn(bag.inner[nodes[node, NODE_INNER] : nodes[node + 1, NODE_INNER]])
        new, child = np.unique(after[:, 1], return_inverse=True)
        after[:, 1] = len(states) + child
        states = np.concatenate([states, new])
        starts[node + 1] = len(states)
        following.append(after)
        ending.append(settled)
    ending.append(drawn(bag.last)[1])
    first_next, next_ = _by_state(following, len(states))
    first_settled, settled = _by_state(ending, len(states))
    return LegGraph(
        states=states,
        starts=starts,
        courses=np.repeat(nodes[:-1, NODE_WEIGHT], np.diff(starts)),
        first_next=first_next,
        next=next_,
        first_settled=first_settled,
        settled=settled,
    )


def _by_state(parts: list[Array], n_states: int) -> tuple[Array, Array]:
    """Rows of state, key and weight by state, equal keys added up: where each begins, the rest."""
    rows = np.concatenate([np.empty((0, 3), dtype=np.int64), *parts])
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (rows[1:, :2] != rows[:-1, :2]).any(axis=1)
    begin = np.flatnonzero(new)
    merged = rows[begin]
    if len(rows):
        merged[:, 2] = np.add.reduceat(rows[:, 2], begin)
    return np.searchsorted(merged[:, 0], np.arange(n_states + 1)), merged[:, 1:].copy()
