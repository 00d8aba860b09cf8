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
    edges = np.concatenate(
        [np.empty((0, 6), dtype=np.int64)]
        + [
            _draws_of(item, i, content, codes, radix, counts, to_draw[groups[i]])
            for i, item in enumerate(items)
        ]
    )
    remaining = to_draw.sum(axis=0)
    ends = np.flatnonzero(remaining == 0)
    weight = np.zeros(len(content), dtype=np.int64)
    stays = np.array([item.stays for item in items], dtype=np.int64)
    weight[ends] = np.prod(stays ** (counts - content[ends]), axis=1)
    settled = np.ones(len(content), dtype=np.int64)
    for step in range(1, int(remaining[0]) + 1):
        layer = edges[remaining[edges[:, EDGE_NODE]] == step]
        n_faces = (layer[:, EDGE_HIGH] - layer[:, EDGE_LOW] + 1) * np.where(
            layer[:, EDGE_ACTOR] == GREY, 2, 1
        )
        courses = layer[:, EDGE_TIMES] * n_faces * weight[layer[:, EDGE_TO]]
        np.add.at(weight, layer[:, EDGE_NODE], courses)
        calm = np.where(layer[:, EDGE_ACTOR] < CRAZY, settled[layer[:, EDGE_TO]], 0)
        np.minimum.at(settled, layer[:, EDGE_NODE], calm)
        largest = float(weight[layer[:, EDGE_NODE]].max(initial=0)) * int(n_faces.max(initial=1))
        if largest * int(counts.max()) * len(items) >= 2.0**62:
            raise OverflowError("the number of courses does not fit into 63 bits")

    final = np.zeros(len(edges), dtype=bool) if keep_ends else remaining[edges[:, EDGE_TO]] == 0
    inner = edges[~final]
    inner = inner[np.argsort(inner[:, EDGE_TO], kind="stable")]
    last = edges[final]
    last = last[np.argsort(last[:, EDGE_NODE], kind="stable")]
    last[:, EDGE_TIMES] *= weight[last[:, EDGE_TO]]
    nodes = np.zeros((len(content) + 1, 4), dtype=np.int64)
    nodes[:, NODE_INNER] = np.searchsorted(inner[:, EDGE_TO], np.arange(len(nodes)))
    nodes[:, NODE_LAST] = np.searchsorted(last[:, EDGE_NODE], np.arange(len(nodes)))
    nodes[:-1, NODE_WEIGHT] = weight
    nodes[:-1, NODE_SETTLED] = settled
    return Graph(nodes, inner, last, ends)


def _contents(counts: Array, most: int) -> Array:
    """All that can be out of one group, `most` items at the most; numeric order."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for count in counts:
        step = np.arange(count + 1)
        rows = np.column_stack([np.repeat(rows, len(step), 0), np.tile(step, len(rows))])
        rows = rows[rows.sum(axis=1) <= most]
    return rows


def _draws_of(
    item: Item, i: int, content: Array, codes: Array, radix: Array, counts: Array, to_draw: Array
) -> Array:
    """The edges on which `item`, number `i` of the bag, is drawn."""
    left = counts[i] - content[:, i]
    nodes = np.flatnonzero((left > 0) & (to_draw > 0))
    edges = np.empty((len(nodes), 6), dtype=np.int64)
    edges[:, EDGE_NODE] = nodes
    edges[:, EDGE_ACTOR : EDGE_HIGH + 1] = item.actor, item.low, item.high
    edges[:, EDGE_TIMES] = left[nodes]
    edges[:, EDGE_TO] = np.searchsorted(codes, codes[nodes] + radix[i])
    return edges
