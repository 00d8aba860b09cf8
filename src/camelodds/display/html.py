"""Results as small HTML tables, readable in light and dark themes and without colour."""

from __future__ import annotations

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


def chip(camel: str, word: str) -> str:
    """A word about a camel, on its colour."""
    from camelodds.display.svg import PAINT, letter_colour

    style = f"{CHIP};background:{PAINT[camel]};color:{letter_colour(camel)}"
    return f'<span style="{style}">{escape(word)}</span>'


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


def _cell(cell: Cell, column: Column, signed: bool) -> str:
    style, text = NAME if column.left else CELL, escape(cell.text)
    if cell.camel:
        at = coloured(cell)
        text = " ".join(
            chip(cell.camel, word) if i == at else escape(word)
            for i, word in enumerate(cell.text.split())
        )
    elif cell.share is not None:
        style += f";{_fill(cell.share, signed)}"
    return f'<td style="{style}">{text}</td>'


def page(table: Table) -> str:
    """A whole table, its caption above and its notes below."""
    signed = [any((cell.share or 0) < 0 for cell in column.cells) for column in table.columns]
    heads = "".join(
        f'<th style="{NAME if column.left else CELL}">{escape(column.head)}</th>'
        for column in table.columns
    )
    rows = "".join(
        f"<tr>{''.join(map(_cell, row, table.columns, signed))}</tr>" for row in table.rows
    )
    below = "<br>".join(map(escape, table.notes))
    return (
        f'<div><table style="border-collapse:collapse">'
        f'<caption style="text-align:left;caption-side:top;white-space:nowrap">'
        f"{escape(table.caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        f'<div style="font-size:0.85em;opacity:0.8">{below}</div></div>'
    )
