"""Plots: what is drawn is what the results say; nothing is imported before it is drawn."""

import subprocess
import sys

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
