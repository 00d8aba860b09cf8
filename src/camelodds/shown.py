"""How all results show themselves: each says which table it is, in `camelodds.display`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from camelodds.display.table import Table


class Shown(ABC):
    """A result that is a table: as text, as HTML in a notebook, by rich in a terminal.

    A format spec chooses columns: ``f"{leg:first,ticket5}"``.
    """

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
        from camelodds.display.terminal import rendered

        return rendered(self._table().standard())
