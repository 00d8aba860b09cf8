"""Best play of a leg: against the naive recursion, with `==` on fractions, and by hand."""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import camelodds as co
from camelodds import FIRST, SECOND, Edition, LegPlay, OptionError, Position, best_play
from camelodds.cli import main
from camelodds.kernels.legs import FENNEC_GONE, N_COUNTS, RACE_ENDS, SHORTCUT_GONE, exact_leg
from camelodds.odds.graph import leg_graph
from camelodds.odds.legs import POOL, SLOTS
from tests import naive, naive_play
from tests.strategies import positions

DATA = Path(__file__).parent / "data" / "cases"
CASES: list[dict[str, Any]] = json.loads((DATA / "plays.json").read_text())
ROUNDS: list[dict[str, Any]] = json.loads((DATA / "rounds.json").read_text())
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


@pytest.mark.slow
@settings(max_examples=200)
@given(legs(most_dice=4, most_tickets=6), st.integers(1, 5), st.sampled_from(OBJECTIVES))
def test_larger_legs_equal_the_naive_recursion(
    leg: tuple[Position, dict[str, list[int]]], players: int, objective: str
) -> None:
    position, left = leg
    play = best_play(position, objective, players=players, tickets_left=left)
    reference = naive_play.Play(players, objective)
    assert values_of(play) == reference.options(*naive_of(position, left))


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
    packed, bag = position.packed, position.bag()
    expected = exact_leg(
        packed.stack,
        packed.plus,
        packed.minus,
        position.rules,
        bag.nodes,
        bag.inner,
        bag.last,
        position.edition.outcome_of_order,
        120,
        4 * POOL,
        4 * SLOTS,
    )
    graph = leg_graph(position)
    assert expected[-1] == len(graph.states)
    expected[-1] = 0
    assert np.array_equal(graph.forward(len(expected)), expected)
    from_every_state = graph.backward(np.eye(len(expected), dtype=np.int64))
    assert np.array_equal(from_every_state[0], expected)
    assert np.array_equal(from_every_state[:, :120].sum(axis=1), graph.courses)


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
def test_graph_of_a_deck_gives_the_odds_too(case: dict[str, Any]) -> None:
    position = Position.from_dict(case)
    odds, n_outcomes = co.leg_odds(position), len(position.edition.outcomes)
    settled = leg_graph(position).forward(n_outcomes + N_COUNTS)
    assert np.array_equal(settled[:n_outcomes], odds.weights)
    assert settled[n_outcomes + RACE_ENDS] == odds.race_end_weight
    gone = {1: SHORTCUT_GONE, -1: FENNEC_GONE}
    assert dict(odds.gone_weights) == {
        space: settled[n_outcomes + gone[tile.sign]] for space, tile in position.tiles.items()
    }


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


# What an equilibrium must have ----------------------------------------------------------


def chooser_of(play: LegPlay) -> naive_play.Chooser:
    """What the policy looks up."""

    def choose(at: naive.Position, tickets: naive_play.Tickets, turn: int) -> str:
        here = Position(play.edition, at.stacks, play.position.tiles, at.dice)
        return play.policy(here, dict(tickets))

    return choose


def greedy_of(reference: naive_play.Play) -> naive_play.Chooser:
    """Always the best plain value: 1 for a die, its mean for a ticket."""

    def choose(at: naive.Position, tickets: naive_play.Tickets, turn: int) -> str:
        plain = {"roll": Fraction(1)}
        for camel, worths in tickets:
            if worths:
                plain[f"ticket {camel}"] = reference.ticket_value(at, camel, worths[0])
        return max(plain, key=lambda action: plain[action])

    return choose


def random_of(reference: naive_play.Play, seed: int) -> naive_play.Chooser:
    """Anything, but always the same in the same state."""

    def choose(at: naive.Position, tickets: naive_play.Tickets, turn: int) -> str:
        rng = random.Random(f"{seed} {naive.stacks_text(at)} {at.dice} {tickets} {turn}")
        return rng.choice(reference.actions(at, tickets))

    return choose


