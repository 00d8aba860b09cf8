"""What tickets, pyramid tickets, partnerships and overall bets pay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from camelodds.editions import Edition
from camelodds.kernels.stacks import RACERS

Worth = TypeVar("Worth", int, float)


class Ticket(NamedTuple):
    """A leg ticket: its camel, and what it pays if the camel is first (F8)."""

    camel: str
    worth: int

    def __str__(self) -> str:
        return f"{self.camel}{self.worth}"


class Held(NamedTuple):
    """What a player holds in a leg: leg tickets, pyramid tickets, camels of third-place cards."""

    tickets: tuple[Ticket, ...] = ()
    pyramid: int = 0
    third: tuple[str, ...] = ()


class Hand(NamedTuple):
    """What a player of the Card Game has in a round beside bets (C2, C6, C14).

    Attributes
    ----------
    face_up
        The card in front of the player, as in ``"r2"``; None if it is played or not known.
    shortcut, fennec
        Whether the token is unused.
    dealt
        Whether the face-up card of this round is, or was, known.
    added, discarded
        Known to this player alone: the own cards that are still in the deck, and those
        discarded.
    """

    face_up: str | None = None
    shortcut: bool = True
    fennec: bool = True
    dealt: bool = False
    added: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()


class Bet(NamedTuple):
    """A card in a pile of overall bets (F13): who placed it, its camel or None if hidden."""

    player: str
    camel: str | None = None


PYRAMID = 1
"""What a pyramid ticket pays (F7)."""


def place_of(outcome: str, camel: str) -> int:
    """Place of a camel; after a bar stand those that share the fifth (C13).

    Examples
    --------
    >>> place_of("gb|yrp", "b"), place_of("gb|yrp", "y")
    (2, 5)
    """
    ranked, _, waiting = outcome.partition("|")
    return len(ranked + waiting) if camel in waiting else ranked.index(camel) + 1


def ticket_by_place(worth: Worth) -> tuple[Worth, ...]:
    """What a leg ticket pays for the first to the fifth place of its camel (F8).

    Examples
    --------
    >>> ticket_by_place(5)
    (5, 1, -1, -1, -1)
    """
    return (worth, 1, *[-1] * (RACERS - 2))


def pays_by_place(edition: Edition, kind: str, worth: int = 0) -> tuple[int, ...]:
    """What a bet of this kind pays for the first to the fifth place of its camel (C11, C12).

    Parameters
    ----------
    edition, kind
        The edition; ``ticket``, ``third``, ``winner`` or ``last``.
    worth
        Of a first-place ticket.

    Examples
    --------
    >>> import camelodds as co
    >>> pays_by_place(co.CARDS, "ticket", 5), pays_by_place(co.CARDS, "third")
    ((5, 1, -1, -1, -1), (-1, 1, 2, 1, -1))
    """
    if kind == "third":
        return edition.third_pays
    if kind == "winner":
        return edition.winner_pays
    if kind == "last":
        return edition.loser_pays
    return ticket_by_place(worth)


def ticket_pays(ticket: Ticket, outcome: str) -> int:
    """What a leg ticket pays with this outcome, leader first (F8).

    Examples
    --------
    >>> ticket_pays(Ticket("w", 5), "wbogy"), ticket_pays(Ticket("b", 5), "wbogy")
    (5, 1)
    """
    return ticket_by_place(ticket.worth)[place_of(outcome, ticket.camel) - 1]


def best_ticket(held: Held, outcome: str) -> int:
    """The bonus of a partner: the best reward among these tickets, if any (S10)."""
    rewards = [ticket_pays(ticket, outcome) for ticket in held.tickets]
    rewards += [PYRAMID] * (held.pyramid > 0)
    return max(0, *rewards, 0)


def leg_net(
    edition: Edition,
    player: str,
    held: Mapping[str, Held],
    partners: Mapping[str, str],
    outcome: str,
) -> int:
    """The net of a leg scoring for `player`, before the floor of zero (F8, S10, C11).

    What markers cost that still lie is not in it.
    """
    own = held[player]
    net = sum(ticket_pays(ticket, outcome) for ticket in own.tickets) + PYRAMID * own.pyramid
    net += sum(edition.third_pays[place_of(outcome, camel) - 1] for camel in own.third)
    if player in partners:
        net += best_ticket(held[partners[player]], outcome)
    return net


def prize(edition: Edition, n: int) -> int:
    """What the correct card after `n` other correct ones pays (F13).

    Examples
    --------
    >>> import camelodds as co
    >>> [prize(co.FIRST, n) for n in range(7)]
    [8, 5, 3, 2, 1, 1, 1]
    """
    return edition.prizes[min(n, len(edition.prizes) - 1)]


def pile_pays(edition: Edition, pile: Sequence[Bet], camel: str) -> list[int]:
    """What each card of a pile pays if `camel` is the right one (F13).

    Examples
    --------
    >>> import camelodds as co
    >>> pile_pays(co.FIRST, [Bet("P1", "g"), Bet("P2", "b"), Bet("P3", "b")], "b")
    [-1, 8, 5]
    """
    pays, correct = [], 0
    for bet in pile:
        if bet.camel == camel:
            pays.append(prize(edition, correct))
            correct += 1
        else:
            pays.append(-1)
    return pays


def settle(
    coins: Mapping[str, int | None], pays: Iterable[tuple[str, int]]
) -> dict[str, int | None]:
    """Coins after payments one by one, nobody ever holding less than none (F9)."""
    after = dict(coins)
    for player, pay in pays:
        held = after[player]
        if held is not None:
            after[player] = max(0, held + pay)
    return after


def settle_pile(
    edition: Edition, coins: Mapping[str, int | None], pile: Sequence[Bet], camel: str
) -> dict[str, int | None]:
    """Coins after a pile of overall bets was settled, first placed first (F13)."""
    pays = list(zip((bet.player for bet in pile), pile_pays(edition, pile, camel), strict=True))
    if edition.floor_after_net:
        nets = dict.fromkeys(coins, 0)
        for player, pay in pays:
            nets[player] += pay
        pays = list(nets.items())
    return settle(coins, pays)


def race_card_nets(
    edition: Edition, piles: Mapping[str, Sequence[Bet]], outcome: str
) -> list[tuple[str, int]]:
    """By player: the net of race-winner and race-loser cards (C12).

    Examples
    --------
    >>> import camelodds as co
    >>> piles = {"winner": [Bet("P1", "b")], "last": [Bet("P1", "y"), Bet("P2", "g")]}
    >>> race_card_nets(co.CARDS, piles, "gb|yrp")
    [('P1', 10), ('P2', -1)]
    """
    nets: dict[str, int] = {}
    for pile, bets in piles.items():
        for bet in bets:
            if bet.camel is not None:
                pay = pays_by_place(edition, pile)[place_of(outcome, bet.camel) - 1]
                nets[bet.player] = nets.get(bet.player, 0) + pay
    return list(nets.items())
