"""The distribution of a leg's outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import isfinite
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from camelodds.editions import Edition, IntArray
from camelodds.errors import OptionError, Problem
from camelodds.position import Position
from camelodds.results.errors import (
    FloatArray,
    by_camel,
    known,
    mean_error,
    quantile,
    rows_by_camel,
    share,
    wilson,
)
from camelodds.scoring import ticket_by_place
from camelodds.shown import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.display.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class LegOdds(Shown):
    """The distribution of a leg's outcome: whole-number weights over a known total.

    A sampled one has counts for weights and the number of samples for a total; it knows the
    standard error and a confidence interval of everything, and has no fractions.

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
        ``"exact"`` or ``"sampled"``.
    seed : int or None
        Of a sampled result: the same seed gives the same numbers.
    landing_squares : mapping of int to int
        Of a sampled result, by space of a tile: sum of the squared landings of each sample.
    gone_weights : mapping of int to int
        By space of a marker: weight of the courses after which it does not lie there any more
        at the scoring (C6); empty for the pyramid games.

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
    seed: int | None = None
    landing_squares: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    gone_weights: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

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

    def _column(self, place: int) -> int:
        if isinstance(place, (bool, float)) or place not in range(1, len(self.camels) + 1):
            raise OptionError(Problem(repr(place)[:40], "no such place", tip="1 to 5"))
        return int(place) - 1

    def _refuse_sampled(self) -> None:
        if self.sampled:
            tip = 'ask leg_odds(position, method="exact"), or take .places and .standard_errors'
            what = f"estimated from {self.total:,} samples: there is no exact fraction"
            raise OptionError(Problem("sampled odds", what, tip=tip))

    @property
    def sampled(self) -> bool:
        """Whether the numbers are estimates, each with its standard error."""
        return self.seed is not None

    @property
    def n(self) -> int | None:
        """Number of samples; None for an exact result."""
        return self.total if self.sampled else None

    @cached_property
    def place_weights(self) -> IntArray:
        """(5, 5) int64: weight of each camel (row) at each place (column)."""
        places: IntArray = self.edition.at_place @ self.weights
        places.flags.writeable = False
        return places

    @cached_property
    def places(self) -> FloatArray:
        """(5, 5) float64: P(camel at place), rows as in `camels`, columns 1st to 5th."""
        places = share(self.place_weights, self.total)
        places.flags.writeable = False
        return places

    def _by_camel(self, values: FloatArray) -> Mapping[str, float]:
        return by_camel(self.camels, values)

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
        weights = np.zeros((len(self.camels), len(self.camels)), dtype=np.int64)
        np.add.at(weights, pairs, self.weights[both])
        joint = share(weights, self.total)
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
            If there is no such camel or place, or the result is sampled.
        """
        row = self._row(camel)
        column = self._column(place)
        self._refuse_sampled()
        return Fraction(int(self.place_weights[row, column]), self.total)

    @cached_property
    def landings(self) -> Mapping[int, float]:
        """By space of a tile: expected units that come to it in this leg (M3)."""
        weights = self.landing_weights
        return MappingProxyType(
            {space: float(share(weight, self.total)) for space, weight in weights.items()}
        )

    def landing_fraction(self, space: int) -> Fraction:
        """Expected landings on the tile at `space` as an exact fraction.

        Raises
        ------
        OptionError
            If no tile lies there, or the result is sampled.
        """
        if not isinstance(space, int) or space not in self.landing_weights:
            tip = f"tiles lie on {', '.join(map(str, self.landing_weights)) or 'no space'}"
            raise OptionError(Problem(repr(space)[:40], "no tile on this space", tip=tip))
        self._refuse_sampled()
        return Fraction(self.landing_weights[space], self.total)

    @cached_property
    def gone(self) -> Mapping[int, float]:
        """By space of a marker: P(it went home before the scoring of this round) (C6, C11)."""
        weights = self.gone_weights
        return MappingProxyType(
            {space: float(share(weight, self.total)) for space, weight in weights.items()}
        )

    def gone_fraction(self, space: int) -> Fraction:
        """P(the marker at `space` went home before the scoring) as an exact fraction.

        Raises
        ------
        OptionError
            If no marker lies there, or the result is sampled.
        """
        if not isinstance(space, int) or space not in self.gone_weights:
            tip = f"markers lie on {', '.join(map(str, self.gone_weights)) or 'no space'}"
            raise OptionError(Problem(repr(space)[:40], "no marker on this space", tip=tip))
        self._refuse_sampled()
        return Fraction(self.gone_weights[space], self.total)

    @property
    def race_ends(self) -> float:
        """P(the race ends in this leg)."""
        return float(share(self.race_end_weight, self.total))

    @property
    def race_ends_fraction(self) -> Fraction:
        """P(the race ends in this leg) as an exact fraction.

        Raises
        ------
        OptionError
            If the result is sampled.
        """
        self._refuse_sampled()
        return Fraction(self.race_end_weight, self.total)

    def ticket(self, worth: int) -> Mapping[str, float]:
        """Expected payoff of a leg ticket of that worth, by camel (F8).

        Parameters
        ----------
        worth
            What it pays if its camel is first; it pays 1 if second, else -1.

        Raises
        ------
        OptionError
            If `worth` is no finite number.
        """
        return self.payoff(_ticket_pays(worth))

    @cached_property
    def third(self) -> Mapping[str, float]:
        """Expected payoff of the third-place card, by camel (C11).

        Raises
        ------
        OptionError
            If there is no such card in the edition.
        """
        return self.payoff(self._third_pays)

    def third_fraction(self, camel: str) -> Fraction:
        """Expected payoff of the third-place card as an exact fraction (C11).

        Raises
        ------
        OptionError
            If there is no such card in the edition, or no such camel, or the result is sampled.
        """
        pays = self._third_pays
        return sum((pay * self.fraction(camel, i + 1) for i, pay in enumerate(pays)), Fraction(0))

    @property
    def _third_pays(self) -> tuple[int, ...]:
        if not self.edition.third_pays:
            raise OptionError(Problem("third", f"no such card in {self.edition.heading}", "C11"))
        return self.edition.third_pays

    def payoff(self, pays: Sequence[float]) -> Mapping[str, float]:
        """Expected payoff, by camel, of whatever pays by the place of its camel.

        Parameters
        ----------
        pays
            What it pays for the first to the fifth place.
        """
        of_place = np.asarray(pays)
        if of_place.dtype.kind == "i":
            # One division, so that the float is the nearest one to the fraction.
            return self._by_camel(share(self.place_weights @ of_place, self.total))
        return self._by_camel(self.places @ of_place)

    def payoff_errors(self, pays: Sequence[float]) -> Mapping[str, float]:
        """Standard error of `payoff`, by camel."""
        of_place = np.asarray(pays, dtype=np.float64)
        return self._by_camel(self._error_of(of_place[self.edition.outcomes.T - 1]))

    def _error_of(self, values: Any) -> FloatArray:
        """Standard error of the mean of values (..., N) by outcome; 0 if it is exact."""
        values = np.asarray(values, dtype=np.float64)
        if not self.sampled:
            return np.zeros(values.shape[:-1])
        shares = share(self.weights, self.total)
        return mean_error(values @ shares, values**2 @ shares, self.total)

    @cached_property
    def standard_errors(self) -> Mapping[str, Any]:
        """The standard error of every number: 0 in an exact result, NaN without samples.

        ``outcomes`` (N,), ``places`` (5, 5) and ``joint`` (5, 5) are arrays as `weights`,
        `places` and `joint`; ``landings`` and ``gone`` are mappings by space, ``race_ends`` a
        number.  See `ticket_errors` for tickets.
        """
        n = self.total
        at_place = self.edition.at_place
        first, second = at_place[:, 0], at_place[:, 1]
        ends = share(self.race_end_weight, n)
        return MappingProxyType(
            {
                "outcomes": self._error_of(np.eye(len(self.weights))),
                "places": self._error_of(at_place),
                "joint": self._error_of(first[:, None] * second[None, :]),
                "landings": MappingProxyType(
                    {
                        space: float(mean_error(mean, share(self.landing_squares[space], n), n))
                        if self.sampled
                        else 0.0
                        for space, mean in self.landings.items()
                    }
                ),
                "race_ends": float(mean_error(ends, ends, n)) if self.sampled else 0.0,
                "gone": MappingProxyType(
                    {
                        space: float(mean_error(mean, mean, n)) if self.sampled else 0.0
                        for space, mean in self.gone.items()
                    }
                ),
            }
        )

    def ticket_errors(self, worth: int) -> Mapping[str, float]:
        """Standard error of `ticket`, by camel."""
        return self.payoff_errors(_ticket_pays(worth))

    def intervals(self, confidence: float = 0.95) -> Mapping[str, Any]:
        """Confidence intervals, Wilson's for probabilities; points in an exact result.

        Parameters
        ----------
        confidence
            Between 0 and 1.

        Returns
        -------
        mapping
            As `standard_errors`, with a last axis (or pair) of lower and upper end.  Landings
            are means, so theirs are normal intervals.

        Raises
        ------
        OptionError
            If `confidence` does not lie between 0 and 1.
        """
        z = quantile(confidence)
        values = {
            "outcomes": share(self.weights, self.total),
            "places": self.places,
            "joint": self.joint,
            "race_ends": np.asarray(self.race_ends),
        }
        errors = self.standard_errors
        intervals: dict[str, Any] = {
            name: wilson(value, errors[name], self.total, confidence)
            if self.sampled
            else np.stack([value, value], axis=-1)
            for name, value in values.items()
        }
        intervals["race_ends"] = tuple(intervals["race_ends"].tolist())
        intervals["gone"] = MappingProxyType(
            {
                space: tuple(wilson(chance, errors["gone"][space], self.total, confidence).tolist())
                if self.sampled
                else (chance, chance)
                for space, chance in self.gone.items()
            }
        )
        intervals["landings"] = MappingProxyType(
            {
                space: (
                    max(mean - z * errors["landings"][space], 0.0),
                    mean + z * errors["landings"][space],
                )
                for space, mean in self.landings.items()
            }
        )
        return MappingProxyType(intervals)

    def interval(self, camel: str, place: int, confidence: float = 0.95) -> tuple[float, float]:
        """Confidence interval of P(camel at place), see `intervals`.

        Raises
        ------
        OptionError
            If there is no such camel or place, or `confidence` is none.
        """
        row, column = self._row(camel), self._column(place)
        low, high = self.intervals(confidence)["places"][row, column].tolist()
        return low, high

    def ticket_fraction(self, camel: str, worth: int) -> Fraction:
        """Expected payoff of a leg ticket as an exact fraction (F8).

        Raises
        ------
        OptionError
            If there is no such camel, `worth` is no finite number, or the result is sampled.
        """
        pays = _ticket_pays(worth)
        return sum(
            (Fraction(pay) * self.fraction(camel, i + 1) for i, pay in enumerate(pays)), Fraction(0)
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``edition``, ``position`` (notation), ``method``, ``total``, ``places``
        (camel to five numbers), ``landings`` (space to number), ``race_ends``, ``tickets``
        (camel to the value of a ticket of each worth of the edition, 5, 3 and 2); for the
        Card Game ``third`` (camel to the value of the third-place card) and ``gone`` (space of
        a marker to a probability).

        An exact result has beside them ``fractions``, ``landing_fractions`` and
        ``race_ends_fraction`` as text; a sampled one ``n``, ``seed`` and
        ``standard_errors``, with keys ``places``, ``landings``, ``race_ends``, ``tickets``.
        A number that is not known, of a result without samples, is None.
        """
        camels = self.camels
        worths = sorted(set(self.edition.tickets), reverse=True)
        data: dict[str, Any] = self.edition.to_dict() | {
            "position": str(self.position),
            "method": self.method,
            "total": self.total,
            "places": rows_by_camel(camels, self.places),
        }
        tail = {
            "landings": _by_space(self.landings),
            "race_ends": known(self.race_ends),
            "tickets": {c: [known(self.ticket(w)[c]) for w in worths] for c in camels},
        }
        if self.edition.by_cards:
            tail["third"] = {c: known(value) for c, value in self.third.items()}
            tail["gone"] = _by_space(self.gone)
        if self.sampled:
            errors = self.standard_errors
            tickets = {c: [known(self.ticket_errors(w)[c]) for w in worths] for c in camels}
            return (
                data
                | tail
                | {
                    "n": self.n,
                    "seed": self.seed,
                    "standard_errors": {
                        "places": rows_by_camel(camels, errors["places"]),
                        "landings": _by_space(errors["landings"]),
                        "race_ends": known(errors["race_ends"]),
                        "tickets": tickets,
                    },
                }
            )
        places = range(1, len(camels) + 1)
        return (
            data
            | tail
            | {
                "fractions": {
                    c: [str(self.fraction(c, place)) for place in places] for c in camels
                },
                "landing_fractions": {
                    str(space): str(self.landing_fraction(space)) for space in self.landing_weights
                },
                "race_ends_fraction": str(self.race_ends_fraction),
            }
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LegOdds)
            and self.position == other.position
            and self.total == other.total
            and np.array_equal(self.weights, other.weights)
            and self.landing_weights == other.landing_weights
            and self.race_end_weight == other.race_end_weight
            and self.method == other.method
            and self.seed == other.seed
            and self.landing_squares == other.landing_squares
            and self.gone_weights == other.gone_weights
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<LegOdds of {self.position} ({self.edition.name}), {self.method}>"

    def plot(self, kind: str = "bars", ax: Axes | None = None) -> Axes:
        """Places by camel, by matplotlib.

        Parameters
        ----------
        kind
            ``"bars"``, a stacked bar for each camel, or ``"heat"``, a heat map.
        ax
            Axes to draw in; new ones if left out.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed: ``pip install "camelodds[plot]"``.
        OptionError
            If an argument cannot be used.
        """
        from camelodds.display.plots import places

        return places(self, kind, ax)

    def _table(self) -> Table:
        from camelodds.display.tables import leg_table

        return leg_table(self)


def _by_space(values: Mapping[int, float]) -> dict[str, float | None]:
    return {str(space): known(value) for space, value in values.items()}


def _ticket_pays(worth: float) -> tuple[float, ...]:
    """What a leg ticket pays by the place of its camel (F8)."""
    if isinstance(worth, bool) or not isinstance(worth, Real) or not isfinite(worth):
        tip = "what it pays if its camel is first"
        raise OptionError(Problem(f"worth={worth!r:.40}", "not a finite number", tip=tip))
    return ticket_by_place(worth)
