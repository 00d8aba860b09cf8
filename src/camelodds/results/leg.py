"""The distribution of a leg's outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from camelodds.editions import Edition, IntArray
from camelodds.errors import OptionError, Problem
from camelodds.position import Position
from camelodds.shown import Shown

if TYPE_CHECKING:
    from camelodds.display.table import Table

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class LegOdds(Shown):
    """The distribution of a leg's outcome: whole-number weights over a known total.

    An outcome is a ranking of the racing camels when the leg or the race ends, whichever comes
    first (``edition.outcome_names`` lists them).  A course that ends the race early stands for
    all its continuations.

    Attributes
    ----------
    position : Position
        What was asked.
    weights : (N,) int64
        Weight of each outcome, in the order of ``edition.outcomes``.
    total : int
        The sum of the weights.
    landing_weights : mapping of int to int
        By space of a tile: weight of the units that come to it (M3).
    race_end_weight : int
        Weight of the courses that end the race.
    method : str
        ``"exact"``.

    Examples
    --------
    >>> import camelodds as co
    >>> leg = co.leg_odds(co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition=co.FIRST))
    >>> leg.fraction("w", place=1)
    Fraction(12641, 29160)
    >>> round(leg.landings[8], 4), leg.race_ends
    (0.7277, 0.0)

    A format spec chooses columns: the places ``first`` to ``fifth``, and ``ticket5`` and the
    like.

    >>> print(f"{leg:first,ticket5}")
    camel                   1st  ticket 5
    w white   ████▍       43.4%     +2.19
    y yellow  █▉          19.1%     +0.87
    b blue    █▋          16.4%     +0.24
    g green   █▌          14.7%     +0.16
    o orange  ▋            6.4%     -0.47
    """

    position: Position
    weights: IntArray
    total: int
    landing_weights: Mapping[int, int]
    race_end_weight: int
    method: str = "exact"

    def __post_init__(self) -> None:
        self.weights.flags.writeable = False

    @property
    def edition(self) -> Edition:
        """The edition of the position."""
        return self.position.edition

    @property
    def camels(self) -> str:
        """The racing camels, in the order of the rows of `places`."""
        return self.edition.racing

    def _row(self, camel: str) -> int:
        if not isinstance(camel, str) or len(camel) != 1 or camel not in self.camels:
            tip = f"the racing camels are {', '.join(self.camels)}"
            raise OptionError(Problem(repr(camel)[:40], "no racing camel", tip=tip))
        return self.camels.index(camel)

    @cached_property
    def place_weights(self) -> IntArray:
        """(5, 5) int64: weight of each camel (row) at each place (column)."""
        outcomes = self.edition.outcomes
        places = np.zeros((len(self.camels), len(self.camels)), dtype=np.int64)
        for row in range(len(self.camels)):
            np.add.at(places[row], outcomes[:, row] - 1, self.weights)
        places.flags.writeable = False
        return places

    @cached_property
    def places(self) -> FloatArray:
        """(5, 5) float64: P(camel at place), rows as in `camels`, columns 1st to 5th."""
        places: FloatArray = self.place_weights / self.total
        places.flags.writeable = False
        return places

    def _by_camel(self, values: FloatArray) -> Mapping[str, float]:
        return MappingProxyType(dict(zip(self.camels, values.tolist(), strict=True)))

    @cached_property
    def first(self) -> Mapping[str, float]:
        """P(first) by camel."""
        return self._by_camel(self.places[:, 0])

    @cached_property
    def second(self) -> Mapping[str, float]:
        """P(second) by camel."""
        return self._by_camel(self.places[:, 1])

    @cached_property
    def last(self) -> Mapping[str, float]:
        """P(last) by camel."""
        return self._by_camel(self.places[:, -1])

    @cached_property
    def joint(self) -> FloatArray:
        """(5, 5) float64: P(row's camel first and column's camel second)."""
        is_first, is_second = self.edition.outcomes == 1, self.edition.outcomes == 2
        both = is_first.any(axis=1) & is_second.any(axis=1)
        pairs = is_first[both].argmax(axis=1), is_second[both].argmax(axis=1)
        joint = np.zeros((len(self.camels), len(self.camels)))
        np.add.at(joint, pairs, self.weights[both] / self.total)
        joint.flags.writeable = False
        return joint

    def fraction(self, camel: str, place: int) -> Fraction:
        """P(camel at place) as an exact fraction.

        Parameters
        ----------
        camel
            A racing camel.
        place
            1 to 5.

        Raises
        ------
        OptionError
            If there is no such camel or place.
        """
        row = self._row(camel)
        if place not in range(1, len(self.camels) + 1):
            raise OptionError(Problem(repr(place)[:40], "no such place", tip="1 to 5"))
        return Fraction(int(self.place_weights[row, place - 1]), self.total)

    @cached_property
    def landings(self) -> Mapping[int, float]:
        """By space of a tile: expected units that come to it in this leg (M3)."""
        return MappingProxyType(
            {space: weight / self.total for space, weight in self.landing_weights.items()}
        )

    def landing_fraction(self, space: int) -> Fraction:
        """Expected landings on the tile at `space` as an exact fraction.

        Raises
        ------
        OptionError
            If no tile lies there.
        """
        if space not in self.landing_weights:
            tip = f"tiles lie on {', '.join(map(str, self.landing_weights)) or 'no space'}"
            raise OptionError(Problem(repr(space)[:40], "no tile on this space", tip=tip))
        return Fraction(self.landing_weights[space], self.total)

    @property
    def race_ends(self) -> float:
        """P(the race ends in this leg)."""
        return self.race_end_weight / self.total

    @property
    def race_ends_fraction(self) -> Fraction:
        """P(the race ends in this leg) as an exact fraction."""
        return Fraction(self.race_end_weight, self.total)

    def ticket(self, worth: int) -> Mapping[str, float]:
        """Expected payoff of a leg ticket of that worth, by camel (F8).

        Parameters
        ----------
        worth
            What it pays if its camel is first; it pays 1 if second, else -1.
        """
        first, second = self.places[:, 0], self.places[:, 1]
        return self._by_camel(worth * first + second - (1 - first - second))

    def ticket_fraction(self, camel: str, worth: int) -> Fraction:
        """Expected payoff of a leg ticket as an exact fraction (F8).

        Raises
        ------
        OptionError
            If there is no such camel.
        """
        first, second = self.fraction(camel, 1), self.fraction(camel, 2)
        return worth * first + second - (1 - first - second)

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``edition``, ``position`` (notation), ``method``, ``total``, ``places`` and
        ``fractions`` (camel to five numbers, and to five strings), ``landings`` and
        ``landing_fractions`` (space to number, string), ``race_ends``,
        ``race_ends_fraction``, ``tickets`` (camel to the value of a ticket of each worth of the
        edition, 5, 3 and 2).
        """
        camels = self.camels
        worths = sorted(set(self.edition.tickets), reverse=True)
        places = range(1, len(camels) + 1)
        return {
            "edition": self.edition.name,
            "position": str(self.position),
            "method": self.method,
            "total": self.total,
            "places": {c: self.places[i].tolist() for i, c in enumerate(camels)},
            "fractions": {c: [str(self.fraction(c, place)) for place in places] for c in camels},
            "landings": {str(space): value for space, value in self.landings.items()},
            "landing_fractions": {
                str(space): str(self.landing_fraction(space)) for space in self.landing_weights
            },
            "race_ends": self.race_ends,
            "race_ends_fraction": str(self.race_ends_fraction),
            "tickets": {c: [self.ticket(worth)[c] for worth in worths] for c in camels},
        }

    def to_json(self) -> str:
        """The dictionary of `to_dict` as JSON text."""
        return json.dumps(self.to_dict())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LegOdds)
            and self.position == other.position
            and self.total == other.total
            and np.array_equal(self.weights, other.weights)
            and self.landing_weights == other.landing_weights
            and self.race_end_weight == other.race_end_weight
            and self.method == other.method
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<LegOdds of {self.position} ({self.edition.name}), {self.method}>"

    def _table(self) -> Table:
        from camelodds.display.tables import leg_table

        return leg_table(self)
