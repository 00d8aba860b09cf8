"""Best play: a leg solved exactly, by backward induction over its merged states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from camelodds.actions import PILES, read_event
from camelodds.editions import Edition
from camelodds.errors import OptionError, Problem, not_one_of, refuse
from camelodds.game import Game
from camelodds.odds.legs import leg_odds
from camelodds.play_solving import Course, SolvedLeg, solve_leg
from camelodds.position import Position
from camelodds.results.actions import ActionValues
from camelodds.results.play import OBJECTIVES, TIE, LegPlay, PlayOption, PlayStep, by_player
from camelodds.results.policy import ROLL
from camelodds.values import action_values

Tickets = Mapping[str, Sequence[int]]
Values = tuple[Fraction | float, ...]
MOST_PLAYERS = 8


def best_play(
    at: Position | Game,
    objective: str = "coins",
    *,
    players: int | Sequence[str] | None = None,
    tickets_left: Tickets | None = None,
    tiles: int | str = 0,
    bets: bool = True,
    belief: object = "odds",
    method: str = "auto",
    n: int | None = None,
    seed: int | None = None,
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
    tiles
        For a game: how many placements of the own tile to solve too, those with the best plain
        values, or ``"all"``.  Each is a leg of its own, and takes as long.
    bets
        For a game: whether overall bets are among the actions.
    belief, method, n, seed
        How overall bets are valued, see `camelodds.action_values`.

    Returns
    -------
    LegPlay
        For a game, an overall bet is worth its plain value, and a tile its expected landings;
        to either comes best play with the turn gone, in the case of the tile on the changed
        track.

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
    position, names, tickets = _read(at, objective, players, tickets_left, tiles)
    solved = solve_leg(position, tickets, len(names), objective)
    rows, plain = _dice_and_tickets(solved), None
    if isinstance(at, Game) and (bets or tiles):
        given = {"belief": belief, "method": method, "n": n, "seed": seed}
        plain = _plain_values(at, tiles, bets, given)
        rows += _bets_and_tiles(at, solved, plain, tiles)
    scores = [_score(row.values, objective) for row in rows]
    most = max(scores)
    # Sorting is stable: equally good ones stay in the order in which ties are broken.
    order = sorted(range(len(rows)), key=lambda i: max(most - scores[i], TIE))
    ties = tuple(rows[i].action for i in order if most - scores[i] < TIE)
    best = rows[order[0]]
    if best.placed is not None:
        course = Course(solve_leg(best.placed, tickets, len(names), objective), best.action)
    else:
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
                fractions=_exact(rows[i].values),
                standard_error=rows[i].error,
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
        race_method=None if plain is None else plain.race_method,
        samples=None if plain is None else plain.samples,
        seed=None if plain is None else plain.seed,
    )


class _Row(NamedTuple):
    """An action with the values of all seats and its plain value."""

    action: str
    values: Values
    plain: Fraction | float
    error: float | None = None
    placed: Position | None = None
    """The track afterwards, where the action changes it."""


def _score(values: Values, objective: str) -> Fraction | float:
    """What the player to move makes as large as can be."""
    if objective == "coins" or len(values) == 1:
        return values[0]
    others = values[1:]
    return values[0] - sum(others) / len(others)


def _exact(values: Values) -> tuple[Fraction, ...]:
    """Values as fractions; nothing if one of them is none."""
    exact = tuple(value for value in values if isinstance(value, Fraction))
    return exact if len(exact) == len(values) else ()


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


def _plain_values(game: Game, tiles: int | str, bets: bool, given: dict[str, Any]) -> ActionValues:
    """The plain values of overall bets and of placements, as far as they are asked for."""
    without = ["roll", "ticket", "partner"]
    without += [] if bets else list(PILES)
    without += [] if tiles else ["tile"]
    # There is no floor here, so nobody's coins matter.
    unfloored = game._with(coins=dict.fromkeys(game.players))
    return action_values(unfloored, without=without, **given)


def _bets_and_tiles(
    game: Game, solved: SolvedLeg, plain: ActionValues, tiles: int | str
) -> list[_Row]:
    """Overall bets, and those placements of the own tile that are asked for."""
    passed_on = solved.exact(solved.passed_on(solved.full))
    rows = [
        _Row(
            bet.action,
            (bet.value + float(passed_on[0]), *passed_on[1:]),
            bet.value,
            bet.standard_error,
        )
        for bet in plain.rows
        if bet.kind in PILES
    ]
    placements = [row for row in plain.rows if row.kind == "tile"]
    for row in placements if tiles == "all" else placements[: int(tiles)]:
        event = read_event(row.action, game.edition)
        placed = game.placed(event.number, event.sign)
        after = solve_leg(placed, solved.tickets, solved.n_players, solved.objective)
        own, *others = after.exact(after.passed_on(after.full))
        landings = leg_odds(placed).landing_fraction(event.number)
        rows.append(_Row(row.action, (own + landings, *others), row.value, None, placed))
    return rows


def _read(
    at: object, objective: object, players: object, tickets_left: object, tiles: object
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
    if position.edition.by_cards:
        what = "best play is not supported: a turn is a track action and a bet"
        raise OptionError(Problem(position.edition.title, what, "C5"))
    if position.leg_over:
        what = "the race is over" if position.race_over else "the leg is over"
        faults.append(Problem(str(position), what, "F11" if position.race_over else "F8"))
    counted = isinstance(tiles, int) and not isinstance(tiles, bool) and tiles >= 0
    if not counted and not (isinstance(tiles, str) and tiles == "all"):
        tip = 'how many placements, or "all"'
        faults.append(Problem(f"tiles={tiles!r:.40}", "not a number of placements", tip=tip))
    elif tiles and at is position:
        tip = "make a game of it with Game(position)"
        faults.append(Problem(f"tiles={tiles}", "nobody owns a tile in a position", tip=tip))
    faults += not_one_of("objective", objective, OBJECTIVES)
    refuse(faults)
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
        elif not isinstance(left, (list, tuple)) or tuple(left) not in [
            every[i:] for i in range(len(every) + 1)
        ]:
            tip = f"what is left of {', '.join(map(str, every))}, top first"
            faults.append(Problem(where, "these tickets cannot be left", "F3", tip))
        else:
            found[camel] = tuple(map(int, left))
    return found
