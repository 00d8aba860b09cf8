"""Random games in the middle of a leg, four players, three tiles on the track."""

from __future__ import annotations

import random

from camelodds import Edition, Game
from camelodds.actions import legal_events

PLAYERS = 4
TILES = 3


def mid_leg_games(edition: Edition, n: int, *, bets: int, seed: int = 1) -> list[Game]:
    """Games in the middle of a leg with three tiles and `bets` overall cards in the piles.

    Two to four dice are in the pyramid besides the one that stays; cards of others are hidden.
    """
    rng = random.Random(seed)
    games: list[Game] = []
    while len(games) < n:
        game = Game.start(edition, PLAYERS, seed=rng.randrange(10**9))
        for _ in range(rng.randint(10, 50)):
            game = game.after(_event(game, rng, bets))
            if game.over or _wanted(game, edition, bets):
                break
        if not game.over and _wanted(game, edition, bets):
            fields = game.to_dict()
            for cards in fields["piles"].values():
                for card in cards:
                    if card["player"] != game.to_move:
                        card["camel"] = None
            games.append(Game.from_dict(fields))
    return games


def _wanted(game: Game, edition: Edition, bets: int) -> bool:
    left = len(game.position.dice) - edition.staying
    cards = sum(map(len, game.piles.values()))
    return len(game.position.tiles) == TILES and 2 <= left <= 4 and cards == bets


def _event(game: Game, rng: random.Random, bets: int) -> str:
    kind = rng.choice(("roll", "roll", "ticket", "tile", "tile", "winner", "last"))
    cards = sum(map(len, game.piles.values()))
    events = [event for event in legal_events(game) if event.kind == kind]
    if kind == "roll" or not events or (kind in ("winner", "last") and cards == bets):
        die = rng.choice(game.position.dice)
        return f"roll {rng.choice('WK') if die == '*' else die}{rng.randint(1, 3)}"
    return str(rng.choice(events))
