"""What differs between the three games, as data.

Everything that depends on the edition is a field of `Edition`; the other modules and the
kernels read it and never ask which edition it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import permutations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from camelodds.errors import OptionError, Problem, refuse
from camelodds.kernels.bag import DIE, GREY, Graph, Item, bag_graph
from camelodds.kernels.board import FENNEC, SHORTCUT
from camelodds.kernels.stacks import CRAZY, RACERS, SHIFT

IntArray = npt.NDArray[np.int64]

BEFORE_BANNER = 0
"""The space of the camels that wait before the banner (C3)."""

GREY_DIE = "*"

FEWEST_SPACES, MOST_SPACES = 4, 22
"""A longer track does not fit into a lane of the packed stack."""

MOST_CARD_SPACES = 24
"""On a track of cards, whose finish absorbs (C1, C12)."""

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


class RoundCard(NamedTuple):
    """What a Round card says for one number of players (C2)."""

    players: int
    last_space: int
    dealt: int
    """Cards that each player is dealt, of which one stays face up."""
    discarded: int
    added: int
    """Cards that each player puts into the deck."""
    extra: int
    """Further racing cards in the deck, drawn at random."""

    def deck_size(self, players: int, crazy: int) -> int:
        """Cards in the deck of a round, `crazy` crazy ones among them."""
        return players * self.added + self.extra + crazy


@dataclass(frozen=True, repr=False)
class Edition:
    """One of the games, with the readings of its rules that are in force.

    Use `FIRST`, `SECOND` or `CARDS`; `with_options` makes one with other options, for example
    the alternative of a reading or a shorter track.

    Attributes
    ----------
    name
        Short name, as in ``camelodds leg --edition first``.
    title
        Name for people.
    leg_word
        What people call a leg.
    racing
        The racing camels, in the order that every table of the library uses.
    crazy
        The crazy camels.
    spaces
        Number of the last space before the finish line (F1); of the longest track (C4).
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
        group exactly one (F3, C5).
    coins
        What everybody has at the start.
    partnership_from
        Fewest players with whom partnerships exist, 0 for never (S10).
    own_tile_blocks
        Whether a tile that moves still blocks the spaces next to it (alternative of F4).
    floor_after_net
        Whether an overall pile is netted before the floor (alternative of F13).
    racing_cards, crazy_cards
        Steps and number of the racing cards of each colour, and of the crazy cards (C1);
        empty where dice move the camels.
    crazy_in_deck
        Crazy cards in the deck of a round (C4).
    crazy_start, start_cards
        Space of the crazy camel at the start, and racing cards that are revealed then (C3).
    round_cards
        What is set up for each number of players (C2).
    crazy_stops_before_banner
        Whether a crazy camel goes on to the space before the banner (alternative of C8).
    third_pays, winner_pays, loser_pays
        What a third-place card, a race-winner card and a race-loser card pay by the place of
        their camel (C11, C12); empty where there are none.

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
    racing_cards: tuple[tuple[int, int], ...] = ()
    crazy_cards: tuple[tuple[int, int], ...] = ()
    crazy_in_deck: int = 0
    crazy_start: int = 0
    start_cards: int = 0
    round_cards: tuple[RoundCard, ...] = ()
    crazy_stops_before_banner: bool = False
    third_pays: tuple[int, ...] = ()
    winner_pays: tuple[int, ...] = ()
    loser_pays: tuple[int, ...] = ()
    leg_word: str = "leg"
    start_spaces: tuple[int, ...] = field(default=(1, 2, 3), repr=False)
    """Where a racing camel can start, by the number of its die (F2)."""

    def __post_init__(self) -> None:
        most = MOST_CARD_SPACES if self.by_cards else MOST_SPACES
        whole = isinstance(self.spaces, int) and not isinstance(self.spaces, bool)
        if not whole or not FEWEST_SPACES <= self.spaces <= most:
            tip = f"a track has {FEWEST_SPACES} to {most} spaces"
            raise OptionError(Problem(f"spaces={self.spaces!r:.40}", "no such track", tip=tip))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return self.name.upper() + (f".with_options({options})" if options else "")

    def __reduce__(self) -> tuple[object, ...]:
        # By name, so that what is cached is shared and not copied.
        return _edition, (self.name, self.options)

    @cached_property
    def options(self) -> dict[str, Any]:
        """The fields in which it differs from the edition of its name."""
        usual = EDITIONS[self.name]
        return {
            name: getattr(self, name)
            for name in OPTIONS
            if getattr(self, name) != getattr(usual, name)
        }

    def to_dict(self) -> dict[str, Any]:
        """Name and unusual options, as they stand in the JSON of positions and results."""
        return {"edition": self.name} | ({"options": self.options} if self.options else {})

    @property
    def heading(self) -> str:
        """The title, and the options that are not as usual."""
        options = [f"{name}={value}" for name, value in self.options.items()]
        return ", ".join([self.title, *options])

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

    @property
    def by_cards(self) -> bool:
        """Whether a racing deck moves the camels, which start before the banner (C3)."""
        return bool(self.racing_cards)

    def group_of(self, kind: str) -> int | None:
        """Number of the group of `turn` to which a kind of action belongs; None if to none."""
        return next((i for i, kinds in enumerate(self.turn) if kind in kinds), None)

    @cached_property
    def racing_deck(self) -> Mapping[str, int]:
        """How many there are of each racing card (C1)."""
        return MappingProxyType(
            {f"{camel}{steps}": n for camel in self.racing for steps, n in self.racing_cards}
        )

    def round_card(self, players: int) -> RoundCard:
        """What the Round card says for so many players (C2).

        Raises
        ------
        OptionError
            If no Round card is for so many.
        """
        for card in self.round_cards:
            if card.players == players:
                return card
        known = ", ".join(str(card.players) for card in self.round_cards) or "in no number"
        tip = f"in the {self.name} edition: {known}"
        raise OptionError(Problem(f"players={players!r:.30}", "no Round card", "C2", tip))

    @cached_property
    def outcome_names(self) -> tuple[str, ...]:
        """The outcomes as text, leader first, in lexicographic order of the camels.

        Where camels can wait before the banner, further outcomes follow: two or more of them
        share the fifth place and stand after a bar, as in ``"gb|yrp"`` (C13).
        """
        names = ["".join(order) for order in permutations(self.racing)]
        if self.by_cards:
            for waiting in range(2, RACERS + 1):
                for ranked in permutations(self.racing, RACERS - waiting):
                    names.append(self.outcome_name("".join(ranked), set(self.racing) - {*ranked}))
        return tuple(names)

    def outcome_name(self, ranked: str, waiting: Iterable[str]) -> str:
        """Name of an outcome: those past the banner, leader first, and those before it."""
        behind = "".join(camel for camel in self.racing if camel in waiting)
        return f"{ranked}|{behind}" if len(behind) > 1 else ranked + behind

    @cached_property
    def outcome_index(self) -> Mapping[str, int]:
        """Number of each outcome by its name."""
        return MappingProxyType({name: i for i, name in enumerate(self.outcome_names)})

    @cached_property
    def outcomes(self) -> IntArray:
        """The outcomes as an (N, 5) array: the place of each racing camel (M5, C13)."""
        array = np.array(
            [
                [name.index(c) + 1 if c in name.partition("|")[0] else RACERS for c in self.racing]
                for name in self.outcome_names
            ],
            dtype=np.int64,
        )
        array.flags.writeable = False
        return array

    @cached_property
    def at_place(self) -> IntArray:
        """(5, 5, N) int64: 1 where the camel (first) is at the place (second), else 0."""
        places = np.arange(1, RACERS + 1)[:, None]
        array: IntArray = (self.outcomes.T[:, None, :] == places).astype(np.int64)
        array.flags.writeable = False
        return array

    @cached_property
    def outcome_of_order(self) -> IntArray:
        """Outcome by the number of camels before the banner and the order, for the kernels."""
        orders = ["".join(order) for order in permutations(self.racing)]
        table = np.tile(np.arange(len(orders), dtype=np.int64), (RACERS + 1, 1))
        if self.by_cards:
            for waiting in range(2, RACERS + 1):
                for i, order in enumerate(orders):
                    past = RACERS - waiting
                    name = self.outcome_name(order[:past], order[past:])
                    table[waiting, i] = self.outcome_index[name]
        return table

    @cached_property
    def rules(self) -> IntArray:
        """What the kernels need to know of the track, see `camelodds.kernels.board`."""
        return np.array(
            [self.spaces + 1 + SHIFT, 1 + SHIFT, 0, -1, 0, 0, len(self.crazy)], dtype=np.int64
        )

    def card_rules(self, finish: int, *, banner: bool, markers: bool) -> IntArray:
        """What `rules` is for a track of cards whose finish is `finish` as the spaces lie.

        Parameters
        ----------
        finish
            The space that absorbs (C12).
        banner
            Whether a camel can stand before the banner.
        markers
            Whether a marker lies on the track.
        """
        return _card_rules(
            finish + SHIFT,
            (BEFORE_BANNER if self.crazy_stops_before_banner else 1) + SHIFT,
            BEFORE_BANNER + SHIFT if banner else -1,
            SHORTCUT | FENNEC if markers else 0,
            len(self.crazy),
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
        """The same edition with other options, for example the alternative of a reading.

        Parameters
        ----------
        options
            Any of ``spaces``, ``own_tile_blocks`` (F4), ``floor_after_net`` (F13),
            ``crazy_stops_before_banner`` (C8), ``round_cards`` and ``racing_cards`` (C1, C2).

        Raises
        ------
        OptionError
            If there is no such option, or it cannot have that value.

        Examples
        --------
        >>> FIRST.with_options(own_tile_blocks=True)
        FIRST.with_options(own_tile_blocks=True)
        """
        faults = []
        for name, value in options.items():
            if name not in OPTIONS:
                tip = f"use one of {', '.join(OPTIONS)}"
                faults.append(Problem(f"{name:.40}", "no such option", tip=tip))
            elif isinstance(getattr(self, name), bool) and not isinstance(value, bool):
                faults.append(Problem(f"{name}={value!r:.40}", "not True or False"))
        for name, row in (("round_cards", RoundCard), ("racing_cards", tuple)):
            if name in options:
                try:
                    rows = tuple(row(*r) if row is RoundCard else tuple(r) for r in options[name])  # type: ignore[attr-defined]
                    whole = all(isinstance(n, int) and 0 <= n < 100 for r in rows for n in r)
                except TypeError:
                    rows, whole = (), False
                if not whole:
                    faults.append(Problem(f"{name}={options[name]!r:.40}", "not rows of numbers"))
                options[name] = rows
        refuse(faults)
        return replace(self, **options)  # type: ignore[arg-type]


OPTIONS = (
    "spaces",
    "own_tile_blocks",
    "floor_after_net",
    "crazy_stops_before_banner",
    "round_cards",
    "racing_cards",
)
"""The fields of an edition that `Edition.with_options` changes."""


def _edition(name: str, options: dict[str, Any]) -> Edition:
    edition = EDITIONS[name]
    return edition.with_options(**options) if options else edition


@lru_cache(maxsize=256)
def _card_rules(goal: int, floor: int, banner: int, flags: int, crazy: int) -> IntArray:
    rules = np.array([goal, floor, 1, banner, 1, flags, crazy], dtype=np.int64)
    rules.flags.writeable = False
    return rules


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

CARDS = Edition(
    name="cards",
    title="Camel Up: The Card Game (2022)",
    leg_word="round",
    racing="bygrp",
    crazy="K",
    dice="",
    staying=0,
    tickets=(5, 3, 2, 2),
    players=(2, 6),
    spaces=24,
    prizes=(),
    turn=(("reveal", "card", "shortcut", "fennec"), ("ticket", "third", "winner", "last")),
    racing_cards=((1, 5), (2, 1)),
    crazy_cards=((0, 2), (1, 2), (2, 1)),
    crazy_in_deck=2,
    crazy_start=7,
    start_cards=5,
    round_cards=(
        RoundCard(2, 14, 7, 3, 3, 0),
        RoundCard(3, 15, 6, 3, 2, 0),
        RoundCard(4, 16, 6, 3, 2, 0),
        RoundCard(5, 17, 4, 2, 1, 2),
        RoundCard(6, 18, 4, 2, 1, 3),
    ),
    third_pays=(-1, 1, 2, 1, -1),
    winner_pays=(7, 3, -1, -1, -1),
    loser_pays=(-1, -1, -1, 3, 7),
)

EDITIONS = {edition.name: edition for edition in (FIRST, SECOND, CARDS)}
"""The three games by name."""


NO_EDITION = "no such edition"
"""What is wrong with any other word."""


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
    raise OptionError(Problem(f"{edition!r:.40}", NO_EDITION, tip=f"use one of {known}"))
