"""Race tables: built when first needed, kept in the user's cache folder, checked when read.

A table is one file: a line of JSON that says what it is, and the numbers behind it.  A checksum
covers both.  A file that is damaged, cut off or of another format is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from camelodds.editions import EDITIONS, GREY_DIE, Edition, IntArray
from camelodds.errors import OptionError, Problem
from camelodds.kernels.index import N_STATES, numbering
from camelodds.kernels.stacks import RACERS
from camelodds.solving import Solution, solve

VARIABLE = "CAMELODDS_CACHE"
"""The environment variable that names another folder for the tables."""

FORMAT = 1
"""Files of another format are built anew."""

MAGIC = "camelodds race table"
ALIGNMENT = 4096
"""The numbers begin at a multiple of this."""

AUTOMATIC = 100_000
"""A table of so many positions takes a second or two and is built when first needed."""

ROUNDING = 1e-12
"""Bound of the error of a table in double precision: some hundred roundings of 1e-16 a leg."""


@dataclass(frozen=True, eq=False)
class RaceTable:
    """Race odds of every position between legs; racing camels are known by their rank.

    Attributes
    ----------
    edition : Edition
        Whose race it is.
    values : (n, k) number
        By the number of a position, see `camelodds.kernels.index`: for each of `places` the
        ranks, leader first, then the number of leg scorings still to come.
    places : tuple of int
        Of which places there are probabilities, the winner's being 0.
    unit, legs_unit : float
        What makes 1 of a probability, and of a number of leg scorings.
    error, legs_error : float
        Bounds of their errors.
    """

    edition: Edition
    values: npt.NDArray[Any]
    places: tuple[int, ...]
    unit: float
    legs_unit: float
    error: float
    legs_error: float

    def __post_init__(self) -> None:
        self.values.flags.writeable = False

    @cached_property
    def numbers(self) -> IntArray:
        """The numbering of its positions, for the kernels."""
        return numbering(len(self.edition.crazy), self.edition.spaces)

    @cached_property
    def place_columns(self) -> IntArray:
        """`places`, for the kernels."""
        return np.array(self.places, dtype=np.int64)


def tabulated(edition: Edition) -> bool:
    """Whether there is a race table of such an edition: one that is played with dice."""
    grey = GREY_DIE in edition.dice
    return (
        len(edition.racing) == RACERS
        and bool(edition.dice)
        and (edition.staying == 1 if grey else not edition.crazy)
    )


def n_positions(edition: Edition) -> int:
    """How many positions between legs there are."""
    return int(numbering(len(edition.crazy), edition.spaces)[N_STATES])


def cache_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """The folder of the tables: `folder`, or what ``CAMELODDS_CACHE`` names, or the user's."""
    if folder is None:
        folder = os.environ.get(VARIABLE) or None
    if folder is None:
        import platformdirs

        folder = platformdirs.user_cache_dir("camelodds", appauthor=False)
    return Path(folder).expanduser()


def table_path(edition: Edition, folder: str | os.PathLike[str] | None = None) -> Path:
    """Where the table of an edition is kept."""
    return cache_folder(folder) / f"race-{edition.name}-{edition.spaces}.table"


_loaded: dict[tuple[Path, str], RaceTable] = {}


def race_table(edition: Edition, folder: str | os.PathLike[str] | None = None) -> RaceTable | None:
    """The table of an edition: from memory, from the cache folder, or, if it is small, built.

    Parameters
    ----------
    edition
        The edition.
    folder
        Another folder than `cache_folder` gives.

    Returns
    -------
    RaceTable or None
        None if there is none and it takes minutes to build, see `build_table`.

    Examples
    --------
    >>> from camelodds import FIRST
    >>> race_table(FIRST).values.shape
    (15504, 26)
    """
    if not tabulated(edition):
        return None
    path = table_path(edition, folder)
    key = path, json.dumps(_described(edition))
    if key not in _loaded:
        table = load_table(edition, path)
        if table is None:
            if n_positions(edition) > AUTOMATIC:
                return None
            table = _built(edition)
            with contextlib.suppress(OSError):
                # A folder that cannot be written costs nothing but the next building.
                store_table(table, path)
        _loaded[key] = table
    return _loaded[key]


def build_table(edition: Edition, folder: str | os.PathLike[str] | None = None) -> RaceTable:
    """Build the table of an edition anew and keep it in the cache folder.

    Raises
    ------
    OptionError
        If the edition has none, or the folder cannot be written.
    """
    if not tabulated(edition):
        tip = f"there are tables of {', '.join(e.name for e in EDITIONS.values() if tabulated(e))}"
        raise OptionError(Problem(edition.name, "no race table of this edition", tip=tip))
    path = table_path(edition, folder)
    table = _built(edition)
    try:
        store_table(table, path)
    except OSError as error:
        tip = f"name another folder, or set {VARIABLE}"
        raise OptionError(Problem(str(path), f"cannot be written: {error}", tip=tip)) from None
    _loaded[path, json.dumps(_described(edition))] = table
    return table


