"""Which columns and notes each result shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

from camelodds.display.table import (
    Cell,
    Column,
    Table,
    action_column,
    camel_column,
    coin_column,
    share_column,
    text_column,
)
from camelodds.display.text import ORDINALS, duration, mean, percent, percent_error
from camelodds.editions import COLOURS, Edition
from camelodds.results.batch import PLACES

if TYPE_CHECKING:
    from camelodds.game import Game
    from camelodds.results.actions import ActionValue, ActionValues, TileMap
    from camelodds.results.comparison import Comparison
    from camelodds.results.leg import LegOdds
    from camelodds.results.log import OddsByEvent
    from camelodds.results.next_roll import NextRoll
    from camelodds.results.play import LegPlay
    from camelodds.results.race import RaceOdds

LINE = 100
"""Longer notes are broken into lines."""

NEUTRAL = "The deck's unknown cards are drawn evenly (C14), as if nobody had chosen them."


def leg_table(leg: LegOdds) -> Table:
    """The table of `LegOdds`, the likeliest first camel above."""
    rows = sorted(range(len(leg.camels)), key=lambda row: -leg.places[row, 0])
    camels = [leg.camels[row] for row in rows]
    errors = leg.standard_errors

    def off(errors: Sequence[float]) -> list[float] | None:
        return shown_errors(errors, leg.n) if leg.sampled else None

    def one(error: float) -> float | None:
        alone = off([error])
        return alone[0] if alone else None

    columns = [camel_column(camels)]
    for place, name in enumerate(PLACES):
        shares = leg.places[rows, place].tolist()
        off_by = off(errors["places"][rows, place].tolist())
        columns.append(share_column(name, ORDINALS[place], shares, off_by, bar=place == 0))
    worths = sorted(set(leg.edition.tickets), reverse=True)
    most = max((abs(v) for v in leg.ticket(worths[0]).values()), default=0.0)
    for worth in worths:
        values, off_by_camel = leg.ticket(worth), leg.ticket_errors(worth)
        columns.append(
            coin_column(
                f"ticket{worth}",
                f"ticket {worth}",
                [values[camel] for camel in camels],
                off([off_by_camel[camel] for camel in camels]),
                most=most,
            )
        )
    if leg.edition.third_pays:
        third, errors_of_third = leg.third, leg.payoff_errors(leg.edition.third_pays)
        columns.append(
            coin_column(
                "third_place",
                "3rd-place card",
                [third[camel] for camel in camels],
                off([errors_of_third[camel] for camel in camels]),
            )
        )
    notes = []
    landings = [
        f"{space}{leg.position.tiles[space]} {mean(value, one(errors['landings'][space]))}"
        for space, value in leg.landings.items()
    ]
    if landings:
        notes.append(f"Expected landings on the tiles: {', '.join(landings)}")
    gone = [
        f"{space}{leg.position.tiles[space]} {percent(value, one(errors['gone'][space]))}"
        for space, value in leg.gone.items()
    ]
    if gone:
        notes.append(f"Markers gone before the scoring: {', '.join(gone)}")
    how = f"{leg.method}, {leg.total:,} equally likely courses"
    if leg.sampled:
        how = sampled_note(leg.total, leg.seed)
    ends = (
        f"The race ends in this {leg.edition.leg_word}: "
        f"{percent(leg.race_ends, one(errors['race_ends']))}"
    )
    if leg.position.leg_over:
        word = "race" if leg.position.race_over else leg.edition.leg_word
        ends = f"The {word} is over."
        how = "certain"
    notes += [
        ends,
        f"{leg.edition.heading}; {how}.",
        f"Tickets in coins. {_quiet(leg.edition)}",
    ]
    if leg.edition.by_cards:
        notes.append(NEUTRAL)
    caption = f"{leg.edition.leg_word.capitalize()} odds of {leg.position}  (stacks bottom to top)"
    return Table(caption, tuple(columns), tuple(notes))


def _quiet(edition: Edition) -> str:
    """What nobody does any more in a leg."""
    if edition.by_cards:
        return "Only the deck is revealed: no marker, no face-up card."
    return "No tile is placed or moved later in the leg."


def race_table(race: RaceOdds) -> Table:
    """The table of `RaceOdds`, the likeliest winner above."""
    camels = sorted(race.camels, key=lambda camel: -race.winner[camel])
    rows = [race.camels.index(camel) for camel in camels]
    errors = race.standard_errors
    columns = [camel_column(camels)]

    def off(errors: Sequence[float]) -> list[float] | None:
        return shown_errors(errors, race.n) if race.sampled else None

    def place_column(name: str, head: str, place: int, values: Sequence[float]) -> Column:
        off_by = off(errors["places"][rows, place].tolist())
        return share_column(name, head, values, off_by, bar=name == "winner")

    columns.append(place_column("winner", "wins", 0, [race.winner[c] for c in camels]))
    if race.places is not None:
        for place in range(1, len(PLACES) - 1):
            values = race.places[rows, place].tolist()
            columns.append(place_column(PLACES[place], ORDINALS[place], place, values))
    columns.append(place_column("last", "last", -1, [race.last[c] for c in camels]))
    ends_off = None if race.race_ends_exact else off([errors["race_ends"]])
    ends_error = ends_off[0] if ends_off else None
    word = race.edition.leg_word
    ends = f"The race ends in this {word}: {percent(race.race_ends, ends_error)}"
    if race.legs is not None:
        legs_off = off([errors["legs"]])
        legs = mean(race.legs, legs_off[0]) if legs_off else f"{race.legs:.2f}"
        ends += f"; {word} scorings still to come: {legs}"
    if race.position.race_over:
        notes = [race.assumption, f"{race.edition.heading}; certain."]
    else:
        notes = [ends, f"{race.edition.heading}; {_race_method(race)}.", race.assumption]
    if race.note:
        notes.append(race.note)
    caption = f"Race odds of {race.position}  (stacks bottom to top)"
    return Table(caption, tuple(columns), tuple(notes))


def _race_method(race: RaceOdds) -> str:
    """How the numbers came about, and how good they are."""
    if race.n is not None:
        how = "this leg enumerated, what follows sampled" if race.exact_leg else race.method
        return sampled_note(race.n, race.seed, how)
    if race.method == "table":
        return f"this leg enumerated, the race table behind it; error at most {race.error:.0e}"
    return race.method


def shown_errors(errors: Sequence[float], n: int | None) -> list[float]:
    """Standard errors of `n` samples as they are shown.

    Samples that all agree do not make a certainty: one more could differ.
    """
    return [max(error, 1 / n) if n else error for error in errors]


def sampled_note(n: int, seed: int | None, method: str = "sampled") -> str:
    """What stands below sampled numbers."""
    return f"{method}, n = {n:,}, seed {seed}; ± is one standard error, 1/n at the least"


def play_table(play: LegPlay) -> Table:
    """The table of `LegPlay`, the best action above."""
    options = play.options
    most = max((abs(value) for option in options for value in option.values.values()), default=0.0)
    columns = [
        action_column([option.action for option in options], play.edition.racing),
        coin_column(
            "value", play.players[0], [option.value for option in options], most=most, bar=True
        ),
        _amounts(coin_column("cost", "cost", [option.cost for option in options], most=most)),
        coin_column("plain", "plain", [option.plain for option in options], most=most),
    ]
    for player in play.players[1:]:
        values = [option.values[player] for option in options]
        columns.append(coin_column(f"rival {player}", player, values, most=most))
    taken = ", ".join(f"{player} {number:.2f}" for player, number in play.taken.items())
    notes = [f"Equally good: {', '.join(play.ties)}."] if play.ties else []
    notes += wrap(f"Most likely line: {'; '.join(map(str, play.line))}.", LINE)
    notes += [
        f"Turns left: {play.turns:.2f} on average. Tickets still taken: {taken}.",
        "Coins of this leg from here on, and of the bet; plain: if nobody acted any more after it.",
        *wrap(f"{_play_method(play)} {play.assumption}", LINE),
    ]
    caption = f"Best play of {play.position}  (stacks bottom to top), {play.players[0]} to move"
    return Table(caption, tuple(columns), tuple(notes))


def _amounts(column: Column) -> Column:
    """The column without plus signs: what its head says is an amount, not a gain."""
    cells = (cell._replace(text=cell.text.removeprefix("+")) for cell in column.cells)
    return replace(column, cells=tuple(cells))


def _play_method(play: LegPlay) -> str:
    """How good the numbers are."""
    if play.race_method != "sampled":
        return "Exact."
    error = max(option.standard_error or 0.0 for option in play.options)
    return (
        f"Exact but for overall bets: {play.samples:,} sampled races, seed {play.seed}, standard "
        f"error at most {error:.2g}."
    )


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
    if game.edition.by_cards:
        heads = {
            "player": "player",
            "coins": "coins",
            "tickets": "tickets",
            "face_up": "face up",
            "tokens": "tokens",
            "tile": "markers",
            "bets": "race cards",
        }
    cells: dict[str, list[str]] = {name: [] for name in heads}
    for player in game.players:
        held, space, coins_held = game.held[player], game.tile_of(player), game.coins[player]
        moves = player == game.to_move and not game.over
        cells["player"].append(f"{player} *" if moves else player)
        cells["coins"].append("?" if coins_held is None else str(coins_held))
        third = [f"3rd {camel}" for camel in held.third]
        cells["tickets"].append(" ".join([*map(str, held.tickets), *third]))
        spaces = game.markers_of(player) if game.edition.by_cards else [space]
        lying = [f"{s}{'+' if game.position.tiles[s].sign > 0 else '-'}" for s in spaces if s]
        cells["tile"].append(" ".join(lying))
        if game.edition.by_cards:
            hand = game.hands[player]
            cells["face_up"].append(hand.face_up or "")
            cells["tokens"].append("+" * hand.shortcut + "-" * hand.fennec)
        else:
            cells["pyramid"].append(str(held.pyramid or ""))
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


def actions_table(values: ActionValues) -> Table:
    """The table of `ActionValues`, best first."""
    rows = values.rows
    parts: list[tuple[str, str, list[float], list[float | None]]] = [
        ("value", "value", [row.value for row in rows], [row.standard_error for row in rows]),
        ("direct", "direct", [row.direct for row in rows], [row.direct_error for row in rows]),
        (
            "holdings",
            "holdings",
            [row.holdings for row in rows],
            [row.holdings_error for row in rows],
        ),
    ]
    for player in values.game.players:
        if player != values.game.to_move:
            changes = [row.rivals[player] for row in rows]
            off_by = [row.rival_errors.get(player) for row in rows]
            parts.append((f"rival {player}", player, changes, off_by))
    relative = [row.relative for row in rows]
    parts.append(("relative", "relative", relative, [row.relative_error for row in rows]))
    if values.game.edition.by_cards:
        before, after = [r.before_value for r in rows], [r.after_value for r in rows]
        turns, turn_errors = [row.turn for row in rows], [row.turn_error for row in rows]
        parts[:1] = [
            ("turn", "turn", turns, turn_errors),  # what sorts the rows
            parts[0],
            ("before_value", "bet before", before, [row.before_error for row in rows]),
            ("after_value", "bet after", after, [row.after_error for row in rows]),
        ]
    # One scale for all, so that a bar is as long wherever it stands.
    most = max((abs(number) for _, _, numbers, _ in parts for number in numbers), default=0.0)
    columns = [action_column([row.action for row in rows], values.game.edition.racing)]
    ranked = "turn" if values.game.edition.by_cards else "value"
    for name, head, numbers, off_by in parts:
        # An error of nothing is that of a number that is exact.
        known = [error or None for error in off_by] if any(off_by) else None
        extra = name not in ALWAYS and not any(numbers) and known is None
        column = coin_column(name, head, numbers, known, most=most, bar=name == ranked, extra=extra)
        if name == "before_value":
            column = replace(column, cells=tuple(map(_named, column.cells, rows)))
        columns.append(column)
    game = values.game
    caption = f"Actions of {game.to_move} at {game.position}  (stacks bottom to top)"
    notes = _action_notes(values) if rows else [_game_end(game)]
    still = [column.head for column in columns if column.extra and column.name.startswith("rival ")]
    if rows and still:
        whose = "" if len(still) == len(game.players) - 1 else f" for {', '.join(still)}"
        notes.insert(1, f"Rivals: no change{whose}.")
    return Table(caption, tuple(columns), tuple(notes))


ALWAYS = ("turn", "value", "relative")
"""Columns that stand there though all is nothing."""


def _named(cell: Cell, row: ActionValue) -> Cell:
    """The cell with the bet whose value it tells."""
    return cell._replace(text=f"{row.bet_before} {cell.text}".lstrip())


def _action_notes(values: ActionValues) -> list[str]:
    """What the values take for granted."""
    game = values.game
    notes = ["In coins. Nobody acts any more afterwards: no tile is placed or moved later."]
    if any(held is not None for held in game.coins.values()):
        notes.append(
            f"{game.edition.leg_word.capitalize()} income is floored at 0 coins, counting the "
            f"expected {'cost of markers' if game.edition.by_cards else 'tile coins'} "
            "(an approximation); overall bets are not."
        )
    if game.edition.by_cards:
        notes[0] = "In coins. Afterwards only the deck is revealed, in this round and the others."
        notes.append("turn: the value with the best bet before or after it (C5).")
        notes.append(NEUTRAL)
        if values.rounds is not None:
            bets = [row for row in values if row.kind in ("ticket", "third")]
            exact = any(row.standard_error is None for row in bets)
            but = " after an action; the round as it stands is exact" if exact else ""
            notes.append(f"Rounds: {values.rounds:,} sampled for each position{but}.")
    if any(bet.camel is None for bets in game.piles.values() for bet in bets):
        beliefs = {
            "odds": "as probable as the camel wins, or is last, now",
            "uniform": "1/5 each",
            "own": "as given",
        }
        notes.append(f"Colours of hidden cards: {beliefs[values.belief]}.")
    if values.samples is not None:
        sampled = f"{values.samples:,} races for each position, seed {values.seed}"
        notes.append(f"Race odds: {values.race_method}, {sampled}.")
    elif values.race_method is not None:
        notes.append(f"Race odds: {values.race_method}.")
    return notes


def tile_table(tiles: TileMap) -> Table:
    """The map of the track: what a tile is worth on each space where it may lie, either side up."""
    spaces = [i for i, row in enumerate(tiles.values.tolist()) if any(v == v for v in row)]
    most = max((abs(v) for v in tiles.values.ravel().tolist() if v == v), default=0.0)
    names = text_column("space", "tile on", [str(space + 1) for space in spaces])
    columns = [replace(names, values=tuple(space + 1 for space in spaces), kind=int)]
    for side, name in enumerate(("plus", "minus")):
        worths = tiles.values[spaces, side].tolist()
        columns.append(coin_column(name, "+-"[side], worths, most=most, bar=True))
    return Table("", tuple(columns))


def log_table(odds: OddsByEvent) -> Table:
    """The table of `OddsByEvent`: a row for the start and for each event."""
    columns = [
        text_column("event", "event", [event or "start" for event in odds.events], left=True),
        text_column("player", "player", odds.players),
    ]
    for camel in odds.edition.racing:
        off_by = None if odds.errors is None else odds.error(camel).tolist()
        head = f"{camel} {COLOURS[camel]}"
        columns.append(share_column(camel, head, odds[camel].tolist(), off_by))
    leg = f"first at the end of the {odds.edition.leg_word}"
    what = {"leg": leg, "winner": "winner", "last": "last"}
    return Table(f"Odds by event: {what[odds.kind]}", tuple(columns))


def next_roll_table(found: NextRoll) -> Table:
    """The table of `NextRoll`: P(first) after each roll, and their mean."""
    names = [*(roll.event for roll in found.rolls), "now"]
    cells = [Cell(roll.event, camel=roll.event[0]) for roll in found.rolls]
    columns = [Column("roll", "roll", (*cells, Cell("now")), tuple(names), kind=str, left=True)]
    moves = [roll.camel if roll.camel != roll.event[0] else "" for roll in found.rolls]
    columns.append(text_column("moves", "moves", [*moves, ""], extra=not any(moves)))
    chances = [float(roll.chance) for roll in found.rolls]
    columns.append(share_column("chance", "chance", [*chances, 1.0], extra=True))
    legs = [*(roll.leg for roll in found.rolls), found.now]
    for place, name in enumerate(PLACES):
        for row, camel in enumerate(found.now.camels):
            values = [float(leg.places[row, place]) for leg in legs]
            column = camel if place == 0 else f"{name}_{camel}"
            head = f"{camel} {COLOURS[camel]}" if place == 0 else f"{camel} {ORDINALS[place]}"
            columns.append(share_column(column, head, values, extra=place > 0))
    edition = found.position.edition
    notes = (
        f"P(first at the end of the {edition.leg_word}) after each roll; now: their mean, "
        "the present odds.",
        f"{edition.heading}; exact. {_quiet(edition)}",
    )
    caption = f"The next roll of {found.position}  (stacks bottom to top)"
    return Table(caption, tuple(columns), notes)


def comparison_table(found: Comparison) -> Table:
    """The table of `Comparison`."""
    rows = found.rows
    dice = tuple(row.dice for row in rows)
    before = (None, *dice)
    columns = [
        Column(
            "dice",
            "dice left",
            tuple(Cell(str(d) if d != b else "") for d, b in zip(dice, before, strict=False)),
            dice,
            kind=int,
        ),
        text_column("method", "method", [row.method for row in rows], left=True),
        Column(
            "n",
            "samples",
            tuple(Cell("" if row.n is None else f"{row.n:,}") for row in rows),
            tuple(row.n for row in rows),
            kind=int,
        ),
    ]
    for name, head, values, write in (
        ("seconds", "time", [row.seconds for row in rows], duration),
        ("largest_error", "largest error", [row.largest_error for row in rows], _error),
        ("expected_error", "standard error", [row.expected_error for row in rows], _error),
    ):
        cells = tuple(Cell(write(value)) for value in values)
        columns.append(Column(name, head, cells, tuple(values)))
    notes = [
        "Errors of P(camel at place); the fastest of several runs, on one thread; "
        f"seed {found.seed}."
    ]
    for even in found.break_even:
        notes.append(
            f"{even.dice} dice left: one enumeration takes as long as {even.samples:,.0f} samples, "
            f"so it wins for any standard error below {percent_error(even.standard_error)}."
        )
    caption = f"Enumeration against sampling: {found.position}  (stacks bottom to top)"
    return Table(caption, tuple(columns), tuple(notes))


def _error(value: float) -> str:
    return "0" if value == 0 else percent_error(value)
