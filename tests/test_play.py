"""Best play of a leg: against the naive recursion, with `==` on fractions, and by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from camelodds import FIRST, Edition, LegPlay, Position, best_play
from camelodds.kernels.legs import N_COUNTS, exact_leg
from camelodds.odds.graph import leg_graph
from camelodds.odds.legs import POOL, SLOTS
from tests import naive, naive_play
from tests.strategies import positions

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "cases" / "plays.json").read_text()
)
OBJECTIVES = ("coins", "lead")


def only(edition: Edition, **left: list[int]) -> dict[str, list[int]]:
    """These tickets left and no others."""
    return {camel: left.get(camel, []) for camel in edition.racing}


def values_of(play: LegPlay) -> dict[str, tuple[Fraction, ...]]:
    return {option.action: option.fractions for option in play.options}


def naive_of(position: Position, left: Mapping[str, Any]) -> tuple[naive.Position, Any]:
    name = position.edition.name
    return naive.parse(str(position), name), naive_play.tickets(dict(left), name)


@st.composite
def legs(
    draw: st.DrawFn, edition: Edition | None = None, most_dice: int = 3, most_tickets: int = 4
) -> tuple[Position, dict[str, list[int]]]:
    """A position with few dice to come, and few tickets left."""
    position = draw(positions(edition, most_dice=most_dice))
    assume(not position.leg_over)
    edition = position.edition
    left = only(edition)
    for _ in range(draw(st.integers(0, most_tickets))):
        camel = draw(st.sampled_from(edition.racing))
        left[camel] = list(edition.tickets[-1 - len(left[camel]) :][: len(edition.tickets)])
    return position, left


# The cases and the slow reference -------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    position = Position.parse(case["position"], case["edition"])
    play = best_play(
        position,
        case["objective"],
        players=case["players"],
        tickets_left=case["tickets_left"],
    )
    assert values_of(play) == {
        action: tuple(map(Fraction, values)) for action, values in case["values"].items()
    }
    assert list(play.ties or (play.best,)) == case["best"]


@settings(max_examples=150)
@given(legs(), st.integers(1, 4), st.sampled_from(OBJECTIVES))
def test_small_legs_equal_the_naive_recursion(
    leg: tuple[Position, dict[str, list[int]]], players: int, objective: str
) -> None:
    position, left = leg
    play = best_play(position, objective, players=players, tickets_left=left)
    reference = naive_play.Play(players, objective)
    at, tickets = naive_of(position, left)
    assert values_of(play) == reference.options(at, tickets)
    assert list(play.ties or (play.best,)) == reference.best(at, tickets)
    others = max(players - 1, 1)
    for option in play.options:
        own, *rest = option.fractions
        lead = own if objective == "coins" or not rest else own - sum(rest) / others
        assert option.cost >= 0
        best_own, *best_rest = play.options[0].fractions
        best = best_own if lead is own else best_own - sum(best_rest) / others
        assert option.cost == pytest.approx(float(best - lead), abs=1e-12)


@settings(max_examples=40)
@given(legs(most_dice=3, most_tickets=3), st.integers(1, 3), st.sampled_from(OBJECTIVES))
def test_policy_is_the_naive_choice_in_every_state(
    leg: tuple[Position, dict[str, list[int]]], players: int, objective: str
) -> None:
    position, left = leg
    policy = best_play(position, objective, players=players, tickets_left=left).policy
    reference = naive_play.Play(players, objective)
    todo, seen = [naive_of(position, left)], set()
    while todo:
        at, tickets = todo.pop()
        key = (naive.stacks_text(at), at.dice, tickets)
        if key in seen:
            continue
        seen.add(key)
        here = Position(position.edition, at.stacks, position.tiles, at.dice)
        assert list(policy.best(here, dict(tickets))) == reference.best(at, tickets)
        todo += [(after, tickets) for _, after, over in reference.rolls(at) if not over]
        for camel, worths in tickets:
            if worths:
                rest = tuple((c, w[1:] if c == camel else w) for c, w in tickets)
                todo.append((at, rest))


class Counted(naive_play.Play):
    """What happens, following best play: expected reveals and tickets by seat."""

    def expect(
        self, at: naive.Position, tickets: naive_play.Tickets, action: str, seat: int, share: Any
    ) -> None:
        following = (seat + 1) % self.players
        if action == "roll":
            self.reveals[seat] += share
            for chance, after, over in self.rolls(at):
                if not over:
                    then = self.best(after, tickets)[0]
                    self.expect(after, tickets, then, following, share * chance)
            return
        self.taken[seat] += share
        camel = action.removeprefix("ticket ")
        rest = tuple((c, w[1:] if c == camel else w) for c, w in tickets)
        self.expect(at, rest, self.best(at, rest)[0], following, share)

    def count(self, at: naive.Position, tickets: naive_play.Tickets) -> None:
        self.reveals: Counter[int] = Counter()
        self.taken: Counter[int] = Counter()
        self.expect(at, tickets, self.best(at, tickets)[0], 0, Fraction(1))


@settings(max_examples=40)
@given(legs(), st.integers(1, 4), st.sampled_from(OBJECTIVES))
def test_expected_turns_and_tickets_are_those_of_the_naive_recursion(
    leg: tuple[Position, dict[str, list[int]]], players: int, objective: str
) -> None:
    position, left = leg
    play = best_play(position, objective, players=players, tickets_left=left)
    reference = Counted(players, objective)
    reference.count(*naive_of(position, left))
    assert list(play.taken.values()) == pytest.approx(
        [float(reference.taken[seat]) for seat in range(players)]
    )
    assert list(play.reveals.values()) == pytest.approx(
        [float(reference.reveals[seat]) for seat in range(players)]
    )
    assert play.turns == pytest.approx(sum(play.taken.values()) + sum(play.reveals.values()))


def naive_line(
    reference: naive_play.Play, at: naive.Position, tickets: naive_play.Tickets
) -> list[tuple[str, float]]:
    """At each step the action taken in most cases, given the steps before."""
    crowd, over, steps = [(at, Fraction(1))], Fraction(0), []
    while True:
        cases: Counter[str] = Counter()
        for one, share in crowd:
            cases[reference.best(one, tickets)[0]] += share
        total = sum(cases.values()) + over
        order = reference.actions(at, tickets)
        most = min(cases, key=lambda a: (-cases[a], order.index(a)), default="end")
        if most == "end" or over > cases[most]:
            return [*steps, ("end", float(over / total))]
        steps.append((most, float(cases[most] / total)))
        crowd = [(one, s) for one, s in crowd if reference.best(one, tickets)[0] == most]
        over = Fraction(0)
        if most == "roll":
            fallen = []
            for one, share in crowd:
                for chance, after, ends in reference.rolls(one):
                    if ends:
                        over += share * chance
                    else:
                        fallen.append((after, share * chance))
            crowd = fallen
        else:
            camel = most.removeprefix("ticket ")
            tickets = tuple((c, w[1:] if c == camel else w) for c, w in tickets)


@settings(max_examples=40)
@given(legs(), st.integers(1, 4), st.sampled_from(OBJECTIVES))
def test_most_likely_line_is_that_of_the_naive_recursion(
    leg: tuple[Position, dict[str, list[int]]], players: int, objective: str
) -> None:
    position, left = leg
    play = best_play(position, objective, players=players, tickets_left=left)
    expected = naive_line(naive_play.Play(players, objective), *naive_of(position, left))
    assert [step.action for step in play.line] == [action for action, _ in expected]
    assert [step.probability for step in play.line] == pytest.approx([p for _, p in expected])
    for turn, step in enumerate(play.line[:-1]):
        assert step.player == play.players[turn % players]


# The graph ------------------------------------------------------------------------------


@given(positions())
@settings(max_examples=40)
def test_graph_walked_forward_and_backward_gives_the_odds(position: Position) -> None:
    assume(not position.leg_over)
    edition, packed, bag = position.edition, position.packed, position.edition.bag(position.dice)
    expected = exact_leg(
        packed.stack,
        packed.plus,
        packed.minus,
        edition.rules,
        bag.nodes,
        bag.inner,
        bag.last,
        edition.outcome_of_order,
        120,
        4 * POOL,
        4 * SLOTS,
    )
    graph = leg_graph(position)
    assert expected[-1] == len(graph.states)
    expected[-1] = 0
    assert np.array_equal(graph.forward(120 + N_COUNTS), expected)
    from_every_state = graph.backward(np.eye(120 + N_COUNTS, dtype=np.int64))
    assert np.array_equal(from_every_state[0], expected)
    assert np.array_equal(from_every_state[:, :120].sum(axis=1), graph.courses)


# Worked by hand -------------------------------------------------------------------------


def test_F8_one_player_one_die_by_hand() -> None:
    # o rolls 1: it lands on y and g, and w is first, b second. o rolls 2 or 3: o is first, w
    # second, b third. So tickets of o are worth 3, 5/3, 1, one of w for two coins 4/3, and
    # nobody is there to take them away: all are taken, then the die is revealed for 1.
    position = Position.parse("3:o 4:yg 5:bw dice=o", FIRST)
    play = best_play(position, players=1, tickets_left=only(FIRST, o=[5, 3, 2], w=[2], b=[2]))
    assert play[play.best].fractions == (Fraction(3) + Fraction(5, 3) + 1 + Fraction(4, 3) + 1,)
    # Taking them in another order is as good; once the die is revealed the leg is over, so the
    # coin for it is all that is left.
    assert play.ties == ("ticket o", "ticket w")
    assert play.fraction("roll", "P1") == 1
    # The ticket of b pays 1 if o rolls 1, else -1.
    assert play.fraction("ticket b", "P1") == 8 - Fraction(1, 3)
    assert play["ticket b"].plain == pytest.approx(-1 / 3)


def test_one_player_two_dice_by_hand() -> None:
    # b alone decides: 1 makes it third, 2 second, 3 first; o is too far back to matter. The
    # ticket for 2 is worth 2/3. Taken now it makes 2/3 + 2; if a die is revealed first, it is
    # b's in half of the cases, and then the ticket is taken unless b is third: (0 + 1 + 2)/3;
    # in the other half it is still worth 2/3.
    position = Position.parse("1:yo 5:b 7:w 8:g dice=bo", FIRST)
    play = best_play(position, players=1, tickets_left=only(FIRST, b=[2]))
    assert play.best == "roll"
    assert play.fraction("ticket b", "P1") == Fraction(2, 3) + 2
    assert play.fraction("roll", "P1") == 2 + Fraction(1, 2) * 1 + Fraction(1, 2) * Fraction(2, 3)
    assert play["ticket b"].cost == pytest.approx(1 / 6)
    policy = play.policy
    assert policy(position.after("b1"), {"b": [2]}) == "roll"
    assert policy(position.after("b2"), {"b": [2]}) == "ticket b"
    assert policy(position.after("b3"), {"b": [2]}) == "ticket b"
    assert policy(position.after("o3"), {"b": [2]}) == "ticket b"


def test_F11_race_that_ends_leaves_nothing_to_follow() -> None:
    # Whatever is rolled, w crosses the line: one coin, and nothing for the others.
    position = Position.parse("1:b 2:y 3:g 4:o 16:w dice=wb", FIRST)
    play = best_play(position, players=3, tickets_left=only(FIRST))
    rolled_b = Fraction(1, 2)
    assert play.fraction("roll", "P1") == 1
    assert play.fraction("roll", "P2") == rolled_b
    assert play.turns == pytest.approx(1.5)
