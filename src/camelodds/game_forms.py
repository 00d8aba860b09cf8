"""Reading games: what was written is first a `GameDraft`, then checked against the rules.

Everything beside the position has a default, so that a bare position is a game too: nobody
has taken anything yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from camelodds.actions import HIDDEN, PILES
from camelodds.draft import Draft
from camelodds.editions import Edition, edition_named
from camelodds.errors import Problem
from camelodds.notation import MOST_OWNER, edition_of_json, guess_edition, read_json
from camelodds.position import Position
from camelodds.scoring import Bet, Held, Ticket

FIELDS = (
    "edition",
    "options",
    "position",
    "players",
    "to_move",
    "leg_starter",
    "coins",
    "tickets_left",
    "held",
    "piles",
    "partners",
)
"""The fields of a game as JSON."""

NOTES = ("id", "why", "actions", "overall_bets_valued", "objective", "values", "best")
"""Fields that a collection of games keeps beside them; they are no part of the game."""

_NAME = re.compile(rf"[^\s,;|:@?#]{{1,{MOST_OWNER}}}\Z")
_TICKET = re.compile(r"(?P<camel>[A-Za-z])(?P<worth>[0-9]{1,2})\Z")
MOST_COINS = 1_000_000


@dataclass
class GameDraft:
    """A game as it was written, not yet checked.

    What is None was not written.
    """

    position: Position | None
    players: tuple[str, ...] = ()
    to_move: str | None = None
    leg_starter: str | None = None
    coins: dict[str, int | None] = field(default_factory=dict)
    tickets_left: dict[str, tuple[int, ...]] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    piles: dict[str, tuple[Bet, ...]] = field(default_factory=dict)
    partners: dict[str, str] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)

    def problems(self) -> list[Problem]:
        """Every fault, those of reading first."""
        found = list(self.faults)
        found += self._player_problems()
        if self.position is not None:
            found += self._track_problems(self.position)
            found += self._ticket_problems(self.position.edition)
            found += self._pyramid_problems(self.position)
            found += self._pile_problems(self.position.edition)
            found += self._partner_problems(self.position.edition)
        return found

    def _player_problems(self) -> Iterable[Problem]:
        for name, times in Counter(self.players).items():
            if times > 1:
                yield Problem(f"players: {name}", "two players of one name")
            if not _NAME.match(name):
                tip = f"no blanks, none of , ; | : @ ? #, at most {MOST_OWNER} characters"
                yield Problem(f"players: {name!r:.40}", "cannot be used as a name", tip=tip)
        if self.position is not None:
            fewest, most = self.position.edition.players
            if not fewest <= len(self.players) <= most:
                yield Problem(f"players: {len(self.players)}", f"{fewest} to {most} can play")
        tip = f"the players are {', '.join(self.players)}"
        for where, named in (("to_move", self.to_move), ("leg_starter", self.leg_starter)):
            if named is not None and named not in self.players:
                yield Problem(f"{where}: {named:.40}", "no such player", tip=tip)
        for where, names in (("coins", self.coins), ("held", self.held)):
            for name in names:
                if name not in self.players:
                    yield Problem(f"{where}: {name:.40}", "no such player", tip=tip)
        for name, coins in self.coins.items():
            if coins is not None and not 0 <= coins <= MOST_COINS:
                yield Problem(f"coins: {name}: {coins}", "nobody holds less than 0", "F9")

    def _track_problems(self, position: Position) -> Iterable[Problem]:
        for space, tile in position.tiles.items():
            if tile.owner is not None and tile.owner not in self.players:
                tip = f"the players are {', '.join(self.players)}"
                yield Problem(f"{space}{tile}", f"no player {tile.owner!r} has a tile", "F3", tip)
        if len(position.tiles) > len(self.players):
            what = f"{len(position.tiles)} tiles, but {len(self.players)} players"
            yield Problem("tiles", what, "F3", "everybody has one tile")
        if position.leg_over and not position.race_over:
            tip = "give the game after the leg's scoring, all dice in the pyramid"
            yield Problem(str(position), "the leg is over, nobody has a turn", "F8", tip)

    def _ticket_problems(self, edition: Edition) -> Iterable[Problem]:
        taken: dict[str, Counter[int]] = {camel: Counter() for camel in edition.racing}
        for name, held in self.held.items():
            for ticket in held.tickets:
                where = f"held: {name}: {ticket}"
                if ticket.camel not in tuple(edition.racing):
                    tip = f"the racing camels are {', '.join(edition.racing)}"
                    yield Problem(where, f"no racing camel {ticket.camel!r}", tip=tip)
                elif ticket.worth not in edition.tickets:
                    tip = f"tickets are worth {', '.join(map(str, edition.tickets))}"
                    yield Problem(where, f"no ticket is worth {ticket.worth}", "F8", tip)
                else:
                    taken[ticket.camel][ticket.worth] += 1
        for camel, left in self.tickets_left.items():
            where = f"tickets_left: {camel}: {list(left)}"
            if camel not in tuple(edition.racing):
                yield Problem(where, f"no racing camel {camel!r:.20}")
            elif left != edition.tickets[len(edition.tickets) - len(left) :]:
                tip = f"of {list(edition.tickets)} the rest, top first"
                yield Problem(where, "no such stack of tickets", "F3", tip)
            else:
                taken[camel].update(left)
        all_tickets = Counter(edition.tickets)
        for camel, tickets in taken.items():
            for worth, times in sorted(tickets.items(), reverse=True):
                if times > all_tickets[worth]:
                    what = f"{times} of them, left and held, but there are {all_tickets[worth]}"
                    yield Problem(f"ticket {camel}{worth}", what, "F3")
        for camel in edition.racing:
            if camel not in self.tickets_left and not _is_top(taken[camel], edition):
                held_worths = sorted(taken[camel].elements(), reverse=True)
                what = f"held {held_worths}, which are not the top ones"
                yield Problem(f"tickets of {camel}", what, "F3", "say tickets_left")

    def _pyramid_problems(self, position: Position) -> Iterable[Problem]:
        out = len(position.edition.dice) - len(position.dice)
        held = sum(held.pyramid for held in self.held.values())
        if held > out:
            what = f"{held} held, but {out} dice are out"
            yield Problem("pyramid tickets", what, "F3")
        for name, one in self.held.items():
            if one.pyramid < 0:
                yield Problem(f"held: {name}", f"{one.pyramid} pyramid tickets")

    def _pile_problems(self, edition: Edition) -> Iterable[Problem]:
        used: dict[tuple[str, str], str] = {}
        cards: Counter[str] = Counter()
        for pile, bets in self.piles.items():
            for i, bet in enumerate(bets):
                where = f"piles: {pile} {i + 1}: {bet.player:.40} {bet.camel or HIDDEN}"
                cards[bet.player] += 1
                if bet.player not in self.players:
                    tip = f"the players are {', '.join(self.players)}"
                    yield Problem(where, "no such player", tip=tip)
                if bet.camel is None:
                    continue
                if bet.camel not in tuple(edition.racing):
                    tip = f"the racing camels are {', '.join(edition.racing)}"
                    yield Problem(where, f"no racing camel {bet.camel!r:.20}", tip=tip)
                elif (bet.player, bet.camel) in used:
                    what = f"used a second time, first in {used[bet.player, bet.camel]}"
                    yield Problem(where, what, "F13", "a card is used once in the game")
                else:
                    used[bet.player, bet.camel] = f"{pile} {i + 1}"
        for name, times in cards.items():
            if times > len(edition.racing):
                what = f"{times} cards, but everybody has {len(edition.racing)}"
                yield Problem(f"piles: {name:.40}", what, "F13")

    def _partner_problems(self, edition: Edition) -> Iterable[Problem]:
        least = edition.partnership_from
        if self.partners and not least:
            yield Problem("partners", f"the {edition} edition has no partnerships", "S10")
        elif self.partners and len(self.players) < least:
            yield Problem("partners", f"they exist with {least} players or more", "S10")
        for name, partner in self.partners.items():
            where = f"partners: {name:.40}: {partner:.40}"
            if name == partner:
                yield Problem(where, "nobody is his own partner", "S10")
            elif self.partners.get(partner) != name:
                yield Problem(where, "the other one is not the partner of this one", "S10")
            for one in {name, partner} - set(self.players):
                yield Problem(where, f"no player {one!r:.40}")


def _is_top(taken: Counter[int], edition: Edition) -> bool:
    """Whether these tickets are the topmost of their stack, or too many of some worth."""
    worths = sorted(taken.elements(), reverse=True)
    too_many = any(times > edition.tickets.count(worth) for worth, times in taken.items())
    return too_many or tuple(worths) == tuple(sorted(edition.tickets, reverse=True))[: len(worths)]


def read_game(position: Position, fields: Mapping[str, Any]) -> GameDraft:
    """Read the parts of a game beside its position; see `camelodds.game.Game`."""
    draft = GameDraft(position)
    draft.players = _read_players(fields.get("players"), draft.faults)
    draft.to_move = _read_name("to_move", fields.get("to_move"), draft.faults)
    draft.leg_starter = _read_name("leg_starter", fields.get("leg_starter"), draft.faults)
    draft.coins = _read_coins(fields.get("coins"), draft)
    draft.tickets_left = _read_left(fields.get("tickets_left"), draft.faults)
    draft.held = _read_held(fields.get("held"), draft.faults)
    draft.piles = _read_piles(fields.get("piles"), draft.faults)
    draft.partners = _read_partners(fields.get("partners"), draft.faults)
    return draft


def read_game_json(data: object, edition: Edition | str | None = None) -> GameDraft:
    """Read a JSON object with the fields `FIELDS`; ``position`` as notation or as fields."""
    if not isinstance(data, Mapping):
        fault = Problem(f"{data!r:.60}", "a game is a JSON object", tip="see Game.to_dict")
        return GameDraft(None, faults=[fault])
    faults = []
    for key in data:
        if key not in FIELDS and key not in NOTES:
            close = get_close_matches(str(key), FIELDS, 1)
            tip = f"is it {close[0]}?" if close else f"the fields are {', '.join(FIELDS)}"
            faults.append(Problem(f"{key!r:.40}", "unknown field", tip=tip))
    inside = data.get("position")
    said, more = edition_of_json(data)
    faults += more
    edition = said if edition is None else edition
    if isinstance(inside, Mapping):
        position = read_json(inside, edition)
    elif "position" in data:
        position = read_json({"position": inside}, edition)
    else:
        position = Draft(edition_named(edition) if edition else guess_edition(""))
        position.faults.append(Problem("position", "is missing", tip='as in "3:ob 4:g 6:y 7:w"'))
        faults += position.faults
        return GameDraft(None, faults=faults)
    of_position = position.problems()
    if of_position:
        return GameDraft(None, ("P1", "P2"), faults=faults + of_position)
    draft = read_game(Position._from_draft(position), data)
    draft.faults = faults + draft.faults
    return draft


def _read_players(players: object, faults: list[Problem]) -> tuple[str, ...]:
    if players is None:
        players = 4
    if isinstance(players, int) and not isinstance(players, bool):
        return tuple(f"P{i + 1}" for i in range(min(max(players, 0), 99)))
    if isinstance(players, (list, tuple)) and all(isinstance(name, str) for name in players):
        return tuple(players)
    tip = 'names in seat order, as in ["Ann", "Bob"], or how many'
    faults.append(Problem(f"players: {players!r:.60}", "not a list of players", tip=tip))
    return ("P1", "P2")


def _read_name(where: str, name: object, faults: list[Problem]) -> str | None:
    if name is None or isinstance(name, str):
        return name
    faults.append(Problem(f"{where}: {name!r:.60}", "not the name of a player"))
    return None


def _as_count(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return value.__index__()  # type: ignore[attr-defined, no-any-return]
    except AttributeError:
        return None


def _items(where: str, value: object, tip: str, faults: list[Problem]) -> list[tuple[str, Any]]:
    if value is None:
        return []
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return list(value.items())
    faults.append(Problem(f"{where}: {value!r:.60}", "not a mapping", tip=tip))
    return []


def _read_coins(coins: object, draft: GameDraft) -> dict[str, int | None]:
    if isinstance(coins, int) and not isinstance(coins, bool):
        return dict.fromkeys(draft.players, coins)
    tip = 'what everybody has, as in {"P1": 3, "P2": 5}'
    found: dict[str, int | None] = {}
    for name, held in _items("coins", coins, tip, draft.faults):
        count = _as_count(held)
        if count is None and held is not None:
            where = f"coins: {name:.40}: {held!r:.40}"
            draft.faults.append(Problem(where, "not a number of coins", tip="null if unknown"))
        found[name] = count
    return found


def _read_left(left: object, faults: list[Problem]) -> dict[str, tuple[int, ...]]:
    found = {}
    tip = 'what is left of each camel, top first, as in {"b": [3, 2]}'
    for camel, worths in _items("tickets_left", left, tip, faults):
        counts = [_as_count(worth) for worth in worths] if _is_list(worths) else [None]
        if None in counts:
            where = f"tickets_left: {camel:.40}: {worths!r:.40}"
            faults.append(Problem(where, "not a list of worths", tip="as in [3, 2]"))
        else:
            found[camel] = tuple(count for count in counts if count is not None)
    return found


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _read_held(held: object, faults: list[Problem]) -> dict[str, Held]:
    found = {}
    tip = 'as in {"P1": {"tickets": ["b5"], "pyramid": 1}}'
    for name, what in _items("held", held, tip, faults):
        where = f"held: {name:.40}"
        if isinstance(what, Held):
            what = {"tickets": list(what.tickets), "pyramid": what.pyramid}
        if not isinstance(what, Mapping):
            faults.append(Problem(f"{where}: {what!r:.60}", "not understood", tip=tip))
            continue
        for key in what:
            if key not in ("tickets", "pyramid"):
                fields = "the fields are tickets and pyramid"
                faults.append(Problem(f"{where}: {key!r:.40}", "unknown field", tip=fields))
        listed = what.get("tickets", ())
        tickets = []
        for text in listed if _is_list(listed) else [listed]:
            ticket = _as_ticket(text)
            if ticket is None:
                example = 'camel and worth, as in ["b5", "g3"]'
                faults.append(Problem(f"{where}: {text!r:.40}", "not a ticket", tip=example))
            else:
                tickets.append(ticket)
        pyramid = _as_count(what.get("pyramid", 0))
        if pyramid is None:
            wrong = f"{where}: pyramid: {what['pyramid']!r:.40}"
            faults.append(Problem(wrong, "not a number of tickets"))
        found[name] = Held(tuple(tickets), pyramid or 0)
    return found


def _as_ticket(value: object) -> Ticket | None:
    if isinstance(value, Ticket):
        return value
    match = _TICKET.match(value) if isinstance(value, str) else None
    return None if match is None else Ticket(match["camel"], int(match["worth"]))


def _read_piles(piles: object, faults: list[Problem]) -> dict[str, tuple[Bet, ...]]:
    found: dict[str, tuple[Bet, ...]] = {}
    tip = 'as in {"winner": [{"player": "P1", "camel": "g"}], "last": []}, camel null if hidden'
    for pile, bets in _items("piles", piles, tip, faults):
        if pile not in PILES:
            faults.append(Problem(f"piles: {pile:.40}", "no such pile", tip="winner and last"))
            continue
        read = []
        for i, bet in enumerate(bets if _is_list(bets) else [bets]):
            one = _as_bet(bet)
            if one is None:
                where = f"piles: {pile} {i + 1}: {bet!r:.60}"
                faults.append(Problem(where, "not a card", tip=tip))
            else:
                read.append(one)
        found[pile] = tuple(read)
    return found


def _as_bet(value: object) -> Bet | None:
    if isinstance(value, Mapping) and set(value) <= {"player", "camel"}:
        value = (value.get("player"), value.get("camel"))
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    player, camel = value
    if not isinstance(player, str) or not (camel is None or isinstance(camel, str)):
        return None
    return Bet(player, None if camel in (None, HIDDEN) else camel)


def _read_partners(partners: object, faults: list[Problem]) -> dict[str, str]:
    found = {}
    tip = 'as in {"P1": "P2", "P2": "P1"}'
    for name, partner in _items("partners", partners, tip, faults):
        if isinstance(partner, str):
            found[name] = partner
        else:
            where = f"partners: {name:.40}: {partner!r:.40}"
            faults.append(Problem(where, "not the name of a player", tip=tip))
    return found