@settings(max_examples=25)
@given(legs(most_dice=2, most_tickets=4), st.integers(1, 3), st.sampled_from(OBJECTIVES))
def test_no_player_gains_by_deviating(
    leg: tuple[Position, dict[str, list[int]]], players: int, objective: str
) -> None:
    position, left = leg
    play = best_play(position, objective, players=players, tickets_left=left)
    reference = naive_play.Play(players, objective)
    at, tickets = naive_of(position, left)
    best = chooser_of(play)
    values = reference.values_of(at, tickets, [best] * players)
    assert values == play.options[0].fractions
    for seat in range(players):
        for other in (greedy_of(reference), random_of(reference, 1), random_of(reference, 2)):
            choosers = [other if s == seat else best for s in range(players)]
            deviating = reference.values_of(at, tickets, choosers)
            assert naive_play.score(deviating, seat, objective) <= naive_play.score(
                values, seat, objective
            )


NEVER = -(10**9)
"""Less than any ticket pays."""


def greedy(gains: list[int], courses: int) -> int:
    """The best plain value: 0 for a die, i + 1 for a ticket of pile i."""
    plain = [courses, *gains]
    return plain.index(max(plain))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    ("edition", "text", "left"),
    [
        pytest.param(
            FIRST,
            "1:gyo 3:bw",
            {"w": [5, 3, 2], "o": [5, 3, 2], "b": [2]},
            marks=pytest.mark.slow,
        ),
        (FIRST, "11:gy 12:o 14:bw 13-", {"b": [5, 3, 2], "w": [3, 2], "y": [2]}),
        (SECOND, "3:by 5:grW 7:p 8:K 6+ dice=bgr*", {"p": [5, 3, 2, 2], "r": [3, 2, 2]}),
    ],
)
def test_no_player_gains_by_deviating_in_a_whole_leg(
    edition: Edition, text: str, left: dict[str, list[int]], objective: str
) -> None:
    position, players = Position.parse(text, edition), 3
    play = best_play(position, objective, players=players, tickets_left=only(edition, **left))
    policy, graph = play.policy, leg_graph(position)
    piles = [left[camel] for camel in policy.piles]
    rows = [edition.racing.index(camel) for camel in policy.piles]
    payoff = np.zeros((120 + N_COUNTS, 2, len(rows)), dtype=np.int64)
    for place in (1, 2):
        payoff[:120, place - 1] = edition.outcomes[:, rows] == place
    places = graph.backward(payoff.reshape(len(payoff), -1)).reshape(-1, 2, len(rows))
    size = policy.choices.shape[1]
    rng = np.random.default_rng(1)
    for how in ("best", "greedy", "random"):
        # By state, tickets left, seat of the one who deviates, and seat: coins over all
        # courses, seats counted from the player to move.
        coins = np.zeros((len(graph.states), size, players, players), dtype=np.int64)
        for state in range(len(graph.states) - 1, -1, -1):
            courses = int(graph.courses[state])
            child, ways = graph.next[graph.first_next[state] : graph.first_next[state + 1]].T
            roll = np.roll(np.tensordot(ways, coins[child], 1), 1, axis=(1, 2))
            roll[:, :, 0] += courses
            for t in range(size):
                stride, gains, before = 1, [], []
                for pile, worths in enumerate(piles):
                    n = t // stride % (len(worths) + 1)
                    first, second = map(int, places[state, :, pile])
                    worth = worths[len(worths) - n] if n else 0
                    pays = worth * first + second - (courses - first - second)
                    gains.append(pays if n else NEVER)
                    before.append(t - stride)
                    stride *= len(worths) + 1
                bits = int(policy.choices[policy.futures[state], t])
                chosen = [(bits & -bits).bit_length() - 1] * players
                if how == "greedy":
                    chosen[0] = greedy(gains, courses)
                elif how == "random":
                    possible = [0, *(i + 1 for i, gain in enumerate(gains) if gain > NEVER)]
                    chosen[0] = int(rng.choice(possible))
                for seat, choice in enumerate(chosen):
                    if choice == 0:
                        coins[state, t, seat] = roll[t, seat]
                    else:
                        coins[state, t, seat] = np.roll(
                            coins[state, before[choice - 1], seat - 1], 1
                        )
                        coins[state, t, seat, 0] += gains[choice - 1]
        best = play.options[0].fractions
        for seat in range(players):
            deviating = [Fraction(int(c), int(graph.courses[0])) for c in coins[0, -1, seat]]
            assert naive_play.score(tuple(deviating), seat, objective) <= naive_play.score(
                best, seat, objective
            )
            assert (deviating == list(best)) == (how == "best") or how == "greedy"


