"""The files of the race tables: found, checked, rebuilt, never half written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import camelodds as co
from camelodds import tables
from camelodds.building import build_table
from camelodds.tables import (
    ALIGNMENT,
    cache_folder,
    list_tables,
    load_table,
    race_table,
    remove_tables,
    store_table,
    table_path,
)

SMALL = co.FIRST.with_options(spaces=6)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of its own, and nothing in memory."""
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tables, "_loaded", {})
    return tmp_path / "cache"


def forget() -> None:
    tables._loaded.clear()


def test_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"
    assert cache_folder(tmp_path / "other") == tmp_path / "other"
    monkeypatch.delenv("CAMELODDS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder().name == "camelodds"


def test_built_once_then_read() -> None:
    path = table_path(SMALL)
    assert load_table(SMALL, path) is None
    built = race_table(SMALL)
    assert built is not None
    assert race_table(SMALL) is built
    forget()
    read = race_table(SMALL)
    assert read is not None
    assert read is not built
    assert np.array_equal(read.values, built.values)
    assert (read.places, read.unit, read.legs_unit) == (built.places, 1.0, 1.0)
    assert (read.error, read.legs_error) == (built.error, built.legs_error)
    assert not read.values.flags.writeable
    assert [file.name for file in path.parent.iterdir()] == ["race-first-6.table"]


def damage(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


SPOILERS: dict[str, Callable[[Path], object]] = {
    "last_bit": lambda path: damage(path, -1),
    "bit_in_numbers": lambda path: damage(path, ALIGNMENT + 1000),
    "bit_in_header": lambda path: damage(path, 40),
    "cut_off": lambda path: path.write_bytes(path.read_bytes()[:-8]),
    "header_only": lambda path: path.write_bytes(path.read_bytes()[:ALIGNMENT]),
    "cut_in_header": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "empty": lambda path: path.write_bytes(b""),
    "other_json": lambda path: path.write_bytes(b"[1, 2]\n"),
    "noise": lambda path: path.write_bytes(os.urandom(10_000)),
    "older_format": lambda path: replace(path, b'"format": 1', b'"format": 0'),
    "other_track": lambda path: replace(path, b'"spaces": 6', b'"spaces": 5'),
    "other_shape": lambda path: replace(path, b"[252, 26]", b"[999, 26]"),
}


def replace(path: Path, old: bytes, new: bytes) -> None:
    path.write_bytes(path.read_bytes().replace(old, new))


@pytest.mark.parametrize("spoil", SPOILERS)
def test_damaged_file_is_built_anew(spoil: str) -> None:
    built = build_table(SMALL)
    path = table_path(SMALL)
    good = path.read_bytes()
    SPOILERS[spoil](path)
    assert path.read_bytes() != good
    assert load_table(SMALL, path) is None
    assert [table.state for table in list_tables()] == ["unusable"]
    forget()
    again = race_table(SMALL)
    assert again is not None
    assert np.array_equal(again.values, built.values)
    assert load_table(SMALL, path) is not None


def test_table_of_another_edition_is_not_taken(cache: Path) -> None:
    build_table(SMALL)
    other = co.FIRST.with_options(spaces=5)
    table_path(SMALL).rename(table_path(other))
    assert load_table(other, table_path(other)) is None


def test_folder_that_cannot_be_written(cache: Path) -> None:
    cache.write_text("a file, not a folder")
    table = race_table(SMALL)
    assert table is not None
    assert race_table(SMALL) is table
    assert list_tables() == []
    with pytest.raises(co.OptionError, match="cannot be written"):
        build_table(SMALL)


def test_failed_writing_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = race_table(SMALL)
    assert table is not None
    remove_tables()

    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space left"):
        store_table(table, table_path(SMALL))
    assert list(cache.iterdir()) == []


def test_two_builders_at_once(cache: Path) -> None:
    code = (
        "import camelodds as co; from camelodds.building import build_table\n"
        "for _ in range(5): build_table(co.FIRST.with_options(spaces=6))"
    )
    builders = [subprocess.Popen([sys.executable, "-c", code], env=os.environ) for _ in range(2)]
    while any(builder.poll() is None for builder in builders):
        path = table_path(SMALL)
        # Whoever reads meanwhile finds a whole file or none.
        assert not path.exists() or load_table(SMALL, path) is not None
    assert [builder.returncode for builder in builders] == [0, 0]
    assert [file.name for file in cache.iterdir()] == ["race-first-6.table"]


def test_list_and_remove(cache: Path) -> None:
    other = co.FIRST.with_options(spaces=5)
    build_table(SMALL)
    build_table(other)
    (cache / "race-strange.table").write_text("?")
    listed = list_tables()
    assert [(t.edition, t.spaces, t.positions, t.state) for t in listed] == [
        ("first", 5, 126, "good"),
        ("first", 6, 252, "good"),
        ("", 0, 0, "unusable"),
    ]
    assert listed[0].size == listed[0].path.stat().st_size
    assert remove_tables(SMALL) == [table_path(SMALL)]
    assert len(list_tables()) == 2
    remove_tables()
    assert list_tables() == []
    forget()
    assert race_table(SMALL) is not None


def test_another_folder(tmp_path: Path) -> None:
    position = co.Position.parse("1:gyo 3:bw", SMALL)
    race = co.race_odds(position, folder=tmp_path / "other")
    assert list_tables() == []
    assert [table.spaces for table in list_tables(tmp_path / "other")] == [6]
    assert race == co.race_odds(position)


def test_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from camelodds.cli import main

    assert main(["tables", "list"]) == 0
    assert "none" in capsys.readouterr().out
    assert main(["tables", "build", "first", "--folder", str(tmp_path)]) == 0
    assert "15,504 positions" in capsys.readouterr().out
    assert main(["tables", "list", "--json", "--folder", str(tmp_path)]) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert (table["edition"], table["positions"], table["state"]) == ("first", 15_504, "good")
    assert main(["tables", "list", "--folder", str(tmp_path)]) == 0
    assert "15,504" in capsys.readouterr().out
    assert main(["tables", "remove", "first", "--folder", str(tmp_path)]) == 0
    assert "removed" in capsys.readouterr().out
    assert list_tables(tmp_path) == []
    assert main(["tables", "build", "third"]) == 2
    assert "no such edition" in capsys.readouterr().err
