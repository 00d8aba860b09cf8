"""Positions to rotate over: one alone would teach the branch predictor."""

from __future__ import annotations

import random

from camelodds import Edition, Position, Tile


def random_play(
    edition: Edition, n: int, *, tiles: tuple[int, int] = (0, 0), seed: int = 5
) -> list[Position]:
    """`n` positions between legs, reached by random rolls from random starts.

    Each has all dice in the pyramid and a number of tiles between the two in `tiles`.
    """
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < n:
        position = Position.start(edition, seed=rng.randrange(2**32))
        for _ in range(rng.randint(0, 6)):
            position = roll_leg(position.next_leg(), rng)
            if position.race_over:
                break
        if not position.race_over:
            found.append(with_tiles(position.next_leg(), rng.randint(*tiles), rng))
    return found


def roll_leg(position: Position, rng: random.Random) -> Position:
    """Roll until the leg is over."""
    while not position.leg_over:
        die = rng.choice(position.dice)
        camel = rng.choice(position.edition.crazy) if die == "*" else die
        position = position.after(f"{camel}{rng.randint(1, 3)}")
    return position


def with_tiles(position: Position, n: int, rng: random.Random) -> Position:
    """The position with up to `n` tiles where they may lie."""
    tiles: dict[int, Tile] = {}
    for space in rng.sample(range(2, position.edition.spaces + 1), position.edition.spaces - 1):
        free = space not in position.stacks and not {space - 1, space + 1} & tiles.keys()
        if free and len(tiles) < n:
            tiles[space] = Tile(rng.choice((1, -1)))
    return Position(position.edition, position.stacks, tiles, position.dice)