@settings(max_examples=60)
@given(legs(most_dice=3, most_tickets=4))
def test_two_players_for_the_lead_is_the_minimax_of_a_zero_sum_game(
    leg: tuple[Position, dict[str, list[int]]],
) -> None:
    position, left = leg
    at, tickets = naive_of(position, left)
    reference = naive_play.Play(2, "lead")
    known: dict[Any, Fraction] = {}

    def lead(at: naive.Position, tickets: naive_play.Tickets) -> Fraction:
        """What the player to move can be ahead at the end: one number for both players."""
        key = (naive.stacks_text(at), at.dice, tickets)
        if key not in known:
            rolled = 1 - sum(
                (chance * lead(after, tickets))
                for chance, after, over in reference.rolls(at)
                if not over
            )
            found = [Fraction(rolled)]
            for camel, worths in tickets:
                if worths:
                    rest = tuple((c, w[1:] if c == camel else w) for c, w in tickets)
                    gain = reference.ticket_value(at, camel, worths[0])
                    found.append(gain - lead(at, rest))
            known[key] = max(found)
        return known[key]

    own, other = best_play(position, "lead", players=2, tickets_left=left).options[0].fractions
    assert own - other == lead(at, tickets)


@settings(max_examples=30)
@given(legs(FIRST, most_tickets=3), st.permutations("bygow"), st.sampled_from(OBJECTIVES))
def test_renaming_camels_renames_everything(
    leg: tuple[Position, dict[str, list[int]]], names: list[str], objective: str
) -> None:
    position, left = leg
    new = dict(zip("bygow", names, strict=True))
    play = best_play(position, objective, players=3, tickets_left=left)
    # Between two equally good tickets the order of the camels decides, and others may care.
    choices = play.policy.choices
    assume(bool(((choices & 1 == 1) | (choices & (choices - 1) == 0)).all()))
    renamed = Position(
        FIRST,
        {space: "".join(new[c] for c in camels) for space, camels in position.stacks.items()},
        position.tiles,
        "".join(new[die] for die in position.dice),
    )
    there = best_play(
        renamed, objective, players=3, tickets_left={new[c]: w for c, w in left.items()}
    )
    expected = {
        f"ticket {new[action[-1]]}" if action != "roll" else action: values
        for action, values in values_of(play).items()
    }
    assert values_of(there) == expected
    assert there.turns == pytest.approx(play.turns)


BEHIND = [
    # g and y are far behind: their tickets pay -1 whatever is rolled.
    ("1:gy 9:o 10:b 11:w dice=bow", only(FIRST, b=[3, 2], w=[5, 3, 2], o=[2])),
    ("1:gy 9:o 10:bw dice=bo", only(FIRST, b=[5, 3, 2], w=[5, 3, 2])),
    ("1:yg 8:bow dice=gow", only(FIRST, b=[2], o=[5, 3, 2], w=[2])),
]


@pytest.mark.parametrize(("text", "left"), BEHIND)
@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_worthless_pile_changes_nothing(
    text: str, left: dict[str, list[int]], players: int, objective: str
) -> None:
    position = Position.parse(text, FIRST)
    play = best_play(position, objective, players=players, tickets_left=left)
    piles = left | {"g": [5, 3, 2], "y": [2]}
    more = best_play(position, objective, players=players, tickets_left=piles)
    assert more["ticket g"].plain == more["ticket y"].plain == -1
    expected = values_of(play)
    assert {action: values_of(more)[action] for action in expected} == expected
    assert more.line == play.line
    # It would be a way to pass for a coin; yet in no state is it worth that.
    lowest = more.policy.choices & -more.policy.choices.astype(int)
    worthless = [2 << more.policy.piles.index(camel) for camel in "yg"]
    assert not np.isin(lowest, worthless).any()


