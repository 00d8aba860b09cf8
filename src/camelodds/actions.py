"""Events and actions as text, and which of them a game allows.

An *action* is what a player can choose, an *event* is what then happened: only the die is
not known beforehand, ``roll`` is the action and ``roll w2`` the event.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from camelodds.draft import MARKERS
from camelodds.editions import COLOURS, Edition
from camelodds.errors import EventError, Problem
from camelodds.notation import plain_word

if TYPE_CHECKING:
    from camelodds.game import Game
    from camelodds.position import Position

PILES = ("winner", "last")
"""The piles of the overall bets, in the order in which they are settled (F13)."""

HIDDEN = "?"
"""Stands for the camel of a card that lies face down."""

REVEALS = ("roll", "reveal")
"""Kinds of which only the event knows what came."""

MARKER_SIGNS = {name: sign for sign, name in MARKERS.items()}
"""The markers of the Card Game (C6)."""

TELLING = ("deal", "hand")
"""Kinds that tell what was dealt; they are nobody's turn."""

FORMS = {
    "roll": 'the die and its number, "roll w2"',
    "ticket": 'the camel, "ticket b"',
    "tile": 'the space and the side, "tile 16-"',
    "winner": 'the camel, "winner g", or "winner ?" if nobody saw it',
    "last": 'the camel, "last o", or "last ?" if nobody saw it',
    "partner": 'the player, "partner P4"',
    "reveal": 'the top card of the deck, "reveal r2"',
    "card": 'the player whose face-up card is played, "card P3"',
    "shortcut": 'the space, "shortcut 8"',
    "fennec": 'the space, "fennec 5"',
    "third": 'the camel, "third b"',
    "done": '"done", for no bet after the track action',
    "deal": 'the player and the card left face up, "deal P3 r2"',
    "hand": "a player, the cards that this one added to the deck and those discarded, "
    '"hand P1 b1y1 g1g2r1", "-" for none',
    "show": 'the pile and the camel of its first hidden card, "show winner g"',
}
"""How an event of each kind is written."""


class Event(NamedTuple):
    """Something that happens in a game; its text reads back as itself.

    Attributes
    ----------
    kind
        ``roll``, ``ticket``, ``tile``, ``winner``, ``last``, ``partner``, or ``show``, the
        turning over of a hidden card after the race.  In the Card Game ``reveal``, ``card``,
        ``shortcut``, ``fennec``, ``ticket``, ``third``, ``winner``, ``last``, ``done``; and
        ``deal`` and ``hand``, which tell what was dealt.
    camel
        The camel, or the colour of a face or card; `HIDDEN` for a card face down.
    number
        The face of a die or card, or the space of a tile or marker.
    sign
        The side of a tile, +1 or -1.
    player
        The partner, or the player whose card is meant.
    pile
        The pile of a card that is turned over.
    added, discarded
        Cards of a hand.
    """

    kind: str
    camel: str = ""
    number: int = 0
    sign: int = 0
    player: str = ""
    pile: str = ""
    added: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == "tile":
            return f"tile {self.number}{'+' if self.sign > 0 else '-'}"
        if self.kind in MARKER_SIGNS:
            return f"{self.kind} {self.number}"
        if self.kind in REVEALS:
            return f"{self.kind} {self.camel}{self.number}" if self.camel else self.kind
        if self.kind == "deal":
            return f"deal {self.player} {self.camel}{self.number}"
        if self.kind == "hand":
            cards = ["".join(cards) or "-" for cards in (self.added, self.discarded)]
            return " ".join(["hand", self.player, *cards])
        return " ".join(word for word in (self.kind, self.pile, self.camel, self.player) if word)


_ROLL = re.compile(r"(?P<die>[A-Za-z])(?P<face>[0-9]{1,3})\Z")
_CARDS = re.compile(r"(?:[A-Za-z][0-9])*\Z")
_TILE = re.compile(r"(?P<space>[0-9]{1,3})(?P<sign>[+-])\Z")


