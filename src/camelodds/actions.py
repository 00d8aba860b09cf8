"""Events and actions as text, and which of them a game allows.

An *action* is what a player can choose, an *event* is what then happened: only the die is
not known beforehand, ``roll`` is the action and ``roll w2`` the event.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from camelodds.editions import COLOURS, Edition
from camelodds.errors import EventError, Problem

if TYPE_CHECKING:
    from camelodds.game import Game

PILES = ("winner", "last")
"""The piles of the overall bets, in the order in which they are settled (F13)."""

HIDDEN = "?"
"""Stands for the camel of a card that lies face down."""

FORMS = {
    "roll": 'the die and its number, "roll w2"',
    "ticket": 'the camel, "ticket b"',
    "tile": 'the space and the side, "tile 16-"',
    "winner": 'the camel, "winner g", or "winner ?" if nobody saw it',
    "last": 'the camel, "last o", or "last ?" if nobody saw it',
    "partner": 'the player, "partner P4"',
    "show": 'the pile and the camel of its first hidden card, "show winner g"',
}
"""How an event of each kind is written."""


class Event(NamedTuple):
    """Something that happens in a game; its text reads back as itself.

    Attributes
    ----------
    kind
        ``roll``, ``ticket``, ``tile``, ``winner``, ``last``, ``partner``, or ``show``, the
        turning over of a hidden card after the race.
    camel
        The camel, or the colour of a face; `HIDDEN` for a card face down.
    number
        The face of a die, or the space of a tile.
    sign
        The side of a tile, +1 or -1.
    player
        The partner.
    pile
        The pile of a card that is turned over.
    """

    kind: str
    camel: str = ""
    number: int = 0
    sign: int = 0
    player: str = ""
    pile: str = ""

    def __str__(self) -> str:
        if self.kind == "tile":
            return f"tile {self.number}{'+' if self.sign > 0 else '-'}"
        if self.kind == "roll":
            return f"roll {self.camel}{self.number}" if self.camel else "roll"
        return " ".join(word for word in (self.kind, self.pile, self.camel, self.player) if word)


_ROLL = re.compile(r"(?P<die>[A-Za-z])(?P<face>[0-9]{1,3})\Z")
_TILE = re.compile(r"(?P<space>[0-9]{1,3})(?P<sign>[+-])\Z")
_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0b": "+"})


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
    words = text.translate(_SIGNS).split()
    kind, rest = words[0].lower(), "".join(words[1:])
    if kind not in kinds_of(edition):
        raise EventError(Problem(text[:60], "no such event", tip=_kinds_tip(edition)))
    event = None
    if kind == "roll":
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
    elif kind == "partner" and len(words) == 2:
        event = Event(kind, player=words[1])
    elif kind == "show" and len(words) == 3 and words[1].lower() in PILES and len(words[2]) == 1:
        event = Event(kind, _camel(words[2]), pile=words[1].lower())
    elif kind in ("ticket", *PILES) and len(rest) == 1:
        event = Event(kind, _camel(rest))
    if event is None:
        raise EventError(Problem(text[:60], "not understood", tip=f"write {FORMS[kind]}"))
    return event


def kinds_of(edition: Edition) -> tuple[str, ...]:
    """All kinds of event of an edition."""
    kinds = [kind for group in edition.turn for kind in group]
    if "partner" in kinds and not edition.partnership_from:
        kinds.remove("partner")
    return (*kinds, "show")


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
    edition = game.edition
    kinds = [kind for group in edition.turn for kind in group]
    candidates: list[Event] = []
    for kind in kinds:
        if kind == "roll":
            candidates.append(Event(kind))
        elif kind == "tile":
            spaces = range(2, edition.spaces + 1)
            candidates += [Event(kind, "", space, sign) for space in spaces for sign in (1, -1)]
        elif kind == "partner":
            candidates += [Event(kind, player=player) for player in game.players]
        else:
            candidates += [Event(kind, camel) for camel in edition.racing]
    return [event for event in candidates if not faults_of(game, event)]


def faults_of(game: Game, event: Event) -> list[Problem]:
    """Why the player to move cannot do this, each with its rule; empty if it is legal.

    What a roll shows is checked by `Position.move`.
    """
    if event.kind == "show":
        return _show_faults(game, event)
    if game.over:
        return [Problem(str(event), "the race is over", "F11")]
    return _FAULTS[event.kind](game, event)


def _roll_faults(game: Game, event: Event) -> list[Problem]:
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


def _bet_faults(game: Game, event: Event) -> list[Problem]:
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
    "ticket": _ticket_faults,
    "tile": _tile_faults,
    "winner": _bet_faults,
    "last": _bet_faults,
    "partner": _partner_faults,
}
