"""The Card Game: positions with decks, their notation, moves, and exact round odds."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from math import comb, perm
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import camelodds as co
from camelodds.kernels.bag import Item, bag_graph
from tests import naive_cards
from tests.make_golden import counts
from tests.strategies import card_positions

DATA = Path(__file__).parent / "data"
FIELDS = ("edition", "stacks", "start", "last_space", "flipped_cards", "markers", "deck")


def read(folder: str, name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((DATA / folder / f"{name}.json").read_text())
    return cases


def outcome_weights(leg: co.LegOdds) -> dict[str, int]:
    names = leg.edition.outcome_names
    return {names[i]: int(leg.weights[i]) for i in np.flatnonzero(leg.weights)}


def as_named(weights: dict[str, int]) -> dict[str, int]:
    """One camel before the banner is the same as ranked fifth (C13)."""
    named: dict[str, int] = {}
    for outcome, weight in weights.items():
        ranked, _, waiting = outcome.partition("|")
        name = co.CARDS.outcome_name(ranked, waiting)
        named[name] = named.get(name, 0) + weight
    return named


def check_against(leg: co.LegOdds, odds: dict[str, Any]) -> None:
    """Against the counts of the slow reference."""
    assert leg.total == odds["total"]
    assert outcome_weights(leg) == as_named(odds["weights"])
    assert leg.race_end_weight == odds["race_ends"]
    gone = {1: odds["marker_gone"]["shortcut"], -1: odds["marker_gone"]["fennec"]}
    tiles = leg.position.tiles
    assert dict(leg.gone_weights) == {space: gone[tile.sign] for space, tile in tiles.items()}


CASES = read("cases", "rounds")
GOLDEN = read("golden", "cards")


# Round odds.


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES])
def test_odds_of_case(case: dict[str, Any]) -> None:
    leg = co.leg_odds(co.Position.from_dict(case))
    for camel, places in case["places"].items():
        assert [leg.fraction(camel, place) for place in range(1, 6)] == list(map(Fraction, places))
    assert leg.race_ends_fraction == Fraction(case["race_ends"])


@pytest.mark.parametrize("golden", [pytest.param(g, id=g["id"]) for g in GOLDEN])
def test_odds_of_golden_position(golden: dict[str, Any]) -> None:
    position = co.Position.from_dict({name: golden[name] for name in FIELDS})
    check_against(co.leg_odds(position), golden)


@pytest.mark.nojit
@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES[::9]])
def test_odds_without_jit(case: dict[str, Any]) -> None:
    position = co.Position.from_dict(case)
    check_against(co.leg_odds(position, states=100_000), counts("cards", case))


@settings(max_examples=250)
@given(card_positions())
def test_odds_equal_the_slow_reference(position: co.Position) -> None:
    odds = naive_cards.round_odds(naive_cards.load_round(position.to_dict()))
    leg = co.leg_odds(position)
    check_against(
        leg,
        {
            "total": odds.total,
            "weights": odds.weights,
            "race_ends": odds.race_ends,
            "marker_gone": odds.marker_gone,
        },
    )
    assert position.leg_over or leg.total == position.deck.total


EARLY = co.CARDS.with_options(crazy_stops_before_banner=True)


@settings(max_examples=60)
@given(card_positions(edition=EARLY))
def test_alternative_of_C8_equals_the_slow_reference(position: co.Position) -> None:
    case = position.to_dict()
    start = case["start"].replace("K", "")
    if start != case["start"]:
        # The reference writes a crazy camel there, too.
        case["start"] = start + "K"
    odds = naive_cards.round_odds(naive_cards.load_round(case), "crazy_stops_before_banner")
    leg = co.leg_odds(position)
    assert leg.total == odds.total
    assert outcome_weights(leg) == as_named(odds.weights)


@settings(max_examples=40)
@given(card_positions(most_left=3), st.permutations(range(5)))
def test_names_of_colours_do_not_matter(position: co.Position, order: list[int]) -> None:
    racing = co.CARDS.racing
    other = {racing[i]: racing[j] for i, j in enumerate(order)}

    def renamed(text: str) -> str:
        return "".join(other.get(c, c) for c in text)

    data = position.to_dict()
    data["stacks"] = {space: renamed(camels) for space, camels in data["stacks"].items()}
    data["start"] = renamed(data["start"])
    data["deck"]["known"] = [renamed(card) for card in data["deck"]["known"]]
    data["deck"]["pool"] = {renamed(card): n for card, n in data["deck"]["pool"].items()}
    leg, twin = co.leg_odds(position), co.leg_odds(co.Position.from_dict(data))
    for camel in racing:
        for place in range(1, 6):
            assert leg.fraction(camel, place) == twin.fraction(other[camel], place)


@settings(max_examples=40)
@given(card_positions(most_left=3))
def test_odds_are_the_mean_over_the_next_card(position: co.Position) -> None:
    if position.leg_over:
        return
    whole = co.leg_odds(position)
    sums = np.zeros(len(whole.weights), dtype=object)
    for card, weight, deck in position.deck.draws("K"):
        then = co.leg_odds(position.moved(card[0], int(card[1]), deck=deck).after)
        times = Fraction(deck.total, then.total)
        sums += np.array([int(w) * times * weight for w in then.weights], dtype=object)
    assert sums.tolist() == whole.weights.tolist()


def test_what_the_next_card_changes() -> None:
    text = "0:g 2:by 4:Kr 6:p 7+ 5- last=14 deck=2+1 known=y1 pool=y10b20g10 crazy=110"
    position = co.Position.parse(text)
    table = co.by_next_roll(position)
    assert {roll.event for roll in table.rolls} == {"y1", "b1", "g1", "K0", "K1"}
    assert sum(roll.chance for roll in table.rolls) == 1
    for camel in co.CARDS.racing:
        for place in range(1, 6):
            assert table.mean(camel, place) == table.now.fraction(camel, place)
    for space, gone in table.now.gone.items():
        after = [float(roll.chance) * roll.leg.gone.get(space, 1.0) for roll in table.rolls]
        assert sum(after) == pytest.approx(gone)
    assert "y1" in str(table)
    with pytest.raises(co.OptionError):
        co.by_next_roll(co.Position.parse("0:g 2:by 4:Kr 6:p last=14 deck=0+0"))


def test_C2_totals_of_every_deck_fit_into_63_bits() -> None:
    for card in co.CARDS.round_cards:
        deck = co.Deck.full(co.CARDS, card.players)
        assert deck.left == {2: 8, 3: 8, 4: 10, 5: 9, 6: 11}[card.players]
        racing = deck.left - 2
        assert deck.total == comb(deck.left, 2) * perm(30, racing) * perm(5, 2) < 2**63
        # Knowing cards, or fewer cards left, only lowers the total.
        for known in range(racing + 1):
            smaller = comb(deck.left, 2) * perm(racing, known) * perm(30, racing - known) * 20
            assert smaller <= deck.total


def test_a_deck_whose_total_does_not_fit_is_refused() -> None:
    with pytest.raises(OverflowError):
        bag_graph([Item(0, 1, 1, 60), Item(1, 1, 1, 60)], [20])
    many = co.CARDS.with_options(racing_cards=((1, 9),))
    position = co.Position(
        many, {1: "bygrp", 2: "K"}, last_space=16, deck={"left": 16, "crazy_left": 2}
    )
    assert position.deck.total > 2**63
    with pytest.raises(co.OptionError, match="63 bits"):
        co.leg_odds(position, "exact", states=10**9)
    assert co.leg_odds(position, n=1000).sampled


def test_a_budget_of_states_that_is_too_small() -> None:
    position = co.Position.parse("5:pgrb 8:yK last=16 deck=4+2")
    with pytest.raises(co.OptionError, match="1,000 states"):
        co.leg_odds(position, "exact", states=1000)


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES[::5]])
def test_samples_agree_with_the_exact_odds(case: dict[str, Any]) -> None:
    position = co.Position.from_dict(case)
    exact = co.leg_odds(position, "exact")
    rough = co.leg_odds(position, "sample", n=200_000, seed=7)
    assert rough == co.leg_odds(position, "sample", n=200_000, seed=7)
    sigma = np.sqrt(exact.places * (1 - exact.places) / rough.n)
    assert np.all(np.abs(rough.places - exact.places) <= 5 * sigma + 1e-12)
    for space, gone in exact.gone.items():
        assert abs(rough.gone[space] - gone) <= 5 * (gone * (1 - gone) / rough.n) ** 0.5 + 1e-12
    assert abs(rough.race_ends - exact.race_ends) < 0.006


def test_a_deck_that_is_too_large_is_sampled() -> None:
    position = co.Position.parse("5:pgrb 8:yK last=16 deck=5+2")
    assert co.leg_odds(position).method == "exact"
    few = co.leg_odds(position, states=1000, n=1000, seed=1)
    assert (few.method, few.n) == ("sampled", 1000)
    assert "sampled" in str(few)
    assert "as if nobody had chosen" in str(few)


def test_outcomes_C13() -> None:
    edition = co.CARDS
    assert len(edition.outcomes) == len(set(edition.outcome_names)) == 206
    places = {tuple(row) for row in edition.outcomes.tolist()}
    assert len(places) == 206
    leg = co.leg_odds(co.Position.parse("0:ypr 2:K 5:bg last=14 deck=0+0"))
    assert outcome_weights(leg) == {"gb|yrp": 1}
    assert leg.last == {"b": 0, "y": 1, "g": 0, "r": 1, "p": 1}  # all count as last
    assert leg.places[:, 2:4].sum() == 0  # places between are empty
    assert leg.third["y"] == -1
    one = co.Position.parse("0:y 2:K 3:p 5:bg 6:r last=14 deck=0+0")
    assert one.outcome == "rgbpy"


def test_C11_third_place_card() -> None:
    leg = co.leg_odds(co.Position.parse("5:bgy 7:Kr 8:p last=14 deck=0+0"))
    assert dict(leg.third) == {"p": -1, "r": 1, "y": 2, "g": 1, "b": -1}
    assert leg.third_fraction("y") == 2
    with pytest.raises(co.OptionError):
        co.leg_odds(co.Position.parse("1:bygow", "first")).third  # noqa: B018


def test_markers_that_are_gone_C6() -> None:
    leg = co.leg_odds(co.Position.parse("5:b 6:y 9:Kgrp 7+ 8- last=14 deck=1+0 known=b1 pool="))
    assert dict(leg.gone) == {7: 0, 8: 0}
    leg = co.leg_odds(co.Position.parse("5:b 6:y 9:Kgrp 7+ 8- last=14 deck=1+0 known=b2 pool="))
    assert leg.gone_fraction(7) == leg.gone_fraction(8) == 1  # a chain (C7)


# Positions.


@settings(max_examples=150)
@given(card_positions(most_left=9))
def test_position_reads_back(position: co.Position) -> None:
    assert co.Position.parse(str(position)) == position
    assert str(co.Position.parse(str(position))) == str(position)
    assert co.Position.from_json(position.to_json()) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(co.Position.parse(str(position))) == hash(position)
    assert co.Position.problems(position.to_dict()) == []
    assert eval(repr(position), vars(co)) == position


def test_notation_of_a_deck() -> None:
    text = "0:rp 2:gK 3:by 5+@P1 7- last=16 flip=4/5 deck=6+1 known=y1r2 pool=b31y40r40p11"
    position = co.Position.parse(f"{text} crazy=121")
    assert position.edition is co.CARDS
    assert position.stacks == {0: "rp", 2: "gK", 3: "by"}
    assert position.tiles == {5: co.Tile(1, "P1"), 7: co.Tile(-1)}
    deck = position.deck
    assert (deck.left, deck.crazy_left, deck.known, deck.unknown) == (7, 1, ("y1", "r2"), 4)
    assert deck.pool == {"b1": 3, "b2": 1, "y1": 4, "r1": 4, "p1": 1, "p2": 1}
    assert deck.crazy_pool == {0: 1, 1: 2, 2: 1}
    assert position.flipped == (4, 5)
    assert str(position) == f"{text} crazy=121"
    assert position.to_dict()["markers"] == {"shortcut": "5@P1", "fennec": 7}
    assert co.Position.from_dict(position.to_dict()) == position


def test_players_stand_for_track_and_deck() -> None:
    position = co.Position.parse("1:bygrp 7:K players=6")
    assert position.last_space == 18
    assert position.deck == co.Deck.full(co.CARDS, 6)
    assert sum(position.deck.pool.values()) == 30
    other = co.CARDS.with_options(
        round_cards=tuple(c._replace(last_space=20, extra=1) for c in co.CARDS.round_cards)
    )
    position = co.Position(other, {1: "bygrp", 7: "K"}, players=2)
    assert (position.last_space, position.deck.left) == (20, 9)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("0:K 1:bygrp last=16 deck=6+2", "C8"),
        ("1:bygrp 7:K deck=6+2", "C2"),
        ("1:bygrp 7:K last=16", "C2"),
        ("1:bygrp 7:K last=25 deck=6+2", "C4"),
        ("1:bygrp 18:K last=16 deck=6+2", "C12"),
        ("1:bygrp 7:K last=16 deck=6+3", "C4"),
        ("1:bygrp 7:K last=16 flip=3 6+ deck=6+2", "C4"),
        ("1:bygr 6:p 7:K last=16 flip=3 deck=6+2", "C4"),
        ("1:bygrp 7:K last=16 flip=9 deck=6+2", "C1"),
        ("1:bygrp 7:K last=16 flip=3/3 deck=6+2", "C4"),
        ("2:bygrp 7:K last=16 1+ deck=6+2", "C6"),
        ("2:bygrp 7:K last=16 17+ deck=6+2", "C6"),
        ("2:bygrp 7:K last=16 7+ deck=6+2", "C6"),
        ("2:bygrp 7:K last=16 8+ 9+ deck=6+2", "C6"),
        ("2:bygrp 7:K last=16 8+ 8- deck=6+2", "C6"),
        ("1:bygrp 7:K last=16 deck=6+2 known=y2y2", "C1"),
        ("1:bygrp 7:K last=16 deck=6+2 known=y2 pool=y51", "C1"),
        ("1:bygrp 7:K last=16 deck=6+2 known=o1", "C1"),
        ("1:bygrp 7:K last=16 deck=6+2 pool=b40", "C14"),
        ("1:bygrp 7:K last=16 deck=6+2 crazy=010", "C14"),
        ("1:bygrp 7:K last=16 deck=6+2 crazy=331", "C1"),
        ("1:bygrp 7:K last=16 deck=6+2 dice=by", "C1"),
        ("1:bygrp 7:K players=7", "C2"),
    ],
)
def test_faults_of_positions(text: str, rule: str) -> None:
    problems = co.Position.problems(text, "cards")
    assert rule in [problem.rule for problem in problems], problems
    with pytest.raises(co.PositionError):
        co.Position.parse(text, "cards")


@pytest.mark.parametrize("token", ["deck=6", "known=y", "pool=b5", "crazy=22", "flip=a", "last=x"])
def test_tokens_that_are_not_understood(token: str) -> None:
    text = "1:bygrp 7:K last=16 deck=6+2 " + token
    assert any(problem.where == token for problem in co.Position.problems(text, "cards"))


def test_every_fault_at_once() -> None:
    problems = co.Position.problems(
        {
            "edition": "cards",
            "stacks": {"1": "byg", "x": "r"},
            "start": 5,
            "last_space": "far",
            "flipped_cards": 3,
            "markers": {"oasis": 3, "fennec": []},
            "deck": {"left": -1, "crazy_left": 0, "known": "y1", "pool": {"q1": 2}},
        }
    )
    wheres = " ".join(problem.where for problem in problems)
    for part in ("'x'", "start", "last_space", "flipped_cards", "oasis", "fennec", "left=-1"):
        assert part in wheres
    for part in ("known", "pool: 'q1'"):
        assert part in wheres


def test_track_and_deck_in_a_pyramid_game() -> None:
    for text in ("1:bygow last=16", "1:bygow deck=6+2", "1:bygow players=3", "1:bygow flip=3"):
        assert [p.rule for p in co.Position.problems(text, "first")] == ["C1"]


# Moves.


@settings(max_examples=150)
@given(card_positions(), st.sampled_from([*co.CARDS.racing_deck, "K0", "K1", "K2"]))
def test_move_equals_the_slow_reference(position: co.Position, card: str) -> None:
    if position.race_over:
        return
    move = position.moved(card[0], int(card[1]))
    slow = naive_cards.round_move(naive_cards.load_round(position.to_dict()), card)
    after = move.after.to_dict()
    assert {int(s): c for s, c in after["stacks"].items()} == dict(
        sorted(slow.after.stacks.items())
    )
    assert sorted(after["start"]) == sorted(slow.after.start)
    assert after["markers"] == {"shortcut": slow.after.shortcut, "fennec": slow.after.fennec}
    assert len(move.gone) == len({*slow.used, *slow.gone_home})
    assert move.race_over == slow.race_over == move.after.race_over
    used = {"shortcut": 1, "fennec": -1}
    assert (move.tile is None) == (not slow.used)
    if slow.used:
        assert position.tiles[move.tile].sign == used[slow.used[0]]


@pytest.mark.parametrize(
    ("text", "event", "after"),
    [
        ("0:bygrp 7:K deck=1+0", "y2", "0:bgrp 2:y 7:K"),  # C3: nobody carries
        ("0:gr 5:byp 7:K flip=4 deck=1+0", "b2", "0:gr 7:Kbyp"),  # C4: one space
        ("0:gr 5:byp 7:K 6- deck=1+0", "y1", "0:gr 5:ypb 7:K"),  # C7, M4
        ("0:gr 5:byp 7:K 6+ deck=1+0", "b1", "0:gr 7:Kbyp"),  # C7
        ("0:gr 5:byp 9:K 6+ 7- deck=1+0", "b2", "0:gr 7:byp 9:K"),  # C7: chain
        ("0:rb 3:ygp 7:K 1- deck=1+0", "b1", "0:br 3:ygp 7:K"),  # C7: fennec on space 1
        ("0:b 2:gK 3:yrp 1- deck=0+1", "K2", "0:b 2:Kg 3:yrp"),  # C8 onto the fennec on 1
        ("0:b 2:gK 3:yrp 1+ deck=0+1", "K2", "0:b 1:K 2:g 3:yrp"),
        ("5:bygrp 7:K deck=0+1", "K0", "5:bygrp 7:K"),  # C8
        ("5:ygrp 7:Kb deck=0+1", "K0", "5:ygrp 6:Kb"),  # C8: it carries
        ("2:ygrp 3:Kb deck=0+1", "K2", "1:Kb 2:ygrp"),  # C8: stops at 1
        ("13:byg 14:rp 15:K deck=1+0", "r1", "13:byg 14: 15:Krp"),  # C12
        ("12:byg 14:rp 15:K 13- deck=0+1", "K2", "12:byg 14:Krp 15:"),  # C7
    ],
)
def test_moves_by_hand(text: str, event: str, after: str) -> None:
    moved = co.Position.parse(text + " last=14").after(f"reveal {event}")
    expected = dict(token.split(":") for token in after.split())
    assert moved.stacks == {int(s): camels for s, camels in expected.items() if camels}


def test_the_deck_after_a_card_C14() -> None:
    position = co.Position.parse("3:bygrp 7:K last=16 deck=4+1 known=y1 pool=y30b51 crazy=211")
    assert position.after("y1").deck.known == ()  # the known one first
    assert position.after("y1").after("y1").deck.pool == {"y1": 2, "b1": 5, "b2": 1}
    assert position.after("b2").deck.pool == {"y1": 3, "b1": 5}
    crazy = position.after("K0").deck
    assert (crazy.left, crazy.crazy_left, dict(crazy.crazy_pool)) == (4, 0, {0: 1, 1: 1, 2: 1})
    for event, rule in [("r1", "C14"), ("b3", "C1"), ("roll", "C1"), ("y2", "C14"), ("W1", "C1")]:
        with pytest.raises(co.EventError) as error:
            position.after(event)
        assert error.value.problems[0].rule == rule
    with pytest.raises(co.EventError, match="C10"):
        co.Position.parse("3:bygrp 7:K last=16 deck=0+0").after("y1")
    with pytest.raises(co.EventError, match="C12"):
        co.Position.parse("3:bygr 7:K 17:p last=16 deck=1+0").after("y1")


# Set-up.


@pytest.mark.parametrize("players", range(2, 7))
def test_start_C3(players: int) -> None:
    card = co.CARDS.round_card(players)
    seen = set()
    for seed in range(30):
        position = co.Position.start(co.CARDS, seed, players=players)
        assert co.Position.problems(position.to_dict()) == []
        assert position == co.Position.start(co.CARDS, seed, players=players)
        assert position.stacks[co.CARDS.crazy_start] == "K"
        assert max(position.stacks) == co.CARDS.crazy_start
        assert position.last_space == card.last_space
        assert position.deck == co.Deck.full(co.CARDS, players)
        seen.add(position)
    assert len(seen) > 20


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # (i) the leader on the last space: three more; nothing else to do.
        ("13:byg 15:r 16:p 5:K last=16", "13:byg 15:r 16:p 19:K last=19"),
        ("10:byg 12:r 13:pK 14+ 15- last=16", "10:byg 12:r 13:pK last=16"),  # exactly three
        ("13:byg 15:r 16:pK last=16", "13:byg 15:r 16:pK last=19"),
        # (i) at most 24 spaces; (ii) onto the finish if that is nearer.
        ("18:b 20:yg 22:r 23:p 7:K last=23", "18:b 20:yg 22:r 23:p 25:K last=24"),
        ("20:b 21:ygr 24:p 22:K last=24", "20:b 21:ygr 22:K 24:p last=24"),
        ("20:b 21:Kygr 24:p last=24", "20:b 21:ygr 24:p 25:K last=24"),
        # (ii) lower in the same stack as the fourth; its riders drop in place.
        ("3:bKy 5:gr 6:p last=16", "3:by 5:gr 6:p 9:K last=16"),
        ("3:bK 5:ygr 6:p last=16", "3:b 5:ygr 6:p 9:K last=16"),
        ("3:byK 5:gr 6:p last=16", "3:byK 5:gr 6:p last=16"),  # above the fourth
        ("0:b 2:K 3:y 5:gr 6:p last=16", "0:b 3:y 5:gr 6:p 9:K last=16 flip=1"),
        ("0:by 2:K 5:gr 6:p last=16", "0:by 2:K 5:gr 6:p last=16 flip=2"),  # no fourth
        # (iv) cards 2 to 4 are strictly between; the crazy camel keeps card 3 (beside it).
        ("2:by 5:K 9:grp last=16", "2:by 5:K 9:grp last=16 flip=2/4"),
        ("0:byg 7:rp 9:K last=16", "0:byg 7:rp 9:K last=16 flip=1/2/3"),  # the banner is card 0
        # Flipped spaces count as one: 3 ahead of space 9 with card 6 flipped is space 13.
        ("3:K 7:by 9:grp last=16 flip=6", "7:by 9:grp 13:K last=16 flip=6"),
        ("9:byg 10:K 11:r 13:p last=16 flip=8", "9:byg 10:K 11:r 13:p last=17 flip=8"),
    ],
)
def test_set_up_C4(before: str, after: str) -> None:
    position = co.Position.parse(f"{before} deck=0+0 players=4")
    expected = co.Position.parse(f"{after} deck=8+2 players=4")
    assert position.next_leg() == expected


def test_set_up_needs_the_number_of_players() -> None:
    with pytest.raises(co.OptionError, match="players"):
        co.Position.parse("5:bygrp 7:K last=16 deck=0+0").next_leg()
