"""Whole games of the Card Game, by rule id, and random ones against the literal table."""

from __future__ import annotations

import pickle
import random

import pytest

import camelodds as co
from camelodds.actions import Event, candidates, faults_of, read_event
from tests import naive_cards
from tests.naive_card_games import Player, Table


def game(position: str, players: int = 2, **fields: object) -> co.Game:
    return co.Game.start(co.CARDS, players, position, **fields)  # type: ignore[arg-type]


QUIET = "5:by 7:Kg 9:r 10:p last=16 deck=4+1"


# C5: a turn.


def test_C5_one_track_action_and_one_bet_in_either_order() -> None:
    start = game(QUIET)
    after = start.after("reveal b1")
    assert (after.to_move, after.acted) == ("P1", ("reveal",))
    assert not any(a.startswith(("reveal", "card", "short", "fen")) for a in after.legal_actions())
    assert after.after("ticket p").to_move == "P2"
    assert after.after("done").to_move == "P2"
    assert after.after("done").acted == ()
    first = start.after("ticket p")
    assert (first.to_move, first.acted) == ("P1", ("ticket",))
    assert "reveal" in first.legal_actions()
    assert "done" not in first.legal_actions()
    assert not any(a.startswith(("ticket", "third", "winner")) for a in first.legal_actions())
    assert first.after("reveal b1").to_move == "P2"
    for where, event, rule in [
        (start, "done", "C5"),
        (first, "third b", "C5"),
        (first, "done", "C5"),
        (after, "shortcut 12", "C5"),
        (after, "reveal b1", "C5"),
    ]:
        with pytest.raises(co.EventError, match=rule):
            where.after(event)


def test_C5_face_up_cards() -> None:
    table = game(QUIET, 3, coins=1).after("deal P1 g1").after("deal P2 r2")
    own = table.after("card P1")
    assert (dict(own.coins), own.position.stacks[8], own.hands["P1"].face_up) == (
        {"P1": 1, "P2": 1, "P3": 1},
        "g",
        None,
    )
    other = table.after("card P2")
    assert dict(other.coins) == {"P1": 0, "P2": 2, "P3": 1}
    assert other.position.stacks[11] == "r"
    assert other.position.deck == table.position.deck  # the deck stays
    with pytest.raises(co.EventError, match="no card lies face up"):
        table.after("card P3")
    poor = game(QUIET, 2, coins=0).after("deal P1 g1").after("deal P2 r2")
    assert [a for a in poor.legal_actions() if a.startswith("card")] == ["card P1"]
    with pytest.raises(co.EventError, match="costs 1 coin"):
        poor.after("card P2")
    unknown = co.Game(co.Position.parse(QUIET), 2).after("deal P2 r2").after("card P2")
    assert dict(unknown.coins) == {"P1": None, "P2": None}


# C6, C7: markers.


def test_C6_where_a_marker_may_lie() -> None:
    table = game("2:y 5:b 7:Kg 9:r 15:p last=16 flip=6 deck=4+1")
    legal = [a for a in table.legal_actions() if a.startswith("shortcut")]
    # Not 1 (behind the last), not on camels, not 12 (half of a flipped card), not the finish.
    assert legal == [f"shortcut {s}" for s in (3, 4, 6, 8, 10, 11, 13, 14, 16)]
    for event, rule in [
        ("shortcut 1", "C6"),
        ("fennec 5", "C6"),
        ("fennec 12", "C4"),
        ("fennec 17", "C6"),
        ("fennec 0", "C6"),
    ]:
        with pytest.raises(co.EventError, match=rule):
            table.after(event)
    placed = table.after("shortcut 10").after("done").after("fennec 11")  # no adjacency rule
    assert placed.position.tiles == {10: co.Tile(1, "P1"), 11: co.Tile(-1, "P2")}
    assert placed.markers_of("P1") == [10]
    assert not placed.hands["P1"].shortcut
    assert placed.hands["P1"].fennec
    taken = placed.after("done")
    with pytest.raises(co.EventError, match="used the shortcut token"):
        taken.after("shortcut 13")
    with pytest.raises(co.EventError, match="lies on space 11"):
        taken.after("fennec 13")


def test_C6_a_marker_goes_home_and_is_placed_again() -> None:
    table = game("2:y 5:b 7:Kg 9:r 15:p last=16 deck=4+1")
    table = table.after("shortcut 10").after("done").after("reveal r1").after("done")
    assert table.position.tiles == {}
    assert table.position.stacks[11] == "r"
    assert not any(a.startswith("shortcut") for a in table.legal_actions())  # P1 has no token
    table = table.after("reveal y1").after("done").after("shortcut 10")
    assert table.position.tiles == {10: co.Tile(1, "P2")}


