"""Enumeration against sampling: time and error of both, measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from camelodds.errors import Problem, refuse
from camelodds.odds.legs import check, leg_odds
from camelodds.odds.sampling import INLINE, Progress, draw_seed, read_plan, reporting
from camelodds.position import Position
from camelodds.results.comparison import Comparison, MethodRow
from camelodds.results.leg import LegOdds

SAMPLES = (10**3, 10**4, 10**5, 10**6, 10**7)
REPEATS = 7
"""The fastest of so many runs is the time of a method, since others only add to it ..."""
ENOUGH = 0.05
"""... and no more runs are made after so many seconds."""


def compare_methods(
    position: Position,
    samples: Sequence[int] = SAMPLES,
    *,
    seed: int | None = None,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Exact against sampled odds of a leg: time on one thread, error, by dice left.

    Parameters
    ----------
    position
        A position of a game with dice.  It is also asked about with fewer dice: its last
        ones, so that the grey die stays.
    samples
        How many samples to compare with.
    seed
        The same seed gives the same errors; the times are measured anew.
    progress
        See `leg_odds`.

    Returns
    -------
    Comparison
        A table, with a plot.

    Raises
    ------
    OptionError
        If an argument cannot be used.

    Examples
    --------
    >>> import camelodds as co
    >>> found = co.compare_methods(co.Position.parse("1:gyo 3:bw dice=ow"), (1000,), seed=1)
    >>> [(row.dice, row.method, row.n) for row in found.rows[1:]]
    [(1, 'exact', None), (1, 'sampled', 1000), (2, 'exact', None), (2, 'sampled', 1000)]
    """
    plan, faults = read_plan(seed=seed, progress=progress)
    faults = check(position, "exact", ("exact",)) + faults
    if isinstance(position, Position) and (position.race_over or not position.edition.dice):
        tip = "ask about a leg of dice"
        faults.append(Problem(str(position), "nothing is rolled", "F11", tip))
    numbers = []
    if isinstance(samples, (str, bytes)) or not isinstance(samples, Sequence):
        tip = "such as (1_000, 1_000_000)"
        faults.append(Problem(f"samples={samples!r:.40}", "no numbers of samples", tip=tip))
    else:
        for n in samples:
            one, wrong = read_plan(n=n)
            faults += [
                Problem(f"samples: {n!r:.40}", fault.what, fault.rule, fault.tip) for fault in wrong
            ]
            if one is not None and n is not None and one.n > 0:
                numbers.append(one.n)
            elif not wrong:
                tip = "at least one sample"
                faults.append(Problem(f"samples: {n!r:.40}", "nothing to compare", tip=tip))
    refuse(faults)
    assert plan is not None
    seed = draw_seed() if plan.seed is None else plan.seed
    dice = position.dice
    total = (len(dice) + 1) * sum(numbers)
    done = 0
    rows = []
    with reporting(plan) as report:
        for left in range(len(dice) + 1):
            rest = dice[len(dice) - left :]
            now = Position(position.edition, position.stacks, position.tiles, rest)
            exact, seconds = _fastest(lambda now=now: leg_odds(now))  # type: ignore[misc]
            rows.append(MethodRow(left, "exact", None, seconds, 0.0, 0.0))
            for n in numbers:

                def sample(now: Position = now, n: int = n) -> LegOdds:
                    return leg_odds(now, "sample", n=n, seed=seed, executor=INLINE, progress=False)

                if not now.leg_over:
                    sampled, seconds = _fastest(sample)
                    p = exact.places
                    largest = float(np.abs(sampled.places - p).max())
                    expected = float(np.sqrt(p * (1 - p) / n).max())
                    rows.append(MethodRow(left, "sampled", n, seconds, largest, expected))
                done += n
                report(done, total)
    return Comparison(position, tuple(rows), seed)


def _fastest(call: Callable[[], LegOdds]) -> tuple[LegOdds, float]:
    """What a call gives, and the seconds of the fastest of several."""
    call()  # compiled now, if it was not
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < ENOUGH:
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return result, min(times)