def test_5_ticket_of_value_below_1_can_be_right_to_take() -> None:
    # With two dice left, a die revealed now is all that this player gets. The ticket of g is
    # worth 1/3 only, but taking it uses up no die, and later there is one to reveal: 1/3 + 1.
    position = Position.parse("1:gw 2:o 4:by dice=gw", FIRST)
    left = {"y": [3, 2], "o": [2], "w": [2]}
    play = best_play(position, players=4, tickets_left=left)
    assert play.best == "ticket g"
    assert play["ticket g"].plain == pytest.approx(1 / 3)
    assert play.fraction("ticket g", "P1") == Fraction(4, 3)
    assert play.fraction("roll", "P1") == 1
    assert play["ticket y"].plain > play["roll"].plain > play["ticket w"].plain > 1 / 3


# The whole leg --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "text", "objective"),
    [
        (FIRST, "1:gyo 3:bw", "coins"),
        (FIRST, "12:by 13:go 15:w 11-", "lead"),
        (SECOND, "3:by 5:grW 7:p 8:K 6+ 10-", "coins"),
        pytest.param(SECOND, "4:by 5:gr 7:p 9:W 11:K", "lead", marks=pytest.mark.slow),
    ],
)
def test_full_leg_with_all_tickets_hangs_together(
    edition: Edition, text: str, objective: str
) -> None:
    position = Position.parse(text, edition)
    play = best_play(position, objective, players=["Ann", "Bob", "Cat", "Dan"])
    odds = co.leg_odds(position)
    # What all of them get is what the dice and the tickets taken pay.
    for option in play.options[1:]:
        assert option.cost >= 0
    assert play["roll"].plain == 1
    for camel in edition.racing:
        assert play[f"ticket {camel}"].plain == pytest.approx(odds.ticket(5)[camel], abs=1e-12)
    # One level deeper: a ticket taken, or a die revealed, and the leg solved again from there.
    taken = best_play(
        position,
        objective,
        players=["Bob", "Cat", "Dan", "Ann"],
        tickets_left={edition.racing[0]: list(edition.tickets[1:])},
    )
    for player in ("Bob", "Cat", "Dan"):
        assert play.fraction(f"ticket {edition.racing[0]}", player) == taken.fraction(
            taken.best, player
        )
    rolled: Counter[str] = Counter()
    for die in position.dice:
        faces = [(c, n) for c in (edition.crazy if die == "*" else die) for n in (1, 2, 3)]
        for camel, number in faces:
            move = position.move(f"{camel}{number}")
            if not move.after.leg_over:
                then = best_play(move.after, objective, players=["Bob", "Cat", "Dan", "Ann"])
                for player in play.players:
                    share = Fraction(1, len(position.dice) * len(faces))
                    rolled[player] += share * then.fraction(then.best, player)
                assert play.policy.best(move.after) == (then.ties or (then.best,))
    rolled["Ann"] += 1
    assert {player: play.fraction("roll", player) for player in play.players} == dict(rolled)


@pytest.mark.parametrize("players", range(1, 9))
def test_any_number_of_players(players: int) -> None:
    position = Position.parse("2:b 4:y 5:g 6:o 7:w dice=byo", FIRST)
    play = best_play(position, players=players, tickets_left=only(FIRST, w=[5, 3, 2], o=[2]))
    reference = naive_play.Play(players, "coins")
    left = only(FIRST, w=[5, 3, 2], o=[2])
    assert values_of(play) == reference.options(*naive_of(position, left))


# Games ----------------------------------------------------------------------------------


def game() -> co.Game:
    table = co.Game.start(FIRST, players=["Ann", "Bob", "Cat"], position="1:gyo 3:bw")
    return table.after("ticket w").after("tile 5+").after("roll o2")


def test_game_is_its_position_with_the_tickets_left_and_the_players_in_turn_order() -> None:
    table = game()
    play = best_play(table, bets=False)
    assert play.players == ("Ann", "Bob", "Cat")
    alone = best_play(
        table.position, players=["Ann", "Bob", "Cat"], tickets_left=table.tickets_left
    )
    assert values_of(play) == values_of(alone)
    assert play.policy(table) == play.best
    assert play.policy(table.after("roll b3")) == best_play(table.after("roll b3"), bets=False).best
    later = best_play(table.after("ticket o"), bets=False)
    assert later.players == ("Bob", "Cat", "Ann")
    for player in ("Bob", "Cat"):
        assert play.fraction("ticket o", player) == later.fraction(later.best, player)


