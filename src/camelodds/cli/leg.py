"""``camelodds leg``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from camelodds.cli.common import read_position, show
from camelodds.odds import leg_odds


def leg(
    *position: str,
    edition: str | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Exact odds of the present leg: places, tickets, landings on tiles.

    Parameters
    ----------
    position
        Stacks bottom to top, tiles and dice left, as in "3:ob 4:g 6:y 7:w 5- 8+ dice=ob".
        All dice are in the pyramid if none are named.
    edition
        first or second; told by the camels if left out.
    as_json
        Print one JSON object.
    """
    show(leg_odds(read_position(position, edition)), as_json=as_json)
