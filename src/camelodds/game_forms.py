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

from camelodds.actions import HIDDEN, PILES, hand_faults, unseen_faults
from camelodds.draft import Draft, Tile
from camelodds.editions import Edition, edition_named
from camelodds.errors import Problem
from camelodds.notation import MOST_OWNER, edition_of_json, guess_edition, read_json
from camelodds.position import Position
from camelodds.scoring import Bet, Hand, Held, Ticket

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
    "hands",
    "acted",
)
"""The fields of a game as JSON."""

NOTES = ("id", "why", "actions", "overall_bets_valued", "objective", "values", "best")
"""Fields that a collection of games keeps beside them; they are no part of the game."""

_NAME = re.compile(rf"[^\s,;|:@?#]{{1,{MOST_OWNER}}}\Z")
_TICKET = re.compile(r"(?P<camel>[A-Za-z])(?P<worth>[0-9]{1,2})\Z")
PLAYERS = 4
"""How many play where nothing is said."""

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
    hands: dict[str, Hand] = field(default_factory=dict)
    acted: tuple[str, ...] = ()
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
            found += self._hand_problems(self.position)
        return found

    def hand_of(self, player: str) -> Hand:
        """What a player of the Card Game has; tokens of markers on the track are used."""
        hand = self.hands.get(player, Hand())
        lying = {tile.sign for tile in self._tiles.values() if tile.owner == player}
        return hand._replace(
            shortcut=hand.shortcut and 1 not in lying,
            fennec=hand.fennec and -1 not in lying,
            dealt=hand.dealt or hand.face_up is not None,
        )

    @property
    def _tiles(self) -> Mapping[int, Tile]:
        return {} if self.position is None else self.position.tiles

    def _hand_problems(self, position: Position) -> Iterable[Problem]:
        edition, deck = position.edition, position.deck
        if deck is None:
            if self.hands or self.acted:
                yield Problem("hands, acted", "belong to the Card Game", "C5")
            return
        groups = [edition.group_of(kind) for kind in self.acted]
        if None in groups or len(set(groups)) < len(groups) or len(groups) >= len(edition.turn):
            tip = "one kind of action of this turn, such as reveal or ticket"
            yield Problem(f"acted: {', '.join(self.acted)}", "no part of a turn", "C5", tip)
        if position.players is not None and position.players != len(self.players):
            what = f"{counted(len(self.players))} at the table"
            yield Problem(f"players={position.players}", what, "C2")
            return
        if len(self.players) not in [card.players for card in edition.round_cards]:
            return
        for name, hand in self.hands.items():
            where = f"hands: {name:.40}"
            if name not in self.players:
                yield Problem(where, "no such player")
            cards = [*hand.added, *hand.discarded, *([hand.face_up] if hand.face_up else [])]
            unknown = [card for card in cards if card not in edition.racing_deck]
            for card in unknown:
                yield Problem(where, f"no such card as {card:.20}", "C1")
            if not unknown:
                yield from hand_faults(position, where, hand.added, hand.discarded)
                yield from unseen_faults(position, where, hand.added, hand.discarded)
        face_up = Counter(hand.face_up for hand in self.hands.values() if hand.face_up)
        for card, times in face_up.items():
            most = edition.racing_deck.get(card, times) - deck.known.count(card)
            if times + deck.pool.get(card, 0) > most:
                what = f"{times} face up and {deck.pool.get(card, 0)} in the pool are too many"
                tip = "what lies face up is in no pool"
                yield Problem(f"card {card}", what, "C14", tip)

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
            if coins is not None and coins < 0:
                yield Problem(f"coins: {name}: {coins}", "nobody holds less than 0", "F9")
            elif coins is not None and coins > MOST_COINS:
                tip = f"at most {MOST_COINS:,}"
                yield Problem(f"coins: {name}: {coins:.6g}", "too many coins", tip=tip)

    def _track_problems(self, position: Position) -> Iterable[Problem]:
        for space, tile in position.tiles.items():
            if tile.owner is not None and tile.owner not in self.players:
                tip = f"the players are {', '.join(self.players)}"
                yield Problem(f"{space}{tile}", f"no player {tile.owner!r} has a tile", "F3", tip)
        if len(position.tiles) > len(self.players):
            what = f"{len(position.tiles)} tiles, but {counted(len(self.players))}"
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

    def _race_card_problems(self, edition: Edition) -> Iterable[Problem]:
        for pile, bets in self.piles.items():
            for i, bet in enumerate(bets):
                where = f"piles: {pile}: {bet.player:.40} {bet.camel or HIDDEN}"
                if bet.player not in self.players:
                    yield Problem(where, "no such player")
                if bet.camel is None or bet.camel not in edition.racing:
                    yield Problem(where, "no racing camel", "C9")
                if bet.player in [other.player for other in bets[:i]]:
                    yield Problem(where, "a second card of this player", "C9", "one is held")
                if bet.camel in [other.camel for other in bets[:i]]:
                    yield Problem(where, "a second card of this colour", "C9", "there is one")
        third: dict[str, str] = {}
        for name, held in self.held.items():
            for camel in held.third:
                where = f"held: {name:.40}: third {camel:.20}"
                if camel not in edition.racing:
                    yield Problem(where, "no racing camel")
                elif camel in third:
                    yield Problem(where, f"{third[camel]} has it", "C9", "there is one")
                third[camel] = name

    def _pile_problems(self, edition: Edition) -> Iterable[Problem]:
        if edition.by_cards:
            yield from self._race_card_problems(edition)
            return
        for name, held in self.held.items():
            if held.third:
                what = "no third-place cards in this game"
                yield Problem(f"held: {name:.40}", what, "C1")
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


