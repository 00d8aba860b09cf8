"""The value of every legal action: cases, by rule id, against the slow reference."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import camelodds as co
from tests import naive, naive_games

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data/cases/values.json").read_text()
)
BETS = ("winner", "last")


def game(text: str, edition: str = "first", **fields: Any) -> co.Game:
    fields.setdefault("players", 4)
    return co.Game(co.Position.parse(text, edition), **fields)


# The cases: from an independent calculation.


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    without = () if case["overall_bets_valued"] else BETS
    values = co.action_values(co.Game.from_dict(case), without=without)
    assert {row.action for row in values} == {action["action"] for action in case["actions"]}
    for expected in case["actions"]:
        row = values[expected["action"]]
        for part in ("value", "direct", "holdings"):
            assert getattr(row, part) == pytest.approx(expected[part], abs=1e-9)
        assert dict(row.rivals) == pytest.approx(expected["rivals"], abs=1e-9)
        mean = sum(expected["rivals"].values()) / len(expected["rivals"])
        assert row.relative == pytest.approx(expected["value"] - mean, abs=1e-9)
        assert row.standard_error is None
    best_first = [row.value for row in values]
    assert best_first == pytest.approx(sorted(best_first, reverse=True), abs=1e-9)


# By rule


@pytest.mark.nojit
def test_worked_example() -> None:
    values = co.action_values(game("1:gyo 3:bw"), without=BETS)
    expected = {"w": "4373/2916", "o": "14633/14580", "b": "7207/14580", "y": "433/1215"}
    for camel, value in (expected | {"g": "-5161/14580"}).items():
        assert values[f"ticket {camel}"].value == pytest.approx(float(Fraction(value)), abs=1e-12)
    assert values.best is not None
    assert values.best.action == "ticket w"


def test_F9_floor_on_the_net() -> None:
    # 0 coins and a certain -1 held: the ticket worth +5 brings 4, a pyramid ticket nothing.
    fields: dict[str, Any] = {"held": {"P1": {"tickets": ["b5"]}}}
    text = "1:b 6:y 9:g 12:o 15:w dice=b"
    free = co.action_values(game(text, **fields), without=BETS)
    assert free["ticket w"].value == pytest.approx(5)
    assert free["roll"].value == pytest.approx(1)
    poor = co.action_values(game(text, coins=0, **fields), without=BETS)
    assert poor["ticket w"].value == pytest.approx(4)
    assert poor["ticket y"].value == pytest.approx(0)
    assert poor["roll"].value == pytest.approx(0)
    assert poor["roll"].direct == poor["roll"].value
    assert poor["roll"].holdings == 0
    assert poor["ticket w"].pays == {5: 1.0}


def test_F9_tile_coins_count_before_the_floor() -> None:
    fields: dict[str, Any] = {"held": {"P1": {"tickets": ["b5"]}}, "coins": 0}
    bare = co.action_values(game("1:b 6:y 9:g 12:o 14:w dice=w", **fields), without=BETS)
    # 1/3 of a landing: the -1 takes it all, where without the tile it is forgiven.
    assert bare["tile 15+"].direct == pytest.approx(1 / 3)
    assert bare["tile 15+"].value == pytest.approx(0)
    assert bare["tile 15+"].holdings == pytest.approx(-1 / 3)
    assert bare["ticket w"].value == pytest.approx(4)


def test_F4_moving_the_tile_gives_up_the_old_landings() -> None:
    values = co.action_values(game("1:b 6:y 9:g 12:o 14:w 16+@P1 dice=w"), without=BETS)
    row = values["tile 15+"]
    assert row.direct == pytest.approx(1 / 3)
    assert row.holdings == pytest.approx(-1 / 3)
    assert row.value == pytest.approx(0)


def test_rival_holdings_move_with_a_tile() -> None:
    # w rolls 1-3 onto 11, 12, 13; a - on 11 sends it back to 10, behind b and o on 10? no: under.
    fields: dict[str, Any] = {"held": {"P2": {"tickets": ["w5"]}, "P3": {"tickets": ["o5"]}}}
    values = co.action_values(game("1:b 6:y 9:g 10:wo dice=w", **fields), without=BETS)
    # w carries o, so o is first whatever happens: nothing moves.
    assert values["tile 11-"].rivals == {"P2": 0.0, "P3": 0.0, "P4": 0.0}
    values = co.action_values(game("1:b 6:y 9:g 10:ow dice=o", **fields), without=BETS)
    assert values["tile 11-"].rivals == {"P2": 0.0, "P3": 0.0, "P4": 0.0}
    # w alone on 10, o on 11: w passes with 2 or 3, lands on top with 1.
    values = co.action_values(game("1:b 6:y 9:g 10:w 11:o dice=w", **fields), without=BETS)
    row = values["tile 12-"]
    # With the tile a 2 goes back to 11, under o: w falls from first to second with 1/3.
    assert row.direct == pytest.approx(1 / 3)
    assert row.rivals["P2"] == pytest.approx(-4 / 3)
    assert row.rivals["P3"] == pytest.approx(+4 / 3)
    assert row.relative == pytest.approx(1 / 3 - 0)


def test_S10_partnership() -> None:
    fields: dict[str, Any] = {
        "players": 6,
        "held": {"P1": {"tickets": ["b5"]}, "P2": {"tickets": ["p5", "y5"]}},
    }
    # The last die cannot change the ranking p r g y b: P2's best is 5, P1's is worth nothing.
    paired = game("1:b 6:y 8:g 10:r 13:p 15:W 16:K dice=b*", "second", **fields)
    values = co.action_values(paired, without=BETS)
    row = values["partner P2"]
    assert row.value == pytest.approx(5)
    assert row.rivals["P2"] == pytest.approx(0)
    assert values["partner P3"].value == pytest.approx(0)
    paired = game(
        "1:b 6:y 8:g 10:r 13:p 15:W 16:K dice=b*",
        "second",
        partners={"P1": "P2", "P2": "P1"},
        **fields,
    )
    rows = co.action_values(paired, without=BETS)
    # What P1 takes now, P2 may copy: the best of it, not each.
    assert rows["ticket p"].value == pytest.approx(3)
    assert rows["ticket p"].rivals["P2"] == pytest.approx(3)
    assert rows["roll"].rivals["P2"] == pytest.approx(1)


CERTAIN = "1:b 6:y 9:g 12:o 16:w dice=w"
"""w wins the race and b is last, whatever happens."""


@pytest.mark.parametrize("hidden", range(3))
def test_F13_beliefs(hidden: int) -> None:
    piles = {"winner": [(f"P{i + 2}", None) for i in range(hidden)]}
    g = game(CERTAIN, piles=piles)
    # With belief "odds" every hidden card is on w, who wins for certain.
    assert co.action_values(g)["winner w"].value == pytest.approx([8, 5, 3][hidden])
    # k of n hidden cards are on w with 1/5 each.
    uniform = [8, (4 * 8 + 5) / 5, (16 * 8 + 8 * 5 + 3) / 25][hidden]
    assert co.action_values(g, belief="uniform")["winner w"].value == pytest.approx(uniform)
    own = {"w": 0.25, "b": 0.75}
    expected = [8, (3 * 8 + 5) / 4, (9 * 8 + 6 * 5 + 3) / 16][hidden]
    assert co.action_values(g, belief=own)["winner w"].value == pytest.approx(expected)
    assert co.action_values(g, belief={"winner": own})["winner w"].value == pytest.approx(expected)
    assert co.action_values(g)["winner b"].value == pytest.approx(-1)


def test_F13_a_belief_for_each_card() -> None:
    piles = {"winner": [("P2", None), ("P1", "b"), ("P3", None)], "last": [("P2", None)]}
    belief = {"winner": [{"w": 1}, {"w": 0.5, "b": 0.5}], "last": {"b": 1}}
    values = co.action_values(game(CERTAIN, piles=piles), belief=belief)
    # One before for certain, another with 1/2: second or third prize.
    assert values["winner w"].value == pytest.approx((5 + 3) / 2)
    assert values["winner w"].pays == pytest.approx({5: 0.5, 3: 0.5})
    assert "last b" not in {row.action for row in values}
    values = co.action_values(game(CERTAIN, piles={"last": [("P2", None)]}), belief=belief["last"])
    assert values["last b"].value == pytest.approx(5)


def test_F13_own_cards_are_known() -> None:
    # The own card on b does not stand before w, whatever the belief is.
    g = game(CERTAIN, piles={"winner": [("P1", "b")]})
    assert co.action_values(g, belief={"w": 1.0})["winner w"].value == pytest.approx(8)


@pytest.mark.parametrize(
    "belief",
    ["none", 3, {"w": 0.5}, {"w": 2, "b": -1}, {"q": 1}, {"w": "1"}, {"winner": [{"w": 1}] * 2},
     {"winner": "w"}, {"winner": {"w": 1}, "first": {}}, None],
)  # fmt: skip
def test_bad_beliefs_are_refused(belief: Any) -> None:
    g = game(CERTAIN, piles={"winner": [("P2", None)]})
    with pytest.raises(co.OptionError):
        co.action_values(g, belief=belief)


@pytest.mark.parametrize("belief", ["none", {1: 2}, {"w": float("nan")}, {"last": {"b": 2}}])
def test_bad_beliefs_are_refused_without_hidden_cards(belief: Any) -> None:
    with pytest.raises(co.OptionError):
        co.action_values(game(CERTAIN), belief=belief)


@pytest.mark.parametrize(
    "options", [{"without": "tile"}, {"without": ["bets"]}, {"without": 3}, {"method": "guess"}]
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(co.OptionError):
        co.action_values(game(CERTAIN), **options)
    with pytest.raises(co.OptionError):
        co.action_values("1:gyo 3:bw")  # type: ignore[arg-type]


def test_kinds_can_be_left_out() -> None:
    values = co.action_values(game(CERTAIN), without=["tile", *BETS])
    assert {row.kind for row in values} == {"roll", "ticket"}
    assert values.race_method is None
    with pytest.raises(co.EventError, match="not among"):
        values["tile 3+"]


def test_F11_nothing_to_do_after_the_race() -> None:
    values = co.action_values(game("1:b 6:y 9:g 12:o 17:w dice="))
    assert len(values) == 0
    assert values.best is None
    assert "The race is over." in str(values)


# Against the slow reference


def first_odds(stacks: Any) -> Any:
    race = co.race_odds(co.Position(co.FIRST, stacks))
    return race.winner, race.last


def random_table(rng: random.Random, edition: str, dice_left: int) -> naive_games.Table:
    """A game after random play with at most so many dice in the pyramid, cards as P1 sees them."""
    players = [f"P{i + 1}" for i in range(rng.choice((2, 3, 4, 7)))]
    e = co.EDITIONS[edition]
    while True:
        stacks = co.Position.start(e, seed=rng.randrange(10**9)).stacks
        table = naive_games.start(edition, stacks, players, rng.choice((0, 0, 2, 5)))
        for _ in range(rng.randint(0, 70)):
            kinds = ("roll", "roll", "ticket", "ticket", "tile", *BETS, "partner")
            kind = rng.choice(kinds)
            actions = [a for a in sorted(naive_games.legal(table)) if a.split()[0] == kind]
            event = rng.choice(actions) if actions else "roll"
            if event == "roll":
                die = rng.choice(table.dice)
                event = f"roll {rng.choice('WK') if die == '*' else die}{rng.randint(1, 3)}"
            naive_games.play(table, event)
            if table.over:
                break
        if not table.over and len(table.dice) <= dice_left:
            break
    me = table.to_move
    table.piles = {
        pile: [(p, c if p == me or rng.random() < 0.2 else None) for p, c in cards]
        for pile, cards in table.piles.items()
    }
    if rng.random() < 0.3:
        table.coins = None
    return table


def as_game(table: naive_games.Table) -> co.Game:
    tiles = {space: (sign, player) for player, (space, sign) in table.tiles.items()}
    return co.Game(
        co.Position(table.edition, table.stacks, tiles, table.dice),
        table.players,
        to_move=table.to_move,
        coins=table.coins,  # type: ignore[arg-type]
        tickets_left=table.left,
        held={
            player: {
                "tickets": [f"{camel}{worth}" for camel, worth in table.tickets[player]],
                "pyramid": table.pyramid[player],
            }
            for player in table.players
        },
        piles=table.piles,
        partners=table.partners,
    )


def compare(values: co.ActionValues, expected: dict[str, naive_games.Value]) -> None:
    assert {row.action for row in values} == set(expected)
    for row in values:
        slow = expected[row.action]
        assert row.value == pytest.approx(float(slow.value), abs=1e-9)
        assert row.direct == pytest.approx(float(slow.direct), abs=1e-9)
        assert row.direct + row.holdings == pytest.approx(row.value, abs=1e-12)
        assert dict(row.rivals) == pytest.approx(
            {p: float(c) for p, c in slow.rivals.items()}, abs=1e-9
        )
        if row.pays:
            assert sum(row.pays.values()) == pytest.approx(1)


def few_hidden(table: naive_games.Table) -> naive_games.Table:
    """The reference goes through the colours of all hidden cards: keep three of each pile."""
    for cards in table.piles.values():
        hidden = [i for i, (_, camel) in enumerate(cards) if camel is None]
        for i in reversed(hidden[3:]):
            del cards[i]
    return table


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_first_edition_against_the_reference(seed: int) -> None:
    table = few_hidden(random_table(random.Random(seed), "first", 3))
    compare(co.action_values(as_game(table)), naive_games.values(table, first_odds))


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_second_edition_against_the_reference(seed: int) -> None:
    table = random_table(random.Random(seed), "second", 3)
    table.piles = {pile: [] for pile in BETS}
    compare(co.action_values(as_game(table), without=BETS), naive_games.values(table))


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["first", "second"])
def test_reference_with_more_dice(edition: str) -> None:
    rng = random.Random(5)
    for _ in range(12):
        table = few_hidden(random_table(rng, edition, 4))
        if edition == "first":
            compare(co.action_values(as_game(table)), naive_games.values(table, first_odds))
        else:
            table.piles = {pile: [] for pile in BETS}
            compare(co.action_values(as_game(table), without=BETS), naive_games.values(table))


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_own_beliefs_against_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    table = few_hidden(random_table(rng, "first", 2))
    belief = {}
    for pile, cards in table.piles.items():
        belief[pile] = []
        for _, camel in cards:
            if camel is None:
                chances = [rng.random() for _ in "bygow"]
                belief[pile].append(
                    {c: x / sum(chances) for c, x in zip("bygow", chances, strict=True)}
                )
    values = co.action_values(as_game(table), belief=belief)
    compare(values, naive_games.values(table, first_odds, belief))


# Sampled races


SAMPLED = "2:y 5:o 7:gb 9:w 11+@P2 dice=bow"


def with_bets() -> co.Game:
    piles = {"winner": [("P1", "w"), ("P2", None)], "last": [("P1", "y"), ("P3", None)]}
    return game(SAMPLED, piles=piles, held={"P2": {"tickets": ["w5"]}, "P3": {"pyramid": 2}})


@pytest.mark.parametrize("method", ["tail", "sample"])
def test_sampled_values_against_the_table(method: str) -> None:
    """Every value lies within its standard errors of the exact one, every error is honest."""
    g = with_bets()
    exact = co.action_values(g, belief="uniform")
    off: dict[str, list[float]] = {row.action: [] for row in exact}
    for seed in range(30):
        values = co.action_values(g, belief="uniform", method=method, n=4_000, seed=1000 * seed)
        for row in values:
            true = exact[row.action]
            assert row.direct == pytest.approx(true.direct, abs=1e-9) or row.kind in BETS
            if row.standard_error is None:
                assert row.value == pytest.approx(true.value, abs=1e-9)
            else:
                off[row.action].append((row.value - true.value) / row.standard_error)
            for player, change in row.rivals.items():
                assert change == pytest.approx(true.rivals[player], abs=0.3)
    sampled = {action: errors for action, errors in off.items() if errors}
    assert {"tile 8+", "tile 8-", "winner b", "last b"} <= set(sampled)
    everything = [error for errors in sampled.values() for error in errors]
    assert max(map(abs, everything)) < 5
    spread = (sum(error**2 for error in everything) / len(everything)) ** 0.5
    # Those of tiles are upper bounds, since the strata of a part make it smaller.
    assert 0.6 < spread < 1.1


def test_a_tile_that_changes_nothing_is_worth_nothing() -> None:
    values = co.action_values(with_bets(), method="tail", n=2_000, seed=1)
    # Nobody is behind 2 nor reaches 15 in this leg.
    for action in ("tile 15+", "tile 15-"):
        row = values[action]
        assert (row.value, row.holdings, row.standard_error) == (0, 0, None)
        assert dict(row.rivals) == {"P2": 0, "P3": 0, "P4": 0}


def test_the_same_seed_gives_the_same_values() -> None:
    text = "4:g 6:yb 7:p 9:r 11:W 14:K dice=gyp*"
    g = game(text, "second", piles={"winner": [("P1", "r"), ("P2", None)]})
    values = co.action_values(g, method="tail", n=3_000, seed=5)
    assert values.rows == co.action_values(g, method="tail", n=3_000, seed=5).rows
    assert values.rows != co.action_values(g, method="tail", n=3_000, seed=6).rows
    assert (values.samples, values.seed) == (3_000, 5)
    assert "seed 5" in str(values)
    again = co.action_values(g, method="tail", n=3_000)
    assert again.seed is not None
    assert again.rows == co.action_values(g, method="tail", n=3_000, seed=again.seed).rows


def test_second_edition_bets_by_hand() -> None:
    # r crosses with any of the two dice left that is its own; b stays last whatever happens.
    g = game("2:b 9:y 10:g 11:p 16:r 5:W 6:K dice=r*", "second", piles={"winner": [("P2", None)]})
    values = co.action_values(g, belief={"r": 1.0}, method="tail", n=20_000, seed=3)
    wins = values["winner r"]
    chance = (wins.value + 1) / 6  # the second prize, 5, or -1
    assert wins.standard_error is not None
    assert wins.pays == pytest.approx({5: chance, -1: 1 - chance})
    race = co.race_odds(g.position, "sample", n=50_000, seed=4)
    assert chance == pytest.approx(race.winner["r"], abs=0.01)


@pytest.mark.parametrize("options", [{"n": 0}, {"n": -1}, {"n": "x"}, {"seed": -1}, {"seed": 0.5}])
def test_bad_samples_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(co.OptionError):
        co.action_values(with_bets(), **options)


def test_the_table_of_the_second_edition_can_be_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path))
    g = game("4:g 6:yb 7:p 9:r 11:W 14:K dice=gyp*", "second")
    with pytest.raises(co.OptionError, match="camelodds tables build second"):
        co.action_values(g, method="table")
    co.action_values(g, method="table", without=BETS)


# What must hold


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_revealing_a_die_changes_no_expectation(seed: int) -> None:
    """Exactly, one level deeper: the mean over the dice of what everybody can expect."""
    rng = random.Random(seed)
    table = random_table(rng, rng.choice(("first", "second")), 4)
    table.coins = None
    before, _ = naive_games.leg_money(table)
    position = table.position()
    after = dict.fromkeys(table.players, Fraction(0))
    total = 0
    for die in table.dice:
        for name, steps in naive.faces(die):
            moved = naive.move(position, name, steps)
            weight = naive.weight_of_rest(moved.position)
            total += weight
            g = as_game(table)
            position_after = g.position.after(f"{name}{steps}")
            odds = co.leg_odds(position_after)
            for player in table.players:
                space = g.tile_of(player)
                coins = Fraction(int(space is not None and moved.tile == space))
                if space is not None:
                    coins += odds.landing_fraction(space)
                for outcome, w in zip(g.edition.outcome_names, odds.weights.tolist(), strict=True):
                    coins += Fraction(w, odds.total) * naive_games.net(table, player, outcome)
                after[player] += weight * coins
    assert {player: coins / total for player, coins in after.items()} == before


def test_no_action_changes_the_game() -> None:
    g = co.Game.from_dict(CASES[0])
    before = g.to_dict()
    co.action_values(g)
    assert g.to_dict() == before


# Forms


def test_forms() -> None:
    g = co.Game.from_dict(CASES[0])
    values = co.action_values(g)
    data = json.loads(values.to_json())
    assert [row["action"] for row in data["actions"]] == [row.action for row in values]
    assert set(data["actions"][0]) == {
        "action", "value", "direct", "holdings", "rivals", "relative", "standard_error",
        "rival_errors", "relative_error", "pays",
    }  # fmt: skip
    assert co.Game.from_dict(data["game"]) == g
    text = str(values)
    assert text.count("\n") > len(values)
    assert "Race odds: table." in text
    html = values._repr_html_()
    assert "tile on" in html
    spaces = {row.action[5:-1] for row in values if row.kind == "tile"}
    assert html.count("<tr>") == 1 + len(values) + 1 + len(spaces)
    assert f"{values:value}".splitlines()[1].startswith("last y")
    frame = values.to_pandas()
    assert list(frame["action"]) == [row.action for row in values]
    assert values.tile_map.to_pandas().shape == (len(spaces), 3)


def test_explanations() -> None:
    g = co.Game.from_dict(CASES[0])
    values = co.action_values(g)
    for row in values:
        sentence = values.explain(row.action)
        assert sentence.startswith(f"{row.action} is worth ")
        assert sentence.count(".") >= 1
        assert "\n" not in sentence
    text = values.explain("tile 16-")
    assert "0.86 on average" in text
    assert "gives up the landings on 2" in text
    assert "changes by +0.87" in text
    assert "rivals change by P1 -0.07" in text
    with pytest.raises(co.EventError):
        values.explain("tile 1+")


def test_whatever_was_sampled_shows_its_error() -> None:
    g = co.Game.start(co.SECOND, players=3, position="2:yb 5:WrK 6:gp")
    g = g.after("winner g").after("last y").after("winner p")
    values = co.action_values(g, n=2_000, seed=1)
    assert values.race_method not in (None, "exact", "table")
    table = values._table()
    by_name = {column.name: column for column in table.columns}
    for i, row in enumerate(values):
        shown = {name: "±" in column.cells[i].text for name, column in by_name.items()}
        if row.kind in ("winner", "last"):
            assert {"value", "direct", "relative"} == {name for name in shown if shown[name]}
            assert row.relative_error == row.standard_error
        elif row.kind == "tile" and row.standard_error is not None:
            assert (shown["value"], shown["holdings"], shown["direct"]) == (True, True, False)
            # P3 bet on the same pile as P1, and both are changed by what changes the race.
            assert shown["rival P2"] == ("P2" in row.rival_errors)
            assert shown["rival P3"] == ("P3" in row.rival_errors)
            assert shown["relative"]
        else:
            assert not any(shown.values())
    near = values["tile 7+"]
    assert near.standard_error is not None
    assert set(near.rival_errors) == {"P2", "P3"}
    frame = values.to_pandas()
    assert "rival P2_error" in frame.columns
    json.dumps(values.to_dict())
