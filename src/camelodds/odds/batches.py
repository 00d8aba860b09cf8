"""Odds of many positions at once: arrays in, arrays out, threads inside."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from camelodds.editions import Edition, IntArray, edition_named
from camelodds.errors import OptionError, PositionError, Problem, not_one_of, refuse
from camelodds.kernels.batches import (
    BAD_CAMELS,
    BAD_DICE,
    BAD_FINISH,
    BAD_SPACES,
    BAD_TILES,
    check_rows,
    exact_legs,
    races_over,
)
from camelodds.kernels.legs import N_COUNTS, RACE_ENDS
from camelodds.kernels.sampling import race_orders
from camelodds.kernels.stacks import RACERS, SHIFT
from camelodds.odds.legs import POOL, SLOTS, leg_odds
from camelodds.odds.races import EXACT, leg_and_race_batch, no_table, race_odds
from camelodds.odds.races import METHODS as RACE_METHODS
from camelodds.odds.sampling import INLINE, draw_seed, not_sampled, read_plan, row_seed
from camelodds.position import Position, stacks_of
from camelodds.results.batch import LegBatch, RaceBatch
from camelodds.results.race import RaceOdds
from camelodds.tables import RaceTable, race_table


class PackedBatch(NamedTuple):
    """Many positions of a game with dice as four arrays; made by `pack`, or by a bot itself.

    Attributes
    ----------
    stack : (n,) int64
        Every camel with its space.  A camel is a lane of nine bits, the last camel of the race
        in the lowest: three bits of camel, five of space + 2, one that is 0.  Lanes are
        sorted from the last space to the first and on a space from bottom to top.  Camels
        are numbered as in ``edition.racing`` from 0, and as in ``edition.crazy`` from 5.  The
        seventh lane, and in a game with five camels the sixth, is 255 where no camel is.
    plus, minus : (n,) int64
        The tiles of either sign: bit ``space + 2``.
    dice : (n,) int64
        What is in the pyramid: bit i for the i-th die of ``edition.dice``.

    Examples
    --------
    >>> import camelodds as co
    >>> packed = co.pack([co.Position.parse("3:ob 4:g 6:y 7:w 8+ dice=bw")])
    >>> stack = sum(
    ...     (camel | space + 2 << 3) << 9 * lane
    ...     for lane, (camel, space) in enumerate(
    ...         [(3, 3), (0, 3), (2, 4), (1, 6), (4, 7), (7, 29), (7, 29)]
    ...     )
    ... )
    >>> int(packed.stack[0]) == stack, int(packed.plus[0]) == 1 << 8 + 2, int(packed.dice[0])
    (True, True, 17)
    """

    stack: IntArray
    plus: IntArray
    minus: IntArray
    dice: IntArray


Batch = Sequence[Position] | PackedBatch


def pack(positions: Iterable[Position]) -> PackedBatch:
    """Positions of a game with dice as the arrays that `leg_odds_batch` takes.

    Raises
    ------
    OptionError
        If something is no position of a game with dice.
    """
    positions = list(positions)
    wrong = [
        Problem(f"row {i}", "not a position of a game with dice", tip="Position.parse(...)")
        for i, position in enumerate(positions)
        if not isinstance(position, Position) or not position.edition.dice
    ]
    refuse(wrong)
    return _columns([position.packed for position in positions])


def leg_odds_batch(
    positions: Batch,
    *,
    edition: Edition | str | None = None,
    threads: int | None = None,
) -> LegBatch:
    """Exact leg odds of many positions of one edition.

    A racing deck that takes more than the budget of states is refused in its row, with a
    problem; `leg_odds` samples such a position.

    Parameters
    ----------
    positions
        Positions, or four arrays as `PackedBatch` describes them.
    edition
        Their edition; needed for arrays.
    threads
        How many work at once; as many as there are processors if left out.

    Returns
    -------
    LegBatch
        A row for each position.  What is wrong with a row is in its ``problems``; the
        others are not harmed.

    Raises
    ------
    OptionError
        If an argument cannot be used as a whole: arrays of unequal lengths or without an
        edition, positions of several editions.

    Examples
    --------
    >>> import camelodds as co
    >>> rolls = [co.Position.parse("1:gyo 3:bw").after(f"w{face}") for face in (1, 2, 3)]
    >>> batch = co.leg_odds_batch(rolls)
    >>> batch.places.shape, batch.totals.tolist()
    ((3, 5, 5), [1944, 1944, 1944])
    """
    workers = _threads(threads)
    found = _read(positions, edition)
    edition, n = found.edition, len(found.rows.stack)
    weights = np.zeros((n, len(edition.outcomes)), dtype=np.int64)
    counts = np.zeros((n, N_COUNTS), dtype=np.int64)
    totals = np.zeros(n, dtype=np.int64)
    problems = dict(found.problems)
    good = np.setdiff1d(np.arange(n), np.array(list(problems), dtype=np.int64))
    if edition.dice:
        work = [
            (partial(_legs, edition, dice, found.rows, weights, counts, totals), rows)
            for dice, rows in _by_dice(found.rows, good, edition)
        ]
        _share_out(work, workers)
    else:
        # Decks differ from row to row, so nothing is gained by doing them together.
        def play(rows: IntArray) -> None:
            for row in rows.tolist():
                try:
                    leg = leg_odds(found.position(row), "exact")
                except OptionError as error:
                    problems[row] = error.problems
                    continue
                weights[row], totals[row] = leg.weights, leg.total
                counts[row, RACE_ENDS] = leg.race_end_weight
                for space, units in leg.landing_weights.items():
                    counts[row, SHIFT + space] = units

        _share_out([(play, good)], workers)
    return LegBatch(
        edition,
        weights,
        totals,
        counts[:, SHIFT : SHIFT + edition.spaces + 1],
        counts[:, RACE_ENDS],
        MappingProxyType(dict(sorted(problems.items()))),
    )


def race_odds_batch(
    positions: Batch,
    method: str = "auto",
    *,
    edition: Edition | str | None = None,
    folder: str | os.PathLike[str] | None = None,
    n: int | None = None,
    seed: int | None = None,
    until: float | None = None,
    threads: int | None = None,
) -> RaceBatch:
    """Race odds of many positions of one edition.

    Parameters
    ----------
    positions, edition, threads
        See `leg_odds_batch`.
    method, folder, n, until
        See `race_odds`.
    seed
        The seed of the batch, from which each row draws one; ``seeds`` of the result tells
        them.

    Returns
    -------
    RaceBatch
        A row for each position.

    Raises
    ------
    OptionError
        If an argument cannot be used as a whole, or there is no race table for a method that
        needs one.
    """
    workers = _threads(threads)
    given = {"n": n, "seed": seed, "until": until}
    plan, faults = read_plan(**given)
    faults += not_one_of("method", method, RACE_METHODS)
    if method in ("exact", "table"):
        faults += not_sampled(given, method)
    refuse(faults)
    found = _read(positions, edition)
    edition, size = found.edition, len(found.rows.stack)
    sampling = method in ("sample", "tail")
    table = None if sampling else race_table(edition, folder)
    if table is None and edition.dice and method in ("exact", "table"):
        raise OptionError(no_table(edition, method, None))
    odds = _RaceArrays(size, edition)
    problems = dict(found.problems)
    good = np.setdiff1d(np.arange(size), np.array(list(problems), dtype=np.int64))
    if table is not None:
        work = [
            (partial(odds.look_up, edition, dice, found.rows, table, method, problems), rows)
            for dice, rows in _by_dice(found.rows, good, edition)
        ]
        _share_out(work, workers)
    else:
        entropy = draw_seed() if plan is None or plan.seed is None else plan.seed

        def play(rows: IntArray) -> None:
            for row in rows.tolist():
                position = found.position(row)
                options: dict[str, Any] = {"n": n, "until": until}
                if method not in ("exact", "table"):
                    options |= {"seed": row_seed(entropy, row), "progress": False}
                    options["executor"] = INLINE
                try:
                    race = race_odds(position, method, folder=folder, **options)
                except OptionError as error:
                    problems[row] = error.problems
                    continue
                landings = leg_odds(position).landings if position.deck is None else {}
                odds.take(row, race, landings)

        _share_out([(play, good)], workers)
    return odds.batch(problems)


class _RaceArrays:
    """The arrays of a `RaceBatch` while they are filled, each row by one thread."""

    def __init__(self, size: int, edition: Edition) -> None:
        self.edition = edition
        self.places = np.full((size, RACERS, RACERS), np.nan)
        self.legs = np.full(size, np.nan)
        self.landings = np.full((size, edition.spaces + 1), np.nan)
        self.race_ends = np.full(size, np.nan)
        self.methods = np.full(size, "", dtype="U30")
        self.errors = np.full(size, np.nan)
        self.standard_errors = np.zeros((size, RACERS, RACERS))
        self.n = np.zeros(size, dtype=np.int64)
        self.seeds = np.full(size, -1, dtype=np.int64)

    def take(self, row: int, race: RaceOdds, landings: Mapping[int, float]) -> None:
        """Fill a row with odds of its own."""
        self.places[row] = race.places if race.places is not None else np.nan
        self.legs[row], self.race_ends[row] = race.legs, race.race_ends
        self.methods[row], self.errors[row] = race.method, race.error
        self.landings[row] = 0
        for space, units in landings.items():
            self.landings[row, space] = units
        if race.n is not None and race.seed is not None:
            self.standard_errors[row] = race.standard_errors["places"]
            self.n[row], self.seeds[row] = race.n, race.seed

    def look_up(
        self,
        edition: Edition,
        dice: str,
        packed: PackedBatch,
        table: RaceTable,
        method: str,
        problems: dict[int, tuple[Problem, ...]],
        rows: IntArray,
    ) -> None:
        """Fill rows that have the same dice from the race table."""
        orders = race_orders(packed.stack[rows], edition.rules)
        over = races_over(packed.stack[rows], edition.rules)
        for row, order in zip(rows[over].tolist(), orders[over].tolist(), strict=True):
            self.places[row] = edition.at_place[:, :, order]
            self.legs[row], self.race_ends[row], self.landings[row] = 0, 1, 0
            self.methods[row], self.errors[row] = "exact", 0
        rows = rows[~over]
        if not len(rows):
            return
        stack, plus, minus = packed.stack[rows], packed.plus[rows], packed.minus[rows]
        both = leg_and_race_batch(edition, dice, stack, plus, minus, table)
        decided = both.race_ends == both.total
        for column, place in enumerate(both.places):
            self.places[rows, :, place] = both.race[:, column]
        at_place = edition.at_place.reshape(RACERS**2, -1)
        ends = both.weights[decided] @ at_place.T / both.total
        self.places[rows[decided]] = ends.reshape(-1, RACERS, RACERS)
        self.legs[rows] = np.where(decided, 1, both.legs)
        self.landings[rows] = both.landings[:, SHIFT : SHIFT + edition.spaces + 1] / both.total
        self.race_ends[rows] = both.race_ends / both.total
        self.methods[rows] = np.where(decided, "exact", "table")
        self.errors[rows] = np.where(decided, 0, both.error)
        if method == "exact" and both.error > EXACT:
            for row in rows[~decided].tolist():
                problems[row] = (no_table(edition, method, table),)

    def batch(self, problems: dict[int, tuple[Problem, ...]]) -> RaceBatch:
        """The result."""
        wrong = list(problems)
        for numbers in (self.places, self.legs, self.landings, self.race_ends, self.errors):
            numbers[wrong] = np.nan
        self.methods[wrong] = ""
        sampled = self.seeds >= 0
        known = self.methods != ""
        complete = bool(np.isfinite(self.places[known]).all())
        return RaceBatch(
            self.edition,
            self.places[:, :, 0],
            self.places[:, :, -1],
            self.places if complete else None,
            self.legs,
            self.landings,
            self.race_ends,
            self.methods,
            self.errors,
            MappingProxyType(dict(sorted(problems.items()))),
            *((self.standard_errors, self.n, self.seeds) if sampled.any() else ()),
        )


class _Read(NamedTuple):
    """The positions of a batch as they were read.

    Attributes
    ----------
    edition
        Of all of them.
    rows
        Packed; a row with problems holds zeros.
    problems
        Per row, what is wrong with it.
    given
        The positions themselves, if they came so; decks are not packed.
    """

    edition: Edition
    rows: PackedBatch
    problems: dict[int, tuple[Problem, ...]]
    given: Sequence[Any] | None

    def position(self, row: int) -> Position:
        """The position of a row without problems."""
        if self.given is not None:
            position: Position = self.given[row]
            return position
        return _unpack(self.edition, *(int(column[row]) for column in self.rows))


def _read(batch: Batch, edition: Edition | str | None) -> _Read:
    known = None if edition is None else edition_named(edition)
    if isinstance(batch, tuple) and len(batch) == 4 and not isinstance(batch[0], Position):
        return _read_arrays(batch, known)
    given = list(batch)
    problems: dict[int, tuple[Problem, ...]] = {}
    common = known or next((p.edition for p in given if isinstance(p, Position)), None)
    if common is None:
        if given:
            raise OptionError(_no_position(given[0]))
        raise OptionError(_one_edition([]))
    packed: list[tuple[int, ...]] = [(0, 0, 0, 0)] * len(given)
    others = []
    for i, position in enumerate(given):
        if not isinstance(position, Position):
            problems[i] = (_no_position(position),)
        elif position.edition is not common and position.edition != common:
            what = f"a position of the {position.edition.name} edition"
            problems[i] = (Problem(str(position), what, tip=f"not of the {common.name} one"),)
            others.append(position.edition.name)
        else:
            packed[i] = position.packed
    if others and known is None:
        raise OptionError(_one_edition([common.name, *others]))
    return _Read(common, _columns(packed), problems, given)


def _no_position(given: object) -> Problem:
    return Problem(f"{given!r:.60}", "not a Position", tip="make one with Position.parse(...)")


def _one_edition(names: Sequence[str]) -> Problem:
    """Why positions of these editions are no batch."""
    if not names:
        return Problem("edition", "not known without a position", tip="name it: edition=co.FIRST")
    some = ", ".join(sorted(set(names)))
    return Problem(some, "several editions", tip="a batch for each of them, or name one")


def _columns(rows: list[tuple[int, ...]]) -> PackedBatch:
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return PackedBatch(*np.ascontiguousarray(table.T))


def _read_arrays(batch: Sequence[Any], edition: Edition | None) -> _Read:
    faults = []
    if edition is None:
        faults.append(Problem("edition", "arrays do not tell it", tip="edition=co.FIRST"))
    elif not edition.dice:
        faults.append(Problem(edition.name, "decks are not packed", tip="give positions"))
    columns = []
    for name, column in zip(PackedBatch._fields, batch, strict=True):
        array = np.asarray(column)
        if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
            what = f"{array.dtype} of shape {array.shape}"
            faults.append(Problem(name, what, tip="whole numbers, one for each position"))
        elif array.dtype == np.uint64 and (array > np.iinfo(np.int64).max).any():
            faults.append(Problem(name, "beyond 63 bits", tip="int64"))
        columns.append(array)
    if not faults and len({len(column) for column in columns}) > 1:
        lengths = ", ".join(str(len(column)) for column in columns)
        faults.append(Problem("stack, plus, minus, dice", f"unequal lengths {lengths}"))
    refuse(faults)
    assert edition is not None
    rows = PackedBatch(*(np.ascontiguousarray(column, dtype=np.int64) for column in columns))
    codes = check_rows(*rows, len(edition.dice), edition.rules)
    problems = {
        row: _row_problems(edition, int(codes[row]), [int(column[row]) for column in rows])
        for row in np.flatnonzero(codes).tolist()
    }
    return _Read(edition, rows, problems, None)


def _row_problems(edition: Edition, code: int, row: list[int]) -> tuple[Problem, ...]:
    """What is wrong with a packed position, in the words of `Position` if they can be had."""
    if not code & (BAD_CAMELS | BAD_DICE):
        try:
            _unpack(edition, *row)
        except PositionError as error:
            return error.problems
    words = {
        BAD_CAMELS: ("stack", "not every camel in one lane of nine bits"),
        BAD_SPACES: ("stack", "spaces off the track, or lanes not sorted by space"),
        BAD_FINISH: ("stack", "more than one unit beyond a line, or led by the wrong camel"),
        BAD_TILES: ("plus, minus", "tiles where none may lie"),
        BAD_DICE: ("dice", "not a set of the dice of this edition"),
    }
    return tuple(
        Problem(f"{where}={dict(zip(PackedBatch._fields, row, strict=True)).get(where, '')}", what)
        for bit, (where, what) in words.items()
        if code & bit
    )


def _unpack(edition: Edition, stack: int, plus: int, minus: int, dice: int) -> Position:
    tiles = {
        bit - SHIFT: sign
        for sign, bits in ((1, plus), (-1, minus))
        for bit in range(64)
        if bits >> bit & 1
    }
    return Position(edition, stacks_of(edition, stack), tiles, edition.dice_of_bits(dice))


def _threads(threads: object) -> int:
    if threads is None:
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        tip = "a whole number from 1 on"
        raise OptionError(Problem(f"threads={threads!r:.40}", "no number of threads", tip=tip))
    return threads


def _by_dice(
    packed: PackedBatch, rows: IntArray, edition: Edition
) -> Iterator[tuple[str, IntArray]]:
    """The rows by what is in the pyramid."""
    dice = packed.dice[rows]
    for bits in np.unique(dice).tolist():
        yield edition.dice_of_bits(bits), rows[dice == bits]


SLICE = 512
"""Most rows that a thread takes at once."""


def _share_out(work: Sequence[tuple[Callable[[IntArray], None], IntArray]], workers: int) -> None:
    """Call each function with all of its rows, some at a time, by so many threads."""
    tasks: list[Callable[[], None]] = []
    for function, rows in work:
        # Small enough that all threads have something to do until the end.
        size = SLICE if workers == 1 else max(1, min(SLICE, -(-len(rows) // (4 * workers))))
        for start in range(0, len(rows), size):
            tasks.append(partial(function, rows[start : start + size]))
    if workers == 1 or len(tasks) <= 1:
        for task in tasks:
            task()
        return
    with ThreadPoolExecutor(workers, thread_name_prefix="camelodds") as pool:
        futures = [pool.submit(task) for task in tasks]
        try:
            for future in futures:
                future.result()
        finally:
            for future in futures:
                future.cancel()


def _legs(
    edition: Edition,
    dice: str,
    packed: PackedBatch,
    weights: IntArray,
    counts: IntArray,
    totals: IntArray,
    rows: IntArray,
) -> None:
    """Fill the rows, all with the same dice, with exact legs."""
    graph = edition.bag(dice)
    total = graph.total if len(dice) > edition.staying else 0
    pool, slots, done = POOL, SLOTS, 0
    while True:
        done += exact_legs(
            rows[done:],
            packed.stack,
            packed.plus,
            packed.minus,
            edition.rules,
            graph.nodes,
            graph.inner,
            graph.last,
            edition.outcome_of_order,
            pool,
            slots,
            total,
            weights,
            counts,
            totals,
        )
        if done == len(rows):
            return
        pool, slots = 2 * pool, 2 * slots
