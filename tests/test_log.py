"""Recorded games: undo, save and load, odds by event; and the commands about whole games."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import camelodds as co
from camelodds.actions import legal_events
from camelodds.cli import main
from camelodds.display.track import track

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data/cases/values.json").read_text()
)
TEXT = "3:ob 4:g 6:y 7:w 12-@Bob dice=wo"


def random_log(edition: co.Edition, seed: int, n: int) -> co.GameLog:
    rng = random.Random(seed)
    log = co.GameLog(co.Game.start(edition, 6, seed=seed))
    while len(log.events) < n and not log.game.over:
        kind = rng.choice(("roll", "roll", "ticket", "tile", "winner", "last", "partner"))
        events = [str(event) for event in legal_events(log.game) if event.kind == kind] or ["roll"]
        event = rng.choice(events)
        if event == "roll":
            die = rng.choice(log.game.position.dice)
            event = f"roll {rng.choice('WK') if die == '*' else die}{rng.randint(1, 3)}"
        log = log.after(event)
    return log


@pytest.mark.nojit
@pytest.mark.parametrize("edition", [co.FIRST, co.SECOND], ids=str)
def test_undo_of_any_event_restores_an_equal_game(edition: co.Edition) -> None:
    log = random_log(edition, 3, 500)
    assert log.game.over
    back = log
    while back.events:
        before = back
        back = back.undo()
        assert back.game == co.GameLog(log.start, back.events).game
        assert back.after(before.events[-1]) == before
        assert back.after(before.events[-1]).game == before.game
    assert back.game == log.start
    with pytest.raises(co.EventError, match="no event to take back"):
        back.undo()


@pytest.mark.parametrize("edition", [co.FIRST, co.SECOND], ids=str)
def test_save_and_load(edition: co.Edition, tmp_path: Path) -> None:
    log = random_log(edition, 4, 40)
    path = tmp_path / "game.log"
    log.save(path)
    loaded = co.GameLog.load(path)
    assert loaded == log
    assert loaded.games == log.games
    assert path.read_text().splitlines()[1:] == list(log.events)
    assert list(tmp_path.iterdir()) == [path]


def test_text_by_hand() -> None:
    log = co.GameLog.parse(
        f"""
        # A game in the middle of a leg.
        {{"position": "{TEXT}",
          "players": ["Ann", "Bob"]}}

        Ticket  W     # Ann
        roll w2
        undo
        tile 13 +     # next to his own old space
        """
    )
    assert log.events == ("ticket w", "tile 13+")
    assert log.game.tile_of("Bob") == 13
    assert co.GameLog(log.start, ["ticket w", "roll o1", "undo", "tile 13+"]) == log


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", co.GameError, "nothing is written"),
        ("# only this", co.GameError, "nothing is written"),
        ("3:ob\nroll w2", co.GameError, "camel g (green) is missing"),
        ('{"position": ', co.GameError, "line 1: JSON cannot be read"),
        ('{"position": "1:gyo 3:bw"} roll w2', co.GameError, "a line of their own"),
        ("\n1:gyo 3:bw\nroll w2\n\nroll w2", co.EventError, "line 5:"),
        ("1:gyo 3:bw\nundo", co.EventError, "no event to take back"),
        ("1:gyo 3:bw\nfly", co.EventError, "no such event"),
    ],
)
def test_bad_logs_are_refused(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        co.GameLog.parse(text)
    assert said in str(caught.value)


def test_bad_files_and_events_are_refused(tmp_path: Path) -> None:
    with pytest.raises(co.OptionError, match="cannot be read"):
        co.GameLog.load(tmp_path / "none.log")
    with pytest.raises(co.OptionError, match="cannot be written"):
        co.GameLog.parse("1:gyo 3:bw").save(tmp_path / "none" / "game.log")
    with pytest.raises(co.EventError, match="event 2:"):
        co.GameLog(co.Game.start(co.FIRST, position="1:gyo 3:bw"), ["roll w2", "roll w2"])
    with pytest.raises(co.GameError):
        co.GameLog("1:gyo 3:bw")  # type: ignore[arg-type]


def test_a_recorded_game_replays_into_odds_by_event() -> None:
    log = random_log(co.FIRST, 5, 25)
    odds = log.odds()
    assert len(odds) == len(odds.events) == 26
    for game, shares in zip(log.games, odds.shares, strict=True):
        assert shares.tolist() == list(co.leg_odds(game.position).first.values())
    # A ticket moves nothing.
    i = next(i for i, event in enumerate(odds.events) if event.startswith("ticket"))
    assert np.array_equal(odds.shares[i], odds.shares[i - 1])
    assert odds.players[1] == log.start.to_move
    wins = log.odds("winner")
    assert wins["w"][-1] == co.race_odds(log.game.position).winner["w"]
    assert log.odds("last").shares.sum(axis=1) == pytest.approx(1)
    assert odds.to_dict()["shares"]["b"] == odds["b"].tolist()
    assert list(odds.to_pandas()["event"])[:2] == ["start", log.events[0]]
    assert str(odds).count("\n") >= 26
    for bad in (lambda: log.odds("race"), lambda: odds["q"]):
        with pytest.raises(co.OptionError):
            bad()


def test_odds_by_event_with_a_seed() -> None:
    log = random_log(co.SECOND, 5, 6)
    odds = log.odds("winner", n=2_000, seed=3)
    assert np.array_equal(odds.shares, log.odds("winner", n=2_000, seed=3).shares)
    assert odds.shares.sum(axis=1) == pytest.approx(1)
    for bad in ({"n": -1}, {"seed": "x"}, {"seed": 0.5}):
        with pytest.raises(co.OptionError):
            log.odds("winner", **bad)  # type: ignore[arg-type]


def test_track_of_a_finished_race() -> None:
    p = co.Position.parse("0:Wr 5:b 6:y 8:gp 12:K 3- dice=bygrp")
    assert track(p).splitlines() == [
        " r                          p",
        " W                 b  y     g           K",
        " 0  |  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16  |",
        "             -",
    ]
    p = co.Position.parse("3:b 5:y 8:gp 12:K 17:rW dice=bygrp")
    assert track(p).splitlines() == [
        "                      p                             W",
        "       b     y        g           K                 r",
        " 1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16  | 17",
    ]


# The commands


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_values_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(CASES[0]))
    code, out, _ = run(capsys, "values", str(path), "--json")
    assert code == 0
    rows = json.loads(out)
    expected = {action["action"]: action["value"] for action in CASES[0]["actions"]}
    assert {row["action"]: row["value"] for row in rows} == pytest.approx(expected, abs=1e-9)
    assert [row["value"] for row in rows] == sorted((r["value"] for r in rows), reverse=True)
    assert rows[0]["standard_error"] is None
    values = co.action_values(co.Game.from_dict(CASES[0]))
    _, out, _ = run(capsys, "values", str(path))
    assert out.strip() == str(values).strip()
    _, out, _ = run(capsys, "values", str(path), "--explain", "--belief", "uniform")
    assert out.startswith("last y is worth ")
    assert len(out.splitlines()) == len(values)


def test_values_of_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*TEXT.split(), "--players", "Ann,Bob", "--to-move", "Bob", "--coins", "Ann=3,Bob=0"]
    code, out, _ = run(
        capsys, "values", *words, "--without", "winner", "--without", "last", "--json"
    )
    assert code == 0
    g = co.Game(co.Position.parse(TEXT), ["Ann", "Bob"], to_move="Bob", coins={"Ann": 3, "Bob": 0})
    values = co.action_values(g, without=["winner", "last"])
    assert json.loads(out) == [row.to_dict() for row in values]


def test_values_of_standard_input_and_of_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = random_log(co.FIRST, 6, 12)
    path = tmp_path / "game.log"
    log.save(path)
    _, of_log, _ = run(capsys, "values", str(path), "--json")
    monkeypatch.setattr("sys.stdin", io.StringIO(log.game.to_json()))
    _, of_input, _ = run(capsys, "values", "-", "--json")
    assert of_log == of_input
    assert json.loads(of_log)[0]["action"] == co.action_values(log.game).rows[0].action


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["values", "none.json"], "none.json: cannot be read"),
        (["values", "3:ob 4:g"], "camel y (yellow) is missing"),
        (["values", TEXT, "--players", "Ann"], "2 to 8 can play"),
        (["values", TEXT, "--players", "Ann,Bob", "--coins", "x"], "not a number of coins"),
        (["values", TEXT, "--players", "Ann,Bob", "--belief", "guess"], "no such belief"),
        (["values", TEXT, "--players", "Ann,Bob", "--without", "bets"], "no such kind"),
        (["values", TEXT], "no player 'Bob' has a tile"),
        (["follow", "none.log"], "no such file"),
    ],
)
def test_bad_input_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert said in err


def test_follow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.log"
    new = ["--position", TEXT, "--players", "Ann,Bob,Cat", "--coins", "3"]
    events = "roll w3\nticket w\n\nticket q\ntile 9+\nundo\nwinner ?  # hidden\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(events))
    code, out, err = run(capsys, "follow", str(path), *new, "--enter", "--top", "2")
    assert code == 0
    assert co.GameLog.load(path).events == ("roll w3", "ticket w", "winner ?")
    assert "no racing camel 'q'" in err
    assert out.count("to move:") == 6  # the start, four events, one taken back
    assert "--- Ann: roll w3" in out
    assert "--- undo" in out
    # Again, from the file.
    monkeypatch.setattr("sys.stdin", io.StringIO("roll o2\n"))
    _, out, _ = run(capsys, "follow", str(path), "--top", "2", "--no-enter")
    log = co.GameLog.load(path)
    assert len(log.events) == 3
    assert out.count("to move:") == 4
    best = co.action_values(log.game).rows[:2]
    tail = out.split("Ann to move:")[-1]
    assert [line.split("  ")[0] for line in tail.splitlines()[2:4]] == [r.action for r in best]
    assert track(log.game.position) in out
    code, _, err = run(capsys, "follow", str(path), "--top", "-5", "--no-enter")
    assert (code, "--top -5: less than 0" in err) == (2, True)
    _, every, _ = run(capsys, "follow", str(path), "--last", "--top", "0", "--no-enter")
    _, out, _ = run(capsys, "follow", str(path), "--last", "--top", "2", "--no-enter")
    assert len(every.splitlines()) > len(out.splitlines())
    assert out.count("to move:") == 1
    code, _, err = run(capsys, "follow", str(path), "--players", "3")
    assert code == 2
    assert "is there already" in err


CARD_LOG = """
{"edition": "cards", "players": ["A", "B", "C"], "coins": 3,
 "position": "0:p 3:by 6:Kgr 5- last=16 flip=6 deck=2+1 known=y1 players=3"}
