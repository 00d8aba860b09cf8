"""Reading and writing positions: text, mappings and JSON, with every fault at once.

All forms are first read into a `Draft`, which keeps what was written beside what it means and
checks it against the rules of the edition.
"""

from __future__ import annotations

import json
import operator
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from camelodds.deck import Deck, deck_dict, deck_text, text_fields
from camelodds.draft import MARKERS, Draft, Tile
from camelodds.editions import BEFORE_BANNER, EDITIONS, Edition, edition_named
from camelodds.errors import CamelOddsError, Problem

MOST_CHARACTERS = 2_000
"""Longer texts are no positions."""

MOST_CAMELS = 40
"""Longer stacks are none."""

MOST_OWNER = 40
"""Characters in the name of a player who owns a tile, at the most."""

_OWNER = rf"[^\s,;|:@]{{1,{MOST_OWNER}}}"
_TOKEN_STACK = re.compile(r"(?P<space>[+-]?[0-9]{1,3}):(?P<camels>[^\s:]*)\Z")
_TOKEN_TILE = re.compile(rf"(?P<space>[0-9]{{1,3}})(?P<sign>[+-])(?:@(?P<owner>{_OWNER}))?\Z")
_TOKEN_CARDS = re.compile(
    r"(?P<name>last|flip|deck|known|pool|crazy|players)=(?P<text>\S*)\Z", re.IGNORECASE
)
_TOKEN_DICE = re.compile(r"dice=(?P<dice>\S*)\Z", re.IGNORECASE)

# "3: ob" is how many people write; a bare "dice=" must not swallow the next token.
_LOOSE_STACK = re.compile(r"(?:\A|(?<=[\s,;|]))([+-]?[0-9]{1,3})\s*:\s*(?=[A-Za-z]+(?:[\s,;|]|\Z))")

_SIGNS = str.maketrans(
    {"\u2212": "-", "\u2013": "-", "\u2014": "-", "\ufeff": " ", "\u200b": " ", "\u3001": ","}
)


def plain_word(text: str) -> str:
    """The text with full-width characters, dashes and invisible blanks as ASCII has them."""
    return unicodedata.normalize("NFKC", text.translate(_SIGNS))


def _plain(text: str) -> str:
    """What `plain_word` gives, but the name of an owner, after an @, stays as it is."""
    parts = re.split(r"(@\S*)", text)
    return "".join(part if part.startswith("@") else plain_word(part) for part in parts)


def guess_edition(camels: Iterable[str], *, by_cards: bool = False) -> Edition:
    """The edition whose camels these are; the first where nothing speaks for another.

    `by_cards` tells that something of a deck or of a track of cards is written.
    """
    seen = {camel for camel in camels if camel.isalpha()}
    among = [edition for edition in EDITIONS.values() if edition.by_cards == by_cards]

    def speaks(edition: Edition) -> tuple[int, int]:
        racing = {camel.lower() for camel in seen if camel not in edition.crazy}
        return len(racing & set(edition.racing)), len(seen & set(edition.crazy))

    return max(among, key=speaks)


def _edition_of(edition: Edition | str | None, guessed: Edition) -> tuple[Edition, list[Problem]]:
    """The edition that is asked for, or the one that was guessed, and what is wrong with it."""
    if edition is None:
        return guessed, []
    try:
        return edition_named(edition), []
    except CamelOddsError as error:
        return guessed, list(error.problems)


def _camels(text: str, edition: Edition) -> str:
    """Camels or dice as written; upper case is read where no crazy camel can be meant."""
    crazy = {camel.lower() for camel in edition.crazy}
    return "".join(
        c.lower() if c.lower() in edition.racing and c.lower() not in crazy else c for c in text
    )


def _hint(token: str) -> str:
    """What may have been meant by a token that is not understood."""
    if re.fullmatch(r"[+-][0-9]+(?:@\S+)?|[0-9]+|[+-]|[0-9]+:?[+-].*", token):
        return 'a tile is its space and its sign, "5-" or "8+@P1"'
    if re.fullmatch(r"[0-9]+=?[A-Za-z]+", token):
        return 'a stack is "3:ob", bottom to top'
    if token.lower().startswith("d"):
        return 'the dice left are "dice=ob", without blanks'
    if token.isalpha():
        return 'a stack is "3:ob", bottom to top, without blanks or commas in it'
    return '"3:ob" is a stack bottom to top, "5-" or "8+@P1" a tile, "dice=ob" the dice left'


