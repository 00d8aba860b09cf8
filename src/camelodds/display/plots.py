"""Plots by matplotlib: each takes axes or makes them, and gives them back.

Camels keep their colours with a dark outline and their letter beside it, so that no plot needs
colours to be told apart.  Nothing global of matplotlib is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from camelodds.display.extras import needed
from camelodds.display.svg import PAINT, THEME, letter_colour
from camelodds.display.text import ORDINALS, percent
from camelodds.editions import COLOURS
from camelodds.errors import OptionError, Problem, not_one_of, refuse

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camelodds.results.actions import TileMap
    from camelodds.results.comparison import Comparison
    from camelodds.results.leg import LegOdds
    from camelodds.results.log import OddsByEvent
    from camelodds.results.next_roll import NextRoll
    from camelodds.results.race import RaceOdds

Array = npt.NDArray[np.float64]

INK = "#26221d"
KINDS = ("bars", "heat")
NO_POINTS = 0.005
"""Less than this rounds to no percentage point."""
MOST_TICKS = 40
"""More events than that do not all get a tick."""


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
    refuse(not_one_of("kind", kind, kinds, "kind of plot"))


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
    ax: Axes,
    camel: str,
    at: tuple[float, float],
    offset: tuple[float, float] = (0, 0),
    coords: Any = "data",
    size: float = 9,
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
        fontsize=size,
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
    """P(camel at place) of a leg; see `camelodds.LegOdds.plot`."""
    chosen(kind, KINDS)
    ax = axes(ax)
    rows = sorted(range(len(result.camels)), key=lambda row: -result.places[row, 0])
    shares = result.places[rows]
    if kind == "heat":
        _heat(ax, shares, result.standard_errors["places"][rows] if result.sampled else None)
    else:
        _stacked(ax, [result.camels[row] for row in rows], shares)
        if result.sampled:
            within = shares.cumsum(axis=1)[:, :-1].clip(0, 1)
            errors = np.sqrt(within * (1 - within) / max(result.total, 1))
            _boundary_errors(ax, within, errors)
    camel_ticks(ax, [result.camels[row] for row in rows])
    how = f"{result.total:,} samples, ± 1 standard error" if result.sampled else result.method
    ax.set_title(f"Places at the end of the {result.edition.leg_word} ({how})")
    return ax


def _boundary_errors(ax: Axes, within: Array, errors: Array) -> None:
    """Error bars of P(this place or a better one), at the ends of the bars."""
    rows = np.repeat(np.arange(len(within)), within.shape[1])
    ax.errorbar(
        within.ravel(), rows, xerr=errors.ravel(), fmt="none", ecolor=INK, elinewidth=1.6,
        capsize=3, zorder=5,
    )  # fmt: skip


def race(result: RaceOdds, kind: str = "ends", ax: Axes | None = None) -> Axes:
    """P(wins) and P(is last), or all places of a race; see `camelodds.RaceOdds.plot`."""
    chosen(kind, ("ends", *KINDS))
    if kind != "ends" and result.places is None:
        tip = 'use kind="ends"'
        raise OptionError(Problem(f"kind={kind!r}", "the places between are not known", tip=tip))
    ax = axes(ax)
    camels = sorted(result.camels, key=lambda camel: -result.winner[camel])
    if kind == "ends":
        _ends(ax, result, camels)
    else:
        assert result.places is not None
        rows = [result.camels.index(camel) for camel in camels]
        shares, errors = result.places[rows], result.standard_errors["places"][rows]
        if kind == "heat":
            _heat(ax, shares, errors if result.sampled else None)
        else:
            _stacked(ax, camels, shares)
            if result.sampled:  # errors of sums are known at the ends only
                ends = np.stack([shares[:, 0], 1 - shares[:, -1]], axis=1)
                _boundary_errors(ax, ends, errors[:, [0, -1]])
    camel_ticks(ax, camels)
    how = ", ± 1 standard error" if result.sampled else ""
    title = "Winner and last" if kind == "ends" else "Places"
    ax.set_title(f"{title} of the race ({result.method}{how})")
    return ax


def _ends(ax: Axes, result: RaceOdds, camels: Sequence[str]) -> None:
    errors = result.standard_errors["places"]
    pairs = (("wins", result.winner, 0, -0.2, ""), ("is last", result.last, -1, 0.2, "////"))
    longest = max(max(chances.values()) for _, chances, *_ in pairs)
    for name, chances, place, shift, hatch in pairs:
        offs = None
        if result.sampled:
            offs = [float(errors[result.camels.index(camel), place]) for camel in camels]
        bars = ax.barh(
            [row + shift for row in range(len(camels))],
            [chances[camel] for camel in camels],
            height=0.38,
            color=[tint(camel, 0.45 if hatch else 1) for camel in camels],
            hatch=hatch,
            edgecolor=INK,
            linewidth=0.7,
            xerr=offs,
            ecolor=INK,
            capsize=3,
            label=name,
        )
        for row, (bar, camel) in enumerate(zip(bars, camels, strict=True)):
            error = None if offs is None else offs[row]
            ax.annotate(
                f"{name} {percent(chances[camel], error)}",
                (bar.get_width() + (error or 0), row + shift),
                (5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
    ax.set_xlim(0, min(1.35, 1.35 * longest))
    ax.xaxis.set_major_formatter(needed("matplotlib.ticker", "plot").PercentFormatter(1, 0))
    ax.set_ylim(len(camels) - 0.45, -0.55)
    ax.spines[["top", "right", "left"]].set_visible(False)


def odds_by_event(result: OddsByEvent, ax: Axes | None = None) -> Axes:
    """How the odds went through a recorded game; see `camelodds.OddsByEvent.plot`."""
    ax = axes(ax, 8.0, 3.6)
    events = np.arange(len(result))
    outline = needed("matplotlib.patheffects", "plot").withStroke(linewidth=3.6, foreground=INK)
    for start, camel in enumerate(result.edition.racing):
        shares = result[camel]
        for event in range(1 + start, len(result) - 1, 2 * len(result.edition.racing)):
            chip(ax, camel, (event, float(shares[event])), size=6.5)
        ax.plot(
            events, shares, color=PAINT[camel], linewidth=2.2, path_effects=[outline],
            solid_capstyle="round", label=COLOURS[camel],
        )  # fmt: skip
        errors = result.error(camel)
        if errors.any():
            ax.errorbar(events, shares, errors, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    # Chips behind the last event, moved apart where they would hide one another.
    order = sorted(result.edition.racing, key=lambda camel: float(result[camel][-1]))
    height = -1.0
    for camel in order:
        height = max(float(result[camel][-1]), height + 0.075)
        chip(ax, camel, (float(events[-1]), height), (14, 0))
    step = -(-len(result) // MOST_TICKS)
    ax.set_xticks(events[::step], [e or "start" for e in result.events[::step]], rotation=90)
    ax.tick_params("x", labelsize=8)
    ax.set_xlim(0, max(len(result) - 1, 1))
    ax.set_ylim(-0.02, max(1.02, height + 0.05))
    ax.yaxis.set_major_formatter(needed("matplotlib.ticker", "plot").PercentFormatter(1, 0))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", linewidth=0.5, alpha=0.5)
    leg = f"first at the end of the {result.edition.leg_word}"
    what = {"leg": leg, "winner": "wins the race", "last": "is last"}
    how = ", ± 1 standard error" if result.errors is not None else ""
    ax.set_title(f"P({what[result.kind]}) by event{how}")
    return ax


def next_roll(result: NextRoll, ax: Axes | None = None) -> Axes:
    """What each roll changes for P(first); see `camelodds.NextRoll.plot`."""
    ax = axes(ax, 6.4, 0.6 + 0.27 * len(result.rolls))
    now, camels = result.now, result.now.camels
    after = np.array([roll.leg.places[:, 0] for roll in result.rolls])
    change = after - now.places[:, 0]
    # Blue and red-brown of RdBu are told apart by everybody; the numbers have signs.
    most = max(float(np.abs(change).max()), 1e-9)
    ax.imshow(change, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
    for row, column in np.ndindex(*change.shape):
        share = float(change[row, column])
        text = f"{100 * share:+.0f}" if abs(share) >= NO_POINTS else "0"
        colour = "white" if abs(share) > 0.62 * most else INK
        ax.text(column, row, text, ha="center", va="center", color=colour, fontsize=8.5)
    ax.set_yticks(range(len(result.rolls)), [roll.event for roll in result.rolls])
    heads = [
        f"{COLOURS[camel]}\nnow {percent(share)}"
        for camel, share in zip(camels, now.places[:, 0].tolist(), strict=True)
    ]
    ax.set_xticks(range(len(camels)), heads, fontsize=9)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.tick_params("x", pad=14)
    for column, camel in enumerate(camels):
        chip(ax, camel, (column, 1), (0, 8), ax.get_xaxis_transform(), size=8)
    for row, roll in enumerate(result.rolls[1:], 1):
        if roll.event[0] != result.rolls[row - 1].event[0]:
            ax.axhline(row - 0.5, color="white", linewidth=2.5)
    ax.spines[:].set_visible(False)
    ax.set_title("Percentage points that the next roll adds to P(first)", fontsize=11)
    return ax


def tiles(result: TileMap, ax: Axes | None = None) -> Axes:
    """What the own tile is worth along the track; see `camelodds.TileMap.plot`."""
    ax = axes(ax)
    spaces = np.arange(1, len(result.values) + 1)
    sides = ((0, "+1", "plus", -0.2, ""), (1, "\u22121", "minus", 0.2, "////"))
    for side, name, part, shift, hatch in sides:
        worth = result.values[:, side]
        free = np.isfinite(worth)
        ax.bar(
            spaces[free] + shift, worth[free], width=0.38, label=f"tile {name}",
            color=THEME[part][0] if not hatch else "#e8b7ba", hatch=hatch, edgecolor=INK,
            linewidth=0.7,
        )  # fmt: skip
    for space in spaces[~np.isfinite(result.values).any(axis=1)]:
        ax.axvspan(space - 0.5, space + 0.5, color="0.5", alpha=0.13, linewidth=0)
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.set_xticks(spaces)
    ax.set_xlim(0.5, len(spaces) + 0.5)
    ax.set(xlabel="space (shaded: no tile may lie there)", ylabel="coins")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    ax.set_title("What the own tile is worth")
    return ax


def _stacked(ax: Axes, camels: Sequence[str], shares: Array) -> None:
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
    ax.xaxis.set_major_formatter(needed("matplotlib.ticker", "plot").PercentFormatter(1, 0))
    ax.set_ylim(len(camels) - 0.5, -0.5)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _heat(ax: Axes, shares: Array, errors: Array | None) -> None:
    image = ax.imshow(shares, cmap="cividis", vmin=0, vmax=max(0.5, shares.max()), aspect="auto")
    for row, column in np.ndindex(*shares.shape):
        share = float(shares[row, column])
        # The middle of cividis is a mid grey: white reads below it, black above.
        colour = "white" if share < 0.55 * image.norm.vmax else "black"  # type: ignore[operator]
        text = percent(share, None if errors is None else float(errors[row, column]))
        ax.text(
            column, row, text.replace(" ", "\n"), ha="center", va="center", color=colour, fontsize=9
        )
    ax.set_xticks(range(shares.shape[1]), ORDINALS)
    ax.xaxis.tick_top()
    ax.tick_params("x", length=0)
    ax.spines[:].set_visible(False)


def comparison(result: Comparison, ax: Axes | None = None) -> Axes:
    """Error against time, enumeration and sampling; see `camelodds.Comparison.plot`."""
    ax = axes(ax, 7.5, 4.2)
    numbers = [even.dice for even in result.break_even]
    markers = "osD^vP*"
    for dice in numbers:
        exact, *sampled = [row for row in result.rows if row.dice == dice]
        shade = 0.75 - 0.7 * (dice - numbers[0]) / max(numbers[-1] - numbers[0], 1)
        look: dict[str, Any] = {
            "color": scale_colour(shade),
            "marker": markers[dice % len(markers)],
            "markersize": 5,
        }
        times = [row.seconds for row in sampled]
        ax.plot(times, [row.expected_error for row in sampled], linewidth=1.2, **look)
        ax.plot(
            times, [row.largest_error for row in sampled], linestyle="none", alpha=0.6,
            markerfacecolor="none", **look,
        )  # fmt: skip
        ax.axvline(exact.seconds, linestyle=":", linewidth=1.2, color=look["color"])
        ax.plot([exact.seconds], [0.97], transform=ax.get_xaxis_transform(), **look)
        ax.plot([], [], label=f"{dice} dice left", **look)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set(xlabel="seconds on one thread", ylabel="error of P(camel at place)")
    ax.yaxis.set_major_formatter(needed("matplotlib.ticker", "plot").PercentFormatter(1))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8, title="sampled", title_fontsize=8)
    slowest = max(row.seconds for row in result.rows if row.n is None)
    ax.annotate(
        "dotted: enumeration,\nwithout any error", (slowest, 0.05), (5, 0), fontsize=8,
        xycoords=ax.get_xaxis_transform(), textcoords="offset points",
    )  # fmt: skip
    ax.set_title("Enumeration against sampling: standard error (line), largest error (open)")
    return ax


def scale_colour(shade: float) -> tuple[float, float, float, float]:
    """A colour of a scale that is read without colours too."""
    return cast(
        "tuple[float, float, float, float]",
        needed("matplotlib", "plot").colormaps["cividis"](shade),
    )
