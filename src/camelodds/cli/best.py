"""``camelodds best``."""

from __future__ import annotations

import re
from typing import Annotated

from cyclopts import Parameter

from camelodds.cli.common import AsJson, Word, show
from camelodds.cli.games import read_game
from camelodds.errors import OptionError, Problem
from camelodds.game import Game
from camelodds.play import best_play


def best(
    *game: Word,
    edition: str | None = None,
    players: str | None = None,
    to_move: str | None = None,
    tickets: str | None = None,
    objective: str = "coins",
    tiles: str = "0",
    bets: bool = True,
    belief: str = "odds",
    method: str = "auto",
    n: Annotated[int | None, Parameter(name="--n")] = None,
    seed: int | None = None,
    as_json: AsJson = False,
) -> None:
    """Best play of the present leg: what each action is worth if everybody then plays best.

    Parameters
    ----------
    game
        A file with a game as JSON or a log of one, - for standard input, or a position such as
        "3:ob 4:g 6:y 7:w 5-@P2 dice=ob": then nobody holds anything yet.
    edition
        first or second; told by the camels if left out.
    players
        With a position: how many, or their names, as in Ann,Bob,Cat.
    to_move
        With a position: whose turn it is, the first player if left out.
    tickets
        The leg tickets left, where it is others: "b32 g2 w" leaves 3 and 2 of b, 2 of g and
        none of w, and those of the other camels as they are.
    objective
        coins (of this leg), or lead (those over the mean of the others).
    tiles
        How many placements of the own tile to solve too, or all.
    bets
        Whether overall bets are among the actions.
    belief
        Colours of hidden overall cards: odds or uniform.
    method
        Where race odds for overall bets come from: auto, table or sample.
    n
        Number of sampled races.
    seed
        What gives the same sample again.
    as_json
        Print one JSON object.
    """
    table = read_game(game, edition, players, to_move, None)
    if tickets is not None:
        left = {**table.tickets_left, **_read_tickets(tickets)}
        table = Game.from_dict({**table.to_dict(), "tickets_left": left})
    placements = int(tiles) if tiles.isdecimal() else tiles
    play = best_play(
        table,
        objective,
        tiles=placements,
        bets=bets,
        belief=belief,
        method=method,
        n=n,
        seed=seed,
    )
    show(play, as_json=as_json)


def _read_tickets(text: str) -> dict[str, list[int]]:
    """The tickets left, from words such as ``b32``."""
    found: dict[str, list[int]] = {}
    for word in re.split(r"[\s,;]+", text.strip()):
        camel, worths = word[:1], word[1:]
        if not camel.isalpha() or not (worths.isdecimal() or not worths) or camel in found:
            tip = 'a camel and what is left of its tickets, as in "b32"'
            raise OptionError(Problem(f"--tickets {word!r:.40}", "not understood", tip=tip))
        found[camel] = [int(worth) for worth in worths]
    return found
