"""``camelodds tables``: the race tables in the cache folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated

from cyclopts import App, Parameter

from camelodds.cli.common import AsJson
from camelodds.display.text import align
from camelodds.editions import edition_named
from camelodds.solving import Progress
from camelodds.tables import cache_folder, list_tables, remove_tables, sweeps_path, table_path

app = App(name="tables", help="List, build and remove the race tables.", help_format="plaintext")

STATES = {
    "good": "",
    "unusable": "damaged or of another version: will be built anew",
    "unfinished": "unfinished: build again to go on",
}

Folder = Annotated[Path | None, Parameter(help="Another folder than the usual cache folder.")]


@app.command(name="list")
def list_(
    *,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """List the race tables, each checked.

    Parameters
    ----------
    as_json
        Print one JSON object.
    """
    tables = list_tables(folder)
    if as_json:
        rows = [
            {
                "edition": table.edition,
                "spaces": table.spaces,
                "positions": table.positions,
                "bytes": table.size,
                "error": table.error,
                "state": table.state,
                "path": str(table.path),
            }
            for table in tables
        ]
        print(json.dumps({"folder": str(cache_folder(folder)), "tables": rows}))
        return
    print(f"Race tables in {cache_folder(folder)}:")
    if not tables:
        print("none; one of the first edition is made when it is first needed")
        return
    head = ["edition", "spaces", "positions", "MB", "error at most", ""]
    lines = [
        [
            table.edition,
            str(table.spaces),
            f"{table.positions:,}",
            f"{table.size / 1e6:.1f}",
            f"{table.error:.1e}" if table.state == "good" else "",
            STATES[table.state],
        ]
        for table in tables
    ]
    print("\n".join(align([head, *lines])))


@app.command
def build(edition: str = "first", /, *, folder: Folder = None, threads: int | None = None) -> None:
    """Build a race table anew; if that was interrupted, go on.

    Parameters
    ----------
    edition
        first or second.
    threads
        How many to use; all processors if left out.
    """
    from camelodds.building import build_table

    found = edition_named(edition)
    begin = perf_counter()
    try:
        table = build_table(found, folder, threads=threads, report=Reporter())
    except KeyboardInterrupt:
        if sweeps_path(found, folder).exists():
            tip = "camelodds: whole sweeps are kept; the same command goes on from there"
            print(f"\n{tip}", file=sys.stderr, end="")
        raise
    finally:
        if sys.stderr.isatty():
            print(file=sys.stderr)
    print(
        f"{len(table.values):,} positions in {perf_counter() - begin:.1f} s, "
        f"error at most {table.error:.1e}: {table_path(found, folder)}"
    )


class Reporter:
    """Shows progress on the error stream: one line that changes, elsewhere a line a sweep."""

    def __init__(self) -> None:
        self.sweep = 0

    def __call__(self, progress: Progress) -> None:
        """Show it."""
        terminal = sys.stderr.isatty()
        if progress.sweep == self.sweep and not terminal:
            return
        self.sweep = progress.sweep
        text = f"sweep {progress.sweep}"
        if terminal:
            text += f", {progress.share:4.0%} done"
        if progress.change is not None:
            text += f", largest change {progress.change:.1e} in the one before"
        if progress.to_go is not None:
            minutes, seconds = divmod(round(progress.to_go), 60)
            text += f", about {minutes}:{seconds:02} to go"
        print(f"\r{text:<78}" if terminal else text, end="" if terminal else "\n", file=sys.stderr)


@app.command
def remove(edition: str | None = None, /, *, folder: Folder = None) -> None:
    """Remove race tables; they are built anew when they are needed.

    Parameters
    ----------
    edition
        first or second; all tables if left out.
    """
    found = None if edition is None else edition_named(edition)
    removed = remove_tables(found, folder)
    for path in removed:
        print(f"removed {path}")
    if not removed:
        which = "" if found is None else f" of the {found.name} edition"
        print(f"no race table{which} in {cache_folder(folder)}")
