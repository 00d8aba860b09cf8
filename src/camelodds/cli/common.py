"""What the commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from cyclopts import Parameter
from numba.core import event

from camelodds.position import Position

Word = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""A word of a position, which may begin with a hyphen: ``-1:K`` is a finish in reverse."""

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
"""Whether to print JSON instead of a table."""


class _SayOnce(event.Listener):  # type: ignore[misc, unused-ignore]
    """Tells when numba compiles: once, since what it made is kept."""

    said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            self.said = True
            print("camelodds: compiling, once ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def announce_compilation() -> Iterator[None]:
    """Say so, once, if something has to be compiled inside."""
    with event.install_listener("numba:compile", _SayOnce()):
        yield


def read_position(words: tuple[str, ...], edition: str | None) -> Position:
    """A position from the words of a command line: notation, a JSON object, or - for stdin."""
    text = sys.stdin.read() if words == ("-",) else " ".join(words)
    if text.lstrip().startswith("{"):
        return Position.from_json(text, edition)
    return Position.parse(text, edition)


def show(result: Any, *, as_json: bool) -> None:
    """Print a result as text, or as one JSON object."""
    if as_json:
        print(json.dumps(result.to_dict()))
    else:
        from camelodds.display.terminal import show as show_table

        show_table(result)
