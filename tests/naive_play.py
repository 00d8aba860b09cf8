"""Best play of a leg by plain recursion, with fractions: the reference for ``best_play``.

Written from the definition and on ``naive`` alone: each player in turn reveals a die or takes
a top ticket, every roll is played out, a ticket is worth its mean over all courses of the leg.
Seats are counted from the player to move.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests import naive

Tickets = tuple[tuple[str, tuple[int, ...]], ...]
"""The tickets left: each camel, in the edition's order, with its worths, top first."""
Values = tuple[Fraction, ...]
Chooser = Callable[[naive.Position, Tickets, int], str]
"""What a player does: position, tickets left, how many actions were taken before."""


def tickets(left: dict[str, list[int]], edition: str) -> Tickets:
    """The tickets left in a form that can be a key."""
    return tuple((camel, tuple(left.get(camel, ()))) for camel in naive.RACING[edition])


def score(values: Values, seat: int, objective: str) -> Fraction:
    """What the player in `seat` makes as large as can be."""
    others = len(values) - 1
    if objective == "coins" or not others:
        return values[seat]
    return values[seat] - (sum(values) - values[seat]) / others


class Play:
    """Legs with so many players and this objective."""

    def __init__(self, players: int, objective: str) -> None:
        self.players, self.objective = players, objective
        self._known: dict[object, Values] = {}
        self._legs: dict[object, naive.Leg] = {}

    def ticket_value(self, position: naive.Position, camel: str, worth: int) -> Fraction:
        """The mean of what a ticket pays (F8)."""
        key = (naive.stacks_text(position), position.dice)
        if key not in self._legs:
            self._legs[key] = naive.leg(position)
        leg = self._legs[key]
        pays = [
            weight * {0: worth, 1: 1}.get(outcome.index(camel), -1)
            for outcome, weight in leg.weights.items()
        ]
        return Fraction(sum(pays), leg.total)

    def rolls(self, position: naive.Position) -> list[tuple[Fraction, naive.Position, bool]]:
        """What can be rolled: probability, position afterwards, whether the leg is over."""
        found = []
        for die in position.dice:
            names = naive.faces(die)
            for name, steps in names:
                moved = naive.move(position, name, steps)
                over = moved.race_over or naive.leg_over(moved.position)
                share = Fraction(1, len(position.dice) * len(names))
                found.append((share, moved.position, over))
        return found

    def actions(self, position: naive.Position, left: Tickets) -> list[str]:
        """What can be done, in the order in which ties are broken."""
        return ["roll", *(f"ticket {camel}" for camel, worths in left if worths)]

    def act(
        self,
        position: naive.Position,
        left: Tickets,
        action: str,
        then: Callable[[naive.Position, Tickets], Values],
    ) -> Values:
        """The values of an action, if `then` gives those of the next player to move."""

        def passed_on(values: Values) -> list[Fraction]:
            return [values[-1], *values[:-1]]

        if action == "roll":
            totals = [Fraction(0)] * self.players
            for share, after, over in self.rolls(position):
                if not over:
                    for seat, value in enumerate(passed_on(then(after, left))):
                        totals[seat] += share * value
            totals[0] += 1
            return tuple(totals)
        camel = action.removeprefix("ticket ")
        worth = dict(left)[camel][0]
        rest = tuple((c, worths[1:] if c == camel else worths) for c, worths in left)
        values = passed_on(then(position, rest))
        values[0] += self.ticket_value(position, camel, worth)
        return tuple(values)

    def options(self, position: naive.Position, left: Tickets) -> dict[str, Values]:
        """Every action with its values, the others and oneself playing on as best they can."""
        return {
            action: self.act(position, left, action, self.values)
            for action in self.actions(position, left)
        }

    def best(self, position: naive.Position, left: Tickets) -> list[str]:
        """The best actions, in the order in which ties are broken."""
        found = self.options(position, left)
        most = max(score(values, 0, self.objective) for values in found.values())
        return [a for a, values in found.items() if score(values, 0, self.objective) == most]

    def values(self, position: naive.Position, left: Tickets) -> Values:
        """The values of best play."""
        key = (naive.stacks_text(position), position.dice, left)
        if key not in self._known:
            found = self.options(position, left)
            self._known[key] = found[self.best(position, left)[0]]
        return self._known[key]

    def values_of(
        self, position: naive.Position, left: Tickets, choosers: list[Chooser], turn: int = 0
    ) -> Values:
        """The values if the player in each seat chooses so, whatever is best."""

        def then(after: naive.Position, rest: Tickets) -> Values:
            moved_up = choosers[1:] + choosers[:1]
            return self.values_of(after, rest, moved_up, turn + 1)

        return self.act(position, left, choosers[0](position, left, turn), then)
