"""``camelodds follow``: a game at the table, event by event."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from camelodds.actions import TELLING, kinds_of
from camelodds.cli.common import read_kinds, read_position
from camelodds.cli.games import read_coins, read_players
from camelodds.display.tables import actions_table, game_table
from camelodds.display.text import lines
from camelodds.display.track import track
from camelodds.editions import edition_named
from camelodds.errors import CamelOddsError, OptionError, Problem
from camelodds.game import Game
from camelodds.game_forms import PLAYERS
from camelodds.log import UNDO, GameLog
from camelodds.position import Position
from camelodds.values import action_values

ENDS = ("quit", "exit")


def follow(
    file: Path,
    *,
    position: str | None = None,
    edition: str | None = None,
    players: str | None = None,
    coins: str | None = None,
    top: int = 10,
    last: Annotated[bool, Parameter(negative="")] = False,
    enter: bool | None = None,
    belief: str = "odds",
    without: Annotated[list[str] | None, Parameter(negative="")] = None,
    n: Annotated[float | None, Parameter(name="--n")] = None,
    seed: int | None = None,
) -> None:
    """The track and the best actions after each event of a recorded game.

    At a terminal it then asks for further events, shows what they change, and keeps each in
    the file: "roll w2", "ticket b", "tile 16-", "winner ?" for a card that nobody saw, "undo"; in
    the Card Game "deal P3 r2" for a card that lies face up, "reveal r2", "card P3", "done", ...

    Parameters
    ----------
    file
        The log: a game as JSON or a position, then the events, one a line.
    position
        Begin a new log at this position if the file is not there yet.
    edition
        With a new log: first, second or cards; a random start of it if no position is given.
    players
        With a new log: how many, or their names in seat order, as in Ann,Bob,Cat.
    coins
        With a new log: what everybody has, as in 3 or Ann=3,Bob=5.
    top
        How many actions to show; 0 for all.
    last
        Show the game as it stands now only, not what led to it.
    enter
        Ask for further events on standard input; so by default at a terminal.
    belief
        Colours of hidden overall cards: odds or uniform.
    without
        A kind of action to leave out, such as winner; or several as in tile,winner.
    n
        Number of sampled races.
    seed
        What gives the same sample again.
    """
    if top < 0:
        raise OptionError(Problem(f"--top {top}", "less than 0", tip="0 shows all actions"))
    log = _open(file, position, edition, players, coins)

    def show(game: Game) -> None:
        print(track(game.position))
        print(_left(game))
        table = game_table(game).standard()
        print("\n".join(["", *lines(table), table.notes[0]]))
        if not game.over:
            found = action_values(
                game,
                belief=belief,
                without=read_kinds(without),
                n=n,  # type: ignore[arg-type]
                seed=seed,
            )
            print(f"\n{game.to_move} to move:")
            rows = lines(actions_table(found).standard())
            print("\n".join(rows[: top + 1] if top else rows))
        elif game.winners:
            print(f"most coins: {', '.join(game.winners)}")
        elif not game.settled:
            print('hidden cards: "show winner g" turns over the first of a pile')
        print()

    for number, game in enumerate(log.games):
        if last and number < len(log.events):
            continue
        if number:
            _tell(log.events[number - 1], log.games[number - 1], game)
        show(game)
    if not (sys.stdin.isatty() if enter is None else enter):
        return
    while not log.game.settled:
        line = _ask(log.game)
        if line is None or line.lower() in ENDS:
            return
        if not line:
            continue
        before = log.game
        try:
            log = log.undo() if line.lower() == UNDO else log.after(line)
        except CamelOddsError as error:
            print(f"camelodds: {error}", file=sys.stderr)
            continue
        log.save(file)
        _tell(line, before, log.game)
        show(log.game)


def _left(game: Game) -> str:
    """What is still to come in the leg."""
    deck = game.position.deck
    if game.over:
        return "the race is over"
    if deck is None:
        return f"dice left: {game.position.dice}"
    known = [f"known {' '.join(deck.known)}"] if deck.known else []
    own = game.hands[game.to_move].added
    known += [f"{game.to_move} knows of {' '.join(own)}"] if own else []
    behind = f" ({'; '.join(known)})" if known else ""
    return f"deck: {deck.left - deck.crazy_left}+{deck.crazy_left}{behind}"


def _open(
    file: Path, position: str | None, edition: str | None, players: str | None, coins: str | None
) -> GameLog:
    """The log in the file, or a new one."""
    given = {
        "--position": position,
        "--edition": edition,
        "--players": players,
        "--coins": coins,
    }
    named = [name for name, value in given.items() if value is not None]
    if file.exists():
        if named:
            tip = "name a file that is not there yet to begin a new game"
            what = f"is there already and tells {', '.join(named)}"
            raise OptionError(Problem(str(file), what, tip=tip))
        return GameLog.load(file)
    if position is None and edition is None:
        tip = "give --position or --edition to begin a new game"
        raise OptionError(Problem(str(file), "no such file", tip=tip))
    if position is None:
        names = read_players(players)
        n_players = names if isinstance(names, int) else len(names or ()) or PLAYERS
        start = Position.start(edition_named(edition or ""), players=n_players)
    else:
        start = read_position((position,), edition)
    table = Game.start(start.edition, read_players(players), start, coins=read_coins(coins))
    log = GameLog(table)
    log.save(file)
    return log


def _ask(game: Game) -> str | None:
    """The next line; None at the end."""
    if sys.stdin.isatty():
        print(f"{'/'.join((*kinds_of(game.edition), UNDO))}, or quit")
        print(f"{game.to_move}> ", end="", flush=True)
    line = sys.stdin.readline()
    return line.split("#")[0].strip() if line else None


def _tell(event: str, before: Game, after: Game) -> None:
    """Who did it and how the coins moved; and whether it ended the leg."""
    moved = [
        f"{player} {now - then:+d} to {now}"
        for player in after.players
        if (now := after.coins[player]) is not None
        and (then := before.coins[player]) is not None
        and now != then
    ]
    told = event.lower() == UNDO or event.split()[0].lower() in TELLING or before.over
    who = "" if told else f"{before.to_move}: "
    print(f"--- {who}{event}{'   coins: ' if moved else ''}{', '.join(moved)}")
    word = after.edition.leg_word
    if event.lower() == UNDO or before.over:
        return
    if after.over:
        print(f"--- the last {word} is over and scored")
    elif _to_come(after.position) > _to_come(before.position):
        print(f"--- the {word} is over and scored, the next one begins; {after.to_move} is first")
        if after.position.deck is not None:
            print(f'--- it is dealt: "deal {after.to_move} r2" tells what lies face up before one')


def _to_come(position: Position) -> int:
    """Dice or cards; more of them than before in a new leg only."""
    return len(position.dice) if position.deck is None else position.deck.left
