"""Plots: what is drawn is what the results say; nothing is imported before it is drawn."""

import dataclasses
import subprocess
import sys
from itertools import pairwise

import matplotlib
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import camelodds as co
from camelodds.display import plots
from camelodds.display.svg import PAINT

LEG = co.leg_odds(co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition="first"))


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def drawn(ax):
    """Draw it, so that what cannot be laid out warns, which is an error."""
    ax.figure.canvas.draw()
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("kind", plots.KINDS)
def test_axes_in_and_out(kind):
    _, ax = plt.subplots()
    assert LEG.plot(kind, ax=ax) is ax
    made = LEG.plot(kind)
    assert made.figure is not ax.figure
    drawn(ax)
    drawn(made)


def test_stacked_bars_are_the_places():
    ax = LEG.plot()
    words = drawn(ax)
    order = "wybgo"
    assert [text for text in words if text in LEG.camels] == list(order)
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "white", "yellow", "blue", "green", "orange",
    ]  # fmt: skip
    for place, bars in enumerate(ax.containers):
        for camel, bar in zip(order, bars, strict=True):
            share = LEG.places[LEG.camels.index(camel), place]
            assert bar.get_width() == pytest.approx(share)
            if place == 0:
                assert matplotlib.colors.to_hex(bar.get_facecolor()) == PAINT[camel]
    assert "1st\n43%" in words


def test_heat_map_is_the_places():
    ax = LEG.plot("heat")
    shares = ax.images[0].get_array()
    assert shares.tolist() == LEG.places[[LEG.camels.index(c) for c in "wybgo"]].tolist()
    assert {"43.4%", "29.6%", "2.5%"} <= set(drawn(ax))


def test_bad_arguments():
    with pytest.raises(co.OptionError, match="bars, heat"):
        LEG.plot("pie")
    with pytest.raises(co.OptionError, match="no axes"):
        LEG.plot(ax="here")


def test_nothing_global_is_changed():
    before = dict(matplotlib.rcParams)
    for kind in plots.KINDS:
        drawn(LEG.plot(kind))
    assert dict(matplotlib.rcParams) == before


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(co.MissingExtraError, match=r'pip install "camelodds\[plot\]"'):
        LEG.plot()


def test_matplotlib_is_not_imported_before_something_is_plotted():
    code = (
        "import sys, camelodds as co; leg = co.leg_odds(co.Position.parse('1:gyo 3:bw'));"
        "leg._repr_html_(); import camelodds.display.plots;"
        "assert 'matplotlib' not in sys.modules; leg.plot(); assert 'matplotlib' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=None)


RACE = co.race_odds(co.Position.parse("14:wy 15:o 16:bg", edition="first"))


def test_error_bars_are_the_standard_errors_of_a_sampled_leg():
    leg = co.leg_odds(LEG.position, method="sample", n=2_000, seed=1)
    ax = leg.plot()
    drawn(ax)
    (lines,) = ax.containers[-1].lines[2]
    order = [leg.camels.index(camel) for camel in sorted(leg.camels, key=lambda c: -leg.first[c])]
    halves = [(end[1][0] - end[0][0]) / 2 for end in lines.get_segments()]
    first = halves[:: len(leg.camels) - 1]
    assert first == pytest.approx(leg.standard_errors["places"][order, 0].tolist())
    assert "2,000 samples, ± 1 standard error" in ax.get_title()
    assert any("±" in text for text in drawn(leg.plot("heat")))
    assert not any("±" in text for text in [*drawn(LEG.plot("heat")), LEG.plot().get_title()])


def test_race_odds_show_winner_and_last():
    ax = RACE.plot()
    words = drawn(ax)
    order = sorted(RACE.camels, key=lambda camel: -RACE.winner[camel])
    wins, last = ax.containers
    assert [bar.get_width() for bar in wins] == [RACE.winner[camel] for camel in order]
    assert [bar.get_width() for bar in last] == [RACE.last[camel] for camel in order]
    assert "wins 47.0%" in words
    assert "is last 75.0%" in words


@pytest.mark.parametrize("kind", ["ends", "bars", "heat"])
def test_error_bars_of_sampled_race_odds(kind):
    sampled = co.race_odds(RACE.position, method="sample", n=1_000, seed=1)
    ax = sampled.plot(kind)
    words = drawn(ax)
    assert "± 1 standard error" in ax.get_title()
    errors = sampled.standard_errors["places"]
    order = sorted(range(5), key=lambda row: -sampled.places[row, 0])
    if kind == "ends":
        assert sum("±" in text for text in words) == 2 * len(RACE.camels)
    elif kind == "heat":
        assert sum("±" in text for text in words) == len(RACE.camels) ** 2
    else:
        (lines,) = ax.containers[-1].lines[2]
        halves = [(end[1][0] - end[0][0]) / 2 for end in lines.get_segments()]
        assert halves == pytest.approx(errors[order][:, [0, -1]].ravel().tolist())


def test_places_of_a_race_where_they_are_known():
    ax = RACE.plot("bars")
    drawn(ax)
    row = RACE.places[RACE.camels.index(sorted(RACE.camels, key=lambda c: -RACE.winner[c])[0])]
    assert [bars[0].get_width() for bars in ax.containers] == pytest.approx(row.tolist())
    drawn(RACE.plot("heat"))
    unknown = dataclasses.replace(RACE, places=None)
    with pytest.raises(co.OptionError, match='use kind="ends"'):
        unknown.plot("heat")


def test_tile_values_along_the_track():
    game = co.Game.start(co.FIRST, players=3, position="3:ob 4:g 6:y 7:w 13-@P2")
    values = co.action_values(game, without=["winner", "last"])
    ax = values.tile_map.plot()
    drawn(ax)
    for side, bars in zip("+-", ax.containers, strict=True):
        heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in bars}
        assert heights == {
            int(row.action[5:-1]): row.value
            for row in values
            if row.kind == "tile" and row.action.endswith(side)
        }
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["tile +1", "tile \u22121"]


