"""What best play of a leg comes to: every action with its value, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from camelodds.editions import Edition
from camelodds.errors import OptionError, Problem
from camelodds.game_forms import counted
from camelodds.position import Position
from camelodds.results.policy import LegPolicy
from camelodds.shown import Picklable, Shown

if TYPE_CHECKING:
    from camelodds.display.table import Table

OBJECTIVES = {
    "coins": "the own coins of this leg",
    "lead": "the own coins of this leg minus the mean of the others",
}
TIE = 1e-9


@dataclass(frozen=True)
class PlayOption(Picklable):
    """One action of the player to move, and what everybody can expect after it.

    Attributes
    ----------
    action
        As in a game: ``"roll"``, ``"ticket b"``, ``"winner g"``, ``"tile 16-"``.
    values
        Expected coins of this leg from here on, by player, in turn order.
    cost
        By how much the objective falls short of the best action's.
    plain
        The plain value: nobody acts any more after the action.
    fractions
        The values as exact fractions, in the same order; empty for overall bets, whose values
        are none.
    standard_error
        Of the own value, where it was sampled; else None.
    """

    action: str
    values: Mapping[str, float]
    cost: float
    plain: float
    fractions: tuple[Fraction, ...] = ()
    standard_error: float | None = None

    @property
    def value(self) -> float:
        """What the player to move can expect."""
        return next(iter(self.values.values()))


@dataclass(frozen=True)
class PlayStep:
    """One step of the expected line.

    Attributes
    ----------
    player
        Who acts; empty at the end.
    action
        ``"roll"``, ``"ticket b"``, ...; ``"end"`` where the leg is over.
    worth
        Of a ticket: what it pays if its camel is first; else 0.
    probability
        That this comes next, after the steps before it.
    """

    player: str
    action: str
    worth: int
    probability: float

    def __str__(self) -> str:
        kind, _, what = self.action.partition(" ")
        if kind == "end":
            words = "the leg is over"
        elif kind == "roll":
            words = f"{self.player} reveals a die"
        elif kind == "ticket":
            words = f"{self.player} takes the {self.worth}-ticket of {what}"
        elif kind == "tile":
            words = f"{self.player} places the tile {what}"
        else:
            words = f"{self.player} bets that {what} {'wins' if kind == 'winner' else 'is last'}"
        return words if self.probability == 1 else f"{words} ({self.probability:.0%})"


@dataclass(frozen=True, eq=False, repr=False)
class LegPlay(Shown):
    """A leg solved exactly: what each action is worth if everybody then plays best.

    Players act in turn, reveal a die (+1) or take the top ticket of a camel, until the leg or
    the race is over.  Everybody makes the own objective as large as can be and knows that the
    others do.  Of equally good actions revealing a die is chosen first, then the camels in
    the edition's order.

    Attributes
    ----------
    position : Position
        What was asked.
    players : tuple of str
        In turn order, the player to move first.
    tickets_left : mapping of str to tuple of int
        By camel, top first.
    objective : str
        ``"coins"``, the own expected coins of this leg; or ``"lead"``, those minus the mean of
        the other players'.  It only decides what is chosen: values are coins.
    options : tuple of PlayOption
        The actions, best first.
    ties : tuple of str
        All best actions, if there are several; else empty.
    line : tuple of PlayStep
        What is most likely to follow, step by step: at each step the action that is taken in
        most cases, given the steps before.  The numbers on the dice are left open.
    turns : float
        Expected number of actions to the end of the leg, this one included.
    reveals : mapping of str to float
        Expected number of dice that each player still reveals.
    taken : mapping of str to float
        Expected number of tickets that each player still takes.
    policy : LegPolicy
        The choice in every state that the leg can come to, on the track as it is.
    race_method : str or None
        Where the race odds of overall bets come from: ``"exact"``, ``"table"`` or
        ``"sampled"``; None if none were needed.
    samples, seed : int or None
        Of these race odds, where they were sampled.

    Examples
    --------
    >>> import camelodds as co
    >>> p = co.Position.parse("1:gyo 3:bw", edition=co.FIRST)
    >>> play = co.best_play(p, players=4)
    >>> play.best, play.fraction("ticket w", "P1")
    ('ticket w', Fraction(127163, 29160))
    """

    position: Position
    players: tuple[str, ...]
    tickets_left: Mapping[str, tuple[int, ...]]
    objective: str
    options: tuple[PlayOption, ...]
    ties: tuple[str, ...]
    line: tuple[PlayStep, ...]
    turns: float
    reveals: Mapping[str, float]
    taken: Mapping[str, float]
    policy: LegPolicy
    race_method: str | None = None
    samples: int | None = None
    seed: int | None = None

    @property
    def edition(self) -> Edition:
        """The edition of the position."""
        return self.position.edition

    @property
    def best(self) -> str:
        """The action to choose."""
        return self.options[0].action

    @property
    def assumption(self) -> str:
        """What the numbers take for granted, in one line."""
        return (
            f"Everybody plays best for {OBJECTIVES[self.objective]}. Tiles act as they lie and "
            "none is placed or moved later; no later overall bets, no partnership, no floor."
        )

    @property
    def values(self) -> Mapping[str, float]:
        """Expected coins of this leg from here on after the best action, by player."""
        return self.options[0].values

    def __getitem__(self, action: str) -> PlayOption:
        """The option of that action.

        Raises
        ------
        OptionError
            If it is not among the options.
        """
        for option in self.options:
            if option.action == action:
                return option
        tip = f"the actions are {', '.join(option.action for option in self.options)}"
        raise OptionError(Problem(repr(action)[:40], "no such action here", tip=tip))

    def fraction(self, action: str, player: str) -> Fraction:
        """What `player` can expect after `action`, as an exact fraction.

        Raises
        ------
        OptionError
            If there is no such action or player, or the value is not exact.
        """
        option = self[action]
        if player not in self.players:
            tip = f"the players are {', '.join(self.players)}"
            raise OptionError(Problem(repr(player)[:40], "no such player", tip=tip))
        if not option.fractions:
            raise OptionError(Problem(action, "its value is not an exact fraction"))
        return option.fractions[self.players.index(player)]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the policy as a dictionary that JSON can hold.

        Keys are ``edition``, ``position`` (notation), ``players`` (in turn order, the player
        to move first), ``objective``, ``tickets_left``, ``actions`` (best first: ``action``,
        ``value``, ``cost``, ``plain``, ``values`` by player, ``fractions`` by player or null,
        ``standard_error`` or null),
        ``best`` (all best actions), ``line`` (``player``, ``action``, ``probability``),
        ``turns``, ``reveals`` and ``taken`` (by player), ``race_method``, ``samples``,
        ``seed``, ``assumption``.
        """
        return self.edition.to_dict() | {
            "position": str(self.position),
            "players": list(self.players),
            "objective": self.objective,
            "tickets_left": {camel: list(left) for camel, left in self.tickets_left.items()},
            "actions": [
                {
                    "action": option.action,
                    "value": option.value,
                    "cost": option.cost,
                    "plain": option.plain,
                    "values": dict(option.values),
                    "fractions": dict(zip(self.players, map(str, option.fractions), strict=True))
                    if option.fractions
                    else None,
                    "standard_error": option.standard_error,
                }
                for option in self.options
            ],
            "best": list(self.ties or (self.best,)),
            "line": [
                {"player": step.player, "action": step.action, "probability": step.probability}
                for step in self.line
            ],
            "turns": self.turns,
            "reveals": dict(self.reveals),
            "taken": dict(self.taken),
            "race_method": self.race_method,
            "samples": self.samples,
            "seed": self.seed,
            "assumption": self.assumption,
        }

    def __repr__(self) -> str:
        return (
            f"<LegPlay of {self.position} ({self.edition.name}), {counted(len(self.players))}, "
            f"{self.objective}: {self.best}>"
        )

    def _table(self) -> Table:
        from camelodds.display.tables import play_table

        return play_table(self)


def by_player(players: tuple[str, ...], values: Any) -> Mapping[str, float]:
    """Values in turn order with the names of the players."""
    return MappingProxyType(dict(zip(players, map(float, values), strict=True)))
