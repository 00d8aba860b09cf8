"""Random positions and other inputs, for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from camelodds import FIRST, SECOND, Edition, Position, Tile

PYRAMID_EDITIONS = (FIRST, SECOND)


@st.composite
def stacks(draw: st.DrawFn, edition: Edition, low: int = 1, high: int = 16) -> dict[int, str]:
    """Every camel somewhere from `low` to `high`; few spaces, so that stacks are tall."""
    spaces = draw(st.lists(st.integers(low, high), min_size=1, max_size=5, unique=True))
    result: dict[int, str] = {}
    for camel in draw(st.permutations(edition.camels)):
        space = draw(st.sampled_from(spaces))
        result[space] = result.get(space, "") + camel
    return result


@st.composite
def tiles(draw: st.DrawFn, occupied: set[int], *, owners: bool = False) -> dict[int, Tile]:
    """Tiles as F4 allows them, up to five."""
    result: dict[int, Tile] = {}
    for space in draw(st.lists(st.integers(2, 16), max_size=5, unique=True)):
        if space not in occupied and not {space - 1, space + 1} & result.keys():
            owner = f"P{len(result) + 1}" if owners and draw(st.booleans()) else None
            result[space] = Tile(draw(st.sampled_from([1, -1])), owner)
    return result


@st.composite
def positions(
    draw: st.DrawFn,
    edition: Edition | None = None,
    *,
    most_dice: int = 6,
    owners: bool = False,
) -> Position:
    """A position of a pyramid game, anywhere on the track, with tiles."""
    edition = edition or draw(st.sampled_from(PYRAMID_EDITIONS))
    low = draw(st.integers(1, 16))
    standing = draw(stacks(edition, low, draw(st.integers(low, 16))))
    dice = draw(st.permutations(edition.dice))
    n_dice = draw(st.integers(edition.staying, min(most_dice, len(dice))))
    lying = draw(tiles(set(standing), owners=owners))
    return Position(edition, standing, lying, "".join(dice[:n_dice]))
