"""Positions as pictures: SVG built as plain text, for light and dark pages.

The pyramid games' spaces form a ring of two rows, 1 to 8 above running right and 9 to 16
below running left; racing camels face the way they run, crazy camels face back and have two
humps.  A finished race stands in the bay behind the line that it crossed.

All coordinates are absolute, in units of which the default picture is 720 wide, and no ids are
used, so that any number of pictures fit on one page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from camelodds.editions import COLOURS, GREY_DIE
from camelodds.errors import OptionError, Problem

if TYPE_CHECKING:
    from camelodds.notation import Tile
    from camelodds.position import Move, Position

THEMES = ("auto", "light", "dark")
SIZES = (80, 4000)
"""Narrowest and widest picture, in pixels."""

PAINT = {
    "b": "#2f74c0",
    "y": "#f4c631",
    "g": "#3f9e57",
    "o": "#f0832b",
    "w": "#fbf8f0",
    "r": "#d6413b",
    "p": "#8653ad",
    "W": "#fbf8f0",
    "K": "#2f2c2b",
    GREY_DIE: "#9a9a98",
}
"""What a camel or die is painted with, the same in both themes."""

DARK_LETTERS = frozenset("ywWo" + GREY_DIE)
"""Camels and dice so light that their letter is dark."""


def letter_colour(camel: str) -> str:
    """The colour of the letter on a camel or die."""
    return "#26221d" if camel in DARK_LETTERS else "#ffffff"


# By part: the colour on a light page, on a dark page.
THEME = {
    "page": ("#fdf8ee", "#1f1b15"),
    "frame": ("#e4d6b9", "#3a3226"),
    "track": ("#ecd8ab", "#57482f"),
    "edge": ("#c9ab72", "#7d6843"),
    "lit": ("#ffe07a", "#69500f"),
    "ink": ("#3d301b", "#f3e9d4"),
    "muted": ("#75633f", "#cdbb92"),
    "line": ("#3d301b", "#f3e9d4"),
    "pale": ("#9c917f", "#f3e9d4"),
    "accent": ("#b8400c", "#ffb35c"),
    "plus": ("#1f7a6d", "#24826f"),
    "minus": ("#a8323f", "#bf4452"),
    "onplus": ("#ffffff", "#ffffff"),
}
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif"

MARGIN = 12
CELL = 70
BAY = 76
"""Room for a finished race, between the bend of the ring and space 1."""
BAND = 30
"""Height of the track."""
BEND = 20
SCALE = 1.4
"""Of the camels, whose outlines below are in smaller units."""
STEP = 20 * SCALE
"""How much higher the next camel of a stack stands."""
OVERHANG = 12
"""How much a camel is higher than a step, and some air, less what it stands below the edge."""
ROOM = 4
"""Camels in a stack for which there is always room, so that pictures seldom differ in size."""
FOOTER = 46
DIE = 26

# A camel that faces right, its feet at the origin; a lower camel's hump and head fit below
# the belly and the neck of the one that it carries, whichever way each of them faces.
LEGS_AND_CHEST = (
    "C 20.2 -14 18.5 -8.6 12.2 -7.6 L 12 0 L 8.2 0 L 7.6 -6.4 "
    "C 2 -5.4 -4 -5.4 -8.6 -6.4 L -9.2 0 L -13 0 L -13.4 -8.2"
)
RUMP = "C -15.6 -12 -15.6 -18.4 -10.6 -19.6"
HEAD = (
    "C 9.5 -19.6 10.5 -16.4 12.6 -16.2 C 14.6 -16.2 15 -18.5 15 -21 "
    "C 15 -24.8 17 -26.4 19.6 -26.1 C 22.2 -25.8 24.8 -24.6 24.8 -22.9 "
    "C 24.8 -21.2 22 -20.9 19.9 -21.1"
)
ONE_HUMP = "C -7.6 -20.2 -7.2 -24.8 -1.8 -24.8 C 3.6 -24.8 4 -20.2 7 -19.6"
TWO_HUMPS = (
    "C -8.8 -20 -8.6 -24.6 -5.6 -24.6 C -2.8 -24.6 -3.6 -21 -1.8 -21 "
    "C 0 -21 -0.8 -24.6 2 -24.6 C 5 -24.6 5.2 -20 7 -19.6"
)
TAIL = "M -14.6 -16 C -17.8 -15.6 -18.6 -12.4 -18 -9.6"


def silhouette(humps: str) -> str:
    """The outline of a camel with these humps, facing right."""
    return f"M 19.9 -21.1 {LEGS_AND_CHEST} {RUMP} {humps} {HEAD} Z"


class Place(NamedTuple):
    """Where a space is drawn: the middle of its ground, and which way the race runs there."""

    x: float
    y: float
    forward: int


def position_svg(
    position: Position,
    *,
    size: int = 720,
    highlight: object = (),
    last_move: Move | None = None,
    theme: str = "auto",
) -> str:
    """Draw a position; see `camelodds.Position.svg` for the arguments."""
    spaces, camels = _check(position, size, highlight, last_move, theme)
    picture = _Picture(position, theme)
    picture.track(spaces, last_move)
    for space, tile in position.tiles.items():
        picture.tile(space, tile)
    for space, stack in position.stacks.items():
        picture.stack(space, stack, camels)
    picture.footer(last_move)
    return picture.text(size)


def _check(
    position: Position, size: object, highlight: object, last_move: object, theme: object
) -> tuple[frozenset[int], frozenset[str]]:
    """The spaces and the camels to highlight."""
    from camelodds.position import Move

    faults: list[Problem] = []
    if isinstance(size, bool) or not isinstance(size, int) or not SIZES[0] <= size <= SIZES[1]:
        tip = f"the width in pixels, from {SIZES[0]} to {SIZES[1]}"
        faults.append(Problem(f"size={size!r:.40}", "no such size", tip=tip))
    if theme not in THEMES:
        tip = f"use one of {', '.join(THEMES)}"
        faults.append(Problem(f"theme={theme!r:.40}", "no such theme", tip=tip))
    if last_move is not None and not isinstance(last_move, Move):
        tip = "it is what Position.move(...) gave"
        faults.append(Problem(f"last_move={last_move!r:.40}", "not a Move", tip=tip))
    elif last_move is not None and last_move.after.stacks != position.stacks:
        tip = "draw move.after"
        faults.append(Problem("last_move", "does not lead to this position", tip=tip))
    items: list[Any] = list(highlight) if isinstance(highlight, Iterable) else [highlight]
    known = {*_places(position), *position.edition.camels}
    for item in items:
        if type(item) not in (int, str) or item not in known:
            tip = f"spaces, as numbers, or camels of {position.edition.camels}"
            faults.append(Problem(f"highlight {item!r:.40}", "nothing to highlight", tip=tip))
    if faults:
        raise OptionError(faults)
    return (
        frozenset(item for item in items if not isinstance(item, str)),
        frozenset(item for item in items if isinstance(item, str)),
    )


def _heights(position: Position) -> tuple[float, float]:
    """Where the middle of the upper and of the lower row is: below the highest stack."""
    highest = [ROOM, ROOM]
    columns = (position.edition.spaces + 1) // 2
    for space, camels in position.stacks.items():
        row = int(columns < space <= position.edition.spaces or space < 1)
        highest[row] = max(highest[row], len(camels))
    upper, lower = (STEP * camels + OVERHANG + BAND / 2 for camels in highest)
    return MARGIN + upper, MARGIN + upper + BAND / 2 + lower


def _places(position: Position) -> dict[int, Place]:
    """Where each space is, those beyond the lines too."""
    spaces = position.edition.spaces
    columns = (spaces + 1) // 2
    left = MARGIN + BAND + BAY
    upper, lower = _heights(position)
    places = {}
    for space in range(1, spaces + 1):
        row, column = divmod(space - 1, columns)
        if row == 0:
            places[space] = Place(left + CELL * (column + 0.5), upper, 1)
        else:
            places[space] = Place(left + CELL * (columns - column - 0.5), lower, -1)
    for space in position.stacks:
        if space > spaces:
            places[space] = Place(left - BAY / 2, upper, 1)
        elif space < 1:
            places[space] = Place(left - BAY / 2, lower, -1)
    return places


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _em(text: str) -> float:
    """About how wide a text is, rather too wide, in units of its size."""
    wide = set("mwMWQ@%&…")
    return sum(1.05 if c in wide or unicodedata.east_asian_width(c) in "WF" else 0.65 for c in text)


def _fitted(text: str, size: float, width: float) -> str:
    """The text, cut if it is too wide."""
    if _em(text) * size <= width:
        return text
    while text and _em(text + "…") * size > width:
        text = text[:-1]
    return text + "…"


def _label(space: int) -> str:
    return str(space).replace("-", "\u2212")


class _Picture:
    """The parts of one picture, from back to front."""

    def __init__(self, position: Position, theme: str) -> None:
        self.position = position
        self.edition = position.edition
        self.theme = theme
        self.places = _places(position)
        self.columns = (self.edition.spaces + 1) // 2
        self.left = MARGIN + BAND + BAY
        self.right = self.left + CELL * self.columns
        self.width = self.right + BEND + BAND / 2 + MARGIN
        self.upper, self.lower = _heights(position)
        self.height = self.lower + BAND / 2 + FOOTER
        self.parts: list[str] = []

    def colour(self, part: str) -> str:
        """The colour of a part; on automatic pages the style sheet may change it."""
        return THEME[part][self.theme == "dark"]

    def fill(self, part: str) -> str:
        return f'class="co-f-{part}" fill="{self.colour(part)}"'

    def stroke(self, part: str, width: float) -> str:
        colour = self.colour(part)
        return f'class="co-s-{part}" fill="none" stroke="{colour}" stroke-width="{_number(width)}"'

    def add(self, *parts: str) -> None:
        self.parts += parts

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        paint: str,
        *,
        anchor: str = "middle",
        bold: bool = False,
    ) -> str:
        weight = ' font-weight="700"' if bold else ""
        return (
            f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" '
            f'text-anchor="{anchor}"{weight} {paint}>{escape(text)}</text>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, radius: float, paint: str
    ) -> str:
        return (
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" '
            f'height="{_number(height)}" rx="{_number(radius)}" {paint}/>'
        )

    # The track.

    def track(self, lit: frozenset[int], last_move: Move | None) -> None:
        """The ring, its spaces, the finish line and the way of the last move."""
        ring = self._ring()
        self.add(
            f'<path d="{ring}" stroke-linejoin="round" {self.stroke("edge", BAND + 3)}/>',
            f'<path d="{ring}" stroke-linejoin="round" {self.stroke("track", BAND)}/>',
        )
        for space in range(self.columns + 1):
            x = self.left + CELL * space
            for y in (self.upper, self.lower):
                self.add(
                    f'<path d="M {_number(x)} {_number(y - BAND / 2)} v {BAND}" '
                    f"{self.stroke('edge', 1)}/>"
                )
        for space in sorted(lit):
            paint = f'class="co-f-lit co-s-accent" fill="{self.colour("lit")}" '
            paint += f'stroke="{self.colour("accent")}" stroke-width="1.6"'
            self.add(self._ground(space, paint))
        if last_move is not None:
            self._way(last_move)
        for space, place in self.places.items():
            self.add(self.words(place.x, place.y + 8.5, _label(space), 11.5, self.fill("muted")))
        self._finish_line()

    def _ring(self) -> str:
        left, right = MARGIN + BAND / 2, self.right + BEND
        top, bottom, r = self.upper, self.lower, BEND
        n = _number
        return (
            f"M {n(left + r)} {n(top)} H {n(right - r)} Q {n(right)} {n(top)} {n(right)} "
            f"{n(top + r)} V {n(bottom - r)} Q {n(right)} {n(bottom)} {n(right - r)} {n(bottom)} "
            f"H {n(left + r)} Q {n(left)} {n(bottom)} {n(left)} {n(bottom - r)} V {n(top + r)} "
            f"Q {n(left)} {n(top)} {n(left + r)} {n(top)} Z"
        )

    def _ground(self, space: int, paint: str) -> str:
        place = self.places[space]
        width = CELL if 1 <= space <= self.edition.spaces else BAY - 8
        return self.box(place.x - width / 2, place.y - BAND / 2, width, BAND, 0, paint)

    def _finish_line(self) -> None:
        """Chequers across the left bend, between space 16 and space 1."""
        side, rows = BAND / 6, 4
        x, y = MARGIN, (self.upper + self.lower) / 2 - side * rows / 2
        self.add(f'<g class="finish"><title>finish line after space {self.edition.spaces}</title>')
        self.add(self.box(x, y, BAND, side * rows, 0, 'fill="#ffffff"'))
        squares = "".join(
            f"M {_number(x + side * column)} {_number(y + side * row)} "
            f"h {_number(side)} v {_number(side)} h {_number(-side)} Z "
            for row in range(rows)
            for column in range(6)
            if (row + column) % 2 == 0
        )
        self.add(f'<path d="{squares.strip()}" fill="#26221d"/>', "</g>")

    def _way(self, move: Move) -> None:
        """The space that the last move came from, and a chevron for each step of it."""
        after = next(s for s, stack in self.position.stacks.items() if move.camel in stack)
        origin = move.origin
        place = self.places[origin]
        self.add(
            self.box(place.x - CELL / 2 + 3, place.y - BAND / 2 + 3, CELL - 6, BAND - 6, 4,
                     f'stroke-dasharray="4 3" {self.stroke("accent", 1.6)}'),
            self._ground(after, f'fill-opacity="0.35" {self.fill("accent")}'),
        )  # fmt: skip
        back = after < origin
        for space in range(min(origin, after), max(origin, after)):
            self.add(self._chevron(space, back))

    def _chevron(self, space: int, back: bool) -> str:
        """An arrow head across the border between a space and the next one."""
        if space in (0, self.edition.spaces):
            return self._arrow(MARGIN + BAND / 2, (self.upper + self.lower) / 2 + (
                -18 if not back else 18), 0, 1 if back else -1)  # fmt: skip
        if space == self.columns:
            y = (self.upper + self.lower) / 2
            return self._arrow(self.right + BEND, y, 0, -1 if back else 1)
        if not 1 <= space < self.edition.spaces:
            return ""  # all the spaces beyond a line are one bay
        place = self.places[space]
        ahead = -place.forward if back else place.forward
        return self._arrow(place.x + place.forward * CELL / 2, place.y, ahead, 0)

    def _arrow(self, x: float, y: float, dx: int, dy: int) -> str:
        long, half = 5, 6
        tip = (x + dx * long, y + dy * long)
        ends = [
            (x - dx * long + side * dy * half, y - dy * long + side * dx * half) for side in (1, -1)
        ]
        points = " ".join(f"{_number(px)},{_number(py)}" for px, py in (ends[0], tip, ends[1]))
        return (
            f'<polyline points="{points}" stroke-linecap="round" stroke-linejoin="round" '
            f"{self.stroke('accent', 3)}/>"
        )

    # What stands on it.

    def tile(self, space: int, tile: Tile) -> None:
        """A board with the sign of the tile, and its owner."""
        place = self.places[space]
        part = "plus" if tile.sign > 0 else "minus"
        sign = "+1" if tile.sign > 0 else "\u22121"
        ahead = place.forward * tile.sign
        owner = f", pays {tile.owner}" if tile.owner else ""
        ground = place.y - BAND / 2
        top, width, height = ground - 34, 44, 24
        self.add(
            f'<g class="tile" data-space="{space}"><title>tile {sign} on {space}'
            f"{escape(owner)}</title>",
            f'<path d="M {_number(place.x)} {_number(top + height)} V {_number(ground + 4)}" '
            f"{self.stroke('edge', 5)}/>",
            self.box(place.x - width / 2, top, width, height, 5, self.fill(part)),
            self.words(place.x - 7 * ahead, top + 17, sign, 14, self.fill("onplus"), bold=True),
        )
        x, y = place.x + 13 * ahead, top + height / 2
        self.add(
            f'<polyline points="{_number(x - 3 * ahead)},{_number(y - 5)} '
            f'{_number(x + 2 * ahead)},{_number(y)} {_number(x - 3 * ahead)},{_number(y + 5)}" '
            f'stroke-linecap="round" stroke-linejoin="round" {self.stroke("onplus", 2.4)}/>'
        )
        if tile.owner:
            name = _fitted(tile.owner, 10.5, CELL - 4)
            self.add(self.words(place.x, top - 5, name, 10.5, self.fill("ink")))
        self.add("</g>")

    def stack(self, space: int, camels: str, lit: frozenset[str]) -> None:
        """The camels of a space, from the lowest up."""
        place = self.places[space]
        feet = place.y - BAND / 2 + 6
        for height, camel in enumerate(camels):
            crazy = camel in self.edition.crazy
            facing = -place.forward if crazy else place.forward
            about = f"{camel}: {COLOURS[camel]} camel on {_label(space)}"
            if carried := camels[height + 1 :]:
                about += f", carries {carried}"
            self.camel(place.x, feet - STEP * height, camel, facing, about, lit=camel in lit)

    def camel(
        self, x: float, y: float, camel: str, facing: int, about: str, *, lit: bool = False
    ) -> None:
        """One camel, its feet at (x, y)."""
        outline = silhouette(TWO_HUMPS if camel in self.edition.crazy else ONE_HUMP)
        width, border = (3.4, "accent") if lit else (1.4, "pale" if camel == "K" else "line")
        x = x - 2.4 * SCALE * facing  # the head makes it longer in front
        letter = letter_colour(camel)
        # Letters that hang below the line stand a little higher, so that they are in the middle.
        baseline = y - SCALE * (10.6 if camel in "gyp" else 8.6 if camel.isupper() else 9)
        n = _number
        self.add(
            f'<g class="camel" data-camel="{camel}"><title>{escape(about)}</title>',
            f'<path d="{_moved(TAIL, x, y, facing)}" stroke-linecap="round" '
            f"{self.stroke(border, 2.4)}/>",
            f'<path d="{_moved(outline, x, y, facing)}" class="co-s-{border}" '
            f'fill="{PAINT[camel]}" stroke="{self.colour(border)}" stroke-width="{n(width)}" '
            f'stroke-linejoin="round"/>',
            f'<circle cx="{n(x + 19.6 * SCALE * facing)}" cy="{n(y - 23.8 * SCALE)}" r="1.4" '
            f'fill="{letter}"/>',
            self.words(x - 2 * facing, baseline, camel, 17, f'fill="{letter}"', bold=True),
            "</g>",
        )

    # Below the track.

    def footer(self, last_move: Move | None) -> None:
        """What is still in the pyramid, and what happened last."""
        x, middle = float(MARGIN + 4), self.height - FOOTER / 2 + 4
        top = middle - DIE / 2
        n = _number
        self.add(
            f'<path d="M {n(x)} {n(top + DIE)} L {n(x + 15)} {n(top)} L {n(x + 30)} '
            f'{n(top + DIE)} Z M {n(x + 15)} {n(top)} L {n(x + 20)} {n(top + DIE)}" '
            f'stroke-linejoin="round" {self.stroke("muted", 1.6)}/>'
        )
        x += 40
        for die in self.position.dice:
            letter = letter_colour(die)
            name = "grey" if die == GREY_DIE else COLOURS[die]
            baseline = middle + (10 if die == GREY_DIE else 3 if die in "gyp" else 4.5)
            self.add(
                f'<g class="die" data-die="{die}"><title>{name} die, in the pyramid</title>',
                self.box(x, top, DIE, DIE, 6, f'class="co-s-line" fill="{PAINT[die]}" stroke="'
                         f'{self.colour("line")}" stroke-width="1.2"'),
                self.words(x + DIE / 2, baseline, die, 20 if die == GREY_DIE else 14,
                           f'fill="{letter}"', bold=True),
                "</g>",
            )  # fmt: skip
            x += DIE + 6
        self.add(
            self.words(x + 4, middle + 4.5, self._left(), 12, self.fill("muted"), anchor="start")
        )
        about = f"last move {last_move.event}" if last_move else self.edition.title
        self.add(
            self.words(
                self.width - MARGIN - 4, middle + 4.5, about, 12, self.fill("muted"), anchor="end"
            )
        )

    def _left(self) -> str:
        position = self.position
        if position.race_over:
            return f"the race is over: {position.outcome[0]} wins"
        if position.leg_over:
            return "stays inside: the leg is over" if position.dice else "all out: the leg is over"
        return "left in the pyramid"

    def text(self, size: int) -> str:
        """The whole picture."""
        height = size * self.height / self.width
        about = escape(f"{self.edition.title}: {self.position}")
        return "".join(self._lines(size, height, about))

    def _lines(self, size: int, height: float, about: str) -> Iterator[str]:
        n = _number
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="co-{self.theme}" '
            f'width="{size}" height="{n(height)}" viewBox="0 0 {n(self.width)} {n(self.height)}" '
            f'role="img" font-family="{escape(FONT)}">'
        )
        yield f"<title>{about}</title>"
        if self.theme == "auto":
            yield f"<style>{_dark_style()}</style>"
        page = f'class="co-f-page co-s-frame" fill="{self.colour("page")}"'
        page += f' stroke="{self.colour("frame")}"'
        yield self.box(0.5, 0.5, self.width - 1, self.height - 1, 12, page)
        yield from self.parts
        yield "</svg>"


def _moved(path: str, x: float, y: float, facing: int) -> str:
    """A path of absolute commands, moved and, if it is to face left, turned over."""
    moved, horizontal = [], True
    for word in path.split():
        if word.isalpha():
            moved.append(word)
        else:
            value = float(word)
            moved.append(_number(x + facing * SCALE * value if horizontal else y + SCALE * value))
            horizontal = not horizontal
    return " ".join(moved)


def _dark_style() -> str:
    """What an automatic picture changes on a dark page; it touches no other picture."""
    rules = "".join(
        f".co-auto .co-f-{part}{{fill:{dark}}}.co-auto .co-s-{part}{{stroke:{dark}}}"
        for part, (_, dark) in THEME.items()
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"
