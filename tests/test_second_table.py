"""The whole race table of the second edition: built once, then checked in every way.

Not run unless asked for (`make test-table`): the building takes minutes. The folder is kept;
CAMELODDS_FULL_TABLE names another one.
"""

from __future__ import annotations

import json
import os
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import camelodds as co
from camelodds.building import build_table, residual
from camelodds.tables import UNITS, RaceTable, list_tables, race_table, table_path
from tests import naive_races
from tests.simulated_races import simulate
from tests.test_solving import missed

pytestmark = pytest.mark.full_table

ROOT = Path(__file__).parent.parent
FOLDER = Path(os.environ.get("CAMELODDS_FULL_TABLE") or ROOT / ".cache" / "tables")
CASES: list[dict[str, Any]] = [
    case
    for case in json.loads((ROOT / "tests/data/cases/races.json").read_text())
    if case["edition"] == "second"
]


@pytest.fixture(scope="module")
def table() -> RaceTable:
    return race_table(co.SECOND, FOLDER) or build_table(co.SECOND, FOLDER)


def test_size_and_error(table: RaceTable) -> None:
    assert len(table.values) == 21 * comb(22, 7)
    assert table.error < 2e-5
    assert table_path(co.SECOND, FOLDER).stat().st_size < 75e6
    assert "good" in [t.state for t in list_tables(FOLDER)]


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES])
def test_case(case: dict[str, Any], table: RaceTable) -> None:
    race = co.race_odds(co.Position.parse(case["position"], "second"), folder=FOLDER)
    assert race.winner == pytest.approx(case["winner"], abs=1e-5)
    assert race.last == pytest.approx(case["last"], abs=1e-5)
    assert race.method == "table"


def test_sums(table: RaceTable) -> None:
    """All rows: in units they sum to 1 with the rank that is left out."""
    for column in (0, 4):
        kept = table.values[:, column : column + 4].sum(axis=1, dtype=np.int64)
        assert kept.max() <= UNITS
    legs = table.values[:, -1] * table.legs_unit
    assert legs.min() >= 1 - table.legs_error


def test_residual_of_100000_positions(table: RaceTable) -> None:
    numbers = np.random.default_rng(7).integers(0, len(table.values), 100_000)
    worst = worst_legs = 0.0
    for part in np.array_split(numbers, 50):
        found, found_legs = residual(table, part)
        worst, worst_legs = max(worst, found), max(worst_legs, found_legs)
    # A row is rounded by up to 0.8 of a unit; so are those that it leads to, but they average.
    assert worst < table.error + 1 / UNITS
    assert worst_legs < 2 * table.legs_error


def test_equations_of_the_reference(table: RaceTable) -> None:
    states: list[naive_races.State] = [
        ((2, "crrcr"), (9, "r"), (15, "r")),
        ((1, "c"), (2, "crrrr"), (12, "r")),
        ((13, "rr"), (15, "crr"), (16, "rc")),
        ((1, "rcrrrrc"),),
    ]
    worst, worst_legs = missed(table, states, co.SECOND)
    assert worst < table.error + 1 / UNITS
    assert worst_legs < 2 * table.legs_error


TEXTS = [
    "1:by 2:gr 3:p 14:W 16:K",
    "1:p 2:bygr 15:WK",
    "3:bW 4:gr 6:pK 7:y",
    "5:Wbygrp 8:K",
    "8:KyWgb 10:rp 3- 12+",
    "2:Kbp 4:W 9:g 10:ry 5+ 7-",
    "1:WKby 3:g 4:rp",
    "2:Wbygr 3:Kp dice=bg*",
    "11:b 12:Wy 13:gr 14:Kp 15+",
    "6:b 8:yWp 9:rK 12:g dice=yr*",
    "4:r 7:y 8:pg 9:K 10:b 15:W 3- 11+ dice=gpry",
    "14:rWgp 15:yb 16:K 13- dice=bgr",
]


@pytest.mark.parametrize("text", TEXTS)
def test_sampled_races(text: str, table: RaceTable) -> None:
    """Ten million races by the library's sampler, half a million by a literal simulation."""
    position = co.Position.parse(text, "second")
    race = co.race_odds(position, folder=FOLDER)
    assert race.method == "table"
    assert race.legs is not None
    n = 10_000_000
    sampled = co.race_odds(position, "sample", n=n, seed=len(text))
    for exact, found in ((race.winner, sampled.winner), (race.last, sampled.last)):
        for camel, p in exact.items():
            assert (
                abs(found[camel] - p) < 4 * max(p * (1 - p) / n, 1 / n**2) ** 0.5 + race.error / 10
            )
    simulated = simulate(text, "second", 500_000, seed=len(text))
    assert simulated.farthest(dict(race.winner), dict(race.last)) < 4
    assert abs(simulated.legs - race.legs) < 4 * simulated.legs_error + table.legs_error


def test_S3_crazy_camels_are_exchangeable(table: RaceTable) -> None:
    swap = str.maketrans("WK", "KW")
    for text in TEXTS:
        races = [
            co.race_odds(co.Position.parse(written, "second"), folder=FOLDER)
            for written in (text, text.translate(swap))
        ]
        assert races[0].winner == pytest.approx(races[1].winner, abs=1e-12)
        assert races[0].last == pytest.approx(races[1].last, abs=1e-12)


def test_S6_crossing_backwards(table: RaceTable) -> None:
    # K or b: K with four riders crosses the line backwards with 2 or 3 of its numbers.
    race = co.race_odds(co.Position.parse("2:WKygrp 9:b dice=*b", "second"), folder=FOLDER)
    assert race.race_ends == pytest.approx(0.5 * 2 / 3)
    assert race.winner["b"] > race.race_ends
    assert race.last["y"] > race.race_ends
