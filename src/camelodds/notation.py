"""Reading and writing positions: text, mappings and JSON, with every fault at once.

All forms are first read into a `Draft`, which keeps what was written beside what it means;
`Draft.problems` then checks it against the rules of the edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from camelodds.deck import Deck, deck_dict, deck_text, read_deck, text_fields
from camelodds.editions import BEFORE_BANNER, COLOURS, EDITIONS, GREY_DIE, Edition, edition_named
from camelodds.errors import CamelOddsError, Problem

MOST_CHARACTERS = 2_000
"""Longer texts are no positions."""

REACH = 3
"""How far beyond a line the last roll can carry a unit (F11)."""


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
        for where, _, camels in self.stacks:
            if not camels:
                yield Problem(where, "an empty stack", "M1", "leave the space out")
            for camel in camels:
                if camel not in edition.camels:
                    yield Problem(where, f"unknown camel {camel!r}", tip=_camel_tip(camel, edition))
                elif camel in seen:
                    yield Problem(where, f"camel {camel} again, already in {seen[camel]}")
                else:
                    seen[camel] = where
        for camel in edition.camels:
            if camel not in seen:
                yield Problem("", f"camel {camel} ({COLOURS[camel]}) is missing")

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
        where = f"dice={self.dice}"
        if self.edition.by_cards and self.dice:
            yield Problem(where, "no dice in the Card Game", "C1", "deck=6+2 says what is left")
            return
        for i, die in enumerate(self.dice):
            if die not in self.edition.dice:
                tip = f"the dice are {self.edition.dice}"
                yield Problem(where, f"unknown die {die!r}", "S1" if die == GREY_DIE else "", tip)
            elif die in self.dice[:i]:
                yield Problem(where, f"die {die} twice")

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


def _camel_tip(camel: str, edition: Edition) -> str:
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


_TOKEN_STACK = re.compile(r"(?P<space>[+-]?[0-9]{1,3}):(?P<camels>[^\s:]*)\Z")
_TOKEN_TILE = re.compile(r"(?P<space>[0-9]{1,3})(?P<sign>[+-])(?:@(?P<owner>\S+))?\Z")
_TOKEN_CARDS = re.compile(
    r"(?P<name>last|flip|deck|known|pool|crazy|players)=(?P<text>\S*)\Z", re.IGNORECASE
)
_TOKEN_DICE = re.compile(r"dice=(?P<dice>\S*)\Z", re.IGNORECASE)
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0b": "+", "\uff1a": ":"})


def guess_edition(camels: Iterable[str], *, by_cards: bool = False) -> Edition:
    """The edition whose camels these are; the first where nothing speaks for another.

    `by_cards` tells that something of a deck or of a track of cards is written.
    """
    seen = set(camels)
    among = [edition for edition in EDITIONS.values() if edition.by_cards == by_cards]
    return max(among, key=lambda e: len(seen & set(e.camels)))


def read_text(text: str, edition: Edition | str | None = None) -> Draft:
    """Read the notation of one line."""
    if not isinstance(text, str):
        draft = Draft(edition_named(edition or "first"))
        draft.faults.append(Problem(repr(text)[:80], "a position is written as text"))
        return draft
    if len(text) > MOST_CHARACTERS:
        draft = Draft(edition_named(edition or "first"))
        draft.faults.append(Problem(f"{text[:40]}...", f"longer than {MOST_CHARACTERS} characters"))
        return draft
    plain = text.translate(_MINUS)
    # "3: ob" is how many people write; a bare "dice=" must not swallow the next token.
    plain = re.sub(r"(?<=[0-9])\s*:\s*(?=[A-Za-z]+(?:[\s,;|]|\Z))", ":", plain)
    tokens = [token for token in re.split(r"[\s,;|]+", plain) if token]
    if edition is None:
        stacks = [m["camels"] for t in tokens if (m := _TOKEN_STACK.match(t))]
        by_cards = any(_TOKEN_CARDS.match(token) for token in tokens)
        found = guess_edition("".join(stacks), by_cards=by_cards)
    else:
        found = edition_named(edition)
    draft = Draft(found)
    if not tokens:
        tip = 'write stacks bottom to top, as in "3:ob 4:g 5-"'
        draft.faults.append(Problem("", "nothing is written", tip=tip))
    for token in tokens:
        if match := _TOKEN_STACK.match(token):
            camels = match["camels"] if found.crazy else match["camels"].lower()
            draft.stacks.append((token, int(match["space"]), camels))
        elif match := _TOKEN_TILE.match(token):
            sign = 1 if match["sign"] == "+" else -1
            draft.tiles.append((token, int(match["space"]), Tile(sign, match["owner"])))
        elif match := _TOKEN_DICE.match(token):
            dice = match["dice"] if found.crazy else match["dice"].lower()
            if draft.dice is not None:
                draft.faults.append(Problem(token, "the dice a second time"))
            else:
                draft.dice = dice
        elif match := _TOKEN_CARDS.match(token):
            _read_card_token(draft, token, match["name"].lower(), match["text"])
        else:
            tip = '"3:ob" is a stack bottom to top, "5-" or "8+@P1" a tile, "dice=ob" the dice left'
            draft.faults.append(Problem(token, "not understood", tip=tip))
    return draft


def _read_card_token(draft: Draft, token: str, name: str, text: str) -> None:
    """Read what a token says of the deck or of a track of cards."""
    if name in ("last", "players"):
        field_name = "last_space" if name == "last" else name
        if getattr(draft, field_name) is not None:
            draft.faults.append(Problem(token, f"{name} a second time"))
        if not re.fullmatch(r"[0-9]{1,3}", text):
            draft.faults.append(Problem(token, "not a number", tip=f"as in {name}=4"))
        else:
            setattr(draft, field_name, int(text))
    elif name == "flip":
        if not re.fullmatch(r"(?:[0-9]{1,3}(?:/[0-9]{1,3})*)?", text):
            tip = 'numbers of track cards, as in "flip=3/4"'
            draft.faults.append(Problem(token, "not understood", tip=tip))
        else:
            draft.flipped += [int(card) for card in text.split("/") if card]
    else:
        fields, faults = text_fields(name, text, draft.edition)
        if set(fields) & set(draft.deck_fields):
            faults.append(Problem(token, f"{name} a second time"))
        draft.deck_fields |= fields
        draft.faults += faults


def read_mapping(
    edition: Edition | str | None,
    stacks: object,
    tiles: object = None,
    dice: object = None,
    track: Mapping[str, object] | None = None,
) -> Draft:
    """Read Python mappings, or the fields of a JSON object.

    `track` holds what only the Card Game has: ``start``, ``last_space``, ``flipped_cards``,
    ``markers``, ``deck`` and ``players``, each may be left out or None.
    """
    given = {name: value for name, value in (track or {}).items() if value is not None}
    pairs = list(stacks.items()) if isinstance(stacks, Mapping) else []
    if edition is None:
        camels = "".join(c for _, c in pairs if isinstance(c, str))
        found = guess_edition(camels, by_cards=bool(given))
    else:
        found = edition_named(edition)
    draft = Draft(found)
    if not isinstance(stacks, Mapping):
        tip = 'a mapping such as {3: "ob"}, bottom to top'
        draft.faults.append(Problem("stacks", f"not a mapping: {stacks!r:.60}", tip=tip))
    for key, camels in pairs:
        where = f"{key!r:.30}: {camels!r:.60}"
        space = _as_space(key)
        if isinstance(camels, (list, tuple)) and all(isinstance(c, str) for c in camels):
            camels = "".join(camels)
        if space is None:
            draft.faults.append(Problem(where, f"not a space: {key!r:.30}"))
        elif not isinstance(camels, str):
            draft.faults.append(Problem(where, "a stack is text, bottom to top"))
        else:
            draft.stacks.append((where, space, camels if found.crazy else camels.lower()))
    if isinstance(tiles, Mapping):
        for key, value in tiles.items():
            where = f"tile {key!r:.30}: {value!r:.60}"
            space, tile = _as_space(key), _as_tile(value)
            if space is None:
                draft.faults.append(Problem(where, f"not a space: {key!r:.30}"))
            elif tile is None:
                tip = 'a tile is +1 or -1, or "+@owner"'
                draft.faults.append(Problem(where, "not a tile", tip=tip))
            else:
                draft.tiles.append((where, space, tile))
    elif tiles is not None:
        draft.faults.append(Problem("tiles", f"not a mapping: {tiles!r:.60}"))
    if isinstance(dice, (list, tuple)) and all(isinstance(d, str) for d in dice):
        dice = "".join(dice)
    if isinstance(dice, str):
        draft.dice = dice if found.crazy else dice.lower()
    elif dice is not None:
        draft.faults.append(Problem("dice", f"not a text of dice: {dice!r:.60}"))
    _read_track(draft, given)
    return draft


def _read_track(draft: Draft, given: Mapping[str, object]) -> None:
    """Read the fields that only the Card Game has."""
    start = given.get("start", "")
    if isinstance(start, (list, tuple)) and all(isinstance(c, str) for c in start):
        start = "".join(start)
    if not isinstance(start, str):
        draft.faults.append(Problem(f"start: {start!r:.60}", "not a text of camels"))
    elif start:
        draft.stacks.append((f"start: {start}", BEFORE_BANNER, start))
    for name in ("last_space", "players"):
        number = _as_space(given[name]) if name in given else None
        if name in given and number is None:
            draft.faults.append(Problem(f"{name}: {given[name]!r:.30}", "not a number"))
        else:
            setattr(draft, name, number)
    flipped = given.get("flipped_cards", ())
    if not isinstance(flipped, (list, tuple)):
        draft.faults.append(Problem(f"flipped_cards: {flipped!r:.60}", "not a list of track cards"))
    else:
        for card in flipped:
            number = _as_space(card)
            if number is None:
                draft.faults.append(Problem(f"flipped_cards: {card!r:.30}", "not a track card"))
            else:
                draft.flipped.append(number)
    _read_markers(draft, given.get("markers", {}))
    deck = given.get("deck", {})
    if isinstance(deck, Deck):
        deck = deck_dict(draft.edition, deck) if draft.edition.by_cards else {"left": deck.left}
    if isinstance(deck, Mapping):
        draft.deck_fields |= {str(name): value for name, value in deck.items()}
    else:
        draft.faults.append(Problem(f"deck: {deck!r:.60}", "not a mapping"))


def _read_markers(draft: Draft, markers: object) -> None:
    if not isinstance(markers, Mapping):
        draft.faults.append(Problem(f"markers: {markers!r:.60}", "not a mapping"))
        return
    for name, value in markers.items():
        signs = [sign for sign, marker in MARKERS.items() if marker == name]
        where = f"{name!s:.20}: {value!r:.30}"
        if not signs:
            tip = f"they are {' and '.join(MARKERS.values())}"
            draft.faults.append(Problem(where, "no such marker", "C6", tip))
        elif value is not None:
            space, owner = value, None
            if isinstance(value, str):
                space, _, owner = value.partition("@")
            number = _as_space(space)
            if number is None or (isinstance(value, str) and "@" in value and not owner):
                tip = "a space, or a space and its player as in 8@P1"
                draft.faults.append(Problem(where, "not a space", tip=tip))
            else:
                draft.tiles.append((where, number, Tile(signs[0], owner or None)))


def _as_space(key: object) -> int | None:
    if isinstance(key, bool):
        return None
    if isinstance(key, str) and re.fullmatch(r"[+-]?[0-9]{1,3}", key.strip()):
        return int(key)
    try:
        return key.__index__()  # type: ignore[attr-defined, no-any-return]
    except AttributeError:
        return None


def _as_tile(value: Any) -> Tile | None:
    if isinstance(value, str):
        match = _TOKEN_TILE.match("2" + value.strip().translate(_MINUS))
        if match:
            return Tile(1 if match["sign"] == "+" else -1, match["owner"])
        return None
    sign, owner = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
    if sign not in (1, -1) or isinstance(sign, bool):
        return None
    if owner is None or (isinstance(owner, str) and re.fullmatch(r"[^\s,;|]+", owner)):
        return Tile(int(sign), owner)
    return None


_TRACK_FIELDS = ("start", "last_space", "flipped_cards", "markers", "deck", "players")
_FIELDS = ("edition", "position", "stacks", "tiles", "dice", *_TRACK_FIELDS)
_NOTES = ("id", "why", "places", "landings", "race_ends")
"""Fields that say something about a position and may stand beside it."""


def read_json(data: object, edition: Edition | str | None = None) -> Draft:
    """Read a JSON object: ``position`` as notation, or its fields."""
    if not isinstance(data, Mapping):
        draft = Draft(edition_named(edition or "first"))
        draft.faults.append(Problem(f"{data!r:.60}", "a position is a JSON object"))
        return draft
    faults = [
        Problem(f"{key!r:.40}", "unknown field", tip=f"the fields are {', '.join(_FIELDS)}")
        for key in data
        if key not in _FIELDS and key not in _NOTES
    ]
    if edition is None and data.get("edition") is not None:
        try:
            edition = edition_named(data["edition"])
        except CamelOddsError as error:
            faults += error.problems
    if "position" in data:
        draft = read_text(data["position"], edition)
        faults += [
            Problem(key, "stands beside the notation in 'position'", tip="give one of them")
            for key in _FIELDS[2:]
            if key in data
        ]
    else:
        track = {name: data[name] for name in _TRACK_FIELDS if name in data}
        draft = read_mapping(
            edition, data.get("stacks"), data.get("tiles"), data.get("dice"), track
        )
    draft.faults = faults + draft.faults
    return draft


def write_text(
    edition: Edition,
    stacks: Mapping[int, str],
    tiles: Mapping[int, Tile],
    dice: str,
    last_space: int = 0,
    flipped: tuple[int, ...] = (),
    deck: Deck | None = None,
    players: int | None = None,
) -> str:
    """The notation: stacks bottom to top from the rear, tiles, what is still to come.

    The dice stand there if some are out; the track and the deck of the Card Game always.
    """
    tokens = [f"{space}:{camels}" for space, camels in sorted(stacks.items())]
    tokens += [f"{space}{tile}" for space, tile in sorted(tiles.items())]
    if dice != edition.dice:
        tokens.append(f"dice={dice}")
    if deck is not None:
        tokens.append(f"last={last_space}")
        tokens += [f"flip={'/'.join(map(str, flipped))}"] if flipped else []
        tokens += deck_text(edition, deck)
        tokens += [f"players={players}"] if players is not None else []
    return " ".join(tokens)
