"""The terminal: what it prints, and how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from camelodds import FIRST, Position, __version__, leg_odds
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
        (["leg", TEXT, "--colour"], ["--colour"]),
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
    assert "43.4%" in plain.stdout
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
