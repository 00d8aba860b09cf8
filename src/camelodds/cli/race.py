"""``camelodds race``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from camelodds.cli.common import Word, read_position, show
from camelodds.odds import race_odds


def race(
    *position: Word,
    edition: str | None = None,
    method: str = "auto",
    folder: Path | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Who wins the race and who is last.

    Parameters
    ----------
    position
        Stacks bottom to top (3:ob is orange with blue on it), tiles (5-, 8+@Ann), and the dice
        left (dice=ob*, * the grey one; all if left out); or a JSON object; or - to read it.
        Tiles act in this leg only.
    edition
        first or second; told by the camels if left out.
    method
        auto, exact or table.
    folder
        Where the race tables are, if not in the usual cache folder.
    as_json
        Print one JSON object.
    """
    show(race_odds(read_position(position, edition), method, folder=folder), as_json=as_json)
