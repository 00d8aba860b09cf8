"""What the next roll changes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from camelodds.position import Position
from camelodds.results.leg import LegOdds
from camelodds.shown import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.display.table import Table


class RollOdds(NamedTuple):
    """One face of one die, and the odds after it.

    Attributes
    ----------
    event
        The roll, for example ``"w2"`` or ``"K3"`` (grey die, black face).
    chance
        Its probability.
    camel
        The camel that moves; a crazy one need not be of the colour rolled (S4).
    leg
        The odds of the leg after it.
    """

    event: str
    chance: Fraction
    camel: str
    leg: LegOdds


@dataclass(frozen=True, eq=False, repr=False)
class NextRoll(Shown):
    """The odds of the leg after each face of each die that can come next.

    Attributes
    ----------
    position : Position
        What was asked.
    now : LegOdds
        The present odds, which are the mean of those after the roll.
    rolls : tuple of RollOdds
        Every face of every die in the pyramid: three each, six of the grey one.

    Examples
    --------
    >>> import camelodds as co
    >>> table = co.by_next_roll(co.Position.parse("1:gyo 3:bw dice=ow"))
    >>> [(roll.event, str(roll.leg.fraction("w", 1))) for roll in table.rolls]
    [('o1', '1'), ('o2', '0'), ('o3', '1'), ('w1', '2/3'), ('w2', '1'), ('w3', '1')]
    >>> table.mean("w", 1) == table.now.fraction("w", 1)
    True
    """

    position: Position
    now: LegOdds
    rolls: tuple[RollOdds, ...]

    def __len__(self) -> int:
        return len(self.rolls)

    def __getitem__(self, event: str) -> RollOdds:
        for roll in self.rolls:
            if roll.event == event:
                return roll
        raise KeyError(event)

    def mean(self, camel: str, place: int) -> Fraction:
        """P(camel at place) averaged over the rolls: that of the present odds.

        Raises
        ------
        OptionError
            If there is no such camel or place.
        """
        terms = (roll.chance * roll.leg.fraction(camel, place) for roll in self.rolls)
        return sum(terms, Fraction(0))

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold.

        Keys are ``edition``, ``position`` (notation), ``now`` and, in the list ``rolls``,
        ``leg``: as `LegOdds.to_dict`; of a roll also ``event``, ``chance`` (as text) and
        ``camel``.
        """
        return self.position.edition.to_dict() | {
            "position": str(self.position),
            "now": self.now.to_dict(),
            "rolls": [
                {
                    "event": roll.event,
                    "chance": str(roll.chance),
                    "camel": roll.camel,
                    "leg": roll.leg.to_dict(),
                }
                for roll in self.rolls
            ],
        }

    def __repr__(self) -> str:
        return f"<NextRoll of {self.position} ({self.position.edition.name}), {len(self)} rolls>"

    def plot(self, ax: Axes | None = None) -> Axes:
        """What each roll adds to P(first) of each camel, by matplotlib.

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
        from camelodds.display.plots import next_roll

        return next_roll(self, ax)

    def _table(self) -> Table:
        from camelodds.display.tables import next_roll_table

        return next_roll_table(self)
