"""Race tables: built when first needed, kept in the user's cache folder, checked when read.

A table is one file: a line of JSON that says what it is, and the numbers behind it.  A checksum
covers both.  A file that is damaged, cut off or of another format is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from camelodds.editions import EDITIONS, GREY_DIE, Edition, IntArray
from camelodds.errors import OptionError, Problem
from camelodds.kernels.index import N_STATES, numbering
from camelodds.kernels.stacks import RACERS
from camelodds.results.errors import FloatArray
from camelodds.solving import Solution, solve

VARIABLE = "CAMELODDS_CACHE"
"""The environment variable that names another folder for the tables."""

FORMAT = 1
"""Files of another format are built anew."""

MAGIC, SWEEPS = "camelodds race table", "camelodds race sweeps"
ALIGNMENT = 4096
"""The numbers begin at a multiple of this."""

AUTOMATIC = 100_000
"""A table of so many positions takes a second or two and is built when first needed."""

HEADER = ("places", "unit", "legs_unit", "error", "legs_error")
"""What of a table stands in the header of its file."""

UNITS = (1 << 16) - 1
"""What 1 is in a table of 16 bits."""

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

    @property
    def numbers(self) -> IntArray:
        """The numbering of its positions, for the kernels."""
        return numbering(len(self.edition.crazy), self.edition.spaces)

    def rows(self, numbers: IntArray) -> tuple[FloatArray, FloatArray]:
        """What it holds of the positions of these numbers.

        Returns
        -------
        (m, p, 5) float64, (m,) float64
            P(rank at place), leader first; expected number of leg scorings to come.
        """
        kept = self.values[numbers, :-1].reshape(len(numbers), len(self.places), -1) * self.unit
        if kept.shape[-1] < RACERS:
            kept = np.concatenate([kept, 1 - kept.sum(axis=-1, keepdims=True)], axis=-1)
        return kept.astype(np.float64), self.values[numbers, -1] * self.legs_unit


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
        None if there is none and it takes minutes to build, see `building.build_table`.

    Examples
    --------
    >>> from camelodds import FIRST
    >>> race_table(FIRST).values.shape
    (15504, 26)
    """
    if not tabulated(edition):
        return None
    path = table_path(edition, folder)
    key = path, json.dumps(described(edition))
    if key not in _loaded:
        table = load_table(edition, path)
        if table is None:
            if n_positions(edition) > AUTOMATIC:
                return None
            table = in_full(edition, solve(edition, tuple(range(RACERS))))
            with contextlib.suppress(OSError):
                # A folder that cannot be written costs nothing but the next building.
                store_table(table, path)
        _loaded[key] = table
    return _loaded[key]


def forget(path: Path) -> None:
    """Read the table of this file anew when it is next needed."""
    for key in [key for key in _loaded if key[0] == path]:
        del _loaded[key]


def in_full(edition: Edition, solution: Solution, residual: float = 0.0) -> RaceTable:
    """The table of a solution in double precision.

    Parameters
    ----------
    edition, solution
        Whose race it is, and the race.
    residual
        By how much the rows are known to miss their equations; a row then errs by no more than
        that times the number of legs to come.
    """
    values = np.ascontiguousarray(solution.values, dtype=np.float64)
    legs = float(values[:, -1].max())
    missed = max(solution.change, residual)
    missed_legs = max(solution.legs_change, residual)
    error, legs_error = ROUNDING + legs * missed, legs * (ROUNDING + missed_legs)
    return RaceTable(edition, values, solution.places, 1.0, 1.0, error, legs_error)


def in_brief(edition: Edition, solution: Solution, residual: float = 0.0) -> RaceTable:
    """The table of a solution in 16 bits, the last rank left out; see `in_full`.

    The probabilities of a place are rounded so that they sum to exactly 1, those with the
    greatest remainders up; so none of the five errs by more than 0.8 of a unit.
    """
    n = len(solution.values)
    values = np.empty((n, len(solution.places) * (RACERS - 1) + 1), dtype=np.uint16)
    most = float(solution.values[:, -1].max())
    for begin in range(0, n, ALIGNMENT):
        rows = solution.values[begin : begin + ALIGNMENT].astype(np.float64)
        for i in range(len(solution.places)):
            shares = rows[:, i * RACERS : (i + 1) * RACERS]
            shares = shares / shares.sum(axis=1, keepdims=True) * UNITS
            down = np.floor(shares)
            missing = UNITS - down.sum(axis=1, keepdims=True)
            order = np.argsort(down - shares, axis=1, kind="stable")
            np.put_along_axis(
                down, order, np.take_along_axis(down, order, 1) + (np.arange(RACERS) < missing), 1
            )
            kept = slice(i * (RACERS - 1), (i + 1) * (RACERS - 1))
            values[begin : begin + ALIGNMENT, kept] = down[:, :-1]
        values[begin : begin + ALIGNMENT, -1] = np.rint(rows[:, -1] / most * UNITS)
    missed = max(solution.change, residual)
    missed_legs = max(solution.legs_change, residual)
    unit, legs_unit = 1 / UNITS, most / UNITS
    error, legs_error = 0.8 * unit + most * missed, 0.5 * legs_unit + most * missed_legs
    return RaceTable(edition, values, solution.places, unit, legs_unit, error, legs_error)


