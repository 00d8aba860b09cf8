"""Exact odds and expected values for the Camel Up games.

Examples
--------
>>> import camelodds as co
>>> p = co.Position.parse("1:gyo 3:bw", edition=co.FIRST)
>>> leg = co.leg_odds(p)
>>> leg.fraction("w", place=1)
Fraction(9647, 29160)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
from camelodds.position import Move, Packed, Position

if TYPE_CHECKING:
    from camelodds.actions import Event, legal_actions
    from camelodds.game import Game
    from camelodds.log import GameLog
    from camelodds.odds.batches import PackedBatch, leg_odds_batch, pack, race_odds_batch
    from camelodds.odds.compare import compare_methods
    from camelodds.odds.legs import leg_odds
    from camelodds.odds.next_roll import by_next_roll
    from camelodds.odds.races import race_odds
    from camelodds.play import best_play
    from camelodds.results.actions import ActionValue, ActionValues
    from camelodds.results.batch import LegBatch, RaceBatch
    from camelodds.results.comparison import Comparison
    from camelodds.results.leg import LegOdds
    from camelodds.results.log import OddsByEvent
    from camelodds.results.next_roll import NextRoll
    from camelodds.results.play import LegPlay
    from camelodds.results.policy import LegPolicy
    from camelodds.results.race import RaceOdds
    from camelodds.scoring import Bet, Hand, Held, Ticket
    from camelodds.values import action_values

__version__ = "0.1.0"

_HOMES = {
    "actions": ("Event", "legal_actions"),
    "game": ("Game",),
    "log": ("GameLog",),
    "odds.batches": ("PackedBatch", "leg_odds_batch", "pack", "race_odds_batch"),
    "odds.compare": ("compare_methods",),
    "odds.legs": ("leg_odds",),
    "odds.next_roll": ("by_next_roll",),
    "odds.races": ("race_odds",),
    "play": ("best_play",),
    "results.actions": ("ActionValue", "ActionValues"),
    "results.batch": ("LegBatch", "RaceBatch"),
    "results.comparison": ("Comparison",),
    "results.leg": ("LegOdds",),
    "results.log": ("OddsByEvent",),
    "results.next_roll": ("NextRoll",),
    "results.play": ("LegPlay",),
    "results.policy": ("LegPolicy",),
    "results.race": ("RaceOdds",),
    "scoring": ("Bet", "Hand", "Held", "Ticket"),
    "values": ("action_values",),
}
"""Names whose modules are imported when they are first used, which keeps the import light."""


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"camelodds.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'camelodds' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


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
    "Hand",
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
