"""A slow, literal reference for whole games of the two pyramid editions.

It shares no code with the package and never imports it. ``Table`` plays a game one event at
a time, with a bank that pays and is paid; ``values`` follows the definition of the value of
an action word by word: it plays out every course of the dice, pays everybody, and compares
with and without the action. Comments cite the ids of the rules.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from tests import naive

TICKETS = {"first": [5, 3, 2], "second": [5, 3, 2, 2]}  # F3, S8
PRIZES = [8, 5, 3, 2]  # F13: then 1 for every further one

#: P(wins) and P(is last) by camel, of the stacks at the start of a leg
RaceOdds = Callable[[Mapping[int, str]], tuple[Mapping[str, float], Mapping[str, float]]]


@dataclass
class Table:
    """A game; ``play`` changes it."""

    edition: str
    stacks: dict[int, str]
    dice: str
    players: list[str]
    to_move: str
    coins: dict[str, int] | None
    tiles: dict[str, tuple[int, int]] = field(default_factory=dict)  # player -> space, sign
    left: dict[str, list[int]] = field(default_factory=dict)
    tickets: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    pyramid: dict[str, int] = field(default_factory=dict)
    piles: dict[str, list[tuple[str, str | None]]] = field(default_factory=dict)
    partners: dict[str, str] = field(default_factory=dict)
    bank: int = 0
    legs: int = 0  # leg scorings so far
    over: bool = False

    def position(self) -> naive.Position:
        tiles = dict(self.tiles.values())
        return naive.Position(self.edition, self.stacks, tiles, self.dice)


def start(edition: str, stacks: Mapping[int, str], players: Sequence[str], coins: int) -> Table:
    """A game in which nobody has done anything."""
    table = Table(
        edition,
        dict(stacks),
        naive.RACING[edition] + ("*" if edition == "second" else ""),
        list(players),
        players[0],
        dict.fromkeys(players, coins),
    )
    new_leg(table)
    table.piles = {"winner": [], "last": []}
    return table


def load(case: Mapping[str, Any]) -> Table:
    """A game of ``cases/values.json``."""
    position = naive.parse(case["position"], case["edition"])
    tiles = {}
    for token in case["position"].split():
        if "@" in token:
            tile, owner = token.split("@")
            tiles[owner] = (int(tile[:-1]), 1 if tile[-1] == "+" else -1)
    return Table(
        case["edition"],
        dict(position.stacks),
        position.dice,
        list(case["players"]),
        case["to_move"],
        None if case["coins"] is None else dict(case["coins"]),
        tiles,
        {camel: list(left) for camel, left in case["tickets_left"].items()},
        {p: [(t[0], int(t[1:])) for t in held["tickets"]] for p, held in case["held"].items()},
        {p: held["pyramid"] for p, held in case["held"].items()},
        {
            pile: [(card["player"], card["camel"]) for card in cards]
            for pile, cards in case["piles"].items()
        },
        dict(case["partners"]),
        over=naive.finished(position),
    )


def new_leg(table: Table) -> None:
    """F10: tickets, tiles and dice go home, and the cards of S10."""
    table.left = {camel: list(TICKETS[table.edition]) for camel in naive.RACING[table.edition]}
    table.tickets = {player: [] for player in table.players}
    table.pyramid = dict.fromkeys(table.players, 0)
    table.tiles = {}
    table.partners = {}
    table.dice = naive.RACING[table.edition] + ("*" if table.edition == "second" else "")


def pay(table: Table, player: str, amount: int) -> None:
    """The bank pays, or is paid what the player has: the rest is forgiven (F9)."""
    assert table.coins is not None
    amount = max(amount, -table.coins[player])
    table.coins[player] += amount
    table.bank -= amount


def left_of(table: Table, player: str) -> str:
    seats = table.players
    return seats[(seats.index(player) + 1) % len(seats)]


def reward(ticket: tuple[str, int], outcome: str) -> int:
    """F8."""
    camel, worth = ticket
    if outcome[0] == camel:
        return worth
    return 1 if outcome[1] == camel else -1


def rewards(table: Table, player: str, outcome: str) -> list[int]:
    """What each ticket of the player, leg or pyramid, pays (F8)."""
    leg = [reward(ticket, outcome) for ticket in table.tickets[player]]
    return leg + [1] * table.pyramid[player]


def net(table: Table, player: str, outcome: str) -> int:
    """F8; S10: the partner's best ticket, if one wants it."""
    total = sum(rewards(table, player, outcome))
    if player in table.partners:
        total += max([0, *rewards(table, table.partners[player], outcome)])
    return total