def read_text(text: object, edition: Edition | str | None = None) -> Draft:
    """Read the notation of one line."""
    written = text if isinstance(text, str) else ""
    plain = _LOOSE_STACK.sub(r"\1:", _plain(written[:MOST_CHARACTERS]))
    tokens = [token for token in re.split(r"[\s,;|]+", plain) if token]
    stacks = [m["camels"] for t in tokens if (m := _TOKEN_STACK.match(t))]
    by_cards = any(_TOKEN_CARDS.match(token) for token in tokens)
    found, faults = _edition_of(edition, guess_edition("".join(stacks), by_cards=by_cards))
    draft = Draft(found, faults=faults)
    if not isinstance(text, str):
        draft.faults.append(Problem(f"{text!r:.60}", "a position is written as text"))
    elif len(text) > MOST_CHARACTERS:
        draft.faults.append(Problem(f"{text[:40]}...", f"longer than {MOST_CHARACTERS} characters"))
    elif not tokens:
        tip = 'write stacks bottom to top, as in "3:ob 4:g 5-"'
        draft.faults.append(Problem("", "nothing is written", tip=tip))
    for token in tokens:
        if match := _TOKEN_STACK.match(token):
            draft.stacks.append((token, int(match["space"]), _camels(match["camels"], found)))
        elif match := _TOKEN_TILE.match(token):
            sign = 1 if match["sign"] == "+" else -1
            draft.tiles.append((token, int(match["space"]), Tile(sign, match["owner"])))
        elif match := _TOKEN_DICE.match(token):
            if draft.dice is not None:
                draft.faults.append(Problem(token, "the dice a second time"))
            else:
                draft.dice = _camels(match["dice"], found)
        elif match := _TOKEN_CARDS.match(token):
            _read_card_token(draft, token, match["name"].lower(), match["text"])
        else:
            draft.faults.append(Problem(f"{token:.60}", "not understood", tip=_hint(token)))
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
    camels = "".join(c[:MOST_CAMELS] for _, c in pairs if isinstance(c, str))
    found, faults = _edition_of(edition, guess_edition(camels, by_cards=bool(given)))
    draft = Draft(found, faults=faults)
    if not isinstance(stacks, Mapping):
        tip = 'a mapping such as {3: "ob"}, bottom to top'
        what = "nothing is written" if stacks is None else f"not a mapping: {_short(stacks)}"
        draft.faults.append(Problem("stacks", what, tip=tip))
    for key, written in pairs:
        where = f"{_short(key, 30)}: {_short(written)}"
        space, stack = _as_space(key), _as_text(written)
        if space is None:
            draft.faults.append(Problem(where, f"not a space: {_short(key, 30)}"))
        elif stack is None:
            draft.faults.append(Problem(where, "a stack is text, bottom to top"))
        else:
            draft.stacks.append((where, space, _camels(stack, found)))
    if isinstance(tiles, Mapping):
        for key, value in tiles.items():
            where = f"tile {_short(key, 30)}: {_short(value)}"
            space, tile = _as_space(key), _as_tile(value)
            if space is None:
                draft.faults.append(Problem(where, f"not a space: {_short(key, 30)}"))
            elif tile is None:
                tip = '+1, -1 or "+@owner"; an owner has no blanks and none of , ; | : @'
                draft.faults.append(Problem(where, "not a tile", tip=tip))
            else:
                draft.tiles.append((where, space, tile))
    elif tiles is not None:
        draft.faults.append(Problem("tiles", f"not a mapping: {_short(tiles)}"))
    if dice is not None:
        inside = _as_text(dice)
        if inside is None:
            draft.faults.append(Problem("dice", f"not a text of dice: {_short(dice)}"))
        else:
            draft.dice = _camels(inside, found)
    _read_track(draft, given)
    return draft


def _read_track(draft: Draft, given: Mapping[str, object]) -> None:
    """Read the fields that only the Card Game has."""
    start = _as_text(given.get("start", ""))
    if start is None:
        draft.faults.append(Problem(f"start: {_short(given['start'])}", "not a text of camels"))
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
            named = not isinstance(value, str) or "@" not in value
            if number is None or not (named or re.fullmatch(_OWNER, str(owner))):
                tip = "a space, or a space and its player as in 8@P1"
                draft.faults.append(Problem(where, "not a space", tip=tip))
            else:
                draft.tiles.append((where, number, Tile(signs[0], owner or None)))


