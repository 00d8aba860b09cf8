"""What is raised when an input is wrong: all faults at once, each with its place and rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

MOST_SHOWN = 40
"""So many problems stand in the message; `CamelOddsError.problems` has all."""


@dataclass(frozen=True)
class Problem:
    """One fault of an input.

    Attributes
    ----------
    where
        The part of the input that is wrong, as it was written.
    what
        What is wrong with it.
    rule
        Id of the rule that it breaks, or empty.
    tip
        What to write instead, or empty.
    """

    where: str
    what: str
    rule: str = ""
    tip: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.rule:
            text += f" [{self.rule}]"
        if self.tip:
            text += f" - {self.tip}"
        return text


class CamelOddsError(ValueError):
    """An input that the library cannot use; the base of all its errors.

    Attributes
    ----------
    problems : tuple of Problem
        Every fault that was found.
    """

    def __init__(self, problems: Iterable[Problem] | Problem, summary: str = "") -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.summary = summary
        lines = [summary] if summary else []
        lines += [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            lines.append(f"... and {len(self.problems) - MOST_SHOWN} more")
        super().__init__("\n  ".join(lines))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems, self.summary)


class PositionError(CamelOddsError):
    """A position that the rules do not allow, or that cannot be read."""


class GameError(CamelOddsError):
    """A game whose parts do not fit together."""


class EventError(CamelOddsError):
    """An event or action that is not allowed now."""


class OptionError(CamelOddsError):
    """An argument that a function cannot use."""


class MissingExtraError(CamelOddsError, ImportError):
    """A package that only some things need is not installed; it names the extra that brings it."""


def refuse(faults: Collection[Problem]) -> None:
    """Raise the faults of arguments, if there are any.

    Raises
    ------
    OptionError
        With all of them.
    """
    if faults:
        raise OptionError(faults)


@contextmanager
def read_from(source: str) -> Iterator[None]:
    """Begin the message of a fault inside with the file in which it is, if there is one."""
    try:
        yield
    except CamelOddsError as error:
        if not source:
            raise
        raise type(error)(error.problems, f"{source}: {error.summary}".rstrip()) from None


def not_one_of(name: str, value: object, known: Iterable[str], what: str = "") -> list[Problem]:
    """The fault of an argument that is none of the words which it can be, if it is one.

    Parameters
    ----------
    name, value
        The argument.
    known
        The words.
    what
        What they are, if that is not the name.
    """
    words = tuple(known)
    if isinstance(value, str) and value in words:
        return []
    tip = f"use one of {', '.join(words)}"
    return [Problem(f"{name}={value!r:.40}", f"no such {what or name}", tip=tip)]
