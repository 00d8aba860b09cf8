"""Every legal action with its value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from camelodds.actions import MARKER_SIGNS, Event, read_event
from camelodds.errors import EventError, Problem
from camelodds.results.errors import FloatArray
from camelodds.shown import Picklable, Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.display.table import Table
    from camelodds.game import Game


PLACED = ("tile", *MARKER_SIGNS)
"""Kinds of action that put something on a space."""


@dataclass(frozen=True)
class ActionValue(Picklable):
    """What one action is worth, in coins.

    Attributes
    ----------
    action
        As text, for example ``"tile 16-"``.
    value
        Expected coins at the end with the action, less those without it; nobody acts any
        more after it.
    direct
        What the action itself pays.
    holdings
        What it changes for the things that the player holds already.
    rivals
        By rival: the change of that rival's expected coins.
    relative
        `value` less the mean change of the rivals.
    standard_error
        Of `value` where something was sampled; None where all is exact.
    rival_errors
        By rival: the standard error of that rival's change, where it was sampled.
    relative_error
        Standard error of `relative`, or None.
    pays
        Probability by what the action itself pays, largest first; empty for a tile and a
        partnership.
    bet_before, before_value
        Of a track action of the Card Game (C5): the best bet before it, empty if none is worth
        taking, and its value given the action.
    bets_after, after_value
        By the card that is revealed the best bet after it, empty text if none is worth taking;
        under an empty text for an action that reveals none.  The expected value of that bet.
    before_error, after_error
        Standard errors of the two, where they were sampled.
    direct_error
        Standard error of `direct`, where it was sampled.
    """

    action: str
    value: float
    direct: float
    holdings: float
    rivals: Mapping[str, float]
    relative: float
    standard_error: float | None = None
    rival_errors: Mapping[str, float] = field(default_factory=dict)
    relative_error: float | None = None
    pays: Mapping[int, float] = field(default_factory=dict)
    bet_before: str = ""
    before_value: float = 0.0
    bets_after: Mapping[str, str] = field(default_factory=dict)
    after_value: float = 0.0
    before_error: float | None = None
    after_error: float | None = None
    direct_error: float | None = None

    @property
    def holdings_error(self) -> float | None:
        """Standard error of `holdings`, where it was sampled: what is left of that of `value`."""
        whole, direct = self.standard_error or 0.0, self.direct_error or 0.0
        return math.sqrt(max(0.0, whole**2 - direct**2)) or None

    @property
    def turn(self) -> float:
        """The value with the best bet before or after it; that of the action alone elsewhere."""
        return self.value + max(self.before_value, self.after_value)

    @property
    def turn_error(self) -> float | None:
        """Standard error of `turn`, as if its parts were sampled apart; None if it is exact."""
        later = self.after_value >= self.before_value
        parts = (self.standard_error, self.after_error if later else self.before_error)
        return math.hypot(*(part or 0.0 for part in parts)) or None

    @property
    def kind(self) -> str:
        """The first word of the action."""
        return self.action.split()[0]

    def to_dict(self) -> dict[str, Any]:
        """Keys are those of the attributes; ``pays`` has text for keys."""
        return {
            "action": self.action,
            "value": self.value,
            "direct": self.direct,
            "holdings": self.holdings,
            "rivals": dict(self.rivals),
            "relative": self.relative,
            "standard_error": self.standard_error,
            "rival_errors": dict(self.rival_errors),
            "relative_error": self.relative_error,
            "pays": {str(pay): chance for pay, chance in self.pays.items()},
        }

    def turn_dict(self) -> dict[str, Any]:
        """What `to_dict` does not hold: the bets about a track action, and the whole turn."""
        return {
            "bet_before": self.bet_before,
            "before_value": self.before_value,
            "bets_after": dict(self.bets_after),
            "after_value": self.after_value,
            "turn": self.turn,
            "before_error": self.before_error,
            "after_error": self.after_error,
            "turn_error": self.turn_error,
        }


@dataclass(frozen=True, eq=False, repr=False)
class TileMap(Shown):
    """What the own tile is worth on each space of the track.

    Attributes
    ----------
    values : (spaces, 2) float64
        From space 1 on, + and -; NaN where it may not lie.
    """

    values: FloatArray

    def __post_init__(self) -> None:
        self.values.flags.writeable = False

    def to_dict(self) -> dict[str, Any]:
        """Keys are ``spaces``, ``plus`` and ``minus``: the last two by space, null for none."""
        sides = [
            [worth if worth == worth else None for worth in side] for side in self.values.T.tolist()
        ]
        spaces = list(range(1, len(self.values) + 1))
        return {"spaces": spaces, "plus": sides[0], "minus": sides[1]}

    def __repr__(self) -> str:
        return f"<TileMap of {int(np.isfinite(self.values).sum())} placements>"

    def plot(self, ax: Axes | None = None) -> Axes:
        """The values along the track, both sides, by matplotlib.

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
        from camelodds.display.plots import tiles

        return tiles(self, ax)

    def _table(self) -> Table:
        from camelodds.display.tables import tile_table

        return tile_table(self)


