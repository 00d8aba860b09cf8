"""Where compiled kernels are kept.

Numba keeps them beside the sources or in the user's cache folder, and refuses to import a kernel
where neither can be written.  That should only cost the compilation: then a temporary folder
serves this process.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile

from numba import config, njit

ROOM = 20_000_000
"""Bytes that all compiled kernels need, and some to spare."""


def _probe() -> None:
    """A function to ask numba where it would keep it."""


def find_room() -> None:
    """Have compiled kernels kept in a temporary folder if the usual one cannot hold them."""
    try:
        folder = njit(cache=True)(_probe)._cache.cache_path  # type: ignore[attr-defined]
        if shutil.disk_usage(folder).free > ROOM:
            return
    except (RuntimeError, OSError, AttributeError):
        if config.DISABLE_JIT:  # type: ignore[attr-defined]
            return
    folder = tempfile.mkdtemp(prefix="camelodds-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    config.CACHE_DIR = folder  # type: ignore[attr-defined]


find_room()
