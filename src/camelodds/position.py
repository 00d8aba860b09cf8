"""A position: stacks, tiles and what is still in the pyramid; checked once, then immutable."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from camelodds import notation
from camelodds.editions import COLOURS, GREY_DIE, Edition
from camelodds.errors import EventError, PositionError, Problem
from camelodds.kernels.board import LANDED, OVER
from camelodds.kernels.legs import single_move
from camelodds.kernels.stacks import LANE, LANES, NOBODY, SENTINEL, SHIFT
from camelodds.notation import Tile


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
        Whether the unit crossed a line (F11, S6).
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
    after: Position

    def _repr_svg_(self) -> str:
        return self.after.svg(last_move=self)


_ROLL = re.compile(r"(?:roll\s+)?(?P<die>[A-Za-z])\s*(?P<face>[0-9]+)\Z")


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A position of one of the games. Stacks are written bottom to top.

    Parameters
    ----------
    edition
        `FIRST` or `SECOND`, or its name; None to tell it by the camels.
    stacks
        Camels by space, bottom to top: ``{3: "ob"}`` is space 3 with o under b.
    tiles
        By space: +1 or -1, a `Tile`, or text such as ``"+@P1"``.
    dice
        The dice still in the pyramid, ``"*"`` the grey one; all if left out.

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

    def __init__(
        self,
        edition: Edition | str | None,
        stacks: Mapping[int, str],
        tiles: Mapping[int, Any] | None = None,
        dice: str | None = None,
    ) -> None:
        self._take(notation.read_mapping(edition, stacks, tiles, dice))

    def _take(self, draft: notation.Draft) -> None:
        found = draft.problems()
        if found:
            raise PositionError(found, f"not a position of the {draft.edition.name} edition:")
        dice = draft.edition.dice if draft.dice is None else draft.dice
        self._set(
            draft.edition,
            {space: camels for _, space, camels in draft.stacks},
            {space: tile for _, space, tile in draft.tiles},
            "".join(die for die in draft.edition.dice if die in dice),
        )

    def _set(
        self, edition: Edition, stacks: dict[int, str], tiles: dict[int, Tile], dice: str
    ) -> None:
        set_field = object.__setattr__
        set_field(self, "edition", edition)
        set_field(self, "stacks", MappingProxyType(dict(sorted(stacks.items()))))
        set_field(self, "tiles", MappingProxyType(dict(sorted(tiles.items()))))
        set_field(self, "dice", dice)

    @classmethod
    def _made(
        cls, edition: Edition, stacks: dict[int, str], tiles: dict[int, Tile], dice: str
    ) -> Position:
        """A position that is known to be right."""
        position = cls.__new__(cls)
        position._set(edition, stacks, tiles, dice)
        return position

    @classmethod
    def _from_draft(cls, draft: notation.Draft) -> Position:
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
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
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
            Notation, or a dictionary as `from_dict` takes it, or a position.
        edition
            The edition; if left out, the input tells it.

        Examples
        --------
        >>> for problem in Position.problems("3:oob 4:g 5:y 1+", "first"):
        ...     print(problem)
        3:oob: camel o again, already in 3:oob
        camel w (white) is missing
        1+: no tile may lie on space 1 [F4]
        """
        if isinstance(source, Position):
            return []
        if isinstance(source, str):
            return notation.read_text(source, edition).problems()
        return notation.read_json(source, edition).problems()

    @classmethod
    def start(cls, edition: Edition, seed: int | None = None) -> Position:
        """A random start (F2, S2): all dice in the pyramid, no tiles.

        Parameters
        ----------
        edition
            The edition.
        seed
            The same seed gives the same start.

        Examples
        --------
        >>> import camelodds as co
        >>> co.Position.start(co.FIRST, seed=1) == co.Position.start(co.FIRST, seed=1)
        True
        """
        rng = np.random.default_rng(seed)
        stacks: dict[int, str] = {}
        # Shuffled first, so that the order on a space is uniform.
        for camel in rng.permutation(list(edition.racing)):
            space = int(rng.choice(edition.start_spaces))
            stacks[space] = stacks.get(space, "") + str(camel)
        for camel in rng.permutation(list(edition.crazy)):
            space = edition.spaces + 1 - int(rng.integers(1, 4))
            stacks[space] = stacks.get(space, "") + str(camel)
        return cls._made(edition, stacks, {}, edition.dice)

    def __str__(self) -> str:
        return notation.write_text(self.edition, self.stacks, self.tiles, self.dice)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, edition={self.edition.name!r})"

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return (
            self.edition,
            tuple(self.stacks.items()),
            tuple(self.tiles.items()),
            self.dice,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.edition, dict(self.stacks), dict(self.tiles), self.dice)

    def to_dict(self) -> dict[str, Any]:
        """The position as a dictionary that JSON can hold; `from_dict` reads it.

        Examples
        --------
        >>> Position.parse("1:gyo 3:bw 5-@Ann dice=w").to_dict()["tiles"]
        {'5': '-@Ann'}
        """
        return {
            "edition": self.edition.name,
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
        lane_of = self.edition.lane_of
        stack, lanes = 0, 0
        for space, camels in self.stacks.items():
            for camel in camels:
                stack |= ((space + SHIFT) << 3 | lane_of[camel]) << (LANE * lanes)
                lanes += 1
        for lane in range(lanes, LANES):
            stack |= SENTINEL << (LANE * lane)
        plus = sum(1 << space + SHIFT for space, tile in self.tiles.items() if tile.sign > 0)
        minus = sum(1 << space + SHIFT for space, tile in self.tiles.items() if tile.sign < 0)
        return Packed(stack, plus, minus, self.edition.die_bits(self.dice))

    @cached_property
    def outcome(self) -> str:
        """The ranking as it stands: racing camels, leader first (M5)."""
        order = "".join(self.stacks.values())[::-1]
        return "".join(camel for camel in order if camel in self.edition.racing)

    @cached_property
    def race_over(self) -> bool:
        """Whether a unit has crossed a line (F11, S6)."""
        return any(not 1 <= space <= self.edition.spaces for space in self.stacks)

    @cached_property
    def leg_over(self) -> bool:
        """Whether nothing is left to come in this leg (F8, S1)."""
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
        edition = self.edition
        packed = self.packed
        stack, number, pips, entry = single_move(
            packed.stack, packed.plus, packed.minus, edition.rules, edition.lane_of[die], face
        )
        camel = edition.camel_of[number]
        space = next(space for space, camels in self.stacks.items() if camel in camels)
        tile = pips - SHIFT if entry & LANDED else None
        dice = self.dice.replace(GREY_DIE if die in edition.crazy else die, "")
        return Move(
            event=f"{die}{face}",
            camel=camel,
            unit=self.stacks[space][self.stacks[space].index(camel) :],
            origin=space,
            tile=tile,
            owner=None if tile is None else self.tiles[tile].owner,
            race_over=bool(entry & OVER),
            after=self._made(edition, _unpacked(edition, stack), dict(self.tiles), dice),
        )

    def _read_roll(self, event: str) -> tuple[str, int]:
        edition = self.edition
        faults: list[Problem] = []
        match = _ROLL.match(event.strip()) if isinstance(event, str) else None
        if match is None:
            tip = 'write a die and its number, as in "w2" or "roll w2"'
            raise EventError(Problem(repr(event)[:60], "not a roll", tip=tip))
        die, face = match["die"], int(match["face"][:3])
        if not edition.crazy:
            die = die.lower()
        inside = GREY_DIE if die in edition.crazy else die
        if die not in edition.camels:
            tip = f"the dice are {', '.join(edition.racing)}"
            if edition.crazy:
                tip += f", and {' or '.join(edition.crazy)} for a face of the grey die"
            faults.append(Problem(event, f"no such die as {die}", tip=tip))
        elif inside not in self.dice:
            name = "grey" if inside == GREY_DIE else COLOURS[die]
            faults.append(Problem(event, f"the {name} die is out already", "F3"))
        if not 1 <= face <= 3:
            faults.append(Problem(event, f"no face {match['face'][:9]}", "F3", "1, 2 or 3"))
        if self.race_over:
            faults.append(Problem(event, "the race is over", "F11"))
        elif self.leg_over:
            faults.append(Problem(event, "the leg is over", "F8", "go on from next_leg()"))
        if faults:
            raise EventError(faults)
        return die, face

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

        Raises
        ------
        EventError
            If the race is over.
        """
        if self.race_over:
            raise EventError(Problem("next leg", "the race is over", "F11"))
        return self._made(self.edition, dict(self.stacks), {}, self.edition.dice)


def _restore(
    edition: Edition, stacks: dict[int, str], tiles: dict[int, Tile], dice: str
) -> Position:
    return Position._made(edition, stacks, tiles, dice)


def _unpacked(edition: Edition, stack: int) -> dict[int, str]:
    stacks: dict[int, str] = {}
    for lane in range(LANES):
        bits = stack >> LANE * lane
        if bits & 7 != NOBODY:
            space = (bits >> 3 & 31) - SHIFT
            stacks[space] = stacks.get(space, "") + edition.camel_of[bits & 7]
    return stacks
