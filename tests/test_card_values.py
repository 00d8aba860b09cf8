"""Values of turns and bets of the Card Game against a literal calculation with fractions."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import camelodds as co
from camelodds.results.actions import ActionValues
from tests import naive_cards
from tests.naive_card_games import LOSER, THIRD, WINNER, place
from tests.test_card_game import game

NO_RACE = ["winner", "last"]


class Slow:
    """The rest of a round by the slow reference, for one table."""

    def __init__(self, table: co.Game, round_: naive_cards.Round, owners: dict[str, str]) -> None:
        self.table, self.owners = table, owners
        self.chances: dict[str, Fraction] = {}
        self.lies = dict.fromkeys(owners, Fraction(0))
        over = naive_cards.race_over(round_)
        ends = (
            [naive_cards.Course(round_, 1, True)]
            if over
            else list(naive_cards.courses(round_, None, 1, False))
        )
        total = sum(end.weight for end in ends)
        for end in ends:
            chance = Fraction(end.weight, total)
            outcome = naive_cards.outcome(end.end)
            self.chances[outcome] = self.chances.get(outcome, Fraction(0)) + chance
            for marker in owners:
                if getattr(end.end, marker) is not None:
                    self.lies[marker] += chance

    def income(self, player: str, delta: int = 0, extra: Any = None) -> Fraction:
        """Expected coins after the scoring, less those of now (values.md)."""
        held, coins = self.table.held[player], self.table.coins[player]
        penalty = sum(
            (self.lies[m] for m, owner in self.owners.items() if owner == player), Fraction(0)
        )
        total = Fraction(0)
        for outcome, chance in self.chances.items():
            net = Fraction(delta) - penalty
            for camel, worth in held.tickets:
                net += {1: worth, 2: 1}.get(place(outcome, camel), -1)
            for camel in held.third:
                net += THIRD[place(outcome, camel)]
            if extra is not None:
                net += extra(outcome)
            total += chance * (net if coins is None else max(Fraction(0), coins + net) - coins)
        return total

    def bet(self, player: str, bet: str, delta: int = 0) -> Fraction:
        kind, camel = bet.split()
        worth = self.table.tickets_left[camel][0] if kind == "ticket" else 0

        def pays(outcome: str) -> int:
            if kind == "third":
                return THIRD[place(outcome, camel)]
            return {1: worth, 2: 1}.get(place(outcome, camel), -1)

        return self.income(player, delta, pays) - self.income(player, delta)

    def best(self, player: str, bets: list[str], delta: int = 0) -> Fraction:
        return max([Fraction(0), *(self.bet(player, bet, delta) for bet in bets)])


def slow_values(table: co.Game) -> dict[str, dict[str, Any]]:
    """By action: change of everybody's coins, best bet before, expected best bet after."""
    me = table.to_move
    round_ = naive_cards.load_round(table.seen_by(me).to_dict() | {"markers": marker_spaces(table)})
    names = {1: "shortcut", -1: "fennec"}
    owners = {names[tile.sign]: tile.owner for tile in table.position.tiles.values() if tile.owner}
    now = Slow(table, round_, owners)
    bets = [a for a in table.legal_actions() if a.split()[0] in ("ticket", "third")]
    found: dict[str, dict[str, Any]] = {}
    for action in table.legal_actions():
        kind, *words = action.split()
        if kind in ("winner", "last"):
            continue
        row: dict[str, Any] = {"before": Fraction(0), "after": Fraction(0)}
        if kind in ("ticket", "third"):
            row["changes"] = {me: now.bet(me, action)}
        elif kind == "done":
            row["changes"] = {}
        elif kind == "reveal":
            row["changes"] = {}
            row["before"] = now.best(me, bets)
            faces: dict[str, list[tuple[Fraction, Slow]]] = {}
            total = naive_cards.weight_of_rest(round_)
            for card, weight, rest in naive_cards.next_cards(round_):
                moved = naive_cards.round_move(rest, card)
                if moved.race_over or rest.left == 0:
                    continue  # no bet may follow
                chance = Fraction(weight * naive_cards.weight_of_rest(rest), total)
                still = {m: o for m, o in owners.items() if getattr(moved.after, m) is not None}
                faces.setdefault(card, []).append((chance, Slow(table, moved.after, still)))
            for cases in faces.values():
                values = [
                    sum((c * slow.bet(me, bet) for c, slow in cases), Fraction(0)) for bet in bets
                ]
                row["after"] += max([Fraction(0), *values])
        else:
            delta, paid = 0, {}
            if kind == "card":
                moved = naive_cards.round_move(round_, table.hands[words[0]].face_up or "")
                over = moved.race_over
                still = {m: o for m, o in owners.items() if getattr(moved.after, m) is not None}
                slow = Slow(table, moved.after, still)
                if words[0] != me:
                    delta, paid = -1, {me: -1, words[0]: 1}
            else:
                over = False
                slow = Slow(table, replace(round_, **{kind: int(words[0])}), {**owners, kind: me})
                row["lies"] = slow.lies[kind]
            row["changes"] = {
                player: slow.income(player, paid.get(player, 0)) - now.income(player)
                for player in table.players
            }
            row["before"] = slow.best(me, bets, delta)
            row["after"] = Fraction(0) if over else row["before"]
        found[action] = row
    return found