def settle_pile(cards: Sequence[tuple[str, str | None]], right: str) -> Iterator[tuple[str, int]]:
    """F13: the n-th correct card takes the n-th prize, a wrong one uses up none."""
    prizes = iter(PRIZES)
    for player, camel in cards:
        yield player, next(prizes, 1) if camel == right else -1


def play(table: Table, event: str) -> None:
    """Let the player to move do this; the event has to be legal."""
    kind, what = event.split()
    player = table.to_move
    table.to_move = left_of(table, player)
    if kind == "ticket":
        table.tickets[player].append((what, table.left[what].pop(0)))
    elif kind == "tile":
        table.tiles[player] = (int(what[:-1]), 1 if what[-1] == "+" else -1)
    elif kind in ("winner", "last"):
        table.piles[kind].append((player, what))
    elif kind == "partner":
        table.partners[player] = what
        table.partners[what] = player
    elif kind == "roll":
        roll(table, player, what)


def roll(table: Table, player: str, what: str) -> None:
    moved = naive.move(table.position(), what[0], int(what[1]))
    for owner, (space, _) in table.tiles.items():
        if space == moved.tile:
            pay(table, owner, 1)  # M3: at once
    table.pyramid[player] += 1  # F7
    table.stacks, table.dice = dict(moved.position.stacks), moved.position.dice
    if not (moved.race_over or naive.leg_over(moved.position)):
        return
    outcome = naive.ranking(moved.position)
    for one in table.players:
        pay(table, one, net(table, one, outcome))
    table.legs += 1
    dice_left = table.dice
    new_leg(table)
    if moved.race_over:  # F11: one last scoring, then the overall bets
        table.over, table.dice = True, dice_left
        table.to_move = player
        for pile, right in (("winner", outcome[0]), ("last", outcome[-1])):
            for one, amount in settle_pile(table.piles[pile], right):
                pay(table, one, amount)  # F13: the floor after each card


def legal(table: Table) -> set[str]:
    """Every action of F3, S10, and nothing else."""
    if table.over:
        return set()
    me = table.to_move
    actions = {"roll"}
    actions |= {f"ticket {camel}" for camel, left in table.left.items() if left}
    others = {tile[0] for owner, tile in table.tiles.items() if owner != me}  # F4: lifted first
    for space in range(2, 17):
        free = space not in table.stacks and not others & {space - 1, space, space + 1}
        if free and table.tiles.get(me, (0, 0))[0] != space:
            actions |= {f"tile {space}+", f"tile {space}-"}
    used = {camel for cards in table.piles.values() for owner, camel in cards if owner == me}
    for camel in naive.RACING[table.edition]:
        if camel not in used:
            actions |= {f"winner {camel}", f"last {camel}"}
    if table.edition == "second" and len(table.players) >= 6 and me not in table.partners:
        free_players = [p for p in table.players if p != me and p not in table.partners]
        actions |= {f"partner {p}" for p in free_players}
    return actions


# The value of an action


@dataclass
class Value:
    """Change of everybody's expected coins, and what the action itself pays."""

    value: Any
    direct: Any
    rivals: dict[str, Any]


def apply(table: Table, action: str) -> Table:
    """The table with the action taken, and no time passed."""
    after = copy.deepcopy(table)
    if action == "roll":
        after.pyramid[table.to_move] += 1  # the dice keep coming, with it or without it
    else:
        play(after, action)
    return after


