"""Reading and writing positions: text, mappings and JSON, with every fault at once.

All forms are first read into a `Draft`, which keeps what was written beside what it means;
`Draft.problems` then checks it against the rules of the edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from camelodds.editions import COLOURS, EDITIONS, GREY_DIE, Edition, edition_named
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
    faults: list[Problem] = field(default_factory=list)
    """What could not be read at all."""

    def problems(self) -> list[Problem]:
        """Every fault, in the order of reading."""
        found = list(self.faults)
        found += self._camel_problems()
        found += self._space_problems()
        found += self._tile_problems()
        found += self._dice_problems()
        return found

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
        for i, die in enumerate(self.dice):
            if die not in self.edition.dice:
                tip = f"the dice are {self.edition.dice}"
                yield Problem(where, f"unknown die {die!r}", "S1" if die == GREY_DIE else "", tip)
            elif die in self.dice[:i]:
                yield Problem(where, f"die {die} twice")


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
_TOKEN_DICE = re.compile(r"dice=(?P<dice>\S*)\Z", re.IGNORECASE)
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0b": "+", "\uff1a": ":"})


def guess_edition(camels: Iterable[str]) -> Edition:
    """The edition whose camels these are; the first where nothing speaks for another."""
    seen = set(camels)
    best = max(EDITIONS.values(), key=lambda e: len(seen & set(e.camels)))
    return best


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
        found = guess_edition("".join(stacks))
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
        else:
            tip = '"3:ob" is a stack bottom to top, "5-" or "8+@P1" a tile, "dice=ob" the dice left'
            draft.faults.append(Problem(token, "not understood", tip=tip))
    return draft


def read_mapping(
    edition: Edition | str | None,
    stacks: object,
    tiles: object = None,
    dice: object = None,
) -> Draft:
    """Read Python mappings, or the fields of a JSON object."""
    pairs = list(stacks.items()) if isinstance(stacks, Mapping) else []
    if edition is None:
        found = guess_edition("".join(c for _, c in pairs if isinstance(c, str)))
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
    return draft


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


_FIELDS = ("edition", "position", "stacks", "tiles", "dice")


def read_json(data: object, edition: Edition | str | None = None) -> Draft:
    """Read a JSON object: ``position`` as notation, or its fields."""
    if not isinstance(data, Mapping):
        draft = Draft(edition_named(edition or "first"))
        draft.faults.append(Problem(f"{data!r:.60}", "a position is a JSON object"))
        return draft
    faults = [
        Problem(f"{key!r:.40}", "unknown field", tip=f"the fields are {', '.join(_FIELDS)}")
        for key in data
        if key not in _FIELDS
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
            for key in ("stacks", "tiles", "dice")
            if key in data
        ]
    else:
        draft = read_mapping(edition, data.get("stacks"), data.get("tiles"), data.get("dice"))
    draft.faults = faults + draft.faults
    return draft


def write_text(
    edition: Edition, stacks: Mapping[int, str], tiles: Mapping[int, Tile], dice: str
) -> str:
    """The notation: stacks bottom to top from the rear, tiles, the dice if some are out."""
    tokens = [f"{space}:{camels}" for space, camels in sorted(stacks.items())]
    tokens += [f"{space}{tile}" for space, tile in sorted(tiles.items())]
    if dice != edition.dice:
        tokens.append(f"dice={dice}")
    return " ".join(tokens)
