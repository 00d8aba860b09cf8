"""What differs between the three games, as data.

Everything that depends on the edition is a field of `Edition`; the other modules and the
kernels read it and never ask which edition it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from camelodds.errors import OptionError, Problem
from camelodds.kernels.bag import DIE, GREY, Graph, Item, bag_graph
from camelodds.kernels.stacks import CRAZY, RACERS, SHIFT

IntArray = npt.NDArray[np.int64]

GREY_DIE = "*"

FEWEST_SPACES, MOST_SPACES = 4, 22
"""A longer track does not fit into a lane of the packed stack."""

COLOURS = {
    "b": "blue",
    "y": "yellow",
    "g": "green",
    "o": "orange",
    "w": "white",
    "r": "red",
    "p": "purple",
    "W": "white crazy",
    "K": "black crazy",
}


@dataclass(frozen=True)
class Edition:
    """One of the games, with the readings of its rules that are in force.

    Use `FIRST`, `SECOND` or `CARDS`; `dataclasses.replace` makes one with other options,
    for example a shorter track.

    Attributes
    ----------
    name
        Short name, as in ``camelodds leg --edition first``.
    title
        Name for people.
    racing
        The racing camels, in the order that every table of the library uses.
    crazy
        The crazy camels.
    spaces
        Number of the last space before the finish line (F1).
    dice
        The dice of a full pyramid, ``*`` the grey one (S1).
    staying
        How many dice are still in the pyramid when the leg is over (F8, S1).
    tickets
        Worth of the leg tickets of one camel, top first (F3, S8).
    prizes
        What the correct overall bets pay, the last for every further one (F13).
    players
        Fewest and most players.
    turn
        What a turn consists of: of each group of kinds of action at most one, of the first
        group exactly one (F3).
    coins
        What everybody has at the start.
    partnership_from
        Fewest players with whom partnerships exist, 0 for never (S10).
    own_tile_blocks
        Whether a tile that moves still blocks the spaces next to it (alternative of F4).
    floor_after_net
        Whether an overall pile is netted before the floor (alternative of F13).

    Examples
    --------
    >>> FIRST.racing, SECOND.crazy, FIRST.tickets
    ('bygow', 'WK', (5, 3, 2))
    >>> len(FIRST.outcomes)
    120
    """

    name: str
    title: str
    racing: str
    crazy: str
    dice: str
    staying: int
    tickets: tuple[int, ...]
    players: tuple[int, int]
    turn: tuple[tuple[str, ...], ...] = (("roll", "ticket", "tile", "winner", "last", "partner"),)
    coins: int = 3
    spaces: int = 16
    prizes: tuple[int, ...] = (8, 5, 3, 2, 1)
    partnership_from: int = 0
    own_tile_blocks: bool = False
    floor_after_net: bool = False
    start_spaces: tuple[int, ...] = field(default=(1, 2, 3), repr=False)
    """Where a racing camel can start, by the number of its die (F2)."""

    def __post_init__(self) -> None:
        if not FEWEST_SPACES <= self.spaces <= MOST_SPACES:
            tip = f"a track has {FEWEST_SPACES} to {MOST_SPACES} spaces"
            raise OptionError(Problem(f"spaces={self.spaces!r:.40}", "no such track", tip=tip))

    def __str__(self) -> str:
        return self.name

    @cached_property
    def camels(self) -> str:
        """All camels, racing ones first."""
        return self.racing + self.crazy

    @cached_property
    def lane_of(self) -> dict[str, int]:
        """Number of each camel in a packed stack."""
        numbers = {camel: i for i, camel in enumerate(self.racing)}
        return numbers | {camel: CRAZY + i for i, camel in enumerate(self.crazy)}

    @cached_property
    def camel_of(self) -> dict[int, str]:
        """Camel of each number in a packed stack."""
        return {number: camel for camel, number in self.lane_of.items()}

    @cached_property
    def outcome_names(self) -> tuple[str, ...]:
        """The outcomes as text, leader first, in lexicographic order of the camels."""
        return tuple("".join(order) for order in permutations(self.racing))

    @cached_property
    def outcomes(self) -> IntArray:
        """The outcomes as an (N, 5) array: the place of each racing camel (M5)."""
        places = [[name.index(c) + 1 for c in self.racing] for name in self.outcome_names]
        array = np.array(places, dtype=np.int64)
        array.flags.writeable = False
        return array

    @cached_property
    def outcome_of_order(self) -> IntArray:
        """Outcome by the number of camels before the banner and the order, for the kernels."""
        n_orders = len(list(permutations(range(RACERS))))
        return np.tile(np.arange(n_orders, dtype=np.int64), (RACERS + 1, 1))

    @cached_property
    def rules(self) -> IntArray:
        """What the kernels need to know of the track, see `camelodds.kernels.board`."""
        return np.array(
            [self.spaces + 1 + SHIFT, 1 + SHIFT, 0, -1, 0, 0, len(self.crazy)], dtype=np.int64
        )

    def die_bits(self, dice: str) -> int:
        """The dice as one number: bit i for camel i, the highest for the grey die."""
        return sum(1 << self.dice.index(die) for die in dice)

    def dice_of_bits(self, bits: int) -> str:
        """The dice that `die_bits` packed."""
        return "".join(die for i, die in enumerate(self.dice) if bits >> i & 1)

    def items(self, dice: str) -> list[Item]:
        """The bag that holds `dice`, for the kernels that sample."""
        return _dice_items(self.racing, dice)

    def bag_of_dice(self, dice: str) -> int:
        """The same packed into one number, see `camelodds.kernels.bag.DIE`."""
        return sum(item.actor << DIE * i for i, item in enumerate(self.items(dice)))

    def bag(self, dice: str, *, keep_ends: bool = False) -> Graph:
        """All courses of a leg with `dice` in the pyramid, for the kernels."""
        return _dice_graph(self.racing, self.staying, dice, keep_ends)

    def with_options(self, **options: object) -> Edition:
        """The same edition with other fields, for example the alternative of a reading.

        Raises
        ------
        OptionError
            If there is no such option.

        Examples
        --------
        >>> FIRST.with_options(own_tile_blocks=True).own_tile_blocks
        True
        """
        unknown = [name for name in options if name not in self.__dataclass_fields__]
        if unknown:
            known = ", ".join(sorted(self.__dataclass_fields__))
            raise OptionError(
                [Problem(name, "no such option", tip=f"use one of {known}") for name in unknown]
            )
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return type(self)(**(values | options))


def _dice_items(racing: str, dice: str) -> list[Item]:
    # A face of the grey die comes half as often, so where the grey die stays inside
    # a course weighs two (S1).
    return [
        Item(GREY, 1, 3, stays=2) if die == GREY_DIE else Item(racing.index(die), 1, 3)
        for die in dice
    ]


@lru_cache(maxsize=1024)
def _dice_graph(racing: str, staying: int, dice: str, keep_ends: bool) -> Graph:
    items = _dice_items(racing, dice)
    return bag_graph(items, [max(0, len(dice) - staying)], keep_ends=keep_ends)


FIRST = Edition(
    name="first",
    title="Camel Up, first edition (2014)",
    racing="bygow",
    crazy="",
    dice="bygow",
    staying=0,
    tickets=(5, 3, 2),
    players=(2, 8),
)

SECOND = Edition(
    name="second",
    title="Camel Up, second edition (2018)",
    racing="bygrp",
    crazy="WK",
    dice="bygrp" + GREY_DIE,
    staying=1,
    tickets=(5, 3, 2, 2),
    players=(2, 8),
    partnership_from=6,
)

EDITIONS = {edition.name: edition for edition in (FIRST, SECOND)}


def edition_named(edition: Edition | str) -> Edition:
    """The edition of that name.

    Raises
    ------
    OptionError
        If there is none.

    Examples
    --------
    >>> edition_named("second") is SECOND
    True
    """
    if isinstance(edition, Edition):
        return edition
    if isinstance(edition, str) and edition.strip().lower() in EDITIONS:
        return EDITIONS[edition.strip().lower()]
    known = ", ".join(EDITIONS)
    raise OptionError(Problem(repr(edition), "no such edition", tip=f"use one of {known}"))
