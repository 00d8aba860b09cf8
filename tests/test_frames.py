"""Results as data frames: documented columns and types, and what happens without the extra."""

import json
import subprocess
import sys

import pandas as pd
import polars as pl
import pytest

import camelodds as co
from camelodds.display import extras, frames
from camelodds.display.table import Table, camel_column, coin_column, share_column

LEG = co.leg_odds(co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition="first"))
PLACES = ["first", "second", "third", "fourth", "fifth"]


def test_leg_odds_in_pandas():
    frame = LEG.to_pandas()
    assert list(frame.columns) == ["camel", *PLACES, "ticket5", "ticket3", "ticket2"]
    assert pd.api.types.is_string_dtype(frame["camel"])
    assert set(frame.dtypes.iloc[1:].astype(str)) == {"float64"}
    rows = frame.set_index("camel").loc[list(LEG.camels)]
    assert (rows[PLACES].to_numpy() == LEG.places).all()
    for worth in (5, 3, 2):
        assert rows[f"ticket{worth}"].to_dict() == dict(LEG.ticket(worth))
    assert list(frame["first"]) == sorted(frame["first"], reverse=True)


def test_leg_odds_in_polars():
    frame = LEG.to_polars()
    assert frame.schema == {
        "camel": pl.String,
        **dict.fromkeys([*PLACES, "ticket5", "ticket3", "ticket2"], pl.Float64),
    }
    assert frame.to_dict(as_series=False) == LEG.to_pandas().to_dict(orient="list")


def test_sampled_columns_have_their_errors_beside_them():
    table = Table(
        "",
        (
            camel_column("bw"),
            share_column("first", "1st", [0.25, 0.75], [0.001, 0.002]),
            coin_column("ticket5", "ticket 5", [-0.5, 1.0]),
        ),
    )
    expected = {
        "camel": ["b", "w"],
        "first": [0.25, 0.75],
        "first_error": [0.001, 0.002],
        "ticket5": [-0.5, 1.0],
    }
    assert frames.pandas_frame(frames.table_columns(table)).to_dict(orient="list") == expected
    assert frames.polars_frame(frames.table_columns(table)).to_dict(as_series=False) == expected


@pytest.mark.parametrize("coins", [3, None])
def test_games(coins):
    game = co.Game.start(co.FIRST, players=["Ann", "Bo"], position="1:gyo 3:bw")
    game = co.Game(game.position, ["Ann", "Bo"], coins=coins).after("ticket w")
    frame, other = game.to_pandas(), game.to_polars()
    columns = ["player", "coins", "tickets", "pyramid", "tile", "partner", "bets"]
    assert list(frame.columns) == other.columns == columns
    assert frame["coins"].dtype == "Int64"
    assert other["coins"].dtype == pl.Int64
    assert other["coins"].to_list() == [coins, coins]
    assert frame["tickets"].to_list() == ["w5", ""]


def test_tile_maps():
    game = co.Game.start(co.FIRST, players=3, position="3:ob 4:g 6:y 7:w 13-@P2")
    tiles = co.action_values(game, without=["winner", "last"]).tile_map
    frame = tiles.to_pandas()
    assert frame.dtypes.astype(str).to_dict() == {
        "space": "Int64", "plus": "float64", "minus": "float64",
    }  # fmt: skip
    assert frame["space"].to_list() == [2, 5, 8, 9, 10, 11, 15, 16]
    data = json.loads(json.dumps(tiles.to_dict()))
    assert data["spaces"] == list(range(1, 17))
    assert [data["plus"][s - 1] for s in frame["space"]] == frame["plus"].to_list()
    assert data["minus"][2] is None


POSITIONS = [LEG.position, "not a position", co.Position.parse("14:wy 15:o 16:bg")]


def test_batches_of_legs():
    batch = co.leg_odds_batch(POSITIONS)
    frame = batch.to_pandas()
    assert list(frame.columns) == ["row", "camel", *PLACES]
    assert frame.dtypes.astype(str).to_list() == ["Int64", "str", *["float64"] * 5]
    assert "".join(frame["camel"]) == 3 * LEG.camels
    assert frame["row"].to_list() == [0] * 5 + [1] * 5 + [2] * 5
    assert (frame[PLACES].to_numpy()[:5] == batch.places[0]).all()
    assert frame[PLACES][frame["row"] == 1].isna().all(axis=None)
    other = batch.to_polars()
    assert other.schema == {
        "row": pl.Int64, "camel": pl.String, **dict.fromkeys(PLACES, pl.Float64),
    }  # fmt: skip
    assert other["first"].to_list()[:5] == frame["first"].to_list()[:5]


def test_batches_of_races():
    exact = co.race_odds_batch(POSITIONS[::2])
    names = ["winner", "second", "third", "fourth", "last"]
    frame = exact.to_pandas()
    assert list(frame.columns) == ["row", "camel", *names]
    assert (frame[names].to_numpy().reshape(exact.places.shape) == exact.places).all()
    sampled = co.race_odds_batch(POSITIONS[::2], method="sample", n=1_000, seed=1)
    frame = sampled.to_polars()
    assert frame.columns == ["row", "camel", *names, *(f"{name}_error" for name in names)]
    errors = frame.select(f"{name}_error" for name in names).to_numpy()
    assert (errors.reshape(sampled.places.shape) == sampled.standard_errors).all()


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_without_the_extra_it_is_named(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(co.MissingExtraError, match=r'pip install "camelodds\[frames\]"') as caught:
        getattr(LEG, f"to_{name}")()
    assert isinstance(caught.value, (co.CamelOddsError, ImportError))
    assert caught.value.problems[0].where == name


def test_a_package_that_is_there_but_broken_is_not_called_missing(monkeypatch, tmp_path):
    (tmp_path / "half_installed.py").write_text("import a_module_that_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_module_that_nobody_has") as caught:
        extras.needed("half_installed", "frames")
    assert not isinstance(caught.value, co.MissingExtraError)


@pytest.mark.parametrize(("name", "other"), [("pandas", "polars"), ("polars", "pandas")])
def test_only_the_frame_that_is_asked_for_is_imported(name, other):
    code = (
        "import sys, camelodds as co; leg = co.leg_odds(co.Position.parse('1:gyo 3:bw'));"
        f"str(leg); assert not {{'pandas', 'polars'}} & set(sys.modules); leg.to_{name}();"
        f"assert '{other}' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
