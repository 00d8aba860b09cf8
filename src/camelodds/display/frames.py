"""Results as data frames: the columns of their tables, not rounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from camelodds.display.extras import needed

if TYPE_CHECKING:
    import pandas
    import polars

    from camelodds.display.table import Table

PANDAS = {float: "float64", int: "Int64", str: "str"}
POLARS = {float: "Float64", int: "Int64", str: "String"}
"""Types of the columns by what their values are."""


Columns = Iterable[tuple[str, type, Sequence[str | float | int | None] | np.ndarray[Any, Any]]]
"""Name, what the values are, values."""


def pandas_frame(columns: Columns) -> pandas.DataFrame:
    """A pandas data frame of these columns.

    Raises
    ------
    MissingExtraError
        If pandas is not installed.
    """
    module = needed("pandas", "frames")
    return module.DataFrame(
        {name: module.Series(values, dtype=PANDAS[kind]) for name, kind, values in columns}
    )


def polars_frame(columns: Columns) -> polars.DataFrame:
    """A polars data frame of these columns.

    Raises
    ------
    MissingExtraError
        If polars is not installed.
    """
    module = needed("polars", "frames")
    series = [
        module.Series(name, values, getattr(module, POLARS[kind])) for name, kind, values in columns
    ]
    return module.DataFrame(series)  # type: ignore[no-any-return]


def table_columns(table: Table) -> Columns:
    """All columns of a table; beside a sampled one its standard errors."""
    for column in table.columns:
        yield column.name, column.kind, column.values
        if column.errors is not None:
            yield f"{column.name}_error", float, column.errors


def batch_columns(camels: str, numbers: Mapping[str, np.ndarray[Any, Any] | None]) -> Columns:
    """A row for each position and camel.

    Parameters
    ----------
    numbers
        By name: (n, 5) numbers of the camels of each position, or (n,) of each position; None
        for what is not known.
    """
    known = {name: values for name, values in numbers.items() if values is not None}
    n = len(next(iter(known.values())))
    yield "row", int, np.repeat(np.arange(n), len(camels))
    yield "camel", str, list(camels) * n
    for name, values in known.items():
        wide = values if values.ndim == 2 else np.repeat(values[:, None], len(camels), axis=1)
        yield name, float, np.ascontiguousarray(wide, dtype=np.float64).ravel()