def read_event(text: str | Event, edition: Edition) -> Event:
    """Read an event or action.

    Parameters
    ----------
    text
        For example ``"roll w2"``, ``"ticket b"``, ``"tile 16-"``, ``"winner g"``,
        ``"partner P4"``.
    edition
        Tells which camels there are.

    Raises
    ------
    EventError
        If it cannot be understood.

    Examples
    --------
    >>> import camelodds as co
    >>> event = read_event("tile 16 -", co.FIRST)
    >>> str(event), event.number, event.sign
    ('tile 16-', 16, -1)
    """
    if isinstance(text, Event):
        text = str(text)
    if not isinstance(text, str) or not text.strip():
        raise EventError(Problem(repr(text)[:60], "no event", tip=_kinds_tip(edition)))
    # The names of players stay as they are written.
    names = text.split()
    words = [plain_word(word).strip() for word in names]
    kind, rest = words[0].lower(), "".join(words[1:])
    if kind not in kinds_of(edition):
        raise EventError(Problem(text[:60], "no such event", tip=_kinds_tip(edition)))
    event = None
    if kind in REVEALS:
        match = _ROLL.match(rest)
        if not rest:
            event = Event(kind)
        elif match:
            die = match["die"] if edition.crazy else match["die"].lower()
            event = Event(kind, die, int(match["face"]))
    elif kind == "tile":
        match = _TILE.match(rest)
        if match:
            event = Event(kind, "", int(match["space"]), 1 if match["sign"] == "+" else -1)
    elif kind in MARKER_SIGNS and re.fullmatch(r"[0-9]{1,3}", rest):
        event = Event(kind, "", int(rest), MARKER_SIGNS[kind])
    elif kind in ("partner", "card") and len(words) == 2:
        event = Event(kind, player=names[1])
    elif kind == "done" and not rest:
        event = Event(kind)
    elif kind == "deal" and len(words) == 3:
        match = _ROLL.match(words[2])
        if match:
            event = Event(kind, match["die"], int(match["face"]), player=names[1])
    elif kind == "hand" and len(words) in (3, 4):
        texts = ["" if word == "-" else word for word in [*words[2:], "-"][:2]]
        if all(map(_CARDS.match, texts)):
            added, discarded = (tuple(re.findall("..", text)) for text in texts)
            event = Event(kind, player=names[1], added=added, discarded=discarded)
    elif kind == "show" and len(words) == 3 and words[1].lower() in PILES and len(words[2]) == 1:
        event = Event(kind, _camel(words[2]), pile=words[1].lower())
    elif kind in ("ticket", "third", *PILES) and len(rest) == 1:
        event = Event(kind, _camel(rest))
    if event is None:
        raise EventError(Problem(text[:60], "not understood", tip=f"write {FORMS[kind]}"))
    return event


def kinds_of(edition: Edition) -> tuple[str, ...]:
    """All kinds of event of an edition."""
    kinds = [kind for group in edition.turn for kind in group]
    if "partner" in kinds and not edition.partnership_from:
        kinds.remove("partner")
    return (*kinds, "done", *TELLING) if edition.by_cards else (*kinds, "show")


def _kinds_tip(edition: Edition) -> str:
    return "; ".join(f"{kind}: {FORMS[kind]}" for kind in kinds_of(edition))


def _camel(letter: str) -> str:
    return letter if letter == HIDDEN else letter.lower()


# What is allowed ---------------------------------------------------------------------


def legal_actions(game: Game) -> tuple[str, ...]:
    """All that the player to move can do, exactly (F3, F4, S9, S10); nothing after the race.

    Examples
    --------
    >>> import camelodds as co
    >>> g = co.Game.start(co.FIRST, players=2, position="1:gyo 3:bw 5-@P2 dice=bw")
    >>> [action for action in legal_actions(g) if "tile" not in action]  # doctest: +ELLIPSIS
    ['roll', 'ticket b', 'ticket y', 'ticket g', 'ticket o', 'ticket w', 'winner b', ...]
    >>> "tile 7+" in legal_actions(g), "tile 6+" in legal_actions(g)
    (True, False)
    """
    return tuple(str(action) for action in legal_events(game))


