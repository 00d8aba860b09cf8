"""Best play: a leg solved exactly, by backward induction over its merged states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from camelodds.editions import Edition
from camelodds.errors import OptionError, Problem
from camelodds.game import Game
from camelodds.play_solving import Course, SolvedLeg, solve_leg
from camelodds.position import Position
from camelodds.results.play import OBJECTIVES, TIE, LegPlay, PlayOption, PlayStep, by_player
from camelodds.results.policy import ROLL

Tickets = Mapping[str, Sequence[int]]
Values = tuple[Fraction, ...]
MOST_PLAYERS = 8


def best_play(
    at: Position | Game,
    objective: str = "coins",
    *,
    players: int | Sequence[str] | None = None,
    tickets_left: Tickets | None = None,
) -> LegPlay:
    """Solve the present leg: what every action is worth if everybody then plays best.

    Players in turn order reveal a die (+1) or take the top ticket of a camel until the leg or
    the race is over; passing is not allowed.  This is the subgame-perfect equilibrium by
    backward induction, exact: of equally good actions revealing a die is chosen first, then
    the camels in the edition's order.  What players already hold does not matter, since
    payoffs are sums.  Tiles act as they lie; nobody places or moves one later; there are no
    overall bets later, no partnership, no floor.

    Parameters
    ----------
    at
        What to solve: a game, or a position with the next two arguments.
    objective
        ``"coins"``: everybody makes the own expected coins of this leg as many as can be;
        ``"lead"``: those minus the mean of the others'.  Values are coins either way.
    players
        For a position: how many there are (1 to 8; 4 if left out), or their names in turn
        order, the one to move first.
    tickets_left
        For a position, by camel: worth of the tickets left, top first; all of a camel that is
        left out.

    Returns
    -------
    LegPlay

    Raises
    ------
    OptionError
        If an argument cannot be used, or the leg is over.

    Examples
    --------
    >>> import camelodds as co
    >>> p = co.Position.parse("2:b 4:y 5:g 6:o 7:w dice=by", edition=co.FIRST)
    >>> left = {"b": [], "y": [], "g": [2], "o": [], "w": [2]}
    >>> play = co.best_play(p, players=2, tickets_left=left)
    >>> for option in play.options:
    ...     print(option.action, *map(str, option.fractions))
    ticket w 23/9 1
    roll 5/3 14/9
    ticket g 0 23/9
    """
    position, names, tickets = _read(at, objective, players, tickets_left)
    solved = solve_leg(position, tickets, len(names), objective)
    rows = _dice_and_tickets(solved)
    scores = [_score(row.values, objective) for row in rows]
    most = max(scores)
    # Sorting is stable: equally good ones stay in the order in which ties are broken.
    order = sorted(range(len(rows)), key=lambda i: -scores[i])
    ties = tuple(rows[i].action for i in order if most - scores[i] < TIE)
    best = rows[order[0]]
    course = Course(solved, best.action)
    return LegPlay(
        position=position,
        players=names,
        tickets_left=MappingProxyType(tickets),
        objective=objective,
        options=tuple(
            PlayOption(
                action=rows[i].action,
                values=by_player(names, rows[i].values),
                cost=float(most - scores[i]),
                plain=float(rows[i].plain),
                fractions=rows[i].values,
            )
            for i in order
        ),
        ties=ties if len(ties) > 1 else (),
        line=tuple(
            PlayStep(names[seat] if action != "end" else "", action, worth, probability)
            for seat, action, worth, probability in course.line
        ),
        turns=course.turns,
        reveals=by_player(names, course.reveals),
        taken=by_player(names, course.taken),
        policy=solved.policy(),
    )


class _Row(NamedTuple):
    """An action with the values of all seats and its plain value."""

    action: str
    values: Values
    plain: Fraction


def _score(values: Values, objective: str) -> Fraction:
    """What the player to move makes as large as can be."""
    if objective == "coins" or len(values) == 1:
        return values[0]
    others = values[1:]
    return values[0] - sum(others, Fraction()) / len(others)


def _dice_and_tickets(solved: SolvedLeg) -> list[_Row]:
    """In the order in which ties are broken."""
    rows = [_Row(ROLL, solved.exact(solved.roll), Fraction(1))]
    for pile, camel in enumerate(solved.camels):
        gain = solved.ticket_pays(pile)
        values = solved.passed_on(int(solved.piles.before[-1, pile]))
        values[0] += gain
        plain = Fraction(gain, solved.courses)
        rows.append(_Row(f"ticket {camel}", solved.exact(values), plain))
    return rows


def _read(
    at: object, objective: object, players: object, tickets_left: object
) -> tuple[Position, tuple[str, ...], dict[str, tuple[int, ...]]]:
    """Position, players in turn order, tickets left of every camel; everything checked."""
    faults: list[Problem] = []
    if isinstance(at, Game):
        position, tickets = at.position, dict(at.tickets_left)
        seat = at.players.index(at.to_move)
        names = at.players[seat:] + at.players[:seat]
        faults += [
            Problem(f"{name}={value!r:.40}", "a game has its own", tip="leave it out")
            for name, value in (("players", players), ("tickets_left", tickets_left))
            if value is not None
        ]
    elif isinstance(at, Position):
        position = at
        names = _read_players(4 if players is None else players, faults)
        tickets = _read_tickets(at.edition, {} if tickets_left is None else tickets_left, faults)
    else:
        tip = "make one with Game.start(...) or Position.parse(...)"
        raise OptionError(Problem(f"{at!r:.60}", "neither a Game nor a Position", tip=tip))
    if position.leg_over:
        what = "the race is over" if position.race_over else "the leg is over"
        faults.append(Problem(str(position), what, "F11" if position.race_over else "F8"))
    if objective not in OBJECTIVES:
        tip = f"use one of {', '.join(OBJECTIVES)}"
        faults.append(Problem(f"objective={objective!r:.40}", "no such objective", tip=tip))
    if faults:
        raise OptionError(faults)
    return position, names, tickets


def _read_players(players: object, faults: list[Problem]) -> tuple[str, ...]:
    if isinstance(players, (list, tuple)) and all(isinstance(name, str) for name in players):
        names = tuple(players)
    elif isinstance(players, (int, np.integer)) and not isinstance(players, bool):
        # Only as many names as can be right: the number may be anything.
        names = tuple(f"P{i + 1}" for i in range(min(int(players), MOST_PLAYERS + 1)))
    else:
        tip = "how many, or their names in turn order"
        faults.append(Problem(f"players={players!r:.40}", "no players", tip=tip))
        return ()
    if not 1 <= len(names) <= MOST_PLAYERS:
        what = f"not 1 to {MOST_PLAYERS} players"
        faults.append(Problem(f"players={players!r:.40}", what))
    if len(set(names)) < len(names) or "" in names:
        faults.append(Problem(f"players={players!r:.40}", "every player needs another name"))
    return names


def _read_tickets(
    edition: Edition, tickets_left: object, faults: list[Problem]
) -> dict[str, tuple[int, ...]]:
    if not isinstance(tickets_left, Mapping):
        tip = 'a mapping such as {"b": [3, 2]}'
        faults.append(Problem(f"tickets_left={tickets_left!r:.40}", "not a mapping", tip=tip))
        return {}
    every = edition.tickets
    found = dict.fromkeys(edition.racing, every)
    for camel, left in tickets_left.items():
        where = f"tickets_left {camel!r:.20}: {left!r:.40}"
        if camel not in found:
            tip = f"the racing camels are {', '.join(edition.racing)}"
            faults.append(Problem(where, "no racing camel", tip=tip))
        elif not isinstance(left, (list, tuple)) or tuple(left) not in {
            every[i:] for i in range(len(every) + 1)
        }:
            tip = f"what is left of {', '.join(map(str, every))}, top first"
            faults.append(Problem(where, "these tickets cannot be left", "F3", tip))
        else:
            found[camel] = tuple(map(int, left))
    return found
