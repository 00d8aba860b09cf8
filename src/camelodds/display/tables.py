"""Which columns and notes each result shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from camelodds.display.table import (
    Table,
    camel_column,
    coin_column,
    share_column,
    text_column,
)
from camelodds.display.text import ORDINALS, mean, percent

if TYPE_CHECKING:
    from camelodds.game import Game
    from camelodds.results import LegOdds, RaceOdds

PLACES = ("first", "second", "third", "fourth", "fifth")


def leg_table(leg: LegOdds) -> Table:
    """The table of `LegOdds`, the likeliest first camel above."""
    rows = sorted(range(len(leg.camels)), key=lambda row: -leg.places[row, 0])
    camels = [leg.camels[row] for row in rows]
    errors = leg.standard_errors

    def off(errors: Sequence[float]) -> list[float] | None:
        # Samples that all agree do not make a certainty: one more could differ.
        least = 1 / leg.total if leg.total else 0.0
        return [max(error, least) for error in errors] if leg.sampled else None

    def one(error: float) -> float | None:
        alone = off([error])
        return alone[0] if alone else None

    columns = [camel_column(camels)]
    for place, name in enumerate(PLACES):
        shares = leg.places[rows, place].tolist()
        off_by = off(errors["places"][rows, place].tolist())
        columns.append(share_column(name, ORDINALS[place], shares, off_by, bar=place == 0))
    for worth in sorted(set(leg.edition.tickets), reverse=True):
        values, off_by_camel = leg.ticket(worth), leg.ticket_errors(worth)
        columns.append(
            coin_column(
                f"ticket{worth}",
                f"ticket {worth}",
                [values[camel] for camel in camels],
                off([off_by_camel[camel] for camel in camels]),
            )
        )
    notes = []
    landings = [
        f"{space}{leg.position.tiles[space]} {mean(value, one(errors['landings'][space]))}"
        for space, value in leg.landings.items()
    ]
    if landings:
        notes.append(f"Expected landings on the tiles: {', '.join(landings)}")
    how = f"{leg.method}, {leg.total:,} equally likely courses."
    if leg.sampled:
        how = sampled_note(leg.total, leg.seed)
    notes += [
        f"The race ends in this leg: {percent(leg.race_ends, one(errors['race_ends']))}",
        f"{leg.edition.title}; {how}",
        "Tickets in coins. No tile is placed or moved later in the leg.",
    ]
    caption = f"Leg odds of {leg.position}  (stacks bottom to top)"
    return Table(caption, tuple(columns), tuple(notes))


def race_table(race: RaceOdds) -> Table:
    """The table of `RaceOdds`, the likeliest winner above."""
    camels = sorted(race.camels, key=lambda camel: -race.winner[camel])
    columns = [camel_column(camels)]
    for name, head, values, errors in (
        ("winner", "wins", race.winner, race.winner_se),
        ("last", "last", race.last, race.last_se),
    ):
        shares = [values[camel] for camel in camels]
        ranges = None if errors is None else [errors[camel] for camel in camels]
        columns.append(share_column(name, head, shares, ranges, bar=name == "winner"))
    if race.places is not None:
        for place in range(1, len(PLACES) - 1):
            shares = [float(race.places[race.camels.index(camel), place]) for camel in camels]
            columns.append(share_column(PLACES[place], ORDINALS[place], shares))
    ends = f"The race ends in this leg: {percent(race.race_ends)}"
    if race.legs is not None:
        ends += f"; leg scorings still to come: {race.legs:.2f}"
    notes = (ends, f"{race.edition.title}; {_race_method(race)}.", race.assumption)
    caption = f"Race odds of {race.position}  (stacks bottom to top)"
    return Table(caption, tuple(columns), notes)


def _race_method(race: RaceOdds) -> str:
    """How the numbers came about, and how good they are."""
    if race.method == "sampled":
        sampled = "sampled" if race.n is None else f"sampled, {race.n:,} races, seed {race.seed}"
        return f"{sampled}; standard error at most {race.error:.2g}"
    if race.method == "table":
        return f"this leg enumerated, the race table behind it; error at most {race.error:.0e}"
    return race.method


def sampled_note(n: int, seed: int | None) -> str:
    """What stands below sampled numbers."""
    return f"sampled, n = {n:,}, seed {seed}; ± is one standard error, 1/n at the least."


def game_table(game: Game) -> Table:
    """The table of a `Game`: a row for each player."""
    heads = {
        "player": "player",
        "coins": "coins",
        "tickets": "tickets",
        "pyramid": "pyramid",
        "tile": "tile",
        "partner": "partner",
        "bets": "overall cards",
    }
    cells: dict[str, list[str]] = {name: [] for name in heads}
    for player in game.players:
        held, space, coins_held = game.held[player], game.tile_of(player), game.coins[player]
        moves = player == game.to_move and not game.over
        cells["player"].append(f"{player} *" if moves else player)
        cells["coins"].append("?" if coins_held is None else str(coins_held))
        cells["tickets"].append(" ".join(map(str, held.tickets)))
        cells["pyramid"].append(str(held.pyramid or ""))
        sign = "" if space is None else "+" if game.position.tiles[space].sign > 0 else "-"
        cells["tile"].append(f"{space}{sign}" if sign else "")
        cells["partner"].append(game.partners.get(player, ""))
        bets = [
            f"{pile} {bet.camel or '?'}"
            for pile, piled in game.piles.items()
            for bet in piled
            if bet.player == player
        ]
        cells["bets"].append(", ".join(bets))
    columns = [
        text_column(
            name,
            head,
            cells[name],
            left=name == "player",
            extra=name not in ("player", "coins") and not any(cells[name]),
        )
        for name, head in heads.items()
    ]
    # Coins are numbers in a frame.
    held_coins = tuple(game.coins[player] for player in game.players)
    columns[1] = replace(columns[1], values=held_coins, kind=int)
    left = [
        f"{camel} {' '.join(map(str, worths)) or '-'}"
        for camel, worths in game.tickets_left.items()
    ]
    notes = (f"Tickets left: {', '.join(left)}", _game_end(game))
    return Table(f"{game.position}  (stacks bottom to top)", tuple(columns), notes)


def _game_end(game: Game) -> str:
    """Who moves, or how the game ended."""
    if game.winners:
        return f"The race is over. Most coins: {', '.join(game.winners)}."
    if game.over and not game.settled:
        return "The race is over; hidden cards are still to be shown."
    if game.over:
        return "The race is over."
    return f"{game.to_move} to move."
