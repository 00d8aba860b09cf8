"""Positions as pictures: SVG built as plain text, for light and dark pages.

The spaces lie in two rows, the first half above running right and the second half below running
left: a ring in the pyramid games, in the Card Game a line from the banner to the finish.  Racing
camels face the way they run, crazy camels face back and have two humps.  A finished race stands
in the bay behind the line that it crossed.

All coordinates are absolute, in units of which the default picture is 720 wide, and no ids are
used, so that any number of pictures fit on one page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from camelodds.editions import BEFORE_BANNER, COLOURS, GREY_DIE
from camelodds.errors import Problem, not_one_of, refuse

if TYPE_CHECKING:
    from camelodds.draft import Tile
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
COLUMNS = 8
"""Spaces of a row; where there are fewer, they are wider."""
BAY = 76
"""Room beside space 1, for a finished race or for those before the banner."""
BAND = 30
"""Height of the track."""
BEND = 20
SCALE = 1.4
"""Of the camels, whose outlines below are in smaller units."""
STEP = 20 * SCALE
"""How much higher the next camel of a stack stands."""
OVERHANG = 12
"""How much a camel is higher than a step, and some air, less what it stands below the edge."""
LANE = 38
"""How far apart camels stand side by side before the banner."""
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
    faults += not_one_of("theme", theme, THEMES)
    if last_move is not None and not isinstance(last_move, Move):
        tip = "it is what Position.move(...) gave"
        faults.append(Problem(f"last_move={last_move!r:.40}", "not a Move", tip=tip))
    elif last_move is not None and last_move.after.stacks != position.stacks:
        tip = "draw move.after"
        faults.append(Problem("last_move", "does not lead to this position", tip=tip))
    items: list[Any] = list(highlight) if isinstance(highlight, Iterable) else [highlight]
    known = {*_Track(position).order, *position.edition.camels}
    for item in items:
        if type(item) not in (int, str) or item not in known:
            tip = f"spaces, as numbers, or camels of {position.edition.camels}"
            faults.append(Problem(f"highlight {item!r:.40}", "nothing to highlight", tip=tip))
    refuse(faults)
    return (
        frozenset(item for item in items if not isinstance(item, str)),
        frozenset(item for item in items if isinstance(item, str)),
    )


class _Track:
    """Where everything is.

    Attributes
    ----------
    ring
        Whether the last space is followed by the first one.
    order
        The spaces as they follow one another, those beyond a line that are in use too.
    places
        Where each of them is.
    columns
        Spaces of the upper row.
    finish
        The space behind the line.
    """

    def __init__(self, position: Position) -> None:
        self.ring = not position.edition.by_cards
        last = position.last_space
        # A flipped card is one space, which has the number of its first (C4).
        spaces = [s for s in range(1, last + 1) if s % 2 or s // 2 not in position.flipped]
        before = [s for s in position.stacks if s < 1] if self.ring else [BEFORE_BANNER]
        beyond = [s for s in position.stacks if s > last] if self.ring else [last + 1]
        self.finish = last + 1
        self.columns = (len(spaces) + 1) // 2
        self.cell = CELL * max(1.0, COLUMNS / self.columns)
        self.left = MARGIN + (BAND if self.ring else 0) + BAY
        self.right = self.left + self.cell * self.columns
        self.width = self.right + BEND + BAND / 2 + MARGIN
        # In the ring, who has crossed the line is next to space 1 again.
        rows = dict.fromkeys(spaces[: self.columns], 0) | dict.fromkeys(spaces[self.columns :], 1)
        rows |= dict.fromkeys(before, int(self.ring)) | dict.fromkeys(beyond, int(not self.ring))
        self.upper, self.lower = self._heights(position, rows)
        self.height = self.lower + BAND / 2 + FOOTER
        self.order = [*before, *spaces, *beyond]
        self.places: dict[int, Place] = {}
        for space in self.order:
            row = rows[space]
            if space in spaces:
                column = spaces.index(space)
                column = column if row == 0 else 2 * self.columns - 1 - column
                x = self.left + self.cell * (column + 0.5)
            elif space == self.finish and not self.ring and len(spaces) % 2:
                x = self.left + self.cell / 2  # there is a space less in the lower row
            else:
                x = self.left - BAY / 2
            self.places[space] = Place(x, (self.upper, self.lower)[row], 1 - 2 * row)

    def _heights(self, position: Position, rows: Mapping[int, int]) -> tuple[float, float]:
        """Where the middle of the upper and of the lower row is: below the highest stack."""
        room = [STEP * ROOM, STEP * ROOM]
        for space, camels in position.stacks.items():
            step = LANE if self.side_by_side(space) else STEP
            room[rows[space]] = max(room[rows[space]], step * len(camels))
        upper = MARGIN + room[0] + OVERHANG + BAND / 2
        return upper, upper + BAND + room[1] + OVERHANG

    def side_by_side(self, space: int) -> bool:
        """Whether camels there stand beside one another, not on one another (C3)."""
        return not self.ring and space == BEFORE_BANNER

    def half(self, space: int) -> float:
        """Half the width of a space."""
        return self.cell / 2 if self.left < self.places[space].x else BAY / 2 - 4

    def path(self) -> str:
        """The middle of the track."""
        right, top, bottom, r = self.right + BEND, self.upper, self.lower, BEND
        n = _number
        bend = (
            f"H {n(right - r)} Q {n(right)} {n(top)} {n(right)} {n(top + r)} V {n(bottom - r)} "
            f"Q {n(right)} {n(bottom)} {n(right - r)} {n(bottom)}"
        )
        if not self.ring:
            end = self.places[self.finish].x - self.half(self.finish)
            return f"M {n(MARGIN + 2)} {n(top)} {bend} H {n(end)}"
        left = MARGIN + BAND / 2
        return (
            f"M {n(left + r)} {n(top)} {bend} H {n(left + r)} Q {n(left)} {n(bottom)} {n(left)} "
            f"{n(bottom - r)} V {n(top + r)} Q {n(left)} {n(top)} {n(left + r)} {n(top)} Z"
        )

    def border(self, here: int, there: int) -> tuple[float, float, int, int]:
        """Between two spaces that follow one another: where, and which way the race runs."""
        one, other = self.places[here], self.places[there]
        if one.y == other.y:
            x = one.x + self.half(here) * one.forward
            return x, one.y, one.forward, 0
        middle = (self.upper + self.lower) / 2
        if one.forward > 0:
            return self.right + BEND, middle, 0, 1
        return MARGIN + BAND / 2, middle, 0, -1


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
        self.on = _Track(position)
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
        """The track, its spaces, the finish line and the way of the last move."""
        on, path = self.on, self.on.path()
        self.add(
            f'<path d="{path}" stroke-linejoin="round" {self.stroke("edge", BAND + 3)}/>',
            f'<path d="{path}" stroke-linejoin="round" {self.stroke("track", BAND)}/>',
        )
        for card in self.position.flipped:
            self._sand(2 * card - 1)
        for column in range(on.columns + 1):
            x = on.left + on.cell * column
            for y in (on.upper, on.lower):
                self.add(
                    f'<path d="M {_number(x)} {_number(y - BAND / 2)} v {BAND}" '
                    f"{self.stroke('edge', 1)}/>"
                )
        for space in sorted(lit):
            paint = f'class="co-f-lit co-s-accent" fill="{self.colour("lit")}" '
            paint += f'stroke="{self.colour("accent")}" stroke-width="1.6"'
            self.add(self._ground(space, paint))
        self._finish_line()
        if last_move is not None:
            self._way(last_move)
        for space, place in on.places.items():
            name = _label(space)
            if not on.ring:
                name = {BEFORE_BANNER: "start", on.finish: "finish"}.get(space, name)
            self.add(self.words(place.x, place.y + 8.5, name, 11.5, self.fill("muted")))

    def _ground(self, space: int, paint: str) -> str:
        place, half = self.on.places[space], self.on.half(space)
        return self.box(place.x - half, place.y - BAND / 2, 2 * half, BAND, 0, paint)

    def _sand(self, space: int) -> None:
        """A card that the sandstorm has flipped: two waves of sand beside its number."""
        place = self.on.places[space]
        self.add(f'<g class="sand"><title>sandstorm: {space} and {space + 1} are one space</title>')
        for side in (-1, 1):
            x = place.x + side * self.on.cell / 4
            wave = f"M {_number(x - 9)} {_number(place.y + 4)} q 4.5 -6 9 0 t 9 0"
            self.add(f'<path d="{wave}" stroke-linecap="round" {self.stroke("edge", 2)}/>')
        self.add("</g>")

    def _finish_line(self) -> None:
        """Chequers across the track behind the last space."""
        side, on = BAND / 6, self.on
        if on.ring:
            columns, rows = 6, 4
            x, y = float(MARGIN), (on.upper + on.lower) / 2 - side * rows / 2
        else:
            columns, rows = 2, 6
            place = on.places[on.finish]
            x, y = place.x + on.half(on.finish) - side, place.y - BAND / 2
        last = self.position.last_space
        self.add(f'<g class="finish"><title>finish line after space {last}</title>')
        self.add(self.box(x, y, side * columns, side * rows, 0, 'fill="#ffffff"'))
        squares = "".join(
            f"M {_number(x + side * column)} {_number(y + side * row)} "
            f"h {_number(side)} v {_number(side)} h {_number(-side)} Z "
            for row in range(rows)
            for column in range(columns)
            if (row + column) % 2 == 0
        )
        self.add(f'<path d="{squares.strip()}" fill="#26221d"/>', "</g>")

    def _way(self, move: Move) -> None:
        """The space that the last move came from, and a chevron for each step of it."""
        on = self.on
        after = next(s for s, stack in self.position.stacks.items() if move.camel in stack)
        place, half = on.places[move.origin], on.half(move.origin) - 3
        paint = f'stroke-dasharray="4 3" {self.stroke("accent", 1.6)}'
        self.add(
            self.box(place.x - half, place.y - BAND / 2 + 3, 2 * half, BAND - 6, 4, paint),
            self._ground(after, f'fill-opacity="0.35" {self.fill("accent")}'),
        )
        start, end = on.order.index(move.origin), on.order.index(after)
        way = -1 if end < start else 1
        for i in range(min(start, end), max(start, end)):
            x, y, dx, dy = on.border(on.order[i], on.order[i + 1])
            if (dy and x < on.left) if on.ring else on.order[i + 1] == on.finish:
                # Behind the chequers, as the camel goes.
                x, y = x + 14 * dx * way, y + 18 * dy * way
            self.add(self._arrow(x, y, dx * way, dy * way))

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
        place = self.on.places[space]
        part = "plus" if tile.sign > 0 else "minus"
        sign = "+1" if tile.sign > 0 else "\u22121"
        ahead = place.forward * tile.sign
        owner = f", of {tile.owner}" if tile.owner else ""
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
            name = _fitted(tile.owner, 10.5, self.on.cell - 4)
            self.add(self.words(place.x, top - 5, name, 10.5, self.fill("ink")))
        self.add("</g>")

    def stack(self, space: int, camels: str, lit: frozenset[str]) -> None:
        """The camels of a space, from the lowest up."""
        place = self.on.places[space]
        feet = place.y - BAND / 2 + 6
        beside = self.on.side_by_side(space)
        step = LANE if beside else STEP
        for height in range(1, len(camels) if beside else 0):
            line = f"M {_number(place.x - 33)} {_number(feet - step * height + 1)} h 66"
            self.add(f'<path d="{line}" {self.stroke("edge", 1.6)}/>')
        for height, camel in enumerate(camels):
            crazy = camel in self.edition.crazy
            facing = -place.forward if crazy else place.forward
            about = f"{camel}: {COLOURS[camel]} camel on {_label(space)}"
            if beside:
                about = f"{camel}: {COLOURS[camel]} camel before the banner"
            elif carried := camels[height + 1 :]:
                about += f", carries {carried}"
            self.camel(place.x, feet - step * height, camel, facing, about, lit=camel in lit)

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
        """What is still to come in the leg, and what happened last."""
        middle = self.on.height - FOOTER / 2 + 4
        deck = self.position.deck
        known = () if deck is None else deck.known
        x = self._pyramid(middle) if deck is None else self._deck(middle)
        for item in known or self.position.dice:
            self._token(x, middle, item)
            x += DIE + 6
        said = self.words(x + 4, middle + 4.5, self._left(), 12, self.fill("muted"), anchor="start")
        about = f"last move {last_move.event}" if last_move else self.edition.heading
        right, paint = self.on.width - MARGIN - 4, self.fill("muted")
        self.add(said, self.words(right, middle + 4.5, about, 12, paint, anchor="end"))

    def _pyramid(self, middle: float) -> float:
        """A pyramid; gives where the next thing may stand."""
        n, x, top, foot = _number, float(MARGIN + 4), middle - DIE / 2, middle + DIE / 2
        self.add(
            f'<path d="M {n(x)} {n(foot)} L {n(x + 15)} {n(top)} L {n(x + 30)} {n(foot)} Z '
            f'M {n(x + 15)} {n(top)} L {n(x + 20)} {n(foot)}" stroke-linejoin="round" '
            f"{self.stroke('muted', 1.6)}/>"
        )
        return x + 40

    def _deck(self, middle: float) -> float:
        """A deck of cards; gives where the next thing may stand."""
        x, top = float(MARGIN + 4), middle - DIE / 2
        for shift in (6, 3, 0):
            paint = f'class="co-f-page co-s-muted" fill="{self.colour("page")}" '
            paint += f'stroke="{self.colour("muted")}" stroke-width="1.4"'
            self.add(self.box(x + shift, top + shift / 2 - 1.5, 19, DIE, 3, paint))
        return x + 37

    def _token(self, x: float, middle: float, item: str) -> None:
        """A die in the pyramid, or a card that is known to be in the deck."""
        camel = item[0]
        if item == GREY_DIE:
            about, size, drop = "grey die, in the pyramid", 20.0, 10.0
        elif len(item) == 1:
            about, size = f"{COLOURS[camel]} die, in the pyramid", 14.0
            drop = 3.0 if camel in "gyp" else 4.5
        else:
            about, size = f"{COLOURS[camel]} {item[1:]}, known to be in the deck", 12.0
            drop = 4.0
        paint = f'class="co-s-line" fill="{PAINT[camel]}" stroke="{self.colour("line")}" '
        paint += 'stroke-width="1.2"'
        letter = f'fill="{letter_colour(camel)}"'
        kind = "die" if len(item) == 1 else "card"
        self.add(
            f'<g class="{kind}" data-{kind}="{item}"><title>{about}</title>',
            self.box(x, middle - DIE / 2, DIE, DIE, 6 if kind == "die" else 3, paint),
            self.words(x + DIE / 2, middle + drop, item, size, letter, bold=True),
            "</g>",
        )

    def _left(self) -> str:
        position, deck = self.position, self.position.deck
        if position.race_over:
            return f"the race is over: {position.outcome[0]} wins"
        if deck is not None:
            if not deck.left:
                return "the deck is empty: the round is over"
            cards = f"{deck.left} card{'s' * (deck.left > 1)} in the deck"
            known = "known of " if deck.known else ""
            return f"{known}{cards}, {deck.crazy_left} of them crazy"
        if position.leg_over:
            return "stays inside: the leg is over" if position.dice else "all out: the leg is over"
        return "left in the pyramid"

    def text(self, size: int) -> str:
        """The whole picture."""
        height = size * self.on.height / self.on.width
        about = escape(f"{self.edition.heading}: {self.position}")
        return "".join(self._lines(size, height, about))

    def _lines(self, size: int, height: float, about: str) -> Iterator[str]:
        n = _number
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="co-{self.theme}" '
            f'width="{size}" height="{n(height)}" '
            f'viewBox="0 0 {n(self.on.width)} {n(self.on.height)}" '
            f'role="img" font-family="{escape(FONT)}">'
        )
        yield f"<title>{about}</title>"
        if self.theme == "auto":
            yield f"<style>{_dark_style()}</style>"
        page = f'class="co-f-page co-s-frame" fill="{self.colour("page")}"'
        page += f' stroke="{self.colour("frame")}"'
        yield self.box(0.5, 0.5, self.on.width - 1, self.on.height - 1, 12, page)
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
