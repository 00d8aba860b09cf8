"""The merged graph of the present leg, for all that is computed on it."""

from __future__ import annotations

from camelodds.kernels import graph
from camelodds.kernels.graph import LegGraph
from camelodds.position import Position


def leg_graph(position: Position) -> LegGraph:
    """The states that the present leg can come to, and what follows each of them.

    Parameters
    ----------
    position
        A position whose leg is not over.

    Returns
    -------
    LegGraph
        State 0 is the position.

    Examples
    --------
    >>> import camelodds as co
    >>> p = co.Position.parse("1:gyo 3:bw")
    >>> leg = leg_graph(p)
    >>> len(leg.states), int(leg.courses[0])
    (3607, 29160)
    >>> odds = leg.forward(len(p.edition.outcomes) + 36)
    >>> bool((odds[:120] == co.leg_odds(p).weights).all())
    True
    """
    edition, packed = position.edition, position.packed
    return graph.leg_graph(
        packed.stack,
        packed.plus,
        packed.minus,
        position.rules,
        position.bag(),
        edition.outcome_of_order,
        len(edition.outcomes),
    )