deal B g1
card B
ticket r
reveal y1
third y
reveal K0
done
reveal p1
deal A r2
"""


def test_follow_of_the_card_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cards.log"
    path.write_text(CARD_LOG)
    words = ["--no-enter", "--top", "1", "--n", "100", "--seed", "1"]
    for kind in ("shortcut", "fennec", "winner", "last"):
        words += ["--without", kind]
    code, out, _ = run(capsys, "follow", str(path), *words)
    assert code == 0
    start, dealt, played, bet, *_, ended = out.split("---")[:-1]
    # The finish stands behind the last space; 11 and 12 are one.
    assert " 0  |  1  2  3  4  5  6  7  8  9 10 11 13 14 15 16  |" in start
    assert "deck: 2+1 (known y1)" in start
    assert "dice left" not in out
    assert dealt.startswith(" deal B g1")  # nobody's turn
    assert [line.split() for line in dealt.splitlines() if line.startswith("B ")] == [
        ["B", "3", "g1", "+-"]
    ]
    assert "A: card B   coins: A -1 to 2, B +1 to 4" in played
    assert "A *" in played
    assert [line.split() for line in bet.splitlines() if line.startswith("A ")] == [
        ["A", "2", "r5", "+-"]
    ]
    assert "r 3 2 2" in bet
    assert out.count("the round is over and scored") == 1
    # Red is first, yellow third.
    assert " A: reveal p1   coins: A +5 to 7, B +2 to 6" in out
    assert "B is first" in out
    assert '"deal B r2" tells' in ended
    assert "deck: 6+2" in ended


def test_follow_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "end.log"
    path.write_text("16:w 3:ob 4:gy dice=wo\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("winner ?\nroll w1\nshow winner w\nroll o1\n"))
    code, out, _ = run(capsys, "follow", str(path), "--enter")
    assert code == 0
    assert "the race is over" in out
    assert "hidden cards" in out
    assert "P1 +8 to 11" in out
    assert "most coins: P1" in out
    assert co.GameLog.load(path).game.settled