def _built(edition: Edition) -> RaceTable:
    solution = solve(edition, tuple(range(RACERS)))
    return _exact(edition, solution)


def _exact(edition: Edition, solution: Solution) -> RaceTable:
    """The table in double precision."""
    most_legs = float(solution.values[:, -1].max())
    return RaceTable(
        edition,
        np.ascontiguousarray(solution.values, dtype=np.float64),
        solution.places,
        1.0,
        1.0,
        max(ROUNDING, most_legs * solution.change),
        max(ROUNDING * most_legs, most_legs * solution.legs_change),
    )


def _described(edition: Edition) -> dict[str, Any]:
    """What must be the same for a table to be that of `edition`."""
    return {
        "crazy": len(edition.crazy),
        "dice": len(edition.dice),
        "staying": edition.staying,
        "spaces": edition.spaces,
    }


def store_table(table: RaceTable, path: Path) -> None:
    """Write a table: aside first, then into its place, so that nobody ever reads half of it.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    values = np.ascontiguousarray(table.values)
    header = {
        "what": MAGIC,
        "format": FORMAT,
        "edition": table.edition.name,
        **_described(table.edition),
        "shape": list(values.shape),
        "dtype": values.dtype.newbyteorder("<").str,
        "places": list(table.places),
        "unit": table.unit,
        "legs_unit": table.legs_unit,
        "error": table.error,
        "legs_error": table.legs_error,
    }
    values = values.astype(header["dtype"], copy=False)
    header["checksum"] = _checksum(header, values)
    line = json.dumps(header).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(prefix=path.stem, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(line.ljust(-(-len(line) // ALIGNMENT) * ALIGNMENT, b" "))
            file.write(_bytes(values))
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise


def _bytes(values: npt.NDArray[Any]) -> memoryview:
    return values.reshape(-1).view(np.uint8).data


def _checksum(header: dict[str, Any], values: npt.NDArray[Any]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    digest.update(_bytes(values))
    return digest.hexdigest()


def load_table(edition: Edition, path: Path) -> RaceTable | None:
    """The table of `edition` in a file; None if there is none, or it is damaged or another."""
    try:
        with path.open("rb") as file:
            line = file.readline(ALIGNMENT)
            header = json.loads(line)
            checksum = header.pop("checksum")
            wanted = {"what": MAGIC, "format": FORMAT} | _described(edition)
            if any(header[key] != value for key, value in wanted.items()):
                return None
            shape = tuple(header["shape"])
            values = np.memmap(
                file,
                header["dtype"],
                "r",
                offset=-(-len(line) // ALIGNMENT) * ALIGNMENT,
                shape=shape,
            ).view(np.ndarray)
        if checksum != _checksum(header, values):
            return None
        return RaceTable(
            edition,
            values,
            tuple(header["places"]),
            header["unit"],
            header["legs_unit"],
            header["error"],
            header["legs_error"],
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None


@dataclass(frozen=True)
class StoredTable:
    """A file in the cache folder.

    Attributes
    ----------
    path : Path
        The file.
    edition : str
        Name of the edition, or what the file is called if it cannot be read.
    spaces : int
        Of the track.
    positions : int
        How many it holds.
    size : int
        Of the file, in bytes.
    error : float
        Bound of the error of its probabilities.
    good : bool
        Whether it can be used; one that cannot is built anew.
    """

    path: Path
    edition: str
    spaces: int
    positions: int
    size: int
    error: float
    good: bool


def list_tables(folder: str | os.PathLike[str] | None = None) -> list[StoredTable]:
    """All tables in the cache folder, each read and checked."""
    found = []
    for path in sorted(cache_folder(folder).glob("race-*.table")):
        name, _, spaces = path.stem.removeprefix("race-").rpartition("-")
        edition = EDITIONS.get(name)
        table = None
        if edition is not None and spaces.isascii() and spaces.isdigit():
            edition = edition.with_options(spaces=int(spaces))
            table = load_table(edition, path)
        found.append(
            StoredTable(
                path,
                name,
                0 if edition is None else edition.spaces,
                0 if table is None else len(table.values),
                path.stat().st_size,
                0.0 if table is None else table.error,
                table is not None,
            )
        )
    return found


def remove_tables(
    edition: Edition | None = None, folder: str | os.PathLike[str] | None = None
) -> list[Path]:
    """Remove the table of an edition, or all of them; the files that were removed.

    Raises
    ------
    OptionError
        If a file cannot be removed.
    """
    kept = [table.path for table in list_tables(folder)]
    if edition is not None:
        kept = [path for path in kept if path == table_path(edition, folder)]
    for path in kept:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise OptionError(Problem(str(path), f"cannot be removed: {error}")) from None
        for key in [key for key in _loaded if key[0] == path]:
            del _loaded[key]
    return kept
