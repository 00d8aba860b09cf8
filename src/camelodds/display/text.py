"""Numbers and tables as plain text: the same wherever they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isnan, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camelodds.display.table import Column, Table

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")
BAR = 10
"""Characters of a bar."""
MOST_DECIMALS = 6
NO_COINS = 0.005
"""Less than this rounds to no coins."""
UNKNOWN = "unknown"
"""What stands for a number that was sampled without samples."""


def _decimals(error: float, least: int) -> int:
    """Decimals that show one digit of an error, at least `least`."""
    return min(max(least, -floor(log10(error))), MOST_DECIMALS) if error > 0 else least


def percent(probability: float, error: float | None = None) -> str:
    """A probability for a table: exact zero and one are told from nearly so.

    Parameters
    ----------
    probability
        From 0 to 1.
    error
        Its standard error, if it was sampled; it decides how many digits are shown.

    Examples
    --------
    >>> percent(0.43351), percent(0.0001), percent(1.0)
    ('43.4%', '<0.1%', '100%')
    >>> percent(0.43351, 0.00049), percent(0.43351, 0.016)
    ('43.35% ±0.05', '43.4% ±1.6')
    """
    if isnan(probability):
        return UNKNOWN
    if error is not None:
        digits = _decimals(100 * error, 1)
        return f"{100 * probability:.{digits}f}% ±{100 * error:.{digits}f}"
    if probability in (0.0, 1.0):
        return f"{probability:.0%}"
    if probability < 0.0005:
        return "<0.1%"
    if probability > 0.9995:
        return ">99.9%"
    return f"{probability:.1%}"


def coins(value: float, error: float | None = None) -> str:
    """A value in coins, with its sign, and its standard error if it was sampled.

    Examples
    --------
    >>> coins(1.0037), coins(-0.004), coins(-0.3541, 0.002)
    ('+1.00', '0.00', '-0.354 ±0.002')
    """
    if isnan(value):
        return UNKNOWN
    if error is not None:
        return ("+" if value >= 0 else "") + mean(value, error)
    return f"{value:+.2f}" if abs(value) >= NO_COINS else "0.00"


def mean(value: float, error: float | None = None) -> str:
    """An expected number, and its standard error if it was sampled.

    Examples
    --------
    >>> mean(0.7277), mean(0.7277, 0.0061), mean(float("nan"), float("nan"))
    ('0.728', '0.728 ±0.006', 'unknown')
    """
    if isnan(value):
        return UNKNOWN
    if error is None:
        return f"{value:.3f}"
    digits = _decimals(error, 2)
    return f"{value:.{digits}f} ±{error:.{digits}f}"


def percent_error(error: float) -> str:
    """A standard error in percent, two of its digits.

    Examples
    --------
    >>> percent_error(0.0123), percent_error(0.000158)
    ('1.2%', '0.016%')
    """
    digits = 1 - floor(log10(100 * error)) if error > 0 else 0
    return f"{100 * error:.{max(digits, 0)}f}%"


def duration(seconds: float) -> str:
    """A time, three of its digits.

    Examples
    --------
    >>> duration(0.0000653), duration(0.00214), duration(1.5)
    ('65.3 µs', '2.14 ms', '1.50 s')
    """
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit or name == "µs":
            value = seconds / unit
            break
    return f"{value:.{max(0, 2 - floor(log10(value)) if value > 0 else 2)}f} {name}"


def bar(share: float, width: int = BAR) -> str:
    """A bar of `width` characters for a share from 0 to 1, in eighths of a character."""
    full, eighths = divmod(round(min(max(share, 0.0), 1.0) * width * 8), 8)
    part = " \u258f\u258e\u258d\u258c\u258b\u258a\u2589"[eighths] if eighths else ""
    return ("\u2588" * full + part).ljust(width)


def signed_bar(share: float, width: int = BAR) -> str:
    """A bar to the right of the middle, or for a negative share to its left."""
    half = width // 2
    if share >= 0:
        return " " * half + "\u2502" + bar(share, half)
    # No character fills eighths from the right, so that this side goes in halves.
    full, part = divmod(round(min(-share, 1.0) * half * 2), 2)
    return ("\u2590" * part + "\u2588" * full).rjust(half) + "\u2502" + " " * half


def column_bars(column: Column) -> list[str]:
    """The bars of a column, all from the same line."""
    shares = [cell.share or 0.0 for cell in column.cells]
    draw = signed_bar if any(share < 0 for share in shares) else bar
    return [draw(share) for share in shares]


def align(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of a table whose first `left` columns are flush left, the others flush right."""
    return _aligned(rows, [i < left for i in range(len(rows[0]))])


def _aligned(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if flush else cell.rjust(width)
            for cell, width, flush in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    ]


def lines(table: Table) -> list[str]:
    """The lines of a table, without its caption and notes."""
    columns: list[list[str]] = []
    left: list[bool] = []
    for column in table.columns:
        if column.bar:
            columns.append(["", *column_bars(column)])
            left.append(True)
        columns.append([column.head, *(cell.text for cell in column.cells)])
        left.append(column.left)
    return _aligned(list(zip(*columns, strict=True)), left)


def plain(table: Table) -> str:
    """A whole table."""
    return "\n".join([table.caption, "", *lines(table), "", *table.notes])
