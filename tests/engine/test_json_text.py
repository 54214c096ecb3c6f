"""JSON in words of the project's own: the same refusal on every Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.json_text import DEPTH, NotJSON, read
from tests.support.each import for_each

REFUSED = {
    "": "expecting value, line 1, column 1",
    "[1, ": "expecting value, line 1, column 5",
    "{": "expecting property name enclosed in double quotes, line 1, column 2",
    "{'a': 1}": "expecting property name enclosed in double quotes, line 1, column 2",
    '{"a" 1}': "expecting ':' delimiter, line 1, column 6",
    "[1 2]": "expecting ',' delimiter, line 1, column 4",
    "[1,\n  2,\n]": "nothing follows the comma before ], line 3, column 1",
    '{"a": 1,}': "nothing follows the comma before }, line 1, column 9",
    '{"a": 1 , }': "nothing follows the comma before }, line 1, column 11",
    "[1,,2]": "expecting value, line 1, column 4",
    "[,]": "expecting value, line 1, column 2",
    "{} {}": "extra data, line 1, column 4",
    '{"a": "b': "unterminated string starting here, line 1, column 7",
    '["\n"]': "invalid control character in a string, line 1, column 3",
    r'["\u12"]': "invalid \\uXXXX escape, line 1, column 4",
    r'["\q"]': "invalid escape after a backslash, line 1, column 3",
    "\ufeff{}": "unexpected byte order mark (BOM), line 1, column 1",
    b"[\xff]": "it is not UTF-8, byte 2",
    "1" * 5000: "it has a whole number of thousands of digits",
}


@for_each(("text", "reason"), REFUSED.items())
def test_a_refusal_is_the_same_on_every_python(text: str | bytes, reason: str) -> None:
    with pytest.raises(NotJSON) as caught:
        read(text, dict)
    assert str(caught.value) == reason


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ("[[", "]]")])
def test_depth_is_bounded(opening: str, closing: str) -> None:
    times = DEPTH // opening.replace('{"a":', "[").count("[")
    read(opening * times + "1" + closing * times, dict)
    for end in (closing * (times + 1), "", "x"):
        with pytest.raises(NotJSON, match=r"^it is nested too deep$"):
            read(opening * (times + 1) + "1" + end, dict)


@given(st.text('[{]}"\\', max_size=300))
def test_brackets_in_strings_are_no_levels(text: str) -> None:
    written = '["' + text.replace("\\", "\\\\").replace('"', '\\"') + '"]'
    assert read(written, dict) == [text]


def test_many_lists_beside_each_other_are_flat() -> None:
    assert len(read(f"[{','.join(['[1]'] * 1000)}]", dict)) == 1000


def test_numbers_are_parsed_as_requested() -> None:
    assert read('{"a": 3}', dict) == {"a": 3}
    assert isinstance(read("3", dict), int)
    assert isinstance(read("3", dict, parse_int=float), float)