LOG = co.GameLog.parse("3:ob 4:g 6:y 7:w 13-@P2\nroll w1\nticket w\nroll o3\nundo\nroll y2")


@pytest.mark.parametrize("kind", ["leg", "winner", "last"])
def test_the_course_of_a_recorded_game(kind):
    odds = LOG.odds(kind)
    ax = odds.plot()
    words = drawn(ax)
    assert set(words) == set(odds.edition.racing)
    for camel, line in zip(odds.edition.racing, ax.lines, strict=True):
        assert line.get_color() == PAINT[camel]
        assert line.get_ydata().tolist() == odds[camel].tolist()
    ticks = [label.get_text() for label in ax.get_xticklabels()]
    assert ticks == ["start", "roll w1", "ticket w", "roll y2"]


def test_sampled_courses_show_their_errors():
    odds = LOG.odds()
    assert odds.errors is None
    assert "±" not in odds.plot().get_title()
    sampled = dataclasses.replace(odds, errors=0.01 + 0 * odds.shares)
    ax = sampled.plot()
    drawn(ax)
    assert len(ax.containers) == len(LEG.camels)
    assert "± 1 standard error" in ax.get_title()
    assert "±1.0" in str(sampled)
    assert sampled.to_dict()["errors"]["w"] == [0.01] * 4
    assert odds.to_dict()["errors"] is None


def test_letters_of_camels_that_end_alike_do_not_hide_one_another():
    ax = LOG.after("roll b1").after("roll g1").after("roll o1").odds().plot()
    drawn(ax)
    ends = sorted(note.xy[1] for note in ax.texts[-len(LEG.camels) :])
    assert min(b - a for a, b in pairwise(ends)) >= 0.07


def test_what_the_next_roll_changes():
    found = co.by_next_roll(co.Position.parse("3:rb 4:g 6:y 7:p 10:KW 8+ dice=by*"))
    ax = found.plot()
    words = drawn(ax)
    shown = ax.images[0].get_array()
    for row, roll in enumerate(found.rolls):
        for column, camel in enumerate(found.now.camels):
            change = roll.leg.first[camel] - found.now.first[camel]
            assert shown[row, column] == pytest.approx(change)
    assert [label.get_text() for label in ax.get_yticklabels()] == [r.event for r in found.rolls]
    assert set(found.now.camels) <= set(words)
    # Camels keep their share on average, so each column has both signs or neither.
    assert "0" in words


def test_enumeration_against_sampling():
    found = co.compare_methods(LEG.position, (1_000, 4_000), seed=1)
    ax = found.plot()
    drawn(ax)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    dice = {even.dice for even in found.break_even}
    sampled = [row for row in found.rows if row.n and row.dice in dice]
    assert sampled
    drawn_points = {
        (x, y) for line in ax.lines for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    }
    for row in sampled:
        assert (row.seconds, row.expected_error) in drawn_points
        assert (row.seconds, row.largest_error) in drawn_points


@pytest.mark.parametrize("kind", ["leg", "race", "tiles", "course", "next roll", "comparison"])
def test_every_plot_takes_axes_and_gives_them_back(kind):
    game = co.Game.start(co.FIRST, players=3, position=LEG.position)
    plot = {
        "leg": lambda ax: LEG.plot(ax=ax),
        "race": lambda ax: RACE.plot(ax=ax),
        "tiles": lambda ax: co.action_values(game, without=["winner", "last"]).tile_map.plot(ax),
        "course": lambda ax: LOG.odds().plot(ax),
        "next roll": lambda ax: co.by_next_roll(LEG.position).plot(ax),
        "comparison": lambda ax: co.compare_methods(LEG.position, (1_000,), seed=1).plot(ax),
    }[kind]
    _, ax = plt.subplots()
    assert plot(ax) is ax
    assert plot(None).figure is not ax.figure
    with pytest.raises(co.OptionError, match="no axes"):
        plot("here")
