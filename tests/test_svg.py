"""Pictures of positions: well-formed, complete, nothing outside and nothing overlapping."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import camelodds as co
from camelodds.display import svg as pictures
from tools.pictures import IMAGES
from tools.pictures import pictures as docs_pictures

SVG = "{http://www.w3.org/2000/svg}"

WORST = [
    *(co.Position.parse(f"{space}:WbyKgrp") for space in (1, 2, 8, 9, 16)),
    co.Position.parse("8:WbyKgr 16:p dice=*"),
    co.Position.parse("16:bygow dice="),
    co.Position.parse("15:bygow").after("b3"),
    co.Position.parse("16:bygow").after("b3"),
    co.Position.parse("16:WKbygrp 15+@Bo").after("b1"),
    co.Position.parse("1:KWbyg 2:rp").after("K2"),
    co.Position.parse("1:KWbygrp").after("K3"),
    co.Position.parse("3:b 5:y 7:g 9:o 11:w 2+@P1 4-@P2 6+@P3 8-@P4 10+@P5 12-@P6 14+@P7 16-@P8"),
    co.Position.parse("0:bygrp 7:K players=6"),
    *(co.Position.parse(f"{space}:bKygrp last=24 players=2") for space in (1, 12, 13, 24)),
    co.Position.parse("14:bygrpK last=14 players=2"),
    co.Position.parse(
        "0:b 2:yg 15:rp 16:K 3+@P1 5-@P2 last=15 flip=4/5 deck=11+0 known=b1b1b1y1y1g2"
    ),
    co.Position.parse("14:r 15:bygpK last=15 deck=1+0").after("b1"),
    co.Position.parse("23:r 24:bygpK last=24 deck=1+0").after("b1"),
    co.Position.parse("1:bygow", edition=co.FIRST.with_options(spaces=4)),
    co.Position.parse("22:bygow", edition=co.FIRST.with_options(spaces=22)),
    co.Position.parse("1:bygow 8+@" + "W" * 40 + " 16-@名前名前名前名前名前"),
]


def drawn(position, **options):
    return ET.fromstring(position.svg(**options))


def texts(root):
    """Text, left, right, top and bottom of everything that is written."""
    for element in root.iter(f"{SVG}text"):
        x, y, size = (float(element.get(name)) for name in ("x", "y", "font-size"))
        width = size * sum(
            1.05 if c in "mwMWQ@%&…" or ord(c) > 0x2E80 else 0.72 for c in element.text
        )
        shift = {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor")]
        left = x - shift * width
        yield element.text, left, left + width, y - 0.76 * size, y + 0.24 * size


def numbers(path):
    return [float(word) for word in path.split() if not word.isalpha()]


def camels(root):
    """Letter to the box of its outline and to whether it faces right."""
    found = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("class") == "camel":
            letter = group.get("data-camel")
            assert letter not in found, f"{letter} is drawn twice"
            tail, outline = (numbers(path.get("d")) for path in group.iter(f"{SVG}path"))
            xs, ys = outline[::2] + tail[::2], outline[1::2] + tail[1::2]
            assert [t.text for t in group.iter(f"{SVG}text")] == [letter]
            faces_right = sum(tail[::2]) / len(tail[::2]) < sum(outline[::2]) / len(outline[::2])
            found[letter] = (min(xs), max(xs), min(ys), max(ys)), faces_right
    return found


def check_picture(position, **options):
    root = drawn(position, **options)
    left, top, width, height = map(float, root.get("viewBox").split())
    assert (left, top) == (0, 0)
    for text, x0, x1, y0, y1 in texts(root):
        assert x0 >= 0, text
        assert x1 <= width, text
        assert y0 >= 0, text
        assert y1 <= height, text
    found = camels(root)
    assert sorted(found) == sorted(position.edition.camels)
    for (x0, x1, y0, y1), _ in found.values():
        assert 2 <= x0 < x1 <= width - 2
        assert 2 <= y0 < y1 <= height - 2
    space_of = {camel: space for space, stack in position.stacks.items() for camel in stack}
    for one, other in combinations(found, 2):
        a, b = found[one][0], found[other][0]
        if space_of[one] == space_of[other]:
            # What nests is the outlines; their lettered bodies are a whole step apart.
            assert abs(a[3] - b[3]) >= pictures.STEP - 0.2
        else:
            assert a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2], (one, other)
    for stack in position.stacks.values():
        feet = [found[camel][0][3] for camel in stack]
        assert feet == sorted(feet, reverse=True)  # bottom to top
    return root, found


@pytest.mark.parametrize("theme", pictures.THEMES)
@pytest.mark.parametrize("position", WORST, ids=str)
def test_worst_positions_fit_in_the_picture(position, theme):
    check_picture(position, theme=theme)


@st.composite
def positions(draw):
    """Any position that rolls from a random start, with a few tiles, can reach."""
    edition = draw(st.sampled_from([co.FIRST, co.SECOND, co.CARDS]))
    position = co.Position.start(edition, seed=draw(st.integers(0, 2**32)))
    while position.deck is not None and draw(st.booleans()) and not position.leg_over:
        cards = [card for card, *_ in position.deck.draws("K")]
        position = position.after(f"reveal {draw(st.sampled_from(cards))}")
    if position.deck is not None:
        return position
    for _ in range(draw(st.integers(0, 40))):
        if position.race_over:
            break
        if position.leg_over:
            position = position.next_leg()
        die = draw(st.sampled_from(position.dice))
        if die == "*":
            die = draw(st.sampled_from("WK"))
        position = position.after(f"{die}{draw(st.integers(1, 3))}")
    return position


@given(positions())
@settings(max_examples=60)
def test_random_positions_fit_in_the_picture(position):
    check_picture(position)


def test_racing_camels_face_the_way_they_run_and_crazy_ones_back():
    _, found = check_picture(co.Position.parse("2:yWb 9:Kgrp"))
    facing_right = {camel for camel, (_, right) in found.items() if right}
    assert facing_right == {"y", "b", "K"}  # the upper row runs right, the lower one left


def test_structure_of_a_golden_picture():
    root = drawn(co.Position.parse("3:ob 4:g 6:y 7:w 5-@Ann 8+ dice=ob"))
    groups = [
        (
            group.get("class"),
            group.get("data-space") or group.get("data-camel") or group.get("data-die"),
        )
        for group in root.iter(f"{SVG}g")
    ]
    assert groups == [
        ("finish", None),
        ("tile", "5"),
        ("tile", "8"),
        *(("camel", camel) for camel in "obgyw"),
        ("die", "b"),
        ("die", "o"),
    ]
    written = [text for text, *_ in texts(root)]
    assert written == [
        *map(str, range(1, 17)),
        *("\u22121", "Ann", "+1"),
        *"obgyw",
        *"bo",
        "left in the pyramid",
        "Camel Up, first edition (2014)",
    ]
    assert root.find(f"{SVG}title").text.endswith("3:ob 4:g 6:y 7:w 5-@Ann 8+ dice=bo")


def test_F1_spaces_lie_in_a_ring():
    root = drawn(co.Position.parse("1:gyo 3:bw"))
    at = {text: ((x0 + x1) / 2, y1) for text, x0, x1, _, y1 in texts(root) if text.isdigit()}
    upper, lower = ([at[str(s)] for s in spaces] for spaces in (range(1, 9), range(9, 17)))
    assert len({y for _, y in upper}) == len({y for _, y in lower}) == 1
    assert [x for x, _ in upper] == sorted(x for x, _ in upper)
    assert [x for x, _ in lower] == [x for x, _ in reversed(upper)]


def test_F11_a_finished_race_stands_beyond_the_line_that_it_crossed():
    forward = co.Position.parse("16:bygow").after("o2")
    root, found = check_picture(forward)
    assert "18" in [text for text, *_ in texts(root)]
    assert found["o"][0][1] < found["b"][0][0]
    assert "the race is over: w wins" in [text for text, *_ in texts(root)]
    reverse = co.Position.parse("1:Kb 2:Wygrp").after("K3")
    root, _ = check_picture(reverse)
    assert "\u22122" in [text for text, *_ in texts(root)]


def test_C3_camels_before_the_banner_stand_side_by_side():
    _, found = check_picture(co.Position.parse("0:bygrp 7:K players=6"))
    feet = [found[camel][0][3] for camel in "bygrp"]
    assert {round(a - b) for a, b in pairwise(feet)} == {pictures.LANE}
    tops = [found[camel][0][2] for camel in "bygrp"]
    assert all(top > foot for top, foot in zip(tops, feet[1:], strict=False))


def test_C4_a_flipped_card_is_one_space():
    root, _ = check_picture(co.Position.parse("5:bygrp 7:K last=16 flip=2/5 players=4"))
    written = [text for text, *_ in texts(root)]
    assert written[:16] == ["start", *(str(s) for s in range(1, 17) if s not in (4, 10)), "finish"]
    sand = [g for g in root.iter(f"{SVG}g") if g.get("class") == "sand"]
    assert [g.find(f"{SVG}title").text for g in sand] == [
        "sandstorm: 3 and 4 are one space",
        "sandstorm: 9 and 10 are one space",
    ]


def test_C12_the_finish_absorbs():
    move = co.Position.parse("14:r 15:bygpK last=15 deck=1+0").move("b1")
    root = ET.fromstring(move._repr_svg_())
    assert "the race is over: p wins" in [text for text, *_ in texts(root)]
    assert len([p for p in root.iter(f"{SVG}polyline") if p.get("class") == "co-s-accent"]) == 1


def test_C14_the_deck_and_the_known_cards():
    root, _ = check_picture(co.Position.parse("5:bygrp 7:K last=16 deck=5+1 known=y1r2"))
    cards = [g.get("data-card") for g in root.iter(f"{SVG}g") if g.get("class") == "card"]
    assert sorted(cards) == ["r2", "y1"]
    assert "known of 6 cards in the deck, 1 of them crazy" in [text for text, *_ in texts(root)]


def test_owners_are_escaped_and_cut():
    name = "<b>\"&'</b>"
    text = co.Position.parse(f"1:gyo 3:bw 5-@{name}").svg()
    assert "<b>" not in text
    assert "&lt;b&gt;" in text
    root = ET.fromstring(text)
    assert any(t.text == f"tile \u22121 on 5, of {name}" for t in root.iter(f"{SVG}title"))
    long = drawn(co.Position.parse("1:gyo 3:bw 5-@Bartholomew"))
    assert any(text.startswith("Barth") and text.endswith("…") for text, *_ in texts(long))


def test_size_and_themes():
    position = co.Position.parse("1:gyo 3:bw")
    small, large = drawn(position, size=300), drawn(position, size=1200)
    assert (small.get("width"), large.get("width")) == ("300", "1200")
    assert small.get("viewBox") == large.get("viewBox")
    light, dark, auto = (position.svg(theme=theme) for theme in ("light", "dark", "auto"))
    assert "<style>" not in light + dark
    assert "prefers-color-scheme:dark" in auto
    page = {
        theme: drawn(position, theme=theme).find(f"{SVG}rect").get("fill")
        for theme in ("light", "dark", "auto")
    }
    assert page["light"] == page["auto"] == pictures.THEME["page"][0]
    assert page["dark"] == pictures.THEME["page"][1]
    assert position._repr_svg_() == auto


def contrast(one, other):
    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [0, 1])
def test_what_is_written_can_be_read(dark):
    colour = {part: both[dark] for part, both in pictures.THEME.items()}
    for text, ground in [
        ("muted", "page"), ("muted", "track"), ("muted", "lit"), ("ink", "page"),
        ("onplus", "plus"), ("onplus", "minus"),
    ]:  # fmt: skip
        assert contrast(colour[text], colour[ground]) >= 4, (text, ground)
    for camel, paint in pictures.PAINT.items():
        assert contrast(pictures.letter_colour(camel), paint) >= 3, camel  # large and bold


def test_highlights():
    position = co.Position.parse("1:gyo 3:bw")
    lit = pictures.THEME["lit"][0]
    accent = pictures.THEME["accent"][0]

    def counted(**options):
        text = position.svg(**options)
        return text.count(f'fill="{lit}"'), text.count(f'stroke="{accent}" stroke-width="3.4"')

    assert counted() == (0, 0)
    assert counted(highlight=8) == (1, 0)
    assert counted(highlight="w") == (0, 1)
    assert counted(highlight=[3, 16, "w", "b"]) == (2, 2)
    assert counted(highlight="wb") == (0, 2)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("notation", "roll", "origin", "steps"),
    [
        ("1:gyo 3:bw", "o1", 1, 1),
        ("3:ob 4:g 6:y 7:w 9+", "w2", 7, 3),
        ("3:ob 4:g 6:y 7:w 9-", "w2", 7, 1),
        ("5:bg 9:WrK 3:yp", "K3", 9, 3),
        ("15:bygow", "b3", 15, 2),
        ("2:KWbyg 3:rp", "K3", 2, 2),
    ],
)
def test_the_last_move_is_marked(notation, roll, origin, steps):
    move = co.Position.parse(notation).move(roll)
    assert move.origin == origin
    root = ET.fromstring(move._repr_svg_())
    ways = [p for p in root.iter(f"{SVG}polyline") if p.get("class") == "co-s-accent"]
    assert len(ways) == steps
    assert len([r for r in root.iter(f"{SVG}rect") if r.get("stroke-dasharray")]) == 1
    assert any(text == f"last move {move.event}" for text, *_ in texts(root))


def test_bad_arguments_are_all_named():
    position = co.Position.parse("1:gyo 3:bw")
    other = co.Position.parse("1:gyob 3:w").move("w1")
    with pytest.raises(co.OptionError) as caught:
        position.svg(size=10, theme="blue", highlight=[99, "r", True, None], last_move=other)
    assert len(caught.value.problems) == 7
    for size in (True, 1e3, "big"):
        with pytest.raises(co.OptionError):
            position.svg(size=size)
    with pytest.raises(co.OptionError):
        position.svg(last_move="w1")


def test_pictures_are_not_imported_before_one_is_drawn():
    code = (
        "import sys, camelodds as co; p = co.Position.parse('1:gyo 3:bw'); str(p); repr(p);"
        "assert not [m for m in sys.modules if m.startswith('camelodds.display')];"
        "p.svg(); assert 'camelodds.display.svg' in sys.modules;"
        "assert not {'matplotlib', 'pandas', 'polars', 'rich'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_pictures_in_the_docs_are_what_is_drawn():
    for name, text in docs_pictures().items():
        assert (IMAGES / name).read_text(encoding="utf-8") == text, "run python tools/pictures.py"
