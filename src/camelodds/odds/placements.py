"""Odds of one position and of the same with other tiles, as arrays, for the values of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from camelodds.kernels.stacks import SHIFT
from camelodds.odds.batches import leg_odds_batch
from camelodds.odds.races import leg_and_race_batch, race_odds
from camelodds.odds.sampled_races import first_leg, gained_and_lost, sampled_tail
from camelodds.odds.sampling import Plan, draw_seed
from camelodds.position import Position
from camelodds.results.errors import FloatArray
from camelodds.tables import race_table

SAMPLES = 32_768
"""Races of a position where they are sampled: a standard error of 0.0028 at most."""

LEAST = 1_024
"""Races of the smallest part of the courses."""


class Sampled(NamedTuple):
    """Races that were sampled for a part of the courses.

    Attributes
    ----------
    share
        The part.
    outcomes : (N,) float64
        Share of each outcome of the race among them.
    n
        How many.
    """

    share: float
    outcomes: FloatArray
    n: int


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
    errors : (2, 5) float64
        Standard errors of the first of them, 0 if it was not sampled.
    changes : tuple of tuples
        What was sampled for each of `race` beyond the first: see `Sampled`.
    method : str or None
        Where `race` comes from, see `camelodds.RaceOdds`; None if it is empty.
    n, seed : int or None
        Sampled races of the first position, and their seed; None if all is exact.
    """

    outcomes: FloatArray
    landings: FloatArray
    race: FloatArray
    errors: FloatArray
    changes: tuple[tuple[Sampled, ...], ...] = ()
    method: str | None = None
    n: int | None = None
    seed: int | None = None

    def change_error(self, b: int, pays: FloatArray) -> float:
        """Standard error, at most, of what position `b` changes for payoffs by outcome (N,)."""
        variance = 0.0
        for part in self.changes[b] if b < len(self.changes) else ():
            mean = part.outcomes @ pays
            spread = max(0.0, float(part.outcomes @ pays**2 - mean**2))
            variance += part.share**2 * spread / part.n
        return float(np.sqrt(variance))


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
    if done < len(positions):
        legs = leg_odds_batch(positions[done:], threads=1)
        outcomes[done:] = legs.weights / legs.totals[:, None]
        landings[done:] = legs.landing_weights / legs.totals[:, None]
    errors = np.zeros_like(race[0]) if race_of else np.zeros((0, 0))
    if table is not None or not race_of:
        return PlacementOdds(
            outcomes, landings, race, errors, method=None if table is None else "table"
        )
    given: dict[str, Any] = {}
    if method != "table":
        given = {"n": SAMPLES if n is None else n, "seed": seed, "progress": False}
    odds = race_odds(positions[0], method, **given)
    race[0] = list(odds.winner.values()), list(odds.last.values())
    errors = odds.standard_errors["places"][:, [0, -1]].T
    changes = _sample_changes(positions[:race_of], race, Plan(given["n"], odds.seed or seed))
    return PlacementOdds(outcomes, landings, race, errors, changes, odds.method, odds.n, odds.seed)


def _sample_changes(
    positions: Sequence[Position], race: FloatArray, plan: Plan
) -> tuple[tuple[Sampled, ...], ...]:
    """Fill in the race odds of all positions but the first: how they differ from the first.

    A tile changes where the leg can end for a part of the courses only.  That part alone is
    sampled, so that a tile which changes nothing is worth exactly nothing.
    """
    changes: list[tuple[Sampled, ...]] = [()]
    if len(positions) == 1:
        return tuple(changes)
    rules = positions[0].edition.rules
    before = first_leg(positions[0])
    seed = draw_seed() if plan.seed is None else plan.seed
    for b, position in enumerate(positions[1:], 1):
        race[b] = race[0]
        parts = []
        for side, ends in enumerate(gained_and_lost(before, first_leg(position), rules)):
            if not ends.total:
                continue
            share = ends.total / before.total
            n = max(LEAST, int(plan.n * share))
            # Another sample for each, so that their errors are independent.
            odds = sampled_tail(position, Plan(n, seed + 2 * b + side, progress=False), ends)
            sign = 1 if side == 0 else -1
            race[b, 0] += sign * share * np.array(list(odds.winner.values()))
            race[b, 1] += sign * share * np.array(list(odds.last.values()))
            assert odds.counts is not None
            parts.append(Sampled(share, odds.counts / n, n))
        changes.append(tuple(parts))
    return tuple(changes)
