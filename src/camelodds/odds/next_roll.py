"""What the next roll changes."""

from __future__ import annotations

from fractions import Fraction

from camelodds.editions import GREY_DIE
from camelodds.errors import Problem, refuse
from camelodds.odds.legs import check, leg_odds
from camelodds.position import Position
from camelodds.results.next_roll import NextRoll, RollOdds

FACES = (1, 2, 3)


def by_next_roll(position: Position) -> NextRoll:
    """The odds of the leg after each face of each die that can come next, exactly.

    Their mean is the present odds: a fair die changes no expectation.

    Parameters
    ----------
    position
        A position of a game with dice.

    Returns
    -------
    NextRoll
        Three rows for each die in the pyramid, six for the grey one.

    Raises
    ------
    OptionError
        If nothing is rolled next: the leg or the race is over, or there is a deck.

    Examples
    --------
    >>> import camelodds as co
    >>> table = co.by_next_roll(co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", "first"))
    >>> len(table), round(table["w1"].leg.first["w"], 4)
    (15, 0.2685)
    """
    faults = check(position, "exact", ("exact",))
    if not faults and (position.leg_over or not position.edition.dice):
        what = "no die is rolled next"
        rule = "F11" if position.race_over else "F8"
        faults.append(Problem(str(position), what, rule, "ask about a leg of dice that goes on"))
    refuse(faults)
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
