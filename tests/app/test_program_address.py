"""The address is the state: whatever a view holds comes back from its own address."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qsl, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.program_address import LENSES, OWN, View, from_parameter, read, to_parameter
from tests.support import node
from tests.support.each import for_each

TAKEN = (*OWN, *LENSES)
texts = st.text(st.characters(exclude_categories=["Cs"]))
keys = st.one_of(
    texts.filter(bool),
    st.sampled_from(
        [*TAKEN, *(f"leaf.{name}" for name in TAKEN), "leaf.", "leaf.leaf.a", "a@1", "a&b=c"]
    ),
)
groups = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=","), min_size=1)
views = st.builds(
    View,
    program=texts,
    leaves=st.dictionaries(keys, st.floats(allow_nan=False, allow_infinity=False), max_size=8),
    frame=st.none() | st.integers(0, 999_999_999),
    scene=st.none() | st.integers(0, 999_999_999),
    direction=st.sampled_from([None, "LR", "TB"]),
    grouped=st.sampled_from([None, True, False]),
    open=st.none() | st.frozensets(groups, max_size=8),
    lenses=st.dictionaries(st.sampled_from(list(LENSES)), st.from_regex("[a-z]:[a-z0-9,]{1,9}")),
)


def from_query(query: str) -> View:
    """What the server reads from the query of an address."""
    return read(parse_qsl(query, keep_blank_values=True))


@given(views)
def test_view_comes_back_from_its_address(view: View) -> None:
    again = from_query(view.query())
    assert again == view
    assert {key: str(x) for key, x in again.leaves.items()} == {
        key: str(x) for key, x in view.leaves.items()
    }, "the sign of a zero counts"


@given(keys)
def test_leaf_comes_back_from_its_parameter(key: str) -> None:
    assert from_parameter(to_parameter(key)) == key
    assert to_parameter(key) not in TAKEN


@given(st.lists(st.tuples(st.text(), st.text())))
def test_every_query_is_read(pairs: list[tuple[str, str]]) -> None:
    view = read(pairs)
    assert view.frame is None or view.frame >= 0
    assert view.direction in (None, "LR", "TB")
    assert set(view.leaves).isdisjoint(view.unread) or len(pairs) > 1


def test_page_without_a_query_has_no_program() -> None:
    assert read([]) == View()


def test_empty_program_is_a_program() -> None:
    assert read([("program", "")]).program == ""


@for_each("text", ["-1", "1.5", "x", "", " 3", "٣", "9" * 10, "1e3", "+1"])
def test_frame_that_is_no_count_is_the_last(text: str) -> None:
    assert read([("frame", text)]).frame is None


@for_each("text", ["nan", "inf", "-inf", "1e999", "two", "1,5", "0x10", "--1"])
def test_leaf_that_is_no_number_is_named_as_unread(text: str) -> None:
    view = read([("a", text)])
    assert view.leaves == {}
    assert view.unread == ("a",)


@pytest.mark.parametrize("text", ["", " ", "\t"])
def test_empty_field_is_no_change(text: str) -> None:
    assert read([("a", text)]) == View()


def test_leaf_called_like_a_parameter_of_the_page() -> None:
    view = read([("frame", "3"), ("leaf.frame", "5"), ("leaf.program", "-1")])
    assert view == View(leaves={"frame": 5.0, "program": -1.0}, frame=3)


@for_each("name", LENSES)
def test_number_under_the_name_of_a_lens_is_a_leaf_as_in_older_links(name: str) -> None:
    assert read([(name, "2.5")]) == View(leaves={name: 2.5})
    assert read([(name, "check"), (f"leaf.{name}", "2.5")]) == View(
        leaves={name: 2.5}, lenses={name: "check"}
    )


def test_last_of_two_equal_parameters_counts() -> None:
    assert read([("a", "1"), ("a", "2"), ("frame", "1"), ("frame", "2")]) == View(
        leaves={"a": 2.0}, frame=2
    )


@for_each("text", ["", "lr", "RL", "BT", "'"])
def test_unknown_direction_leaves_the_choice_to_the_server(text: str) -> None:
    assert read([("direction", text)]).direction is None


def test_no_group_open_differs_from_no_choice() -> None:
    assert read([("open", "")]).open == frozenset()
    assert read([]).open is None


def test_open_groups_are_bounded() -> None:
    found = read([("open", ",".join(f"g{i}" for i in range(10_000)))]).open
    assert found is not None
    assert len(found) <= 500


def test_same_view_at_another_frame() -> None:
    view = View("L = 2", {"a": 1.0}, 3, "TB", True, frozenset(["g1"]))
    assert view.at(7) == View("L = 2", {"a": 1.0}, 7, "TB", True, frozenset(["g1"]))


def test_frames_count_from_one_as_on_the_page_and_from_zero_in_older_links() -> None:
    assert View("L = 2 * 3", frame=7).query().endswith("&at=8")
    for program in ("L = 2 * 3", None):
        named = [("program", program)] if program else []
        assert read([*named, ("at", "8")]).frame == 7
        assert read([*named, ("frame", "7")]).frame == 7
        assert read([*named, ("at", "0")]).frame == 0


@pytest.mark.parametrize("program", ["at = 2.0\nL = at * 3", "L = Value(2.0, label='at') * 3"])
def test_leaf_called_at_keeps_its_links(program: str) -> None:
    old = read([("program", program), ("at", "5"), ("frame", "7")])
    assert old == View(program, {"at": 5.0}, frame=7)
    assert "leaf.at=5.0" in old.query()
    assert old.query().endswith("frame=7")
    assert from_query(old.query()) == old


PROGRAMS = ("L = 2 * 3", "at = 2.0\nL = at * 3", "éat = 2.0\nL = éat * 3", "beat = 2.0", "# at")


def test_browser_and_server_read_frames_alike() -> None:
    """Both take `at` as a word of ASCII letters."""
    queries = [
        f"program={quote_plus(program)}&{more}"
        for program in PROGRAMS
        for more in ("at=4", "frame=3", "at=4&frame=9", "leaf.at=2.5&frame=0", "at=x")
    ]
    script = Path(__file__).parent / "program_address.mjs"
    for query, found in zip(
        queries, json.loads(node.run(script, text=json.dumps(queries))), strict=True
    ):
        view = from_query(query)
        assert found["frame"] == view.frame, query
        again = from_query(found["query"])
        assert (again.frame, again.leaves) == (view.frame, view.leaves), query


def test_window_of_a_presentation_is_read_and_in_no_address() -> None:
    view = read([("program", "L = 1"), ("present", "1024x768")])
    assert view.presents
    assert view.screen == (1024, 768)
    assert view.query().endswith("present=on")
    for text in ("on", "0x0", "1024", "1024x99999", "1024x768x2"):
        assert read([("program", "L = 1"), ("present", text)]).screen is None


def test_room_on_a_narrow_page_is_read_and_in_no_address() -> None:
    view = read([("program", "L = 1"), ("room", "398x430")])
    assert view.room == (398, 430)
    assert "room" not in view.query()
    leaf = read([("program", "room = 1"), ("room", "2.5")])
    assert (leaf.room, leaf.leaves) == (None, {"room": 2.5})
