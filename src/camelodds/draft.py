"""A position as it was written, checked against the rules of its edition: every fault at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from camelodds.deck import Deck, read_deck
from camelodds.editions import BEFORE_BANNER, COLOURS, EDITIONS, GREY_DIE, NO_EDITION, Edition
from camelodds.errors import Problem
from camelodds.kernels.board import REACH


class Tile(NamedTuple):
    """A tile on the track (F3): its sign, +1 or -1, and the player who owns it."""

    sign: int
    owner: str | None = None

    def __str__(self) -> str:
        return ("+" if self.sign > 0 else "-") + (f"@{self.owner}" if self.owner else "")


@dataclass
class Draft:
    """A position as it was written, not yet checked."""

    edition: Edition
    stacks: list[tuple[str, int, str]] = field(default_factory=list)
    """What was written, the space, the camels bottom to top."""
    tiles: list[tuple[str, int, Tile]] = field(default_factory=list)
    dice: str | None = None
    last_space: int | None = None
    flipped: list[int] = field(default_factory=list)
    """Track cards that are one space (C4)."""
    deck_fields: dict[str, Any] = field(default_factory=dict)
    """What is said of the deck, as JSON holds it."""
    players: int | None = None
    faults: list[Problem] = field(default_factory=list)
    """What could not be read at all."""
    deck: Deck | None = None
    """The deck that `deck_fields` describe, made by `problems`."""

    def problems(self) -> list[Problem]:
        """Every fault, in the order of reading."""
        found = list(self.faults)
        found += self._track_problems()
        found += self._camel_problems()
        found += self._space_problems()
        found += self._marker_problems() if self.edition.by_cards else self._tile_problems()
        found += self._dice_problems()
        found += self._deck_problems()
        return found

    @property
    def heading(self) -> str:
        """What stands above the faults: of which edition this is none, if that is known."""
        if any(fault.what.startswith((NO_EDITION, "a position is")) for fault in self.faults):
            return "not a position:"
        return f"not a position of the {self.edition.name} edition (stacks bottom to top):"

    @property
    def track(self) -> int:
        """The last space before the finish; that of the Round card if nothing is said."""
        cards = [card for card in self.edition.round_cards if card.players == self.players]
        if self.last_space is None:
            return cards[0].last_space if cards else self.edition.spaces
        return self.last_space

    def _track_problems(self) -> Iterable[Problem]:
        edition = self.edition
        if not edition.by_cards:
            if self.last_space is not None or self.flipped or self.players is not None:
                tip = "last=, flip= and players= belong to the Card Game"
                yield Problem("", "a track of cards in another game", "C1", tip)
            return
        fewest, most = edition.players
        if self.players is None and self.last_space is None:
            tip = "last=16, or the number of players"
            yield Problem("", "the last space before the finish is missing", "C2", tip)
        if self.players is not None and self.players not in [
            c.players for c in edition.round_cards
        ]:
            where = f"players={self.players}"
            yield Problem(where, "no Round card", "C2", f"{fewest} to {most} play")
        if self.last_space is not None and not 1 <= self.last_space <= edition.spaces:
            tip = f"a track has at most {edition.spaces} spaces"
            yield Problem(f"last={self.last_space}", "no such track", "C4", tip)
        for i, card in enumerate(self.flipped):
            if card in self.flipped[:i]:
                yield Problem(f"flip={card}", "a track card a second time", "C4")
            elif card < 1 or 2 * card > self.track:
                tip = "card k holds the spaces 2k-1 and 2k"
                yield Problem(f"flip={card}", "no such track card", "C1", tip)

    def _camel_problems(self) -> Iterable[Problem]:
        edition = self.edition
        seen: dict[str, str] = {}
        unknown = False
        for where, _, camels in self.stacks:
            if not camels:
                yield Problem(where, "an empty stack", "M1", "leave the space out")
            strange = [c for c in dict.fromkeys(camels) if c not in edition.camels]
            if strange:
                unknown = True
                named = ", ".join(map(repr, strange))
                what = f"unknown camel{'s' if len(strange) > 1 else ''} {named}"
                tip = _camel_tip(camels, strange[0], edition)
                yield Problem(where, what, _start_rule(edition, strange[0]), tip)
            for i, camel in enumerate(camels):
                if camel in strange:
                    continue
                if camel in seen and camel not in camels[:i]:
                    what = f"camel {camel} again, already in {seen[camel]}"
                    yield Problem(where, what, _start_rule(edition, camel))
                elif camels.index(camel) == i and camels.count(camel) > 1:
                    what = f"camel {camel} again, already in {where}"
                    yield Problem(where, what, _start_rule(edition, camel))
                seen.setdefault(camel, where)
        # What could not be read may well be what is missing.
        if not unknown and not any(fault.what.startswith(_UNREAD) for fault in self.faults):
            for camel in edition.camels:
                if camel not in seen:
                    what = f"camel {camel} ({COLOURS[camel]}) is missing"
                    yield Problem("stacks", what, _start_rule(edition, camel))

    def _space_problems(self) -> Iterable[Problem]:
        edition = self.edition
        if edition.by_cards:
            yield from self._card_space_problems()
            return
        first = 1 - REACH if edition.crazy else 1
        last = edition.spaces + REACH
        seen: set[int] = set()
        beyond: list[tuple[str, int, str]] = []
        for where, space, camels in self.stacks:
            if not first <= space <= last:
                tip = f"spaces go from 1 to {edition.spaces}; beyond the line up to {last}"
                if edition.crazy:
                    tip += f", in reverse down to {first}"
                yield Problem(where, f"no such space as {space}", "F1", tip)
                continue
            if space in seen:
                tip = "write one stack, bottom to top"
                yield Problem(where, f"space {space} a second time", "M1", tip)
            seen.add(space)
            if space > edition.spaces or space < 1:
                beyond.append((where, space, camels))
        if len({space for _, space, _ in beyond}) > 1:
            named = ", ".join(where for where, _, _ in beyond)
            yield Problem(named, "more than one unit beyond a line", "F11", "the first one ends it")
        for where, space, camels in beyond:
            if space > edition.spaces and camels[:1] in tuple(edition.crazy):
                yield Problem(where, "a crazy camel does not cross the line forward", "S7")
            if space < 1 and camels[:1] in tuple(edition.racing):
                yield Problem(where, "a racing camel does not cross the line in reverse", "S6")

    def _card_space_problems(self) -> Iterable[Problem]:
        edition, last = self.edition, self.track
        seen: set[int] = set()
        for where, space, camels in self.stacks:
            if not BEFORE_BANNER <= space <= last + 1:
                tip = f"spaces go from 1 to {last}, 0 is before the banner, {last + 1} the finish"
                yield Problem(where, f"no such space as {space}", "C12", tip)
            elif space in seen:
                tip = "write one stack, bottom to top"
                yield Problem(where, f"space {space} a second time", "M1", tip)
            elif space % 2 == 0 and space // 2 in self.flipped:
                tip = f"its one space is called {space - 1}"
                yield Problem(where, f"card {space // 2} is flipped", "C4", tip)
            elif space == BEFORE_BANNER and not edition.crazy_stops_before_banner:
                for camel in camels:
                    if camel in edition.crazy:
                        yield Problem(where, f"{camel} stops at space 1", "C8")
            seen.add(space)

    def _marker_problems(self) -> Iterable[Problem]:
        occupied = {space for _, space, _ in self.stacks}
        racing = [s for _, s, camels in self.stacks if set(camels) & set(self.edition.racing)]
        rear = min(racing, default=BEFORE_BANNER)
        seen: list[tuple[int, int]] = []
        for where, space, tile in self.tiles:
            if not 1 <= space <= self.track:
                yield Problem(where, "a marker off the track", "C6", f"1 to {self.track}")
            elif space % 2 == 0 and space // 2 in self.flipped:
                tip = f"its one space is called {space - 1}"
                yield Problem(where, f"card {space // 2} is flipped", "C4", tip)
            elif space < rear:
                yield Problem(where, "all racing camels are past this marker", "C6")
            if space in occupied:
                yield Problem(where, "a marker on a space with a camel", "C6")
            if space in [other for other, _ in seen]:
                yield Problem(where, "two markers on one space", "C6")
            if tile.sign in [sign for _, sign in seen]:
                name = MARKERS[tile.sign]
                yield Problem(where, f"a second {name}", "C6", "there is one of each")
            seen.append((space, tile.sign))

    def _tile_problems(self) -> Iterable[Problem]:
        occupied = {space for _, space, _ in self.stacks}
        spaces = [space for _, space, _ in self.tiles]
        owners: dict[str, str] = {}
        seen: set[int] = set()
        for where, space, tile in self.tiles:
            if space == 1:
                yield Problem(where, "no tile may lie on space 1", "F4")
            elif not 2 <= space <= self.edition.spaces:
                tip = f"tiles lie on 2 to {self.edition.spaces}"
                yield Problem(where, f"no tile may lie on space {space}", "F4", tip)
            if space in occupied:
                yield Problem(where, "a tile on a space with a camel", "F4")
            if space in seen:
                yield Problem(where, "two tiles on one space", "F4")
            elif space - 1 in spaces:
                yield Problem(where, f"next to the tile on space {space - 1}", "F4")
            seen.add(space)
            if tile.owner is not None and tile.owner in owners:
                has = f"{tile.owner} has a tile already, {owners[tile.owner]}"
                yield Problem(where, has, "F3", "everybody has one tile")
            elif tile.owner is not None:
                owners[tile.owner] = where

    def _dice_problems(self) -> Iterable[Problem]:
        if self.dice is None:
            return
        where, edition = f"dice={self.dice}", self.edition
        if edition.by_cards and self.dice:
            yield Problem(where, "no dice in the Card Game", "C1", "deck=6+2 says what is left")
            return
        rule = "S1" if GREY_DIE in edition.dice else "F3"
        strange = [die for die in dict.fromkeys(self.dice) if die not in edition.dice]
        if strange:
            what = f"unknown di{'c' if len(strange) > 1 else ''}e {', '.join(map(repr, strange))}"
            tip = f"the dice are {edition.dice}"
            if GREY_DIE in edition.dice:
                tip += f", {GREY_DIE} is the grey one"
            if self.dice.lower() in ("all", "none"):
                tip = "leave dice= out for all of them, write a bare dice= for none"
            yield Problem(where, what, rule, tip)
        for die in dict.fromkeys(self.dice):
            if self.dice.count(die) > 1 and die not in strange:
                yield Problem(where, f"die {die} twice", rule)

    def _deck_problems(self) -> Iterable[Problem]:
        if self.edition.by_cards:
            cards = [card for card in self.edition.round_cards if card.players == self.players]
            players = self.players if cards else None
            if self.players is None or cards or "left" in self.deck_fields:
                self.deck, faults = read_deck(self.edition, self.deck_fields, players)
                yield from faults
        elif self.deck_fields:
            tip = "deck=, known=, pool= and crazy= belong to the Card Game"
            yield Problem("", "a deck in another game", "C1", tip)


MARKERS = {1: "shortcut", -1: "fennec"}
"""Names of the markers by their sign (C6)."""


_UNREAD = (
    "not understood",
    "nothing is written",
    "a stack is text, bottom to top",
    "a position is",
    NO_EDITION,
    "not a mapping",
)
"""How faults begin after which nothing can be said of the camels."""


def _start_rule(edition: Edition, camel: str) -> str:
    """The rule that puts this camel on the track."""
    if edition.by_cards:
        return "C3"
    return "S2" if camel in edition.crazy or camel.isupper() else "F2"


def _camel_tip(camels: str, camel: str, edition: Edition) -> str:
    if any(name in camels.lower() for name in COLOURS.values()):
        return "write the initials of the colours, bottom to top: ob is orange with blue on it"
    if camel.swapcase() in edition.racing:
        return f"racing camels are lower case: {camel.lower()}"
    if camel.swapcase() in edition.crazy:
        return f"crazy camels are upper case: {camel.upper()}"
    others = [e.name for e in EDITIONS.values() if camel in e.camels and e != edition]
    tip = f"the {edition.name} edition has {edition.racing}"
    if edition.crazy:
        tip += f" and {edition.crazy}"
    if others:
        tip += f"; is it the {' or '.join(others)} edition?"
    return tip
