"""Solving a leg by backward induction, and what best play then comes to."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import prod
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from camelodds.editions import IntArray
from camelodds.errors import OptionError, Problem
from camelodds.kernels.graph import LegGraph
from camelodds.kernels.legs import N_COUNTS
from camelodds.kernels.play import (
    Futures,
    Piles,
    merge_futures,
    node_layers,
    piles_of,
    reveal,
    solve_layer,
)
from camelodds.odds.graph import leg_graph
from camelodds.position import Position
from camelodds.results.policy import ROLL, LegPolicy

MOST_BYTES = 4 << 30
"""Room for values; a leg of eight players in the second edition needs half a gigabyte."""


class SolvedLeg(NamedTuple):
    """A leg after backward induction; values are sums over all courses, see `kernels.play`.

    Seats are counted from the player to move; `t` is what is left of the tickets as a number,
    see `Piles`.
    """

    position: Position
    tickets: dict[str, tuple[int, ...]]
    """The tickets left of every camel, top first."""
    n_players: int
    objective: str
    camels: str
    """The camels of which some are left: the piles."""
    graph: LegGraph
    futures: IntArray
    """Of each state: its future, numbered within its layer."""
    layer_of: IntArray
    layers: list[Futures]
    choices: list[npt.NDArray[np.uint8]]
    piles: Piles
    pays: IntArray
    """(piles, 2): weights for first and second from the position on."""
    roll: IntArray
    """(players,): the values of revealing a die now."""
    values: IntArray
    """(players, t): the values of the best choice, by tickets left."""

    @property
    def courses(self) -> int:
        """Weight of all courses of the leg."""
        return int(self.graph.courses[0])

    @property
    def full(self) -> int:
        """All tickets left."""
        return len(self.piles.left) - 1

    def top(self, pile: int, t: int) -> int:
        """Worth of the top ticket of a pile."""
        return int(self.piles.worths[pile, self.piles.left[t, pile]])

    def passed_on(self, t: int) -> IntArray:
        """The values, for the player to move, of leaving the turn to the next one."""
        return np.roll(self.values[:, t], 1)

    def exact(self, values: IntArray) -> tuple[Fraction, ...]:
        """Values as expectations."""
        return tuple(Fraction(int(value), self.courses) for value in values)

    def policy(self) -> LegPolicy:
        """The choices of all layers in one array."""
        begin = np.cumsum([0, *map(len, self.choices)])
        return LegPolicy(
            position=self.position,
            piles=self.camels,
            tickets_left=MappingProxyType(self.tickets),
            players=self.n_players,
            objective=self.objective,
            states=self.graph.states,
            starts=self.graph.starts,
            futures=begin[self.layer_of] + self.futures,
            choices=np.concatenate(self.choices),
        )

    def ticket_pays(self, pile: int) -> int:
        """What the top ticket of a pile pays (F8)."""
        first, second = map(int, self.pays[pile])
        return self.top(pile, self.full) * first + second - (self.courses - first - second)


def solve_leg(
    position: Position, tickets: dict[str, tuple[int, ...]], n_players: int, objective: str
) -> SolvedLeg:
    """Solve a leg that is not over, see `camelodds.best_play`; `tickets` of every camel."""
    edition = position.edition
    camels = "".join(camel for camel, left in tickets.items() if left)
    rows = [edition.racing.index(camel) for camel in camels]
    graph = leg_graph(position)
    layer_of = np.repeat(node_layers(position.bag()), np.diff(graph.starts))
    n_outcomes = len(edition.outcomes)
    payoff = np.zeros((n_outcomes + N_COUNTS, 2 * len(rows)), dtype=np.int64)
    payoff[:n_outcomes, : len(rows)] = edition.outcomes[:, rows] == 1
    payoff[:n_outcomes, len(rows) :] = edition.outcomes[:, rows] == 2
    places = graph.backward(payoff).reshape(len(graph.states), 2, len(rows)).swapaxes(1, 2)
    futures, layers = merge_futures(graph, layer_of, places)
    _check_room(layers, tickets, n_players)
    piles = piles_of([tickets[camel] for camel in camels])
    size = len(piles.left)
    # Own coins less the mean of the others', times the number of others, or the like.
    lead = objective == "lead" and n_players > 1
    own, total = (n_players, -1) if lead else (1, 0)
    later = np.zeros((0, n_players, size), dtype=np.int64)
    roll = np.zeros((n_players, size), dtype=np.int64)
    choices = []
    for i in range(len(layers) - 1, -1, -1):
        layer = layers[i]
        if i == 0:
            reveal(int(layer.courses[0]), layer.next, later, roll)
        here = np.empty((len(layer.courses), n_players, size), dtype=np.int64)
        choice = np.empty((len(layer.courses), size), dtype=np.uint8)
        solve_layer(*layer, *piles, own, total, later, here, choice)
        # The layer after this one is not needed any more, and so freed.
        later = here
        choices.append(choice)
    return SolvedLeg(
        position=position,
        tickets=tickets,
        n_players=n_players,
        objective=objective,
        camels=camels,
        graph=graph,
        futures=futures,
        layer_of=layer_of,
        layers=layers,
        choices=choices[::-1],
        piles=piles,
        pays=places[0],
        roll=roll[:, -1],
        values=later[0],
    )


def _check_room(layers: list[Futures], tickets: dict[str, tuple[int, ...]], n_players: int) -> None:
    """Refuse tickets that no game has: too many of them, or of too much worth."""
    size = prod(len(left) + 1 for left in tickets.values())
    futures = [len(layer.courses) for layer in layers]
    most_futures = max(here + later for here, later in pairwise([*futures, 0]))
    needed = most_futures * n_players * size * np.dtype(np.int64).itemsize
    if needed > MOST_BYTES:
        what = f"{size:,} combinations of tickets left need {needed >> 30} GB"
        raise OptionError(Problem("tickets", what, tip="leave some out"))
    worths = [abs(worth) for left in tickets.values() for worth in left]
    if n_players * (sum(worths) + len(worths) + len(layers)) * int(layers[0].courses[0]) >= 2**62:
        raise OptionError(Problem("tickets", "their worth does not fit into 63 bits"))


class Crowd(NamedTuple):
    """Courses of a leg that have come as far as one layer: future, tickets left, weight."""

    layer: int
    futures: IntArray
    t: IntArray
    weights: IntArray


class Course:
    """What follows an action of the player to move if then everybody plays best."""

    def __init__(self, solved: SolvedLeg, action: str) -> None:
        self.solved = solved
        self.reveals = np.zeros(solved.n_players)
        self.taken = np.zeros(solved.n_players)
        # An action that is neither a die nor a ticket leaves only the turn to the next player.
        self._passed = 0
        one = np.ones(1, dtype=np.int64)
        crowd = Crowd(0, 0 * one, solved.full * one, one)
        worth = 0
        if action == ROLL:
            self.reveals[0] = solved.courses
            crowd = self._onward(crowd)
        elif action.startswith("ticket "):
            pile = solved.camels.index(action.removeprefix("ticket "))
            worth = solved.top(pile, solved.full)
            self.taken[0] = solved.courses
            crowd = crowd._replace(t=solved.piles.before[crowd.t, pile])
        else:
            self._passed = 1
        self.line = [(0, action, worth, 1.0), *self._most_likely(crowd)]
        self._count(crowd)
        self.reveals /= solved.courses
        self.taken /= solved.courses
        self.turns = float(self.reveals.sum() + self.taken.sum() + self._passed)

    def _seat(self, layer: int, t: IntArray) -> IntArray:
        """Whose turn it is, counted from the player to move at first."""
        left = self.solved.piles.left
        taken = left[-1].sum() - left[t].sum(axis=1)
        return np.asarray((layer + taken + self._passed) % self.solved.n_players)

    def _choice(self, crowd: Crowd) -> IntArray:
        """0 to reveal a die, i + 1 to take the top ticket of pile i."""
        bits = self.solved.choices[crowd.layer][crowd.futures, crowd.t].astype(np.int64)
        choice: IntArray = np.frexp(bits & -bits)[1].astype(np.int64) - 1
        return choice

    def _courses(self, crowd: Crowd) -> IntArray:
        """All courses that these stand for."""
        return crowd.weights * self.solved.layers[crowd.layer].courses[crowd.futures]

    def _onward(self, crowd: Crowd) -> Crowd:
        """After a die; courses that are over are left out."""
        layer = self.solved.layers[crowd.layer]
        begin = layer.first[crowd.futures]
        count = layer.first[crowd.futures + 1] - begin
        of = np.repeat(np.arange(len(begin)), count)
        rows = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count) + begin[of]
        size = len(self.solved.piles.left)
        keys, of_key = np.unique(layer.next[rows, 0] * size + crowd.t[of], return_inverse=True)
        weights = np.zeros(len(keys), dtype=np.int64)
        np.add.at(weights, of_key, crowd.weights[of] * layer.next[rows, 1])
        return Crowd(crowd.layer + 1, keys // size, keys % size, weights)

    def _count(self, crowd: Crowd) -> None:
        """Add up who reveals and takes how much, over all courses."""
        before = self.solved.piles.before
        while len(crowd.t):
            courses, taking = self._courses(crowd), np.arange(len(crowd.t))
            while len(taking):
                choice = self._choice(
                    crowd._replace(futures=crowd.futures[taking], t=crowd.t[taking])
                )
                taking, choice = taking[choice > 0], choice[choice > 0]
                t = crowd.t[taking]
                np.add.at(self.taken, self._seat(crowd.layer, t), courses[taking])
                crowd.t[taking] = before[t, choice - 1]
            np.add.at(self.reveals, self._seat(crowd.layer, crowd.t), courses)
            crowd = self._onward(crowd)

    def _most_likely(self, crowd: Crowd) -> Iterator[tuple[int, str, int, float]]:
        """Seat, action, worth of a ticket, probability, after the first action."""
        solved = self.solved
        total = solved.courses
        while len(crowd.t):
            courses = self._courses(crowd)
            over = total - int(courses.sum())
            choice = self._choice(crowd)
            cases = np.bincount(choice, courses, minlength=1).astype(np.int64)
            most = int(cases.argmax())
            if over > cases[most]:
                yield 0, "end", 0, over / total
                return
            probability, total = int(cases[most]) / total, int(cases[most])
            chosen = choice == most
            crowd = crowd._replace(
                futures=crowd.futures[chosen], t=crowd.t[chosen], weights=crowd.weights[chosen]
            )
            seat = int(self._seat(crowd.layer, crowd.t)[0])
            if most == 0:
                yield seat, ROLL, 0, probability
                crowd = self._onward(crowd)
                continue
            worth = solved.top(most - 1, int(crowd.t[0]))
            yield seat, f"ticket {solved.camels[most - 1]}", worth, probability
            crowd = crowd._replace(t=solved.piles.before[crowd.t, most - 1])
        yield 0, "end", 0, 1.0