def marker_spaces(table: co.Game) -> dict[str, int | None]:
    spaces = {tile.sign: space for space, tile in table.position.tiles.items()}
    return {"shortcut": spaces.get(1), "fennec": spaces.get(-1)}


def compare(table: co.Game, values: ActionValues) -> None:
    slow = slow_values(table)
    assert {row.action for row in values} == set(slow)
    me = table.to_move
    # With known coins a mixture over a face is not linear; there the floor is an approximation.
    for row in values:
        expected = slow[row.action]
        assert row.value == pytest.approx(float(expected["changes"].get(me, 0)), abs=1e-12)
        for player, change in row.rivals.items():
            expected_change = float(expected["changes"].get(player, 0))
            assert change == pytest.approx(expected_change, abs=1e-12)
        assert row.before_value == pytest.approx(float(expected["before"]), abs=1e-12)
        assert row.after_value == pytest.approx(float(expected["after"]), abs=1e-12)
        assert row.value == pytest.approx(row.direct + row.holdings, abs=1e-12)
        if "lies" in expected:
            assert row.direct == pytest.approx(-float(expected["lies"]), abs=1e-12)
        assert row.standard_error is None


TABLES: dict[str, dict[str, Any]] = {
    "nothing held": {"position": "5:by 7:Kg 9:r 10:p last=16 deck=2+1 pool=b20y11r10p10"},
    "coins": {
        "position": "5:by 7:Kg 9:r 10:p 12+@P2 last=16 deck=2+0 known=p1 pool=b20y11r10",
        "coins": {"P1": 1, "P2": 0},
        "held": {"P1": {"tickets": ["p5", "b5"], "third": ["y"]}, "P2": {"tickets": ["y5"]}},
        "hands": {"P1": {"face_up": "y1"}, "P2": {"face_up": "b2"}},
    },
    "markers": {
        "position": "0:g 2:by 4:Kr 6:p 7+@P1 5-@P2 last=14 deck=1+1 pool=b20p10 crazy=111",
        "held": {"P1": {"tickets": ["g5"]}, "P2": {"third": ["r"]}},
        "hands": {"P1": {"face_up": "p1"}, "P2": {"face_up": "r1"}},
    },
    "near the finish": {
        "position": "9:b 11:Kyg 13:r 14:p last=14 deck=2+0 known=b1 pool=g20y10",
        "coins": 2,
        "held": {"P1": {"tickets": ["r5"], "third": ["r"]}, "P2": {"tickets": ["p5"]}},
        "hands": {"P1": {"face_up": "p1"}, "P2": {"face_up": "b1"}},
    },
    "the last card": {
        "position": "5:by 7:Kg 9:r 10:p last=16 deck=1+0 pool=b20r10p10",
        "hands": {"P2": {"face_up": "r2"}},
    },
    "the bet is done": {
        "position": "5:by 7:Kg 9:r 10:p last=16 deck=2+0 pool=b20r10p10",
        "acted": ["ticket"],
        "held": {"P1": {"tickets": ["p5"]}},
        "hands": {"P2": {"face_up": "r2"}},
    },
    "the track action is done": {
        "position": "5:by 7:Kg 9:r 10:p last=16 deck=2+0 pool=b20r10p10",
        "acted": ["reveal"],
        "held": {"P1": {"tickets": ["p5"]}},
    },
    "private knowledge": {
        "position": "5:by 7:Kg 9:r 10:p last=16 deck=3+0 pool=b20y20r20p10",
        "hands": {"P1": {"added": ["b1"], "discarded": ["y1", "r1"]}},
    },
}


@pytest.mark.parametrize("name", TABLES)
def test_values_equal_the_slow_reference(name: str) -> None:
    fields = dict(TABLES[name])
    position = co.Position.parse(fields.pop("position"))
    table = co.Game(position, 2, **fields)
    compare(table, co.action_values(table, without=NO_RACE))


