"""A recorded game: how it began, and its events, one a line; with undo, save and load."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from camelodds.actions import Event, read_event
from camelodds.errors import (
    CamelOddsError,
    EventError,
    GameError,
    OptionError,
    Problem,
    not_one_of,
    read_from,
    refuse,
)
from camelodds.game import Game
from camelodds.odds.legs import leg_odds
from camelodds.odds.races import race_odds
from camelodds.odds.sampling import read_plan
from camelodds.position import Position
from camelodds.results.errors import FloatArray
from camelodds.results.log import OddsByEvent

UNDO = "undo"
COMMENT = "#"
KINDS = ("leg", "winner", "last")


@dataclass(frozen=True, init=False, repr=False)
class GameLog:
    """A recorded game; immutable, as a game is.

    Parameters
    ----------
    start
        The game before the first event.
    events
        What happened, see `Game.after`; ``"undo"`` takes back the event before it.

    Attributes
    ----------
    start : Game
        The game before the first event.
    events : tuple of str
        What happened, without what was taken back.
    games : tuple of Game
        The game before the first event and after each one.

    Raises
    ------
    EventError
        With the number of the event that is not allowed, and why.

    Examples
    --------
    >>> import camelodds as co
    >>> log = co.GameLog(co.Game.start(co.FIRST, players=2, position="1:gyo 3:bw"))
    >>> log = log.after("ticket w").after("roll o3")
    >>> log.game.to_move, log.undo().game.to_move, log.undo().undo() == co.GameLog(log.start)
    ('P1', 'P2', True)
    """

    start: Game
    events: tuple[str, ...]
    games: tuple[Game, ...]

    def __init__(self, start: Game, events: Iterable[str | Event] = ()) -> None:
        if not isinstance(start, Game):
            tip = "make one with Game.start(...)"
            raise GameError(Problem(f"{start!r:.60}", "not a Game", tip=tip))
        done: list[str] = []
        games = [start]
        for number, event in enumerate(events, 1):
            try:
                if isinstance(event, str) and event.strip().lower() == UNDO:
                    _can_undo(done)
                    done.pop()
                    games.pop()
                else:
                    read = read_event(event, start.edition)
                    games.append(games[-1].after(read))
                    done.append(str(read))
            except EventError as error:
                raise EventError(error.problems, f"event {number}:") from None
        self._set(start, tuple(done), tuple(games))

    def _set(self, start: Game, events: tuple[str, ...], games: tuple[Game, ...]) -> None:
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "events", events)
        object.__setattr__(self, "games", games)

    @property
    def game(self) -> Game:
        """The game as it stands now."""
        return self.games[-1]

    def after(self, event: str | Event) -> GameLog:
        """The log with one more event.

        Raises
        ------
        EventError
            If it is not allowed.
        """
        read = read_event(event, self.start.edition)
        log = GameLog.__new__(GameLog)
        log._set(self.start, (*self.events, str(read)), (*self.games, self.games[-1].after(read)))
        return log

    def undo(self) -> GameLog:
        """The log without its last event.

        Raises
        ------
        EventError
            If there is none.
        """
        _can_undo(self.events)
        log = GameLog.__new__(GameLog)
        log._set(self.start, self.events[:-1], self.games[:-1])
        return log

    # Forms -------------------------------------------------------------------------------

    def __str__(self) -> str:
        """The text of the log: the start as JSON in one line, then the events, one a line."""
        return "\n".join([self.start.to_json(), *self.events]) + "\n"

    def __repr__(self) -> str:
        return f"<GameLog of {len(self.events)} events: {self.game!r}>"

    @classmethod
    def parse(cls, text: str) -> GameLog:
        r"""Read the text of a log.

        Parameters
        ----------
        text
            First the start: a game as JSON, which may go over several lines, or one line with
            the notation of a position.  Then the events, one a line; ``undo`` takes back the
            one before it.  What follows a ``#`` is left out.

        Raises
        ------
        GameError
            If the start is not a game.
        EventError
            With the line of the event that is not allowed.

        Examples
        --------
        >>> log = GameLog.parse("1:gyo 3:bw  # Ann begins\nticket w\nroll o3\nundo\nroll b1")
        >>> log.events, str(log.game.position)
        (('ticket w', 'roll b1'), '1:gyo 4:bw dice=ygow')
        """
        lines = [line.split(COMMENT)[0].strip() for line in text.splitlines()]
        first = next((i for i, line in enumerate(lines) if line), None)
        if first is None:
            tip = "first a game as JSON or a position, then the events, one a line"
            raise GameError(Problem("log", "nothing is written", tip=tip))
        start, begin = _read_start(lines, first)
        numbered = [(i, line) for i, line in enumerate(lines[begin:], begin + 1) if line]
        log = cls(start)
        for number, line in numbered:
            try:
                log = log.undo() if line.lower() == UNDO else log.after(line)
            except EventError as error:
                raise EventError(error.problems, f"line {number}:") from None
        return log

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the log to a file; a reader never sees half of it.

        Raises
        ------
        OptionError
            If the file cannot be written.
        """
        target = Path(path)
        beside = target.with_name(f"{target.name}.new")
        try:
            beside.write_text(str(self), encoding="utf-8")
            beside.replace(target)
        except OSError as error:
            raise OptionError(Problem(str(path), f"cannot be written: {error.strerror}")) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GameLog:
        """Read a log from a file.

        Raises
        ------
        OptionError
            If the file cannot be read.
        GameError, EventError
            See `parse`.
        """
        text = read_file(path)
        with read_from(str(path)):
            return cls.parse(text)

    # Odds ----------------------------------------------------------------------------------

    def odds(
        self, kind: str = "leg", *, n: int | None = None, seed: int | None = None
    ) -> OddsByEvent:
        r"""The odds before the first event and after each one.

        Parameters
        ----------
        kind
            ``"leg"``: P(camel is first at the end of the leg); ``"winner"`` and ``"last"``:
            P(it wins the race), P(it is last).
        n, seed
            Where races have to be sampled: how many for each position, and what gives the same
            ones again; see `camelodds.race_odds`.

        Raises
        ------
        OptionError
            If an argument cannot be used.

        Examples
        --------
        >>> log = GameLog.parse("1:gyo 3:bw\nroll w3\nticket w")
        >>> log.odds()["w"].round(3).tolist()
        [0.331, 0.38, 0.38]
        """
        refuse(not_one_of("kind", kind, KINDS))
        plan, faults = read_plan(n, seed)
        refuse(faults)
        first = None if plan is None else plan.seed
        edition = self.start.edition
        place = -1 if kind == "last" else 0
        known: dict[Position, tuple[FloatArray, FloatArray]] = {}
        for game in self.games:
            position = game.position
            if position not in known and kind == "leg":
                leg = leg_odds(position)
                known[position] = leg.places[:, 0], leg.standard_errors["places"][:, 0]
            elif position not in known:
                # Another sample for each position, so that their errors are independent.
                race = race_odds(position, n=n, seed=None if first is None else first + len(known))
                chances = race.winner if kind == "winner" else race.last
                errors = race.standard_errors["places"][:, place]
                known[position] = np.array([chances[c] for c in edition.racing]), errors
        shares = np.array([known[game.position][0] for game in self.games])
        errors = np.array([known[game.position][1] for game in self.games])
        players = ("", *(game.to_move for game in self.games[:-1]))
        events = ("", *self.events)
        return OddsByEvent(edition, kind, events, players, shares, errors if errors.any() else None)


def read_file(path: str | os.PathLike[str]) -> str:
    """The text in a file.

    Raises
    ------
    OptionError
        If it cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise OptionError(Problem(str(path), f"cannot be read: {why}")) from None
    except UnicodeDecodeError:
        raise OptionError(Problem(str(path), "cannot be read: it is not text")) from None


def _can_undo(events: object) -> None:
    if not events:
        raise EventError(Problem(UNDO, "no event to take back"))


def _read_start(lines: list[str], first: int) -> tuple[Game, int]:
    """The game in the lines from `first` on, and the line after it."""
    if not lines[first].startswith("{"):
        try:
            position = Position.parse(lines[first])
            return Game.start(position.edition, position=position), first + 1
        except CamelOddsError as error:
            raise GameError(error.problems, f"line {first + 1}:") from None
    text = "\n".join(lines[first:])
    try:
        data, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise GameError(Problem(f"line {first + 1}", f"JSON cannot be read: {error}")) from None
    rest = text[end:]
    used = len(lines) - rest.count("\n")
    if rest.split("\n")[0].strip():
        raise GameError(Problem(f"line {used}", "events begin on a line of their own"))
    return Game.from_dict(data), used
