"""The choice of best play in every state of a leg, to be looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from camelodds.editions import GREY_DIE, Edition, IntArray
from camelodds.errors import OptionError, Problem, refuse
from camelodds.kernels.bag import EDGE_ACTOR, EDGE_NODE, EDGE_TO, GREY, NODE_SETTLED
from camelodds.kernels.stacks import only_racers
from camelodds.position import Position
from camelodds.shown import Picklable

ROLL = "roll"


@dataclass(frozen=True, eq=False, repr=False)
class LegPolicy(Picklable):
    """What the player to move does best in every state of a leg, whoever it is.

    Looking up solves nothing: a state is found by bisection, its choice read from an array.

    Attributes
    ----------
    position : Position
        The position from which the leg was solved.
    piles : str
        The racing camels of which tickets were left, in the edition's order.
    tickets_left : mapping of str to tuple of int
        The tickets left there, by camel, top first.
    players : int
        Number of players.
    objective : str
        ``"coins"`` or ``"lead"``.
    states : (s,) int64
        The packed stacks that the leg can come to (`Position.packed`), without crazy camels
        once none can move any more; those with the same dice out together and ascending.
    starts : (nodes + 1,) int64
        Where the states of each set of dice out begin.
    futures : (s,) int64
        The row of each state in `choices`; states from which all goes on alike share it.
    choices : (f, t) uint8
        What is best, by future and tickets left: bit 0 to reveal a die, bit i + 1 to take
        the top ticket of ``piles[i]``.  Of several, the lowest is the choice.

    Examples
    --------
    >>> import camelodds as co
    >>> p = co.Position.parse("1:gyo 3:bw", edition=co.FIRST)
    >>> policy = co.best_play(p, players=4).policy
    >>> policy(p)
    'ticket w'
    >>> policy(p.after("b1"), {"w": [3, 2]})
    'ticket o'
    """

    position: Position
    piles: str
    tickets_left: Mapping[str, tuple[int, ...]]
    players: int
    objective: str
    states: IntArray
    starts: IntArray
    futures: IntArray
    choices: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        for array in (self.states, self.starts, self.futures, self.choices):
            array.flags.writeable = False

    @property
    def edition(self) -> Edition:
        """The edition of the position."""
        return self.position.edition

    @cached_property
    def _nodes(self) -> dict[tuple[int, int], int]:
        """The node that a draw of an actor leads to, by node and actor."""
        edges = self.position.bag().inner
        return {(int(edge[EDGE_NODE]), int(edge[EDGE_ACTOR])): int(edge[EDGE_TO]) for edge in edges}

    def state(self, position: Position) -> int:
        """Number of a position in `states`.

        Raises
        ------
        OptionError
            If the leg cannot come to it, or it is over there.
        """
        node: int | None = 0
        bag = self.position.bag()
        for die in self.position.dice:
            if die not in position.dice and node is not None:
                actor = GREY if die == GREY_DIE else self.edition.racing.index(die)
                node = self._nodes.get((node, actor))
        same = position.edition == self.edition and {
            space: tile.sign for space, tile in position.tiles.items()
        } == {space: tile.sign for space, tile in self.position.tiles.items()}
        same = same and set(position.dice) <= set(self.position.dice)
        if same and node is not None and not position.leg_over:
            stack = position.packed.stack
            if bag.nodes[node, NODE_SETTLED]:
                stack = only_racers(stack, len(self.edition.crazy))
            low, high = int(self.starts[node]), int(self.starts[node + 1])
            found = low + int(np.searchsorted(self.states[low:high], stack))
            if found < high and self.states[found] == stack:
                return found
        what = f"no state of the leg from {self.position} in which somebody is to move"
        raise OptionError(Problem(str(position)[:80], what, tip="solve it with best_play"))

    def tickets(self, tickets_left: Mapping[str, Sequence[int]] | None = None) -> int:
        """The column of `choices` for these tickets left.

        Parameters
        ----------
        tickets_left
            By camel, top first; for a camel left out, as many as at first.

        Raises
        ------
        OptionError
            If these cannot be left of the tickets with which the leg was solved.
        """
        column, stride = 0, 1
        faults = []
        given = {} if tickets_left is None else dict(tickets_left)
        for camel, first in self.tickets_left.items():
            left = given.pop(camel, first)
            rests = [first[i:] for i in range(len(first) + 1)]
            if not isinstance(left, (list, tuple)) or tuple(left) not in rests:
                what = f"{left!r:.40} cannot be left of {', '.join(map(str, first)) or 'none'}"
                faults.append(Problem(f"tickets of {camel}", what, "F3"))
                continue
            column += len(left) * stride
            stride *= len(first) + 1
        faults += [Problem(repr(camel)[:40], "no racing camel") for camel in given]
        refuse(faults)
        return column

    def best(
        self, at: Any, tickets_left: Mapping[str, Sequence[int]] | None = None
    ) -> tuple[str, ...]:
        """Every best action, the one that is chosen first.

        Parameters
        ----------
        at
            A position, or a game.
        tickets_left
            For a position: by camel, top first; for a camel left out, as many as at first.

        Raises
        ------
        OptionError
            If the leg cannot come to this.
        """
        if not isinstance(at, Position):
            given = at
            at, tickets_left = getattr(at, "position", None), getattr(at, "tickets_left", None)
            if not isinstance(at, Position):
                raise OptionError(Problem(f"{given!r:.60}", "neither a game nor a position"))
        bits = int(self.choices[self.futures[self.state(at)], self.tickets(tickets_left)])
        actions = (ROLL, *(f"ticket {camel}" for camel in self.piles))
        return tuple(action for i, action in enumerate(actions) if bits >> i & 1)

    def __call__(self, at: Any, tickets_left: Mapping[str, Sequence[int]] | None = None) -> str:
        """The action that is chosen, see `best`."""
        return self.best(at, tickets_left)[0]

    def __repr__(self) -> str:
        return f"<LegPolicy of {self.position}, {self.players} players, {self.objective}>"
