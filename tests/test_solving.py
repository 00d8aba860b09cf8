"""The race of the second edition, solved on short tracks, against brute force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import camelodds as co
from camelodds import building, editions, tables
from camelodds.building import build_table, farthest, residual
from camelodds.kernels.index import index_of
from camelodds.solving import Progress, Solver, solve
from camelodds.tables import (
    UNITS,
    RaceTable,
    list_tables,
    load_table,
    race_table,
    remove_tables,
    sweeps_path,
    table_path,
)
from tests import naive, naive_races

PLACES = tuple(range(5))
SHORT = co.SECOND.with_options(spaces=4)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of its own, and nothing in memory."""
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tables, "_loaded", {})
    return tmp_path / "cache"


def on_track(spaces: int, monkeypatch: pytest.MonkeyPatch) -> co.Edition:
    """The second edition with a shorter track, for the reference too."""
    monkeypatch.setattr(naive, "LAST_SPACE", spaces)
    monkeypatch.setattr(editions, "FEWEST_SPACES", 1)
    return co.SECOND.with_options(spaces=spaces)


def number_of(state: naive_races.State, edition: co.Edition, table: RaceTable) -> int:
    """The number of a position, by way of its notation."""
    text = naive.stacks_text(naive_races.named(state))
    return index_of(co.Position.parse(text, edition).packed.stack, table.numbers)


def brute_force(states: list[naive_races.State]) -> tuple[Any, Any]:
    """P(rank at place) and legs of every state, by solving all equations at once."""
    going_on, over = naive_races.equations(states)
    racing = naive.RACING["second"]
    leader_first = [naive.ranking(naive_races.named(state)) for state in states]
    n = len(states)
    step = np.zeros((n * 5, n * 5))
    ends = np.zeros((n * 5, 5))
    stay = np.zeros((n, n))
    for i in range(n):
        assert sorted(leader_first[i]) == sorted(racing)
        for (j, order), weight in going_on[i].items():
            stay[i, j] += float(weight)
            for rank, camel in enumerate(leader_first[i]):
                step[i * 5 + rank, j * 5 + order.index(camel)] += float(weight)
        for order, weight in over[i].items():
            for rank, camel in enumerate(leader_first[i]):
                ends[i * 5 + rank, order.index(camel)] += float(weight)
        assert sum(going_on[i].values()) + sum(over[i].values()) == 1
    places = np.linalg.solve(np.eye(n * 5) - step, ends).reshape(n, 5, 5)
    return places.transpose(0, 2, 1), np.linalg.solve(np.eye(n) - stay, np.ones(n))


