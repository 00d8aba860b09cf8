"""``camelodds best``."""

from __future__ import annotations

import re
from typing import Annotated

from cyclopts import Parameter

from camelodds.cli.common import AsJson, Word, show
from camelodds.cli.games import read_players, read_table
from camelodds.errors import OptionError, Problem
from camelodds.game import Game
from camelodds.game_forms import PLAYERS
from camelodds.play import best_play
from camelodds.position import Position


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
    n: Annotated[float | None, Parameter(name="--n")] = None,
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
        With a position: how many, or their names, as in Ann,Bob,Cat; 1 to 8.  One alone, or
        fewer players than tiles, are no table at which overall bets can be made.
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
    table = read_table(game, edition, {"--players": players, "--to-move": to_move})
    left = None if tickets is None else _read_tickets(tickets)
    seats = read_players(players)
    if isinstance(table, Position):
        n_players = PLAYERS if seats is None else seats if isinstance(seats, int) else len(seats)
        if n_players >= max(2, len(table.tiles)):
            table = Game(table, seats, to_move=to_move)
        else:
            seats = _from(to_move, n_players if isinstance(seats, int | None) else seats)
    if isinstance(table, Game):
        seats = None
        if left is not None:
            every = {**table.tickets_left, **left}
            table, left = Game.from_dict({**table.to_dict(), "tickets_left": every}), None
    play = best_play(
        table,
        objective,
        players=seats,
        tickets_left=left,
        tiles=int(tiles) if tiles.isdecimal() else tiles,
        bets=bets,
        belief=belief,
        method=method,
        n=n,  # type: ignore[arg-type]
        seed=seed,
    )
    show(play, as_json=as_json)


def _from(to_move: str | None, seats: int | list[str]) -> int | list[str]:
    """The players in turn order, from the one to move on."""
    if to_move is None:
        return seats
    names = [f"P{i + 1}" for i in range(seats)] if isinstance(seats, int) else seats
    if to_move not in names:
        tip = f"the players are {', '.join(names)}"
        raise OptionError(Problem(f"--to-move {to_move:.40}", "no such player", tip=tip))
    at = names.index(to_move)
    return names[at:] + names[:at]


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