def test_F13_overall_bet_is_its_plain_value_and_best_play_with_the_turn_gone() -> None:
    table = game()
    play = best_play(table)
    gone = best_play(table.position, players=["Bob", "Cat", "Ann"], tickets_left=table.tickets_left)
    plain = co.action_values(table, without=["tile"])
    bets = [option for option in play.options if option.action.split()[0] in ("winner", "last")]
    assert len(bets) == 10
    for option in bets:
        worth = plain[option.action].value
        assert option.plain == worth
        assert option.values["Ann"] == pytest.approx(worth + gone.values["Ann"], abs=1e-12)
        assert option.values["Bob"] == gone.values["Bob"]
        assert option.values["Cat"] == gone.values["Cat"]
        assert option.fractions == ()
    with pytest.raises(OptionError, match="not an exact fraction"):
        play.fraction(bets[0].action, "Ann")
    assert play.best == "last g"
    assert str(play.line[0]) == "Ann bets that g is last"
    assert play.line[1].player == "Bob"
    assert play.turns == pytest.approx(1 + gone.turns)
    assert dict(play.taken) == pytest.approx(dict(gone.taken))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_F4_tile_is_its_landings_and_best_play_on_the_changed_track(objective: str) -> None:
    table = game()
    play = best_play(table, objective, tiles="all", bets=False)
    legal = {action for action in table.legal_actions() if action.startswith("tile")}
    assert {o.action for o in play.options if o.action.startswith("tile")} == legal
    plain = co.action_values(table, without=["winner", "last"])
    for action, space, sign in (("tile 7-", 7, -1), ("tile 8+", 8, 1)):
        placed = table.placed(space, sign)
        gone = best_play(
            placed, objective, players=["Bob", "Cat", "Ann"], tickets_left=table.tickets_left
        )
        own = co.leg_odds(placed).landing_fraction(space) + gone.fraction(gone.best, "Ann")
        assert play.fraction(action, "Ann") == own
        assert play.fraction(action, "Bob") == gone.fraction(gone.best, "Bob")
        assert play[action].plain == pytest.approx(plain[action].value, abs=1e-12)
    best_two = [row.action for row in plain.rows if row.kind == "tile"][:2]
    two = best_play(table, objective, tiles=2, bets=False)
    assert {o.action for o in two.options if o.action.startswith("tile")} == set(best_two)
    assert all(two[action] == play[action] for action in best_two)


GAMES: list[dict[str, Any]] = json.loads((DATA / "values.json").read_text())


@pytest.mark.parametrize("case", GAMES[::2], ids=lambda case: case["id"])
def test_plain_values_of_games_are_those_of_the_cases(case: dict[str, Any]) -> None:
    told = ("edition", "position", "players", "to_move", "tickets_left", "held", "piles")
    table = co.Game.from_dict({name: case[name] for name in told})
    play = best_play(table, "lead", bets=case["overall_bets_valued"])
    expected = {row["action"]: row["value"] for row in case["actions"]}
    assert {option.action for option in play.options} == {
        action for action in expected if action.split()[0] not in ("tile", "partner")
    }
    for option in play.options:
        # The cases have a floor where coins are known, but not for overall bets.
        if case["coins"] is None or option.action.startswith(("winner", "last")):
            assert option.plain == pytest.approx(expected[option.action], abs=1e-8)


def test_line_after_a_tile_is_on_the_changed_track() -> None:
    # Everything lands on the tile: nothing else pays as much.
    table = co.Game.start(FIRST, players=2, position="5:bygow")
    table = table._with(tickets_left=dict.fromkeys("bygow", ()))
    play = best_play(table, tiles="all", bets=False)
    assert play.best.startswith("tile ")
    space = int(play.best.split()[1][:-1])
    gone = best_play(
        table.placed(space, 1 if play.best[-1] == "+" else -1),
        players=["P2", "P1"],
        tickets_left=only(FIRST),
    )
    assert [step.action for step in play.line] == [play.best, *(s.action for s in gone.line)]
    assert dict(play.reveals) == pytest.approx(dict(gone.reveals))


# Faces and bad input --------------------------------------------------------------------


def small() -> LegPlay:
    position = Position.parse("2:b 4:y 5:g 6:o 7:w 9- dice=by", FIRST)
    return best_play(position, players=2, tickets_left=only(FIRST, g=[2], w=[2]))


