"""A whole game: a position, the table around it, and what every event does to them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from camelodds.actions import HIDDEN, PILES, Event, faults_of, legal_actions, read_event
from camelodds.deck import without
from camelodds.draft import Tile
from camelodds.editions import Edition, edition_named
from camelodds.errors import EventError, GameError, OptionError, Problem
from camelodds.game_forms import PLAYERS, GameDraft, read_game, read_game_json
from camelodds.notation import load_json
from camelodds.position import Position
from camelodds.scoring import Bet, Hand, Held, Ticket, leg_net, race_card_nets, settle, settle_pile
from camelodds.shown import Shown

if TYPE_CHECKING:
    from camelodds.display.table import Table

Coins = Mapping[str, int | None]


def coins_of(edition: Edition, coins: Mapping[str, int | None] | int | None) -> Any:
    """What everybody has at the start, unless something else is said."""
    return edition.coins if coins is None else coins


_NOTHING = Held()


@dataclass(frozen=True, eq=False, repr=False)
class Game(Shown):
    """A game of one of the editions; checked once, then immutable.

    Parameters
    ----------
    position
        The track and the pyramid; tiles with their owners, as in ``5-@P1``.  A tile without
        an owner pays nobody at the table.
    players
        Names in seat order, or how many: then they are P1, P2, ...  If left out, as many as
        the position tells, or 4.
    to_move
        Whose turn it is; the first player if left out.
    leg_starter
        Who started the leg, if known.
    coins
        By player, or one number for all; None where unknown: then there is no floor (F9).
    tickets_left
        By camel: worth of the tickets left, top first; if left out, all that nobody holds.
    held
        By player: leg tickets and pyramid tickets of this leg.
    piles
        ``winner`` and ``last``: the overall bets, first placed first; camel None for a card
        that lies face down (F13).  In the Card Game the race cards that players have, one of
        each kind at the most (C9).
    partners
        By player: the partner, both ways (S10).
    hands
        By player, in the Card Game: a `Hand`, or a mapping with some of its fields.
    acted
        Kinds of action that the player to move has done in this turn (C5).

    Raises
    ------
    GameError
        With every fault that was found.

    Examples
    --------
    >>> import camelodds as co
    >>> g = co.Game.start(co.FIRST, players=4, position="1:gyo 3:bw")
    >>> g = g.after("ticket w").after("tile 5+").after("roll o3")
    >>> g.to_move, g.held["P1"].tickets, g.tickets_left["w"], g.coins["P3"]
    ('P4', (Ticket(camel='w', worth=5),), (3, 2), 3)
    >>> print(g.position)
    1:gy 3:bw 4:o 5+@P2 dice=bygw
    """

    position: Position
    players: tuple[str, ...]
    to_move: str
    leg_starter: str | None
    coins: Coins
    tickets_left: Mapping[str, tuple[int, ...]]
    held: Mapping[str, Held]
    piles: Mapping[str, tuple[Bet, ...]]
    partners: Mapping[str, str]
    hands: Mapping[str, Hand]
    acted: tuple[str, ...]

    def __init__(
        self,
        position: Position,
        players: int | Sequence[str] | None = None,
        *,
        to_move: str | None = None,
        leg_starter: str | None = None,
        coins: Mapping[str, int | None] | int | None = None,
        tickets_left: Mapping[str, Sequence[int]] | None = None,
        held: Mapping[str, Any] | None = None,
        piles: Mapping[str, Any] | None = None,
        partners: Mapping[str, str] | None = None,
        hands: Mapping[str, Any] | None = None,
        acted: Sequence[str] = (),
    ) -> None:
        if not isinstance(position, Position):
            tip = "make one with Position.parse(...)"
            raise GameError(Problem(f"{position!r:.60}", "not a Position", tip=tip))
        fields = {
            "players": players,
            "to_move": to_move,
            "leg_starter": leg_starter,
            "coins": coins,
            "tickets_left": tickets_left,
            "held": held,
            "piles": piles,
            "partners": partners,
            "hands": hands,
            "acted": acted,
        }
        self._take(read_game(position, fields))

    def _take(self, draft: GameDraft) -> None:
        found = draft.problems()
        if found or draft.position is None:
            raise GameError(found, "not a game:")
        edition, players = draft.position.edition, draft.players
        held = {player: draft.held.get(player, _NOTHING) for player in players}
        taken = Counter(ticket.camel for one in held.values() for ticket in one.tickets)
        self._set(
            position=draft.position,
            players=players,
            to_move=players[0] if draft.to_move is None else draft.to_move,
            leg_starter=draft.leg_starter,
            coins={player: draft.coins.get(player) for player in players},
            tickets_left={
                camel: draft.tickets_left.get(camel, edition.tickets[taken[camel] :])
                for camel in edition.racing
            },
            held=held,
            piles={pile: draft.piles.get(pile, ()) for pile in PILES},
            partners=dict(draft.partners),
            hands={player: draft.hand_of(player) for player in players if edition.by_cards},
            acted=draft.acted,
        )

    def _set(self, **fields: Any) -> None:
        for name, value in fields.items():
            frozen = MappingProxyType(value) if isinstance(value, dict) else value
            object.__setattr__(self, name, frozen)

    def _with(self, **fields: Any) -> Game:
        """The same game with other fields, known to be right."""
        game = Game.__new__(Game)
        game._set(**{name: fields.get(name, getattr(self, name)) for name in _FIELDS})
        return game

    @classmethod
    def _from_draft(cls, draft: GameDraft) -> Game:
        game = cls.__new__(cls)
        game._take(draft)
        return game

    @classmethod
    def start(
        cls,
        edition: Edition | str,
        players: int | Sequence[str] | None = None,
        position: Position | str | None = None,
        *,
        coins: Mapping[str, int | None] | int | None = None,
        seed: int | None = None,
        **fields: Any,
    ) -> Game:
        """A game in which nobody has taken anything yet.

        Parameters
        ----------
        edition
            The edition.
        players
            Names in seat order, or how many; if left out, as many as the position tells, or 4.
        position
            The track, or its notation; a random start (F2, S2) if left out.
        coins
            What everybody has; if left out, what the edition gives at the start.
        seed
            For the random start: the same seed gives the same one.
        fields
            Anything else that `Game` takes.

        Raises
        ------
        GameError, PositionError, OptionError
            With every fault that was found.

        Examples
        --------
        >>> import camelodds as co
        >>> g = co.Game.start(co.SECOND, players=["Ann", "Bob", "Cat"], seed=1)
        >>> g.to_move, dict(g.coins), g.position.dice
        ('Ann', {'Ann': 3, 'Bob': 3, 'Cat': 3}, 'bygrp*')
        """
        edition = edition_named(edition)
        if position is None:
            players = PLAYERS if players is None else players
            n_players = players if isinstance(players, int) else len(players)
            position = Position.start(edition, seed, players=n_players)
            if edition.by_cards and "hands" not in fields:
                return cls(position, players, coins=coins_of(edition, coins), **fields)._dealt(seed)
        elif isinstance(position, str):
            position = Position.parse(position, edition)
        elif isinstance(position, Position) and position.edition != edition:
            what = f"of the {position.edition} edition, not of the {edition}"
            raise OptionError(Problem(str(position), what))
        return cls(position, players, coins=coins_of(edition, coins), **fields)

    def _dealt(self, seed: int | None) -> Game:
        """The game with a random card face up before everybody (C2)."""
        rng = np.random.default_rng(None if seed is None else [seed, len(self.players)])
        game = self
        for player in self.players:
            deck = game.position.deck
            if deck is not None:
                unseen = [card for card, n in deck.pool.items() for _ in range(n)]
                card = unseen[int(rng.integers(len(unseen)))]
                game = game.after(f"deal {player} {card}")
        return game

    @classmethod
    def from_dict(cls, data: object, edition: Edition | str | None = None) -> Game:
        """Read what `to_dict` made; only ``position`` is needed.

        Notes that a collection of games keeps beside them are left out: ``id``, ``why``,
        ``actions``, ``overall_bets_valued``, ``objective``, ``values`` and ``best``.

        Raises
        ------
        GameError
            With every fault that was found.

        Examples
        --------
        >>> g = Game.from_dict({"position": "1:gyo 3:bw", "players": ["Ann", "Bob"]})
        >>> g.to_move, g.coins["Ann"], g.tickets_left["b"]
        ('Ann', None, (5, 3, 2))
        """
        return cls._from_draft(read_game_json(data, edition))

    @classmethod
    def from_json(cls, text: str | bytes, edition: Edition | str | None = None) -> Game:
        """Read a game from JSON text, see `from_dict`.

        Raises
        ------
        GameError
            With every fault that was found.
        """
        try:
            data = load_json(text)
        except ValueError as error:
            raise GameError(Problem("JSON", f"cannot be read: {error}")) from None
        return cls.from_dict(data, edition)

    @staticmethod
    def problems(source: object, edition: Edition | str | None = None) -> list[Problem]:
        """Every fault of an input at once; an empty list if it is a game.

        Parameters
        ----------
        source
            A dictionary as `from_dict` takes it, or a game.
        edition
            The edition; if left out, the input tells it.

        Examples
        --------
        >>> for problem in Game.problems(
        ...     {
        ...         "position": "1:gyo 3:bw 5-@P9",
        ...         "players": 2,
        ...         "coins": {"P1": -1},
        ...         "held": {"P1": {"tickets": ["w5", "w5"]}},
        ...     }
        ... ):
        ...     print(problem)
        coins: P1: -1: nobody holds less than 0 [F9]
        5-@P9: no player 'P9' has a tile [F3] - the players are P1, P2
        ticket w5: 2 of them, left and held, but there are 1 [F3]
        """
        if isinstance(source, Game):
            source = source.to_dict()
        return read_game_json(source, edition).problems()

    # What it is --------------------------------------------------------------------------

    @property
    def edition(self) -> Edition:
        """The edition of the position."""
        return self.position.edition

    @property
    def over(self) -> bool:
        """Whether the race is over (F11): no player has a turn any more."""
        return self.position.race_over

    @property
    def settled(self) -> bool:
        """Whether the race is over and every overall bet paid; hidden cards wait for ``show``."""
        return self.over and all(bet.camel for bets in self.piles.values() for bet in bets)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has most coins at the end; ties share (F15).

        Empty while the game goes on, or if somebody's coins are unknown.
        """
        coins = [held for held in self.coins.values() if held is not None]
        if not self.settled or len(coins) < len(self.players):
            return ()
        return tuple(player for player in self.players if self.coins[player] == max(coins))

    def tile_of(self, player: str) -> int | None:
        """Space of a player's tile; None if it is in the player's hand."""
        for space, tile in self.position.tiles.items():
            if tile.owner == player:
                return space
        return None

    def markers_of(self, player: str) -> list[int]:
        """Spaces of the markers whose cards lie before a player (C6)."""
        return [s for s, tile in self.position.tiles.items() if tile.owner == player]

    def seen_by(self, player: str) -> Position:
        """The position as this player knows it (C14).

        The own additions are known to be in the deck; its other cards are drawn from those
        that the player has not seen.  In the pyramid games it is the position itself.

        Raises
        ------
        OptionError
            If there is no such player.
        """
        if player not in self.players:
            tip = f"the players are {', '.join(self.players)}"
            raise OptionError(Problem(f"{player!r:.40}", "no such player", tip=tip))
        deck = self.position.deck
        if deck is None or not (self.hands[player].added or self.hands[player].discarded):
            return self.position
        hand = self.hands[player]
        gone = Counter([*hand.added, *hand.discarded])
        order = list(self.edition.racing_deck)
        known = tuple(sorted([*deck.known, *hand.added], key=order.index))
        pool = {card: n - gone[card] for card, n in deck.pool.items()}
        return self.position._with(deck=replace(deck, known=known, pool=pool))

    def cards_used(self, player: str) -> list[str]:
        """Camels of a player's overall cards in the piles, ``?`` for a hidden one (F13)."""
        return [
            bet.camel or HIDDEN
            for bets in self.piles.values()
            for bet in bets
            if bet.player == player
        ]

    def legal_actions(self) -> tuple[str, ...]:
        """All that the player to move can do, see `camelodds.legal_actions`."""
        return legal_actions(self)

    # What happens ------------------------------------------------------------------------

    def after(self, event: str | Event) -> Game:
        """The game after an event; the game itself does not change (M6).

        Parameters
        ----------
        event
            What the player to move did: ``"roll w2"`` (``"roll K3"`` the grey die by colour
            and number), ``"ticket b"``, ``"tile 16-"``, ``"winner g"``, ``"last o"`` (``"last
            ?"`` for a card that nobody saw), ``"partner P4"``.  When the race is over and
            cards are hidden, ``"show winner g"`` turns over the first of them.

            In the Card Game: ``"reveal r2"``, ``"card P3"`` (plays that player's face-up
            card), ``"shortcut 8"``, ``"fennec 5"``, ``"ticket b"``, ``"third b"``, ``"winner
            g"``, ``"last o"``, ``"done"`` (no bet after the track action).  ``"deal P3 r2"``
            tells which card lies face up before a player, ``"hand P1 b1y1 g1g2"`` which
            cards one added and discarded.

        Returns
        -------
        Game
            With the leg scored if it is over (F8, S10), the next one begun (F10), and, when
            the race is over, the overall bets paid (F11, F13).

        Raises
        ------
        EventError
            With the rule that forbids it.

        Examples
        --------
        >>> import camelodds as co
        >>> g = co.Game.start(co.FIRST, players=2, position="1:gyo 3:bw dice=w")
        >>> g = g.after("ticket w").after("roll w2")  # the leg's last die
        >>> dict(g.coins), g.to_move, str(g.position)
        ({'P1': 8, 'P2': 4}, 'P1', '1:gyo 3:b 5:w')
        """
        done = read_event(event, self.edition)
        faults = faults_of(self, done)
        if faults:
            raise EventError(faults)
        return _EFFECTS[done.kind](self, done)

    def _acted(self, kind: str) -> Game:
        """After an action: the next turn, or this one goes on with what is left of it (C5)."""
        acted = (*self.acted, kind)
        if len(acted) == len(self.edition.turn):
            return self._next_turn()
        return self._with(acted=acted)

    def _roll(self, event: Event) -> Game:
        if not event.camel:
            tip = 'as in "roll w2"'
            raise EventError(Problem("roll", "say what the die showed", tip=tip))
        move = self.position.move(f"{event.camel}{event.number}")
        own = self.held[self.to_move]
        held = {**self.held, self.to_move: own._replace(pyramid=own.pyramid + 1)}
        coins = dict(self.coins)
        if move.owner is not None:
            coins = settle(coins, [(move.owner, 1)])  # M3, at once
        game = self._with(position=move.after, held=held, coins=coins)
        if game.position.leg_over:
            return game._end_leg()
        return game._acted(event.kind)

    def _reveal(self, event: Event) -> Game:
        if not event.camel:
            tip = 'as in "reveal r2"'
            raise EventError(Problem("reveal", "say which card came", tip=tip))
        card = f"{event.camel}{event.number}"
        hands = {
            # A card that one knows to be in the deck is taken to be the one that came.
            player: hand._replace(added=without(hand.added, card))
            for player, hand in self.hands.items()
        }
        game = self._with(position=self.position.move(card).after, hands=hands)
        if game.position.leg_over:
            return game._end_leg()  # C10, C12
        return game._acted(event.kind)

    def _card(self, event: Event) -> Game:
        """Play a face-up card; another's costs a coin, paid to its owner (C5)."""
        owner, hand = event.player, self.hands[event.player]
        card = hand.face_up or ""
        coins = dict(self.coins)
        if owner != self.to_move:
            coins = settle(coins, [(self.to_move, -1), (owner, 1)])
        game = self._with(
            position=self.position.moved(card[0], int(card[1:])).after,
            coins=coins,
            hands={**self.hands, owner: hand._replace(face_up=None)},
        )
        return game._end_leg() if game.over else game._acted(event.kind)

    def _marker(self, event: Event) -> Game:
        used: dict[str, Any] = {event.kind: False}
        hand = self.hands[self.to_move]._replace(**used)
        return self._with(
            position=self.placed(event.number, event.sign),
            hands={**self.hands, self.to_move: hand},
        )._acted(event.kind)

    def _third(self, event: Event) -> Game:
        own = self.held[self.to_move]
        held = {**self.held, self.to_move: own._replace(third=(*own.third, event.camel))}
        return self._with(held=held)._acted(event.kind)

    def _done(self, event: Event) -> Game:
        return self._next_turn()

    def _deal(self, event: Event) -> Game:
        card = f"{event.camel}{event.number}"
        hand = self.hands[event.player]._replace(face_up=card, dealt=True)
        deck, hands = self.position.deck, {**self.hands, event.player: hand}
        if deck is None:
            return self._with(hands=hands)
        return self._with(hands=hands, position=self.position._with(deck=deck.seen(card)))

    def _hand(self, event: Event) -> Game:
        hand = self.hands[event.player]._replace(added=event.added, discarded=event.discarded)
        return self._with(hands={**self.hands, event.player: hand})

    def _end_leg(self) -> Game:
        """Score the leg, which the player to move ended, and begin the next one."""
        outcome = self.position.outcome
        nets = [
            (player, leg_net(self.edition, player, self.held, self.partners, outcome))
            for player in self.players
        ]
        if self.edition.by_cards:
            # C11: a marker card that is still before its player costs one.
            nets = [(player, net - len(self.markers_of(player))) for player, net in nets]
        game = self._with(
            coins=settle(self.coins, nets),
            # F10: tickets, tiles, dice and partnership cards go home.
            tickets_left=dict.fromkeys(self.edition.racing, self.edition.tickets),
            held=dict.fromkeys(self.players, _NOTHING),
            partners={},
            hands=dict.fromkeys(self.hands, Hand()),
            acted=(),
        )
        if not self.over:
            # F10: left of the player who took the last pyramid ticket.
            game = game._with(position=self.position.next_leg())._next_turn()
            return game._with(leg_starter=game.to_move)
        game = game._with(position=self.position._with(tiles={}))
        return game._end_race() if game.settled else game

    def _end_race(self) -> Game:
        """Pay the overall bets (F13): the winner pile, then the loser pile."""
        outcome, coins = self.position.outcome, self.coins
        if self.edition.winner_pays:
            # C12: all race cards are netted.
            nets = race_card_nets(self.edition, self.piles, outcome)
            return self._with(coins=settle(coins, nets))
        for pile, camel in zip(PILES, (outcome[0], outcome[-1]), strict=True):
            coins = settle_pile(self.edition, coins, self.piles[pile], camel)
        return self._with(coins=coins)

    def _next_turn(self) -> Game:
        seat = self.players.index(self.to_move)
        return self._with(to_move=self.players[(seat + 1) % len(self.players)], acted=())

    def _ticket(self, event: Event) -> Game:
        worth, *left = self.tickets_left[event.camel]
        own = self.held[self.to_move]
        tickets = (*own.tickets, Ticket(event.camel, worth))
        return self._with(
            tickets_left={**self.tickets_left, event.camel: tuple(left)},
            held={**self.held, self.to_move: own._replace(tickets=tickets)},
        )._acted(event.kind)

    def _tile(self, event: Event) -> Game:
        return self._with(position=self.placed(event.number, event.sign))._acted(event.kind)

    def placed(self, space: int, sign: int) -> Position:
        """The position with a tile of the player to move on `space` (F4, C6), unchecked."""
        tiles = dict(self.position.tiles)
        if not self.edition.by_cards:  # the own tile moves
            tiles = {s: tile for s, tile in tiles.items() if tile.owner != self.to_move}
        tiles[space] = Tile(sign, self.to_move)
        return self.position._with(tiles=tiles)

    def _bet(self, event: Event) -> Game:
        bet = Bet(self.to_move, None if event.camel == HIDDEN else event.camel)
        before = self.piles[event.kind]
        if self.edition.winner_pays:  # C9: a new one sends the old one back
            before = tuple(one for one in before if one.player != self.to_move)
        piles = {**self.piles, event.kind: (*before, bet)}
        return self._with(piles=piles)._acted(event.kind)

    def _partner(self, event: Event) -> Game:
        pair = {self.to_move: event.player, event.player: self.to_move}
        return self._with(partners={**self.partners, **pair})._acted(event.kind)

    def _show(self, event: Event) -> Game:
        bets = list(self.piles[event.pile])
        hidden = next(i for i, bet in enumerate(bets) if bet.camel is None)
        bets[hidden] = bets[hidden]._replace(camel=event.camel)
        game = self._with(piles={**self.piles, event.pile: tuple(bets)})
        return game._end_race() if game.settled else game

    # Forms -------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The game as a dictionary that JSON can hold; `from_dict` reads it.

        Keys are ``edition``, ``position`` (notation), ``players``, ``to_move``,
        ``leg_starter``, ``coins`` (null if all are unknown), ``tickets_left``, ``held``,
        ``piles`` and ``partners``; in the Card Game ``hands`` and ``acted`` instead of
        ``partners``.
        """
        known = any(coins is not None for coins in self.coins.values())
        return (
            self.edition.to_dict()
            | {
                "position": str(self.position),
                "players": list(self.players),
                "to_move": self.to_move,
                "leg_starter": self.leg_starter,
                "coins": dict(self.coins) if known else None,
                "tickets_left": {camel: list(left) for camel, left in self.tickets_left.items()},
                "held": {
                    player: held_dict(self.edition, held) for player, held in self.held.items()
                },
                "piles": {
                    pile: [{"player": bet.player, "camel": bet.camel} for bet in bets]
                    for pile, bets in self.piles.items()
                },
            }
            | self._own_dict()
        )

    def _own_dict(self) -> dict[str, Any]:
        """What `to_dict` holds in one kind of game only."""
        if not self.edition.by_cards:
            return {"partners": dict(self.partners)}
        return {
            "hands": {player: hand._asdict() for player, hand in self.hands.items()},
            "acted": list(self.acted),
        }

    def to_json(self) -> str:
        """The game as JSON text; `from_json` reads it."""
        return json.dumps(self.to_dict())

    @cached_property
    def _key(self) -> tuple[object, ...]:
        values = [getattr(self, name) for name in _FIELDS]
        return tuple(
            tuple(sorted(value.items())) if isinstance(value, Mapping) else value
            for value in values
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in _FIELDS}
        return _restore, ({k: dict(v) if isinstance(v, Mapping) else v for k, v in fields.items()},)

    def __repr__(self) -> str:
        return f"<Game of {', '.join(self.players)}: {self.position}, {self.to_move} to move>"

    def _table(self) -> Table:
        from camelodds.display.tables import game_table

        return game_table(self)

    def _repr_html_(self) -> str:
        return f"{self.position.svg()}{super()._repr_html_()}"


_FIELDS = tuple(Game.__annotations__)

_EFFECTS = {
    "roll": Game._roll,
    "ticket": Game._ticket,
    "tile": Game._tile,
    "winner": Game._bet,
    "last": Game._bet,
    "partner": Game._partner,
    "reveal": Game._reveal,
    "card": Game._card,
    "shortcut": Game._marker,
    "fennec": Game._marker,
    "third": Game._third,
    "done": Game._done,
    "deal": Game._deal,
    "hand": Game._hand,
    "show": Game._show,
}


def held_dict(edition: Edition, held: Held) -> dict[str, Any]:
    """What a player holds, as JSON has it."""
    tickets = [str(ticket) for ticket in held.tickets]
    if edition.by_cards:
        return {"tickets": tickets, "third": list(held.third)}
    return {"tickets": tickets, "pyramid": held.pyramid}


def _restore(fields: dict[str, Any]) -> Game:
    game = Game.__new__(Game)
    game._set(**fields)
    return game
