"""``camelodds tables``: the race tables in the cache folder."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Annotated

from cyclopts import App, Parameter

from camelodds.display.text import align
from camelodds.editions import edition_named
from camelodds.tables import build_table, cache_folder, list_tables, remove_tables, table_path

app = App(name="tables", help="List, build and remove the race tables.", help_format="plaintext")

Folder = Annotated[Path | None, Parameter(help="Another folder than the usual cache folder.")]


@app.command(name="list")
def list_(
    *,
    folder: Folder = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
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
                "good": table.good,
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
            f"{table.error:.0e}" if table.good else "",
            "" if table.good else "not usable, will be built anew",
        ]
        for table in tables
    ]
    print("\n".join(align([head, *lines])))


@app.command
def build(edition: str = "first", /, *, folder: Folder = None) -> None:
    """Build a race table anew.

    Parameters
    ----------
    edition
        first or second.
    """
    found = edition_named(edition)
    begin = perf_counter()
    table = build_table(found, folder)
    print(
        f"{len(table.values):,} positions in {perf_counter() - begin:.1f} s, "
        f"error at most {table.error:.0e}: {table_path(found, folder)}"
    )


@app.command
def remove(edition: str | None = None, /, *, folder: Folder = None) -> None:
    """Remove race tables; they are built anew when they are needed.

    Parameters
    ----------
    edition
        first or second; all tables if left out.
    """
    found = None if edition is None else edition_named(edition)
    for path in remove_tables(found, folder):
        print(f"removed {path}")
