"""What a result shows, before it is text, HTML or a table of the terminal: columns of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from math import isnan
from typing import NamedTuple

from camelodds.display.text import NO_COINS, coins, percent
from camelodds.editions import COLOURS
from camelodds.errors import Problem, refuse


class Cell(NamedTuple):
    """One cell of a table.

    Attributes
    ----------
    text
        What it says, rounded.
    share
        Length of its bar, from -1 to 1, or None for no bar.
    camel
        The camel whose colour is shown behind the word that names it (``w`` or ``w2``), or
        empty.
    """

    text: str
    share: float | None = None
    camel: str = ""


def coloured(cell: Cell) -> int:
    """Which word of a cell is shown on its camel's colour; -1 for none."""
    for i, word in enumerate(cell.text.split()):
        if cell.camel and word[0] == cell.camel and (len(word) == 1 or word[1:].isdigit()):
            return i
    return -1


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name
        What a format spec calls it.
    head
        What stands above it.
    cells
        From the first row to the last.
    values
        The same, not rounded, for frames.
    errors
        Their standard errors, if they were sampled; None for what is exact.
    kind
        What the values are: `float`, `int` or `str`, each with None for unknown.
    left
        Whether it is flush left, as names are.
    bar
        Whether its bars are drawn in text too; HTML draws the bars of all columns.
    extra
        Whether it is shown only when it is asked for.
    """

    name: str
    head: str
    cells: tuple[Cell, ...]
    values: tuple[str | float | int | None, ...]
    errors: tuple[float | None, ...] | None = None
    kind: type[float | int | str] = float
    left: bool = False
    bar: bool = False
    extra: bool = False


@dataclass(frozen=True)
class Table:
    """Columns, with a caption above and notes below.

    The first column names the rows; it is always shown.
    """

    caption: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The cells, row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    def standard(self) -> Table:
        """The table without the columns that are shown only when asked for."""
        return replace(self, columns=tuple(c for c in self.columns if not c.extra))

    def chosen(self, spec: str) -> Table:
        """The columns that a format spec names, in its order, without caption and notes.

        Parameters
        ----------
        spec
            Names of columns with commas between them, for example ``"first,ticket5"``.

        Raises
        ------
        OptionError
            If there is no such column.
        """
        columns = {column.name: column for column in self.columns}
        names = [name.strip() for name in spec.split(",")]
        tip = f"the columns are {', '.join(columns)}"
        faults = [
            Problem(f"{name!r:.40}", "no such column", tip=tip)
            for name in names
            if name not in columns
        ]
        refuse(faults)
        first = self.columns[0]
        chosen = [columns[name] for name in names if name != first.name]
        return Table("", (first, *chosen))


def _numbers(
    name: str,
    head: str,
    cells: Iterable[Cell],
    values: Sequence[float],
    errors: Sequence[float | None] | None,
    *,
    bar: bool,
    extra: bool,
) -> Column:
    exact = None if errors is None else tuple(errors)
    return Column(name, head, tuple(cells), tuple(values), exact, bar=bar, extra=extra)


def coin_column(
    name: str,
    head: str,
    values: Sequence[float],
    errors: Sequence[float | None] | None = None,
    *,
    most: float | None = None,
    bar: bool = False,
    extra: bool = False,
) -> Column:
    """A column of values in coins, with bars to both sides of zero.

    Parameters
    ----------
    most
        The value of the longest bar, for columns that are to be compared; that of this
        column if left out.
    """
    scale = most or max(map(abs, values), default=0.0) or 1.0
    written = map(coins, values, repeat(None) if errors is None else errors)
    # What is shown as nothing has no bar.
    cells = (
        Cell(text, _bar(0.0 if abs(value) < NO_COINS else value / scale))
        for text, value in zip(written, values, strict=True)
    )
    return _numbers(name, head, cells, values, errors, bar=bar, extra=extra)


def share_column(
    name: str,
    head: str,
    values: Sequence[float],
    errors: Sequence[float | None] | None = None,
    *,
    bar: bool = False,
    extra: bool = False,
) -> Column:
    """A column of probabilities, with bars."""
    written = map(percent, values, repeat(None) if errors is None else errors)
    cells = map(Cell, written, map(_bar, values))
    return _numbers(name, head, cells, values, errors, bar=bar, extra=extra)


def text_column(
    name: str,
    head: str,
    texts: Sequence[str],
    *,
    left: bool = False,
    extra: bool = False,
) -> Column:
    """A column of words."""
    return Column(
        name, head, tuple(map(Cell, texts)), tuple(texts), kind=str, left=left, extra=extra
    )


def _bar(share: float) -> float | None:
    return None if isnan(share) else share


def action_column(actions: Sequence[str], camels: str) -> Column:
    """The column of actions that names the rows; those on a camel show its colour."""
    last = [action.split()[-1] for action in actions]
    cells = (
        Cell(action, camel=word if len(word) == 1 and word in camels else "")
        for action, word in zip(actions, last, strict=True)
    )
    return Column("action", "action", tuple(cells), tuple(actions), kind=str, left=True)


def camel_column(camels: Sequence[str]) -> Column:
    """The column of camels that names the rows."""
    cells = tuple(Cell(f"{camel} {COLOURS[camel]}", camel=camel) for camel in camels)
    return Column("camel", "camel", cells, tuple(camels), kind=str, left=True)