def test_markers_at_the_start_use_up_tokens() -> None:
    table = game("5:by 7:Kg 9:r 10:p 12+@P2 last=16 deck=4+1")
    assert (table.hands["P2"].shortcut, table.hands["P1"].shortcut) == (False, True)


# C9: bets.


def test_C9_tickets_and_third_place_cards() -> None:
    table = game(QUIET, 2)
    for worth in (5, 3, 2, 2):
        table = table.after("ticket b").after("reveal p1" if worth > 2 else "reveal g1")
        worths = [t.worth for held in table.held.values() for t in held.tickets]
        assert worth in worths
    with pytest.raises(co.EventError, match="no blue ticket is left"):
        table.after("ticket b")
    table = game(QUIET, 2).after("third b").after("reveal p1")
    assert table.held["P1"].third == ("b",)
    with pytest.raises(co.EventError, match="P1 has the blue third-place card"):
        table.after("third b")
    assert "third y" in table.legal_actions()


def test_C9_race_cards_are_exchanged() -> None:
    table = game(QUIET, 2).after("winner b").after("reveal p1")
    with pytest.raises(co.EventError, match="P1 has this card"):
        table.after("winner b")
    table = table.after("last b").after("reveal p1").after("winner y").after("reveal p1")
    assert table.piles["winner"] == (co.Bet("P1", "y"),)  # the blue one went back
    assert "winner b" in table.legal_actions()
    assert table.piles["last"] == (co.Bet("P2", "b"),)


# C10 to C13: the ends.


def test_C10_the_round_ends_with_the_last_card() -> None:
    table = game("5:by 7:Kg 9:r 10:p 12+@P2 last=16 deck=1+0 known=b2 pool=p10", 3)
    table = table.after("third r").after("reveal b2")
    assert table.to_move == "P2"  # left of who revealed the last card; no bet after it
    assert table.acted == ()
    assert table.leg_starter == "P2"
    assert table.position.deck == co.Deck.full(co.CARDS, 3)
    assert table.position.tiles == {}
    assert dict(table.coins) == {"P1": 3 + 1, "P2": 3 - 1, "P3": 3}  # r second; the shortcut lies
    assert all(hand == co.Hand() for hand in table.hands.values())
    assert all(held == co.Held() for held in table.held.values())


def test_C11_a_scoring_of_six() -> None:
    # p leads, then r, g, y, b. 5 (p) + 1 (r3) + 1 (r2) + 1 (third: r) - 1 (b) - 1 (fennec) = 6
    held = {
        "P1": {"tickets": ["p5", "r3", "r2", "b5"], "third": ["r"]},
        "P2": {"tickets": ["r5"]},
    }
    table = game(
        "5:by 7:g 9:r 11:Kp 12-@P1 last=16 deck=1+0 known=b1 pool=p10",
        held=held,
        coins=0,
    )
    table = table.after("reveal b1")
    assert dict(table.coins) == {"P1": 6, "P2": 1}


@pytest.mark.parametrize(
    ("coins", "held", "after"),
    [
        (0, {"tickets": ["p5", "b5", "y5"]}, 3),
        (0, {"tickets": ["b5", "y5"]}, 0),  # net, then floored
        (1, {"tickets": ["b5", "y5"]}, 0),
        (2, {"third": ["g"]}, 4),
        (2, {"third": ["y", "r"]}, 4),
        (2, {"third": ["p", "b"]}, 0),
    ],
)
def test_C11_tickets_and_third_place_cards(coins: int, held: object, after: int) -> None:
    table = game(
        "4:b 5:y 7:g 9:r 11:Kp last=16 deck=0+1 crazy=100",
        coins=coins,
        held={"P1": held},
    ).after("reveal K0")
    assert table.coins["P1"] == after


def test_C12_the_race_ends_by_a_face_up_card() -> None:
    piles = {
        "winner": [{"player": "P1", "camel": "p"}, {"player": "P2", "camel": "r"}],
        "last": [{"player": "P1", "camel": "y"}, {"player": "P2", "camel": "b"}],
    }
    table = game("4:b 5:y 7:g 15:Kr 16:p 6-@P2 last=16 deck=5+1", piles=piles)
    table = table.after("deal P2 p1").after("ticket p").after("card P2")
    assert table.over
    assert table.settled
    assert table.legal_actions() == ()
    # P1: 3 - 1 for the card, 5 for the ticket, 7 - for p first - and 3 for y fourth.
    # P2: 3 + 1, -1 for the fennec card, 3 for r second and 7 for b last.
    assert dict(table.coins) == {"P1": 3 - 1 + 5 + 7 + 3, "P2": 3 + 1 - 1 + 3 + 7}
    assert table.winners == ("P1",)
    with pytest.raises(co.EventError, match="F11"):
        table.after("reveal b1")


