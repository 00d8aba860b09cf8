"""Plots by matplotlib: each takes axes or makes them, and gives them back.

Camels keep their colours with a dark outline and their letter beside it, so that no plot needs
colours to be told apart.  Nothing global of matplotlib is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from camelodds.display.extras import needed
from camelodds.display.svg import PAINT, letter_colour
from camelodds.display.text import ORDINALS, percent
from camelodds.editions import COLOURS
from camelodds.errors import OptionError, Problem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.results import LegOdds

INK = "#26221d"
KINDS = ("bars", "heat")


def axes(ax: Axes | None, width: float = 7.0, height: float = 3.2) -> Axes:
    """The axes that were given, or new ones of that size in inches.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    OptionError
        If something else than axes was given.
    """
    pyplot = needed("matplotlib.pyplot", "plot")
    if ax is None:
        return cast("Axes", pyplot.subplots(figsize=(width, height), layout="constrained")[1])
    if not isinstance(ax, needed("matplotlib.axes", "plot").Axes):
        tip = "axes of matplotlib, or nothing for new ones"
        raise OptionError(Problem(f"ax={ax!r:.40}", "no axes", tip=tip))
    return cast("Axes", ax)


def chosen(kind: object, kinds: Sequence[str]) -> None:
    """Refuse what is no kind of this plot.

    Raises
    ------
    OptionError
        If `kind` is not one of `kinds`.
    """
    if kind not in kinds:
        tip = f"use one of {', '.join(kinds)}"
        raise OptionError(Problem(f"kind={kind!r:.40}", "no such kind of plot", tip=tip))


def tint(camel: str, share: float) -> tuple[float, float, float]:
    """A camel's colour, mixed with white: 1 is the colour, 0 is white."""
    red, green, blue = (int(PAINT[camel][i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 1 - share * (1 - red), 1 - share * (1 - green), 1 - share * (1 - blue)


def camel_ticks(ax: Axes, camels: Sequence[str], axis: str = "y") -> None:
    """Ticks that are camels: the letter on its colour, and the name."""
    places = range(len(camels))
    if axis == "y":
        ax.set_yticks(places, [COLOURS[camel] for camel in camels])
        ax.tick_params("y", length=0, pad=24)
    else:
        ax.set_xticks(places, [COLOURS[camel] for camel in camels])
        ax.tick_params("x", length=0, pad=22)
    for place, camel in zip(places, camels, strict=True):
        chip(
            ax, camel, (0, place) if axis == "y" else (place, 0),
            (-13, 0) if axis == "y" else (0, -13),
            ax.get_yaxis_transform() if axis == "y" else ax.get_xaxis_transform(),
        )  # fmt: skip


def chip(
    ax: Axes, camel: str, at: tuple[float, float], offset: tuple[float, float], coords: Any = "data"
) -> None:
    """A camel's letter on its colour, `offset` points away from a point."""
    ax.annotate(
        camel,
        at,
        offset,
        xycoords=coords,
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=9,
        fontweight="bold",
        color=letter_colour(camel),
        annotation_clip=False,
        bbox={
            "boxstyle": "round,pad=0.28",
            "facecolor": PAINT[camel],
            "edgecolor": INK,
            "linewidth": 0.8,
        },
    )


def places(result: LegOdds, kind: str = "bars", ax: Axes | None = None) -> Axes:
    """P(camel at place), the likeliest first camel above; see `camelodds.LegOdds.plot`."""
    chosen(kind, KINDS)
    ax = axes(ax)
    rows = sorted(range(len(result.camels)), key=lambda row: -result.places[row, 0])
    camels = [result.camels[row] for row in rows]
    shares = result.places[rows]
    if kind == "heat":
        _heat(ax, shares)
    else:
        _stacked(ax, camels, shares)
    camel_ticks(ax, camels)
    ax.set_title(f"Places at the end of the leg, {result.method}")
    return ax


def _stacked(ax: Axes, camels: Sequence[str], shares: np.ndarray[Any, Any]) -> None:
    ends = shares.cumsum(axis=1)
    for place in range(shares.shape[1]):
        strength = 1 - 0.2 * place
        bars = ax.barh(
            range(len(camels)),
            shares[:, place],
            left=ends[:, place] - shares[:, place],
            color=[tint(camel, strength) for camel in camels],
            edgecolor=INK,
            linewidth=0.7,
        )
        for bar, camel, share in zip(bars, camels, shares[:, place], strict=True):
            if share >= 0.07:
                ax.text(
                    bar.get_x() + bar.get_width() / 2,
                    bar.get_y() + bar.get_height() / 2,
                    f"{ORDINALS[place]}\n{share:.0%}",
                    ha="center",
                    va="center",
                    fontsize=8,
                    linespacing=1.1,
                    color=letter_colour(camel) if strength > 0.65 else INK,
                )
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(needed("matplotlib.ticker", "plot").PercentFormatter(1))
    ax.set_ylim(len(camels) - 0.5, -0.5)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _heat(ax: Axes, shares: np.ndarray[Any, Any]) -> None:
    image = ax.imshow(shares, cmap="cividis", vmin=0, vmax=max(0.5, shares.max()), aspect="auto")
    for row, column in np.ndindex(*shares.shape):
        share = float(shares[row, column])
        # The middle of cividis is a mid grey: white reads below it, black above.
        colour = "white" if share < 0.55 * image.norm.vmax else "black"  # type: ignore[operator]
        ax.text(column, row, percent(share), ha="center", va="center", color=colour, fontsize=9)
    ax.set_xticks(range(shares.shape[1]), ORDINALS)
    ax.xaxis.tick_top()
    ax.tick_params("x", length=0)
    ax.spines[:].set_visible(False)
