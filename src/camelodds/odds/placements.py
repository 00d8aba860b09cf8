"""Odds of one position and of the same with other tiles, as arrays, for the values of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from camelodds.kernels.stacks import SHIFT
from camelodds.odds.legs import leg_odds
from camelodds.odds.races import leg_and_race_batch, race_odds
from camelodds.position import Position
from camelodds.tables import race_table

FloatArray = npt.NDArray[np.float64]


SAMPLES = 32_768
"""Races of each position where they are sampled: a standard error of 0.0028 at most."""


@dataclass(frozen=True, eq=False)
class PlacementOdds:
    """Odds of m positions that differ in their tiles only, r of them with race odds.

    Attributes
    ----------
    outcomes : (m, N) float64
        P(outcome of the leg), in the order of ``edition.outcomes``.
    landings : (m, spaces + 1) float64
        Expected landings on a tile, by its space.
    race : (r, 2, 5) float64
        P(wins) and P(is last) by camel, in the order of the edition.
    errors : (r, 2, 5) float64
        Their standard errors, 0 where nothing was sampled.
    orders : (r, N) float64
        Where races were sampled, the share of each outcome of the race, else 0.
    method : str or None
        Where `race` comes from, see `camelodds.RaceOdds`; None if it is empty.
    n, seed : int or None
        Sampled races of each position, and the seed of the first; None if all is exact.
    """

    outcomes: FloatArray
    landings: FloatArray
    race: FloatArray
    errors: FloatArray
    orders: FloatArray
    method: str | None = None
    n: int | None = None
    seed: int | None = None


def placement_odds(
    positions: Sequence[Position],
    *,
    race_of: int = 0,
    method: str = "auto",
    n: int | None = None,
    seed: int | None = None,
) -> PlacementOdds:
    """Odds of positions of one edition with the same dice in the pyramid.

    Parameters
    ----------
    positions
        No leg of them is over.
    race_of
        Of how many of them, from the first on, the race odds are wanted.
    method, n, seed
        See `camelodds.race_odds`; `SAMPLES` if `n` is None.

    Raises
    ------
    OptionError
        If an argument cannot be used, or there is no table where one is asked for.
    """
    edition = positions[0].edition
    outcomes = np.empty((len(positions), len(edition.outcomes)))
    landings = np.zeros((len(positions), edition.spaces + 1))
    race = np.zeros((race_of, 2, len(edition.racing)))
    errors, orders = np.zeros_like(race), np.zeros((race_of, len(edition.outcomes)))
    found: dict[str, Any] = {"method": None, "n": None, "seed": None}
    tabulated = method in ("auto", "table") and race_of > 0
    table = race_table(edition) if tabulated else None
    done = 0
    if table is not None:
        # The leg of these comes with their race, in one enumeration each.
        done = race_of
        packed = [position.packed for position in positions[:done]]
        both = leg_and_race_batch(
            edition,
            positions[0].dice,
            [p.stack for p in packed],
            [p.plus for p in packed],
            [p.minus for p in packed],
            table,
        )
        outcomes[:done] = both.weights / both.total
        landings[:done] = both.landings[:, SHIFT : SHIFT + edition.spaces + 1] / both.total
        race[:, 0], race[:, 1] = both.winner, both.last
        found["method"] = "table"
    for b, position in enumerate(positions[done:], done):
        leg = leg_odds(position)
        outcomes[b] = leg.weights / leg.total
        for space, expected in leg.landings.items():
            landings[b, space] = expected
    if table is None and race_of:
        given: dict[str, Any] = {}
        if method != "table":
            given = {"n": SAMPLES if n is None else n, "seed": seed, "progress": False}
        for b, position in enumerate(positions[:race_of]):
            odds = race_odds(position, method, **given)
            race[b] = list(odds.winner.values()), list(odds.last.values())
            if odds.counts is not None:
                errors[b] = odds.standard_errors["places"][:, [0, -1]].T
                orders[b] = odds.counts / max(1, int(odds.counts.sum()))
            if found["n"] is None:
                found = {"method": odds.method, "n": odds.n, "seed": odds.seed}
            if odds.seed is not None:
                # Another sample for each position, so that their errors are independent.
                given["seed"] = odds.seed + 1
    return PlacementOdds(outcomes, landings, race, errors, orders, **found)
