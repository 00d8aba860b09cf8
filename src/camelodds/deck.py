"""What is left of a racing deck, as one player knows it (C14)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import comb, perm
from types import MappingProxyType
from typing import Any

import numpy as np

from camelodds.editions import Edition, IntArray
from camelodds.errors import OptionError, Problem
from camelodds.kernels.bag import CARD, COPIES, DRAWS, FIRST, SEGMENTS, Graph, Item, bag_graph
from camelodds.kernels.stacks import CRAZY


@dataclass(frozen=True, eq=False)
class Deck:
    """The cards still to come in this round, and what is known of them.

    The unknown racing cards are a uniform sample of the pool, the crazy cards one of the crazy
    pool: the neutral model (C14), which leaves aside that other players chose what they added.

    Attributes
    ----------
    left
        Cards left.
    crazy_left
        So many of them are crazy cards.
    known
        Racing cards that are among them, as in ``"y1"``.
    pool
        How many of each racing card the rest is drawn from; the known ones are not in it.
    crazy_pool
        How many crazy cards of each number of steps the crazy ones are drawn from.

    Examples
    --------
    >>> import camelodds as co
    >>> deck = co.Deck.full(co.CARDS, players=4)
    >>> deck.left, deck.crazy_left, deck.unknown, deck.total
    (10, 2, 8, 212390942400000)
    """

    left: int
    crazy_left: int
    known: tuple[str, ...] = ()
    pool: Mapping[str, int] = field(default_factory=dict)
    crazy_pool: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "known", tuple(self.known))
        set_field(self, "pool", MappingProxyType({c: n for c, n in self.pool.items() if n}))
        crazy_pool = {steps: n for steps, n in sorted(self.crazy_pool.items()) if n}
        set_field(self, "crazy_pool", MappingProxyType(crazy_pool))

    @classmethod
    def full(cls, edition: Edition, players: int) -> Deck:
        """The deck of a new round, of which nothing is known (C2, C4)."""
        size = edition.round_card(players).deck_size(players, edition.crazy_in_deck)
        return cls(size, edition.crazy_in_deck, (), edition.racing_deck, dict(edition.crazy_cards))

    @property
    def unknown(self) -> int:
        """How many racing cards come from the pool."""
        return self.left - self.crazy_left - len(self.known)

    @cached_property
    def total(self) -> int:
        """How many sequences of distinguishable cards can come: the total of the exact odds.

        Each pattern of crazy, known and other slots weighs one.
        """
        return (
            comb(self.left, self.crazy_left)
            * perm(self.left - self.crazy_left, len(self.known))
            * perm(sum(self.pool.values()), self.unknown)
            * perm(sum(self.crazy_pool.values()), self.crazy_left)
        )

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What tells one deck from another, as something that can be hashed."""
        pool = tuple(sorted(self.pool.items()))
        known = tuple(sorted(self.known))
        return self.left, self.crazy_left, known, pool, tuple(self.crazy_pool.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = self.left, self.crazy_left, self.known, dict(self.pool), dict(self.crazy_pool)
        return Deck, fields

    def draws(self, crazy: str) -> Iterable[tuple[str, int, Deck]]:
        """Every card that can lie on top, its weight, and the deck without it.

        A card that is known and one like it from the pool come one after the other.  The
        weights do not say how many sequences follow: that is `total` of the deck without it.
        """
        if self.crazy_left:
            for steps, count in self.crazy_pool.items():
                yield f"{crazy}{steps}", count, self._without_crazy(steps)
        for card in dict.fromkeys(self.known):
            yield card, self.known.count(card), self._without_known(card)
        if self.unknown:
            for card, count in self.pool.items():
                yield card, count, self._without_unknown(card)

    def without(self, card: str, crazy: str) -> Deck | None:
        """The deck after `card` was revealed; None if that card cannot come.

        A card that is known to be in the deck and could also come from the pool is taken
        to be the known one.
        """
        steps = int(card[1:])
        if card[0] == crazy:
            can = self.crazy_left and self.crazy_pool.get(steps, 0)
            return self._without_crazy(steps) if can else None
        if card in self.known:
            return self._without_known(card)
        return self._without_unknown(card) if self.unknown and card in self.pool else None

    def _without_crazy(self, steps: int) -> Deck:
        pool = {**self.crazy_pool, steps: self.crazy_pool[steps] - 1}
        return replace(self, left=self.left - 1, crazy_left=self.crazy_left - 1, crazy_pool=pool)

    def _without_known(self, card: str) -> Deck:
        return replace(self, left=self.left - 1, known=without(self.known, card))

    def _without_unknown(self, card: str) -> Deck:
        return replace(self.seen(card), left=self.left - 1)

    def seen(self, card: str) -> Deck:
        """The deck when one of these cards from the pool is known to be elsewhere."""
        return replace(self, pool={**self.pool, card: self.pool[card] - 1})

    def n_contents(self) -> int:
        """How many nodes `graph` has: a lower bound for the work of the exact odds."""
        known = [self.known.count(card) for card in dict.fromkeys(self.known)]
        return (
            _n_contents(known, len(self.known))
            * _n_contents(list(self.pool.values()), self.unknown)
            * _n_contents(list(self.crazy_pool.values()), self.crazy_left)
        )

    def packed(self, edition: Edition) -> tuple[IntArray, IntArray]:
        """The deck for the kernels that sample, see `camelodds.kernels.decks`."""
        items, draws = _deck_items(edition.racing, self)
        cards: list[int] = []
        deck = np.zeros((3, SEGMENTS), dtype=np.int64)
        for segment, group in enumerate((2, 0, 1)):  # crazy, known, unknown
            mine = [item for item in items if item.group == group]
            deck[FIRST, segment] = len(cards)
            cards += [item.actor | item.low << CARD for item in mine for _ in range(item.copies)]
            deck[COPIES, segment] = len(cards) - deck[FIRST, segment]
            deck[DRAWS, segment] = draws[group]
        return np.array(cards, dtype=np.int64), deck

    def graph(self, edition: Edition, *, keep_ends: bool = False) -> Graph:
        """All courses of the round, for the kernels.

        Raises
        ------
        OptionError
            If the number of courses does not fit into 63 bits.  Every deck of the edition's
            Round cards does.
        """
        try:
            if self.total < 2**63:  # else spare the work
                return _deck_graph(edition.racing, self, keep_ends)
        except OverflowError:
            pass
        where, tip = f"a deck of {self.left} cards", "such a deck can only be sampled"
        what = f"the weights of {self.total} courses do not fit into 63 bits"
        raise OptionError(Problem(where, what, "C2", tip))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without one of this kind, if there is any."""
    at = cards.index(card) if card in cards else len(cards)
    return cards[:at] + cards[at + 1 :]


def _n_contents(counts: list[int], most: int) -> int:
    ways = [1] + [0] * most
    for count in counts:
        ways = [sum(ways[max(0, n - count) : n + 1]) for n in range(most + 1)]
    return sum(ways)


@lru_cache(maxsize=32)
def _deck_graph(racing: str, deck: Deck, keep_ends: bool) -> Graph:
    items, draws = _deck_items(racing, deck)
    return bag_graph(items, draws, keep_ends=keep_ends)


def _deck_items(racing: str, deck: Deck) -> tuple[list[Item], list[int]]:
    def item(card: str, copies: int, group: int) -> Item:
        steps = int(card[1:])
        return Item(racing.index(card[0]), steps, steps, copies, group)

    items = [item(card, deck.known.count(card), 0) for card in dict.fromkeys(deck.known)]
    items += [item(card, count, 1) for card, count in deck.pool.items()]
    items += [Item(CRAZY, steps, steps, n, 2) for steps, n in deck.crazy_pool.items()]
    return items, [len(deck.known), deck.unknown, deck.crazy_left]


# Reading and writing.

FIELDS = ("left", "crazy_left", "known", "pool", "crazy_pool")
_CARD = re.compile(r"([A-Za-z])([0-9])")


def deck_text(edition: Edition, deck: Deck) -> list[str]:
    """The tokens of the notation: what is left, then what differs from a deck unseen."""
    tokens = [f"deck={deck.left - deck.crazy_left}+{deck.crazy_left}"]
    if deck.known:
        tokens.append("known=" + "".join(deck.known))
    if deck.pool != unseen(edition, deck.known):
        steps = [steps for steps, _ in edition.racing_cards]
        counts = {c: [deck.pool.get(f"{c}{s}", 0) for s in steps] for c in edition.racing}
        some = [c + "".join(map(str, counts[c])) for c in edition.racing if any(counts[c])]
        tokens.append("pool=" + "".join(some))
    if deck.crazy_pool != dict(edition.crazy_cards):
        some = [str(deck.crazy_pool.get(steps, 0)) for steps, _ in edition.crazy_cards]
        tokens.append("crazy=" + "".join(some))
    return tokens


def unseen(edition: Edition, known: Iterable[str]) -> dict[str, int]:
    """All racing cards but those that are `known`; what is left of each, if any."""
    counts = dict(edition.racing_deck)
    for card in known:
        if card in counts:
            counts[card] -= 1
    return {card: n for card, n in counts.items() if n > 0}


def deck_dict(edition: Edition, deck: Deck) -> dict[str, Any]:
    """The deck as JSON holds it."""
    return {
        "left": deck.left,
        "crazy_left": deck.crazy_left,
        "known": list(deck.known),
        "pool": {card: deck.pool.get(card, 0) for card in edition.racing_deck},
        "crazy_pool": {str(s): deck.crazy_pool.get(s, 0) for s, _ in edition.crazy_cards},
    }


def text_fields(name: str, text: str, edition: Edition) -> tuple[dict[str, Any], list[Problem]]:
    """What one token ``name=text`` says of a deck: fields as JSON holds them, and faults."""
    where = f"{name}={text}"
    if name == "deck":
        match = re.fullmatch(r"([0-9]{1,3})\+([0-9]{1,3})", text)
        if match is None:
            tip = 'racing and crazy cards left, as in "deck=6+2"'
            return {}, [Problem(where, "not understood", tip=tip)]
        racing, crazy = int(match[1]), int(match[2])
        return {"left": racing + crazy, "crazy_left": crazy}, []
    if name == "known":
        if _CARD.sub("", text):
            return {}, [Problem(where, "not understood", tip='cards, as in "known=y1r2"')]
        return {"known": [a + b for a, b in _CARD.findall(text)]}, []
    if name == "crazy":
        steps = [steps for steps, _ in edition.crazy_cards]
        if not re.fullmatch(r"[0-9]*", text) or len(text) != len(steps):
            tip = f"how many there are of {', '.join(map(str, steps))}, as in crazy=221"
            return {}, [Problem(where, "not understood", tip=tip)]
        return {"crazy_pool": dict(zip(map(str, steps), map(int, text), strict=True))}, []
    steps = [steps for steps, _ in edition.racing_cards]
    group = re.compile(rf"([A-Za-z])([0-9]{{{len(steps)}}})")
    if group.sub("", text):
        numbers = " and ".join(f"of its {s}-cards" for s in steps)
        tip = f'after each camel the number {numbers}, as in "pool=b51y40"'
        return {}, [Problem(where, "not understood", tip=tip)]
    pool = {
        f"{camel}{s}": int(n)
        for camel, digits in group.findall(text)
        for s, n in zip(steps, digits, strict=True)
    }
    return {"pool": pool}, []


def read_deck(
    edition: Edition, raw: Mapping[str, Any], players: int | None
) -> tuple[Deck | None, list[Problem]]:
    """The deck that the fields `raw` describe, or what is wrong with them.

    Fields that are left out: all of the deck of `players`, nothing known, a pool of all
    cards that are not known.
    """
    faults = [
        Problem(f"deck: {name!r:.30}", "unknown field", tip=f"the fields are {', '.join(FIELDS)}")
        for name in raw
        if name not in FIELDS
    ]
    if "left" not in raw and players is None:
        tip = 'write racing and crazy cards left, as in "deck=6+2", or the number of players'
        faults.append(Problem("", "how many cards are left is missing", "C2", tip))
    numbers = []
    for name in ("left", "crazy_left"):
        value = raw.get(name, 0)
        if not _whole(value):
            faults.append(Problem(f"deck: {name}={value!r:.30}", "not a number of cards"))
        numbers.append(value)
    known = raw.get("known", ())
    if not isinstance(known, (list, tuple)) or not all(isinstance(c, str) for c in known):
        faults.append(Problem(f"deck: known={known!r:.60}", "not a list of cards"))
        known = ()
    for card in known:
        if card not in edition.racing_deck:
            tip = f"the racing cards are {', '.join(edition.racing_deck)}"
            faults.append(Problem(card[:30], "no such card", "C1", tip))
    for card in dict.fromkeys(known):
        most = edition.racing_deck.get(card, len(known))
        if known.count(card) > most:
            what = f"{known.count(card)} of them are known, but there are {most}"
            faults.append(Problem(card, what, "C1"))
    pool = raw.get("pool", unseen(edition, known))
    crazy_pool = raw.get("crazy_pool", dict(edition.crazy_cards))
    faults += _pool_faults("pool", pool, edition.racing_deck, known)
    faults += _pool_faults("crazy_pool", crazy_pool, dict(edition.crazy_cards), ())
    if faults:
        return None, faults
    if "left" not in raw and players is not None:
        full = Deck.full(edition, players)
        numbers = [full.left, full.crazy_left]
    left, crazy_left = numbers
    order = list(edition.racing_deck)
    deck = Deck(
        left,
        crazy_left,
        tuple(sorted(known, key=order.index)),
        {card: pool[card] for card in order if card in pool},
        {int(steps): count for steps, count in crazy_pool.items()},
    )
    where = f"deck={left - crazy_left}+{crazy_left}"
    if crazy_left > edition.crazy_in_deck:
        tip = f"a deck has {edition.crazy_in_deck} crazy cards"
        faults.append(Problem(where, f"{crazy_left} crazy cards left", "C4", tip))
    if deck.unknown < 0:
        faults.append(Problem(where, f"{len(known)} known and {crazy_left} crazy cards are more"))
    elif deck.unknown > sum(deck.pool.values()):
        what = f"{deck.unknown} unknown cards from a pool of {sum(deck.pool.values())}"
        faults.append(Problem(where, what, "C14"))
    if crazy_left > sum(deck.crazy_pool.values()):
        what = f"{crazy_left} crazy cards from a pool of {sum(deck.crazy_pool.values())}"
        faults.append(Problem(where, what, "C14"))
    return deck, faults


def _pool_faults(
    name: str, pool: object, most: Mapping[Any, int], known: Iterable[str]
) -> Iterable[Problem]:
    if not isinstance(pool, Mapping):
        yield Problem(f"deck: {name}={pool!r:.60}", "not a mapping of cards to numbers")
        return
    known = list(known)
    names = {str(card): card for card in most}
    for card, count in pool.items():
        where = f"{name}: {card!r:.30}: {count!r:.30}"
        if str(card) not in names or isinstance(card, bool):
            yield Problem(where, "no such card", "C1", f"the cards are {', '.join(names)}")
        elif not _whole(count):
            yield Problem(where, "not a number of cards")
        elif count and count + known.count(str(card)) > most[names[str(card)]]:
            what = f"there are {most[names[str(card)]]} such cards"
            if str(card) in known and count:
                what += f", and {known.count(str(card))} known to be in the deck"
            yield Problem(where, what, "C1")


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000
