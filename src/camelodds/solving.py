"""Solving the race: one row of numbers for every position between legs.

`camelodds.kernels.races` says what a row is and why the levels can be done one after the other.
Without a grey die one sweep over the levels is the solution; with it sweeps are repeated until
nothing changes any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from camelodds.editions import GREY_DIE, Edition, IntArray
from camelodds.kernels.index import all_stacks, numbering
from camelodds.kernels.races import FULL, close_level, grey_rows, racing_rows
from camelodds.kernels.stacks import RACERS

RowArray = npt.NDArray[np.floating[Any]]
"""Rows of a race table, in single or double precision."""

MOST_GAINED = 3 * RACERS
"""A racing die adds at most so much to the sum of the racing camels' spaces."""

MOST_SWEEPS = 100
"""Far more than are ever needed."""

TYPICAL = 10
"""About so many are needed."""

SOON = 0.05
"""After this share of a sweep its speed is known."""

SHARED = 256
"""A level with fewer positions is not worth more than one thread."""

PRIOR = (0.36, 0.26, 0.18, 0.12, 0.08)
"""Where the sweeps start: how likely the camel of a rank is to win; from the other end,
to be last. Nothing but the number of sweeps depends on it."""


class Progress(NamedTuple):
    """How far the sweeps are."""

    sweep: int
    """The present one, from 1."""
    share: float
    """How much of it is done."""
    change: float | None
    """Largest change of a probability in the sweep before."""
    seconds: float
    """Since the first sweep began."""
    to_go: float | None
    """About how many seconds are still to come; None where it cannot be told yet."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The race from every position between legs.

    Attributes
    ----------
    values : (n, 5 p + 1) float
        By the number of the position: for each of the p `places` the probability of every
        rank to come in there, and the expected number of leg scorings still to come.
    places : tuple of int
        The places, the winner's being 0.
    changes : tuple of float
        The largest change of a probability in each sweep; 0 where one sweep is the solution.
    legs_change : float
        The largest change of the number of legs in the last sweep.
    """

    values: RowArray
    places: tuple[int, ...]
    changes: tuple[float, ...]
    legs_change: float

    @property
    def change(self) -> float:
        """The largest change of a probability in the last sweep."""
        return self.changes[-1]


class Solver:
    """The rows of an edition, and the sweeps over them.

    Parameters
    ----------
    edition
        One that is played with dice.
    places
        The places for which there are probabilities, the winner's being 0.
    dtype
        Of the rows.
    threads
        How many work on a level at the same time. The result does not depend on it.
    """

    def __init__(
        self,
        edition: Edition,
        places: tuple[int, ...],
        dtype: npt.DTypeLike = np.float64,
        threads: int = 1,
    ) -> None:
        self.edition = edition
        self.places = places
        self.threads = threads
        self.grey = GREY_DIE in edition.dice
        self.numbers = numbering(len(edition.crazy), edition.spaces)
        stacks, sums = all_stacks(self.numbers)
        order = np.argsort(-sums, kind="stable")
        self.stacks: IntArray = stacks[order]
        self.positions: IntArray = np.empty_like(order)
        self.positions[order] = np.arange(len(order))
        top = RACERS * edition.spaces
        ends = np.searchsorted(-sums[order], -np.arange(top, RACERS - 1, -1), side="right")
        self.levels = list(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True))

        self.width = len(places) * RACERS + 1
        slots = np.zeros(FULL + 2, dtype=np.int64)
        going_on = [dice for dice in range(FULL + 1) if dice.bit_count() > edition.staying]
        slots[going_on] = np.arange(1, len(going_on) + 1)
        slots[-1] = len(going_on) + 1
        self.slots = slots
        n = len(self.stacks)
        self.rows = self._rows(n, int(slots[-1]), dtype)
        # Without a grey die the rows of the racing dice are all that there is.
        self.capacity, self.ring, self.full = n, self.rows, int(slots[FULL])
        if self.grey:
            self.capacity = max(
                end - self.levels[max(0, i - MOST_GAINED)][0]
                for i, (_, end) in enumerate(self.levels)
            )
            self.ring, self.full = self._rows(self.capacity, FULL + 1, dtype), FULL
        self.turn = len(self.ring) // (self.capacity + 1)

    def _rows(self, n: int, n_slots: int, dtype: npt.DTypeLike) -> RowArray:
        """Rows for `n` positions and for the finished race behind them, flat."""
        finished = np.zeros(self.width, dtype=dtype)
        finished[[column * RACERS + place for column, place in enumerate(self.places)]] = 1
        rows = np.zeros((n + 1, n_slots * self.width), dtype=dtype)
        rows[-1] = np.tile(finished, n_slots)
        return rows.reshape(-1)

    @property
    def values(self) -> RowArray:
        """(n, width): the rows between legs as they stand, by the number of the position."""
        between: RowArray = self.rows.reshape(len(self.stacks) + 1, -1)[:, : self.width]
        return between[self.positions]

    def start(self, values: RowArray | None = None) -> None:
        """Begin from `values`, or from a guess that depends on the ranks only."""
        between = self.rows.reshape(len(self.stacks) + 1, -1)[:-1, : self.width]
        if values is not None:
            between[self.positions] = values
        elif self.grey:
            for column, place in enumerate(self.places):
                prior = PRIOR if place < RACERS // 2 else PRIOR[::-1]
                between[:, column * RACERS : (column + 1) * RACERS] = prior
            between[:, -1] = 1
        if self.grey:
            # The grey die leads to any level, so the rows without it must be there.
            with ThreadPoolExecutor(self.threads) as pool:
                for begin, end in self.levels:
                    self._racing(pool, begin, end)

    def sweep(self, report: Callable[[float], None] | None = None) -> tuple[float, float]:
        """Do all levels once.

        Parameters
        ----------
        report
            Called now and then with the share that is done.

        Returns
        -------
        tuple of float
            The largest change of a probability, and of the number of leg scorings.
        """
        change = legs_change = 0.0
        stride = int(self.slots[-1]) * self.width
        with ThreadPoolExecutor(self.threads) as pool:
            for begin, end in self.levels:
                self._racing(pool, begin, end)
                if self.grey:
                    self._all(pool, grey_rows, begin, end, self.ring, self.capacity)
                changes = close_level(
                    begin,
                    end,
                    self.places,
                    self.ring,
                    self.turn,
                    self.capacity,
                    self.full * self.width,
                    self.rows,
                    stride,
                )
                change, legs_change = max(change, changes[0]), max(legs_change, changes[1])
                if report is not None:
                    report(end / len(self.stacks))
        return change, legs_change

    def _racing(self, pool: ThreadPoolExecutor, begin: int, end: int) -> None:
        self._all(pool, racing_rows, begin, end)

    def _all(
        self,
        pool: ThreadPoolExecutor,
        kernel: Callable[..., None],
        begin: int,
        end: int,
        *more: Any,
    ) -> None:
        """Run a kernel over the positions of a level, which do not depend on one another."""
        arguments = (
            self.stacks,
            self.positions,
            self.numbers,
            self.edition.rules,
            self.slots,
            self.places,
            self.rows,
            *more,
        )
        if self.threads == 1 or end - begin < SHARED:
            kernel(begin, end, *arguments)
            return
        cuts = np.linspace(begin, end, 4 * self.threads + 1).astype(int).tolist()
        parts = pairwise(cuts)
        for done in [pool.submit(kernel, low, high, *arguments) for low, high in parts]:
            done.result()