def described(edition: Edition) -> dict[str, Any]:
    """What must be the same for a table to be that of `edition`."""
    return {
        "crazy": len(edition.crazy),
        "dice": len(edition.dice),
        "staying": edition.staying,
        "spaces": edition.spaces,
    }


def store_table(table: RaceTable, path: Path) -> None:
    """Write a table, see `write_file`.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    header = {"what": MAGIC, "edition": table.edition.name, **described(table.edition)}
    header |= {name: getattr(table, name) for name in HEADER}
    write_file(path, header, table.values)


def load_table(edition: Edition, path: Path) -> RaceTable | None:
    """The table of `edition` in a file; None if there is none, or it is damaged or another."""
    found = read_file(path, {"what": MAGIC} | described(edition))
    if found is None:
        return None
    header, values = found
    fields = {name: header[name] for name in HEADER}
    return RaceTable(edition, values, **fields | {"places": tuple(header["places"])})


def write_file(path: Path, header: dict[str, Any], values: npt.NDArray[Any]) -> None:
    """Write numbers with a header: aside first, then into place, so nobody ever reads half of it.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    values = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    header = {"format": FORMAT, **header, "shape": list(values.shape), "dtype": values.dtype.str}
    # As it will be read.
    header = json.loads(json.dumps(header))
    header["checksum"] = _checksum(header, values)
    line = json.dumps(header).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with aside.open("xb") as file:
            file.write(line.ljust(_offset(line), b" "))
            file.write(_bytes(values))
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise


def read_file(path: Path, wanted: dict[str, Any]) -> tuple[dict[str, Any], npt.NDArray[Any]] | None:
    """What `write_file` wrote, memory-mapped, if it is whole and its header is as `wanted`."""
    try:
        with path.open("rb") as file:
            line = file.readline(ALIGNMENT)
            header = json.loads(line)
            checksum = header.pop("checksum")
            if any(header[key] != value for key, value in ({"format": FORMAT} | wanted).items()):
                return None
            shape = tuple(header["shape"])
            mapped = np.memmap(file, header["dtype"], "r", offset=_offset(line), shape=shape)
        values = mapped.view(np.ndarray)
        return (header, values) if checksum == _checksum(header, values) else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None


def _offset(line: bytes) -> int:
    """Where the numbers begin behind a header."""
    return -(-len(line) // ALIGNMENT) * ALIGNMENT


def _bytes(values: npt.NDArray[Any]) -> memoryview:
    return values.reshape(-1).view(np.uint8).data


def _checksum(header: dict[str, Any], values: npt.NDArray[Any]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    digest.update(_bytes(values))
    return digest.hexdigest()


@dataclass(frozen=True)
class StoredTable:
    """A file in the cache folder.

    Attributes
    ----------
    path : Path
        The file.
    edition : str
        Name of the edition.
    spaces : int
        Of the track; 0 if it is not known.
    positions : int
        How many it holds.
    size : int
        Of the file, in bytes.
    error : float
        Bound of the error of its probabilities.
    state : str
        ``"good"``; ``"unusable"`` if it is damaged or of another format, and will be built
        anew; ``"unfinished"`` if its building was interrupted and can go on.
    """

    path: Path
    edition: str
    spaces: int
    positions: int
    size: int
    error: float
    state: str


def list_tables(folder: str | os.PathLike[str] | None = None) -> list[StoredTable]:
    """All tables in the cache folder, each read and checked."""
    return [_listed(path) for path in _files(folder)]


def _files(folder: str | os.PathLike[str] | None) -> list[Path]:
    found = cache_folder(folder)
    return sorted([*found.glob("race-*.table"), *found.glob("race-*.sweeps")])


def _listed(path: Path) -> StoredTable:
    name, _, length = path.stem.removeprefix("race-").rpartition("-")
    edition, table, positions, state = EDITIONS.get(name), None, 0, "unusable"
    try:
        edition = None if edition is None else edition.with_options(spaces=int(length))
    except ValueError:
        edition = None
    if edition is not None and path.suffix == ".table":
        table = load_table(edition, path)
    elif edition is not None and read_file(path, {"what": SWEEPS} | described(edition)) is not None:
        positions, state = n_positions(edition), "unfinished"
    if table is not None:
        positions, state = len(table.values), "good"
    size, error = path.stat().st_size, 0.0 if table is None else table.error
    spaces = 0 if edition is None else edition.spaces
    return StoredTable(path, name, spaces, positions, size, error, state)


def sweeps_path(edition: Edition, folder: str | os.PathLike[str] | None = None) -> Path:
    """Where an interrupted building keeps what it came to."""
    return table_path(edition, folder).with_suffix(".sweeps")


def remove_tables(
    edition: Edition | None = None, folder: str | os.PathLike[str] | None = None
) -> list[Path]:
    """Remove the table of an edition, or all of them; the files that were removed.

    Raises
    ------
    OptionError
        If a file cannot be removed.
    """
    kept = _files(folder)
    if edition is not None:
        of_edition = table_path(edition, folder), sweeps_path(edition, folder)
        kept = [path for path in kept if path in of_edition]
    for path in kept:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise OptionError(Problem(str(path), f"cannot be removed: {error}")) from None
        forget(path)
    return kept
