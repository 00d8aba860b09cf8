"""Results as small HTML tables, readable in light and dark themes and without colour."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from camelodds.display.table import coloured

if TYPE_CHECKING:
    from camelodds.display.table import Cell, Column, Table

# Text has the colour of the page and bars are translucent, so that every theme stays readable.
CELL = (
    "padding:2px 8px;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"
    "border:0 solid transparent;border-width:0 2px"
)
NAME = "padding:2px 8px;text-align:left;white-space:nowrap"
SHARE, GAIN, LOSS = "rgba(66,133,201,0.32)", "rgba(38,150,130,0.36)", "rgba(205,80,70,0.36)"
"""What bars are filled with; the sign of a value stands before its digits too."""
CHIP = (
    "display:inline-block;min-width:1.5em;line-height:1.3;text-align:center;font-size:0.92em;"
    "font-weight:700;border-radius:0.35em;border:1px solid rgba(128,128,128,0.7)"
)


def chip(camel: str, word: str = "") -> str:
    """A camel's letter, or a word about it, on its colour."""
    from camelodds.display.svg import PAINT, letter_colour

    style = f"{CHIP};background:{PAINT[camel]};color:{letter_colour(camel)}"
    return f'<span style="{style}">{escape(word or camel)}</span>'


def _fill(share: float, signed: bool) -> str:
    """The bar of a cell, as its background; in a signed one, zero is in the middle."""
    length = 100 * min(abs(share), 1.0)
    if not signed:
        start, end, paint = 0.0, length, SHARE
    elif share < 0:
        start, end, paint = 50 - length / 2, 50.0, LOSS
    else:
        start, end, paint = 50.0, 50 + length / 2, GAIN
    stops = f"transparent {start:.1f}%,{paint} {start:.1f}% {end:.1f}%,transparent {end:.1f}%"
    return f"background:linear-gradient(90deg,{stops}) center/100% 76% no-repeat padding-box"


def bar_cell(share: float, text: str, *, signed: bool = False) -> str:
    """A table cell with a bar for `share` (-1 to 1) behind its text."""
    return f'<td style="{CELL};{_fill(share, signed)}">{escape(text)}</td>'


def table(caption: str, head: Sequence[str], rows: Sequence[str], foot: Sequence[str]) -> str:
    """A table of ready rows of cells, with a caption above and lines below it."""
    heads = "".join(
        f'<th style="{NAME if i == 0 else CELL}">{escape(text)}</th>' for i, text in enumerate(head)
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    below = "<br>".join(map(escape, foot))
    return (
        f'<div><table style="border-collapse:collapse">'
        f'<caption style="text-align:left;caption-side:top;white-space:nowrap">'
        f"{escape(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        f'<div style="font-size:0.85em;opacity:0.8">{below}</div></div>'
    )


def _cell(cell: Cell, column: Column, signed: bool) -> str:
    if cell.camel:
        at = coloured(cell)
        words = (
            chip(cell.camel, word) if i == at else escape(word)
            for i, word in enumerate(cell.text.split())
        )
        return f'<td style="{NAME if column.left else CELL}">{" ".join(words)}</td>'
    if cell.share is not None:
        return bar_cell(cell.share, cell.text, signed=signed)
    return f'<td style="{NAME if column.left else CELL}">{escape(cell.text)}</td>'


def page(shown: Table) -> str:
    """A whole table."""
    signed = [any((cell.share or 0) < 0 for cell in column.cells) for column in shown.columns]
    rows = ["".join(map(_cell, row, shown.columns, signed)) for row in shown.rows]
    return table(shown.caption, [column.head for column in shown.columns], rows, shown.notes)
