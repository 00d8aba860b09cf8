"""Reading and writing positions, and every fault of an input."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from camelodds import FIRST, SECOND, CamelOddsError, Position, PositionError, Problem, Tile
from tests.strategies import positions

pytestmark = pytest.mark.nojit


@given(positions(owners=True))
def test_text_json_and_mappings_round_trip(position: Position) -> None:
    edition = position.edition
    assert Position.parse(str(position), edition) == position
    assert Position.from_json(position.to_json()) == position
    assert Position.from_dict({"edition": edition.name, "position": str(position)}) == position
    again = Position(edition, position.stacks, position.tiles, position.dice)
    assert again == position
    assert hash(again) == hash(position)
    assert pickle.loads(pickle.dumps(position)) == position


@given(positions(), st.randoms(use_true_random=False))
def test_tokens_come_in_any_order(position: Position, random: object) -> None:
    tokens = str(position).split()
    random.shuffle(tokens)  # type: ignore[attr-defined]
    assert Position.parse(" ".join(tokens), position.edition) == position


@pytest.mark.parametrize(
    "text",
    [
        "3:ob 4:g 6:y 7:w 5- 8+",
        "  8+ 7:w, 6:y; 4:g 3:ob , 5-  ",
        "3:OB 4:G 6:Y 7:W 5- 8+",
        "3: ob 4 : g 6 :y 7:w 5- 8+",
        "3:ob 4:g 6:y 7:w 5\u2212 8\uff0b",
        "3:ob\n4:g\t6:y 7:w 5\u2013 8+ dice=bygow",
        "03:ob 4:g 6:y 7:w 5- 8+ DICE=wogyb",
        "\uff13\uff1a\uff4f\uff42 4:g 6:y 7:w 5\uff0d 8+",
        "\ufeff3:ob\u3001 4:g 6:y 7:w 5\u2014 8+",
    ],
)
def test_forms_that_people_write_are_read_alike(text: str) -> None:
    expected = Position(FIRST, {3: "ob", 4: "g", 6: "y", 7: "w"}, {5: -1, 8: 1})
    assert Position.parse(text, FIRST) == expected
    assert str(expected) == "3:ob 4:g 6:y 7:w 5- 8+"


def test_a_bare_dice_token_does_not_swallow_the_next() -> None:
    position = Position.parse("dice= 3:ob 4:g 6:y 7:w", FIRST)
    assert position.dice == ""
    assert position.stacks[3] == "ob"
    assert str(position) == "3:ob 4:g 6:y 7:w dice="


def test_mappings_take_lists_and_tiles_in_several_forms() -> None:
    tiles = {5: "-@Ann", 8: Tile(1, "Bob"), 11: (-1, "Cy"), "13": "+"}
    position = Position("first", {3: ["o", "b"], 4: "g", 6: "y", 7: "w"}, tiles, ["w", "b"])
    assert str(position) == "3:ob 4:g 6:y 7:w 5-@Ann 8+@Bob 11-@Cy 13+ dice=bw"


def test_the_camels_tell_the_edition() -> None:
    assert Position.parse("3:OB 4:G 6:Y 7:W").edition is FIRST
    assert Position.parse("3:RB 4:G 6:Y 7:P 14:WK").edition is SECOND
    assert Position.parse("3:ob 4:g 6:y 7:w").edition is FIRST
    assert Position.parse("3:rb 4:g 6:y 7:p 14:WK").edition is SECOND


FAULTS = [
    ("first", "3:oxb 4:g 6:y 7:w", "unknown camel 'x'", "F2"),
    ("first", "3:ob 4:g 6:y", "camel w (white) is missing", "F2"),
    ("first", "3:obb 4:g 6:y 7:w", "camel b again", "F2"),
    ("first", "3:ob 4:g 6:y 7:w 9:b", "camel b again", "F2"),
    ("first", "3:ob 4:g 6:y 20:w", "no such space as 20", "F1"),
    ("first", "0:ob 4:g 6:y 7:w", "no such space as 0", "F1"),
    ("first", "-1:ob 4:g 6:y 7:w", "no such space as -1", "F1"),
    ("first", "17:ob 4:g 6:y 18:w", "more than one unit beyond a line", "F11"),
    ("first", "3:ob 4:g 6:y 7:w 9:", "an empty stack", "M1"),
    ("first", "3:o 3:b 4:g 6:y 7:w", "space 3 a second time", "M1"),
    ("first", "3:ob 4:g 6:y 7:w 4+", "a tile on a space with a camel", "F4"),
    ("first", "3:ob 4:g 6:y 7:w 1+", "no tile may lie on space 1", "F4"),
    ("first", "3:ob 4:g 6:y 7:w 17+", "no tile may lie on space 17", "F4"),
    ("first", "3:ob 4:g 6:y 7:w 9+ 10-", "next to the tile on space 9", "F4"),
    ("first", "3:ob 4:g 6:y 7:w 9+ 9-", "two tiles on one space", "F4"),
    ("first", "3:ob 4:g 6:y 7:w 9+@A 12-@A", "A has a tile already", "F3"),
    ("first", "3:ob 4:g 6:y 7:w dice=ox", "unknown die 'x'", "F3"),
    ("first", "3:ob 4:g 6:y 7:w dice=o*", "unknown die '*'", "F3"),
    ("first", "3:ob 4:g 6:y 7:w dice=oo", "die o twice", "F3"),
    ("first", "3:ob 4:g 6:y 7:w dice=o dice=b", "the dice a second time", ""),
    ("first", "3:ob 4:g 6:y 7:w hello", "not understood", ""),
    ("first", "3:ob 4:g 6:y 7:w 9", "not understood", ""),
    ("first", "3:ob 4:g 6:y 7:w 9+-", "not understood", ""),
    ("first", "3:ob:4 g 6:y 7:w", "not understood", ""),
    ("first", "", "nothing is written", ""),
    ("first", "3:rb 4:g 6:y 7:p", "unknown camel 'r'", "F2"),
    ("first", "3:ob 4:g 6:y 7:w 14:K", "unknown camel 'K'", "S2"),
    ("second", "3:rb 4:g 6:y 7:p 14:W", "camel K (black crazy) is missing", "S2"),
    ("second", "3:rb 4:g 6:y 7:p 14:wK", "unknown camel 'w'", "F2"),
    ("second", "3:rb 4:g 6:y 7:p 14:Wk", "unknown camel 'k'", "F2"),
    ("second", "3:rb 4:g 6:y 17:p 0:WK", "more than one unit beyond a line", "F11"),
    ("second", "3:rb 4:g 6:y 17:Wp 5:K", "a crazy camel does not cross the line forward", "S7"),
    ("second", "3:rb 4:g 6:y 0:pW 5:K", "a racing camel does not cross the line in reverse", "S6"),
    ("second", "3:rb 4:g 6:y 7:p -3:W 5:K", "no such space as -3", "F1"),
    ("second", "3:rb 4:g 6:y 7:p 14:WK 14+", "a tile on a space with a camel", "F4"),
]


@pytest.mark.parametrize(("edition", "text", "what", "rule"), FAULTS)
def test_each_fault_is_named(edition: str, text: str, what: str, rule: str) -> None:
    found = [p for p in Position.problems(text, edition) if what in p.what]
    assert found
    assert {p.rule for p in found} == {rule}
    assert all(p.where or "nothing" in p.what for p in found)
    with pytest.raises(PositionError, match=r"not a position of the") as raised:
        Position.parse(text, edition)
    assert found[0] in raised.value.problems


def test_all_faults_come_at_once_each_with_its_place() -> None:
    text = "3:oob 4:g 5:x 1+ 5- 17:w 18:y foo dice=oo"
    problems = Position.problems(text, FIRST)
    assert [(p.where, p.what) for p in problems] == [
        ("foo", "not understood"),
        ("3:oob", "camel o again, already in 3:oob"),
        ("5:x", "unknown camel 'x'"),
        ("17:w, 18:y", "more than one unit beyond a line"),
        ("1+", "no tile may lie on space 1"),
        ("5-", "a tile on a space with a camel"),
        ("dice=oo", "die o twice"),
    ]


def test_no_problems_with_a_position() -> None:
    assert Position.problems("3:ob 4:g 6:y 7:w 5- 8+", FIRST) == []
    assert Position.problems(Position.parse("3:ob 4:g 6:y 7:w")) == []
    assert Position.problems({"position": "3:ob 4:g 6:y 7:w"}) == []


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("[1, 2]", "a position is a JSON object"),
        ("{nonsense", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ('{"edition": "third", "position": "3:ob 4:g 6:y 7:w"}', "no such edition"),
        ('{"position": 3}', "a position is written as text"),
        ('{"position": "3:ob 4:g 6:y 7:w", "dice": "o"}', "stands beside the notation"),
        ('{"stacks": {"3": "ob", "4": "g", "6": "y", "7": "w"}, "tile": {}}', "unknown field"),
        ('{"stacks": {"x": "ob", "4": "g", "6": "y", "7": "w"}}', "not a space"),
        ('{"stacks": {"3": 5, "4": "g", "6": "y", "7": "w"}}', "a stack is text"),
        ('{"stacks": [3]}', "not a mapping"),
        ('{"stacks": {"3": "obgyw"}, "tiles": {"5": "x"}}', "not a tile"),
        ('{"stacks": {"3": "obgyw"}, "tiles": {"5": true}}', "not a tile"),
        ('{"stacks": {"3": "obgyw"}, "tiles": 7}', "not a mapping"),
        ('{"stacks": {"3": "obgyw"}, "dice": 7}', "not a text of dice"),
        ('{"stacks": {"true": "obgyw"}}', "not a space"),
    ],
)
def test_json_that_cannot_be_used(data: str, what: str) -> None:
    with pytest.raises(PositionError) as raised:
        Position.from_json(data)
    assert any(what in problem.what for problem in raised.value.problems)


def test_errors_can_be_pickled() -> None:
    with pytest.raises(PositionError) as raised:
        Position.parse("3:oob 1+", FIRST)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.problems) == (str(raised.value), raised.value.problems)


def test_a_very_long_text_is_refused_at_once() -> None:
    with pytest.raises(PositionError, match="longer than"):
        Position.parse("3:ob " * 100_000, FIRST)


@given(st.text(max_size=60))
def test_any_text_gives_a_position_or_problems(text: str) -> None:
    try:
        position = Position.parse(text)
    except CamelOddsError as error:
        assert error.problems
        assert all(isinstance(problem, Problem) and str(problem) for problem in error.problems)
    else:
        assert Position.parse(str(position), position.edition) == position


tokens = st.sampled_from(
    ["3:", "16:ob", "0:g", ":y", "17:w", "-2:K", "WK", "5-", "5+@P1", "@", "dice=", "dice=*", "b"]
)


@given(st.lists(tokens, max_size=8).map(" ".join), st.sampled_from(["first", "second", None]))
def test_any_tokens_give_a_position_or_problems(text: str, edition: str | None) -> None:
    try:
        Position.parse(text, edition)
    except CamelOddsError as error:
        assert error.problems


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-30, 30) | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
fields = st.dictionaries(
    st.sampled_from(["edition", "position", "stacks", "tiles", "dice", "other"]), json_values
)


@given(fields | json_values)
def test_any_json_gives_a_position_or_problems(data: object) -> None:
    with pytest.raises(CamelOddsError) as raised:
        Position.from_json(json.dumps(data))
    assert raised.value.problems


@pytest.mark.parametrize("owner", ["A\u2212B", "A\uff1aB", "\uff21nn", "P1", "\u00c4nne", "x" * 40])
def test_owners_round_trip_as_they_are(owner: str) -> None:
    position = Position("first", {3: "obgyw"}, {8: (1, owner)})
    assert position.tiles[8].owner == owner
    assert Position.parse(str(position)) == position
    assert Position.from_json(position.to_json()) == position


@pytest.mark.parametrize("owner", ["", "a b", "a,b", "a;b", "a|b", "a:b", "a@b", "x" * 41])
def test_owners_that_could_be_misread_are_refused(owner: str) -> None:
    for tile in ((1, owner), f"+@{owner}"):
        with pytest.raises(PositionError, match="not a tile"):
            Position("first", {3: "obgyw"}, {8: tile})


def test_an_owner_is_never_glued_to_the_next_token() -> None:
    for text in ("8+@P1 :ob 3:obgyw", "8+@P1: ob 3:obgyw", "8+@P1 : dice 3:obgyw"):
        with pytest.raises(PositionError, match="not understood"):
            Position.parse(text, FIRST)


@given(positions(), st.integers(17, 22), st.booleans())
def test_options_round_trip(position: Position, spaces: int, blocks: bool) -> None:
    edition = position.edition.with_options(spaces=spaces, own_tile_blocks=blocks)
    other = Position(edition, position.stacks, position.tiles, position.dice)
    assert Position.from_json(other.to_json()) == other
    assert pickle.loads(pickle.dumps(other)) == other
    assert pickle.loads(pickle.dumps(position)).edition is position.edition
    assert f"spaces={spaces}" in repr(other)
    assert eval(repr(other), {"Position": Position, "FIRST": FIRST, "SECOND": SECOND}) == other


@pytest.mark.parametrize(
    "options",
    [
        {"spaces": 16.5},
        {"spaces": True},
        {"spaces": 23},
        {"own_tile_blocks": 1},
        {"tickets": (9,)},
        {"racing_cards": 3},
        {"round_cards": ["ab"]},
    ],
    ids=str,
)
def test_options_that_make_no_edition(options: dict[str, object]) -> None:
    with pytest.raises(CamelOddsError):
        FIRST.with_options(**options)
    text = json.dumps({"edition": "first", "options": options, "position": "3:obgyw"})
    with pytest.raises(PositionError):
        Position.from_json(text)


def test_an_edition_that_contradicts_is_a_fault() -> None:
    data = {"edition": "second", "position": "3:obgyw"}
    assert any("is asked for" in p.what for p in Position.problems(data, "first"))
    assert Position.problems(Position.parse("3:obgyw"), "second")
    assert Position.problems("3:oob", "third")[0].what == "no such edition"


def test_a_field_that_stands_twice_is_a_fault() -> None:
    with pytest.raises(PositionError, match="twice"):
        Position.from_json('{"stacks": {"3": "o", "3": "obgyw"}}')


@pytest.mark.parametrize("huge", ["b" * 100_000, ["b"] * 100_000, "*" * 500])
def test_huge_inputs_are_refused_at_once(huge: object) -> None:
    for arguments in (({3: "obgyw"}, None, huge), ({3: huge},)):
        with pytest.raises(PositionError) as raised:
            Position("first", *arguments)  # type: ignore[arg-type]
        assert len(raised.value.problems) < 50
        assert len(str(raised.value)) < 10_000


@pytest.mark.parametrize(
    ("text", "tip"),
    [
        ("3:blue 4:g", "write the initials"),
        ("3:o b 4:gyw", "without blanks or commas"),
        ("3:obgyw -5", "a tile is its space and its sign"),
        ("3:obgyw +8", "a tile is its space and its sign"),
        ("3ob 4:gyw", "a stack is"),
        ("3:obgyw dice:ob", "without blanks"),
        ("3:obgyw dice=all", "leave dice= out"),
    ],
)
def test_tips_tell_what_was_meant(text: str, tip: str) -> None:
    assert any(tip in problem.tip for problem in Position.problems(text, FIRST))


def test_what_is_missing_is_not_named_where_something_could_not_be_read() -> None:
    assert not any("missing" in p.what for p in Position.problems("3:oxb 4:g", FIRST))
    assert not any("missing" in p.what for p in Position.problems("hello", FIRST))