def legal_events(game: Game) -> list[Event]:
    """What `legal_actions` lists, as `Event`."""
    if game.over:
        return []
    found: list[Event] = []
    for kinds in game.edition.turn:
        for kind in kinds:
            found += candidates(game, kind)
    if game.acted:
        found.append(Event("done"))
    return [event for event in found if not faults_of(game, event)]


def candidates(game: Game, kind: str) -> list[Event]:
    """All that an action of this kind could be."""
    edition = game.edition
    if kind in REVEALS:
        return [Event(kind)]
    if kind == "tile":
        spaces = range(2, edition.spaces + 1)
        return [Event(kind, "", space, sign) for space in spaces for sign in (1, -1)]
    if kind in MARKER_SIGNS:
        spaces = range(1, game.position.last_space + 1)
        return [Event(kind, "", space, MARKER_SIGNS[kind]) for space in spaces]
    if kind in ("partner", "card"):
        return [Event(kind, player=player) for player in game.players]
    return [Event(kind, camel) for camel in edition.racing]


def faults_of(game: Game, event: Event) -> list[Problem]:
    """Why the player to move cannot do this, each with its rule; empty if it is legal.

    What a roll or card shows is checked by `Position.move`.
    """
    if event.kind == "show":
        return _show_faults(game, event)
    if game.over:
        return [Problem(str(event), "the race is over", "F11")]
    group = game.edition.group_of(event.kind)
    acted = [kind for kind in game.acted if game.edition.group_of(kind) == group]
    if group is not None and acted:
        what = f"the turn has had its {'track' if group == 0 else 'betting'} action, {acted[0]}"
        tip = "done ends the turn" if group == 0 else ""
        return [Problem(str(event), what, "C5", tip)]
    return _FAULTS[event.kind](game, event)


def _roll_faults(game: Game, event: Event) -> list[Problem]:
    return []


def _reveal_faults(game: Game, event: Event) -> list[Problem]:
    deck = game.position.deck
    if not event.camel or deck is None:
        return []
    card = f"{event.camel}{event.number}"
    can = deck.known.count(card) + deck.pool.get(card, 0)
    discarded = sum(hand.discarded.count(card) for hand in game.hands.values())
    if discarded and can <= discarded:
        return [Problem(str(event), f"the unseen cards {card} were discarded", "C14")]
    return []


def _no_camel(game: Game, event: Event) -> list[Problem]:
    if event.camel in tuple(game.edition.racing):
        return []
    tip = f"the racing camels are {', '.join(game.edition.racing)}"
    return [Problem(str(event), f"no racing camel {event.camel!r}", tip=tip)]


def _ticket_faults(game: Game, event: Event) -> list[Problem]:
    faults = _no_camel(game, event)
    if not faults and not game.tickets_left[event.camel]:
        what = f"no {COLOURS[event.camel]} ticket is left"
        faults.append(Problem(str(event), what, "F3"))
    return faults


def _tile_faults(game: Game, event: Event) -> list[Problem]:
    edition, position, space = game.edition, game.position, event.number
    where = str(event)
    if not 2 <= space <= edition.spaces:
        tip = f"tiles lie on 2 to {edition.spaces}"
        return [Problem(where, f"no tile may lie on space {space}", "F4", tip)]
    own = game.tile_of(game.to_move)
    faults = []
    if own is None and len(position.tiles) >= len(game.players):
        tip = f'say whose they are, as in "5-@{game.to_move}"'
        faults.append(Problem(where, "everybody's tile is on the track", "F4", tip))
    if space in position.stacks:
        faults.append(Problem(where, "a camel stands there", "F4"))
    if space == own:
        what = "the own tile lies there; it moves to a different space"
        faults.append(Problem(where, what, "F4"))
    elif space in position.tiles:
        faults.append(Problem(where, "a tile lies there", "F4"))
    for beside in (space - 1, space + 1):
        if beside in position.tiles and (beside != own or edition.own_tile_blocks):
            faults.append(Problem(where, f"next to the tile on space {beside}", "F4"))
    return faults


