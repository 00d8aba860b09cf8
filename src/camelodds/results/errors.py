"""How far a sampled number can be off, and how numbers are handed on.

Standard errors and confidence intervals; numbers by camel, and for JSON.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from camelodds.errors import OptionError, Problem

FloatArray = npt.NDArray[np.float64]


def share(counts: Any, n: int) -> FloatArray:
    """Counts as shares of `n`; NaN where nothing was drawn."""
    counts = np.asarray(counts, dtype=np.float64)
    shares: FloatArray = counts / n if n else np.full_like(counts, np.nan)
    return shares


def binomial_error(probability: Any, n: int) -> FloatArray:
    """Standard error of a share of `n` independent samples."""
    probability = np.asarray(probability, dtype=np.float64)
    return mean_error(probability, probability, n)


def mean_error(mean: Any, mean_square: Any, n: int) -> FloatArray:
    """Standard error of the mean of `n` independent samples, from its mean square."""
    variance = np.asarray(mean_square, dtype=np.float64) - np.asarray(mean, dtype=np.float64) ** 2
    if not n:
        return np.full_like(variance, np.nan)
    # Rounding can leave a tiny negative number where all samples were equal.
    error: FloatArray = np.sqrt(np.maximum(variance, 0) / n)
    return error


def quantile(confidence: float) -> float:
    """How many standard errors on either side have that confidence.

    Raises
    ------
    OptionError
        If `confidence` does not lie between 0 and 1.
    """
    if (
        isinstance(confidence, bool)
        or not isinstance(confidence, (int, float))
        or not 0 < confidence < 1
    ):
        tip = "between 0 and 1, such as 0.95"
        raise OptionError(Problem(f"confidence={confidence!r:.40}", "no confidence", tip=tip))
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2))


def wilson(
    probability: Any, error: Any, n: int, confidence: float = 0.95
) -> npt.NDArray[np.float64]:
    """Wilson's interval of sampled shares.

    Parameters
    ----------
    probability, error
        Shares and their standard errors, of any one shape.
    n
        Number of samples.  Where the standard error is smaller than that of `n` independent
        samples, so many independent samples are taken as would have it.
    confidence
        Between 0 and 1.

    Returns
    -------
    (..., 2) float64
        Lower and upper end; (0, 1) where nothing was drawn.

    Raises
    ------
    OptionError
        If `confidence` does not lie between 0 and 1.

    Examples
    --------
    >>> wilson(0.5, 0.05, 100).round(4).tolist()
    [0.4038, 0.5962]
    """
    z2 = quantile(confidence) ** 2
    p, error = np.asarray(probability, np.float64), np.asarray(error, np.float64)
    if not n:
        return np.stack([np.zeros_like(p), np.ones_like(p)], axis=-1)
    spread = p * (1 - p)
    certain = (error == 0) | (spread == 0)
    size = np.where(certain, n, spread / np.where(certain, 1, error) ** 2)
    middle = (p + z2 / (2 * size)) / (1 + z2 / size)
    half = np.sqrt(z2 * (spread / size + z2 / (4 * size**2))) / (1 + z2 / size)
    low = np.where(p == 0, 0, np.maximum(middle - half, 0))
    high = np.where(p == 1, 1, np.minimum(middle + half, 1))
    return np.stack([low, high], axis=-1)


def known(value: float | None) -> float | None:
    """A number for JSON, which has no NaN: None where it was sampled without samples."""
    return None if value is None or math.isnan(value) else value


def by_camel(camels: str, values: FloatArray) -> Mapping[str, float]:
    """A number for each camel."""
    return MappingProxyType(dict(zip(camels, values.tolist(), strict=True)))


def rows_by_camel(camels: str, table: FloatArray) -> dict[str, list[float | None]]:
    """The rows of a table for JSON."""
    rows = table.tolist()
    return {c: [known(value) for value in row] for c, row in zip(camels, rows, strict=True)}
