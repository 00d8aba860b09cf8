"""How all results show themselves: each says which table it is, in `camelodds.display`."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

    from camelodds.display.table import Table


class Picklable:
    """A frozen dataclass with read-only mappings, which alone could not be pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        # What is cached need not be pickled.
        names = (f.name for f in fields(self))  # type: ignore[arg-type]
        return _again, (type(self), {name: _plain(getattr(self, name)) for name in names})


class Shown(Picklable, ABC):
    """A frozen dataclass that is a table: as text, as HTML in a notebook, by rich in a terminal.

    A format spec chooses columns: ``f"{leg:first,ticket5}"``.
    """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary that JSON can hold."""

    def to_json(self) -> str:
        """The dictionary of `to_dict` as JSON text."""
        return json.dumps(self.to_dict())

    @abstractmethod
    def _table(self) -> Table:
        """What to show; it imports `camelodds.display`, which nothing else does."""

    def __str__(self) -> str:
        from camelodds.display.text import plain

        return plain(self._table().standard())

    def __format__(self, spec: str) -> str:
        """The columns that `spec` names, with commas between them; all of it without a spec.

        Raises
        ------
        OptionError
            If there is no such column.
        """
        from camelodds.display.text import lines

        return "\n".join(lines(self._table().chosen(spec))) if spec else str(self)

    def _repr_html_(self) -> str:
        from camelodds.display.html import page

        return page(self._table().standard())

    def __rich__(self) -> Any:
        from camelodds.display.terminal import Rendered

        return Rendered(self._table().standard())

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame, not rounded, with a row for each of its rows.

        The columns have the names that a format spec knows; beside a sampled column
        ``first`` stand its standard errors as ``first_error``.

        Raises
        ------
        MissingExtraError
            If pandas is not installed: ``pip install "camelodds[frames]"``.
        """
        from camelodds.display.frames import pandas_frame, table_columns

        return pandas_frame(table_columns(self._table()))

    def to_polars(self) -> polars.DataFrame:
        """The same as `to_pandas`, as a polars data frame.

        Raises
        ------
        MissingExtraError
            If polars is not installed: ``pip install "camelodds[frames]"``.
        """
        from camelodds.display.frames import polars_frame, table_columns

        return polars_frame(table_columns(self._table()))


def _plain(value: Any) -> Any:
    """A value with dictionaries where it has read-only mappings."""
    if isinstance(value, (dict, MappingProxyType)):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_plain, value))
    return value


def _read_only(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _read_only(inner) for key, inner in value.items()})
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_read_only, value))
    return value


def _again(cls: type, values: dict[str, Any]) -> Any:
    return cls(**{name: _read_only(value) for name, value in values.items()})