def _card_faults(game: Game, event: Event) -> list[Problem]:
    where, owner = str(event), event.player
    if owner not in game.players:
        tip = f"the players are {', '.join(game.players)}"
        return [Problem(where, f"no player {owner!r}", tip=tip)]
    faults = []
    if game.hands[owner].face_up is None:
        tip = f"deal {owner} r2 tells of one"
        faults.append(Problem(where, f"no card lies face up before {owner}", "C5", tip))
    coins = game.coins[game.to_move]
    if owner != game.to_move and coins is not None and coins < 1:
        faults.append(Problem(where, "another player's card costs 1 coin", "C5"))
    return faults


def _marker_faults(game: Game, event: Event) -> list[Problem]:
    position, space, where = game.position, event.number, str(event)
    if not 1 <= space <= position.last_space:
        return [Problem(where, "no such space", "C6", f"1 to {position.last_space}")]
    faults = []
    if not getattr(game.hands[game.to_move], event.kind):
        faults.append(Problem(where, f"{game.to_move} has used the {event.kind} token", "C6"))
    for other, tile in position.tiles.items():
        if tile.sign == event.sign:
            faults.append(Problem(where, f"the {event.kind} lies on space {other}", "C6"))
    if space % 2 == 0 and space // 2 in position.flipped:
        what = f"card {space // 2} is flipped; its one space is called {space - 1}"
        faults.append(Problem(where, what, "C4"))
    if space in position.stacks:
        faults.append(Problem(where, "a camel stands there", "C6"))
    elif space in position.tiles:
        faults.append(Problem(where, "a marker lies there", "C6"))
    if space < position.racing_spaces[0]:
        faults.append(Problem(where, "behind the last racing camel", "C6"))
    return faults


def _third_faults(game: Game, event: Event) -> list[Problem]:
    faults = _no_camel(game, event)
    holders = [player for player, held in game.held.items() if event.camel in held.third]
    if not faults and holders:
        what = f"{holders[0]} has the {COLOURS[event.camel]} third-place card"
        faults.append(Problem(str(event), what, "C9"))
    return faults


def _done_faults(game: Game, event: Event) -> list[Problem]:
    if any(game.edition.group_of(kind) == 0 for kind in game.acted):
        return []
    return [Problem(str(event), "a turn has exactly one track action", "C5")]


def _deal_faults(game: Game, event: Event) -> list[Problem]:
    where = str(event)
    if event.player not in game.players:
        tip = f"the players are {', '.join(game.players)}"
        return [Problem(where, f"no player {event.player!r}", tip=tip)]
    if game.hands[event.player].dealt:
        return [Problem(where, f"{event.player} had a face-up card in this round", "C2")]
    card, deck = f"{event.camel}{event.number}", game.position.deck
    elsewhere = sum((hand.added + hand.discarded).count(card) for hand in game.hands.values())
    if deck is not None and elsewhere and deck.pool.get(card, 0) <= elsewhere:
        what = f"the unseen cards {card} were added or discarded"
        return [Problem(where, what, "C14")]
    return unseen_faults(game.position, where, (), [f"{event.camel}{event.number}"])


def _hand_faults(game: Game, event: Event) -> list[Problem]:
    where, player = str(event), event.player
    if player not in game.players:
        return [Problem(where, f"no player {player!r}", tip=f"they are {', '.join(game.players)}")]
    if game.hands[player].added or game.hands[player].discarded:
        return [Problem(where, f"the cards of {player} are known", "C14")]
    return hand_faults(game.position, where, event.added, event.discarded) or unseen_faults(
        game.position, where, event.added, event.discarded
    )


def hand_faults(
    position: Position, where: str, added: Sequence[str], discarded: Sequence[str]
) -> list[Problem]:
    """Why a player cannot have added and discarded these cards in this round (C2)."""
    card = position.edition.round_card(position.known_players)
    faults = []
    for cards, most, verb in (
        (added, card.added, "adds"),
        (discarded, card.discarded, "discards"),
    ):
        if len(cards) > most:
            what = f"{len(cards)} cards, but everybody {verb} {most}"
            faults.append(Problem(where, what, "C2"))
    deck = position.deck
    if deck is not None and len(added) > deck.unknown:
        what = f"{len(added)} more cards known than the {deck.unknown} unknown ones in the deck"
        faults.append(Problem(where, what, "C14"))
    return faults


