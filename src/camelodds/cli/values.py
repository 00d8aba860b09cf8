"""``camelodds values``."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

from camelodds.cli.common import AsJson, Word, read_kinds, show
from camelodds.cli.games import read_game
from camelodds.errors import GameError, Problem
from camelodds.values import action_values


def values(
    *game: Word,
    edition: str | None = None,
    players: str | None = None,
    to_move: str | None = None,
    coins: str | None = None,
    belief: str = "odds",
    without: Annotated[list[str] | None, Parameter(negative="")] = None,
    method: str = "auto",
    n: Annotated[float | None, Parameter(name="--n")] = None,
    seed: int | None = None,
    explain: Annotated[bool, Parameter(negative="")] = False,
    as_json: AsJson = False,
) -> None:
    """Every legal action of the player to move and what it is worth, best first.

    Parameters
    ----------
    game
        A file with a game as JSON or a log of one, - for standard input, or a position such as
        "3:ob 4:g 6:y 7:w 5-@P2 dice=ob": then nobody holds anything yet.
    edition
        first, second or cards; told by the camels if left out.
    players
        With a position: how many, or their names, as in Ann,Bob,Cat.
    to_move
        With a position: whose turn it is, the first player if left out.
    coins
        With a position: what everybody has, as in 3 or Ann=3,Bob=5; without it, no floor of zero.
    belief
        Colours of hidden overall cards: odds or uniform.
    without
        A kind of action to leave out, such as tile or winner; or both as in tile,winner.
    method
        Where race odds come from: auto, table or sample (the Card Game: auto or sample, which
        then is meant for rounds too).
    n
        Number of sampled races of each position, and of rounds of the Card Game.
    seed
        What gives the same sample again.
    explain
        A sentence about each action instead of the table.
    as_json
        Print one JSON list, best first.
    """
    table = read_game(game, edition, players, to_move, coins)
    if table.over:
        raise GameError(Problem(str(table.position), "the race is over, nobody has a turn", "F11"))
    found = action_values(
        table,
        belief=belief,
        without=read_kinds(without),
        method=method,
        n=n,  # type: ignore[arg-type]
        seed=seed,
    )
    if as_json:
        print(json.dumps([row.to_dict() for row in found]))
    elif explain:
        print("\n".join(found.explain(row.action) for row in found))
    else:
        show(found, as_json=False)
