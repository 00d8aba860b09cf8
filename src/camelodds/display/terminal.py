"""Tables for a terminal, by rich."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from camelodds.display.text import column_bars

if TYPE_CHECKING:
    from rich.console import RenderableType

    from camelodds.display.table import Table


def rendered(table: Table) -> RenderableType:
    """A table that rich can print."""
    from rich import box
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

    from camelodds.display.svg import PAINT, letter_colour

    shown = RichTable(
        title=Text(table.caption, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    columns: list[list[Text]] = []
    for column in table.columns:
        if column.bar:
            shown.add_column("", no_wrap=True)
            columns.append([Text(bar, style="cyan") for bar in column_bars(column)])
        shown.add_column(column.head, justify="left" if column.left else "right", no_wrap=True)
        cells = []
        for cell in column.cells:
            words: list[str | tuple[str, str]] = [cell.text]
            if cell.camel:
                style = f"bold {letter_colour(cell.camel)} on {PAINT[cell.camel]}"
                before, _, after = f" {cell.text} ".partition(f" {cell.camel} ")
                words = [f"{before} ".lstrip(), (f" {cell.camel} ", style), f" {after}".rstrip()]
            cells.append(Text.assemble(*words))
        columns.append(cells)
    for row in zip(*columns, strict=True):
        shown.add_row(*row)
    return Group(shown, *(Text(note, style="dim") for note in table.notes))


def show(result: Any) -> None:
    """Print a result: by rich on a terminal where rich is installed, else as plain text."""
    import sys

    if sys.stdout.isatty() and hasattr(result, "__rich__"):
        try:
            from rich.console import Console
        except ModuleNotFoundError:
            pass
        else:
            Console().print(result)
            return
    print(result)
