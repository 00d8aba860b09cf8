"""Odds of the present leg."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from types import MappingProxyType

import numpy as np

from camelodds.editions import Edition, IntArray
from camelodds.errors import OptionError, Problem, not_one_of, refuse
from camelodds.kernels.bag import Graph
from camelodds.kernels.decks import sample_deck
from camelodds.kernels.legs import (
    FENNEC_GONE,
    FULL_SLOTS,
    RACE_ENDS,
    SHORTCUT_GONE,
    STATES,
    exact_leg,
    leg_ends,
)
from camelodds.kernels.rng import Words
from camelodds.kernels.sampling import N_COUNTS, ROWS, SQUARES, sample_dice
from camelodds.kernels.stacks import SHIFT
from camelodds.odds.sampling import (
    Chunk,
    Plan,
    Progress,
    not_sampled,
    read_plan,
    run_chunks,
)
from camelodds.position import Position
from camelodds.results.errors import binomial_error
from camelodds.results.leg import LegOdds

POOL, SLOTS = 16_384, 2_048
"""Room for merged states and slots of the hash table that is enough for nearly every leg of
the pyramid games; a leg that needs more is tried again with twice as much."""

ENDS_POOL, ENDS_SLOTS = 4 * POOL, 8 * SLOTS
"""The same where the states at the end of the leg are kept, with the crazy camels in them."""

STATES_OF_NODE = 200
"""As many states each content of a bag brings, nearly always fewer."""

MOST_STATES = 8_000_000
"""Merged states that an exact answer may take: 16 bytes each."""

METHODS = ("auto", "exact", "sample")


def leg_odds(
    position: Position,
    method: str = "auto",
    *,
    n: int | None = None,
    seed: int | None = None,
    until: float | None = None,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    states: int = MOST_STATES,
) -> LegOdds:
    """Odds of the present leg, the tiles that lie there in force.

    Parameters
    ----------
    position
        What to ask about.
    method
        ``"exact"`` enumerates all that the dice can still do; ``"auto"`` takes the best that
        there is: exact, but for a racing deck that takes more than `states`; ``"sample"``
        plays random courses.
    n
        Number of samples; a million if neither this nor `until` is given.  What says how to
        sample changes nothing where ``"auto"`` is exact.
    seed
        The same seed gives the same numbers, whatever the number of threads or workers; one
        is drawn if left out, and the result tells it.
    until
        Instead of `n`: sample until no probability has a greater standard error.
    executor
        Who takes the chunks of samples: any `concurrent.futures.Executor`; threads of this
        process if left out.
    progress
        A function that is called with samples done and samples in all; True for a bar, False
        for none.  If left out, a bar is shown in a terminal or notebook after a second.
    states
        Budget of an exact answer: how many merged states it may take, of 16 bytes.  Legs of
        the pyramid games stay far below.

    Returns
    -------
    LegOdds
        Of a finished race or leg: its outcome with certainty, whatever the method.

    Raises
    ------
    OptionError
        If an argument cannot be used, or an exact answer that was asked for takes more than
        the budget, or its weights do not fit into 63 bits.

    Examples
    --------
    >>> import camelodds as co
    >>> leg = co.leg_odds(co.Position.parse("1:gyo 3:bw", edition="first"))
    >>> leg.total, leg.ticket_fraction("w", 5)
    (29160, Fraction(4373, 2916))
    >>> rough = co.leg_odds(leg.position, method="sample", n=10_000, seed=1)
    >>> low, high = rough.interval("w", place=1, confidence=0.999)
    >>> low < leg.first["w"] < high
    True
    """
    given = {"n": n, "seed": seed, "until": until, "executor": executor, "progress": progress}
    plan, faults = read_plan(**given)
    faults = check(position, method, METHODS) + faults
    if method == "exact":
        faults += not_sampled(given, method)
    if not isinstance(states, int) or isinstance(states, bool) or states < 1:
        faults.append(Problem(f"states={states!r:.40}", "not a number of states"))
    refuse(faults)
    if position.leg_over:
        return _certain(position)
    if method == "sample" and plan is not None:
        return _sampled(position, plan)
    exact = exact_leg_odds(position, states)
    if isinstance(exact, LegOdds):
        return exact
    if method == "exact" or plan is None:
        raise OptionError(exact)
    return _sampled(position, plan)


def _certain(position: Position) -> LegOdds:
    """The odds of a leg that is over."""
    edition = position.edition
    weights = np.zeros(len(edition.outcomes), dtype=np.int64)
    weights[edition.outcome_index[position.outcome]] = 1
    return _odds(position, weights, 1, np.zeros(N_COUNTS, dtype=np.int64), position.race_over)


def _odds(
    position: Position,
    weights: IntArray,
    total: int,
    counts: IntArray,
    race_ends: int,
    method: str = "exact",
    seed: int | None = None,
) -> LegOdds:
    """The result, from what the kernels count beside the outcomes."""
    tiles, squares = position.tiles, {}
    landed: dict[int, int] = {}
    gone: dict[int, int] = {}
    if position.edition.by_cards:
        count_of = {1: SHORTCUT_GONE, -1: FENNEC_GONE}
        gone = {space: int(counts[count_of[tile.sign]]) for space, tile in tiles.items()}
    elif tiles:
        units = counts.tolist()
        landed = {space: units[space + SHIFT] for space in tiles}
        if seed is not None:
            squares = {space: units[SQUARES + space + SHIFT] for space in tiles}
    return LegOdds(
        position,
        weights,
        total,
        MappingProxyType(landed),
        int(race_ends),
        method,
        seed,
        MappingProxyType(squares),
        MappingProxyType(gone),
    )


def exact_leg_odds(position: Position, states: int) -> LegOdds | Problem:
    """The exact odds, or why there are none."""
    deck, n_outcomes = position.deck, len(position.edition.outcomes)
    what = f"takes more than {states:,} states"
    too_many = Problem(str(position), what, tip='give more states=, or method="sample"')
    if deck is not None and deck.n_contents() > states:
        return too_many
    try:
        graph = position.bag()
    except OptionError as error:
        return error.problems[0]
    packed = position.packed
    pool, slots = first_room(len(graph.nodes), states)
    while True:
        result = exact_leg(
            packed.stack,
            packed.plus,
            packed.minus,
            position.rules,
            graph.nodes,
            graph.inner,
            graph.last,
            position.edition.outcome_of_order,
            n_outcomes,
            pool,
            slots,
            None if position.deck is None else 1,
        )
        counts = result[n_outcomes:]
        if counts[STATES] >= 0:
            break
        if counts[STATES] == FULL_SLOTS:
            slots *= 2
        elif pool < states:
            pool = min(2 * pool, states)
        else:
            return too_many
    return _odds(position, result[:n_outcomes], graph.total, counts, counts[RACE_ENDS])


def first_room(nodes: int, states: int) -> tuple[int, int]:
    """Room to begin with for the merged states and the slots of the hash table.

    Memory that is not used costs nothing, so a large racing deck gets all that it may use.

    Parameters
    ----------
    nodes
        How many contents the bag can come to.
    states
        The budget.
    """
    if STATES_OF_NODE * nodes <= POOL:
        return min(POOL, states), SLOTS
    return min(STATES_OF_NODE * nodes, states), 8 * SLOTS


def ends_of_leg(
    edition: Edition, graph: Graph, stack: int, plus: int, minus: int
) -> tuple[IntArray, IntArray, IntArray]:
    """What `leg_ends` gives, with as much room as it takes.

    Parameters
    ----------
    edition
        One with dice.
    graph
        What is left of the leg, with its ends kept.
    stack, plus, minus
        See `camelodds.position.Packed`.
    """
    n_outcomes = len(edition.outcomes)
    pool, slots = ENDS_POOL, ENDS_SLOTS
    while True:
        found: tuple[IntArray, IntArray, IntArray] = leg_ends(
            stack,
            plus,
            minus,
            edition.rules,
            graph.nodes,
            graph.inner,
            graph.last,
            edition.outcome_of_order,
            n_outcomes,
            pool,
            slots,
            graph.ends,
        )
        if found[0][n_outcomes + STATES] >= 0:
            return found
        pool, slots = 2 * pool, 2 * slots


def _sampled(position: Position, plan: Plan) -> LegOdds:
    edition = position.edition
    n_outcomes = len(edition.outcomes)

    def error(tally: IntArray, n: int) -> float:
        places, ends = edition.at_place @ tally[:n_outcomes], tally[n_outcomes + RACE_ENDS]
        return float(binomial_error(np.append(places.ravel(), ends) / n, n).max())

    chunk, size = leg_chunk(position), n_outcomes + N_COUNTS
    sample = run_chunks(chunk, plan, size=size, streams=ROWS, error=error)
    weights, counts = sample.counts[:n_outcomes], sample.counts[n_outcomes:]
    ends = counts[RACE_ENDS]
    return _odds(position, weights, sample.n, counts, ends, "sampled", sample.seed)


def leg_chunk(position: Position) -> Chunk:
    """What plays one chunk of samples of the present leg."""
    edition, packed = position.edition, position.packed
    track = (packed.stack, packed.plus, packed.minus, position.rules)
    if position.deck is None:
        dice = edition.bag_of_dice(position.dice)
        return partial(dice_leg, *track, dice, len(position.dice), edition.staying)
    content, deck = position.deck.packed(edition)
    outcomes, n_outcomes = edition.outcome_of_order, len(edition.outcomes)
    return partial(deck_leg, *track, content, deck, len(edition.crazy), outcomes, n_outcomes)


def dice_leg(
    stack: int,
    plus: int,
    minus: int,
    rules: IntArray,
    dice: int,
    left: int,
    last: int,
    words: Words,
    n: int,
) -> IntArray:
    """Counts of one chunk, see `sample_dice`; a function of its own so that it can be pickled."""
    ends = np.empty(0, dtype=np.int64)
    counts: IntArray = sample_dice(stack, plus, minus, rules, dice, left, last, n, words, ends)
    return counts


def deck_leg(
    stack: int,
    plus: int,
    minus: int,
    rules: IntArray,
    content: IntArray,
    deck: IntArray,
    crazy: int,
    outcomes: IntArray,
    n_outcomes: int,
    words: Words,
    n: int,
) -> IntArray:
    """Counts of one chunk, see `sample_deck`."""
    counts: IntArray = sample_deck(
        stack, plus, minus, rules, content, deck, crazy, outcomes, n_outcomes, n, words
    )
    return counts


def check(position: object, method: object, methods: Sequence[str]) -> list[Problem]:
    """Faults of the first arguments of `leg_odds` and `race_odds`."""
    faults = []
    if not isinstance(position, Position):
        tip = "make one with Position.parse(...)"
        faults.append(Problem(f"{position!r:.60}", "not a Position", tip=tip))
    return faults + not_one_of("method", method, methods)
