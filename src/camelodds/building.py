"""Building a race table on demand: with progress, to be interrupted, checked at the end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from camelodds.editions import EDITIONS, Edition
from camelodds.errors import CamelOddsError, OptionError, Problem
from camelodds.kernels.index import stack_of
from camelodds.kernels.stacks import RACERS
from camelodds.odds.races import leg_and_race_batch, race_odds
from camelodds.position import Position, stacks_of
from camelodds.solving import Progress, Solution, solve
from camelodds.tables import (
    AUTOMATIC,
    SWEEPS,
    VARIABLE,
    RaceTable,
    described,
    forget,
    in_brief,
    in_full,
    n_positions,
    read_file,
    store_table,
    sweeps_path,
    table_path,
    tabulated,
    write_file,
)

TOLERANCE = 2e-7
"""A probability in single precision that changes by less is as good as it gets."""

CHECKED = 2_000
"""Positions whose equations are checked at the end."""

MOST_MISSED = 2e-6
"""A residual beyond this means that something is wrong: roundings come to a tenth of it."""

WIN_AND_LAST = (0, RACERS - 1)


def build_table(
    edition: Edition,
    folder: str | os.PathLike[str] | None = None,
    *,
    brief: bool | None = None,
    threads: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> RaceTable:
    """Build the table of an edition and keep it in the cache folder.

    What every sweep came to is kept beside it: if this is interrupted, the next call goes on
    from there.

    Parameters
    ----------
    edition
        The edition.
    folder
        Another folder than `tables.cache_folder` gives.
    brief
        Winner and last only, solved in single precision and kept in 16 bits; all places in
        double precision if not. If left out, large tables are brief.
    threads
        All processors if left out. The table does not depend on it.
    report
        Called now and then.

    Raises
    ------
    OptionError
        If the edition has none, or the folder cannot be written.
    CamelOddsError
        If the table does not stand the checks at the end.

    Examples
    --------
    >>> import tempfile, camelodds as co
    >>> short = co.SECOND.with_options(spaces=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_table(short, folder, brief=True)
    >>> table.values.shape, table.error < 2e-5
    ((2520, 9), True)
    """
    if not tabulated(edition):
        tip = f"there are tables of {', '.join(e.name for e in EDITIONS.values() if tabulated(e))}"
        raise OptionError(Problem(edition.name, "no race table of this edition", tip=tip))
    if brief is None:
        brief = n_positions(edition) > AUTOMATIC
    path, aside = table_path(edition, folder), sweeps_path(edition, folder)
    try:
        _try_to_write(path.parent)
        solution = solve(
            edition,
            WIN_AND_LAST if brief else tuple(range(RACERS)),
            np.float32 if brief else np.float64,
            tolerance=TOLERANCE if brief else 1e-13,
            threads=threads or os.cpu_count() or 1,
            begin=_kept(edition, aside) if brief else None,
            report=report,
            keep=(lambda found: _keep(edition, aside, found)) if brief else None,
        )
        table = _checked(edition, solution, brief)
        store_table(table, path)
        aside.unlink(missing_ok=True)
    except OSError as error:
        tip = f"name another folder, or set {VARIABLE}"
        raise OptionError(Problem(str(path), f"cannot be written: {error}", tip=tip)) from None
    forget(path)
    return table


def _try_to_write(folder: Path) -> None:
    """Find out before the work rather than after it.

    Raises
    ------
    OSError
        If nothing can be written there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    trial = folder / f"trial-{os.getpid()}.part"
    trial.write_bytes(b"")
    trial.unlink()


def _keep(edition: Edition, aside: Path, found: Solution) -> None:
    header = {
        "what": SWEEPS,
        "edition": edition.name,
        **described(edition),
        "places": found.places,
        "changes": found.changes,
        "legs_change": found.legs_change,
    }
    write_file(aside, header, found.values)


def _kept(edition: Edition, aside: Path) -> Solution | None:
    found = read_file(aside, {"what": SWEEPS} | described(edition))
    if found is None:
        return None
    header, values = found
    places, changes = tuple(header["places"]), tuple(header["changes"])
    return Solution(np.array(values), places, changes, header["legs_change"])


def residual(table: RaceTable, numbers: npt.NDArray[np.int64]) -> tuple[float, float]:
    """By how much the rows of some positions miss their equations.

    The right side is made by the leg kernel, in double precision, which has nothing in common
    with the sweeps but the move.

    Returns
    -------
    tuple of float
        Of the probabilities, and of the expected number of legs.
    """
    edition = table.edition
    stacks = np.array([stack_of(int(number), table.numbers) for number in numbers])
    none = np.zeros_like(stacks)
    leg = leg_and_race_batch(edition, edition.dice, stacks, none, none, table)
    shares, legs = table.rows(numbers)
    return float(np.abs(leg.race - shares).max()), float(np.abs(leg.legs - legs).max())


def farthest(table: RaceTable, numbers: npt.NDArray[np.int64], n: int) -> float:
    """How far sampled races from some positions are from their rows, in standard errors.

    Parameters
    ----------
    table, numbers
        The table, and the numbers of the positions.
    n
        Races of each position.
    """
    edition = table.edition
    shares, _ = table.rows(numbers)
    worst = 0.0
    for i, number in enumerate(numbers.tolist()):
        position = Position(edition, stacks_of(edition, stack_of(number, table.numbers)))
        race = race_odds(position, "sample", n=n, seed=number)
        for place, sampled in ((0, race.winner), (RACERS - 1, race.last)):
            expected = shares[i, table.places.index(place)]
            errors = np.sqrt(np.maximum(expected * (1 - expected), 1 / n) / n)
            worst = max(worst, float(np.abs((list(sampled.values()) - expected) / errors).max()))
    return worst


def _checked(edition: Edition, solution: Solution, brief: bool) -> RaceTable:
    """The table of a solution that stands all checks.

    Raises
    ------
    CamelOddsError
        If it does not.
    """
    found = solution.values
    table = RaceTable(edition, found, solution.places, 1.0, 1.0, 0.0, 0.0)
    numbers = np.random.default_rng(0).integers(0, len(found), CHECKED)
    missed, missed_legs = residual(table, numbers)
    sums = max(
        float(np.abs(found[:, i : i + RACERS].sum(axis=1) - 1).max())
        for i in range(0, len(solution.places) * RACERS, RACERS)
    )
    checks = (
        ("a row misses its equation by", missed, MOST_MISSED),
        ("the number of legs in a row misses its equation by", missed_legs, 10 * MOST_MISSED),
        ("the sum of probabilities in a row misses 1 by", sums, 10 * MOST_MISSED),
        ("sampled races differ, in standard errors, by", farthest(table, numbers[:10], 100_000), 6),
    )
    faults = [
        Problem(edition.name, f"{what} {value:.1e}, not at most {most:.0e}")
        for what, value, most in checks
        if not value <= most
    ]
    if faults:
        raise CamelOddsError(faults, "the race table is wrong and was not kept")
    return (in_brief if brief else in_full)(edition, solution, max(missed, missed_legs))
