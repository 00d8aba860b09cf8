"""A slow, literal reference for the two pyramid games, written from the rules page.

It shares no code with the package and never imports it. It is meant to be read next to
the rules: stacks are strings from bottom to top, every course of the dice is played out
one by one, nothing is merged. Comments cite the ids of the rules.

``fault=`` switches on one near miss (``FAULTS``): a mistake that is easily made, or the
other reading of a point that the printed rules leave open. The tests prove that each one
changes the counts of some golden position. The Card Game is in ``naive_cards``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

RACING = {"first": "bygow", "second": "bygrp"}
CRAZY = "WK"  # white and black, second edition only
GREY = "*"
LAST_SPACE = 16  # F1: the line is after it

#: name of the fault -> what it does wrong, with the id of the rule it breaks
FAULTS = {
    # all games
    "mirage_on_top": "M3: a -1 tile puts the unit on top",
    "mirage_flips_unit": "M3: a -1 tile turns the unit upside down",
    "mirage_home_ignored": "M4: a -1 tile back to the own space leaves the stack as it was",
    "early_end_counted_once": "F11: a course that ends the race early weighs 1",
    "rolls_on_after_line": "F11: dice or cards go on moving camels after the race is over",
    # both pyramid games
    "stops_at_passed_tile": "M2: a tile on the way stops the unit and acts",
    "coins_per_camel": "M3: the tile pays for every camel of the unit",
    "finish_at_16": "F1: standing on 16 ends the race",
    "tile_16_idle": "F6: a tile on 16 pays but moves nobody",
    "tiles_beyond_line_act": "F12, other reading: a unit over the line meets tile 1-3 again",
    # second edition
    "sixth_die_rolled": "S1: the leg ends with the sixth die",
    "grey_double_weight": "S1: each of the six grey faces weighs as much as a racing face",
    "crazy_slides_under": "S3: a crazy camel lands underneath",
    "on_top_means_same_stack": "S4a: the upper crazy camel moves whenever they share a stack",
    "no_carrier_rule": "S4b: forgotten; the colour rolled moves",
    "colour_always_moves": "S4: forgotten; the colour rolled moves",
    "tile_sign_not_reversed_for_crazy": "S5, C7: tiles push a crazy camel as a racing one",
    "crazy_pays_nothing": "S5: a crazy camel on a tile pays nobody",
    "crazy_stops_at_1": "S6: a crazy camel stops at space 1",
    "crazy_wraps_to_16": "S6: a crazy camel goes from space 1 to space 16",
    "reverse_riders_keep_place": "S6, other reading: riders taken back over the line keep "
    "their place",
    "reverse_tiles_act": "S6, other reading: tiles 14-16 act on a camel that goes back over "
    "the line",
    # the Card Game
    "start_stack_carries": "C3: camels before the banner stand in a stack",
    "merged_counts_two": "C4, other reading: a flipped card still counts as two spaces",
    "markers_never_go_home": "C6: a marker that all have passed stays",
    "home_ignores_start": "C6: camels before the banner are forgotten when markers go home",
    "marker_stays": "C6: a marker stays after it acted",
    "no_chain": "C7, other reading: the second marker does not act",
    "fennec_on_1_idle": "C7: the fennec on 1 leaves a racing camel there",
    "marker_on_1_idle_for_crazy": "C7: a marker on 1 leaves a crazy camel that is stopped there",
    "zero_card_moves_nothing": "C8: the crazy card 0 never moves",
    "no_extra_step": "C8: a crazy camel that carries moves no further",
    "always_extra_step": "C8: a crazy camel that carries nobody moves one further too",
    "crazy_stops_before_banner": "C8, other reading: the crazy camel stops before the banner",
    "crazy_reverse_finish": "C8: a crazy camel below space 1 ends the race",
    "finish_one_early": "C12: reaching the last space ends the race",
    "finish_one_late": "C12: reaching the finish is not enough, it must be passed",
    "start_ranked": "C13: camels before the banner are ranked as they are listed",
    "drawn_with_replacement": "C14: the same card can come twice",
}

_ALL = ("first", "second", "cards")
_PYRAMID = ("first", "second")
#: name of the fault -> the editions in which it makes sense
EDITIONS_OF_FAULT: dict[str, tuple[str, ...]] = {
    "mirage_on_top": _ALL,
    "mirage_flips_unit": _ALL,
    "mirage_home_ignored": _ALL,
    "early_end_counted_once": _ALL,
    "rolls_on_after_line": _ALL,
    "stops_at_passed_tile": _PYRAMID,
    "coins_per_camel": _PYRAMID,
    "finish_at_16": _PYRAMID,
    "tile_16_idle": _PYRAMID,
    "tiles_beyond_line_act": _PYRAMID,
    "sixth_die_rolled": ("second",),
    "grey_double_weight": ("second",),
    "crazy_slides_under": ("second", "cards"),
    "on_top_means_same_stack": ("second",),
    "no_carrier_rule": ("second",),
    "colour_always_moves": ("second",),
    "tile_sign_not_reversed_for_crazy": ("second", "cards"),
    "crazy_pays_nothing": ("second",),
    "crazy_stops_at_1": ("second",),
    "crazy_wraps_to_16": ("second",),
    "reverse_riders_keep_place": ("second",),
    "reverse_tiles_act": ("second",),
    "start_stack_carries": ("cards",),
    "merged_counts_two": ("cards",),
    "markers_never_go_home": ("cards",),
    "home_ignores_start": ("cards",),
    "marker_stays": ("cards",),
    "no_chain": ("cards",),
    "fennec_on_1_idle": ("cards",),
    "marker_on_1_idle_for_crazy": ("cards",),
    "zero_card_moves_nothing": ("cards",),
    "no_extra_step": ("cards",),
    "always_extra_step": ("cards",),
    "crazy_stops_before_banner": ("cards",),
    "crazy_reverse_finish": ("cards",),
    "finish_one_early": ("cards",),
    "finish_one_late": ("cards",),
    "start_ranked": ("cards",),
    "drawn_with_replacement": ("cards",),
}


def check_fault(fault: str | None, edition: str) -> None:
    """Refuse a fault that this edition does not know, lest a misspelt one pass unseen."""
    if fault is not None and edition not in EDITIONS_OF_FAULT[fault]:
        raise ValueError(f"the fault {fault!r} makes no sense for {edition!r}")


@dataclass(frozen=True)
class Position:
    """A position of a pyramid game."""

    edition: str  # "first" or "second"
    stacks: Mapping[int, str]  # space -> camels from bottom to top, {3: "ob"}
    tiles: Mapping[int, int]  # space -> +1 or -1
    dice: str  # still in the pyramid; "*" is the grey die


@dataclass(frozen=True)
class Moved:
    """What one die did."""

    position: Position  # after the move, the die out of the pyramid
    camel: str  # the camel that moved, with all above it
    tile: int | None  # the tile whose owner is paid
    race_over: bool


@dataclass(frozen=True)
class Leg:
    """Whole-number weights of the rest of the leg; a probability is weight / total."""

    weights: dict[str, int]  # ranking, leader first -> weight, if any
    total: int
    landings: dict[int, int]  # tile -> weight of the units that end on it
    race_ends: int


def parse(text: str, edition: str) -> Position:
    """Read ``3:ob 4:g 6:yw 5- 8+@P1 dice=ob``; owners of tiles are ignored."""
    stacks: dict[int, str] = {}
    tiles: dict[int, int] = {}
    dice = RACING[edition] + (GREY if edition == "second" else "")
    for token in text.split():
        if token.startswith("dice="):
            dice = token.removeprefix("dice=")
        elif ":" in token:
            space, camels = token.split(":")
            stacks[int(space)] = camels
        else:
            tile = token.split("@")[0]
            tiles[int(tile[:-1])] = {"+": 1, "-": -1}[tile[-1]]
    return Position(edition, stacks, tiles, dice)


def ranking(position: Position) -> str:
    """The racing camels, leader first."""
    # M5: farther is ahead, on one space higher is ahead, crazy camels are left out.
    # S6: a space below 1 is behind all others.
    return "".join(
        camel
        for space in sorted(position.stacks, reverse=True)
        for camel in reversed(position.stacks[space])
        if camel not in CRAZY
    )


def finished(position: Position) -> bool:
    """Is a unit beyond a line (F11, S6, S7)?"""
    return any(space > LAST_SPACE or space < 1 for space in position.stacks)


def moving_camel(position: Position, die: str, fault: str | None = None) -> str:
    """The camel that a face moves: a racing die its own, the grey die by S4."""
    if die not in CRAZY or fault == "colour_always_moves":
        return die
    stacks = position.stacks.values()
    # S4a: if one stands directly on the other, the upper one.
    for stack in stacks:
        if "WK" in stack:
            return "K"
        if "KW" in stack:
            return "W"
        if fault == "on_top_means_same_stack" and "W" in stack and "K" in stack:
            return "K" if stack.index("K") > stack.index("W") else "W"
    # S4b: else if exactly one of them has a racing camel anywhere above it, that one.
    carriers = [
        crazy
        for crazy in CRAZY
        for stack in stacks
        if crazy in stack and any(above not in CRAZY for above in stack[stack.index(crazy) :])
    ]
    if len(carriers) == 1 and fault != "no_carrier_rule":
        return carriers[0]
    return die  # S4c: else the colour rolled


def move(position: Position, die: str, steps: int, fault: str | None = None) -> Moved:
    """Roll ``die`` (a racing camel, or the colour W or K of the grey face)."""
    camel = moving_camel(position, die, fault)
    direction = -1 if camel in CRAZY else 1  # S3

    # M1: the camel goes with everything above it, what is below stays.
    source = next(space for space, stack in position.stacks.items() if camel in stack)
    height = position.stacks[source].index(camel)
    stays, unit = position.stacks[source][:height], position.stacks[source][height:]

    target = source + direction * steps
    if fault == "stops_at_passed_tile":
        for space in range(source + direction, target, direction):
            if space in position.tiles:
                target = space
                break
    if fault == "crazy_stops_at_1" and camel in CRAZY:
        target = max(target, 1)
    if fault == "crazy_wraps_to_16" and target < 1:
        target += LAST_SPACE
    underneath = fault == "crazy_slides_under" and camel in CRAZY

    # M2: only the space where the move ends counts. F12, S6: no tile beyond a line.
    tile = target
    if fault == "tiles_beyond_line_act" and target > LAST_SPACE:
        tile -= LAST_SPACE
    if fault == "reverse_tiles_act" and target < 1:
        tile += LAST_SPACE
    met = tile in position.tiles
    if met and not (fault == "tile_16_idle" and tile == LAST_SPACE):
        sign = position.tiles[tile]
        # M3, S5: a +1 tile moves the unit one further in its own direction, on top, a -1
        # tile one back against it, underneath.
        if fault == "tile_sign_not_reversed_for_crazy":
            target += sign
        else:
            target += sign * direction
        if sign < 0:
            # M4: where the unit came from, those who stayed are the resident stack.
            underneath = fault != "mirage_on_top"
            if fault == "mirage_home_ignored" and target == source:
                underneath = False
            if fault == "mirage_flips_unit":
                unit = unit[::-1]

    stacks = dict(position.stacks)
    stacks[source] = stays
    resident = stacks.get(target, "")
    stacks[target] = unit + resident if underneath else resident + unit
    if not stacks[source]:
        del stacks[source]

    # F6: the line is checked after the tile. F11, S6, S7: crossing it ends the race.
    last_space = LAST_SPACE - 1 if fault == "finish_at_16" else LAST_SPACE
    race_over = target > last_space or target < 1
    dice = position.dice.replace(GREY if die in CRAZY else die, "")
    after = Position(position.edition, stacks, position.tiles, dice)
    return Moved(after, camel, tile if met else None, race_over)


def faces(die: str) -> list[tuple[str, int]]:
    """The faces of a die: the camel or colour it names, and the number."""
    if die == GREY:
        return [(colour, steps) for colour in CRAZY for steps in (1, 2, 3)]  # S1
    return [(die, steps) for steps in (1, 2, 3)]  # F3


def leg_over(position: Position, fault: str | None = None) -> bool:
    """Are there no more dice to come in this leg?"""
    # F8: the first edition rolls all dice. S1: one of the six stays inside.
    stay_inside = 1 if position.edition == "second" and fault != "sixth_die_rolled" else 0
    return len(position.dice) <= stay_inside


def weight_of_rest(position: Position, fault: str | None = None) -> int:
    """The weight of all courses of the dice that are still to come.

    With n dice left: first edition n! 3^n; second edition n! 3^(n-2) 6 with the grey die
    among them, n! 3^(n-1) without it.
    """
    if leg_over(position, fault):
        # S1: equally likely courses would have three grey faces of weight 2; six of weight
        # 1 are the same if a course without a grey roll weighs 2.
        return 2 if GREY in position.dice and fault != "grey_double_weight" else 1
    weight = 0
    for die in position.dice:
        rest = Position(
            position.edition, position.stacks, position.tiles, position.dice.replace(die, "")
        )
        weight += len(faces(die)) * weight_of_rest(rest, fault)
    return weight


@dataclass(frozen=True)
class Course:
    """One way in which the rest of a leg can go."""

    end: Position
    weight: int
    outcome: str
    landed: tuple[int, ...]  # tiles, one entry per coin
    race_over: bool


def courses(
    position: Position,
    fault: str | None = None,
    landed: tuple[int, ...] = (),
    race_over: bool = False,
) -> Iterator[Course]:
    """Every course of the dice from here on."""
    if leg_over(position, fault):
        weight = weight_of_rest(position, fault)
        yield Course(position, weight, ranking(position), landed, race_over)
        return
    for die in position.dice:  # F3, S1: uniform over the dice inside, and over the faces
        for name, steps in faces(die):
            moved = move(position, name, steps, fault)
            after = moved.position
            coins = landed + coins_paid(position, moved, fault)
            if moved.race_over and fault != "rolls_on_after_line":
                # F11: no camel moves afterwards; the course stands for all that could
                # have followed.
                weight = weight_of_rest(after, fault)
                if fault == "early_end_counted_once":
                    weight = 1
                outcome = ranking(after)
                if fault == "reverse_riders_keep_place" and min(after.stacks) < 1:
                    outcome = ranking(position)
                yield Course(after, weight, outcome, coins, True)
            else:
                yield from courses(after, fault, coins, race_over or moved.race_over)


def coins_paid(before: Position, moved: Moved, fault: str | None = None) -> tuple[int, ...]:
    """M3: the tile on which the unit ends, once for the unit's one coin."""
    if moved.tile is None or (fault == "crazy_pays_nothing" and moved.camel in CRAZY):
        return ()
    if fault == "coins_per_camel":
        stack = next(stack for stack in before.stacks.values() if moved.camel in stack)
        return (moved.tile,) * (len(stack) - stack.index(moved.camel))
    return (moved.tile,)


