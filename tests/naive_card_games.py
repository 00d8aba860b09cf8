"""A slow, literal Card Game around ``naive_cards``: what every event does to the table.

Written from the rules page; the decks are left out, since an event says which card came.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tests import naive_cards

TICKETS = [5, 3, 2, 2]
WINNER = {1: 7, 2: 3}
LOSER = {5: 7, 4: 3}
THIRD = {1: -1, 2: 1, 3: 2, 4: 1, 5: -1}


def place(outcome: str, camel: str) -> int:
    ranked, _, waiting = outcome.partition("|")
    return 5 if camel in waiting else ranked.index(camel) + 1


@dataclass
class Player:
    coins: int = 3
    tickets: list[tuple[str, int]] = field(default_factory=list)
    thirds: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=lambda: {"shortcut", "fennec"})
    markers: set[str] = field(default_factory=set)  # their cards in front of the player
    face_up: str | None = None
    winner: str | None = None
    last: str | None = None

    def take(self, net: int) -> None:
        self.coins = max(0, self.coins + net)


@dataclass
class Table:
    """The whole game; ``play`` changes it."""

    round_: naive_cards.Round
    players: dict[str, Player]
    to_move: str
    track_done: bool = False
    bet_done: bool = False
    over: bool = False
    bank: int = 0  # what the bank has paid so far

    def ticket_worth(self, camel: str) -> int:
        taken = sum(c == camel for p in self.players.values() for c, _ in p.tickets)
        return TICKETS[taken]

    def play(self, event: str, deck_left: int) -> None:
        """``deck_left`` cards are in the deck before this."""
        kind, *words = event.split()
        me = self.players[self.to_move]
        if kind == "deal":
            self.players[words[0]].face_up = words[1]
            return
        if kind == "done":
            self.end_turn()
            return
        before = sum(player.coins for player in self.players.values())
        if kind in ("ticket", "third", "winner", "last"):
            self.bet(me, kind, words[0])
            self.bet_done = True
        else:
            self.track_done = True
            if kind in ("shortcut", "fennec"):
                me.tokens.remove(kind)
                me.markers.add(kind)
                self.round_ = replace(self.round_, **{kind: int(words[0])})
            else:
                self.move(me, kind, words[0])
                left = deck_left - (kind == "reveal")
                if self.over or left == 0:
                    self.score_round()
                    self.bank += sum(p.coins for p in self.players.values()) - before
                    return
        assert sum(player.coins for player in self.players.values()) == before
        if self.track_done and self.bet_done:
            self.end_turn()

    def bet(self, me: Player, kind: str, camel: str) -> None:
        if kind == "ticket":
            me.tickets.append((camel, self.ticket_worth(camel)))
        elif kind == "third":
            me.thirds.append(camel)
        else:
            assert all(getattr(p, kind) != camel for p in self.players.values())
            setattr(me, kind, camel)

    def move(self, me: Player, kind: str, word: str) -> None:
        card: Any = word
        if kind == "card":
            owner = self.players[word]
            card, owner.face_up = owner.face_up, None
            if owner is not me:
                me.coins -= 1
                owner.coins += 1
                assert me.coins >= 0
        moved = naive_cards.round_move(self.round_, card)
        self.round_, self.over = moved.after, moved.race_over
        for marker in (*moved.used, *moved.gone_home):
            for player in self.players.values():
                player.markers.discard(marker)

    def score_round(self) -> None:
        outcome = naive_cards.outcome(self.round_)
        for player in self.players.values():
            net = 0
            for camel, worth in player.tickets:
                net += {1: worth, 2: 1}.get(place(outcome, camel), -1)
            for camel in player.thirds:
                net += THIRD[place(outcome, camel)]
            player.take(net - len(player.markers))
        if self.over:
            for player in self.players.values():
                net = 0
                if player.winner:
                    net += WINNER.get(place(outcome, player.winner), -1)
                if player.last:
                    net += LOSER.get(place(outcome, player.last), -1)
                player.take(net)
            return
        for player in self.players.values():
            player.tickets, player.thirds, player.face_up = [], [], None
            player.tokens, player.markers = {"shortcut", "fennec"}, set()
        self.round_ = naive_cards.set_up(self.round_)
        self.end_turn()

    def end_turn(self) -> None:
        names = list(self.players)
        self.to_move = names[(names.index(self.to_move) + 1) % len(names)]
        self.track_done = self.bet_done = False
