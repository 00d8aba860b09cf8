"""``camelodds race``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from camelodds.cli.common import read_position, show
from camelodds.odds import race_odds


def race(
    *position: str,
    edition: str | None = None,
    method: str = "auto",
    folder: Path | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Who wins the race and who is last.

    Parameters
    ----------
    position
        Stacks bottom to top, tiles and dice left, as in "3:ob 4:g 6:y 7:w 5- 8+ dice=ob".
        All dice are in the pyramid if none are named. Tiles act in this leg only.
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
