"""What the commands about whole games share: reading a game from a file or from the line."""

from __future__ import annotations

import sys
from pathlib import Path

from camelodds.cli.common import read_position
from camelodds.errors import GameError, OptionError, Problem, refuse
from camelodds.game import Game
from camelodds.log import GameLog


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


def read_game(
    words: tuple[str, ...],
    edition: str | None,
    players: str | None,
    to_move: str | None,
    coins: str | None,
) -> Game:
    """A game from a file (JSON or a log), from standard input for ``-``, or from the line."""
    source = words[0] if len(words) == 1 else ""
    if source == "-" or source.endswith((".json", ".log")) or (source and Path(source).is_file()):
        given = {"--players": players, "--to-move": to_move, "--coins": coins}
        faults = [
            Problem(name, "stands beside a game that tells it", tip="change it there")
            for name, value in given.items()
            if value is not None
        ]
        refuse(faults)
        text = _text_of(source)
        if edition is not None or _is_json(text):
            return Game.from_json(text, edition)
        return GameLog.parse(text).game
    position = read_position(words, edition)
    return Game(
        position,
        read_players(players),
        to_move=to_move,
        coins=read_coins(coins),
    )


def _text_of(source: str) -> str:
    if source == "-":
        return sys.stdin.read()
    try:
        return Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(Problem(source, f"cannot be read: {error}")) from None


def _is_json(text: str) -> bool:
    """Whether the text is one JSON value and nothing else; a log goes on behind it."""
    stripped = text.strip()
    return stripped.startswith(("{", "[")) and stripped.endswith(("}", "]"))