def test_C12_floors_after_each_of_the_two_steps() -> None:
    piles = {"winner": [{"player": "P1", "camel": "b"}], "last": [{"player": "P1", "camel": "g"}]}
    held = {"P1": {"tickets": ["b5", "y5"]}}
    text = "4:b 5:y 7:g 15:Kr 16:p last=16 deck=1+0 known=p1 pool="
    table = game(text, piles=piles, held=held, coins=1)
    assert table.after("reveal p1").coins["P1"] == 0
    piles = {"winner": [{"player": "P1", "camel": "r"}], "last": [{"player": "P1", "camel": "g"}]}
    table = game(text, piles=piles, held=held, coins=1)
    assert table.after("reveal p1").coins["P1"] == 2  # 1 - 2 floored, then 3 - 1


def test_C13_all_before_the_banner_are_last() -> None:
    piles = {"last": [{"player": "P1", "camel": "b"}, {"player": "P2", "camel": "y"}]}
    held = {"P1": {"third": ["b"]}, "P2": {"tickets": ["y5"]}}
    table = game("0:by 15:Kgr 16:p last=16 deck=1+0 known=p1 pool=", piles=piles, held=held)
    table = table.after("reveal p1")
    assert dict(table.coins) == {"P1": 3 - 1 + 7, "P2": 3 - 1 + 7}


# C14: private knowledge.


def test_C14_what_a_player_knows() -> None:
    table = game("5:by 7:Kg 9:r 10:p last=16 deck=8+2", 4).after("hand P1 b1y1 g1g1r2")
    seen = table.seen_by("P1").deck
    assert (seen.known, seen.unknown, sum(seen.pool.values())) == (("b1", "y1"), 6, 25)
    assert seen.pool["g1"] == 3
    assert "r2" not in seen.pool
    assert table.seen_by("P2") == table.position
    after = table.after("reveal b1")
    assert after.hands["P1"].added == ("y1",)
    assert after.seen_by("P1").deck.known == ("y1",)
    assert table.after("reveal p1").hands["P1"].added == ("b1", "y1")
    dealt = table.after("deal P2 p2")
    assert "p2" not in dealt.position.deck.pool
    for event, rule in [
        ("hand P1 b1 g1", "C14"),
        ("hand P2 b1b1b1 g1", "C2"),
        ("hand P2 b1 g1g1g1g1", "C2"),
        ("hand P2 b3 g1", "C1"),
        ("hand P2 b2b2 -", "C14"),
        ("deal P9 b1", ""),
    ]:
        with pytest.raises(co.EventError) as error:
            table.after(event)
        assert error.value.problems[0].rule == rule
    table = game("5:by 7:Kg 9:r 10:p last=16 deck=8+2", 4).after("hand P1 b2 g2")
    for event in ("reveal g2", "deal P3 g2", "deal P3 b2"):
        with pytest.raises(co.EventError, match="unseen cards"):
            table.after(event)
    assert table.after("reveal b2").hands["P1"].added == ()
    with pytest.raises(co.EventError, match="face-up card in this round"):
        dealt.after("deal P2 b1")
    with pytest.raises(co.OptionError):
        table.seen_by("P7")


# Forms and faults.


@pytest.mark.parametrize(
    "text",
    [
        "reveal", "reveal r2", "reveal K0", "card P3", "shortcut 8", "fennec 5", "ticket b",
        "third b", "winner g", "last o", "done", "deal P3 r2", "hand P1 b1y1 g1", "hand P1 - g1",
        "hand P1 b1 -",
    ],
)  # fmt: skip
def test_events_read_back(text: str) -> None:
    assert str(read_event(text, co.CARDS)) == text


@pytest.mark.parametrize(
    "text", ["roll", "tile 5+", "card", "shortcut x", "deal P1", "hand P1 zz q"]
)
def test_events_that_are_no_events(text: str) -> None:
    with pytest.raises(co.EventError):
        read_event(text, co.CARDS)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"acted": ["ticket", "third"]}, "C5"),
        ({"acted": ["roll"]}, "C5"),
        ({"hands": {"P1": {"face_up": "b9"}}}, "C1"),
        ({"hands": {"P1": {"added": ["b1", "b1", "b1", "b1"]}}}, "C2"),
        ({"hands": {"P1": {"face_up": "b2"}}}, "C14"),
        ({"piles": {"winner": [("P1", "b"), ("P2", "b")]}}, "C9"),
        ({"piles": {"winner": [("P1", "b"), ("P1", "y")]}}, "C9"),
        ({"held": {"P1": {"third": ["b"]}, "P2": {"third": ["b"]}}}, "C9"),
    ],
)
def test_faults_of_games(fields: dict[str, object], rule: str) -> None:
    with pytest.raises(co.GameError) as error:
        game("5:by 7:Kg 9:r 10:p last=14 deck=6+2", 2, **fields)
    assert rule in [problem.rule for problem in error.value.problems]


# Random games.


