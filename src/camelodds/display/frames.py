"""Results as data frames: the columns of their tables, not rounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from camelodds.display.extras import needed

if TYPE_CHECKING:
    import pandas
    import polars

    from camelodds.display.table import Table

PANDAS = {float: "float64", int: "Int64", str: "str"}
POLARS = {float: "Float64", int: "Int64", str: "String"}
"""Types of the columns by what their values are."""


def to_pandas(table: Table) -> pandas.DataFrame:
    """All columns of a table; beside a sampled one its standard errors."""
    module = needed("pandas", "frames")
    return module.DataFrame(
        {name: module.Series(list(v), dtype=PANDAS[kind]) for name, kind, v in _columns(table)}
    )


def to_polars(table: Table) -> polars.DataFrame:
    """All columns of a table; beside a sampled one its standard errors."""
    module = needed("polars", "frames")
    return module.DataFrame(  # type: ignore[no-any-return]
        [module.Series(n, list(v), getattr(module, POLARS[kind])) for n, kind, v in _columns(table)]
    )


def _columns(table: Table) -> Iterator[tuple[str, type, Sequence[str | float | int | None]]]:
    for column in table.columns:
        yield column.name, column.kind, column.values
        if column.errors is not None:
            yield f"{column.name}_error", float, column.errors
