"""Who wins the race, who is last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
    quantile,
    rows_by_camel,
    share,
    wilson,
)
from camelodds.shown import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.display.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class RaceOdds(Shown):
    """Who wins the race and who is last, the present leg with its tiles, no tiles after it.

    Attributes
    ----------
    position : Position
        What was asked.
    winner, last : mapping of str to float
        P(wins) and P(is last) by racing camel.
    places : (5, 5) float64 or None
        P(camel at place), rows as in `camels`, columns 1st to 5th; None where it is not known.
    legs : float or None
        Expected number of leg scorings still to come, that of this leg included; 0 for a
        finished race, None where it is not known.
    race_ends : float
        P(the race ends in this leg).
    race_ends_exact : bool
        Whether that number was not sampled: the leg was enumerated.
    method : str
        ``"exact"`` if the dice of this leg decide it, ``"table"`` if a table of positions
        between legs was looked up, or ``"sampled"``.
    error : float
        Bound of the error of each probability but for the last roundings; for a sampled
        result the largest standard error.
    n, seed : int or None
        Number of samples and seed of a sampled result.
    counts : (N,) int64 or None
        Of a sampled result: how often each outcome came, in the order of
        ``edition.outcomes``.
    errors : mapping or None
        Of a sampled result: what `standard_errors` gives.
    exact_leg : bool
        Of a sampled result: whether this leg was enumerated and only what follows it sampled.
    note : str
        What else there is to know about the numbers.

    Examples
    --------
    >>> import camelodds as co
    >>> race = co.race_odds(co.Position.parse("14:wy 15:o 16:bg", edition="first"))
    >>> race.method, race.winner["g"], race.last["w"]
    ('exact', 0.47037037037037..., 0.75)
    """

    position: Position
    winner: Mapping[str, float]
    last: Mapping[str, float]
    places: FloatArray | None
    legs: float | None
    race_ends: float
    method: str
    error: float = 0.0
    n: int | None = None
    seed: int | None = None
    counts: IntArray | None = None
    errors: Mapping[str, Any] | None = None
    exact_leg: bool = False
    note: str = ""
    race_ends_exact: bool = True

    def __post_init__(self) -> None:
        if self.counts is not None:
            self.counts.flags.writeable = False
        if self.places is not None:
            self.places.flags.writeable = False

    @property
    def edition(self) -> Edition:
        """The edition of the position."""
        return self.position.edition

    @property
    def camels(self) -> str:
        """The racing camels, in the order of the rows of `places`."""
        return self.edition.racing

    @property
    def sampled(self) -> bool:
        """Whether the numbers are estimates, each with its standard error."""
        return self.errors is not None

    @property
    def winner_se(self) -> Mapping[str, float] | None:
        """Standard errors of `winner`, of a sampled result."""
        return self._place_se(0)

    @property
    def last_se(self) -> Mapping[str, float] | None:
        """Standard errors of `last`, of a sampled result."""
        return self._place_se(-1)

    def _place_se(self, place: int) -> Mapping[str, float] | None:
        if self.errors is None:
            return None
        return by_camel(self.camels, self.errors["places"][:, place])

    @property
    def standard_errors(self) -> Mapping[str, Any]:
        """The standard error of every number; 0 where nothing was sampled.

        ``places`` (5, 5) as `places`, ``outcomes`` (N,) as `counts`, ``legs`` and
        ``race_ends``.  For an exact first leg with sampled tails these are smaller than those
        of independent races.  ``race_ends`` is exact, its error 0, where the leg was enumerated.
        """
        if self.errors is not None:
            return self.errors
        n_camels, n_outcomes = len(self.camels), len(self.edition.outcomes)
        return MappingProxyType(
            {
                "outcomes": np.zeros(n_outcomes),
                "places": np.zeros((n_camels, n_camels)),
                "legs": 0.0,
                "race_ends": 0.0,
            }
        )

    def intervals(self, confidence: float = 0.95) -> Mapping[str, Any]:
        """Confidence intervals of a sampled result, Wilson's for probabilities.

        Parameters
        ----------
        confidence
            Between 0 and 1.

        Returns
        -------
        mapping
            As `standard_errors`, with a last axis (or pair) of lower and upper end.  That of
            the expected number of legs is a normal interval.

        Raises
        ------
        OptionError
            If `confidence` does not lie between 0 and 1, or the result is not sampled.
        """
        z = quantile(confidence)
        if self.errors is None or self.counts is None or self.n is None or self.legs is None:
            what = "not sampled, so there is no interval"
            raise OptionError(Problem(f"method {self.method!r}", what, tip="see .error"))
        n, errors = self.n, self.errors
        ends = wilson(self.race_ends, errors["race_ends"], n, confidence)
        if self.race_ends_exact:
            ends = np.array([self.race_ends, self.race_ends])
        legs = self.legs, z * errors["legs"]
        return MappingProxyType(
            {
                "outcomes": wilson(share(self.counts, n), errors["outcomes"], n, confidence),
                "places": wilson(self.places, errors["places"], n, confidence),
                "legs": (legs[0] - legs[1], legs[0] + legs[1]),
                "race_ends": tuple(ends.tolist()),
            }
        )

    @property
    def assumption(self) -> str:
        """What the numbers take for granted, in one line."""
        if self.position.race_over:
            return "The race is over."
        if self.edition.by_cards:
            return (
                "Only the deck is revealed, now and in later rounds; its unknown cards are drawn "
                "evenly (C14), as if nobody had chosen them. Markers act in this round only."
            )
        return "Tiles act in this leg only; none is placed or moved later."

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``edition``, ``position`` (notation), ``winner`` and ``last`` (camel to number),
        ``places`` (camel to five numbers, or null), ``legs`` (or null), ``race_ends``,
        ``method``, ``error``, ``assumption``, ``note``; of a sampled result also
        ``winner_se``, ``last_se``, ``exact_leg``, ``n``, ``seed``, ``counts`` (outcome to
        number, those that came) and ``standard_errors``, with keys ``places``, ``legs``,
        ``race_ends``.
        A number that is not known, of a result without samples, is None.
        """
        places = None
        if self.places is not None:
            places = rows_by_camel(self.camels, self.places)
        data: dict[str, Any] = self.edition.to_dict() | {
            "position": str(self.position),
            "winner": {camel: known(value) for camel, value in self.winner.items()},
            "last": {camel: known(value) for camel, value in self.last.items()},
            "places": places,
            "legs": known(self.legs),
            "race_ends": known(self.race_ends),
            "method": self.method,
            "error": known(self.error),
            "assumption": self.assumption,
            "note": self.note,
        }
        if self.errors is not None and self.counts is not None:
            names, counts = self.edition.outcome_names, self.counts
            errors = rows_by_camel(self.camels, self.errors["places"])
            data |= {
                "winner_se": {camel: row[0] for camel, row in errors.items()},
                "last_se": {camel: row[-1] for camel, row in errors.items()},
                "exact_leg": self.exact_leg,
                "n": self.n,
                "seed": self.seed,
                "counts": {names[i]: int(counts[i]) for i in np.flatnonzero(counts)},
                "standard_errors": {
                    "places": errors,
                    "legs": known(self.errors["legs"]),
                    "race_ends": known(self.errors["race_ends"]),
                },
            }
        return data

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RaceOdds)
            and self.position == other.position
            and self.to_dict() == other.to_dict()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<RaceOdds of {self.position} ({self.edition.name}), {self.method}>"

    def plot(self, kind: str = "ends", ax: Axes | None = None) -> Axes:
        """The odds by camel, by matplotlib; standard errors as error bars.

        Parameters
        ----------
        kind
            ``"ends"``, P(wins) and P(is last); where all places are known also ``"bars"``, a
            stacked bar for each camel, and ``"heat"``, a heat map.
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
        from camelodds.display.plots import race

        return race(self, kind, ax)

    def _table(self) -> Table:
        from camelodds.display.tables import race_table

        return race_table(self)
