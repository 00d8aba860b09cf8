"""Tables for a terminal, by rich."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from camelodds.display.table import Table, coloured
from camelodds.display.text import column_bars

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table as RichTable

    from camelodds.display.table import Cell


class Rendered:
    """A table that rich can print: with bars where there is room for them.

    In a narrow terminal heads and errors are broken into lines, and if that is not enough the
    columns are printed part by part; numbers are never cut.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.measure import Measurement
        from rich.text import Text

        def fits(table: Table, narrow: bool) -> bool:
            # Measured as if there were room enough: else rich says what it would cut it to.
            wide = options.update(max_width=100 * options.max_width + 10_000)
            needs = Measurement.get(console, wide, _grid(table, narrow=narrow)).maximum
            return needs <= options.max_width

        yield Text(self.table.caption, style="bold")
        if fits(self.table, False):
            yield _grid(self.table, narrow=False)
        else:
            names, *columns = self.table.columns
            while columns:
                most = len(columns)
                while most > 1 and not fits(Table("", (names, *columns[:most])), True):
                    most -= 1
                yield _grid(Table("", (names, *columns[:most])), narrow=True)
                columns = columns[most:]
        for note in self.table.notes:
            yield Text(note, style="dim")


def _grid(table: Table, *, narrow: bool) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    columns: list[list[Text]] = []
    for column in table.columns:
        if column.bar and not narrow:
            grid.add_column("", no_wrap=True)
            columns.append([Text(bar, style="cyan") for bar in column_bars(column)])
        head = column.head.replace(" ", "\n", 1) if narrow else column.head
        if narrow and "\n" not in head and any(" " in other.head for other in table.columns):
            head = f"\n{head}"  # beside heads of two lines
        grid.add_column(Text(head), justify="left" if column.left else "right", no_wrap=True)
        columns.append([_words(cell, narrow) for cell in column.cells])
    for row in zip(*columns, strict=True):
        grid.add_row(*row)
    return grid


def _words(cell: Cell, narrow: bool) -> Any:
    from rich.text import Text

    from camelodds.display.svg import PAINT, letter_colour

    at = coloured(cell)
    if at < 0:
        return Text(cell.text.replace(" ±", "\n±") if narrow else cell.text)
    style = f"bold {letter_colour(cell.camel)} on {PAINT[cell.camel]}"
    words = cell.text.split()
    before, after = " ".join(words[:at]), " ".join(words[at + 1 :])
    return Text.assemble(f"{before} ".lstrip(), (f" {words[at]} ", style), f" {after}".rstrip())


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