def test_table_says_what_it_rests_on() -> None:
    text = str(small())
    for part in ("ticket w", "+2.56", "P1 takes the 2-ticket of w", "Turns left: 3.00", "no floor"):
        assert part in text
    html = small()._repr_html_()
    assert "P1 takes the 2-ticket of w" in html
    assert "no floor" in html
    assert f"{small():cost}".splitlines()[1].split() == ["ticket", "w", "0.00"]


def test_ties_are_told() -> None:
    case = next(case for case in CASES if len(case["best"]) > 1)
    play = best_play(
        Position.parse(case["position"], case["edition"]),
        case["objective"],
        players=case["players"],
        tickets_left=case["tickets_left"],
    )
    assert f"Equally good: {', '.join(case['best'])}." in str(play)
    assert play.best == case["best"][0]
    assert play.to_dict()["best"] == case["best"]


def test_dictionary_is_json() -> None:
    play = small()
    data = json.loads(play.to_json())
    assert data == play.to_dict()
    assert [row["action"] for row in data["actions"]] == ["ticket w", "roll", "ticket g"]
    assert data["actions"][0]["fractions"] == {"P1": "23/9", "P2": "1"}
    assert data["line"][-1] == {"player": "", "action": "end", "probability": 1.0}


def test_results_can_be_pickled() -> None:
    play = small()
    again = pickle.loads(pickle.dumps(play))
    assert again.to_dict() == play.to_dict()
    assert again.options == play.options
    assert np.array_equal(again.policy.choices, play.policy.choices)
    assert again.policy(play.position) == play.best


def test_columns_are_frames() -> None:
    frame = small().to_pandas()
    assert list(frame["action"]) == ["ticket w", "roll", "ticket g"]
    assert list(frame.columns) == ["action", "value", "cost", "plain", "rival P2"]


LEG_OVER = Position.parse("1:gyo 3:bw dice=", FIRST)


