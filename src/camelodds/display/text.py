"""Results as aligned text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from camelodds.editions import COLOURS

if TYPE_CHECKING:
    from camelodds.game import Game
    from camelodds.results import LegOdds

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")


def percent(probability: float) -> str:
    """A probability for a table: exact zero and one are told from nearly so."""
    if probability in (0.0, 1.0):
        return f"{probability:.0%}"
    if probability < 0.0005:
        return "<0.1%"
    if probability > 0.9995:
        return ">99.9%"
    return f"{probability:.1%}"


def coins(value: float) -> str:
    """A value in coins, with its sign."""
    return f"{value:+.2f}" if abs(value) >= 0.005 else "0.00"


def bar(share: float, width: int) -> str:
    """A bar of `width` characters for a share from 0 to 1, in eighths of a character."""
    full, eighths = divmod(round(share * width * 8), 8)
    part = " \u258f\u258e\u258d\u258c\u258b\u258a\u2589"[eighths] if eighths else ""
    return ("\u2588" * full + part).ljust(width)


def align(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of a table whose first `left` columns are flush left, the others flush right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def leg_text(leg: LegOdds) -> str:
    """The table of `LegOdds`."""
    worths = sorted(set(leg.edition.tickets), reverse=True)
    values = {worth: leg.ticket(worth) for worth in worths}
    rows = [["camel", "", *ORDINALS, *(f"ticket {worth}" for worth in worths)]]
    for camel in sorted(leg.camels, key=lambda c: -leg.first[c]):
        places = leg.places[leg.camels.index(camel)].tolist()
        rows.append(
            [
                f"{camel} {COLOURS[camel]}",
                bar(places[0], 10),
                *map(percent, places),
                *(coins(values[worth][camel]) for worth in worths),
            ]
        )
    lines = [f"Leg odds of {leg.position}  (stacks bottom to top)", "", *align(rows, left=2), ""]
    landings = [
        f"{space}{leg.position.tiles[space]} {value:.3f}" for space, value in leg.landings.items()
    ]
    if landings:
        lines.append(f"Expected landings on the tiles: {', '.join(landings)}")
    lines.append(f"The race ends in this leg: {percent(leg.race_ends)}")
    lines.append(f"{leg.edition.title}; {leg.method}, {leg.total:,} equally likely courses.")
    lines.append("Tickets in coins. No tile is placed or moved later in the leg.")
    return "\n".join(lines)


def game_rows(game: Game) -> list[list[str]]:
    """A row for each player of a game, below a head."""
    rows = [["player", "coins", "tickets", "pyramid", "tile", "partner", "overall cards"]]
    for player in game.players:
        held, space, coins_held = game.held[player], game.tile_of(player), game.coins[player]
        tile = (
            "" if space is None else f"{space}{'+' if game.position.tiles[space].sign > 0 else '-'}"
        )
        cards = [
            f"{pile} {bet.camel or '?'}"
            for pile, bets in game.piles.items()
            for bet in bets
            if bet.player == player
        ]
        rows.append(
            [
                f"{player} *" if player == game.to_move and not game.over else player,
                "?" if coins_held is None else str(coins_held),
                " ".join(map(str, held.tickets)),
                str(held.pyramid or ""),
                tile,
                game.partners.get(player, ""),
                ", ".join(cards),
            ]
        )
    empty = [i for i in range(2, len(rows[0])) if not any(row[i] for row in rows[1:])]
    return [[cell for i, cell in enumerate(row) if i not in empty] for row in rows]


def game_end(game: Game) -> str:
    """Who moves, or how the game ended."""
    if game.winners:
        return f"The race is over. Most coins: {', '.join(game.winners)}."
    if game.over and not game.settled:
        return "The race is over; hidden cards are still to be shown."
    if game.over:
        return "The race is over."
    return f"{game.to_move} to move."


def game_text(game: Game) -> str:
    """The table of a `Game`."""
    left = [
        f"{camel} {' '.join(map(str, worths)) or '-'}"
        for camel, worths in game.tickets_left.items()
    ]
    return "\n".join(
        [
            f"{game.position}  (stacks bottom to top)",
            "",
            *align(game_rows(game)),
            "",
            f"Tickets left: {', '.join(left)}",
            game_end(game),
        ]
    )
