"""Random positions and other inputs, for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from camelodds import CARDS, FIRST, SECOND, Deck, Edition, Position, Tile

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


@st.composite
def decks(draw: st.DrawFn, most_left: int = 4) -> Deck:
    """Some cards left, some of them known, out of some of the thirty."""
    left = draw(st.integers(0, most_left))
    crazy_pool = {steps: draw(st.integers(0, most)) for steps, most in CARDS.crazy_cards}
    crazy_left = draw(st.integers(0, min(2, left, sum(crazy_pool.values()))))
    unseen = draw(st.permutations([c for c, n in CARDS.racing_deck.items() for _ in range(n)]))
    unseen = unseen[: draw(st.integers(left - crazy_left, 12))]
    known = unseen[: draw(st.integers(0, left - crazy_left))]
    rest = unseen[len(known) :]
    pool = {card: rest.count(card) for card in CARDS.racing_deck}
    known = sorted(known, key=list(CARDS.racing_deck).index)
    return Deck(left, crazy_left, tuple(known), pool, crazy_pool)


@st.composite
def card_positions(draw: st.DrawFn, *, most_left: int = 4, edition: Edition = CARDS) -> Position:
    """A position of the Card Game anywhere on the track, with flipped cards and markers."""
    last = draw(st.integers(14, 24))
    flipped = draw(st.sets(st.integers(2, last // 2 - 1), max_size=3))
    spaces = [s for s in range(last + 2) if s % 2 or s // 2 not in flipped]
    at = draw(st.integers(0, len(spaces) - 3))
    near = spaces[at : at + draw(st.integers(1, 7))]
    standing: dict[int, str] = {}
    for camel in draw(st.permutations(CARDS.racing)):
        space = draw(st.sampled_from(near if near[-1] <= last else near[:-1] or [spaces[at]]))
        standing[min(space, last)] = standing.get(min(space, last), "") + camel
    low = 0 if edition.crazy_stops_before_banner else 1
    crazy_near = [s for s in range(near[0] - 2, near[-1] + 5) if s >= low and s in spaces]
    crazy = draw(st.sampled_from(crazy_near))
    beneath = draw(st.integers(0, len(standing.get(crazy, ""))))
    old = standing.get(crazy, "")
    standing[crazy] = old[:beneath] + "K" + old[beneath:]
    rear = min(s for s, camels in standing.items() if camels != "K")
    empty = [s for s in spaces if max(rear, 1) <= s <= last and s not in standing][:8]
    places = draw(st.permutations([*empty, None, None]))
    lying = {s: Tile(sign) for s, sign in zip(places, (1, -1), strict=False) if s is not None}
    return Position(
        edition, standing, lying, last_space=last, flipped=flipped, deck=draw(decks(most_left))
    )
