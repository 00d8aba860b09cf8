"""Exact odds and expected values for the Camel Up games.

Examples
--------
>>> import camelodds as co
>>> p = co.Position.parse("1:gyo 3:bw", edition=co.FIRST)
>>> leg = co.leg_odds(p)
>>> leg.fraction("w", place=1)
Fraction(9647, 29160)
"""

from camelodds.editions import EDITIONS, FIRST, SECOND, Edition
from camelodds.errors import (
    CamelOddsError,
    EventError,
    GameError,
    OptionError,
    PositionError,
    Problem,
)
from camelodds.notation import Tile
from camelodds.odds import leg_odds
from camelodds.position import Move, Packed, Position
from camelodds.results import LegOdds

__version__ = "0.1.0"

__all__ = [
    "EDITIONS",
    "FIRST",
    "SECOND",
    "CamelOddsError",
    "Edition",
    "EventError",
    "GameError",
    "LegOdds",
    "Move",
    "OptionError",
    "Packed",
    "Position",
    "PositionError",
    "Problem",
    "Tile",
    "leg_odds",
]