def dealt(table: co.Game, rng: random.Random) -> list[str]:
    """Events that put a card face up before everybody who has had none."""
    events = []
    pool = dict(table.position.deck.pool)
    for player, hand in table.hands.items():
        if not hand.dealt:
            card = rng.choice([card for card, n in pool.items() for _ in range(n)])
            pool[card] -= 1
            events.append(f"deal {player} {card}")
    return events


def choose(table: co.Game, rng: random.Random) -> str:
    """A legal event, kinds first, so that games end."""
    edition = table.edition
    used = [edition.group_of(kind) for kind in table.acted]
    kinds = [kind for i, kinds in enumerate(edition.turn) if i not in used for kind in kinds]
    kinds += ["reveal"] * 3 if 0 not in used else ["done"] * 4
    rng.shuffle(kinds)
    for kind in kinds:
        events = [Event("done")] if kind == "done" else candidates(table, kind)
        legal = [event for event in rng.sample(events, len(events)) if not faults_of(table, event)]
        if legal and kind == "reveal":
            cards = [c for c, n, _ in table.position.deck.draws("K") for _ in range(n)]
            return next(
                f"reveal {card}"
                for card in rng.sample(cards, len(cards))
                if not faults_of(table, Event("reveal", card[0], int(card[1])))
            )
        if legal:
            return str(legal[0])
    raise AssertionError("no legal action")


def test_a_legal_action_of_every_kind_is_listed() -> None:
    rng = random.Random(3)
    table = co.Game.start(co.CARDS, 3, seed=3)
    for _ in range(60):
        if table.over:
            break
        event = choose(table, rng)
        action = "reveal" if event.startswith("reveal") else event
        assert action in table.legal_actions()
        table = table.after(event)


def check(table: co.Game, slow: Table) -> None:
    position = table.position
    start = position.stacks.get(0, "")
    assert {s: c for s, c in position.stacks.items() if s} == dict(
        sorted(slow.round_.stacks.items())
    )
    assert sorted(start) == sorted(slow.round_.start)
    assert dict(table.coins) == {name: player.coins for name, player in slow.players.items()}
    assert table.over == slow.over
    if table.over:
        return
    assert table.to_move == slow.to_move
    marked = {1: slow.round_.shortcut, -1: slow.round_.fennec}
    assert position.tiles == {
        space: co.Tile(sign, owner)
        for sign, space in marked.items()
        if space is not None
        for owner, player in slow.players.items()
        if {1: "shortcut", -1: "fennec"}[sign] in player.markers
    }
    assert (position.last_space, position.flipped) == (
        slow.round_.last_space,
        slow.round_.flipped_cards,
    )
    for name, player in slow.players.items():
        hand = table.hands[name]
        assert hand.face_up == player.face_up
        assert (hand.shortcut, hand.fennec) == tuple(
            m in player.tokens for m in ("shortcut", "fennec")
        )


def play(seed: int, players: int) -> int:
    rng = random.Random(seed)
    table = co.Game.start(co.CARDS, players, seed=seed)
    slow = Table(
        naive_cards.load_round(table.position.to_dict()),
        {name: Player(face_up=table.hands[name].face_up) for name in table.players},
        table.players[0],
    )
    steps = 0
    while not table.over:
        for event in [*dealt(table, rng), None]:
            event = event or choose(table, rng)
            left = table.position.deck.left
            table = table.after(event)
            slow.play(event, left)
            check(table, slow)
            steps += 1
    held = sum(coins for coins in table.coins.values() if coins is not None)
    assert held == 3 * players + slow.bank  # only scorings bring money in
    assert table.winners
    assert steps < 2000
    return steps


@pytest.mark.parametrize("players", range(2, 7))
def test_random_games_equal_the_literal_table(players: int) -> None:
    for seed in range(6):
        play(seed, players)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 7))
def test_ten_thousand_random_games(players: int) -> None:
    for seed in range(2000):
        play(1000 + seed, players)


def test_games_read_back() -> None:
    rng = random.Random(5)
    table = co.Game.start(co.CARDS, 4, seed=5).after("hand P2 - b1")
    for _ in range(60):
        if table.over:
            break
        assert co.Game.from_json(table.to_json()) == table
        assert pickle.loads(pickle.dumps(table)) == table
        assert co.Game.problems(table) == []
        for event in dealt(table, rng):
            table = table.after(event)
        table = table.after(choose(table, rng))


def test_a_game_of_cards_as_text() -> None:
    table = game(QUIET, 2).after("deal P1 g1").after("third b").after("fennec 12")
    text = str(table)
    assert "face up" in text
    assert "3rd b" in text
    assert "12-" in text
    log = co.GameLog(game(QUIET, 2), ["deal P1 g1", "third b", "fennec 12", "reveal b1", "undo"])
    assert co.GameLog.parse(str(log)) == log
    assert log.game == table
