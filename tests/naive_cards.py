"""A slow, literal reference for a round of the Card Game, written from the rules page.

The companion of ``naive`` for the third game: the same manner, the same ``fault=``. It
plays every order of every deck that the position leaves possible.

The stacks and the start (the camels before the banner, space 0) are strings, stacks from
bottom to top. A flipped card k is one space called 2k-1; there is no space 2k then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.naive import check_fault

RACING = "bygrp"
CRAZY = "K"
START = 0  # before the banner


@dataclass(frozen=True)
class Round:
    """A position in a round: the track, and what is known of the rest of the deck."""

    stacks: Mapping[int, str]  # space -> camels from bottom to top
    start: str  # before the banner, no stack
    last_space: int  # the finish is the next one
    flipped_cards: tuple[int, ...]  # track cards that are one space
    shortcut: int | None  # space of the +1 marker
    fennec: int | None  # space of the -1 marker
    left: int  # cards in the deck
    crazy_left: int  # so many of them are crazy cards
    known: tuple[str, ...]  # racing cards that are among them, "y1"
    pool: Mapping[str, int]  # the other racing cards are drawn from these
    crazy_pool: Mapping[int, int]  # the crazy cards are drawn from these


@dataclass(frozen=True)
class CardMoved:
    """What one card did."""

    after: Round  # stacks, start and markers; the deck is left as it was
    used: tuple[str, ...]  # markers that acted, in order
    gone_home: tuple[str, ...]  # markers that all racing camels have passed
    race_over: bool


@dataclass(frozen=True)
class RoundOdds:
    """Whole-number weights of the rest of the round; a probability is weight / total.

    An outcome is the ranking, leader first; camels before the banner share fifth (C13) and
    follow a bar in the edition's order: ``gb|yrp``.

    Weight 1 each have all sequences of distinguishable cards: every pattern of racing and
    crazy slots, every order of the known cards and of the cards drawn. With L cards left, c
    of them crazy, k known, u = L - c - k to be drawn, of P in the pool and C in the crazy
    pool, total = binomial(L, c) * (k + u)!/u! * P!/(P - u)! * C!/(C - c)!. A deck that is
    empty, or a race that is over, has total 1.
    """

    weights: dict[str, int]
    total: int
    race_ends: int
    marker_gone: dict[str, int]  # no longer on the track at the scoring; 0 if it never was


def load_round(case: Mapping[str, Any]) -> Round:
    """Read a position in the form of ``cases/rounds.json``."""
    deck = case["deck"]
    return Round(
        stacks={int(space): camels for space, camels in case["stacks"].items()},
        start=case["start"],
        last_space=case["last_space"],
        flipped_cards=tuple(case["flipped_cards"]),
        shortcut=case["markers"]["shortcut"],
        fennec=case["markers"]["fennec"],
        left=deck["left"],
        crazy_left=deck["crazy_left"],
        known=tuple(deck["known"]),
        pool=deck["pool"],
        crazy_pool={int(steps): count for steps, count in deck["crazy_pool"].items()},
    )


def track(round_: Round, fault: str | None = None) -> list[int]:
    """The spaces as they lie, from before the banner to the finish (C4, C12)."""
    finish = round_.last_space + 1
    if fault == "finish_one_early":
        finish = round_.last_space
    if fault == "finish_one_late":
        finish = round_.last_space + 2
    # C4: a flipped card is one space.
    second_halves = [2 * card for card in round_.flipped_cards]
    return [space for space in range(START, finish + 1) if space not in second_halves]


def walk(round_: Round, space: int, steps: int, fault: str | None = None) -> int:
    """The space that lies so many steps ahead (steps < 0: behind)."""
    spaces = track(round_, fault)
    if fault == "merged_counts_two":
        space = min(space + steps, spaces[-1])
        return space if space in spaces or space < START else space - 1
    at = spaces.index(min(space, spaces[-1])) + steps
    if at < 0:
        return at
    return spaces[min(at, len(spaces) - 1)]  # C12: the finish absorbs


def race_over(round_: Round, fault: str | None = None) -> bool:
    """Does a racing camel stand on the finish (C12)?"""
    finish = track(round_, fault)[-1]
    return any(
        camel in RACING and (space >= finish or space < START)
        for space, stack in round_.stacks.items()
        for camel in stack
    )


def round_move(round_: Round, card: str, fault: str | None = None) -> CardMoved:
    """Move by a racing card ``r2`` or a crazy card ``K1``."""
    camel, steps = card[0], int(card[1])
    direction = -1 if camel == CRAZY else 1
    stacks, start = dict(round_.stacks), round_.start

    # M1, C3: the camel goes with everything above it, but nobody carries before the banner.
    if camel in start:
        source, height = START, start.index(camel)
        unit = start[height:] if fault == "start_stack_carries" else camel
        start = "".join(other for other in start if other not in unit)
    else:
        source = next(space for space, stack in stacks.items() if camel in stack)
        height = stacks[source].index(camel)
        stays, unit = stacks[source][:height], stacks[source][height:]
        stacks[source] = stays

    # C8: one further if the crazy camel carries anything.
    if camel == CRAZY and fault != "no_extra_step":
        carries = len(unit) > 1 or fault == "always_extra_step"
        if not (fault == "zero_card_moves_nothing" and steps == 0):
            steps += carries

    def backwards_limit(space: int) -> int:
        """C8: the crazy camel stops at space 1. C7: a racing one goes before the banner."""
        if fault == "crazy_reverse_finish" and camel == CRAZY:
            return space if space > START else START - 1
        if fault == "crazy_stops_before_banner" and camel == CRAZY:
            return max(space, START)
        return max(space, 1) if camel == CRAZY else space

    wanted = walk(round_, source, direction * steps, fault)
    target = backwards_limit(wanted)
    stopped = target != wanted
    underneath = fault == "crazy_slides_under" and camel == CRAZY

    # C7: the markers act as tiles of M3, each once, one after the other.
    markers = {"shortcut": round_.shortcut, "fennec": round_.fennec}
    used: list[str] = []
    while True:
        here = [name for name, space in markers.items() if space == target and name not in used]
        if not here or (target == source and steps == 0):
            break
        if used and fault == "no_chain":
            break
        if target == 1 and fault == "fennec_on_1_idle" and here[0] == "fennec" and camel != CRAZY:
            break
        if target == 1 and fault == "marker_on_1_idle_for_crazy" and stopped:
            break
        used.append(here[0])
        sign = 1 if here[0] == "shortcut" else -1
        push = sign if fault == "tile_sign_not_reversed_for_crazy" else sign * direction
        target = backwards_limit(walk(round_, target, push, fault))
        underneath = sign < 0 and fault != "mirage_on_top"
        if sign < 0 and fault == "mirage_home_ignored" and target == source:
            underneath = False  # M4
        if sign < 0 and fault == "mirage_flips_unit":
            unit = unit[::-1]
    if fault != "marker_stays":
        for name in used:  # C6: a marker is used once
            markers[name] = None

    if target == START:
        start += unit  # C7, C13: no stack there
    else:
        resident = stacks.get(target, "")
        stacks[target] = unit + resident if underneath else resident + unit  # M1, M3, M4
    stacks = {space: stack for space, stack in stacks.items() if stack}

    # C6: markers that all racing camels are past go home; looked at after every move.
    racing_spaces = [
        space for space, stack in stacks.items() if any(camel in RACING for camel in stack)
    ]
    if start and fault != "home_ignores_start":
        racing_spaces.append(START)
    gone_home = []
    for name, space in markers.items():
        if space is not None and min(racing_spaces) > space and fault != "markers_never_go_home":
            markers[name] = None
            gone_home.append(name)

    after = replace(
        round_,
        stacks=stacks,
        start=start,
        shortcut=markers["shortcut"],
        fennec=markers["fennec"],
    )
    return CardMoved(after, tuple(used), tuple(gone_home), race_over(after, fault))


def outcome(round_: Round, fault: str | None = None) -> str:
    """The ranking, and after a bar the camels before the banner (M5, C13)."""
    ranked = "".join(
        camel
        for space in sorted(round_.stacks, reverse=True)
        for camel in reversed(round_.stacks[space])
        if camel in RACING
    )
    before_banner = [camel for camel in RACING if camel in round_.start]
    if fault == "start_ranked":
        return ranked + "".join(before_banner)
    return ranked + ("|" + "".join(before_banner) if before_banner else "")


def next_cards(round_: Round, fault: str | None = None) -> Iterator[tuple[str, int, Round]]:
    """Each card that may lie on top: the card, its weight, the deck without it (C14)."""
    racing_left = round_.left - round_.crazy_left
    unknown = racing_left - len(round_.known)
    kept = 0 if fault == "drawn_with_replacement" else 1
    if round_.crazy_left:
        for steps, count in round_.crazy_pool.items():
            if count:
                pool = {**round_.crazy_pool, steps: count - kept}
                crazy_left = round_.crazy_left - 1
                rest = replace(round_, left=round_.left - 1, crazy_left=crazy_left, crazy_pool=pool)
                yield f"{CRAZY}{steps}", count, rest
    for place, card in enumerate(round_.known):
        others = round_.known[:place] + round_.known[place + 1 :]
        yield card, 1, replace(round_, left=round_.left - 1, known=others)
    if unknown:
        for card, count in round_.pool.items():
            if count:
                cards = {**round_.pool, card: count - kept}
                yield card, count, replace(round_, left=round_.left - 1, pool=cards)


def weight_of_rest(round_: Round, fault: str | None = None) -> int:
    """The number of sequences of the cards still to come, by the formula of ``RoundOdds``."""
    left, crazy, known = round_.left, round_.crazy_left, len(round_.known)
    unknown = left - crazy - known
    patterns = ordered(left, crazy) // ordered(crazy, crazy)
    places_of_known = ordered(known + unknown, known)
    drawn = ordered(sum(round_.pool.values()), unknown)
    crazy_drawn = ordered(sum(round_.crazy_pool.values()), crazy)
    if fault == "drawn_with_replacement":
        drawn = sum(round_.pool.values()) ** unknown
        crazy_drawn = sum(round_.crazy_pool.values()) ** crazy
    return patterns * places_of_known * drawn * crazy_drawn


def ordered(things: int, places: int) -> int:
    """In how many ways can so many places be filled, in order, from so many things?"""
    ways = 1
    for filled in range(places):
        ways *= things - filled
    return ways


@dataclass(frozen=True)
class Course:
    """One way in which the rest of the round can go."""

    end: Round
    weight: int
    race_over: bool


def courses(round_: Round, fault: str | None, weight: int, over: bool) -> Iterator[Course]:
    """Every sequence of cards from here on; ``weight`` is that of the cards so far."""
    if round_.left == 0:
        yield Course(round_, weight, over)  # C10
        return
    for card, count, rest in next_cards(round_, fault):
        moved = round_move(rest, card, fault)
        if moved.race_over and fault != "rolls_on_after_line":
            # C12: the race is over; the course stands for all that could have followed.
            weight_now = weight * count * weight_of_rest(moved.after, fault)
            if fault == "early_end_counted_once":
                weight_now = weight * count
            yield Course(moved.after, weight_now, True)
        else:
            yield from courses(moved.after, fault, weight * count, over or moved.race_over)


def round_odds(round_: Round, fault: str | None = None) -> RoundOdds:
    """The weight of every outcome of the round."""
    check_fault(fault, "cards")
    if round_.left < round_.crazy_left + len(round_.known):
        raise ValueError("more known and crazy cards than cards left")
    weights: dict[str, int] = {}
    race_ends = 0
    marker_gone = {"shortcut": 0, "fennec": 0}
    if race_over(round_, fault):
        ways = iter([Course(round_, 1, True)])
    else:
        ways = courses(round_, fault, 1, False)
    for course in ways:
        text = outcome(course.end, fault)
        weights[text] = weights.get(text, 0) + course.weight
        if course.race_over:
            race_ends += course.weight
        if round_.shortcut is not None and course.end.shortcut is None:
            marker_gone["shortcut"] += course.weight
        if round_.fennec is not None and course.end.fennec is None:
            marker_gone["fennec"] += course.weight
    total = sum(weights.values())
    return RoundOdds(dict(sorted(weights.items())), total, race_ends, marker_gone)


def set_up(round_: Round) -> Round:
    """The track of the next round (C4 i, ii and iv); the deck is left as it was."""
    racing = {
        camel: space for space, stack in round_.stacks.items() for camel in stack if camel in RACING
    } | {camel: START for camel in round_.start if camel in RACING}
    leader = max(racing.values())
    last_space, flipped = round_.last_space, list(round_.flipped_cards)

    def laid(space: int) -> int:
        """How far a space lies from the banner, a flipped card counting one (C4)."""
        second_halves = [2 * card for card in flipped]
        return len([s for s in range(1, space + 1) if s not in second_halves])

    # (i) The track is extended while fewer than 3 spaces lie ahead, up to 24.
    while laid(last_space) - laid(leader) < 3 and last_space < 24:
        last_space += 1

    # (ii) The crazy camel catches up if it is behind the fourth racing camel.
    line = [camel for space in sorted(round_.stacks) for camel in round_.stacks[space]]
    if START in round_.stacks:
        raise ValueError("camels before the banner are in start")
    stacks, start = dict(round_.stacks), round_.start
    ranked = [camel for camel in reversed(line) if camel in RACING]
    behind = CRAZY in start or (len(ranked) > 3 and line.index(CRAZY) < line.index(ranked[3]))
    if len(ranked) > 3 and behind:
        target = min(
            [s for s in range(1, last_space + 1) if laid(s) == laid(leader) + 3] or [last_space + 1]
        )
        stacks = {space: stack.replace(CRAZY, "") for space, stack in stacks.items()}
        start = start.replace(CRAZY, "")
        stacks[target] = stacks.get(target, "") + CRAZY
        stacks = {space: stack for space, stack in stacks.items() if stack}

    # (iv) The sandstorm.
    def card(space: int) -> int:
        return (space + 1) // 2

    between = range(card(min(racing.values())) + 1, card(leader))
    flipped += [k for k in between if k not in map(card, stacks) and k not in flipped]
    return replace(
        round_,
        stacks=stacks,
        start=start,
        last_space=last_space,
        flipped_cards=tuple(sorted(flipped)),
        shortcut=None,
        fennec=None,
    )