def unseen_faults(
    position: Position, where: str, inside: Sequence[str], outside: Sequence[str]
) -> list[Problem]:
    """Why these cards, `inside` the deck and `outside` of it, cannot be ones nobody has seen."""
    edition, deck = position.edition, position.deck
    if deck is None:
        return []
    faults = []
    for card, times in Counter([*inside, *outside]).items():
        if card not in edition.racing_deck:
            tip = f"the racing cards are {', '.join(edition.racing_deck)}"
            faults.append(Problem(where, f"no such card as {card}", "C1", tip))
        elif times > deck.pool.get(card, 0):
            what = f"{times} cards {card}, of which {deck.pool.get(card, 0)} are unseen"
            faults.append(Problem(where, what, "C14"))
    if not faults and sum(deck.pool.values()) - len(outside) < deck.unknown:
        faults.append(Problem(where, "fewer unseen cards than unknown ones in the deck", "C14"))
    return faults


def _race_card_faults(game: Game, event: Event) -> list[Problem]:
    faults = _no_camel(game, event)
    for bet in game.piles[event.kind]:
        if bet.camel == event.camel:
            what = f"{bet.player} has this card"
            faults.append(Problem(str(event), what, "C9", "there is one of each colour"))
    return faults


def _bet_faults(game: Game, event: Event) -> list[Problem]:
    if game.edition.by_cards:
        return _race_card_faults(game, event)
    if event.camel != HIDDEN:
        faults = _no_camel(game, event)
        if faults:
            return faults
    used = game.cards_used(game.to_move)
    if event.camel in used and event.camel != HIDDEN:
        what = f"{game.to_move} has used the {COLOURS[event.camel]} card"
        return [Problem(str(event), what, "F13", "a card is used once in the game")]
    if len(used) >= len(game.edition.racing):
        return [Problem(str(event), f"{game.to_move} has no card left", "F13")]
    return []


def _partner_faults(game: Game, event: Event) -> list[Problem]:
    where, least = str(event), game.edition.partnership_from
    if not least:
        return [Problem(where, f"the {game.edition} edition has no partnerships", "S10")]
    if len(game.players) < least:
        return [Problem(where, f"partnerships exist with {least} players or more", "S10")]
    if event.player not in game.players:
        tip = f"the players are {', '.join(game.players)}"
        return [Problem(where, f"no player {event.player!r}", tip=tip)]
    if event.player == game.to_move:
        return [Problem(where, "nobody is his own partner", "S10")]
    return [
        Problem(where, f"{player} has a partner, {game.partners[player]}", "S10")
        for player in (game.to_move, event.player)
        if player in game.partners
    ]


def _show_faults(game: Game, event: Event) -> list[Problem]:
    faults = _no_camel(game, event)
    if faults:
        return faults
    hidden = [bet for bet in game.piles[event.pile] if bet.camel is None]
    if not game.position.race_over:
        return [Problem(str(event), "cards stay face down until the race is over", "F13")]
    if not hidden:
        return [Problem(str(event), "no card of this pile is hidden", "F13")]
    if event.camel in game.cards_used(hidden[0].player):
        what = f"{hidden[0].player} has used the {COLOURS[event.camel]} card elsewhere"
        return [Problem(str(event), what, "F13")]
    return []


_FAULTS = {
    "roll": _roll_faults,
    "reveal": _reveal_faults,
    "card": _card_faults,
    "shortcut": _marker_faults,
    "fennec": _marker_faults,
    "third": _third_faults,
    "done": _done_faults,
    "deal": _deal_faults,
    "hand": _hand_faults,
    "ticket": _ticket_faults,
    "tile": _tile_faults,
    "winner": _bet_faults,
    "last": _bet_faults,
    "partner": _partner_faults,
}
