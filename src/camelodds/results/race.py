"""Who wins the race, who is last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from camelodds.editions import Edition
from camelodds.position import Position
from camelodds.shown import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.display.table import Table

FloatArray = npt.NDArray[np.float64]


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
    method : str
        ``"exact"`` if the dice of this leg decide it, ``"table"`` if a table of positions
        between legs was looked up, ``"sampled"``.
    error : float
        Bound of the error of each probability but for the last roundings; for a sampled
        result the largest standard error.
    winner_se, last_se : mapping of str to float or None
        Standard errors of a sampled result.
    n, seed : int or None
        Number of samples and seed of a sampled result.

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
    winner_se: Mapping[str, float] | None = None
    last_se: Mapping[str, float] | None = None
    n: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
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
    def assumption(self) -> str:
        """What the numbers take for granted, in one line."""
        if self.position.race_over:
            return "The race is over."
        return "Tiles act in this leg only; none is placed or moved later."

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``edition``, ``position`` (notation), ``winner`` and ``last`` (camel to number),
        ``places`` (camel to five numbers, or null), ``legs`` (or null), ``race_ends``,
        ``method``, ``error``, ``assumption``; of a sampled result also ``winner_se``,
        ``last_se``, ``n``, ``seed``.
        """
        places = None
        if self.places is not None:
            places = {c: self.places[i].tolist() for i, c in enumerate(self.camels)}
        data: dict[str, Any] = {
            "edition": self.edition.name,
            "position": str(self.position),
            "winner": dict(self.winner),
            "last": dict(self.last),
            "places": places,
            "legs": self.legs,
            "race_ends": self.race_ends,
            "method": self.method,
            "error": self.error,
            "assumption": self.assumption,
        }
        if self.winner_se is not None:
            data["winner_se"] = dict(self.winner_se)
        if self.last_se is not None:
            data["last_se"] = dict(self.last_se)
        if self.n is not None:
            data["n"] = self.n
        if self.seed is not None:
            data["seed"] = self.seed
        return data

    def to_json(self) -> str:
        """The dictionary of `to_dict` as JSON text."""
        return json.dumps(self.to_dict())

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