def _short(value: object, most: int = 60) -> str:
    """A value for a message, cut: it may be anything."""
    if isinstance(value, int) and not -(10**most) < value < 10**most:
        return "a huge number"
    text = repr(value[: 2 * most] if isinstance(value, (str, bytes)) else value)
    return text if len(text) <= most else text[: most - 3] + "..."


def _as_text(value: object) -> str | None:
    """Camels or dice: text, or a list of letters; None if it is neither, or far too long."""
    if isinstance(value, (list, tuple)) and all(isinstance(c, str) for c in value):
        value = "".join(value)
    return value if isinstance(value, str) and len(value) <= MOST_CAMELS else None


def _as_space(key: object) -> int | None:
    if isinstance(key, str):
        return int(key) if re.fullmatch(r"\s*[+-]?[0-9]{1,3}\s*", key) else None
    try:
        space = operator.index(key)  # type: ignore[arg-type]
    except TypeError:
        return None
    return space if not isinstance(key, bool) and -999 <= space <= 999 else None


def _as_tile(value: Any) -> Tile | None:
    if isinstance(value, str):
        match = _TOKEN_TILE.match("2" + _plain(value.strip()))
        return Tile(1 if match["sign"] == "+" else -1, match["owner"]) if match else None
    sign, owner = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
    sign = _as_space(sign)
    if sign not in (1, -1):
        return None
    if owner is None or (isinstance(owner, str) and re.fullmatch(_OWNER, owner)):
        return Tile(sign, owner)
    return None


_TRACK_FIELDS = ("start", "last_space", "flipped_cards", "markers", "deck", "players")
_FIELDS = ("edition", "options", "position", "stacks", "tiles", "dice", *_TRACK_FIELDS)
_NOTES = ("id", "why", "places", "landings", "race_ends")
"""Fields that say something about a position and may stand beside it."""


def read_json(data: object, edition: Edition | str | None = None) -> Draft:
    """Read a JSON object: ``position`` as notation, or its fields."""
    if not isinstance(data, Mapping):
        found, faults = _edition_of(edition, guess_edition(""))
        what = "a position is a JSON object"
        return Draft(found, faults=[*faults, Problem(_short(data), what)])
    faults = [
        Problem(_short(key, 40), "unknown field", tip=f"the fields are {', '.join(_FIELDS)}")
        for key in data
        if key not in _FIELDS and key not in _NOTES
    ]
    said, more = edition_of_json(data)
    faults += more
    if said is not None and edition is not None:
        asked, _ = _edition_of(edition, said)
        if asked != said:
            what = f"the {said.name} edition, but the {asked.name} one is asked for"
            faults.append(Problem("edition", what))
    elif said is not None:
        edition = said
    if "position" in data:
        draft = read_text(data["position"], edition)
        faults += [
            Problem(key, "stands beside the notation in 'position'", tip="give one of them")
            for key in _FIELDS[3:]
            if key in data
        ]
    else:
        track = {name: data[name] for name in _TRACK_FIELDS if name in data}
        draft = read_mapping(
            edition, data.get("stacks"), data.get("tiles"), data.get("dice"), track
        )
    draft.faults = faults + draft.faults
    return draft


def edition_of_json(data: Mapping[Any, object]) -> tuple[Edition | None, list[Problem]]:
    """The edition of a JSON object with ``edition`` and ``options``, None if it says none."""
    name, options = data.get("edition"), data.get("options")
    if name is None:
        what = "options of no edition"
        return None, [] if options is None else [Problem("options", what, tip="name the edition")]
    try:
        edition = edition_named(name)  # type: ignore[arg-type]
        if isinstance(options, Mapping):
            return edition.with_options(**{str(key): value for key, value in options.items()}), []
    except CamelOddsError as error:
        return None, list(error.problems)
    faults = [] if options is None else [Problem("options", f"not a mapping: {_short(options)}")]
    return edition, faults


def load_json(text: object) -> object:
    """What a JSON text holds.

    Raises
    ------
    ValueError
        If it cannot be read, or names a field twice.
    """

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
            raise ValueError(f"{twice!r:.40} stands there twice")
        return found

    if not isinstance(text, (str, bytes, bytearray)):
        raise ValueError(f"not a text: {_short(text)}")
    plain = text.removeprefix("\ufeff") if isinstance(text, str) else text
    try:
        return json.loads(plain, object_pairs_hook=once)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


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