def leg_money(table: Table) -> tuple[dict[str, Fraction], dict[int, Fraction]]:
    """Expected leg income of everybody, tile coins with it, and the landings on each tile."""
    courses = list(naive.all_courses(table.position()))
    total = sum(course.weight for course in courses)
    landings = dict.fromkeys(dict(table.tiles.values()), Fraction(0))
    for course in courses:
        for space in course.landed:
            landings[space] += Fraction(course.weight, total)
    nets: dict[str, int] = {}
    for course in courses:
        nets[course.outcome] = nets.get(course.outcome, 0) + course.weight
    income = {}
    for player in table.players:
        tile_coins = landings[table.tiles[player][0]] if player in table.tiles else Fraction(0)
        if table.coins is None or table.coins[player] is None:
            mean = sum(w * net(table, player, outcome) for outcome, w in nets.items())
            income[player] = tile_coins + Fraction(mean, total)
        else:
            # F9: of coins with the expected tile coins, never less than none.
            now = table.coins[player]
            income[player] = (
                sum(
                    Fraction(w, total) * max(Fraction(0), now + tile_coins + net(table, player, o))
                    for o, w in nets.items()
                )
                - now
            )
    return income, landings


def race(table: Table, odds: RaceOdds) -> dict[str, dict[str, float]]:
    """P(wins) and P(is last): this leg played out, then what ``odds`` says of its end."""
    camels = naive.RACING[table.edition]
    chances = {pile: dict.fromkeys(camels, 0.0) for pile in ("winner", "last")}
    ends: dict[tuple[tuple[int, str], ...], int] = {}
    courses = list(naive.all_courses(table.position()))
    total = sum(course.weight for course in courses)
    for course in courses:
        if course.race_over:
            chances["winner"][course.outcome[0]] += course.weight / total
            chances["last"][course.outcome[-1]] += course.weight / total
        else:
            stacks = tuple(sorted(course.end.stacks.items()))
            ends[stacks] = ends.get(stacks, 0) + course.weight
    for stacks, weight in ends.items():
        wins, last = odds(dict(stacks))
        for camel in camels:
            chances["winner"][camel] += wins[camel] * weight / total
            chances["last"][camel] += last[camel] * weight / total
    return chances


def pile_money(
    table: Table, chances: Mapping[str, Mapping[str, float]], belief: Mapping[str, Any]
) -> dict[str, float]:
    """Expected payments of the overall bets: all colours of the hidden cards, all winners.

    ``belief[pile]`` is a probability by camel for each hidden card in turn.
    """
    money = dict.fromkeys(table.players, 0.0)
    camels = naive.RACING[table.edition]
    for pile, cards in table.piles.items():
        hidden = [i for i, (_, camel) in enumerate(cards) if camel is None]
        for colours in product(camels, repeat=len(hidden)):
            seen = list(cards)
            weight = 1.0
            for n, (i, colour) in enumerate(zip(hidden, colours, strict=True)):
                seen[i] = (cards[i][0], colour)
                weight *= belief[pile][n][colour]
            for right in camels:
                for player, amount in settle_pile(seen, right):
                    money[player] += weight * chances[pile][right] * amount
    return money


def values(
    table: Table,
    odds: RaceOdds | None = None,
    belief: Mapping[str, Any] | None = None,
) -> dict[str, Value]:
    """The value of every legal action; overall bets only with ``odds`` of later legs.

    ``belief`` gives the hidden cards' colours, see ``pile_money``; by default each is on a
    camel as probably as that camel wins, or is last, before the action.
    """
    me = table.to_move
    income, _ = leg_money(table)
    chances = money = None
    if odds is not None:
        chances = race(table, odds)
        if belief is None:
            belief = {
                pile: [chances[pile]] * sum(camel is None for _, camel in cards)
                for pile, cards in table.piles.items()
            }
        money = pile_money(table, chances, belief)
    found = {}
    for action in sorted(legal(table)):
        kind = action.split()[0]
        if kind in ("winner", "last") and odds is None:
            continue
        after = apply(table, action)
        new_income, landings = leg_money(after) if kind not in ("winner", "last") else (income, {})
        change: dict[str, Any] = {p: new_income[p] - income[p] for p in table.players}
        if odds is not None and kind in ("tile", "winner", "last"):
            assert money is not None
            assert belief is not None
            new_chances = race(after, odds) if kind == "tile" else chances
            assert new_chances is not None
            new_money = pile_money(after, new_chances, belief)
            for player in table.players:
                change[player] += new_money[player] - money[player]
        direct = landings[after.tiles[me][0]] if kind == "tile" else change[me]
        rivals = {p: change[p] for p in table.players if p != me}
        found[action] = Value(change[me], direct, rivals)
    return found
