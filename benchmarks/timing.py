"""Timing that a comparison can be built on: everything in turn, within one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any


def in_turn(
    functions: dict[str, Callable[[Any], Any]], arguments: Sequence[Any], repeats: int = 9
) -> dict[str, list[float]]:
    """Median seconds of each function for each argument, measured in turn."""
    samples: dict[str, list[list[float]]] = {name: [[] for _ in arguments] for name in functions}
    for _ in range(repeats):
        for i, argument in enumerate(arguments):
            for name, function in functions.items():
                start = time.perf_counter()
                function(argument)
                samples[name][i].append(time.perf_counter() - start)
    return {
        name: [statistics.median(times) for times in by_argument]
        for name, by_argument in samples.items()
    }


def summary(times: dict[str, list[float]]) -> dict[str, float]:
    """Median and slowest argument of each function, in milliseconds."""
    found = {}
    for name, values in times.items():
        found[f"{name} median ms"] = round(1e3 * statistics.median(values), 4)
        found[f"{name} slowest ms"] = round(1e3 * max(values), 4)
    return found
