"""Exact odds and expected values for the Camel Up games.

Examples
--------
>>> import camelodds as co
>>> p = co.Position.parse("1:gyo 3:bw", edition=co.FIRST)
>>> leg = co.leg_odds(p)
>>> leg.fraction("w", place=1)
Fraction(9647, 29160)
"""

from camelodds.actions import Event, legal_actions
from camelodds.deck import Deck
from camelodds.draft import Tile
from camelodds.editions import CARDS, EDITIONS, FIRST, SECOND, Edition, RoundCard
from camelodds.errors import (
    CamelOddsError,
    EventError,
    GameError,
    MissingExtraError,
    OptionError,
    PositionError,
    Problem,
)
from camelodds.game import Game
from camelodds.log import GameLog
from camelodds.odds import (
    PackedBatch,
    by_next_roll,
    compare_methods,
    leg_odds,
    leg_odds_batch,
    pack,
    race_odds,
    race_odds_batch,
)
from camelodds.play import best_play
from camelodds.position import Move, Packed, Position
from camelodds.results import LegBatch, LegOdds, LegPlay, LegPolicy, RaceBatch, RaceOdds
from camelodds.results.actions import ActionValue, ActionValues
from camelodds.results.comparison import Comparison
from camelodds.results.log import OddsByEvent
from camelodds.results.next_roll import NextRoll
from camelodds.scoring import Bet, Held, Ticket
from camelodds.values import action_values

__version__ = "0.1.0"

__all__ = [
    "CARDS",
    "EDITIONS",
    "FIRST",
    "SECOND",
    "ActionValue",
    "ActionValues",
    "Bet",
    "CamelOddsError",
    "Comparison",
    "Deck",
    "Edition",
    "Event",
    "EventError",
    "Game",
    "GameError",
    "GameLog",
    "Held",
    "LegBatch",
    "LegOdds",
    "LegPlay",
    "LegPolicy",
    "MissingExtraError",
    "Move",
    "NextRoll",
    "OddsByEvent",
    "OptionError",
    "Packed",
    "PackedBatch",
    "Position",
    "PositionError",
    "Problem",
    "RaceBatch",
    "RaceOdds",
    "RoundCard",
    "Ticket",
    "Tile",
    "action_values",
    "best_play",
    "by_next_roll",
    "compare_methods",
    "leg_odds",
    "leg_odds_batch",
    "legal_actions",
    "pack",
    "race_odds",
    "race_odds_batch",
]
