"""The terminal: what it prints, and how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from camelodds import FIRST, Game, GameLog, Position, PositionError, __version__, leg_odds
from camelodds.cli import main

TEXT = "3:ob 4:g 6:y 7:w 5- 8+"


def test_leg_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leg", TEXT, "--edition", "first"]) == 0
    out, _ = capsys.readouterr()
    assert out.strip() == str(leg_odds(Position.parse(TEXT, FIRST))).strip()


def test_leg_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leg", *TEXT.split(), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data == leg_odds(Position.parse(TEXT, FIRST)).to_dict()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["leg", "3:oob 4:g 1+", "--edition", "first"], ["camel o again", "w (white)", "[F4]"]),
        (["leg", TEXT, "--edition", "third"], ["no such edition", "first, second"]),
        (["leg"], ["nothing is written"]),
        (["leg", TEXT, "--colour"], ["--colour: no such option"]),
        (["leg", "nowhere.json"], ["nowhere.json: cannot be read: no such file\n"]),
        (["values", "nowhere.log"], ["nowhere.log: cannot be read: no such file\n"]),
        (["values", TEXT, "--players", "Ann", "Bob"], ["--players Ann,Bob"]),
        (["values", "12:gyo 17:bw"], ["the race is over", "[F11]"]),
        (["leg", TEXT, "--method", "sample", "--n", "0"], ["--n 0: nothing to sample"]),
        (["compare", TEXT, "--samples", "1e3,abc"], ["samples: 'abc': not a whole number"]),
        (["nonsense"], ["nonsense"]),
    ],
)
def test_bad_input_is_told_with_exit_code_2(
    words: list[str], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(part in err for part in said)
    assert "Traceback" not in err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__
    for words in (["--help"], ["leg", "--help"]):
        assert main(words) == 0
        out = capsys.readouterr().out
        assert "Odds of the present leg" in out


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "camelodds", *words],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )


def test_the_first_run_says_that_it_compiles(tmp_path: object) -> None:
    cache = str(tmp_path)
    first = run("leg", TEXT, NUMBA_CACHE_DIR=cache)
    assert first.returncode == 0
    assert "compiling" in first.stderr
    second = run("leg", TEXT, NUMBA_CACHE_DIR=cache)
    assert (second.stdout, second.stderr) == (first.stdout, "")


EVERY_COMMAND = (
    ["leg", TEXT],
    ["leg", TEXT, "--method", "sample", "--n", "1000", "--seed", "1"],
    ["race", TEXT, "--method", "sample", "--n", "1000", "--seed", "1"],
    ["values", TEXT, "--method", "sample", "--n", "1000", "--seed", "1"],
    ["best", TEXT, "--players", "2", "--no-bets"],
    ["best", "3:rb 4:g 6:y 7:p 12:K 13:W dice=rb", "--players", "2", "--no-bets"],
    ["compare", TEXT, "--samples", "1e3", "--seed", "1"],
)


@pytest.mark.slow
def test_a_second_process_compiles_nothing() -> None:
    code = (
        "import json, sys\n"
        "from numba.core import event\n"
        "from camelodds.cli import main\n"
        "compiled = []\n"
        "class Heard(event.Listener):\n"
        "    def on_start(self, e): compiled.append(str(e.data['dispatcher']))\n"
        "    def on_end(self, e): pass\n"
        "with event.install_listener('numba:compile', Heard()):\n"
        "    codes = [main(words) for words in json.loads(sys.argv[1])]\n"
        "print(json.dumps([codes, compiled]), file=sys.stderr)\n"
    )
    for _ in range(2):
        words = [sys.executable, "-c", code, json.dumps(EVERY_COMMAND)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    codes, compiled = json.loads(done.stderr.splitlines()[-1])
    assert (set(codes), compiled) == ({0}, [])


def test_import_is_light_and_compiles_nothing() -> None:
    code = (
        "import sys; from numba.core import event\n"
        "class Heard(event.Listener):\n"
        "    def on_start(self, e): raise SystemExit('compiled something')\n"
        "    def on_end(self, e): pass\n"
        "with event.install_listener('numba:compile', Heard()):\n"
        "    import camelodds\n"
        "heavy = {'scipy.stats', 'matplotlib', 'pandas', 'polars', 'rich', 'cyclopts'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_a_position_may_begin_with_a_hyphen_or_be_json(capsys: pytest.CaptureFixture[str]) -> None:
    text = "-1:K 4:by 5:gr 7:p 9:W"
    for words in ([text], text.split(), [Position.parse(text).to_json()]):
        assert main(["leg", *words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["race_ends"] == 1


def test_leg_and_race_take_the_position_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game.start(FIRST, players=2, position=TEXT)
    log = GameLog(game, ["ticket w", "roll w2"])
    position = log.game.position
    files = {
        "game.json": log.game.to_json(),
        "position.json": position.to_json(),
        "fields.json": json.dumps({"edition": "first", "position": position.to_dict()}),
        "game.log": str(log),
        "lines.log": f"{TEXT}  # Ann begins\nticket w\nroll w2",
        "position.txt": f"{position}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        assert main(["leg", str(tmp_path / name), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["position"] == str(position), name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"position": ', "JSON cannot be read"),
        ("1:gyo 3:bw\nroll w9", "line 2:\n  w9: no face 9"),
        ("1:gyo 3:bw\n1:gyo 3:wb", "2 positions, one on each line: one is wanted"),
        ('{"edition": "first", "position": "1:gyo 3:b"}', "camel w (white) is missing"),
    ],
)
def test_faults_of_a_file_begin_with_its_name(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.log"
    file.write_text(text)
    assert main(["leg", str(file)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"camelodds: {file}:")
    assert err.count(str(file)) == 1
    assert said in err


def test_what_could_not_be_read_misses_no_camel() -> None:
    calls = (
        lambda: Position.parse(None),  # type: ignore[arg-type]
        lambda: Position.parse("1:gyo", "third"),
        lambda: Position.from_json("[]"),
        lambda: Position.from_json('{"edition": "first"}'),
    )
    for call in calls:
        with pytest.raises(PositionError, match=r"^not a position") as caught:
            call()
        assert len(caught.value.problems) == 1
        assert ("edition (" in str(caught.value)) == (call is calls[-1])


def test_options_of_sampling_that_change_nothing_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["leg", TEXT, "--n", "1000", "--seed", "1"]) == 0
    assert "so --n, --seed changed nothing" in capsys.readouterr().err


def test_what_is_over_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("leg", "race"):
        assert main([command, "12:gyo 17:bw"]) == 0
        out = capsys.readouterr().out
        assert "The race is over." in out
        assert "race ends" not in out
        assert "1 equally" not in out


def test_kinds_to_leave_out_have_commas(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["values", TEXT, "--method", "sample", "--n", "1e3", "--without", "tile,winner"]
    assert main([*words, "--json"]) == 0
    kinds = {row["action"].split()[0] for row in json.loads(capsys.readouterr().out)}
    assert kinds == {"roll", "ticket", "last"}


def test_removing_no_table_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "remove", "second", "--folder", str(tmp_path)]) == 0
    assert "no race table of the second edition" in capsys.readouterr().out


def test_a_position_from_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "camelodds", "leg", "-"],
        input=TEXT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "43.4%" in done.stdout


def test_output_that_cannot_be_written_gives_no_traceback() -> None:
    plain = run("leg", TEXT, PYTHONIOENCODING="ascii")
    assert (plain.returncode, plain.stderr) == (0, "")
    assert "w white   ####        43.4%" in plain.stdout
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "camelodds", "leg", TEXT],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert done.returncode == 1
        assert "No space left" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_reader_that_has_gone_ends_it_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-m", "camelodds", "leg", TEXT]
    done = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_no_room_for_compiled_kernels_only_costs_the_compilation() -> None:
    code = (
        "import shutil\n"
        "shutil.disk_usage = lambda folder: type('Usage', (), {'free': 0})\n"
        "from numba import config\n"
        "import camelodds.kernels\n"
        "print(config.CACHE_DIR)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("camelodds-")
    assert not folder.exists()
