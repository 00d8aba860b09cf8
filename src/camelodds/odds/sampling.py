"""Running a sampling kernel: chunks, seeds, workers, progress, and when to stop.

A run is cut into chunks of a fixed size.  Every chunk has a random stream of its own, made from
the seed and the number of the chunk, and the counts of chunks are added in their order: so the
numbers depend on the seed only, never on who computed what and when.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from camelodds.editions import IntArray
from camelodds.errors import Problem
from camelodds.kernels.rng import Words

MOST = 10**13
"""Most samples of one run: more would take days, and squares of counts come near 63 bits."""

FINEST = 1e-6
"""Smallest standard error that can be asked for; half of 1 / sqrt(`MOST`) is just below."""

DEFAULT_N = 1_000_000
CHUNK = 1 << 17
"""Samples of a chunk: a few milliseconds, long against what a chunk costs beside them."""

Chunk = Callable[[Words, int], IntArray]
"""What a kernel must be to be run: from random words (4, streams) and a number of samples to an
int64 array of counts, which are added over the chunks.  For workers in other processes it must
be picklable: a function of a module, or a `functools.partial` of one."""

Progress = Callable[[int, int], object]
"""Called with the samples done and those needed in all, as far as is known."""


class Sample(NamedTuple):
    """What a run gives.

    Attributes
    ----------
    counts : int64 array
        The sum of what the chunks gave.
    n : int
        Samples drawn.
    seed : int
        The seed, the one that was drawn if none was given.
    """

    counts: IntArray
    n: int
    seed: int


@dataclass(frozen=True)
class Plan:
    """How to sample, checked; made by `read_plan`.

    Attributes
    ----------
    n
        Number of samples, the most if `until` is given.
    seed
        Non-negative; None to have one drawn.
    until
        Standard error at which to stop, or None.
    executor
        Takes the chunks; None for threads of this process.
    progress
        A callback, True for a bar, False for none, None for a bar where somebody watches.
    """

    n: int
    seed: int | None = None
    until: float | None = None
    executor: Executor | None = None
    progress: Progress | bool | None = None


def read_plan(
    n: object = None,
    seed: object = None,
    until: object = None,
    executor: object = None,
    progress: object = None,
) -> tuple[Plan | None, list[Problem]]:
    """Check the arguments of a sampling run; None and the faults if there are any."""
    faults: list[Problem] = []
    samples = _whole("n", n, faults, "1_000_000 for a standard error of 0.0005")
    if samples is not None and samples > MOST:
        faults.append(Problem(f"n={samples}", "too many samples", tip=f"at most {MOST:.0e}"))
    entropy = _whole("seed", seed, faults, "or leave it out to have one drawn")
    wanted = None
    if until is not None:
        try:
            wanted = None if isinstance(until, (bool, str)) else float(until)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            wanted = None
        if wanted is None or not FINEST <= wanted < 1:
            tip = f"from {FINEST} to below 1, such as 0.0005"
            faults.append(Problem(f"until={until!r:.40}", "no standard error to reach", tip=tip))
        if n is not None:
            tip = "give one of them"
            faults.append(Problem("n and until", "exclude one another", tip=tip))
    if executor is not None and not isinstance(executor, Executor):
        tip = "any concurrent.futures.Executor, for example ThreadPoolExecutor(4)"
        faults.append(Problem(f"executor={executor!r:.40}", "not an executor", tip=tip))
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        tip = "True for a bar, or a function of two numbers: samples done, samples in all"
        faults.append(Problem(f"progress={progress!r:.40}", "cannot be called", tip=tip))
    if faults:
        return None, faults
    if samples is None:
        samples = DEFAULT_N if wanted is None else MOST
    return Plan(samples, entropy, wanted, executor, progress), []  # type: ignore[arg-type]


def _whole(name: str, value: object, faults: list[Problem], tip: str) -> int | None:
    """A whole number from 0 on; None, with a fault noted, for anything else but None."""
    if value is None:
        return None
    whole = None
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)  # 1e7 is what people write
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        whole = int(value)
    if whole is None:
        faults.append(Problem(f"{name}={value!r:.40}", "not a whole number", tip=tip))
    elif whole < 0:
        faults.append(Problem(f"{name}={value!r:.40}", "less than 0", tip=tip))
        whole = None
    return whole


def draw_seed() -> int:
    """A new seed, which a person can copy."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 11


class _Inline(Executor):
    """Takes the chunks in the thread that asks."""


INLINE = _Inline()


def row_seed(seed: int, row: int) -> int:
    """The seed of one row of a batch."""
    return int(np.random.SeedSequence(seed, spawn_key=(row,)).generate_state(1, np.uint64)[0]) >> 11