def test_C14_private_knowledge_counts() -> None:
    text = "5:by 7:Kg 9:r 10:p last=16 deck=3+0 pool=b20y20r20p10"
    plain = co.Game(co.Position.parse(text), 2)
    private = plain.after("hand P1 b1 y1r1")
    before = co.action_values(plain, without=NO_RACE)["ticket b"].value
    assert co.action_values(private, without=NO_RACE)["ticket b"].value > before
    # The others do not know it.
    there = private.after("reveal b1").after("done")
    assert there.to_move == "P2"
    assert there.seen_by("P2").deck == there.position.deck


def test_race_cards_C12() -> None:
    piles = {"winner": [("P1", "b"), ("P2", "r")], "last": [("P2", "y")]}
    table = game("5:by 7:Kg 9:r 10:p last=16 deck=2+1 pool=b20y11r10p10", 2, piles=piles)
    values = co.action_values(table, n=20_000, seed=4)
    race = co.race_odds(table.position, "sample", n=20_000, seed=4)
    places = race.places

    def worth(pays: dict[int, int], camel: str) -> float:
        row = places[co.CARDS.racing.index(camel)]
        return float(sum(pays.get(i + 1, -1) * row[i] for i in range(5)))

    # A new winner card gives up the blue one.
    swap = worth(WINNER, "p") - worth(WINNER, "b")
    assert values["winner p"].value == pytest.approx(swap, abs=1e-12)
    assert values["last b"].value == pytest.approx(worth(LOSER, "b"), abs=1e-12)
    assert values["last b"].standard_error > 0
    assert "winner r" not in [row.action for row in values]
    assert values["reveal"].value == 0
    assert values.samples == 20_000
    # Playing a face-up card changes what the race cards are worth, for the rivals too.
    table = table.after("deal P2 y2")
    card = co.action_values(table, n=20_000, seed=4)["card P2"]
    after = co.race_odds(table.position.moved("y", 2).after, "sample", n=20_000, seed=4).places

    def held(odds: np.ndarray, pays: dict[int, int], camel: str) -> float:
        row = odds[co.CARDS.racing.index(camel)]
        return float(sum(pays.get(i + 1, -1) * row[i] for i in range(5)))

    before_of = co.race_odds(table.position, "sample", n=20_000, seed=4).places
    change = held(after, WINNER, "b") - held(before_of, WINNER, "b")
    assert card.holdings == pytest.approx(change, abs=1e-12)
    rival = held(after, WINNER, "r") + held(after, LOSER, "y")
    rival -= held(before_of, WINNER, "r") + held(before_of, LOSER, "y")
    assert card.rivals["P2"] == pytest.approx(1 + rival, abs=1e-12)


def test_a_race_that_is_decided_needs_no_samples() -> None:
    table = game("9:b 11:Kyg 14:rp last=14 deck=1+0 known=p1 pool=", 2)
    values = co.action_values(table)
    assert values["winner p"].value == 7
    assert values["last b"].value == 7
    assert values["last y"].value == 3
    assert (values.samples, values.seed) == (None, None)
    assert values["reveal"].after_value == 0  # no bet follows the end of the race
    assert values["reveal"].before_value == 7
    assert values["reveal"].turn == 7
    assert values.best.action in ("reveal", "ticket p", "winner p", "last b")


def test_large_decks_are_sampled() -> None:
    table = game("5:by 7:Kg 9:r 10:p last=16 deck=8+2", 4).after("deal P2 r2")
    values = co.action_values(table, without=[*NO_RACE, "shortcut", "fennec"], n=50_000, seed=1)
    assert values.rounds == 50_000
    exact = co.leg_odds(table.position)
    assert exact.method == "exact"
    assert values["ticket p"].value == pytest.approx(exact.ticket(5)["p"], abs=1e-12)
    tickets = ["reveal", "card", "third", *NO_RACE, "shortcut", "fennec"]
    row = co.action_values(table, without=tickets, method="sample", n=50_000, seed=1)["ticket p"]
    assert abs(row.value - exact.ticket(5)["p"]) < 5 * row.standard_error
    assert values["card P2"].value == -1
    text = str(values)
    assert "as if nobody had chosen" in text
    assert "bet after" in text
    assert "with the best bet after it" in values.explain("reveal")
    data = values.to_dict()
    assert data["rounds"] == 50_000
    assert {"bet_before", "after_value", "turn"} <= set(data["actions"][0])