def all_courses(position: Position, fault: str | None = None) -> Iterator[Course]:
    """The courses of a leg; a leg or race that is over has one, of weight 1."""
    check_fault(fault, position.edition)
    if finished(position) or leg_over(position, fault):
        yield Course(position, 1, ranking(position), (), finished(position))
    else:
        yield from courses(position, fault)


def leg(position: Position, fault: str | None = None) -> Leg:
    """The weight of every outcome of the leg."""
    weights: dict[str, int] = {}
    landings = dict.fromkeys(sorted(position.tiles), 0)
    race_ends = 0
    for course in all_courses(position, fault):
        weights[course.outcome] = weights.get(course.outcome, 0) + course.weight
        for tile in course.landed:
            landings[tile] += course.weight
        if course.race_over:
            race_ends += course.weight
    return Leg(dict(sorted(weights.items())), sum(weights.values()), landings, race_ends)


def leg_end_states(position: Position, fault: str | None = None) -> dict[str, int]:
    """The stacks at the end of the leg, or of the race, as text -> weight."""
    weights: dict[str, int] = {}
    for course in all_courses(position, fault):
        text = stacks_text(course.end)
        weights[text] = weights.get(text, 0) + course.weight
    return dict(sorted(weights.items()))


def stacks_text(position: Position) -> str:
    """The stacks in the notation that ``parse`` reads, by space: ``3:ob 4:g``."""
    return " ".join(f"{space}:{position.stacks[space]}" for space in sorted(position.stacks))