@pytest.mark.parametrize(
    ("at", "options", "said"),
    [
        ("1:gyo 3:bw", {}, ["neither a Game nor a Position"]),
        (LEG_OVER, {}, ["the leg is over", "F8"]),
        (Position.parse("1:gyo 3:b 17:w dice=b", FIRST), {}, ["the race is over", "F11"]),
        (small().position, {"objective": "win"}, ["no such objective", "coins, lead"]),
        (small().position, {"players": 0}, ["not 1 to 8"]),
        (small().position, {"players": 10**30}, ["not 1 to 8"]),
        (small().position, {"players": -1}, ["not 1 to 8"]),
        (small().position, {"players": ["Ann", "Ann"]}, ["another name"]),
        (small().position, {"players": "four"}, ["no players"]),
        (small().position, {"players": True}, ["no players"]),
        (small().position, {"tickets_left": [5, 3]}, ["not a mapping"]),
        (
            small().position,
            {"tickets_left": {"b": [5, 2], "r": [2], "w": 3}, "tiles": -1},
            ["'b': [5, 2]", "[F3]", "no racing camel", "'w': 3", "tiles=-1"],
        ),
        (co.Position.start(co.CARDS, seed=1), {}, ["Card Game", "not supported", "C5"]),
        (small().position, {"objective": []}, ["no such objective"]),
        (small().position, {"tickets_left": {"b": [[5]], 3: []}}, ["'b': [[5]]", "3: []"]),
        (small().position, {"tiles": True}, ["tiles=True"]),
        (small().position, {"tiles": 2}, ["nobody owns a tile"]),
        (game(), {"players": 3, "tickets_left": {}}, ["players=3", "tickets_left"]),
        (game(), {"tiles": "some"}, ["tiles='some'"]),
    ],
)
def test_bad_input_is_told_at_once(at: Any, options: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        best_play(at, **options)
    assert all(part in str(caught.value) for part in said)


@pytest.mark.parametrize(
    ("tickets", "said"), [((5,) * 40, "combinations of tickets"), ((10**15,), "63 bits")]
)
def test_tickets_of_no_game_are_refused(tickets: tuple[int, ...], said: str) -> None:
    edition = replace(FIRST, tickets=tickets)
    position = Position.parse("2:b 4:y 5:g 6:o 7:w", edition)
    with pytest.raises(OptionError, match=said):
        best_play(position)


def test_policy_refuses_what_the_leg_cannot_come_to() -> None:
    policy = small().policy
    start = small().position
    others = [
        LEG_OVER,
        Position.parse("2:b 4:y 5:g 6:o 8:w 9- dice=by", FIRST),
        Position.parse("2:b 4:y 5:g 6:o 7:w 9+ dice=by", FIRST),
        Position.parse("2:b 4:y 5:g 6:o 7:w 9- dice=bygow", FIRST),
        Position.parse("2:b 4:y 5:g 6:o 7:w 9- dice=", FIRST),
        Position.parse("2:b 4:y 5:g 6:r 7:p 9:W 10:K 12- dice=by", SECOND),
    ]
    for other in others:
        with pytest.raises(OptionError, match="no state of the leg"):
            policy(other)
    assert policy(start, {"w": [], "g": [2]}) == "roll"
    with pytest.raises(OptionError) as caught:
        policy(start, {"w": [3, 2], "r": []})
    assert "tickets of w" in str(caught.value)
    with pytest.raises(OptionError, match="tickets of g"):
        policy(start, {"w": [2], "g": 2})
    with pytest.raises(OptionError, match="neither a game nor a position"):
        policy("2:b 4:y")
    assert "'r'" in str(caught.value)


def test_options_are_found_by_action() -> None:
    play = small()
    assert play["roll"].value == pytest.approx(5 / 3)
    for action in ("ticket b", "nothing"):
        with pytest.raises(OptionError, match="no such action"):
            play[action]
    with pytest.raises(OptionError, match="no such player"):
        play.fraction("roll", "P3")


# The terminal ---------------------------------------------------------------------------


def test_best_reads_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_text(game().to_json())
    assert main(["best", str(file), "--no-bets", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == best_play(game(), bets=False).to_dict()
    assert main(["best", str(file), "--objective", "lead", "--tiles", "1"]) == 0
    out = capsys.readouterr().out
    assert "tile " in out
    assert "Most likely line: Ann bets that" in out


def test_best_says_how_overall_bets_were_sampled(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["best", "14:gy 15:o 16:bw", "--method", "sample", "--n", "20000", "--seed", "3"]
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["race_method"], data["samples"], data["seed"]) == ("sampled", 20000, 3)
    errors = {row["action"]: row["standard_error"] for row in data["actions"]}
    assert errors["roll"] is None
    assert 0 < errors["winner w"] < 0.1
    assert main(words) == 0
    assert "20,000 sampled races, seed 3" in " ".join(capsys.readouterr().out.split())


def test_best_reads_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["2:b", "4:y", "5:g", "6:o", "7:w", "9-", "dice=by"]
    options = ["--players", "2", "--tickets", "b y g2 o w2", "--no-bets", "--json"]
    assert main(["best", *words, *options]) == 0
    assert json.loads(capsys.readouterr().out) == small().to_dict()


@pytest.mark.parametrize(
    ("text", "options", "players"),
    [
        ("1:gyo 3:bw dice=bw", ["--players", "1"], 1),
        ("3:o 4:yg 5:bw 9+ 13+ 15+ dice=o", ["--players", "2"], 2),
        ("3:o 4:yg 5:bw 9+ 13+ 15+ dice=o", ["--players", "A,B", "--to-move", "B"], ["B", "A"]),
    ],
)
def test_best_answers_what_is_no_table_for_a_game(
    text: str, options: list[str], players: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", text, *options, "--tickets", "w2", "--json"]) == 0
    play = best_play(Position.parse(text), players=players, tickets_left={"w": [2]})
    assert json.loads(capsys.readouterr().out) == play.to_dict()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["best", "nowhere.json"], ["nowhere.json", "cannot be read"]),
        (["best"], ["nothing is written"]),
        (["best", "1:gyo 3:bw", "--players", "1", "--to-move", "P2"], ["--to-move P2", "P1"]),
        (["best", "1:gyo 3:bw", "--tickets", "b24 q"], ["[2, 4]", "'q'"]),
        (["best", "1:gyo 3:bw", "--players", "0"], ["players=0: not 1 to 8 players"]),
        (["best", "1:gyo 3:bw", "--tickets", "532"], ["not understood"]),
        (["best", "1:gyo 3:bw", "--tiles", "many"], ["tiles='many'"]),
    ],
)
def test_best_tells_bad_input(
    words: list[str], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(part in err for part in said)
