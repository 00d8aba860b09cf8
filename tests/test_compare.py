"""Enumeration against sampling; what the next roll changes; progress bars."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import camelodds as co
from camelodds import FIRST, SECOND, OptionError, Position, by_next_roll, compare_methods, leg_odds
from camelodds.cli import main
from camelodds.display import progress as bars
from camelodds.odds.sampling import CHUNK
from camelodds.results.comparison import Comparison, MethodRow
from tests.strategies import positions

TILES = Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition=FIRST)
GREY = Position.parse("3:rb 4:gW 6:y 7:pK 5- 8+", edition=SECOND)


# The next roll.


@pytest.mark.nojit
@given(positions(most_dice=3))
@settings(max_examples=25)
def test_mean_over_the_next_roll_is_the_present(position: Position) -> None:
    if position.leg_over:
        return
    table = by_next_roll(position)
    assert sum(roll.chance for roll in table.rolls) == 1
    grey = "*" in position.dice
    assert len(table) == 3 * (len(position.dice) - grey) + 6 * grey
    for camel in position.edition.racing:
        for place in range(1, 6):
            assert table.mean(camel, place) == table.now.fraction(camel, place)
    ends = sum(roll.chance * roll.leg.race_ends_fraction for roll in table.rolls)
    assert ends == table.now.race_ends_fraction


def test_each_roll_is_the_odds_after_it() -> None:
    table = by_next_roll(GREY)
    assert [roll.event for roll in table.rolls[-6:]] == ["W1", "W2", "W3", "K1", "K2", "K3"]
    for roll in table.rolls:
        assert roll.leg == leg_odds(GREY.after(roll.event))
        assert roll.chance == Fraction(1, 36 if roll.event[0] in "WK" else 18)
        assert table[roll.event] is roll
    # K carries nobody and W nobody: the colour rolled moves. Where only one carries, that one.
    carried = by_next_roll(Position.parse("3:b 4:gWr 6:y 7:p 9:K dice=b*", edition=SECOND))
    assert {roll.camel for roll in carried.rolls[3:]} == {"W"}
    with pytest.raises(KeyError):
        table["w1"]


def test_next_roll_shows_itself() -> None:
    table = by_next_roll(TILES)
    text = str(table)
    assert len(text.splitlines()) == 2 + 1 + 16 + 1 + 2
    assert "moves" not in text
    assert "now" in text
    assert "moves" in str(by_next_roll(Position.parse("4:gWr 6:by 7:p 9:K", edition=SECOND)))
    assert f"{table:w,fifth_o}".splitlines()[0].split() == ["roll", "w", "white", "o", "5th"]
    data = json.loads(json.dumps(table.to_dict()))
    assert data["rolls"][0]["event"] == "b1"
    assert data["rolls"][0]["chance"] == "1/15"
    assert data["now"] == leg_odds(TILES).to_dict()
    assert "<table" in table._repr_html_()


def test_no_next_roll() -> None:
    for text in ("3:ob 4:g 6:y 7:w dice=", "3:ob 4:g 6:y 17:w"):
        with pytest.raises(OptionError, match="nothing is rolled or revealed next"):
            by_next_roll(Position.parse(text, edition=FIRST))
    with pytest.raises(OptionError, match="not a Position"):
        by_next_roll("3:ob")  # type: ignore[arg-type]


# Enumeration against sampling.


def test_comparison() -> None:
    found = compare_methods(GREY, (1_000, 50_000), seed=3)
    rows = [(row.dice, row.method, row.n) for row in found.rows]
    assert rows[:2] == [(0, "exact", None), (1, "exact", None)]
    assert rows[2:5] == [(2, "exact", None), (2, "sampled", 1_000), (2, "sampled", 50_000)]
    assert rows[-1] == (6, "sampled", 50_000)
    assert len(rows) == 7 + 5 * 2
    for row in found.rows:
        assert row.seconds > 0
        now = Position(SECOND, GREY.stacks, GREY.tiles, GREY.dice[len(GREY.dice) - row.dice :])
        if row.n is None:
            assert row.largest_error == row.expected_error == 0
        else:
            exact = leg_odds(now).places
            sampled = leg_odds(now, "sample", n=row.n, seed=3).places
            assert row.largest_error == np.abs(sampled - exact).max()
            assert row.expected_error == pytest.approx(
                math.sqrt((exact * (1 - exact)).max() / row.n)
            )
            assert row.largest_error <= 5 * row.expected_error
    assert found.seed == 3
    # Precise to 0.05 %, far below where enumeration begins to win.
    assert all(even.standard_error > 0.0005 for even in found.break_even)


def test_break_even_is_where_times_are_equal() -> None:
    rows = (
        MethodRow(5, "exact", None, 0.002, 0, 0),
        MethodRow(5, "sampled", 100, 0.5, 0.1, 0.05),
        MethodRow(5, "sampled", 10_000, 1.0, 0.01, 0.005),
        MethodRow(0, "exact", None, 0.001, 0, 0),
    )
    (even,) = Comparison(TILES, rows, 1).break_even
    assert even.dice == 5
    assert even.samples == pytest.approx(20)
    assert even.standard_error == pytest.approx(0.005 * math.sqrt(10_000 / 20))


def test_comparison_shows_itself() -> None:
    found = compare_methods(TILES, (1_000,), seed=1)
    text = str(found)
    assert "5 dice left: one enumeration takes as long as" in text
    assert "standard error below" in text
    assert json.loads(json.dumps(found.to_dict()))["rows"][-1]["n"] == 1_000
    assert "<table" in found._repr_html_()


def test_comparison_is_plotted() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    found = compare_methods(TILES, (1_000, 10_000), seed=1)
    ax = found.plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"{dice} dice left" for dice in range(1 + 1, 6)]
    assert ax.get_xscale() == ax.get_yscale() == "log"
    _, given_axes = pyplot.subplots()
    assert found.plot(given_axes) is given_axes
    pyplot.close("all")


def test_progress_of_a_comparison_is_told() -> None:
    told: list[tuple[int, int]] = []
    compare_methods(TILES, (100, 200), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (1800, 1800)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize(
    ("samples", "n_faults"),
    [((), 0), ((0,), 1), ((1.5, -1), 2), ("1000", 1), (1000, 1), ((None,), 1), ((10**14,), 1)],
    ids=repr,
)
def test_refused(samples: Any, n_faults: int) -> None:
    if not n_faults:
        assert compare_methods(TILES, samples).break_even == ()
        return
    with pytest.raises(OptionError) as caught:
        compare_methods(TILES, samples)
    assert len(caught.value.problems) == n_faults


def test_nothing_to_compare() -> None:
    with pytest.raises(OptionError, match="nothing is rolled"):
        compare_methods(Position.parse("3:ob 4:g 6:y 17:w", edition=FIRST), (10,))
    with pytest.raises(OptionError, match="not a Position"):
        compare_methods("3:ob", (10,), seed=-1)  # type: ignore[arg-type]


def test_in_a_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "compare.png"
    words = ["compare", str(TILES), "--samples", "1e2,1e3", "--seed", "2"]
    assert main([*words, "--plot", str(picture)]) == 0
    assert "Enumeration against sampling" in capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 2
    assert main(["compare", str(TILES), "--samples", "1e2,x"]) == 2
    assert "not a whole number" in capsys.readouterr().err
    assert main([*words, "--plot", str(tmp_path / "compare.unknown")]) == 2


@pytest.mark.parametrize("command", ["leg", "race"])
def test_sampling_in_a_terminal(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [command, str(TILES), "--method", "sample", "--n", "1e3", "--seed", "5"]
    assert main(words) == 0
    assert "n = 1,000, seed 5" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["n"], data["seed"]) == (1000, 5)
    assert "standard_errors" in data
    assert main([command, str(TILES), "--method", "sample", "--n", "-1"]) == 2
    assert "less than 0" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process")
@pytest.mark.parametrize("command", [["leg", "--method", "sample"], ["race", "--method", "tail"]])
def test_an_interrupt_in_a_terminal(command: list[str]) -> None:
    words = [sys.executable, "-m", "camelodds", *command, "--n", "1e12", str(GREY)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(20)  # long enough to compile
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "camelodds: interrupted" in errors
    assert "Traceback" not in errors
    assert time.monotonic() - start < 5


# Bars.


def test_a_bar_in_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as if there were one
    leg_odds(TILES, "sample", n=2 * CHUNK, seed=1, progress=True)
    assert "sampling" in capsys.readouterr().err
    leg_odds(TILES, "sample", n=2 * CHUNK, seed=1)
    assert capsys.readouterr().err == ""


def test_a_bar_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, html: Any) -> None:
            shown.append(html.data)

    display = pytest.importorskip("IPython.display")
    monkeypatch.setitem(bars.sys.modules, "ipykernel", display)
    monkeypatch.setattr(display, "display", lambda *_, **__: Handle())
    with bars.bar() as update:
        update(5, 10)
        update(6, 10)
        update(10, 10)
    # The first and the last; the second follows too soon; then the bar goes.
    assert [text.partition("></")[0] for text in shown] == [
        '<progress value="5" max="10"',
        '<progress value="10" max="10"',
        "",
    ]


def test_short_runs_show_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with bars.bar(math.inf) as update:
        update(1, 2)
    assert capsys.readouterr().err == ""


def test_public_names() -> None:
    for name in ("by_next_roll", "compare_methods", "leg_odds_batch", "race_odds_batch", "pack"):
        assert name in co.__all__
