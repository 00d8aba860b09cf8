"""A bar for long runs, in a terminal (at the error output) or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def bar(not_before: float = 0.0) -> Iterator[Callable[[int, int], None]]:
    """Show a bar while inside; call what this gives with samples done and samples in all.

    Parameters
    ----------
    not_before
        Time of `time.monotonic` from which on it is shown, so that short runs stay silent.
    """
    shown: Any = None

    def update(done: int, total: int) -> None:
        nonlocal shown
        if shown is None:
            if time.monotonic() < not_before:
                return
            shown = _NotebookBar() if "ipykernel" in sys.modules else _TerminalBar()
        shown.update(done, total)

    try:
        yield update
    finally:
        if shown is not None:
            shown.close()


class _TerminalBar:
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        self.progress = Progress(
            TextColumn("sampling"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.completed:,} samples"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.progress.add_task("sampling", total=None)
        self.progress.start()

    def update(self, done: int, total: int) -> None:
        self.progress.update(self.task, completed=done, total=total)

    def close(self) -> None:
        self.progress.stop()


class _NotebookBar:
    def __init__(self) -> None:
        import IPython.display

        notebook: Any = IPython.display
        self.html = notebook.HTML
        self.handle = notebook.display(self.html(""), display_id=True)
        self.next = 0.0

    def update(self, done: int, total: int) -> None:
        # A few times a second is enough, and what a notebook can show.
        if done < total and time.monotonic() < self.next:
            return
        self.next = time.monotonic() + 0.2
        text = f"{done:,} samples of about {total:,}"
        self.show(f'<progress value="{done}" max="{max(total, 1)}"></progress> {text}')

    def show(self, html: str) -> None:
        if self.handle is not None:
            self.handle.update(self.html(html))

    def close(self) -> None:
        self.show("")
