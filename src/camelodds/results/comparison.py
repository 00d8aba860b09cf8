"""Enumeration against sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from camelodds.position import Position
from camelodds.shown import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.display.table import Table


class MethodRow(NamedTuple):
    """One method for one number of dice.

    Attributes
    ----------
    dice
        How many dice are in the pyramid.
    method
        ``"exact"`` or ``"sampled"``.
    n
        Number of samples; None for exact odds.
    seconds
        How long it took, on one thread: the fastest of several runs.
    largest_error
        The largest difference of a P(camel at place) from its exact value.
    expected_error
        The largest standard error of a P(camel at place) for so many samples.
    """

    dice: int
    method: str
    n: int | None
    seconds: float
    largest_error: float
    expected_error: float


class BreakEven(NamedTuple):
    """Where enumeration begins to win.

    Attributes
    ----------
    dice
        How many dice are in the pyramid.
    samples
        Samples that are drawn in the time of one enumeration, at the rate of the longest run,
        as if a run cost nothing to start.
    standard_error
        What they give: for anything more precise, enumeration is faster.
    """

    dice: int
    samples: float
    standard_error: float


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Shown):
    """Time and error of exact and of sampled leg odds, by the number of dice left.

    Attributes
    ----------
    position : Position
        What was asked.
    rows : tuple of MethodRow
        For each number of dice the enumeration, then the sampling by number of samples.
    seed : int
        Of all samples.
    """

    position: Position
    rows: tuple[MethodRow, ...]
    seed: int

    @property
    def break_even(self) -> tuple[BreakEven, ...]:
        """From which precision on enumeration wins, for each number of dice that are rolled."""
        found = []
        for dice in dict.fromkeys(row.dice for row in self.rows):
            exact, *sampled = [row for row in self.rows if row.dice == dice]
            drawn = [row for row in sampled if row.n and row.expected_error > 0]
            if drawn:
                longest = max(drawn, key=lambda row: row.n or 0)
                n = longest.n or 0
                samples = n * exact.seconds / longest.seconds
                error = longest.expected_error * (n / samples) ** 0.5
                found.append(BreakEven(dice, samples, error))
        return tuple(found)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Error against time, by matplotlib: a line of samples for each number of dice.

        Parameters
        ----------
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
            If something else than axes is given.
        """
        from camelodds.display.plots import comparison

        return comparison(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``edition``, ``position`` (notation), ``seed``, ``rows`` and ``break_even``, lists
        of objects with the fields of `MethodRow` and `BreakEven`.
        """
        return self.position.edition.to_dict() | {
            "position": str(self.position),
            "seed": self.seed,
            "rows": [row._asdict() for row in self.rows],
            "break_even": [row._asdict() for row in self.break_even],
        }

    def __repr__(self) -> str:
        return f"<Comparison of {self.position} ({self.position.edition.name})>"

    def _table(self) -> Table:
        from camelodds.display.tables import comparison_table

        return comparison_table(self)
