"""Tables of results: text, HTML, rich, and the columns that a format spec chooses."""

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import camelodds as co
from camelodds.display import html, terminal, text
from camelodds.display.table import (
    Cell,
    Column,
    Table,
    action_column,
    camel_column,
    coin_column,
    share_column,
)

LEG = co.leg_odds(co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition="first"))
GAME = (
    co.Game.start(co.FIRST, players=["Ann", "<Bo>", "P&C", "D"], position="1:gyo 3:bw")
    .after("ticket w")
    .after("tile 5+")
    .after("roll o3")
)


def read_html(page):
    """The rows of the table in a piece of HTML, and everything that is written in it."""
    root = ET.fromstring(f"<all>{page.replace('<br>', '<br/>')}</all>")
    rows = [
        ["".join(cell.itertext()) for cell in row if cell.tag in ("th", "td")]
        for row in root.iter("tr")
    ]
    return rows, "".join(root.itertext())


@pytest.mark.parametrize(
    ("probability", "error", "shown"),
    [
        (0.0, None, "0%"),
        (1.0, None, "100%"),
        (1e-9, None, "<0.1%"),
        (1 - 1e-9, None, ">99.9%"),
        (0.43351, None, "43.4%"),
        (0.0005, None, "0.1%"),
        (0.43351, 0.016, "43.4% ±1.6"),
        (0.43351, 0.00049, "43.35% ±0.05"),
        (0.4335149, 0.0000012, "43.3515% ±0.0001"),
        (0.0, 0.0, "0.0% ±0.0"),
    ],
)
def test_percent(probability, error, shown):
    assert text.percent(probability, error) == shown


@pytest.mark.parametrize(
    ("value", "error", "shown"),
    [
        (0.0, None, "0.00"),
        (-0.0049, None, "0.00"),
        (0.005, None, "+0.01"),
        (-12.345, None, "-12.35"),
        (1.25, 0.3, "+1.25 ±0.30"),
        (1.25004, 0.00031, "+1.2500 ±0.0003"),
    ],
)
def test_coins(value, error, shown):
    assert text.coins(value, error) == shown


def test_bars():
    assert text.bar(0, 4) == "    "
    assert text.bar(1, 4) == text.bar(7, 4) == "████"
    assert text.bar(0.5, 3) == "█▌ "
    assert text.signed_bar(1, 8) == "    │████"
    assert text.signed_bar(-1, 8) == "████│    "
    assert text.signed_bar(-0.375, 8) == "  ▐█│    "
    assert {len(text.signed_bar(share / 10)) for share in range(-10, 11)} == {text.BAR + 1}


def test_text_of_leg_odds_is_plain_and_whole():
    lines = str(LEG).splitlines()
    assert lines[0].startswith("Leg odds of 3:ob 4:g 6:y 7:w 5- 8+")
    assert lines[2].split("  ")[-3:] == ["ticket 5", "ticket 3", "ticket 2"]
    assert lines[3].split()[:2] == ["w", "white"]
    assert lines[3].split()[3:] == [
        "43.4%",
        "29.6%",
        "16.5%",
        "8.0%",
        "2.5%",
        "+2.19",
        "+1.33",
        "+0.89",
    ]
    assert "\x1b" not in str(LEG)
    assert all(line == line.rstrip() for line in lines)
    assert any("exact, 29,160 equally likely courses" in line for line in lines)


@pytest.mark.nojit
def test_html_says_what_the_text_says():
    rows, written = read_html(LEG._repr_html_())
    lines = text.lines(LEG._table().standard())
    for row, line in zip(rows, lines, strict=True):
        plain = re.sub("[▏▎▍▌▋▊▉█]+", " ", line)
        assert "".join("".join(row).split()) == "".join(plain.split())
    for note in LEG._table().notes:
        assert note in written


def test_bars_of_html_are_as_long_as_their_shares():
    page = LEG._repr_html_()
    lengths = [float(n) for n in re.findall(r"rgba\(66,133,201,0.32\) 0.0% ([0-9.]+)%", page)]
    order = [LEG.camels.index(c) for c in "wybgo"]
    assert lengths == [pytest.approx(100 * p, abs=0.051) for p in LEG.places[order].ravel()]
    assert page.count(html.LOSS) == sum(
        LEG.ticket(worth)[camel] < 0 for worth in (5, 3, 2) for camel in LEG.camels
    )


def test_format_specs_choose_columns():
    assert f"{LEG}" == str(LEG)
    head, first, *rest = f"{LEG:ticket5,first}".splitlines()
    assert head.split() == ["camel", "ticket", "5", "1st"]
    assert first.split()[:3] == ["w", "white", "+2.19"]
    assert len(rest) == 4
    assert f"{LEG:camel, second}" == f"{LEG:second}"
    with pytest.raises(co.OptionError) as caught:
        format(LEG, "first,tickets,>30")
    assert [problem.where for problem in caught.value.problems] == ["'tickets'", "'>30'"]
    assert "ticket5" in str(caught.value)


