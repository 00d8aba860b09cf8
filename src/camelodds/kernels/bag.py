"""What comes next, drawn without replacement: dice out of a pyramid, cards out of a deck.

A bag holds *items*; an item has faces that are equally likely, each moving `actor` by a number
of steps.  Items are in *groups*, and of each group a known number is drawn: five dice of
five or of six, two crazy cards of five, all cards that are known to be in the deck, some of
the pool that the rest of it comes from.  Which group comes when is uniform.

`bag_graph` lists what can be out as a graph, so that the enumeration in `legs` needs no
notion of dice or cards.  This is plain NumPy: a graph is made once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from camelodds.kernels.stacks import CRAZY, Array

GREY = 7
"""The actor of the grey die: a face names a colour, `stacks.grey_mover` the camel (S4)."""


DIE = 3
"""Bits of a die in a bag of dice as one number, one die above the other by their actors."""


CARD = 3
"""A card in a deck as one number: the camel, and from this bit on its steps."""

SEGMENTS = 3
FIRST, COPIES, DRAWS = range(3)
"""A deck for `camelodds.kernels.decks`, (3, 3): of the crazy cards, the known ones and the unknown
ones where they begin, how many there are, how many of them are drawn."""


class Item(NamedTuple):
    """One kind of die or card in a bag."""

    actor: int
    low: int
    high: int
    copies: int = 1
    """How many of this kind are inside."""
    group: int = 0
    stays: int = 1
    """Weight of a course for each of this kind that is not drawn."""


NODE_INNER, NODE_LAST, NODE_WEIGHT, NODE_SETTLED = range(4)
EDGE_NODE, EDGE_ACTOR, EDGE_LOW, EDGE_HIGH, EDGE_TIMES, EDGE_TO = range(6)


class Graph(NamedTuple):
    """What can be out of a bag, in an order in which every draw leads to a later node.

    Attributes
    ----------
    nodes : (n + 1, 4) int64
        Of each node: where its edges begin in `inner`, and in `last`; the weight of all courses
        from here to the end; 1 if no crazy camel can move any more.  The last row only closes
        the ranges.
    inner : (i, 6) int64
        Edges listed at the node that they *lead to*: the node they come from, actor, lowest
        and highest face, how many equal items can be drawn, the node they lead to.
    last : (l, 6) int64
        The draws that end the leg, listed at the node that they *leave*: this node, actor, lowest
        and highest face, weight of such a draw with what then stays inside, the end node.
    ends : (e,) int64
        The nodes at which the leg is over.
    """

    nodes: Array
    inner: Array
    last: Array
    ends: Array

    @property
    def total(self) -> int:
        """The weight of all courses."""
        return int(self.nodes[0, NODE_WEIGHT])


def bag_graph(items: Sequence[Item], draws: Sequence[int], *, keep_ends: bool = False) -> Graph:
    """Graph of a bag from which `draws[g]` items of each group g are drawn.

    Parameters
    ----------
    items
        What is inside.
    draws
        How many of each group come out.
    keep_ends
        Treat the last draws as any other, so that the states at the end of the leg are kept;
        `last` is then empty.

    Raises
    ------
    OverflowError
        If the weights do not fit into 63 bits.

    Examples
    --------
    >>> bag_graph([Item(0, 1, 3), Item(1, 1, 3)], [2]).total
    18
    """
    # All that can be out, as rows of how many of each item, in numeric order.
    counts = np.array([item.copies for item in items], dtype=np.int64)
    groups = np.array([item.group for item in items], dtype=np.int64)
    content = np.zeros((1, 0), dtype=np.int64)
    for g, most in enumerate(draws):
        rows = _contents(counts[groups == g], most)
        content = np.hstack([np.repeat(content, len(rows), 0), np.tile(rows, (len(content), 1))])
    order = np.argsort(groups, kind="stable")
    items, counts, groups = [items[i] for i in order], counts[order], groups[order]
    to_draw = np.array(
        [draw - content[:, groups == g].sum(axis=1) for g, draw in enumerate(draws)]
    ).reshape(len(draws), len(content))

    radix = np.cumprod(np.append(1, counts[:0:-1] + 1))[::-1] if len(items) else counts
    codes = content @ radix
    # Edges in columns: the node left, the item drawn, how many of it there are, the node reached.
    leaves = [
        np.flatnonzero((counts[i] > content[:, i]) & (to_draw[groups[i]] > 0))
        for i in range(len(items))
    ]
    empty = np.empty(0, dtype=np.int64)
    source = np.concatenate([empty, *leaves])
    drawn = np.repeat(np.arange(len(items)), [len(nodes) for nodes in leaves])
    times = np.concatenate(
        [empty, *(counts[i] - content[nodes, i] for i, nodes in enumerate(leaves))]
    )
    reached = np.searchsorted(codes, codes[source] + radix[drawn])
    actors = np.array([item.actor for item in items], dtype=np.int64)
    low = np.array([item.low for item in items], dtype=np.int64)
    high = np.array([item.high for item in items], dtype=np.int64)
    n_faces = (high - low + 1) * np.where(actors == GREY, 2, 1)

    remaining = to_draw.sum(axis=0)
    ends = np.flatnonzero(remaining == 0)
    weight = np.zeros(len(content), dtype=np.int64)
    stays = np.array([item.stays for item in items], dtype=np.int64)
    weight[ends] = np.prod(stays ** (counts - content[ends]), axis=1)
    settled = np.ones(len(content), dtype=np.int64)
    left_of = remaining[source]
    by_layer = np.argsort(left_of, kind="stable")
    layers = np.searchsorted(left_of[by_layer], np.arange(int(remaining[0]) + 2))
    largest = float(n_faces.max(initial=1)) * int(counts.max(initial=1)) * len(items)
    for step in range(1, int(remaining[0]) + 1):
        layer = by_layer[layers[step] : layers[step + 1]]
        nodes, item, then = source[layer], drawn[layer], reached[layer]
        np.add.at(weight, nodes, times[layer] * n_faces[item] * weight[then])
        np.minimum.at(settled, nodes, np.where(actors[item] < CRAZY, settled[then], 0))
        if float(weight[nodes].max(initial=0)) * largest >= 2.0**62:
            raise OverflowError("the number of courses does not fit into 63 bits")

    def as_rows(edges: Array, worth: Array) -> Array:
        item = drawn[edges]
        columns = [source[edges], actors[item], low[item], high[item], worth, reached[edges]]
        return np.ascontiguousarray(np.array(columns, dtype=np.int64).T)

    final = np.zeros(len(source), dtype=bool) if keep_ends else remaining[reached] == 0
    inner = np.flatnonzero(~final)
    inner = inner[np.argsort(reached[inner], kind="stable")]
    last = np.flatnonzero(final)
    last = last[np.argsort(source[last], kind="stable")]
    nodes = np.zeros((len(content) + 1, 4), dtype=np.int64)
    nodes[:, NODE_INNER] = np.searchsorted(reached[inner], np.arange(len(nodes)))
    nodes[:, NODE_LAST] = np.searchsorted(source[last], np.arange(len(nodes)))
    nodes[:-1, NODE_WEIGHT] = weight
    nodes[:-1, NODE_SETTLED] = settled
    return Graph(
        nodes,
        as_rows(inner, times[inner]),
        as_rows(last, times[last] * weight[reached[last]]),
        ends,
    )


def _contents(counts: Array, most: int) -> Array:
    """All that can be out of one group, `most` items at the most; numeric order."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for count in counts:
        step = np.arange(count + 1)
        rows = np.column_stack([np.repeat(rows, len(step), 0), np.tile(step, len(rows))])
        rows = rows[rows.sum(axis=1) <= most]
    return rows
