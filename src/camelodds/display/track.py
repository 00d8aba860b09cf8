"""The track as text: stacks above the spaces, tiles below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camelodds.position import Position


def track(position: Position) -> str:
    """The track, bottom to top; a line where the finish is.

    Examples
    --------
    >>> import camelodds as co
    >>> print(track(co.Position.parse("1:gyo 3:bw 5-@Ann 16+")))
     o
     y    w
     g    b
     1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 |
                 -                                 +
    """
    last = position.last_space
    # A flipped track card is one space, called by the first of its two (C4).
    spaces = [s for s in range(1, last + 1) if s % 2 or s // 2 not in position.flipped]
    ahead = [space for space in position.stacks if space > last]
    behind = [space for space in position.stacks if space < 1]
    columns = [*behind, *["|"] * bool(behind), *spaces, "|", *ahead]
    height = max(map(len, position.stacks.values()))
    rows = [
        [position.stacks.get(space, "")[level : level + 1] for space in columns]  # type: ignore[call-overload]
        for level in reversed(range(height))
    ]
    rows.append([str(space) for space in columns])
    if position.tiles:
        tiles = {space: "+" if tile.sign > 0 else "-" for space, tile in position.tiles.items()}
        rows.append([tiles.get(space, "") for space in columns])  # type: ignore[call-overload]
    return "\n".join(" ".join(cell.rjust(2) for cell in row).rstrip() for row in rows)
