"""Odds of the race."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from camelodds.editions import Edition, IntArray
from camelodds.errors import OptionError, Problem, refuse
from camelodds.kernels.index import numbering
from camelodds.kernels.legs import N_COUNTS, RACE_ENDS
from camelodds.kernels.races import look_up, look_up_ends
from camelodds.kernels.stacks import RACERS
from camelodds.odds.legs import MOST_STATES, check, ends_of_leg, exact_leg_odds, leg_odds
from camelodds.odds.sampled_races import first_leg, sampled_race, sampled_tail
from camelodds.odds.sampling import MOST, Plan, Progress, not_sampled, read_plan
from camelodds.position import Position
from camelodds.results.errors import by_camel
from camelodds.results.leg import LegOdds
from camelodds.results.race import RaceOdds
from camelodds.tables import RaceTable, race_table

METHODS = ("auto", "exact", "table", "sample", "tail")

UNTIL = 0.001
"""The standard error to which ``"auto"`` samples, if it has to and no other is given."""

EXACT = 1e-9
"""A table that is better than this has rounding errors only."""

NO_VALUES = np.zeros((0, 1))
NO_VALUES.flags.writeable = False
"""For the kernel where there is no table."""


@dataclass(frozen=True, eq=False)
class LegAndRace:
    """The leg and the race of m positions of one edition with the same dice.

    Attributes
    ----------
    total : int
        The weight of all courses of the leg.
    weights : (m, N) int64
        Weight of each outcome of the leg, in the order of ``edition.outcomes``.
    landings : (m, 32) int64
        Weight of the landings on a tile, by its space + 2.
    race_ends : (m,) int64
        Weight of the courses that end the race.
    places : tuple of int
        The places in `race`, the winner's being 0; empty without a table.
    race : (m, p, 5) float64
        P(camel at place) at the end of the race.
    legs : (m,) float64
        Expected number of leg scorings still to come, this leg's included.
    error : float
        Bound of the error of the probabilities in `race`.
    """

    total: int
    weights: IntArray
    landings: IntArray
    race_ends: IntArray
    places: tuple[int, ...]
    race: npt.NDArray[np.float64]
    legs: npt.NDArray[np.float64]
    error: float

    @property
    def winner(self) -> npt.NDArray[np.float64]:
        """(m, 5) float64: P(wins), camels in the order of the edition."""
        return self.race[:, self.places.index(0)]

    @property
    def last(self) -> npt.NDArray[np.float64]:
        """(m, 5) float64: P(is last), camels in the order of the edition."""
        return self.race[:, self.places.index(RACERS - 1)]


def leg_and_race_batch(
    edition: Edition,
    dice: str,
    stacks: Sequence[int] | IntArray,
    plus: Sequence[int] | IntArray,
    minus: Sequence[int] | IntArray,
    table: RaceTable | None,
) -> LegAndRace:
    """The leg and the race of many positions that have the same dice, in one enumeration each.

    Parameters
    ----------
    edition, dice
        The edition, and what is in the pyramid.
    stacks, plus, minus : (m,) int
        The positions as `Position.packed` gives them; no race is over.
    table
        The race table, or None for the leg alone.
    """
    graph = edition.bag(dice, keep_ends=True)
    m, n_outcomes = len(stacks), len(edition.outcomes)
    places = () if table is None else table.places
    columns = np.array(places, dtype=np.int64)
    values, unit, legs_unit = NO_VALUES, 1.0, 1.0
    numbers = numbering(len(edition.crazy), edition.spaces)
    if table is not None:
        values, unit, legs_unit = table.values, table.unit, table.legs_unit
    results = np.empty((m, n_outcomes + N_COUNTS), dtype=np.int64)
    odds = np.zeros((m, len(places) * RACERS + 1))
    for i in range(m):
        result, states, courses = ends_of_leg(
            edition, graph, int(stacks[i]), int(plus[i]), int(minus[i])
        )
        results[i] = result
        look_up_ends(
            states,
            courses,
            edition.outcome_of_order,
            results[i],
            numbers,
            values,
            unit,
            legs_unit,
            columns,
            odds[i],
        )
    weights, counts = results[:, :n_outcomes], results[:, n_outcomes:]
    total = graph.total
    odds /= total
    odds[:, -1] += 1
    return LegAndRace(
        total,
        weights,
        counts[:, :RACE_ENDS],
        counts[:, RACE_ENDS],
        places,
        odds[:, :-1].reshape(m, len(places), RACERS),
        odds[:, -1],
        0.0 if table is None else table.error,
    )


def race_odds(
    position: Position,
    method: str = "auto",
    *,
    folder: str | os.PathLike[str] | None = None,
    n: int | None = None,
    seed: int | None = None,
    until: float | None = None,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> RaceOdds:
    """Who wins the race and who is last; the tiles that lie there act in the present leg only.

    The present leg is enumerated with its tiles; the positions in which it can end are looked
    up in the race table of the edition.  Races of the Card Game are sampled: the rest of this
    round, then rounds set up by C4, of which only the deck is revealed, its unknown cards drawn
    evenly (C14).

    Parameters
    ----------
    position
        What to ask about.
    method
        ``"auto"`` takes the best that there is: without a table that is ``"tail"``, to a
        standard error of 0.001 if nothing else is said.  ``"exact"`` and ``"table"`` never
        sample, ``"exact"`` wants no more than rounding errors.  ``"sample"`` plays whole
        random races; ``"tail"`` enumerates the present leg and plays on from its ends, which
        gives smaller errors for as many races.
    folder
        Where the race tables are, if not in the usual cache folder.
    n, seed, until, executor, progress
        Where races are sampled, see `leg_odds`; they change nothing where ``"auto"`` finds a
        table or the race is decided.

    Returns
    -------
    RaceOdds
        Of a finished race: its outcome with certainty.

    Raises
    ------
    OptionError
        If an argument cannot be used, or there is no table and none can be built at once, or
        a position of the Card Game does not tell the number of players.

    Examples
    --------
    >>> import camelodds as co
    >>> race = co.race_odds(co.Position.parse("5:w 8:b 9:y 11:o 14:g dice=o", "first"))
    >>> race.method, round(race.winner["o"], 4), round(race.legs, 4)
    ('table', 0.4635, 2.562)
    """
    given = {"n": n, "seed": seed, "until": until, "executor": executor, "progress": progress}
    plan, faults = read_plan(**given)
    faults = check(position, method, METHODS) + faults
    if method in ("exact", "table"):
        faults += not_sampled(given, method)
    refuse(faults)
    if position.race_over:
        return _certain(position)
    edition = position.edition
    auto = plan
    if plan is not None and n is None and until is None:
        auto = replace(plan, n=MOST, until=UNTIL)
    if plan is not None and method == "sample":
        return sampled_race(position, plan)
    if position.deck is not None:
        return _card_race(position, method, auto)
    if plan is not None and method == "tail":
        return sampled_tail(position, plan)
    table = race_table(edition, folder)
    if table is None:
        found = first_leg(position)
        if found.race_ends == found.total:
            return _decided(position, found.outcomes, found.total)
        if auto is None or method != "auto":
            raise OptionError(no_table(edition, method, table))
        note = f"Build a table for better race odds, once: camelodds tables build {edition.name}"
        return replace(sampled_tail(position, auto, found), note=note)
    packed = position.packed
    fresh = not position.tiles and len(position.dice) == len(edition.dice)
    if fresh and table.error <= EXACT:
        # A position between legs stands in the table as it is.
        leg = leg_odds(position)
        weights, ends, total = leg.weights, leg.race_end_weight, leg.total
        places, error = table.places, table.error
        odds = np.zeros(len(places) * RACERS + 1)
        numbers, unit, legs_unit = table.numbers, table.unit, table.legs_unit
        look_up(packed.stack, 1.0, numbers, table.values, unit, legs_unit, len(places), odds)
        race, legs = odds[:-1].reshape(len(places), RACERS), float(odds[-1])
    else:
        both = leg_and_race_batch(
            edition, position.dice, [packed.stack], [packed.plus], [packed.minus], table
        )
        weights, ends, total = both.weights[0], int(both.race_ends[0]), both.total
        places, error, race, legs = both.places, both.error, both.race[0], float(both.legs[0])
    if ends == total:
        return _decided(position, weights, total)
    if method == "exact" and error > EXACT:
        raise OptionError(no_table(edition, method, table))
    return RaceOdds(
        position,
        by_camel(edition.racing, race[places.index(0)]),
        by_camel(edition.racing, race[places.index(RACERS - 1)]),
        np.ascontiguousarray(race.T) if len(places) == RACERS else None,
        legs,
        ends / total,
        "table",
        error,
    )


def _card_race(position: Position, method: str, plan: Plan | None) -> RaceOdds:
    """The odds where later rounds are dealt: exact if this round decides the race.

    An exact round tells the probability that it does, whatever comes later.
    """
    leg = exact_leg_odds(position, MOST_STATES)
    if isinstance(leg, LegOdds) and leg.race_end_weight == leg.total:
        return _decided(position, leg.weights, leg.total)
    if method != "auto" or plan is None:
        what = f"no race odds by {method} where later rounds are dealt"
        raise OptionError(Problem(f"method={method!r}", what, tip='use "sample"'))
    race = sampled_race(position, plan)
    if not isinstance(leg, LegOdds):
        return race
    errors = MappingProxyType({**race.standard_errors, "race_ends": 0.0})
    return replace(race, race_ends=leg.race_ends, errors=errors, race_ends_exact=True)


def _decided(position: Position, weights: IntArray, total: int) -> RaceOdds:
    """The odds of a race that ends in this leg: who is first then has won."""
    edition = position.edition
    race = edition.at_place @ weights / total
    first, last = by_camel(edition.racing, race[:, 0]), by_camel(edition.racing, race[:, -1])
    return RaceOdds(position, first, last, race, 1.0, 1.0, "exact")


def _certain(position: Position) -> RaceOdds:
    """The odds of a finished race."""
    edition = position.edition
    places = edition.at_place[:, :, edition.outcome_index[position.outcome]].astype(np.float64)
    first, last = by_camel(edition.racing, places[:, 0]), by_camel(edition.racing, places[:, -1])
    return RaceOdds(position, first, last, places, 0.0, 1.0, "exact")


def no_table(edition: Edition, method: str, table: RaceTable | None) -> Problem:
    """Why there are no race odds by `method`."""
    if table is not None:
        what = f"the race table of the {edition.name} edition is good to {table.error:.0e} only"
        return Problem(f"method={method!r}", what, tip='use "table" or "auto"')
    tip = f"build it with: camelodds tables build {edition.name}"
    return Problem(edition.name, "there is no race table of this edition yet", tip=tip)
