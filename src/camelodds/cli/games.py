"""What the commands about whole games share: reading a game from a file or from the line."""

from __future__ import annotations

from camelodds.cli.common import is_json, read_log, read_position, read_words
from camelodds.editions import edition_named
from camelodds.errors import OptionError, Problem, read_from, refuse
from camelodds.game import Game
from camelodds.position import Position


def read_players(text: str | None) -> int | list[str] | None:
    """How many players, or their names with commas between them; None if nothing is said."""
    if text is None:
        return None
    return int(text) if text.strip().isdigit() else [name.strip() for name in text.split(",")]


def read_coins(text: str | None) -> dict[str, int | None] | int | None:
    """``3`` for everybody, or ``Ann=3,Bob=5``."""
    if text is None:
        return None
    if text.strip().isdigit():
        return int(text)
    found: dict[str, int | None] = {}
    for part in text.split(","):
        name, _, held = part.partition("=")
        if not held.strip().isdigit():
            tip = 'a number for all, or "Ann=3,Bob=5"'
            raise OptionError(Problem(f"coins: {part:.40}", "not a number of coins", tip=tip))
        found[name.strip()] = int(held)
    return found


def read_table(
    words: tuple[str, ...], edition: str | None, told: dict[str, str | None]
) -> Game | Position:
    """A game from a file (JSON or a log) or standard input for ``-``; a position from the line.

    Parameters
    ----------
    words, edition
        See `camelodds.cli.common.read_position`.
    told
        The options that tell about the table around a position, by name; a game has its own.
    """
    if edition is not None:
        edition_named(edition)
    given = [name for name, value in told.items() if value is not None]
    names = [word for word in words[1:] if word.isalpha()]
    if told.get("--players") is not None and names:
        where = f"--players {told['--players']} {' '.join(names)}"
        tip = "commas between them, as in --players Ann,Bob"
        raise OptionError(Problem(f"{where:.60}", "names are one word", tip=tip))
    source, text = read_words(words)
    if not source:
        return read_position(words, edition)
    tip = "change it there"
    refuse([Problem(name, "stands beside a game that tells it", tip=tip) for name in given])
    with read_from(source):
        if is_json(text):
            return Game.from_json(text, edition)
        return read_log(text, edition).game


def read_game(
    words: tuple[str, ...],
    edition: str | None,
    players: str | None,
    to_move: str | None,
    coins: str | None,
) -> Game:
    """A game from a file or standard input, or one around a position from the line."""
    told = {"--players": players, "--to-move": to_move, "--coins": coins}
    found = read_table(words, edition, told)
    if isinstance(found, Game):
        return found
    return Game(found, read_players(players), to_move=to_move, coins=read_coins(coins))