@pytest.mark.parametrize("spaces", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_all_positions_against_brute_force(spaces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    edition = on_track(spaces, monkeypatch)
    table = race_table(edition)
    assert table is not None
    states = naive_races.all_states(spaces)
    numbers = np.array([number_of(state, edition, table) for state in states])
    assert sorted(numbers) == list(range(len(table.values)))
    places, legs = brute_force(states)
    found, found_legs = table.rows(numbers)
    assert found == pytest.approx(places, abs=1e-12)
    assert found_legs == pytest.approx(legs, abs=1e-12)


def missed(
    table: RaceTable, states: list[naive_races.State], edition: co.Edition
) -> tuple[float, float]:
    """By how much some rows miss the equations of the reference."""
    worst = worst_legs = 0.0
    for state in states:
        position = naive_races.named(state)
        leader_first = naive.ranking(position)
        places, legs = np.zeros((len(table.places), 5)), 1.0
        for end, weight in naive_races.leg_ends(position):
            order = naive.ranking(end)
            if naive.finished(end):
                shares = np.eye(5)[list(table.places)]
            else:
                at = np.array([number_of(naive_races.canonical(end), edition, table)])
                rows, rows_legs = table.rows(at)
                shares = rows[0]
                legs += float(weight) * float(rows_legs[0])
            for rank, camel in enumerate(leader_first):
                places[:, rank] += float(weight) * shares[:, order.index(camel)]
        shares, own = table.rows(np.array([number_of(state, edition, table)]))
        worst = max(worst, float(np.abs(shares[0] - places).max()))
        worst_legs = max(worst_legs, abs(legs - float(own[0])))
    return worst, worst_legs


def test_equations_of_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = on_track(6, monkeypatch)
    table = race_table(edition)
    assert table is not None
    assert len(table.values) == 16_632
    states = naive_races.all_states(6)
    rng = np.random.default_rng(1)
    chosen = [states[i] for i in rng.integers(0, len(states), 3)]
    worst, worst_legs = missed(table, chosen, edition)
    assert worst < 1e-12
    assert worst_legs < 1e-11


def test_residual_by_the_leg_kernel() -> None:
    table = race_table(SHORT)
    assert table is not None
    worst, worst_legs = residual(table, np.arange(0, len(table.values), 7))
    assert worst < 1e-12
    assert worst_legs < 1e-11
    # A table that is wrong in one row is caught there.
    values = np.array(table.values)
    values[70, 0] += 1e-6
    spoilt = RaceTable(SHORT, values, table.places, 1.0, 1.0, 0.0, 0.0)
    assert residual(spoilt, np.array([70]))[0] > 1e-7


@st.composite
def short_positions(draw: st.DrawFn) -> naive.Position:
    """Positions on a track of five spaces with two or three dice and perhaps a tile."""
    stacks: dict[int, str] = {}
    for camel in draw(st.permutations(naive.RACING["second"] + naive.CRAZY)):
        space = draw(st.integers(1, 5))
        stacks[space] = stacks.get(space, "") + camel
    free = [space for space in range(2, 6) if space not in stacks]
    tiles = (
        draw(st.dictionaries(st.sampled_from(free), st.sampled_from([1, -1]), max_size=1))
        if free
        else {}
    )
    n = draw(st.integers(2, 3))
    dice = "".join(draw(st.permutations(naive.RACING["second"] + naive.GREY))[:n])
    return naive.Position("second", stacks, tiles, dice)


@given(position=short_positions())
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_any_position_of_a_short_track(position: naive.Position) -> None:
    """A leg with tiles and some of the dice, and what comes after it."""
    with pytest.MonkeyPatch.context() as patch:
        edition = on_track(5, patch)
        table = race_table(edition)
        assert table is not None
        text = naive.stacks_text(position)
        text += "".join(f" {space}{'+' if s > 0 else '-'}" for space, s in position.tiles.items())
        race = co.race_odds(co.Position.parse(f"{text} dice={position.dice}", edition))
        places = {camel: np.zeros(5) for camel in race.camels}
        legs, ends = 1.0, 0.0
        for end, weight in naive_races.leg_ends(position):
            share, order = float(weight), naive.ranking(end)
            if naive.finished(end):
                rows = np.eye(5)
                ends += share
            else:
                at = np.array([number_of(naive_races.canonical(end), edition, table)])
                found, found_legs = table.rows(at)
                rows = found[0]
                legs += share * float(found_legs[0])
            for rank, camel in enumerate(order):
                places[camel] += share * rows[:, rank]
    assert race.places is not None
    for row, camel in zip(race.places, race.camels, strict=True):
        assert row == pytest.approx(places[camel], abs=1e-12)
    assert race.legs == pytest.approx(legs, abs=1e-11)
    assert race.race_ends == pytest.approx(ends, abs=1e-12)


def test_sampled_races_agree_with_the_table() -> None:
    table = race_table(SHORT)
    assert table is not None
    numbers = np.random.default_rng(5).integers(0, len(table.values), 4)
    assert farthest(table, numbers, 100_000) < 5
    shifted = RaceTable(
        SHORT, np.roll(table.values, 1000, axis=0), table.places, 1.0, 1.0, 0.0, 0.0
    )
    assert farthest(shifted, numbers, 100_000) > 20


def test_table_in_brief_is_within_its_error() -> None:
    brief, full = build_table(SHORT, brief=True), build_table(SHORT, brief=False)
    assert load_table(SHORT, table_path(SHORT)) is not None
    assert brief.error < 2e-5
    everything = np.arange(len(full.values))
    shares, legs = brief.rows(everything)
    exact, exact_legs = full.rows(everything)
    assert np.abs(shares - exact[:, [0, 4]]).max() <= brief.error
    assert np.abs(legs - exact_legs).max() <= brief.legs_error
    assert (brief.values[:, :4].astype(int).sum(axis=1) <= UNITS).all()
    assert shares.sum(axis=2) == pytest.approx(np.ones((len(shares), 2)), abs=1e-12)
    assert exact.sum(axis=1) == pytest.approx(np.ones((len(exact), 5)), abs=1e-12)
    assert exact.sum(axis=2) == pytest.approx(np.ones((len(exact), 5)), abs=1e-12)


def test_one_sweep_is_the_solution_without_a_grey_die() -> None:
    solver = Solver(co.FIRST.with_options(spaces=6), PLACES)
    solver.start()
    solver.sweep()
    assert solver.sweep() == (0, 0)


def test_threads_change_nothing() -> None:
    edition = co.SECOND.with_options(spaces=5)
    one, two = (solve(edition, (0, 4), np.float32, tolerance=1e-6, threads=n) for n in (1, 2))
    assert np.array_equal(one.values, two.values)
    assert one.changes == two.changes


def test_interrupted_building_goes_on(cache: Path) -> None:
    whole = build_table(SHORT, brief=True)
    remove_tables()

    def interrupt(progress: Progress) -> None:
        if progress.sweep == 3 and progress.share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_table(SHORT, brief=True, report=interrupt)
    assert [file.name for file in cache.iterdir()] == ["race-second-4.sweeps"]
    assert [(t.state, t.positions) for t in list_tables()] == [("unfinished", 2_520)]
    seen: list[Progress] = []
    table = build_table(SHORT, brief=True, report=seen.append)
    assert (seen[0].sweep, seen[-1].share, seen[-1].to_go) == (3, 1, 0)
    assert seen[0].change is not None
    assert [file.name for file in cache.iterdir()] == ["race-second-4.table"]
    difference = np.abs(table.values.astype(int) - whole.values.astype(int))
    assert difference.max() <= 1


def test_damaged_sweeps_are_not_taken(cache: Path) -> None:
    cache.mkdir()
    sweeps_path(SHORT).write_bytes(b"{}\n")
    seen: list[Progress] = []
    build_table(SHORT, brief=True, report=seen.append)
    assert seen[0].sweep == 1
    assert [file.name for file in cache.iterdir()] == ["race-second-4.table"]


def test_wrong_table_is_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "residual", lambda *_: (1e-3, 0.0))
    with pytest.raises(co.CamelOddsError, match=r"misses its equation by 1\.0e-03"):
        build_table(SHORT, brief=False)
    assert list(cache.iterdir()) == []


def test_big_table_is_not_built_unasked() -> None:
    assert race_table(co.SECOND) is None
    with pytest.raises(co.OptionError, match="camelodds tables build second"):
        co.race_odds(co.Position.parse("1:bygrp 14:W 15:K"), method="table")


def test_S6_crossing_backwards_ends_the_race() -> None:
    # The grey die comes or b does: it moves K, which stands on W, over the line.
    race = co.race_odds(co.Position.parse("1:bygrpWK dice=*b", SHORT))
    assert (race.race_ends, race.method) == (0.5, "table")
    # K takes four riders over the line: they rank behind p, the higher of them ahead. Or p
    # crosses the other line, with 2 or 3.
    race = co.race_odds(co.Position.parse("1:WKbygr 3:p dice=*p", SHORT))
    assert race.race_ends == pytest.approx(5 / 6)
    assert race.winner["p"] > 5 / 6
    assert race.last["b"] > 5 / 6


def test_S3_crazy_camels_are_exchangeable() -> None:
    swap = str.maketrans("WK", "KW")
    for text in [
        "1:gyr 2:bWp 4:K",
        "1:gWyK 2:brp",
        "2:bgrKp 4:Wy dice=gy*",
        "3:W 4:Kbygrp dice=bg",
    ]:
        race = co.race_odds(co.Position.parse(text, SHORT))
        other = co.race_odds(co.Position.parse(text.translate(swap), SHORT))
        assert other.winner == pytest.approx(race.winner, abs=1e-13)
        assert other.last == pytest.approx(race.last, abs=1e-13)
        assert other.legs == pytest.approx(race.legs, abs=1e-12)


def test_method_exact_wants_rounding_errors_only() -> None:
    build_table(SHORT, brief=True)
    position = co.Position.parse("1:bygrp 3:W 4:K", SHORT)
    race = co.race_odds(position)
    assert race.method == "table"
    assert 1e-6 < race.error < 2e-5
    assert race.places is None
    assert race.to_dict()["places"] is None
    assert "third" not in f"{race:winner,last}"
    with pytest.raises(co.OptionError, match="good to 1e-05 only"):
        co.race_odds(position, method="exact")
