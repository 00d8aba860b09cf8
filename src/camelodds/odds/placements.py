"""Odds of one position and of the same with other tiles, as arrays, for the values of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from camelodds.kernels.stacks import SHIFT
from camelodds.odds.legs import leg_odds
from camelodds.odds.races import leg_and_race_batch, race_odds
from camelodds.position import Position
from camelodds.tables import race_table

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlacementOdds:
    """Odds of m positions that differ in their tiles only.

    Attributes
    ----------
    outcomes : (m, N) float64
        P(outcome of the leg), in the order of ``edition.outcomes``.
    landings : (m, spaces + 1) float64
        Expected landings on a tile, by its space.
    race : (m, 2, 5) float64 or None
        P(wins) and P(is last) by camel, in the order of the edition.
    method : str or None
        Where `race` comes from: ``"exact"``, ``"table"``, ``"sampled"``; None without it.
    n, seed : int or None
        Samples of each position, where `race` was sampled, and their seed.
    """

    outcomes: FloatArray
    landings: FloatArray
    race: FloatArray | None = None
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
        See `camelodds.race_odds`.
    """
    edition = positions[0].edition
    outcomes = np.empty((len(positions), len(edition.outcomes)))
    landings = np.zeros((len(positions), edition.spaces + 1))
    race = np.empty((race_of, 2, len(edition.racing)))
    table = race_table(edition) if race_of and method != "sample" else None
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
    for b, position in enumerate(positions[done:], done):
        leg = leg_odds(position)
        outcomes[b] = leg.weights / leg.total
        for space, expected in leg.landings.items():
            landings[b, space] = expected
    if not race_of:
        return PlacementOdds(outcomes, landings)
    if table is not None:
        return PlacementOdds(outcomes, landings, race, "table")
    for b, position in enumerate(positions[:race_of]):
        odds = race_odds(position, method)
        race[b] = list(odds.winner.values()), list(odds.last.values())
    return PlacementOdds(outcomes, landings, race, odds.method, odds.n, odds.seed)
