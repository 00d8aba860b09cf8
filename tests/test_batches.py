"""Batches against single calls; packed rows that are wrong, named."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import camelodds as co
from benchmarks.positions import random_play
from camelodds import (
    FIRST,
    SECOND,
    Edition,
    LegBatch,
    OptionError,
    PackedBatch,
    Position,
    PositionError,
    leg_odds,
    leg_odds_batch,
    pack,
    race_odds,
    race_odds_batch,
)
from camelodds.kernels.batches import check_row
from camelodds.odds import batches
from camelodds.odds.batches import _unpack
from tests.strategies import positions

BOTH = pytest.mark.parametrize("edition", [FIRST, SECOND], ids=str)


def some(edition: Edition, n: int = 24) -> list[Position]:
    """Positions with tiles, with every number of dice; legs and races that are over too."""
    found = []
    for i, position in enumerate(random_play(edition, n, tiles=(0, 4), seed=7)):
        left = edition.dice[i % (len(edition.dice) + 1) :]
        found.append(Position(edition, position.stacks, position.tiles, left))
    line = "3:b 5:y 7:g 9:o 17:w" if edition == FIRST else "3:b 5:y 7:gWK 9:r 18:p"
    back = [] if edition == FIRST else [Position.parse("-1:Wb 5:y 7:gK 9:r 16:p", "second")]
    return [*found, Position.parse(line, edition), *back]


def is_row(batch: LegBatch, row: int, position: Position) -> None:
    leg = leg_odds(position)
    assert batch.totals[row] == leg.total
    assert np.array_equal(batch.weights[row], leg.weights)
    assert np.array_equal(batch.places[row], leg.places)
    assert batch.race_ends[row] == leg.race_ends
    expected = np.zeros(position.edition.spaces + 1)
    for space, units in leg.landings.items():
        expected[space] = units
    assert np.array_equal(batch.landings[row], expected)


@BOTH
def test_rows_are_the_single_odds(edition: Edition) -> None:
    given_positions = some(edition)
    by_list = leg_odds_batch(given_positions)
    by_arrays = leg_odds_batch(pack(given_positions), edition=edition, threads=1)
    assert by_list.ok.all()
    assert not by_list.problems
    for row, position in enumerate(given_positions):
        is_row(by_list, row, position)
        is_row(by_arrays, row, position)
    assert np.allclose(by_list.outcomes.sum(axis=1), 1)


@BOTH
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(edition: Edition, threads: int) -> None:
    packed = pack(some(edition) * 20)
    batch = leg_odds_batch(packed, edition=edition, threads=threads)
    once = leg_odds_batch(packed, edition=edition, threads=1)
    assert np.array_equal(batch.weights, once.weights)
    assert np.array_equal(batch.landings, once.landings)


def test_many_callers_at_once() -> None:
    given_positions = some(SECOND, 12)
    expected = leg_odds_batch(given_positions).weights
    found: list[Any] = [None] * 6

    def call(i: int) -> None:
        found[i] = leg_odds_batch(given_positions, threads=2).weights

    callers = [threading.Thread(target=call, args=(i,)) for i in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert all(np.array_equal(weights, expected) for weights in found)


def test_more_room_is_taken_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    given_positions = random_play(SECOND, 5, tiles=(0, 2))
    expected = leg_odds_batch(given_positions).weights
    monkeypatch.setattr(batches, "POOL", 64)
    monkeypatch.setattr(batches, "SLOTS", 64)
    assert np.array_equal(leg_odds_batch(given_positions, threads=1).weights, expected)


def test_a_bad_row_is_named_and_harms_no_other() -> None:
    good = random_play(FIRST, 3)
    other = Position.start(SECOND, seed=1)
    batch = leg_odds_batch([good[0], "3:ob", good[1], other, good[2]], edition=FIRST)  # type: ignore[list-item]
    assert batch.ok.tolist() == [True, False, True, False, True]
    assert list(batch.problems) == [1, 3]
    assert "not a Position" in str(batch.problems[1][0])
    assert "second edition" in str(batch.problems[3][0])
    for row, position in zip((0, 2, 4), good, strict=True):
        is_row(batch, row, position)
    assert np.isnan(batch.places[1]).all()
    assert np.isnan(batch.landings[3]).all()
    assert batch.totals[1] == 0
    with pytest.raises(PositionError, match=r"row 3: .*second edition"):
        batch.raise_problems()
    leg_odds_batch(good).raise_problems()


def test_a_bad_packed_row_is_named_and_harms_no_other() -> None:
    good = random_play(SECOND, 6, tiles=(2, 2), seed=2)
    packed = pack(good)
    packed.stack[0] ^= 1
    packed.dice[1] = 64
    packed.plus[2] |= 1 << 3
    packed.minus[3] |= packed.plus[3]
    packed.stack[4] = -1
    batch = leg_odds_batch(packed, edition="second")
    assert list(batch.problems) == [0, 1, 2, 3, 4]
    assert "dice=64" in str(batch.problems[1][0])
    assert any(problem.rule == "F4" for problem in batch.problems[2])
    assert any("tile" in str(problem) for problem in batch.problems[3])
    is_row(batch, 5, good[5])


@pytest.mark.nojit
@given(positions(), st.integers(0, 62), st.integers(0, 2), st.booleans())
def test_rows_are_checked_as_positions_are(
    position: Position, bit: int, column: int, change: bool
) -> None:
    """One bit off: right for the kernel just where it is a position that packs to the same."""
    edition, row = position.edition, list(position.packed)
    if change:
        row[column] ^= 1 << bit
    code = check_row(*row, len(edition.dice), edition.rules)
    try:
        right = list(_unpack(edition, *row).packed) == row
    except (PositionError, KeyError):
        right = False
    assert (code == 0) == right
    if not change:
        assert code == 0


@given(positions())
def test_pack_can_be_undone(position: Position) -> None:
    packed = pack([position])
    again = _unpack(position.edition, *(int(column[0]) for column in packed))
    assert again == Position(
        position.edition,
        position.stacks,
        {space: tile.sign for space, tile in position.tiles.items()},
        position.dice,
    )


def test_empty_batches() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert leg_odds_batch(PackedBatch(none, none, none, none), edition=FIRST).places.shape == (
        0,
        5,
        5,
    )
    assert len(leg_odds_batch([], edition=FIRST)) == 0
    assert len(race_odds_batch([], edition=FIRST)) == 0


@pytest.mark.parametrize(
    ("arguments", "options", "n_faults"),
    [
        (([],), {}, 1),
        (([Position.start(FIRST, 1), Position.start(SECOND, 1)],), {}, 1),
        ((pack([Position.start(FIRST, 1)]),), {}, 1),
        (((np.zeros(2), np.zeros(2, int), np.zeros((2, 1), int), np.zeros(2, int)),), {}, 3),
        ((tuple(np.zeros(i, int) for i in range(4)),), {"edition": FIRST}, 1),
        (([],), {"edition": "third"}, 1),
        (([],), {"edition": FIRST, "threads": 0}, 1),
        (([],), {"edition": FIRST, "threads": 1.5}, 1),
    ],
)
def test_refused(arguments: Any, options: Any, n_faults: int) -> None:
    for function in (leg_odds_batch, race_odds_batch):
        with pytest.raises(OptionError) as caught:
            function(*arguments, **options)
        assert len(caught.value.problems) == n_faults


def test_pack_refuses_what_is_no_position() -> None:
    with pytest.raises(OptionError, match="row 1"):
        pack([Position.start(FIRST, 1), "3:ob"])  # type: ignore[list-item]


# Races.


def test_races_of_the_first_edition_are_the_single_odds() -> None:
    given_positions = some(FIRST)
    for batch in (
        race_odds_batch(given_positions),
        race_odds_batch(pack(given_positions), edition=FIRST, threads=1),
    ):
        assert batch.places is not None
        assert batch.ok.all()
        for row, position in enumerate(given_positions):
            race, leg = race_odds(position), leg_odds(position)
            assert batch.methods[row] == race.method
            assert np.allclose(batch.places[row], race.places, atol=1e-13)
            assert np.allclose(batch.winner[row], [*race.winner.values()], atol=1e-13)
            assert np.allclose(batch.last[row], [*race.last.values()], atol=1e-13)
            assert batch.legs[row] == pytest.approx(race.legs, abs=1e-12)
            assert batch.race_ends[row] == race.race_ends
            for space, units in leg.landings.items():
                assert batch.landings[row, space] == units


def test_races_without_a_table_are_sampled(tmp_path: Path) -> None:
    given_positions: list[Any] = [*some(SECOND, 4), "no position"]
    batch = race_odds_batch(given_positions, edition=SECOND, folder=tmp_path, seed=3, until=0.003)
    assert batch.seeds is not None
    assert batch.n is not None
    assert batch.standard_errors is not None
    assert list(batch.problems) == [len(given_positions) - 1]
    for row, position in enumerate(given_positions[:-1]):
        seed = int(batch.seeds[row]) if batch.seeds[row] >= 0 else None
        alone = race_odds(position, folder=tmp_path, seed=seed, until=0.003)
        assert [*alone.winner.values()] == batch.winner[row].tolist()
        assert alone.legs == batch.legs[row]
        assert batch.methods[row] == alone.method
        if alone.sampled:
            assert np.array_equal(alone.standard_errors["places"], batch.standard_errors[row])
    assert np.isnan(batch.winner[-1]).all()
    again = race_odds_batch(
        given_positions, edition=SECOND, folder=tmp_path, seed=3, until=0.003, threads=1
    )
    assert np.array_equal(again.winner, batch.winner, equal_nan=True)
    with pytest.raises(OptionError, match="tables build second"):
        race_odds_batch(given_positions, "table", edition=SECOND, folder=tmp_path)
    with pytest.raises(OptionError, match="no meaning"):
        race_odds_batch(given_positions, "exact", edition=SECOND, seed=1)
    with pytest.raises(OptionError, match="no such method"):
        race_odds_batch(given_positions, "guess", edition=SECOND)


def test_batches_tell_what_they_are() -> None:
    given_positions: list[Any] = [*random_play(FIRST, 2), 3]
    assert (
        repr(leg_odds_batch(given_positions))
        == "<LegBatch of 3 positions (first), 1 of them wrong>"
    )
    assert repr(race_odds_batch(given_positions[:2])) == "<RaceBatch of 2 positions (first)>"


def test_batches_are_frozen_and_can_be_pickled() -> None:
    given_positions: list[Any] = [*random_play(FIRST, 2, tiles=(1, 2)), 3]
    for batch in (leg_odds_batch(given_positions), race_odds_batch(given_positions)):
        again = pickle.loads(pickle.dumps(batch))
        assert again.problems == batch.problems
        assert np.array_equal(again.places, batch.places, equal_nan=True)
        assert np.array_equal(again.landings, batch.landings, equal_nan=True)
        with pytest.raises(ValueError, match="read-only"):
            batch.landings[0] = 1


def test_decks_are_done_one_by_one() -> None:
    cards = [
        co.Position.parse(f"3:bK 4:g 6:y 7:r 9:p last=16 deck={left}", "cards")
        for left in ("2+1", "1+1")
    ]
    batch = leg_odds_batch(cards)
    for row, position in enumerate(cards):
        leg = leg_odds(position)
        assert batch.totals[row] == leg.total
        assert np.array_equal(batch.weights[row], leg.weights)
        assert np.array_equal(batch.places[row], leg.places)


def test_races_of_decks_are_sampled_one_by_one() -> None:
    cards = [
        co.Position.parse(f"3:bK 4:g 6:y 7:r 9:p players=4 deck={left}", "cards")
        for left in ("2+1", "1+1")
    ]
    batch = race_odds_batch(cards, n=500, seed=2)
    assert batch.seeds is not None
    for row, position in enumerate(cards):
        alone = race_odds(position, n=500, seed=int(batch.seeds[row]))
        assert [*alone.winner.values()] == batch.winner[row].tolist()
    assert list(race_odds_batch(cards, "exact").problems) == [0, 1]


def test_texts_are_no_positions() -> None:
    with pytest.raises(OptionError, match=r"'1:gyo 3:bw': not a Position - make one with"):
        leg_odds_batch(["1:gyo 3:bw"])  # type: ignore[list-item]
