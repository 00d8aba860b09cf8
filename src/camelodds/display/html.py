"""Results as small HTML tables, readable in light and dark themes and without colour."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from camelodds.display.text import ORDINALS, coins, game_end, game_rows, percent
from camelodds.editions import COLOURS

if TYPE_CHECKING:
    from camelodds.game import Game
    from camelodds.results import LegOdds

# Colours come from the page (currentColor), so that every theme stays readable.
CELL = "padding:2px 8px;text-align:right;white-space:nowrap"
NAME = "padding:2px 8px;text-align:left;white-space:nowrap"
BAR = "display:inline-block;height:0.7em;background:currentColor;opacity:0.45"


def bar_cell(share: float, text: str) -> str:
    """A table cell with a bar for `share` (0 to 1) before its text."""
    return (
        f'<td style="{CELL}"><span style="display:inline-block;width:48px;text-align:left">'
        f'<span style="{BAR};width:{48 * share:.1f}px"></span></span> {escape(text)}</td>'
    )


def table(caption: str, head: list[str], rows: list[str], foot: list[str]) -> str:
    """A table of ready rows of cells, with a caption above and lines below it."""
    heads = "".join(
        f'<th style="{NAME if i == 0 else CELL}">{escape(text)}</th>' for i, text in enumerate(head)
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    below = "<br>".join(map(escape, foot))
    return (
        f'<div><table style="border-collapse:collapse">'
        f'<caption style="text-align:left;caption-side:top">{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        f'<div style="font-size:0.85em;opacity:0.8">{below}</div></div>'
    )


def leg_html(leg: LegOdds) -> str:
    """The table of `LegOdds`."""
    worths = sorted(set(leg.edition.tickets), reverse=True)
    rows = []
    for camel in sorted(leg.camels, key=lambda c: -leg.first[c]):
        places = leg.places[leg.camels.index(camel)].tolist()
        cells = f'<td style="{NAME}"><b>{camel}</b> {COLOURS[camel]}</td>'
        cells += "".join(bar_cell(place, percent(place)) for place in places)
        cells += "".join(
            f'<td style="{CELL}">{coins(leg.ticket(worth)[camel])}</td>' for worth in worths
        )
        rows.append(cells)
    foot = [
        f"landings on {space}{leg.position.tiles[space]}: {value:.3f}"
        for space, value in leg.landings.items()
    ]
    foot.append(
        f"The race ends in this leg: {percent(leg.race_ends)}. {leg.method}, "
        f"{leg.total:,} equally likely courses. No later tiles."
    )
    return table(
        f"Leg odds of {leg.position} (stacks bottom to top)",
        ["camel", *ORDINALS, *(f"ticket {worth}" for worth in worths)],
        rows,
        foot,
    )


def game_html(game: Game) -> str:
    """The table of a `Game`."""
    head, *players = game_rows(game)
    rows = [
        "".join(
            f'<td style="{NAME if i == 0 else CELL}">{escape(cell)}</td>'
            for i, cell in enumerate(player)
        )
        for player in players
    ]
    left = [f"{c} {' '.join(map(str, worths)) or '-'}" for c, worths in game.tickets_left.items()]
    foot = [f"Tickets left: {', '.join(left)}", game_end(game)]
    return table(f"{game.position} (stacks bottom to top)", head, rows, foot)