def test_second_edition_shows_each_worth_once():
    leg = co.leg_odds(co.Position.parse("2:yb 5:WrK 6:gp 11- 15+"))
    assert [c.name for c in leg._table().columns][-3:] == ["ticket5", "ticket3", "ticket2"]


def test_games_show_a_picture_and_a_table_and_escape_names():
    page = GAME._repr_html_()
    assert page.startswith("<svg ")
    rows, written = read_html(page)
    assert rows == [
        ["player", "coins", "tickets", "pyramid", "tile"],
        ["Ann", "3", "w5", "", ""],
        ["<Bo>", "3", "", "", "5+"],
        ["P&C", "3", "", "1", ""],
        ["D *", "3", "", "", ""],
    ]
    assert "<Bo>" not in page
    assert "D to move." in written
    assert str(GAME).splitlines()[2].split() == rows[0]
    assert f"{GAME:bets}".split()[:3] == ["player", "overall", "cards"]


def test_everything_that_a_table_says_is_escaped():
    bad = '<i>&"'
    table = Table(
        bad, (Column(bad, bad, (Cell(bad), Cell(bad, 0.5)), (0.0, 0.5), left=True),), (bad,)
    )
    page = html.page(table)
    assert "<i>" not in page
    rows, written = read_html(page)
    assert rows == [[bad], [bad], [bad]]
    assert written.count(bad) == 5


def test_columns_of_sampled_numbers_show_their_errors():
    table = Table(
        "",
        (
            camel_column("bw"),
            share_column("first", "1st", [0.25, 0.75], [0.001, 0.002]),
            coin_column("ticket5", "ticket 5", [-0.4, 1.0], [0.01, 0.02], bar=True),
        ),
    )
    assert text.lines(table) == [
        "camel           1st                  ticket 5",
        "b blue   25.0% ±0.1     ██│       -0.40 ±0.01",
        "w white  75.0% ±0.2       │█████  +1.00 ±0.02",
    ]


def test_rich_tables_say_what_the_text_says():
    from rich.console import Console

    console = Console(file=io.StringIO(), width=200, color_system=None)
    console.print(LEG)
    written = console.file.getvalue()
    for line in text.lines(LEG._table().standard())[1:]:
        assert "".join(line.split()) in "".join(written.split())
    for note in LEG._table().notes:
        assert note in written


@pytest.mark.parametrize("width", [200, 96, 80, 60, 40, 24])
@pytest.mark.parametrize("sampled", [False, True])
def test_rich_never_cuts_a_number(width, sampled):
    from rich.console import Console

    leg = co.leg_odds(LEG.position, method="sample", n=1_000, seed=1) if sampled else LEG
    table = replace(leg._table(), notes=(), caption="").standard()
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(terminal.Rendered(table))
    written = console.file.getvalue()
    assert "…" not in written
    assert max(map(len, written.splitlines())) <= width
    words = written.split()
    for column in table.columns[1:]:
        for cell in column.cells:
            assert set(cell.text.split()) <= set(words)
    assert ("█" in written) == (width == 200)


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_rich_where_it_is_installed(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "stdout", Screen())
    terminal.show(LEG)
    assert "\x1b[" in sys.stdout.getvalue()


def test_a_terminal_gets_text_where_rich_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    monkeypatch.setattr(sys, "stdout", Screen())
    terminal.show(LEG)
    assert sys.stdout.getvalue() == f"{LEG}\n"


def test_what_is_no_terminal_gets_text(capsys):
    terminal.show(LEG)
    assert capsys.readouterr().out == f"{LEG}\n"


def test_nothing_is_imported_before_it_is_shown():
    code = (
        "import sys, camelodds as co; leg = co.leg_odds(co.Position.parse('1:gyo 3:bw'));"
        "repr(leg); leg.to_dict();"
        "assert not [m for m in sys.modules if m.startswith('camelodds.display')];"
        "str(leg); assert 'camelodds.display.html' not in sys.modules;"
        "leg._repr_html_();"
        "assert not {'matplotlib', 'pandas', 'polars', 'rich', 'IPython'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_values_too_small_to_be_shown_have_no_bar():
    column = coin_column("value", "value", [1e-16, -1e-17, 2.0], most=4.0)
    assert [cell.share for cell in column.cells] == [0.0, 0.0, 0.5]
    assert coin_column("value", "value", [1e-16]).cells[0] == Cell("0.00", 0.0)


def test_actions_on_camels_show_their_colour():
    column = action_column(["ticket b", "roll", "tile 5+", "winner w"], "bygow")
    assert [cell.camel for cell in column.cells] == ["b", "", "", "w"]
    page = html.page(Table("", (column,)))
    assert read_html(page)[0][1:] == [["ticket b"], ["roll"], ["tile 5+"], ["winner w"]]
    assert page.count("background:#") == 2
    rolls = html.page(co.by_next_roll(co.Position.parse("1:gyo 3:bw dice=w"))._table())
    assert [row[0] for row in read_html(rolls)[0]] == ["roll", "w1", "w2", "w3", "now"]
    assert rolls.count("background:#") == 3