def counted(players: int) -> str:
    """So many players, in words."""
    return f"{players} player{'' if players == 1 else 's'}"


def _is_top(taken: Counter[int], edition: Edition) -> bool:
    """Whether these tickets are the topmost of their stack, or too many of some worth."""
    worths = sorted(taken.elements(), reverse=True)
    too_many = any(times > edition.tickets.count(worth) for worth, times in taken.items())
    return too_many or tuple(worths) == tuple(sorted(edition.tickets, reverse=True))[: len(worths)]


def read_game(position: Position, fields: Mapping[str, Any]) -> GameDraft:
    """Read the parts of a game beside its position; see `camelodds.game.Game`."""
    draft = GameDraft(position)
    players = fields.get("players")
    if players is None:
        players = position.players or PLAYERS
    draft.players = _read_players(players, draft.faults)
    draft.to_move = _read_name("to_move", fields.get("to_move"), draft.faults)
    draft.leg_starter = _read_name("leg_starter", fields.get("leg_starter"), draft.faults)
    draft.coins = _read_coins(fields.get("coins"), draft)
    draft.tickets_left = _read_left(fields.get("tickets_left"), draft.faults)
    draft.held = _read_held(fields.get("held"), draft.faults)
    draft.piles = _read_piles(fields.get("piles"), draft.faults)
    draft.partners = _read_partners(fields.get("partners"), draft.faults)
    draft.hands = _read_hands(fields.get("hands"), draft.faults)
    acted = fields.get("acted") or ()
    if _is_list(acted) and all(isinstance(kind, str) for kind in acted):
        draft.acted = tuple(acted)
    else:
        draft.faults.append(Problem(f"acted: {acted!r:.60}", "not a list of kinds of action"))
    n_players = len(draft.players)
    round_cards = [card.players for card in position.edition.round_cards]
    if position.deck is not None and position.players is None and n_players in round_cards:
        # It tells what is dealt in the next round.
        draft.position = position._with(players=n_players)
    return draft


def _read_hands(hands: object, faults: list[Problem]) -> dict[str, Hand]:
    found = {}
    tip = f"the fields are {', '.join(Hand._fields)}"
    for name, what in _items("hands", hands, tip, faults):
        where = f"hands: {name:.40}"
        if isinstance(what, Hand):
            found[name] = what
            continue
        if not isinstance(what, Mapping):
            faults.append(Problem(f"{where}: {what!r:.60}", "not understood", tip=tip))
            continue
        fields: dict[str, Any] = {}
        for key, value in what.items():
            at = f"{where}: {key!s:.20}: {value!r:.40}"
            if key not in Hand._fields:
                faults.append(Problem(at, "unknown field", tip=tip))
            elif key == "face_up":
                if value is None or isinstance(value, str):
                    fields[key] = value
                else:
                    faults.append(Problem(at, "not a card", tip='as in "r2"'))
            elif key in ("added", "discarded"):
                if _is_list(value) and all(isinstance(card, str) for card in value):
                    fields[key] = tuple(value)
                else:
                    faults.append(Problem(at, "not a list of cards", tip='as in ["b1", "y2"]'))
            elif isinstance(value, bool):
                fields[key] = value
            else:
                faults.append(Problem(at, "neither true nor false"))
        found[name] = Hand(**fields)
    return found


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
            what = {
                "tickets": list(what.tickets),
                "pyramid": what.pyramid,
                "third": list(what.third),
            }
        if not isinstance(what, Mapping):
            faults.append(Problem(f"{where}: {what!r:.60}", "not understood", tip=tip))
            continue
        for key in what:
            if key not in ("tickets", "pyramid", "third"):
                fields = "the fields are tickets, pyramid and third"
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
        third = what.get("third", ())
        if not _is_list(third) or not all(isinstance(camel, str) for camel in third):
            faults.append(Problem(f"{where}: third: {third!r:.40}", "not a list of camels"))
            third = ()
        found[name] = Held(tuple(tickets), pyramid or 0, tuple(third))
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
