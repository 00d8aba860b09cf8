"""A position: stacks, tiles and what is still in the pyramid; checked once, then immutable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from camelodds import notation
from camelodds.deck import Deck, deck_dict
from camelodds.draft import MARKERS, Draft, Tile
from camelodds.editions import BEFORE_BANNER, COLOURS, GREY_DIE, Edition, IntArray, edition_named
from camelodds.errors import EventError, OptionError, PositionError, Problem
from camelodds.kernels.bag import Graph
from camelodds.kernels.board import AHEAD, FENNEC, FLOOR, FOURTH, LANDED, OVER, SHORTCUT, STOPS
from camelodds.kernels.legs import single_move
from camelodds.kernels.stacks import CRAZY, LANE, LANES, NOBODY, SENTINEL, SHIFT, TOP_FLAGS


class Packed(NamedTuple):
    """A position as four integers, the form in which the kernels and batches take it.

    Attributes
    ----------
    stack
        Every camel with its space, see `camelodds.kernels.stacks`.
    plus, minus
        The tiles of either sign: bit ``space + 2``.
    dice
        What is in the pyramid: bit i for the i-th die of ``edition.dice``.
    """

    stack: int
    plus: int
    minus: int
    dice: int


@dataclass(frozen=True)
class Move:
    """What one roll did.

    Attributes
    ----------
    event
        The roll, for example ``"w2"`` or ``"K3"`` (grey die, black face).
    camel
        The camel that moved; a crazy one need not be of the colour rolled (S4).
    unit
        That camel with all that it carried, bottom to top (M1).
    origin
        The space that it came from.
    tile
        The space of the tile that the unit came to, or None (M3).
    owner
        The player whom that tile pays, or None.
    race_over
        Whether the unit crossed a line (F11, S6) or reached the finish (C12).
    gone
        Spaces of the markers that went home: they acted, or all racing camels are past (C6).
    after
        The position afterwards.
    """

    event: str
    camel: str
    unit: str
    origin: int
    tile: int | None
    owner: str | None
    race_over: bool
    gone: tuple[int, ...]
    after: Position

    def _repr_svg_(self) -> str:
        return self.after.svg(last_move=self)


_ROLL = re.compile(
    r"(?:(?:roll|reveal)\s+)?(?P<die>[A-Za-z])\s*(?P<face>[0-9]+)\Z", re.ASCII | re.IGNORECASE
)


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A position of one of the games. Stacks are written bottom to top.

    Parameters
    ----------
    edition
        `FIRST`, `SECOND` or `CARDS`, or its name; None to tell it by the camels.
    stacks
        Camels by space, bottom to top: ``{3: "ob"}`` is space 3 with o under b.
    tiles
        By space: +1 or -1, a `Tile`, or text such as ``"+@P1"``; markers in the Card Game.
    dice
        The dice still in the pyramid, ``"*"`` the grey one; all if left out.
    last_space
        The last space before the finish (Card Game); that of the Round card if left out.
    flipped
        Track cards that are one space (C4): card k holds the spaces 2k-1 and 2k.
    deck
        The cards still to come in the round, a `Deck` or its fields; a new one if left out.
    players
        How many play the Card Game; needed where a round is dealt.

    Raises
    ------
    PositionError
        With every fault that was found.

    Examples
    --------
    >>> import camelodds as co
    >>> p = co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition=co.FIRST)
    >>> p.stacks[3], p.tiles[8].sign, p.dice
    ('ob', 1, 'bygow')
    >>> p.after("w2")
    Position.parse('3:ob 4:g 6:y 9:w 5- 8+ dice=bygo', edition='first')
    """

    edition: Edition
    stacks: Mapping[int, str]
    tiles: Mapping[int, Tile]
    dice: str
    last_space: int
    flipped: tuple[int, ...]
    deck: Deck | None
    players: int | None

    def __init__(
        self,
        edition: Edition | str | None,
        stacks: Mapping[int, str],
        tiles: Mapping[int, Any] | None = None,
        dice: str | None = None,
        *,
        last_space: int | None = None,
        flipped: Iterable[int] = (),
        deck: Deck | Mapping[str, Any] | None = None,
        players: int | None = None,
    ) -> None:
        track = {
            "last_space": last_space,
            "flipped_cards": list(flipped) or None,
            "deck": deck,
            "players": players,
        }
        self._take(notation.read_mapping(edition, stacks, tiles, dice, track))

    def _take(self, draft: Draft) -> None:
        found = draft.problems()
        if found:
            raise PositionError(found, draft.heading)
        edition = draft.edition
        dice = edition.dice if draft.dice is None else draft.dice
        stacks = {space: camels for _, space, camels in draft.stacks}
        self._set(
            edition,
            stacks,
            {space: tile for _, space, tile in draft.tiles},
            "".join(die for die in edition.dice if die in dice),
            draft.track,
            tuple(sorted(draft.flipped)),
            draft.deck,
            draft.players,
        )

    def _set(
        self,
        edition: Edition,
        stacks: dict[int, str],
        tiles: dict[int, Tile],
        dice: str,
        last_space: int | None = None,
        flipped: tuple[int, ...] = (),
        deck: Deck | None = None,
        players: int | None = None,
    ) -> None:
        if edition.by_cards and BEFORE_BANNER in stacks:
            # They stand side by side (C3): one way to write them.
            start = stacks[BEFORE_BANNER]
            stacks = stacks | {BEFORE_BANNER: "".join(c for c in edition.camels if c in start)}
        set_field = object.__setattr__
        set_field(self, "edition", edition)
        set_field(self, "stacks", MappingProxyType(dict(sorted(stacks.items()))))
        set_field(self, "tiles", MappingProxyType(dict(sorted(tiles.items()))))
        set_field(self, "dice", dice)
        set_field(self, "last_space", edition.spaces if last_space is None else last_space)
        set_field(self, "flipped", flipped)
        set_field(self, "deck", deck)
        set_field(self, "players", players)

    @classmethod
    def _made(
        cls,
        edition: Edition,
        stacks: dict[int, str],
        tiles: dict[int, Tile],
        dice: str,
        last_space: int | None = None,
        flipped: tuple[int, ...] = (),
        deck: Deck | None = None,
        players: int | None = None,
    ) -> Position:
        """A position that is known to be right."""
        position = cls.__new__(cls)
        position._set(edition, stacks, tiles, dice, last_space, flipped, deck, players)
        return position

    def _fields(self) -> tuple[Any, ...]:
        """The arguments of `_made`, as plain containers."""
        values = [getattr(self, name) for name in _FIELDS]
        return tuple(dict(v) if isinstance(v, MappingProxyType) else v for v in values)

    def _with(self, **changes: Any) -> Position:
        """The same position but for some fields, which are known to be right."""
        return self._made(**(dict(zip(_FIELDS, self._fields(), strict=True)) | changes))

    @classmethod
    def _from_draft(cls, draft: Draft) -> Position:
        position = cls.__new__(cls)
        position._take(draft)
        return position

    @classmethod
    def parse(cls, text: str, edition: Edition | str | None = None) -> Position:
        """Read the notation; the printed form of a position reads back as itself.

        Parameters
        ----------
        text
            Tokens in any order: ``3:ob`` a stack bottom to top, ``5-`` and ``8+`` tiles,
            ``5-@P1`` one with its owner, ``dice=ob*`` the dice still in the pyramid (``*``
            the grey one); all when left out, none for a bare ``dice=``.

            In the Card Game ``0:rp`` stands before the banner, ``8+`` and ``5-`` are the shortcut
            and the fennec, ``last=16`` is the last space before the finish, ``flip=3/4`` names
            flipped track cards, ``deck=6+2`` says how many racing and crazy cards are left,
            ``known=y1r2`` which racing cards are among them.  ``pool=b51y40`` has for each
            camel the numbers of its 1-cards and 2-cards that the rest is drawn from (all
            that are not known when left out), ``crazy=221`` the numbers of crazy cards of 0, 1
            and 2 steps.  ``players=4`` stands for ``last=`` and ``deck=`` of a new round, and
            tells `next_leg` what to deal.
        edition
            The edition; if left out, the camels tell it.

        Raises
        ------
        PositionError
            With every fault that was found.

        Examples
        --------
        >>> print(Position.parse("7:w 3:ob, 4:g 6:y dice=wo"))
        3:ob 4:g 6:y 7:w dice=ow
        >>> print(Position.parse("0:r 2:gp 3:by 7:K 4+ players=4"))
        0:r 2:gp 3:by 7:K 4+ last=16 deck=8+2 players=4
        """
        return cls._from_draft(notation.read_text(text, edition))

    @classmethod
    def from_json(cls, text: str | bytes, edition: Edition | str | None = None) -> Position:
        """Read a JSON object with ``edition`` and either ``position`` or the fields.

        Raises
        ------
        PositionError
            With every fault that was found.
        """
        try:
            data = notation.load_json(text)
        except ValueError as error:
            raise PositionError(Problem("JSON", f"cannot be read: {error}")) from None
        return cls.from_dict(data, edition)

    @classmethod
    def from_dict(cls, data: object, edition: Edition | str | None = None) -> Position:
        """Read what `to_dict` made, or a dictionary with ``position`` as notation.

        Raises
        ------
        PositionError
            With every fault that was found.

        Examples
        --------
        >>> Position.from_dict({"edition": "first", "position": "1:gyo 3:bw"}).stacks[3]
        'bw'
        """
        return cls._from_draft(notation.read_json(data, edition))

    @staticmethod
    def problems(source: object, edition: Edition | str | None = None) -> list[Problem]:
        """Every fault of an input at once; an empty list if it is a position.

        Parameters
        ----------
        source
            Notation, JSON text, a dictionary as `from_dict` takes it, or stacks by space.
        edition
            The edition; if left out, the input tells it.

        Examples
        --------
        >>> for problem in Position.problems("3:oob 4:g 5:y 1+", "first"):
        ...     print(problem)
        3:oob: camel o again, already in 3:oob [F2]
        stacks: camel w (white) is missing [F2]
        1+: no tile may lie on space 1 [F4]
        """
        if isinstance(source, Position):
            found = edition is None or source.edition == edition_named(edition)
            what = f"a position of the {source.edition.name} edition"
            return [] if found else [Problem(str(source), what)]
        if isinstance(source, str) and source.lstrip().startswith("{"):
            try:
                source = notation.load_json(source)
            except ValueError as error:
                return [Problem("JSON", f"cannot be read: {error}")]
        if isinstance(source, Mapping) and all(isinstance(key, int) for key in source):
            return notation.read_mapping(edition, source).problems()
        if isinstance(source, Mapping):
            return notation.read_json(source, edition).problems()
        return notation.read_text(source, edition).problems()

    @classmethod
    def start(
        cls, edition: Edition | str, seed: int | None = None, *, players: int = 4
    ) -> Position:
        """A random start (F2, S2, C3): all dice in the pyramid, no tiles.

        In the Card Game five racing cards have moved, the crazy camel stands on its space
        and the first round is set up (C4).

        Parameters
        ----------
        edition
            The edition, or its name.
        seed
            The same seed gives the same start.
        players
            How many play; it tells the track and the deck of the Card Game (C2).

        Raises
        ------
        OptionError
            If so many cannot play, or an argument cannot be used.

        Examples
        --------
        >>> import camelodds as co
        >>> co.Position.start(co.FIRST, seed=1) == co.Position.start(co.FIRST, seed=1)
        True
        """
        edition = edition_named(edition)
        if seed is not None and (not isinstance(seed, int) or seed < 0):
            raise OptionError(Problem(f"seed={seed!r:.40}", "not a whole number from 0 on"))
        rng = np.random.default_rng(seed)
        if edition.by_cards:
            return cls._card_start(edition, rng, players)
        stacks: dict[int, str] = {}
        # Shuffled first, so that the order on a space is uniform.
        for camel in rng.permutation(list(edition.racing)):
            space = int(rng.choice(edition.start_spaces))
            stacks[space] = stacks.get(space, "") + str(camel)
        for camel in rng.permutation(list(edition.crazy)):
            space = edition.spaces + 1 - int(rng.integers(1, 4))
            stacks[space] = stacks.get(space, "") + str(camel)
        return cls._made(edition, stacks, {}, edition.dice)

    @classmethod
    def _card_start(cls, edition: Edition, rng: np.random.Generator, players: int) -> Position:
        last = edition.round_card(players).last_space
        stacks = {BEFORE_BANNER: edition.racing, edition.crazy_start: edition.crazy}
        deck = Deck.full(edition, players)
        position = cls._made(edition, stacks, {}, "", last, (), deck, players)
        cards = [card for card, n in edition.racing_deck.items() for _ in range(n)]
        # Too few steps to come to the crazy camel.
        for card in rng.permutation(cards)[: edition.start_cards]:
            position = position.moved(str(card)[0], int(card[1:])).after
        return position._dealt()

    def __str__(self) -> str:
        return notation.write_text(*self._fields())

    def __repr__(self) -> str:
        edition = self.edition
        named = repr(edition) if edition.options else repr(edition.name)
        return f"Position.parse({str(self)!r}, edition={named})"

    @cached_property
    def _key(self) -> tuple[object, ...]:
        values = [getattr(self, name) for name in _FIELDS]
        return tuple(tuple(v.items()) if isinstance(v, MappingProxyType) else v for v in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._fields()

    def to_dict(self) -> dict[str, Any]:
        """The position as a dictionary that JSON can hold; `from_dict` reads it.

        Examples
        --------
        >>> Position.parse("1:gyo 3:bw 5-@Ann dice=w").to_dict()["tiles"]
        {'5': '-@Ann'}
        """
        if self.deck is not None:
            return (
                self.edition.to_dict()
                | {
                    "stacks": {str(s): camels for s, camels in self.stacks.items() if s},
                    "start": self.stacks.get(BEFORE_BANNER, ""),
                    "last_space": self.last_space,
                    "flipped_cards": list(self.flipped),
                    "markers": {name: self._marker(sign) for sign, name in MARKERS.items()},
                    "deck": deck_dict(self.edition, self.deck),
                }
                | ({} if self.players is None else {"players": self.players})
            )
        return self.edition.to_dict() | {
            "stacks": {str(space): camels for space, camels in self.stacks.items()},
            "tiles": {str(space): str(tile) for space, tile in self.tiles.items()},
            "dice": self.dice,
        }

    def to_json(self) -> str:
        """The position as JSON text; `from_json` reads it."""
        return json.dumps(self.to_dict())

    def svg(
        self,
        *,
        size: int = 720,
        highlight: object = (),
        last_move: Move | None = None,
        theme: str = "auto",
    ) -> str:
        """The position as a picture, the text of an SVG file.

        A notebook shows it by itself; this is for options and for files.

        Parameters
        ----------
        size
            Width in pixels; the height follows.
        highlight
            Spaces, as numbers, and camels: ``8``, ``"w"``, ``[8, "w"]``.
        last_move
            What `move` gave, if this is the position after it: its way is marked.
        theme
            ``"light"``, ``"dark"`` or ``"auto"``, which follows the reader's settings.

        Raises
        ------
        OptionError
            If an argument cannot be used.

        Examples
        --------
        >>> move = Position.parse("1:gyo 3:bw").move("o1")
        >>> move.after.svg(last_move=move, theme="dark")[:40]
        '<svg xmlns="http://www.w3.org/2000/svg" '
        """
        from camelodds.display.svg import position_svg

        return position_svg(self, size=size, highlight=highlight, last_move=last_move, theme=theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    @cached_property
    def packed(self) -> Packed:
        """The position as four integers, see `Packed`."""
        lane_of, lie = self.edition.lane_of, self._lie
        stack, lanes = 0, 0
        for space, camels in self.stacks.items():
            for camel in camels:
                stack |= ((lie(space) + SHIFT) << 3 | lane_of[camel]) << (LANE * lanes)
                lanes += 1
        for lane in range(lanes, LANES):
            stack |= SENTINEL << (LANE * lane)
        plus = sum(1 << lie(s) + SHIFT for s, tile in self.tiles.items() if tile.sign > 0)
        minus = sum(1 << lie(s) + SHIFT for s, tile in self.tiles.items() if tile.sign < 0)
        if self.deck is not None:
            lying = (SHORTCUT if plus else 0) | (FENNEC if minus else 0)
            stack = stack & ~(3 << TOP_FLAGS) | lying << TOP_FLAGS
        return Packed(stack, plus, minus, self.edition.die_bits(self.dice))

    def _lie(self, space: int) -> int:
        """Number of a space counted as the spaces lie, a flipped card as one (C4)."""
        return space - sum(2 * card <= space for card in self.flipped)

    def _named(self, number: int) -> int:
        """The space with that number as the spaces lie."""
        for card in self.flipped:
            number += number >= 2 * card
        return number

    def _marker(self, sign: int) -> int | str | None:
        """Where the marker of that sign lies, with its player if that is known."""
        for space, tile in self.tiles.items():
            if tile.sign == sign:
                return space if tile.owner is None else f"{space}@{tile.owner}"
        return None

    @cached_property
    def rules(self) -> IntArray:
        """What the kernels need to know of the track, see `camelodds.kernels.board`."""
        if self.deck is None:
            return self.edition.rules
        fennec_on_1 = any(space == 1 and tile.sign < 0 for space, tile in self.tiles.items())
        alternative = self.edition.crazy_stops_before_banner
        return self.edition.card_rules(
            self._lie(self.last_space + 1),
            banner=BEFORE_BANNER in self.stacks or fennec_on_1 or alternative,
            markers=bool(self.tiles),
        )

    def bag(self, *, keep_ends: bool = False) -> Graph:
        """All courses of what is left of the leg, for the kernels.

        Raises
        ------
        OptionError
            If there are too many for 63 bits.
        """
        if self.deck is None:
            return self.edition.bag(self.dice, keep_ends=keep_ends)
        return self.deck.graph(self.edition, keep_ends=keep_ends)

    @cached_property
    def outcome(self) -> str:
        """The ranking as it stands: racing camels, leader first (M5).

        Two or more before the banner share the fifth place and follow a bar, as in
        ``"gb|yrp"`` (C13).
        """
        racing = self.edition.racing
        waiting = self.stacks.get(BEFORE_BANNER, "") if self.edition.by_cards else ""
        order = "".join(self.stacks.values())[::-1]
        ranked = "".join(c for c in order if c in racing and c not in waiting)
        return self.edition.outcome_name(ranked, waiting)

    @cached_property
    def race_over(self) -> bool:
        """Whether a unit has crossed a line (F11, S6), or reached the finish (C12)."""
        if self.edition.by_cards:
            return any(c in self.edition.racing for c in self.stacks.get(self.last_space + 1, ""))
        return any(not 1 <= space <= self.edition.spaces for space in self.stacks)

    @cached_property
    def leg_over(self) -> bool:
        """Whether nothing is left to come in this leg (F8, S1, C10)."""
        if self.deck is not None:
            return self.race_over or self.deck.left == 0
        return self.race_over or len(self.dice) <= self.edition.staying

    def move(self, event: str) -> Move:
        """Roll a die and say what happened; the position itself does not change (M6).

        Parameters
        ----------
        event
            A die and its number, ``"w2"`` or ``"roll w2"``; the grey die by colour and
            number, ``"K3"``.

        Raises
        ------
        EventError
            If the die is not in the pyramid, or the leg or the race is over.

        Examples
        --------
        >>> move = Position.parse("5:bg 9:WrK 3:yp").move("K3")
        >>> move.camel, move.unit, str(move.after)
        ('W', 'WrK', '3:yp 5:bg 6:WrK dice=bygrp')
        """
        die, face = self._read_roll(event)
        if self.deck is not None:
            deck = self.deck.without(f"{die}{face}", self.edition.crazy)
            return self.moved(die, face, deck=deck)
        inside = GREY_DIE if die in self.edition.crazy else die
        return self.moved(die, face, dice=self.dice.replace(inside, ""))

    def moved(self, die: str, face: int, **rest: Any) -> Move:
        """Move by a die or card that need not come from what is still to come.

        Parameters
        ----------
        die, face
            The camel or colour and its number, known to be right.
        rest
            ``dice`` or ``deck`` as they are afterwards; unchanged if left out.
        """
        edition, packed = self.edition, self.packed
        stack, number, pips, entry = single_move(
            packed.stack, packed.plus, packed.minus, self.rules, edition.lane_of[die], face
        )
        camel = edition.camel_of[number]
        space = next(space for space, camels in self.stacks.items() if camel in camels)
        if self.rules[STOPS] and number >= CRAZY:
            pips = max(pips, int(self.rules[FLOOR]))  # stopped on a marker (C8)
        tile = self._named(pips - SHIFT) if entry & LANDED else None
        tiles = dict(self.tiles)
        if self.deck is not None:
            lying = {1: stack >> TOP_FLAGS & SHORTCUT, -1: stack >> TOP_FLAGS & FENNEC}
            tiles = {s: marker for s, marker in tiles.items() if lying[marker.sign]}
        unit = self.stacks[space][self.stacks[space].index(camel) :]
        if edition.by_cards and space == BEFORE_BANNER:
            unit = camel
        return Move(
            event=f"{die}{face}",
            camel=camel,
            unit=unit,
            origin=space,
            tile=tile,
            owner=None if tile is None else self.tiles[tile].owner,
            race_over=bool(entry & OVER),
            gone=tuple(s for s in self.tiles if s not in tiles),
            after=self._with(
                stacks={self._named(s): c for s, c in stacks_of(edition, stack).items()},
                tiles=tiles,
                **rest,
            ),
        )

    def _read_roll(self, event: str) -> tuple[str, int]:
        edition = self.edition
        faults: list[Problem] = []
        if self.deck is not None:
            return self._read_card(event, self.deck)
        match = _ROLL.match(event.strip()) if isinstance(event, str) else None
        if match is None:
            tip = f'write a die and its number, as in "{edition.racing[-1]}2"'
            if edition.crazy:
                tip += f', or colour and number of the grey die, as in "{edition.crazy[-1]}2"'
            raise EventError(Problem(repr(event)[:60], "not a roll", tip=tip))
        die, face = match["die"], int(match["face"][:3])
        if die not in edition.camels and die.lower() in edition.racing:
            die = die.lower()
        inside = GREY_DIE if die in edition.crazy else die
        if die not in edition.camels:
            tip = f"the dice are {', '.join(edition.racing)}"
            if edition.crazy:
                tip += f", and {' or '.join(edition.crazy)} for a face of the grey die"
            faults.append(Problem(event, f"no such die as {match['die']}", "F3", tip))
        elif inside not in self.dice:
            name = "grey" if inside == GREY_DIE else COLOURS[die]
            faults.append(Problem(event, f"the {name} die is out already", "F3"))
        if not 1 <= face <= 3:
            faults.append(Problem(event, f"no face {match['face'][:9]}", "F3", "1, 2 or 3"))
        if self.race_over:
            faults.append(Problem(event, "the race is over", "F11"))
        elif self.leg_over:
            rule = "S1" if edition.staying else "F8"
            faults.append(Problem(event, "the leg is over", rule, "go on from next_leg()"))
        if faults:
            raise EventError(faults)
        return die, face

    def _read_card(self, event: str, deck: Deck) -> tuple[str, int]:
        edition = self.edition
        match = _ROLL.match(event.strip()) if isinstance(event, str) else None
        cards = [
            *edition.racing_deck,
            *(f"{c}{n}" for c in edition.crazy for n, _ in edition.crazy_cards),
        ]
        faults: list[Problem] = []
        if match is None or match["die"] + match["face"] not in cards:
            tip = f'the cards are {", ".join(cards)}, as in "r2" or "reveal r2"'
            faults.append(Problem(repr(event)[:60], "no such card", "C1", tip))
        elif deck.left and deck.without(match["die"] + match["face"], edition.crazy) is None:
            faults.append(Problem(event, "this card is not in the deck", "C14"))
        if self.race_over:
            faults.append(Problem(event, "the race is over", "C12"))
        elif self.leg_over:
            faults.append(Problem(event, "the round is over", "C10", "go on from next_leg()"))
        if faults or match is None:
            raise EventError(faults)
        return match["die"], int(match["face"])

    def after(self, event: str) -> Position:
        """The position after a roll, see `move`.

        Examples
        --------
        >>> print(Position.parse("1:gyo 3:bw").after("o1"))
        1:gy 2:o 3:bw dice=bygw
        """
        return self.move(event).after

    def next_leg(self) -> Position:
        """The same stacks at the start of a leg: all dice in the pyramid, no tiles (F10).

        In the Card Game the round is set up (C4): the track is extended, the crazy camel
        catches up, a deck of which nothing is known is dealt, the sandstorm blows.

        Raises
        ------
        EventError
            If the race is over.
        OptionError
            If the number of players, which tells the size of the deck, is not known.
        """
        if self.race_over:
            raise EventError(Problem("next leg", "the race is over", "F11"))
        if self.edition.by_cards:
            return self._extended()._caught_up()._dealt()
        return self._made(self.edition, dict(self.stacks), {}, self.edition.dice)

    @property
    def racing_spaces(self) -> list[int]:
        """Where racing camels stand, the rearmost first."""
        racing = self.edition.racing
        return [s for s, camels in self.stacks.items() if any(c in racing for c in camels)]

    def _extended(self) -> Position:
        """At least three spaces from the leader to the finish, if there are as many (C4)."""
        last, leader = self.last_space, self._lie(self.racing_spaces[-1])
        while last < self.edition.spaces and self._lie(last) < leader + AHEAD:
            last += 1
        return self._with(tiles={}, last_space=last)

    def _caught_up(self) -> Position:
        """The crazy camel ahead again, alone, if four racing camels are ahead of it (C4)."""
        crazy, racing = self.edition.crazy, self.edition.racing
        order = "".join(c for space, c in self.stacks.items() if space != BEFORE_BANNER)
        ahead = order[order.index(crazy) + 1 :] if crazy in order else order
        if sum(camel in racing for camel in ahead) < FOURTH:
            return self
        lies = self._lie(self.racing_spaces[-1]) + AHEAD
        space = min(self._named(lies), self.last_space + 1)
        stacks = {s: camels.replace(crazy, "") for s, camels in self.stacks.items()}
        stacks[space] = stacks.get(space, "") + crazy
        return self._with(stacks={s: camels for s, camels in stacks.items() if camels})

    @property
    def known_players(self) -> int:
        """The number of players, which tells what is dealt in a new round (C2).

        Raises
        ------
        OptionError
            If it is not known.
        """
        if self.players is None:
            tip = "write players=4, for example: it tells what is dealt in the next round"
            raise OptionError(Problem(str(self), "the number of players is missing", "C2", tip))
        return self.players

    def _dealt(self) -> Position:
        """A new deck, and the sandstorm (C4)."""
        players = self.known_players
        rear, leader = (self.racing_spaces[i] for i in (0, -1))
        held = {(space + 1) // 2 for space in self.stacks}
        between = range((rear + 1) // 2 + 1, (leader + 1) // 2)
        flipped = {*self.flipped, *(card for card in between if card not in held)}
        deck = Deck.full(self.edition, players)
        return self._with(flipped=tuple(sorted(flipped)), deck=deck)


_FIELDS = tuple(Position.__annotations__)


def _restore(*fields: Any) -> Position:
    return Position._made(*fields)


def stacks_of(edition: Edition, stack: int) -> dict[int, str]:
    """The stacks by space that a packed stack holds."""
    stacks: dict[int, str] = {}
    for lane in range(LANES):
        bits = stack >> LANE * lane
        if bits & 7 != NOBODY:
            space = (bits >> 3 & 31) - SHIFT
            stacks[space] = stacks.get(space, "") + edition.camel_of[bits & 7]
    return stacks
