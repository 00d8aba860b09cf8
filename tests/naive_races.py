"""A slow, literal reference for the race: every roll played out, in fractions.

Like ``naive``, whose moves it uses, it never imports the package. Tiles act in the leg that
is asked about only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

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


# The second edition: crazy camels carry racing camels back, so positions come back too.

State = tuple[tuple[int, str], ...]  # space and stack, "r" a racing camel, "c" a crazy one


def canonical(position: naive.Position) -> State:
    """What is left of a position between legs when camels lose their names."""
    kinds = {camel: "c" if camel in naive.CRAZY else "r" for camel in naive.RACING["second"] + "WK"}
    return tuple(
        (space, "".join(kinds[camel] for camel in position.stacks[space]))
        for space in sorted(position.stacks)
    )


def named(state: State) -> naive.Position:
    """A position of that kind: racing camels in the order of their ranks, leader first."""
    racing = iter(reversed(naive.RACING["second"]))
    crazy = iter(naive.CRAZY)
    stacks = {
        space: "".join(next(racing) if kind == "r" else next(crazy) for kind in stack)
        for space, stack in state
    }
    return naive.Position("second", stacks, {}, naive.RACING["second"] + naive.GREY)


def leg_ends(position: naive.Position) -> list[tuple[naive.Position, Fraction]]:
    """The positions at the end of the leg or of the race, with their probabilities."""
    layer = {key(position): (position, Fraction(1))}
    ends: dict[str, tuple[naive.Position, Fraction]] = {}
    while layer:
        following: dict[str, tuple[naive.Position, Fraction]] = {}
        for before, weight in layer.values():
            for after, share in rolls(before):
                over = naive.finished(after) or naive.leg_over(after)
                if over:  # which die stays inside matters no more
                    after = naive.Position(after.edition, after.stacks, {}, "")
                into = ends if over else following
                known = into.get(key(after), (after, Fraction(0)))[1]
                into[key(after)] = after, known + weight * share
        layer = following
    return list(ends.values())


def all_states(spaces: int) -> list[State]:
    """All positions between legs on a track of that many spaces."""
    found = []
    kinds = [
        "".join("c" if i in crazy else "r" for i in range(7)) for crazy in combinations(range(7), 2)
    ]
    for where in combinations_with_replacement(range(1, spaces + 1), 7):
        for kind in kinds:
            stacks: dict[int, str] = {}
            for space, letter in zip(where, kind, strict=True):
                stacks[space] = stacks.get(space, "") + letter
            found.append(tuple(sorted(stacks.items())))
    return found


def equations(
    states: list[State],
) -> tuple[list[dict[tuple[int, str], Fraction]], list[dict[str, Fraction]]]:
    """The race from each of the states, as equations in the same from all of them.

    For each state: the probability of every state to be the next between legs, with the order of
    the camels there; and of every order in which the race ends in the leg.
    """
    number = {state: i for i, state in enumerate(states)}
    going_on, over = [], []
    for state in states:
        next_states: dict[tuple[int, str], Fraction] = {}
        orders: dict[str, Fraction] = {}
        for end, weight in leg_ends(named(state)):
            order = naive.ranking(end)
            if naive.finished(end):
                orders[order] = orders.get(order, Fraction(0)) + weight
            else:
                at = number[canonical(end)], order
                next_states[at] = next_states.get(at, Fraction(0)) + weight
        going_on.append(next_states)
        over.append(orders)
    return going_on, over
