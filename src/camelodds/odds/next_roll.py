"""What the next roll changes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from camelodds.deck import Deck
from camelodds.editions import GREY_DIE
from camelodds.errors import Problem, refuse
from camelodds.odds.legs import check, leg_odds
from camelodds.position import Move, Position
from camelodds.results.leg import LegOdds
from camelodds.results.next_roll import NextRoll, RollOdds

FACES = (1, 2, 3)


def by_next_roll(position: Position) -> NextRoll:
    """The odds of the leg after each face of each die, or each card, that can come next, exactly.

    Their mean is the present odds: a fair die or deck changes no expectation.

    Parameters
    ----------
    position
        What to ask about.

    Returns
    -------
    NextRoll
        Three rows for each die in the pyramid, six for the grey one; in the Card Game one for
        each card that can lie on top.

    Raises
    ------
    OptionError
        If nothing comes next: the leg or the race is over; or if the odds of a deck are too
        many to be exact.

    Examples
    --------
    >>> import camelodds as co
    >>> table = co.by_next_roll(co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", "first"))
    >>> len(table), round(table["w1"].leg.first["w"], 4)
    (15, 0.2685)
    """
    faults = check(position, "exact", ("exact",))
    if not faults and position.leg_over:
        what = "nothing is rolled or revealed next"
        rule = "F11" if position.race_over else "F8"
        faults.append(Problem(str(position), what, rule, "ask about a leg that goes on"))
    refuse(faults)
    if position.deck is not None:
        return _by_next_card(position, position.deck)
    edition = position.edition
    rolls = []
    for die in position.dice:
        colours = edition.crazy if die == GREY_DIE else die
        chance = Fraction(1, len(position.dice) * len(colours) * len(FACES))
        for colour in colours:
            for face in FACES:
                move = position.move(f"{colour}{face}")
                rolls.append(RollOdds(move.event, chance, move.camel, leg_odds(move.after)))
    return NextRoll(position, leg_odds(position), tuple(rolls))


def _by_next_card(position: Position, deck: Deck) -> NextRoll:
    parts: dict[str, list[tuple[int, Move, LegOdds]]] = {}
    for card, weight, rest in deck.draws(position.edition.crazy):
        move = position.moved(card[0], int(card[1:]), deck=rest)
        # A leg that is over stands for all its continuations.
        leg = leg_odds(move.after, "exact")
        times = weight * (rest.total // leg.total)
        parts.setdefault(card, []).append((times, move, leg))
    rolls = []
    for card, cases in parts.items():
        # A known card and one like it from the pool look the same: their odds together.
        _, move, first = cases[0]
        total = sum(times * leg.total for times, _, leg in cases)
        leg = replace(
            first,
            weights=sum((times * leg.weights for times, _, leg in cases), 0 * first.weights),
            total=total,
            race_end_weight=sum(times * leg.race_end_weight for times, _, leg in cases),
            gone_weights=MappingProxyType(
                {
                    space: sum(times * leg.gone_weights[space] for times, _, leg in cases)
                    for space in first.gone_weights
                }
            ),
        )
        rolls.append(RollOdds(card, Fraction(total, deck.total), move.camel, leg))
    return NextRoll(position, leg_odds(position, "exact"), tuple(rolls))