def solve(
    edition: Edition,
    places: tuple[int, ...],
    dtype: npt.DTypeLike = np.float64,
    *,
    tolerance: float = 1e-13,
    threads: int = 1,
    begin: Solution | None = None,
    report: Callable[[Progress], None] | None = None,
    keep: Callable[[Solution], None] | None = None,
) -> Solution:
    """Sweep until no probability changes by more than `tolerance`.

    Parameters
    ----------
    edition, places, dtype, threads
        See `Solver`.
    tolerance
        The solution is then that close, times the expected number of legs.
    begin
        What earlier sweeps came to, to go on from there.
    report
        Called now and then.
    keep
        Called with what there is after every sweep but the last.
    """
    solver = Solver(edition, places, dtype, threads)
    solver.start(None if begin is None else begin.values)
    clock = Clock(tolerance, report, [] if begin is None else [*begin.changes])
    while True:
        changes = solver.sweep(clock.tick)
        if not solver.grey:
            # Every level was done after all that it leads to.
            changes = 0.0, 0.0
        clock.changes.append(changes[0])
        found = Solution(solver.values, places, tuple(clock.changes), changes[1])
        if found.change <= tolerance or len(clock.changes) == MOST_SWEEPS:
            return found
        if keep is not None:
            keep(found)


class Clock:
    """Tells how far the sweeps are, and how long they will take."""

    def __init__(
        self,
        tolerance: float,
        report: Callable[[Progress], None] | None,
        changes: list[float],
    ) -> None:
        self.tolerance = tolerance
        self.report = report
        self.changes = changes
        self.before = len(changes)
        self.started = perf_counter()

    def tick(self, share: float) -> None:
        """Report that this `share` of a sweep is done."""
        if self.report is None:
            return
        seconds = perf_counter() - self.started
        done = len(self.changes) - self.before + share
        left = sweeps_left(self.changes, self.tolerance) - share
        change = self.changes[-1] if self.changes else None
        to_go = max(0.0, left) * seconds / done if done > SOON else None
        self.report(Progress(len(self.changes) + 1, share, change, seconds, to_go))


def sweeps_left(changes: Sequence[float], tolerance: float) -> int:
    """About how many sweeps are still to come.

    A sweep gains more than the one before it, since few courses of a race lead back often.

    Examples
    --------
    >>> sweeps_left([0.6, 0.4, 0.1], 1e-7)
    5
    """
    if len(changes) < 2:
        return TYPICAL - len(changes)
    change, ratio = changes[-1], min(0.5, changes[-1] / changes[-2])
    left = 0
    while change > tolerance and left < TYPICAL:
        ratio *= 0.6
        change *= ratio
        left += 1
    return max(1, left)