@dataclass(frozen=True, eq=False, repr=False)
class ActionValues(Shown):
    """Every legal action of a game, best first.

    Attributes
    ----------
    game : Game
        What was asked.
    rows : tuple of ActionValue
        Best first.
    belief : str
        How hidden overall cards were taken: ``"odds"``, ``"uniform"`` or ``"own"``.
    race_method : str or None
        Where the race odds come from, see `RaceOdds`; None if none were needed.
    samples, seed : int or None
        Sampled races of each position, and their seed; None where all is exact.
    rounds : int or None
        Sampled rounds of each position of the Card Game; None where they are exact.  The
        position as it is can be exact though those after actions are sampled: bets about its
        round then have no standard error.

    Examples
    --------
    >>> import camelodds as co
    >>> g = co.Game.start(co.FIRST, players=4, position="1:gyo 3:bw")
    >>> values = co.action_values(g, without=["winner", "last"])
    >>> values.best.action, round(values.best.value, 4)
    ('ticket w', 1.4997)
    >>> round(values["tile 4+"].direct, 4), len(values)
    (1.2904, 34)
    """

    game: Game
    rows: tuple[ActionValue, ...]
    belief: str = "odds"
    race_method: str | None = None
    samples: int | None = None
    seed: int | None = None
    rounds: int | None = None

    @property
    def best(self) -> ActionValue | None:
        """The action with the greatest value; None after the race."""
        return self.rows[0] if self.rows else None

    @cached_property
    def _by_action(self) -> Mapping[str, ActionValue]:
        return MappingProxyType({row.action: row for row in self.rows})

    def __getitem__(self, action: str | Event) -> ActionValue:
        text = str(read_event(action, self.game.edition))
        if text not in self._by_action:
            what = "is not among the actions that were valued"
            raise EventError(Problem(text, what, tip="see legal_actions(game)"))
        return self._by_action[text]

    def __iter__(self) -> Iterator[ActionValue]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def tile_map(self) -> TileMap:
        """What the own tile is worth on each space, either side up; or a marker (C6)."""
        values = np.full((self.game.position.last_space, 2), np.nan)
        for row in self.rows:
            if row.kind in PLACED:
                event = read_event(row.action, self.game.edition)
                values[event.number - 1, 0 if event.sign > 0 else 1] = row.value
        return TileMap(values)

    def explain(self, action: str | Event) -> str:
        """One sentence: what the action pays, in which cases, what it changes for holdings.

        Raises
        ------
        EventError
            If the action was not valued.

        Examples
        --------
        >>> import camelodds as co
        >>> g = co.Game.start(co.FIRST, players=4, position="1:gyo 3:bw")
        >>> print(co.action_values(g, without=["winner", "last"]).explain("ticket w"))
        ticket w is worth +1.50: it pays 5 (33.1%), 1 (25.7%), -1 (41.2%); what P1 holds already
        stays worth the same.
        """
        from camelodds.display.explain import explain_action

        return explain_action(self, self[action])

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``game``, ``belief``, ``race_method``, ``samples``, ``seed`` and ``actions``, a
        list, best first, of what `ActionValue.to_dict` gives.
        """
        return {
            "game": self.game.to_dict(),
            "belief": self.belief,
            "race_method": self.race_method,
            "samples": self.samples,
            "seed": self.seed,
            "actions": [row.to_dict() for row in self.rows],
        } | self._turn_dict()

    def _turn_dict(self) -> dict[str, Any]:
        """What `to_dict` holds of the Card Game."""
        if not self.game.edition.by_cards:
            return {}
        rows = [row.to_dict() | row.turn_dict() for row in self.rows]
        return {"rounds": self.rounds, "actions": rows}

    def __repr__(self) -> str:
        best = self.rows[0].action if self.rows else "none"
        return f"<ActionValues of {len(self.rows)} actions, best: {best}>"

    def _table(self) -> Table:
        from camelodds.display.tables import actions_table

        return actions_table(self)

    @property
    def _parts(self) -> list[Shown]:
        """The map of the track, if there is anything on it."""
        return [self.tile_map] if any(row.kind in PLACED for row in self.rows) else []

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *map(str, self._parts)])

    def _repr_html_(self) -> str:
        return "".join([super()._repr_html_(), *(part._repr_html_() for part in self._parts)])

    def __rich__(self) -> Any:
        from rich.console import Group

        return Group(super().__rich__(), *(part.__rich__() for part in self._parts))


def largest_first(pays: Mapping[int, float]) -> Mapping[int, float]:
    """Only what can happen, largest payment first."""
    return MappingProxyType({pay: pays[pay] for pay in sorted(pays, reverse=True) if pays[pay]})
