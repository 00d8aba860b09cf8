"""What the commands share."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from cyclopts import Parameter
from numba.core import event

from camelodds.editions import edition_named
from camelodds.errors import OptionError, PositionError, Problem, read_from
from camelodds.game import Game
from camelodds.game_forms import FIELDS
from camelodds.log import COMMENT, GameLog, read_file
from camelodds.notation import load_json
from camelodds.position import Position

Word = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""A word of a position, which may begin with a hyphen: ``-1:K`` is a finish in reverse."""

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
"""Whether to print JSON instead of a table."""


class _SayOnce(event.Listener):  # type: ignore[misc, unused-ignore]
    """Tells when numba compiles: once, since what it made is kept."""

    said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            self.said = True
            print("camelodds: compiling, once ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def announce_compilation() -> Iterator[None]:
    """Say so, once, if something has to be compiled inside."""
    with event.install_listener("numba:compile", _SayOnce()):
        yield


FILES = (".json", ".log", ".txt")
"""What ends like this is the name of a file, whether it is there or not."""

_OF_A_GAME = set(FIELDS) - {"edition", "options", "position", "players"}
"""Fields that a game has and a position has not."""


def read_words(words: tuple[str, ...]) -> tuple[str, str]:
    """Where the words of a command line say to read, and what stands there.

    Returns
    -------
    tuple of str
        The name of the file or of standard input, nothing for the line itself; the text.

    Raises
    ------
    OptionError
        If there are none, one is an option that does not exist, or the file cannot be read.
    """
    if not words:
        tip = 'a position such as "3:ob 4:g 6:y 7:w 5- 8+", or a file; --help tells more'
        raise OptionError(Problem("", "nothing is written", tip=tip))
    unknown = [word for word in words if re.match(r"--|-[A-Za-z]", word)]
    if unknown:
        tip = "--help tells which there are"
        raise OptionError([Problem(f"{word:.40}", "no such option", tip=tip) for word in unknown])
    if words == ("-",):
        return "standard input", sys.stdin.read()
    if len(words) > 1 or not (words[0].endswith(FILES) or os.path.exists(words[0])):
        return "", " ".join(words)
    return words[0], read_file(words[0])


def read_position(words: tuple[str, ...], edition: str | None) -> Position:
    """A position from the words of a command line.

    They are its notation or a JSON object, or name a file or ``-``, standard input, with one
    of these; with a game as JSON or a log, whose position it then is.
    """
    if edition is not None:
        edition_named(edition)
    source, text = read_words(words)
    with read_from(source):
        if text.lstrip("\ufeff \t\r\n").startswith("{"):
            return _position_of_json(text, edition)
        lines = [line.split(COMMENT)[0].strip() for line in text.splitlines()]
        lines = [line for line in lines if line]
        if any(line.split()[0].isalpha() for line in lines[1:]):
            return read_log(text, edition).game.position
        try:
            return Position.parse("\n".join(lines), edition)
        except PositionError:
            if len(lines) > 1 and not any(Position.problems(line, edition) for line in lines):
                what = f"{len(lines)} positions, one on each line: one is wanted"
                raise PositionError(Problem("", what)) from None
            raise


def _position_of_json(text: str, edition: str | None) -> Position:
    try:
        data = load_json(text)
    except ValueError:
        if is_json(text):
            return Position.from_json(text, edition)  # which says what is wrong
        return read_log(text, edition).game.position
    inside = data.get("position") if isinstance(data, Mapping) else None
    if isinstance(data, Mapping) and (_OF_A_GAME & set(data) or isinstance(inside, Mapping)):
        return Game.from_dict(data, edition).position
    return Position.from_dict(data, edition)


def is_json(text: str) -> bool:
    """Whether the text is one JSON value and nothing else; a log goes on behind it."""
    stripped = text.strip()
    return stripped.startswith(("{", "[")) and stripped.endswith(("}", "]"))


def read_log(text: str, edition: str | None) -> GameLog:
    """A log, which has to be of the edition if one is asked for."""
    log = GameLog.parse(text)
    if edition is not None and log.start.edition != edition_named(edition):
        what = f"the log is of the {log.start.edition.name} edition"
        raise OptionError(Problem(f"--edition {edition}", what))
    return log


def read_kinds(without: list[str] | None) -> list[str]:
    """The kinds of action to leave out: given again, or with commas between them."""
    return [kind.strip() for part in without or () for kind in part.split(",")]


SIMPLER = "camelodds.simpler"
"""Name of `simpler` among the error handlers of encodings."""

_SIMPLE = {"\u2502": "|", "\u00b1": "~", "\u00b5": "u"} | dict.fromkeys("█▉▊▋▌▐", "#")
_SIMPLE |= dict.fromkeys("\u258d\u258e\u258f", " ")  # less than half of a character


def simpler(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding has not: as many simpler ones."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_SIMPLE.get(char, "?") for char in missing), error.end


def at_least_one(n: float | None) -> None:
    """Refuse to sample nothing.

    Raises
    ------
    OptionError
        If that is asked for.
    """
    if n == 0:
        raise OptionError(Problem("--n 0", "nothing to sample", tip="such as 1e6"))


def tell_unused(odds: Any, given: dict[str, object]) -> None:
    """Say which options of sampling were given though the answer is not sampled."""
    unused = [name for name, value in given.items() if value is not None]
    if unused and not odds.sampled:
        what = f"the answer is not sampled, so {', '.join(unused)} changed nothing"
        print(f"camelodds: {what}", file=sys.stderr)


def show(result: Any, *, as_json: bool) -> None:
    """Print a result as text, or as one JSON object."""
    if as_json:
        print(json.dumps(result.to_dict()))
    else:
        from camelodds.display.terminal import show as show_table

        show_table(result)
