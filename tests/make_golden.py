"""Write the golden files: exact counts of many positions, made by the naive references.

``python -m tests.make_golden`` writes ``tests/data/golden/*.json`` anew, one position a
line. Positions are laid out by hand or reached by seeded random play, so a second run
writes the same files. ``full`` positions have the whole pyramid still to come; each
``small`` one, and each round of the Card Game, lists the faults that change one of its
probabilities (``catches``), and every fault is caught somewhere.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests import naive, naive_cards

GOLDEN = Path(__file__).parent / "data" / "golden"

OF_EACH = {"1": 5, "2": 1}  # racing cards of a colour, C1

FULL_BY_HAND = {
    "first": [
        "1:bygow",
        "1:wy 2:og 3:b 4+ 6- 8+ 10-",
        "2:gw 3:byo 4- 6+",
        "6:owbgy 8-",
        "6:owbgy 7+ 9-",
        "9:b 10:y 11:g 12:o 13:w 14- 16-",
        "4:w 12:bygo 14+ 16+",
        "1:b 15:oy 16:gw 2- 13+",
        "2:y 14:b 15:gow 16-",
    ],
    "second": [
        "1:bygrp 14:K 15:W",
        "1:yb 2:pg 3:r 16:WK 4+ 6- 14-",
        "5:by 7:WK 8:gr 9:p 6- 10+",
        "5:by 7:KWp 8:gr 6+ 9-",
        "1:WK 3:by 4:gr 5:p 2+",
        "1:KrW 3:bp 5:gy 2- 16-",
        "2:WbK 3:gr 5:yp 4- 15+",
        "6:WbKg 8:ry 9:p 7- 10+",
        "6:bWg 8:Kry 9:p 4- 7+",
        "14:bgW 15:ry 16:Kp 2-",
        "13:p 15:WKby 16:gr 12+ 14-",
        "12:bygrp 16:KW 14+",
    ],
}

SMALL_BY_HAND = {
    "first": [
        "5:byg 7:ow 6- dice=y",
        "5:byg 7:ow 6- dice=bg",
        "4:b 5:ogy 8:w 6- dice=bg",
        "3:wo 5:byg 7- 9+ dice=bow",
        "12:by 13:gow 14- 16+ dice=byg",
        "13:b 14:yg 15:ow 16+ dice=bgw",
        "13:b 14:yg 15:ow 16- dice=byo",
        "15:yg 16:bow 2- dice=bo",
        "2:o 14:wy 16:bg 3+ 15- dice=gy",
        "13:wb 14:ygo 16- dice=wbyg",
        "4:b 8:gyw 17:o dice=bg",
        "3:bo 5:gyw 7- dice=",
    ],
    "second": [
        "4:by 5:gr 7:p 10:WK 8- dice=g*",
        "4:by 5:gr 7:p 10:WK 8+ dice=bg*",
        "4:by 6:WrK 7:gp 5- dice=p*",
        "4:by 6:KrWg 7:p 5+ dice=gp*",
        "3:by 6:Wr 8:gp 10:K 4+ dice=by*",
        "1:Wby 3:gr 5:p 14:K 16- dice=g*",
        "2:Kby 3:gW 5:rp 15+ dice=br*",
        "1:bKgW 4:ry 6:p 16+ dice=yp*",
        "2:bWKg 4:ry 6:p 14- dice=r*",
        "11:by 14:gW 15:Kr 16:p 13- dice=bgr*",
        "12:by 14:g 15:pr 8:WK 16+ dice=bgp",
        "12:by 14:gp 15:r 8:WK 16- dice=byr*",
        "15:yg 16:br 12:p 5:W 9:K 2- dice=bg*",
        "3:bgy 5:rp 9:W 12:K 4- dice=by*",
        "3:bgy 5:rp 9:W 12:K 4+ 6- dice=bgr*",
        "12:bKg 13:yr 15:Wp 14- 16+ dice=br*",
        "0:Kry 8:pbgW 12+ dice=gp*",
        "3:p 4:gy 9:K 18:rWb dice=",
        "3:by 6:Wr 8:gp 10:K 4+ dice=*",
        "3:by 6:Wr 8:gp 10:K 4+ dice=b",
    ],
}


def cards_by_hand() -> list[dict[str, Any]]:
    """Rounds laid out so that every rule of the Card Game has something to do."""
    return [
        round_case("6:r 8:Kb 9:y 10:gp", 14, "4:r1 r2 b1", "0 1 2", crazy=1),
        round_case("1:y 4:g 5:Kbr 8:p", 14, "3:y1", "0 0 1 1 2", crazy=2),
        round_case("2:Kby 4:rg", 15, "4:b1 p1 p2", "0 1 2", crazy=1, start="p", fennec=1),
        round_case("2:K 4:rgb", 15, "4:y1 p1 r1", "0 1 2", crazy=1, start="yp", fennec=1),
        round_case("3:Kr 4:g 5:b", 15, "3:y2", "1 1 2", crazy=2, start="yp", shortcut=1),
        round_case("2:bKr 5:yg 7:p", 16, "4:b1 y1", "0 1 1 2", crazy=2, shortcut=3, fennec=4),
        round_case("5:by 7:gr 10:Kp", 16, "4:b1 y2 g1", "0 1 2", crazy=1, shortcut=9, fennec=8),
        round_case("5:by 7:gr 10:Kp", 16, "3:y1 p1", "0 1 2", crazy=1, shortcut=8, fennec=9),
        round_case("4:bygr 7:K 8:p", 16, "4:y1 b1 g2", "0 1 2", crazy=1, shortcut=6, fennec=5),
        round_case("1:b 5:yr 9:g 10:Kp", 18, "4:b2 y1 g1", "1 2", crazy=1, flipped=(2, 4)),
        round_case("1:b 6:yr 9:g 13:Kp", 18, "3:y1 g2", "2", crazy=1, flipped=(4, 6), fennec=11),
        round_case("10:y 13:bg 14:rp 15:K", 14, "3:b1 y2", "0 1 2", crazy=1),
        round_case("10:y 12:bKg 13:rp", 14, "4:b2 y1 r1", "0 1 2", crazy=1, shortcut=14),
        round_case("3:g 12:yb 13:Krp", 14, "3:b1 r1", "", pool="y1 y1 y2 r2", fennec=14),
        round_case("11:y 12:bg 13:rp 15:K", 14, "4:y1 b1", "1 1 2", crazy=1, fennec=14),
        round_case("8:b 10:yKr 12:g 13:p", 14, "4:", "0 1 1 2", crazy=1, shortcut=14, fennec=11),
        round_case("2:gK 3:bp", 16, "4:p1", "0 0 1 2", crazy=1, start="yr", shortcut=4, fennec=5),
        round_case("3:b 9:Kgr 11:yp", 16, "5:b1", "0 1 1 2", crazy=2, flipped=(3, 4), fennec=7),
        round_case("17:b 19:yg 21:Kr 22:p", 24, "4:", "0 1 2", crazy=1, shortcut=24, fennec=23),
        round_case("5:b 6:y 9:K", 14, "4:g1 r2 p1 b1", "", start="grp", shortcut=2, fennec=3),
    ]


def round_case(
    stacks: str,
    last_space: int,
    deck: str,  # cards left, a colon, the known ones
    crazy_pool: str,
    *,
    crazy: int = 0,
    pool: str = "b1 y1 y1 g1 g2 r1 r1 p1 p2",
    start: str = "",
    flipped: tuple[int, ...] = (),
    shortcut: int | None = None,
    fennec: int | None = None,
) -> dict[str, Any]:
    """A position in the form of ``cases/rounds.json``."""
    left, known = deck.split(":")
    cards = [colour + value for colour in naive_cards.RACING for value in "12"]
    return {
        "stacks": dict(token.split(":") for token in stacks.split()),
        "start": start,
        "last_space": last_space,
        "flipped_cards": list(flipped),
        "markers": {"shortcut": shortcut, "fennec": fennec},
        "deck": {
            "left": int(left),
            "crazy_left": crazy,
            "known": known.split(),
            # C1: a known card is none of the pool's.
            "pool": {
                card: min(pool.split().count(card), OF_EACH[card[1]] - known.split().count(card))
                for card in cards
            },
            "crazy_pool": {steps: crazy_pool.split().count(steps) for steps in "012"},
        },
    }


def text(position: naive.Position) -> str:
    """The notation that ``naive.parse`` reads."""
    tiles = [f"{space}{'+' if sign > 0 else '-'}" for space, sign in sorted(position.tiles.items())]
    dice = "".join(sorted(position.dice, key=lambda die: (die == naive.GREY, die)))
    return " ".join([naive.stacks_text(position), *tiles, f"dice={dice}"])


def full_pyramid(edition: str) -> str:
    return naive.RACING[edition] + (naive.GREY if edition == "second" else "")


def random_start(edition: str, rng: random.Random) -> naive.Position:
    """F2, S2."""
    stacks: dict[int, str] = {}
    for camel in rng.sample(naive.RACING[edition], 5):
        space = rng.randint(1, 3)
        stacks[space] = stacks.get(space, "") + camel
    if edition == "second":
        for camel in rng.sample(naive.CRAZY, 2):
            space = rng.randint(14, 16)
            stacks[space] = stacks.get(space, "") + camel
    return naive.Position(edition, stacks, {}, full_pyramid(edition))


def with_tiles(position: naive.Position, number: int, rng: random.Random) -> naive.Position:
    """F4, S9: so many tiles where they may lie."""
    tiles: dict[int, int] = {}
    for space in rng.sample(range(2, 17), 15):
        neighbours = {space - 1, space + 1} & set(tiles)
        if len(tiles) < number and space not in position.stacks and not neighbours:
            tiles[space] = rng.choice([1, -1])
    return naive.Position(position.edition, position.stacks, tiles, position.dice)


def random_position(
    edition: str, rolls: int, dice_left: int, tiles: int, rng: random.Random
) -> naive.Position:
    """Play at random: so many rolls, and on to where so many dice are left."""
    while True:
        position = random_start(edition, rng)
        race_over = False
        while not race_over:
            if rolls <= 0 and len(position.dice) == dice_left:
                return with_tiles(position, tiles, rng)
            if naive.leg_over(position):
                position = naive.Position(edition, position.stacks, {}, full_pyramid(edition))
                position = with_tiles(position, rng.randint(0, 3), rng)
                continue
            name, steps = rng.choice(naive.faces(rng.choice(position.dice)))
            moved = naive.move(position, name, steps)
            position, race_over = moved.position, moved.race_over
            rolls -= 1


def pyramid_positions(edition: str, rng: random.Random) -> list[tuple[str, naive.Position]]:
    """Kind and position."""
    inside = len(full_pyramid(edition))
    full = [naive.parse(position, edition) for position in FULL_BY_HAND[edition]]
    for rolls, tiles in [(0, 0), (0, 2), (0, 4), (5, 0), (5, 3), (10, 1), (10, 4), (15, 2)]:
        full.append(random_position(edition, rolls, inside, tiles, rng))
    for tiles in (0, 1, 2, 3):
        full.append(random_position(edition, 20, inside, tiles, rng))
    small = [naive.parse(position, edition) for position in SMALL_BY_HAND[edition]]
    fewest = 1 if edition == "first" else 2
    for rolls in (0, 10, 20):
        for dice_left in range(fewest, fewest + 4):
            small.append(random_position(edition, rolls, dice_left, rng.randint(0, 4), rng))
    return [("full", position) for position in full] + [("small", position) for position in small]


def random_round(rng: random.Random, left: int, moves: int) -> naive_cards.Round:
    """Play at random from the start, then lay markers and flip cards where they may lie.

    Markers and pools need not fit the moves played, only the rules for what may be there.
    """
    cards = [colour + value for colour in naive_cards.RACING for value in "111112"]
    while True:
        rng.shuffle(cards)
        last_space = rng.randint(14, 18)
        round_ = naive_cards.Round(
            {7: "K"}, "bygrp", last_space, (), None, None, 0, 0, (), {}, {0: 2, 1: 2, 2: 1}
        )
        deck = cards[:5] + rng.sample(cards, moves - 2) + ["K1", "K0"]
        over = False
        for card in deck:
            moved = naive_cards.round_move(round_, card)
            round_, over = moved.after, over or moved.race_over
        if not over:
            break

    racing = [space for space, stack in round_.stacks.items() if stack.strip(naive_cards.CRAZY)]
    first, last = max(racing), naive_cards.START if round_.start else min(racing)
    flipped = tuple(
        card
        for card in range((last + 1) // 2 + 1, (first + 1) // 2)
        if not {2 * card - 1, 2 * card} & set(round_.stacks) and rng.random() < 0.7
    )
    empty = [
        space
        for space in range(max(last, 1), last_space + 1)
        if space not in round_.stacks and not (space % 2 == 0 and space // 2 in flipped)
    ]
    shortcut, fennec = rng.sample([*empty[:8], None], 2)

    unseen = rng.sample(cards, 9)
    crazy_left = rng.randint(0, 2)
    known = unseen[: rng.randint(0, left - crazy_left)]
    pool = {card: unseen[len(known) :].count(card) for card in sorted(set(unseen))}
    return naive_cards.Round(
        dict(sorted(round_.stacks.items())),
        round_.start,
        last_space,
        flipped,
        shortcut,
        fennec,
        left,
        crazy_left,
        tuple(known),
        pool,
        round_.crazy_pool,
    )


def card_rounds(rng: random.Random) -> list[dict[str, Any]]:
    cases = cards_by_hand()
    for left, moves in [(3, 2), (3, 5), (3, 9), (3, 13), (4, 2), (4, 4), (4, 7), (4, 10), (4, 13)]:
        cases.append(case_of_round(random_round(rng, left, moves)))
    for moves in (3, 6, 9, 12):
        cases.append(case_of_round(random_round(rng, 5, moves)))
    return cases


def case_of_round(round_: naive_cards.Round) -> dict[str, Any]:
    """The form of ``cases/rounds.json``; the inverse of ``naive_cards.load_round``."""
    return {
        "stacks": {str(space): stack for space, stack in round_.stacks.items()},
        "start": round_.start,
        "last_space": round_.last_space,
        "flipped_cards": list(round_.flipped_cards),
        "markers": {"shortcut": round_.shortcut, "fennec": round_.fennec},
        "deck": {
            "left": round_.left,
            "crazy_left": round_.crazy_left,
            "known": list(round_.known),
            "pool": {card: round_.pool.get(card, 0) for card in sorted(round_.pool)},
            "crazy_pool": {str(steps): count for steps, count in round_.crazy_pool.items()},
        },
    }


def counts(edition: str, position: Mapping[str, Any], fault: str | None = None) -> dict[str, Any]:
    """The counts of a golden position, as they stand in the file."""
    odds: naive.Leg | naive_cards.RoundOdds
    if edition == "cards":
        odds = naive_cards.round_odds(naive_cards.load_round(position), fault)
    else:
        odds = naive.leg(naive.parse(position["position"], edition), fault)
    plain: dict[str, Any] = json.loads(json.dumps(asdict(odds)))
    return plain


def probabilities(counted: Mapping[str, Any]) -> dict[str, Fraction]:
    """All that the counts say, without regard to their scale."""
    found = {"race_ends": Fraction(counted["race_ends"], counted["total"])}
    for field in ("weights", "landings", "marker_gone"):
        for name, weight in counted.get(field, {}).items():
            if weight:
                found[f"{field} {name}"] = Fraction(weight, counted["total"])
    return found


def faults_of(edition: str) -> list[str]:
    return [fault for fault in naive.FAULTS if edition in naive.EDITIONS_OF_FAULT[fault]]


def caught(edition: str, position: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """The faults that change a probability of this position."""
    return [
        fault
        for fault in faults_of(edition)
        if probabilities(counts(edition, position, fault)) != probabilities(right)
    ]


def write(edition: str, positions: Iterable[dict[str, Any]]) -> None:
    lines = [json.dumps(position, separators=(",", ":")) for position in positions]
    (GOLDEN / f"{edition}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


def main() -> None:
    for edition in ("first", "second"):
        golden = []
        for number, (kind, position) in enumerate(
            pyramid_positions(edition, random.Random(f"golden {edition}"))
        ):
            entry: dict[str, Any] = {
                "id": f"{edition}-{number:02}",
                "edition": edition,
                "kind": kind,
                "position": text(position),
            }
            entry |= counts(edition, entry)
            if kind == "small":
                entry["catches"] = caught(edition, entry, entry)
            golden.append(entry)
        finish(edition, golden)
    golden = []
    for number, case in enumerate(card_rounds(random.Random("golden cards"))):
        entry = {"id": f"cards-{number:02}", "edition": "cards", "kind": "small", **case}
        entry |= counts("cards", entry)
        entry["catches"] = caught("cards", entry, entry) if case["deck"]["left"] < 5 else []
        golden.append(entry)
    finish("cards", golden)


def finish(edition: str, golden: list[dict[str, Any]]) -> None:
    write(edition, golden)
    missing = set(faults_of(edition)) - {
        fault for entry in golden for fault in entry.get("catches", [])
    }
    print(f"{edition}: {len(golden)} positions")
    if missing:
        raise SystemExit(f"no position of {edition} catches {sorted(missing)}")


if __name__ == "__main__":
    main()