def test_values_of_random_tables() -> None:
    rng = random.Random(8)
    for _ in range(4):
        position = "0:g 2:by 4:Kr 6:p last=14 deck=1+1 pool=b20p10y10 crazy=011"
        held = {
            "P1": {"tickets": [rng.choice("bygrp") + "5"]},
            "P2": {"third": [rng.choice("byg")]},
        }
        coins = rng.choice([None, {"P1": 0, "P2": 1}, {"P1": 3, "P2": None}])
        table = co.Game(
            co.Position.parse(position),
            2,
            held=held,
            coins=coins,
            hands={"P2": {"face_up": rng.choice(["r1", "g1"])}},
        )
        compare(table, co.action_values(table, without=NO_RACE))


def test_turns_of_sampled_rounds_show_their_errors() -> None:
    table = game("1:y 2:pb 3:r 4:g 7:K players=4", players=4)
    values = co.action_values(table, without=[*NO_RACE, "third"], n=2_000, seed=1)
    columns = {column.name: column for column in values._table().columns}
    for i, row in enumerate(values):
        for name, number, error in (
            ("turn", row.turn, row.turn_error),
            ("before_value", row.before_value, row.before_error),
            ("after_value", row.after_value, row.after_error),
        ):
            # What is not taken at all is worth nothing for certain.
            assert (error is not None) == (number != 0.0 or name == "turn"), (row.action, name)
            assert ("±" in columns[name].cells[i].text) == (error is not None)
    again = [
        co.action_values(table, without=[*NO_RACE, "third"], n=2_000, seed=seed)["reveal"]
        for seed in range(2, 14)
    ]
    spread = float(np.std([row.turn for row in again], ddof=1))
    stated = float(np.mean([row.turn_error for row in again]))
    assert 0.4 * spread <= stated <= 3 * spread


def test_bets_about_a_round_that_leg_odds_knows_exactly_are_exact() -> None:
    table = game("0:p 3:by 6:Kgr 5- last=16 deck=6+2 known=y1", 4).after("deal P2 r2")
    values = co.action_values(table, without=[*NO_RACE, "fennec"], n=500, seed=1)
    leg = co.leg_odds(table.position)
    assert (leg.method, values.rounds) == ("exact", 500)
    for camel in "bygrp":
        for row, worth in (
            (values[f"ticket {camel}"], leg.ticket(5)[camel]),
            (values[f"third {camel}"], leg.third[camel]),
        ):
            assert row.value == row.direct == pytest.approx(worth, abs=1e-12)
            assert row.standard_error is row.direct_error is row.relative_error is None
            assert row.pays
    reveal = values["reveal"]
    assert (reveal.bet_before, reveal.before_error) == ("ticket r", None)
    assert reveal.before_value == values["ticket r"].value
    assert reveal.after_error > 0
    assert "500 sampled for each position after an action; the round as it stands" in str(values)
    sampled = co.action_values(table, without=NO_RACE, method="sample", n=500, seed=1)
    assert sampled["ticket r"].standard_error > 0


def test_table_of_turns() -> None:
    table = game("0:p 3:by 6:Kgr 5- last=16 deck=6+2 known=y1", 4).after("deal P1 r2")
    values = co.action_values(table, without=[*NO_RACE, "shortcut"], n=500, seed=1)
    shown = values._table()
    names = [column.name for column in shown.columns]
    assert names[:4] == ["action", "turn", "value", "before_value"]
    assert [column.name for column in shown.columns if column.bar] == ["turn"]
    assert list(shown.columns[1].values) == sorted(shown.columns[1].values, reverse=True)
    # What is nothing for all is left out, but not of frames.
    standard = {column.name for column in shown.standard().columns}
    assert {"rival P2", "rival P3", "rival P4", "holdings"} & standard == set()
    assert {"rival P2", "holdings"} <= set(values.to_pandas().columns)
    assert "Rivals: no change." in str(values)
    by_name = dict(zip(names, shown.columns, strict=True))
    for row, before, direct in zip(
        values, by_name["before_value"].cells, by_name["direct"].cells, strict=True
    ):
        if row.bet_before:
            assert before.text.startswith(f"{row.bet_before} +")
        # A face-up card of one's own costs nothing for certain.
        assert ("±" in direct.text) == (row.kind == "fennec" and row.direct_error is not None)
    table = table.after("deal P2 g1")
    values = co.action_values(table, without=[*NO_RACE, "shortcut"], n=500, seed=1)
    assert "Rivals: no change for P3, P4." in str(values)
    assert "rival P2" in {column.name for column in values._table().standard().columns}


def test_a_wrong_belief_is_told_though_nothing_is_hidden() -> None:
    with pytest.raises(co.OptionError, match="no such belief"):
        co.action_values(co.Game.start(co.CARDS, players=4, seed=1), belief="none")