def words_of(seed: int, chunk: int, streams: int) -> Words:
    """The random words (4, `streams`) of one chunk."""
    sequence = np.random.SeedSequence(seed, spawn_key=(chunk,))
    words: Words = sequence.generate_state(4 * streams, np.uint64).reshape(4, streams)  # type: ignore[assignment]
    return words


def run_chunks(
    chunk_of: Chunk,
    plan: Plan,
    *,
    size: int,
    streams: int = 1,
    chunk: int = CHUNK,
    error: Callable[[IntArray, int], float] | None = None,
) -> Sample:
    """Draw samples chunk by chunk, many at a time.

    Parameters
    ----------
    chunk_of
        The kernel, see `Chunk`.
    plan
        How many samples, from which seed, by whom.
    size
        How many counts it gives.
    streams
        Random streams of a chunk.
    chunk
        Samples of a chunk; changing it changes the numbers of a seed.
    error
        The standard error of counts of so many samples, for a plan with `until`.

    Returns
    -------
    Sample
        The same for the same seed, whoever takes the chunks.
    """
    seed = draw_seed() if plan.seed is None else plan.seed
    counts = np.zeros(size, dtype=np.int64)
    done = 0
    with reporting(plan) as report, _workers(plan, chunk) as (executor, window, group):
        for drawn, tally in _in_order(
            chunk_of, plan, seed, streams, chunk, executor, window, group
        ):
            counts = counts + tally
            done += drawn
            total = plan.n
            if plan.until is not None and error is not None:
                reached = error(counts, done)
                if reached <= plan.until:
                    report(done, done)
                    break
                total = max(done + 1, min(plan.n, int(done * (reached / plan.until) ** 2)))
            report(done, total)
    return Sample(counts, done, seed)


def play_chunks(
    chunk_of: Chunk, seed: int, first: int, sizes: Sequence[int], streams: int
) -> list[IntArray]:
    """The counts of the chunks from number `first` on: what a worker is asked for."""
    return [chunk_of(words_of(seed, first + i, streams), size) for i, size in enumerate(sizes)]


def _in_order(
    chunk_of: Chunk,
    plan: Plan,
    seed: int,
    streams: int,
    chunk: int,
    executor: Executor | None,
    window: int,
    group: int,
) -> Iterator[tuple[int, IntArray]]:
    """Size and counts of the chunks, in order, at most `window` groups of them under way."""
    n_chunks = -(-plan.n // chunk)
    starts = iter(range(0, n_chunks, group))

    def sizes_from(first: int) -> list[int]:
        return [min(chunk, plan.n - i * chunk) for i in range(first, min(first + group, n_chunks))]

    if executor is None:
        for first in starts:
            sizes = sizes_from(first)
            yield from zip(sizes, play_chunks(chunk_of, seed, first, sizes, streams), strict=True)
        return
    waiting: deque[tuple[list[int], Future[list[IntArray]]]] = deque()
    try:
        while True:
            for first in islice(starts, window - len(waiting)):
                sizes = sizes_from(first)
                work = executor.submit(play_chunks, chunk_of, seed, first, sizes, streams)
                waiting.append((sizes, work))
            if not waiting:
                return
            sizes, work = waiting.popleft()
            yield from zip(sizes, work.result(), strict=True)
    finally:
        # Reached early when enough is known, or after an interrupt or an error.
        for _, work in waiting:
            work.cancel()


@contextmanager
def _workers(plan: Plan, chunk: int) -> Iterator[tuple[Executor | None, int, int]]:
    """Who takes the chunks: an executor, groups under way at once, chunks of a group."""
    if isinstance(plan.executor, _Inline):
        yield None, 1, 1
        return
    if plan.executor is not None:
        workers = getattr(plan.executor, "_max_workers", None) or 64
        yield plan.executor, 2 * workers, 4
        return
    threads = min(os.cpu_count() or 1, -(-plan.n // chunk))
    if threads <= 1:
        yield None, 1, 1
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="camelodds") as pool:
        yield pool, 2 * threads, 1


@contextmanager
def reporting(plan: Plan) -> Iterator[Progress]:
    """The callback of a plan, or a bar."""
    if callable(plan.progress):
        yield plan.progress
        return
    if plan.progress is False or (plan.progress is None and not _watched()):
        yield lambda done, total: None
        return
    from camelodds.display.progress import bar

    delay = 0.0 if plan.progress else 1.0
    with bar(time.monotonic() + delay) as update:
        yield update


def _watched() -> bool:
    """Whether somebody looks on: a notebook, or a terminal at the error output."""
    if "ipykernel" in sys.modules:
        return True
    return bool(sys.stderr is not None and sys.stderr.isatty())


def not_sampled(given: dict[str, Any], method: str) -> list[Problem]:
    """Faults of arguments that are given though nothing is sampled."""
    return [
        Problem(f"{name}=", f'has no meaning with method="{method}"', tip='use method="sample"')
        for name, value in given.items()
        if value is not None
    ]
