"""The odds of many positions: arrays with a row for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from camelodds.editions import Edition, IntArray
from camelodds.errors import PositionError, Problem
from camelodds.results.errors import FloatArray
from camelodds.shown import Picklable

if TYPE_CHECKING:
    import pandas
    import polars

    from camelodds.display.frames import Columns

PLACES = ("first", "second", "third", "fourth", "fifth")
BoolArray = npt.NDArray[np.bool_]


def _frozen(array: FloatArray) -> FloatArray:
    array.flags.writeable = False
    return array


class _Rows(Picklable, ABC):
    """What both batches do with their rows."""

    problems: Mapping[int, tuple[Problem, ...]]

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            array = getattr(self, field.name)
            if isinstance(array, np.ndarray):
                _frozen(array)

    @abstractmethod
    def __len__(self) -> int:
        """Number of rows."""

    @cached_property
    def ok(self) -> BoolArray:
        """(n,) bool: which rows are positions with an answer."""
        good = np.ones(len(self), dtype=np.bool_)
        good[list(self.problems)] = False
        return good

    def raise_problems(self) -> None:
        """Raise all faults of all rows, if there are any.

        Raises
        ------
        PositionError
            With the rows named.
        """
        found = list(self._named_problems())
        if found:
            raise PositionError(found, f"{len(self.problems)} of {len(self)} rows:")

    def _columns(self) -> Columns:
        """Of a data frame: a row for each position and camel."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame with a row for each position and camel.

        Columns are ``row``, ``camel``, of leg odds ``first`` to ``fifth``, of race odds
        ``winner``, ``last`` and, where they are known, ``second`` to ``fourth``, beside sampled
        ones their standard errors as ``winner_error``.  NaN in a row with problems.

        Raises
        ------
        MissingExtraError
            If pandas is not installed: ``pip install "camelodds[frames]"``.
        """
        from camelodds.display.frames import pandas_frame

        return pandas_frame(self._columns())

    def to_polars(self) -> polars.DataFrame:
        """The same as `to_pandas`, as a polars data frame.

        Raises
        ------
        MissingExtraError
            If polars is not installed: ``pip install "camelodds[frames]"``.
        """
        from camelodds.display.frames import polars_frame

        return polars_frame(self._columns())

    def _named_problems(self) -> Iterator[Problem]:
        for row, faults in self.problems.items():
            for fault in faults:
                where = f"row {row}: {fault.where}" if fault.where else f"row {row}"
                yield Problem(where, fault.what, fault.rule, fault.tip)


@dataclass(frozen=True, eq=False, repr=False)
class LegBatch(_Rows):
    """Exact leg odds of n positions of one edition.

    A row that is no position has weight 0 everywhere, so its odds are NaN; `problems` says
    what is wrong with it.

    Attributes
    ----------
    edition : Edition
        Of all positions.
    weights : (n, N) int64
        Weight of each outcome, in the order of ``edition.outcomes``.
    totals : (n,) int64
        Their sums; 0 in a row with problems.
    landing_weights : (n, S + 1) int64
        Weight of the units that come to a tile (M3), by its space from 0 to the last.
    race_end_weights : (n,) int64
        Weight of the courses that end the race.
    problems : mapping of int to tuple of Problem
        By row: everything that is wrong with it.

    Examples
    --------
    >>> import camelodds as co
    >>> batch = co.leg_odds_batch([co.Position.parse("1:gyo 3:bw"), "not a position"])
    >>> batch.ok.tolist(), round(float(batch.places[0, 4, 0]), 4)
    ([True, False], 0.3308)
    """

    edition: Edition
    weights: IntArray
    totals: IntArray
    landing_weights: IntArray
    race_end_weights: IntArray
    problems: Mapping[int, tuple[Problem, ...]]

    def __len__(self) -> int:
        return len(self.totals)

    @cached_property
    def _totals(self) -> FloatArray:
        """(n,) float64: what weights are divided by; NaN in a row with problems."""
        return np.where(self.totals > 0, self.totals, np.nan)

    @cached_property
    def outcomes(self) -> FloatArray:
        """(n, N) float64: P(outcome), in the order of ``edition.outcomes``."""
        return _frozen(self.weights / self._totals[:, None])

    @cached_property
    def places(self) -> FloatArray:
        """(n, 5, 5) float64: P(camel at place), camels as in the edition, 1st to 5th."""
        at_place = self.edition.at_place
        # Whole numbers below 2^53, so that products of floats are exact.
        weights = self.weights.astype(np.float64)
        found: FloatArray = weights @ at_place.reshape(-1, weights.shape[1]).T.astype(np.float64)
        found /= self._totals[:, None]
        return _frozen(found.reshape(len(self), *at_place.shape[:2]))

    @cached_property
    def landings(self) -> FloatArray:
        """(n, S + 1) float64: expected units that come to the tile on a space; 0 without."""
        return _frozen(self.landing_weights / self._totals[:, None])

    @cached_property
    def race_ends(self) -> FloatArray:
        """(n,) float64: P(the race ends in this leg)."""
        return _frozen(self.race_end_weights / self._totals)

    def _columns(self) -> Columns:
        from camelodds.display.frames import batch_columns

        names = PLACES[: self.places.shape[2]]
        numbers = {name: self.places[:, :, place] for place, name in enumerate(names)}
        return batch_columns(self.edition.racing, numbers)

    def __repr__(self) -> str:
        wrong = f", {len(self.problems)} of them wrong" if self.problems else ""
        return f"<LegBatch of {len(self):,} positions ({self.edition.name}){wrong}>"


@dataclass(frozen=True, eq=False, repr=False)
class RaceBatch(_Rows):
    """Race odds of n positions of one edition; NaN in a row with problems.

    Attributes
    ----------
    edition : Edition
        Of all positions.
    winner, last : (n, 5) float64
        P(wins), P(is last), camels in the order of the edition.
    places : (n, 5, 5) float64 or None
        P(camel at place); None if a table that holds less was used.
    legs : (n,) float64
        Expected number of leg scorings still to come, that of this leg included.
    landings : (n, S + 1) float64
        Expected units that come to the tile on a space in the present leg (M3).
    race_ends : (n,) float64
        P(the race ends in this leg).
    methods : (n,) str
        Per row as `RaceOdds.method`; empty in a row with problems.
    errors : (n,) float64
        Per row as `RaceOdds.error`.
    standard_errors : (n, 5, 5) float64 or None
        Of a sampled batch: those of `places`.
    n, seeds : (n,) int64 or None
        Of a sampled batch: samples and seed of each row.
    problems : mapping of int to tuple of Problem
        By row: everything that is wrong with it.

    Examples
    --------
    >>> import camelodds as co
    >>> batch = co.race_odds_batch([co.Position.parse("14:wy 15:o 16:bg")])
    >>> batch.methods.tolist(), batch.winner.round(4).tolist()
    (['exact'], [[0.0, 0.292, 0.4704, 0.2086, 0.029]])
    """

    edition: Edition
    winner: FloatArray
    last: FloatArray
    places: FloatArray | None
    legs: FloatArray
    landings: FloatArray
    race_ends: FloatArray
    methods: npt.NDArray[np.str_]
    errors: FloatArray
    problems: Mapping[int, tuple[Problem, ...]]
    standard_errors: FloatArray | None = None
    n: IntArray | None = None
    seeds: IntArray | None = None

    def __len__(self) -> int:
        return len(self.legs)

    def _columns(self) -> Columns:
        from camelodds.display.frames import batch_columns

        numbers = {"winner": self.winner}
        if self.places is not None:
            numbers |= {name: self.places[:, :, 1 + i] for i, name in enumerate(PLACES[1:-1])}
        numbers["last"] = self.last
        if self.standard_errors is not None:
            by_name = dict(zip(("winner", *PLACES[1:-1], "last"), range(5), strict=True))
            for name in tuple(numbers):
                numbers[f"{name}_error"] = self.standard_errors[:, :, by_name[name]]
        return batch_columns(self.edition.racing, numbers)

    def __repr__(self) -> str:
        wrong = f", {len(self.problems)} of them wrong" if self.problems else ""
        return f"<RaceBatch of {len(self):,} positions ({self.edition.name}){wrong}>"
