"""A slow, literal reference for the race: every roll played out, in fractions.

Like ``naive``, whose moves it uses, it never imports the package. Tiles act in the leg that
is asked about only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tests import naive

#: P(camel at place) by camel and place (1 to 5), and "legs", the leg scorings to come
Value = dict[tuple[str, int] | str, Fraction]


@dataclass(frozen=True)
class Race:
    """Odds of the race."""

    places: dict[str, list[Fraction]]  # camel -> P(1st) .. P(5th)
    legs: Fraction  # leg scorings to come, this leg's included

    def winner(self, camel: str) -> Fraction:
        return self.places[camel][0]

    def last(self, camel: str) -> Fraction:
        return self.places[camel][-1]


def finished(position: naive.Position) -> Value:
    """F11: the ranking as it stands, and the one last leg scoring."""
    value: Value = {(c, i + 1): Fraction(1) for i, c in enumerate(naive.ranking(position))}
    return value | {"legs": Fraction(1)}


def rolls(position: naive.Position) -> list[tuple[naive.Position, Fraction]]:
    """What one roll leads to: a uniform die, a uniform face (F3, S1)."""
    return [
        (
            naive.move(position, name, steps).position,
            Fraction(1, len(position.dice) * len(naive.faces(die))),
        )
        for die in position.dice
        for name, steps in naive.faces(die)
    ]


def next_leg(position: naive.Position) -> naive.Position:
    """F10: all dice back in the pyramid, no tiles."""
    dice = naive.parse("1:x", position.edition).dice
    return naive.Position(position.edition, position.stacks, {}, dice)


def key(position: naive.Position) -> str:
    tiles = " ".join(f"{space}{sign}" for space, sign in sorted(position.tiles.items()))
    return f"{naive.stacks_text(position)}|{tiles}|{position.dice}"


def add(total: Value, value: Value, weight: Fraction) -> None:
    for name, number in value.items():
        total[name] = total.get(name, Fraction(0)) + weight * number


def race(position: naive.Position, seen: dict[str, Value] | None = None) -> Race:
    """The race by recursion, roll by roll; first edition, where no position comes back."""
    assert position.edition == "first"
    seen = {} if seen is None else seen

    def value_of(position: naive.Position) -> Value:
        if naive.finished(position):
            return finished(position)
        known = seen.get(key(position))
        if known is not None:
            return known
        total: Value = {}
        if naive.leg_over(position):
            add(total, value_of(next_leg(position)), Fraction(1))
            total["legs"] += 1
        else:
            for after, weight in rolls(position):
                add(total, value_of(after), weight)
        seen[key(position)] = total
        return total

    return as_race(position, value_of(position))


def as_race(position: naive.Position, value: Value) -> Race:
    camels = naive.RACING[position.edition]
    places = {c: [value.get((c, place), Fraction(0)) for place in range(1, 6)] for c in camels}
    return Race(places, value["legs"])
