"""Whole games: reading, legal actions, what every event does; by rule id."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import camelodds as co
from camelodds.actions import read_event
from camelodds.game_forms import FIELDS
from camelodds.scoring import pile_pays, settle_pile
from tests import naive, naive_games

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data/cases/values.json").read_text()
)


def names(n: int) -> list[str]:
    return [f"P{i + 1}" for i in range(n)]


def game(text: str, edition: str = "first", **fields: Any) -> co.Game:
    fields.setdefault("players", 4)
    return co.Game(co.Position.parse(text, edition), **fields)


def play(start: co.Game, *events: str) -> co.Game:
    for event in events:
        start = start.after(event)
    return start


# Forms


@pytest.mark.nojit
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_cases_load_as_they_stand(case: dict[str, Any]) -> None:
    loaded = co.Game.from_dict(case)
    assert co.Game.problems(case) == []
    written = loaded.to_dict()
    for field in ("edition", "players", "to_move", "coins", "tickets_left", "held", "piles"):
        assert written[field] == case[field]
    assert co.Position.parse(case["position"], case["edition"]) == loaded.position
    assert co.Game.from_json(loaded.to_json()) == loaded
    assert pickle.loads(pickle.dumps(loaded)) == loaded
    expected = {action["action"] for action in case["actions"]}
    legal = set(co.legal_actions(loaded))
    if not case["overall_bets_valued"]:
        legal = {action for action in legal if action.split()[0] not in ("winner", "last")}
    assert legal == expected


def test_bare_position_is_a_game() -> None:
    p = co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+")
    g = co.Game.start(co.FIRST, players=4, position=p)
    assert g.players == ("P1", "P2", "P3", "P4")
    assert g.to_move == "P1"
    assert all(left == (5, 3, 2) for left in g.tickets_left.values())
    assert all(held == co.Held() for held in g.held.values())
    assert g.piles == {"winner": (), "last": ()}
    assert co.Game(p) == co.Game.from_dict({"position": str(p)})


def test_position_as_fields() -> None:
    p = co.Position.parse("3:ob 4:g 6:y 7:w 5-@P2 dice=bw")
    g = co.Game.from_dict({"edition": "first", "position": p.to_dict(), "players": 2})
    assert g.position == p
    assert g.tile_of("P2") == 5


def test_every_problem_at_once() -> None:
    found = co.Game.problems(
        {
            "edition": "second",
            "position": "1:bygrp 14:WK 5-@P9 7+ 9+ 11+ dice=byg",
            "players": ["P1", "P2", "P3"],
            "to_move": "P7",
            "coins": {"P1": -2, "X": 4},
            "tickets_left": {"b": [3, 5], "y": [5, 3, 2, 2]},
            "held": {"P1": {"tickets": ["y5", "r4", "q5", "p3"], "pyramid": 9}},
            "piles": {
                "winner": [{"player": "P1", "camel": "b"}, {"player": "P1", "camel": "w"}],
                "last": [{"player": "P1", "camel": "b"}, {"player": "P9", "camel": None}],
            },
            "partners": {"P1": "P2"},
            "to_mov": "P1",
        }
    )
    text = "\n".join(map(str, found))
    for expected in (
        "'to_mov': unknown field - is it to_move?",
        "to_move: P7: no such player",
        "coins: X: no such player",
        "coins: P1: -2: nobody holds less than 0 [F9]",
        "no player 'P9' has a tile [F3]",
        "4 tiles, but 3 players [F3]",
        "tickets_left: b: [3, 5]: no such stack",
        "ticket y5: 2 of them, left and held, but there are 1 [F3]",
        "no ticket is worth 4",
        "no racing camel 'q'",
        "tickets of p: held [3], which are not the top ones [F3]",
        "9 held, but 3 dice are out [F3]",
        "no racing camel 'w'",
        "last 1: P1 b: used a second time, first in winner 1 [F13]",
        "last 2: P9 ?: no such player",
        "they exist with 6 players or more [S10]",
        "P1: P2: the other one is not the partner",
    ):
        assert expected in text


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "1:gyo 3:bw",
        {},
        {"position": 3},
        {"position": None},
        {"position": "1:gyo 3:bw", "players": "four"},
        {"position": "1:gyo 3:bw", "players": [1, 2]},
        {"position": "1:gyo 3:bw", "players": 1},
        {"position": "1:gyo 3:bw", "players": 10**9},
        {"position": "1:gyo 3:bw", "players": ["A B", "C"]},
        {"position": "1:gyo 3:bw", "players": ["A", "A"]},
        {"position": "1:gyo 3:bw", "players": ["A:1", "B"]},
        {"position": "1:gyo 3:bw", "players": ["A" * 41, "B"]},
        {"position": "1:gyo 3:bw", "edition": "third"},
        {"position": "1:gyo 3:bw", "to_move": 1},
        {"position": "1:gyo 3:bw", "coins": "many"},
        {"position": "1:gyo 3:bw", "coins": {"P1": 1.5}},
        {"position": "1:gyo 3:bw", "coins": {"P1": True}},
        {"position": "1:gyo 3:bw", "tickets_left": {"b": 5}},
        {"position": "1:gyo 3:bw", "tickets_left": {"b": [5, "3"]}},
        {"position": "1:gyo 3:bw", "held": {"P1": "b5"}},
        {"position": "1:gyo 3:bw", "held": {"P1": {"tickets": ["5b"]}}},
        {"position": "1:gyo 3:bw", "held": {"P1": {"ticket": ["b5"]}}},
        {"position": "1:gyo 3:bw", "held": {"P1": {"pyramid": -1}}},
        {"position": "1:gyo 3:bw dice=", "players": 2},
        {"position": "1:gyo 3:bw", "piles": {"first": []}},
        {"position": "1:gyo 3:bw", "piles": {"last": ["b"]}},
        {"position": "1:gyo 3:bw", "piles": {"last": [{"player": "P1", "camel": 3}]}},
        {"position": "1:gyo 3:bw", "piles": {"last": [{"player": "P1"}] * 6}},
        {"position": "1:gyo 3:bw", "partners": {"P1": "P2", "P2": "P1"}, "players": 6},
        {"position": "1:gyo 3:bw", "partners": {"P1": 3}},
    ],
)
def test_bad_games_are_refused(data: Any) -> None:
    assert co.Game.problems(data)
    with pytest.raises(co.GameError):
        co.Game.from_dict(data)


@pytest.mark.parametrize("name", ["Ann-Bob", "5+", "dice=b", "Zoé", "roll", "−", "A" * 40])
def test_names_are_kept(name: str) -> None:
    g = game("1:gyo 3:bw", players=[name, "B"]).after("tile 6-").after("tile 8+")
    assert g.tile_of(name) == 6
    assert co.Game.from_json(g.to_json()) == g
    assert co.GameLog.parse(str(co.GameLog(g, ["roll w1"]))).start == g


def test_bad_json_is_refused() -> None:
    with pytest.raises(co.GameError, match="cannot be read"):
        co.Game.from_json("{")
    with pytest.raises(co.GameError, match="not a Position"):
        co.Game("1:gyo 3:bw")  # type: ignore[arg-type]


# Legal actions


def test_F3_a_colour_without_tickets_is_no_choice() -> None:
    g = game("1:gyo 3:bw", held={"P2": {"tickets": ["w5", "w3", "w2"]}})
    assert "ticket w" not in g.legal_actions()
    with pytest.raises(co.EventError, match=r"no white ticket is left \[F3\]"):
        g.after("ticket w")


def test_F4_tile_spaces() -> None:
    g = game("4:g 6:yb 7:w 11:o 2+@P2 13-@P1 dice=w")
    spaces = {a for a in g.legal_actions() if a.startswith("tile")}
    # Not 1; 2 and 3 for P2's tile; camels on 4, 6, 7, 11; the own tile's space, but next to it.
    expected = {f"tile {s}{sign}" for s in (5, 8, 9, 10, 12, 14, 15, 16) for sign in "+-"}
    assert spaces == expected


def test_F4_16_and_2_are_no_neighbours() -> None:
    assert "tile 16+" in game("4:g 6:yb 7:w 11:o 2+@P2").legal_actions()


def test_F4_refusals() -> None:
    g = game("4:g 6:yb 7:w 11:o 2+@P2 13-@P1")
    for event, why in {
        "tile 1+": "no tile may lie on space 1",
        "tile 17+": "no tile may lie on space 17",
        "tile 4-": "a camel stands there",
        "tile 3-": "next to the tile on space 2",
        "tile 2-": "a tile lies there",
        "tile 13+": "moves to a different space",
    }.items():
        with pytest.raises(co.EventError, match=why) as error:
            g.after(event)
        assert error.value.problems[0].rule == "F4"


def test_F4_own_tile_blocks_as_an_option() -> None:
    edition = co.FIRST.with_options(own_tile_blocks=True)
    g = co.Game(co.Position.parse("4:g 6:yb 7:w 11:o 13-@P1", edition))
    assert "tile 14+" not in g.legal_actions()
    assert "tile 15+" in g.legal_actions()


def test_F4_whose_tile_must_be_known_when_all_are_out() -> None:
    g = game("4:g 6:yb 7:w 11:o 2+ 13-", players=2)
    assert not [a for a in g.legal_actions() if a.startswith("tile")]
    with pytest.raises(co.EventError, match="everybody's tile is on the track"):
        g.after("tile 9+")


def test_F4_tile_moves_next_to_its_own_old_space() -> None:
    g = game("4:g 6:yb 7:w 11:o 13-@P1").after("tile 14+")
    assert dict(g.position.tiles) == {14: co.Tile(1, "P1")}


def test_F13_a_card_is_used_once() -> None:
    piles = {"winner": [{"player": "P1", "camel": "g"}]}
    g = game("1:gyo 3:bw", piles=piles)
    assert not {"winner g", "last g"} & set(g.legal_actions())
    for event in ("winner g", "last g"):
        with pytest.raises(co.EventError, match=r"P1 has used the green card \[F13\]"):
            g.after(event)
    assert "winner g" in g.after("ticket b").legal_actions()


def test_F13_five_cards_each() -> None:
    piles = {"winner": [("P1", None)] * 3, "last": [("P1", None)] * 2}
    g = game("1:gyo 3:bw", piles=piles)
    assert not {a for a in g.legal_actions() if a.split()[0] in ("winner", "last")}
    with pytest.raises(co.EventError, match="no card left"):
        g.after("winner ?")


def test_S10_partners() -> None:
    text = "2:b 4:y 5:g 6:r 8:p 14:KW"
    assert not [a for a in game(text, "second", players=5).legal_actions() if "partner" in a]
    g = game(text, "second", players=7, partners={"P2": "P4", "P4": "P2"})
    partners = {a for a in g.legal_actions() if a.startswith("partner")}
    assert partners == {"partner P3", "partner P5", "partner P6", "partner P7"}
    for event in ("partner P1", "partner P2", "partner P9"):
        with pytest.raises(co.EventError):
            g.after(event)
    g = g.after("partner P3")
    assert g.partners["P1"] == "P3"
    assert g.partners["P3"] == "P1"
    assert not [a for a in g.after("roll b1").legal_actions() if "partner" in a]
    with pytest.raises(co.EventError, match="no such event"):
        game("1:gyo 3:bw", players=7).after("partner P3")


@pytest.mark.parametrize(
    "event",
    ["", "pass", "roll", "roll w4", "roll r1", "ticket", "ticket q", "tile 5", "tile x+", "winner",
     "roll w1 b2", "show winner g", None, 3, "ticket " + "b" * 1000],
)  # fmt: skip
def test_bad_events_are_refused(event: Any) -> None:
    g = game("1:gyo 3:bw")
    with pytest.raises(co.EventError):
        g.after(event)


# Scoring


@pytest.mark.parametrize(
    ("colours", "right", "pays"),
    [
        # The printed examples (F13).
        ("ybww", "w", [-1, -1, 8, 5]),
        ("wyowww", "w", [8, -1, -1, 5, 3, 2]),
        ("wyoww", "w", [8, -1, -1, 5, 3]),
        ("wwwwww", "w", [8, 5, 3, 2, 1, 1]),
    ],
)
def test_F13_ladder(colours: str, right: str, pays: list[int]) -> None:
    pile = [co.Bet(f"P{i + 1}", colour) for i, colour in enumerate(colours)]
    assert pile_pays(co.FIRST, pile, right) == pays


def test_F13_floor_after_each_card() -> None:
    pile = [co.Bet("P1", "b"), co.Bet("P1", "w")]
    assert settle_pile(co.FIRST, {"P1": 0}, pile, "w") == {"P1": 8}
    netted = co.FIRST.with_options(floor_after_net=True)
    assert settle_pile(netted, {"P1": 0}, pile, "w") == {"P1": 7}


def test_F13_winner_pile_before_the_loser_pile() -> None:
    # P1 has nothing: the wrong winner card costs nothing, since it comes first; then 8.
    g = game(
        "16:w 3:ob 4:gy dice=w",
        coins={"P1": 0, "P2": 1, "P3": 0, "P4": 0},
        to_move="P4",
        piles={"winner": [("P1", "b"), ("P2", "w")], "last": [("P1", "o"), ("P2", "g")]},
    )
    end = g.after("roll w1")
    assert end.settled
    assert end.coins == {"P1": 8, "P2": 1 + 8 - 1, "P3": 0, "P4": 1}
    assert end.winners == ("P1", "P2")  # F15: they share
    assert end.legal_actions() == ()
    with pytest.raises(co.EventError, match="the race is over"):
        end.after("ticket b")


def test_F8_F9_floor_on_the_net() -> None:
    # 0 coins, a -1 and a +5: 4, not 5.
    g = game(
        "5:b 6:y 7:g 8:o 9:w dice=w",
        coins=0,
        held={"P2": {"tickets": ["w5", "b5"]}, "P3": {"tickets": ["b3"]}},
    )
    after = g.after("roll w1")
    assert after.coins == {"P1": 1, "P2": 4, "P3": 0, "P4": 0}


def test_F8_two_tickets_of_one_camel() -> None:
    g = game("5:b 6:y 7:g 8:o 9:w dice=w", coins=3, held={"P2": {"tickets": ["o5", "o3"]}})
    assert g.after("roll w1").coins["P2"] == 3 + 1 + 1
    g = game("5:b 6:y 7:g 8:w 9:o dice=b", coins=3, held={"P2": {"tickets": ["o5", "o3"]}})
    assert g.after("roll b1").coins["P2"] == 3 + 5 + 3


def test_F10_the_next_leg() -> None:
    g = game(
        "5:b 6:y 7:g 8:o 9:w 12+@P3 dice=w",
        coins=3,
        to_move="P3",
        held={"P1": {"tickets": ["w5"], "pyramid": 4}},
    ).after("roll w2")
    assert str(g.position) == "5:b 6:y 7:g 8:o 11:w"
    assert g.to_move == g.leg_starter == "P4"
    assert g.coins == {"P1": 3 + 5 + 4, "P2": 3, "P3": 4, "P4": 3}
    assert g.tickets_left["w"] == (5, 3, 2)
    assert all(held == co.Held() for held in g.held.values())


def test_F7_a_pyramid_ticket_pays_at_the_scoring() -> None:
    g = game("5:b 6:y 7:g 8:o 9:w dice=wb", coins=3).after("roll w1")
    assert g.coins["P1"] == 3
    assert g.held["P1"].pyramid == 1
    assert g.after("roll b1").coins == {"P1": 4, "P2": 4, "P3": 3, "P4": 3}


def test_M3_tile_coins_per_unit_at_once() -> None:
    # Three camels land on it together: one coin, before the leg is scored.
    g = game("5:bog 8:y 9:w 6+@P4", coins=3).after("roll b1")
    assert g.coins == {"P1": 3, "P2": 3, "P3": 3, "P4": 4}
    assert g.position.stacks[7] == "bog"


def test_F11_the_fifth_die_crosses_one_scoring() -> None:
    g = game(
        "5:b 6:y 7:g 8:o 16:w 3-@P2 dice=w",
        coins=3,
        held={"P2": {"tickets": ["w5"], "pyramid": 3}},
    ).after("roll w3")
    # Once 5 + 3 for P2; once the roller's pyramid ticket.
    assert g.coins == {"P1": 4, "P2": 11, "P3": 3, "P4": 3}
    assert g.over
    assert not g.position.tiles
    assert g.winners == ("P2",)


def test_F11_the_race_ends_in_the_middle_of_a_leg() -> None:
    g = game("5:b 6:y 7:g 15:o 16:w", coins=3, held={"P3": {"tickets": ["o5", "w5"]}})
    end = g.after("roll o2")
    assert end.position.outcome == "owgyb"
    assert end.coins == {"P1": 4, "P2": 3, "P3": 3 + 5 + 1, "P4": 3}


def test_S6_a_crazy_camel_ends_the_race_in_reverse() -> None:
    g = game(
        "1:Wr 5:b 6:y 7:g 8:p 9:K",
        "second",
        coins=3,
        piles={"last": [("P1", "r"), ("P2", "b")]},
        held={"P3": {"tickets": ["p5"]}},
    ).after("roll W1")
    assert g.over
    assert g.coins == {"P1": 3 + 1 + 8, "P2": 2, "P3": 8, "P4": 3}


def test_S1_the_leg_ends_with_five_of_six_dice() -> None:
    g = game("5:b 6:y 7:g 8:r 9:p 12:W 14:K dice=p*", "second", coins=3)
    after = g.after("roll K1")
    assert after.position.dice == "bygrp*"
    assert after.coins["P1"] == 4


def test_S10_a_partner_copies_one_ticket() -> None:
    fields: dict[str, Any] = {
        "players": 6,
        "coins": 3,
        "partners": {"P1": "P2", "P2": "P1"},
        "held": {
            "P1": {"tickets": ["p5"], "pyramid": 1},
            "P2": {"tickets": ["b5", "r5"]},
        },
    }
    g = game("5:b 6:y 7:g 8:r 9:p 12:W 14:K dice=yp", "second", **fields).after("roll y1")
    # P1: own 5 + 1 + the roll's 1, and P2's second place; P2: -1 + 1, and P1's best, 5.
    assert g.coins["P1"] == 3 + 5 + 1 + 1 + 1
    assert g.coins["P2"] == 3 - 1 + 1 + 5
    assert not g.partners


def test_S10_copying_is_optional() -> None:
    fields: dict[str, Any] = {
        "players": 6,
        "coins": 3,
        "to_move": "P3",
        "partners": {"P1": "P2", "P2": "P1"},
        "held": {"P2": {"tickets": ["b5"]}},
    }
    g = game("5:b 6:y 7:g 8:r 9:p 12:W 14:K dice=yp", "second", **fields).after("roll y1")
    assert g.coins["P1"] == 3  # not the -1
    assert g.coins["P2"] == 2  # nothing to copy


def test_unknown_coins_stay_unknown() -> None:
    g = game("16:w 3:ob 4:gy 2+ dice=w", coins={"P1": 3, "P2": None})
    end = g.after("roll w1")
    assert end.coins == {"P1": 4, "P2": None, "P3": None, "P4": None}
    assert end.settled
    assert end.winners == ()


def test_F13_hidden_cards_are_shown_after_the_race() -> None:
    g = game("16:w 3:ob 4:gy", coins=3, to_move="P2").after("winner ?").after("last o")
    g = g.after("winner w").after("winner ?")
    with pytest.raises(co.EventError, match="face down"):
        g.after("show winner w")
    end = g.after("roll w1")
    assert end.over
    assert not end.settled
    assert end.coins["P4"] == 3
    with pytest.raises(co.EventError, match="no card of this pile is hidden"):
        end.after("show last w")
    end = end.after("show winner b").after("show winner w")
    assert end.settled
    # P2 wrong, P4 first, P1 second correct; P3 the loser; P2 took the last pyramid ticket.
    assert end.coins == {"P1": 3 + 5, "P2": 3 + 1 - 1, "P3": 3 + 8, "P4": 3 + 8}


def test_F13_a_shown_card_cannot_be_used_twice() -> None:
    piles = {"winner": [("P1", None)], "last": [("P1", "w")]}
    end = game("16:w 3:ob 4:gy", piles=piles).after("roll w1")
    with pytest.raises(co.EventError, match="P1 has used the white card"):
        end.after("show winner w")


def test_M6_the_game_does_not_change() -> None:
    g = game("16:w 3:ob 4:gy 2+@P2", coins=3)
    before = g.to_dict()
    g.after("roll w1")
    g.after("tile 5-")
    assert g.to_dict() == before
    with pytest.raises(TypeError):
        g.coins["P1"] = 5  # type: ignore[index]


# Against the slow reference, to the end


def compare(g: co.Game, table: naive_games.Table) -> None:
    assert dict(g.coins) == table.coins
    assert dict(g.position.stacks) == table.stacks
    assert sorted(g.position.dice) == sorted(table.dice)
    assert {t.owner: (s, t.sign) for s, t in g.position.tiles.items()} == table.tiles
    assert g.over == table.over
    if table.over:
        return
    assert g.to_move == table.to_move
    assert {c: list(left) for c, left in g.tickets_left.items()} == table.left
    for player in g.players:
        assert [tuple(t) for t in g.held[player].tickets] == table.tickets[player]
        assert g.held[player].pyramid == table.pyramid[player]
    for pile, bets in g.piles.items():
        assert [tuple(bet) for bet in bets] == table.piles[pile]
    assert dict(g.partners) == table.partners


def random_game(edition: co.Edition, rng: random.Random, *, check: bool) -> int:
    """Play to the end; `check` compares everything after every event."""
    players = names(rng.randint(*edition.players))
    g = co.Game.start(edition, players, seed=rng.randrange(10**9))
    table = naive_games.start(edition.name, g.position.stacks, players, edition.coins)
    money = sum(table.coins.values())  # type: ignore[union-attr]
    events = 0
    while not g.over:
        if check:
            legal = g.legal_actions()
            assert set(legal) == naive_games.legal(table)
            assert len(legal) == len(set(legal))
        kind = rng.choice(("roll", "roll", "ticket", "tile", "winner", "last", "partner"))
        actions = [a for a in co.actions.legal_events(g) if a.kind == kind]
        event = str(rng.choice(actions)) if actions else "roll"
        if event == "roll":
            die = rng.choice(g.position.dice)
            event = f"roll {rng.choice('WK') if die == '*' else die}{rng.randint(1, 3)}"
        g = g.after(event)
        naive_games.play(table, event)
        events += 1
        if check:
            compare(g, table)
            assert co.Game.problems(g) == []
        # Everything that anybody has came from the bank.
        assert sum(c or 0 for c in g.coins.values()) + table.bank == money
        assert min(c or 0 for c in g.coins.values()) >= 0
    compare(g, table)
    assert g.settled
    assert g.winners == tuple(p for p in players if g.coins[p] == max(table.coins.values()))  # type: ignore[union-attr]
    return events


@pytest.mark.parametrize("edition", [co.FIRST, co.SECOND], ids=str)
def test_random_games_to_the_end(edition: co.Edition) -> None:
    rng = random.Random(7)
    assert sum(random_game(edition, rng, check=True) for _ in range(60)) > 2_000


@pytest.mark.nojit
def test_one_random_game_each() -> None:
    for edition in (co.FIRST, co.SECOND):
        random_game(edition, random.Random(1), check=True)


@pytest.mark.slow
@pytest.mark.parametrize("edition", [co.FIRST, co.SECOND], ids=str)
def test_ten_thousand_random_games(edition: co.Edition) -> None:
    rng = random.Random(2026)
    for n in range(10_000):
        random_game(edition, rng, check=n % 20 == 0)


def test_naive_reference_is_the_one_of_the_positions() -> None:
    """The two references agree on what a leg needs."""
    assert naive.LAST_SPACE == co.FIRST.spaces == co.SECOND.spaces
    assert {e: list(co.EDITIONS[e].tickets) for e in ("first", "second")} == naive_games.TICKETS


# Whatever is written, it is refused with our own errors


SOME_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats()
    | st.sampled_from(["", "b", "by", "b5", "?", "P1", "P2", "winner", "first", "5+", "é", "W"]),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["", "b", "by", "P1", "P2", "winner", "tickets", "player", "camel", "5"]
            ),
            inside,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=300)
@given(
    case=st.sampled_from([CASES[1], CASES[-1]]),
    changes=st.dictionaries(st.sampled_from(FIELDS), SOME_JSON, min_size=1, max_size=2),
)
def test_any_game_is_read_or_refused(case: dict[str, Any], changes: dict[str, Any]) -> None:
    data = case | changes
    found = co.Game.problems(data)
    if found:
        with pytest.raises(co.GameError) as error:
            co.Game.from_dict(data)
        assert error.value.problems == tuple(found)
        assert str(error.value)
    else:
        g = co.Game.from_dict(data)
        assert co.Game.from_json(g.to_json()) == g
        assert g.after(g.legal_actions()[-1]) != g


def test_too_many_coins_are_told_as_such() -> None:
    with pytest.raises(co.GameError, match=r"too many coins - at most 1,000,000"):
        game("1:gyo 3:bw", coins=10**9)


def test_events_are_read_in_full_width_too_and_names_as_they_are() -> None:
    for text in ("roll \uff571", "\uff32\uff4f\uff4c\uff4c w\uff11", "\ufeffroll w1"):
        assert str(read_event(text, co.FIRST)) == "roll w1"
    assert str(read_event("tile \uff11\uff16\uff0b", co.FIRST)) == "tile 16+"
    name = "\uff21\u2013\uff22"
    assert read_event(f"partner {name}", co.SECOND).player == name


@settings(max_examples=300)
@given(
    words=st.lists(
        st.sampled_from(["roll", "ticket", "tile", "winner", "last", "partner", "show", "undo", "b",
                         "by", "b2", "b9", "W1", "?", "5", "5+", "16-", "P1", "P3", "-", "", "é"]),
        max_size=4,
    )
)  # fmt: skip
def test_any_event_is_done_or_refused(words: list[str]) -> None:
    g = co.Game.from_dict(CASES[-1])
    text = " ".join(words)
    try:
        after = g.after(text)
    except co.EventError as error:
        assert str(error)
    else:
        assert after != g
        assert co.Game.problems(after) == []


@pytest.mark.parametrize(
    "event", [co.Event("fly"), co.Event("ticket", "by"), co.Event("ticket", ""), co.Event("tile")]
)
def test_events_made_by_hand_are_checked(event: co.Event) -> None:
    with pytest.raises(co.EventError):
        game("1:gyo 3:bw").after(event)
