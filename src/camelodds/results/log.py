"""Odds along a recorded game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from camelodds.editions import Edition
from camelodds.errors import OptionError, Problem
from camelodds.results.errors import FloatArray
from camelodds.shown import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.display.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class OddsByEvent(Shown):
    """How the odds went, before the first event of a game and after each one.

    Attributes
    ----------
    edition : Edition
        Of the game.
    kind : str
        ``"leg"``: P(camel is first at the end of the leg); ``"winner"``, ``"last"``: P(it wins
        the race), P(it is last).
    events, players : tuple of str
        What happened and who did it; both empty at the start.
    shares : (n + 1, 5) float64
        By event and camel, in the order of the edition.
    errors : (n + 1, 5) float64 or None
        Standard errors of the same, 0 for an exact one; None if all are exact.
    """

    edition: Edition
    kind: str
    events: tuple[str, ...]
    players: tuple[str, ...]
    shares: FloatArray
    errors: FloatArray | None = None

    def __post_init__(self) -> None:
        self.shares.flags.writeable = False

    def __getitem__(self, camel: str) -> FloatArray:
        """(n + 1,) float64: how the odds of one camel went."""
        if not isinstance(camel, str) or len(camel) != 1 or camel not in self.edition.racing:
            tip = f"the racing camels are {', '.join(self.edition.racing)}"
            raise OptionError(Problem(f"{camel!r:.40}", "no racing camel", tip=tip))
        column: FloatArray = self.shares[:, self.edition.racing.index(camel)]
        return column

    def error(self, camel: str) -> FloatArray:
        """(n + 1,) float64: the standard errors of the odds of one camel, 0 if exact."""
        shares = self[camel]
        if self.errors is None:
            return np.zeros(len(shares))
        column: FloatArray = self.errors[:, self.edition.racing.index(camel)]
        return column

    def plot(self, ax: Axes | None = None) -> Axes:
        """How the odds went, by matplotlib; standard errors as error bars.

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
        from camelodds.display.plots import odds_by_event

        return odds_by_event(self, ax)

    def __len__(self) -> int:
        return len(self.events)

    def __repr__(self) -> str:
        return f"<OddsByEvent of {len(self.events) - 1} events: {self.kind}>"

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``edition``, ``kind``, ``events``, ``players``, ``shares`` and ``errors``, the
        last two by camel; ``errors`` is null if all is exact.
        """
        errors = None
        if self.errors is not None:
            errors = {camel: self.error(camel).tolist() for camel in self.edition.racing}
        return self.edition.to_dict() | {
            "kind": self.kind,
            "events": list(self.events),
            "players": list(self.players),
            "shares": {camel: self[camel].tolist() for camel in self.edition.racing},
            "errors": errors,
        }

    def _table(self) -> Table:
        from camelodds.display.tables import log_table

        return log_table(self)
