"""Texts of numbers: Python's and the scripts' against one table, and against mathematics."""

from __future__ import annotations

import inspect
import json
import math
import struct
from collections.abc import Callable, Iterable
from decimal import Decimal
from itertools import islice
from operator import mul
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import numbers
from engine.numbers import (
    WIDTH,
    brief,
    compact,
    counted,
    fixed,
    full,
    in_equation,
    in_room,
    in_sentence,
    more_digits,
    percent,
    plain,
    short,
    signed,
    spoken,
    to_json,
    with_minus,
)
from tests.support import node
from tests.support.each import for_each
from tests.support.number_texts import is_share, products, random_numbers, table, texts
from tests.support.places import ROOT

SCRIPTS = ROOT / "static/js/common/numbers.js"
WRITER = ROOT / "tests/support/number_texts.mjs"
TABLE = table()
NUMBERS = [row for row in TABLE if "x" in row]
COUNTS = [row for row in TABLE if "count" in row]
DELIVERED = {"in_room", "more_digits", "signed"}
"""Formats whose texts scripts pass on as they are."""
WRITE: dict[str, Callable[[float], str]] = {
    "short": short,
    "full": full,
    "plain": plain,
    "spoken": spoken,
    "in_sentence": in_sentence,
    "with_minus": lambda x: with_minus(full(x)),
    "in_equation": in_equation,
    "in_parentheses": lambda x: in_equation(x, paren=True),
    "longer": lambda x: in_equation(x, more=5),
    "brief": brief,
    "signed": signed,
    "fixed": fixed,
    "compact": compact,
    "in_room": lambda x: in_room(x, 6),
}


def written(x: float) -> dict[str, str]:
    """Every text that Python writes of `x`."""
    found = {name: write(x) for name, write in WRITE.items()}
    return found | {"percent": percent(x)} if is_share(x) else found


def scripted(numbers_: Iterable[float], file: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """What the scripts export, and every text that they write: of no number, then of each."""
    file.write_bytes(b"".join(struct.pack("<d", x) for x in numbers_))
    exported, *rows = map(json.loads, node.run(WRITER, SCRIPTS.as_uri(), file).splitlines())
    return exported, rows


def table_texts(row: dict[str, Any]) -> dict[str, str]:
    return {name: text for name, text in row.items() if name not in ("x", "why")}


def different(found: dict[str, str], right: dict[str, str]) -> bool:
    right = {name: text for name, text in right.items() if name not in DELIVERED}
    return {name: text for name, text in found.items() if name != "counted"} != right


@for_each("row", NUMBERS, ids=lambda row: row["x"])
def test_number_has_the_texts_of_the_table(row: dict[str, Any]) -> None:
    x = float(row["x"])
    assert table_texts(row) == texts(x)  # the table is right
    assert written(x) == table_texts(row)


@for_each("row", COUNTS, ids=lambda row: row["counted"])
def test_count_has_the_text_of_the_table(row: dict[str, Any]) -> None:
    assert counted(row["count"], row["noun"]) == row["counted"]


def test_random_numbers_have_the_texts_of_mathematics() -> None:
    wrong = [x for x in random_numbers(400, 1) if written(x) != texts(x)]
    assert wrong == []


def test_scripts_write_the_texts_of_the_table(tmp_path: Path) -> None:
    rows = NUMBERS + COUNTS
    given = [float(row["x" if "x" in row else "count"]) for row in rows]
    _, (none, *found) = scripted(given, tmp_path / "numbers")
    assert none == {"brief": brief(None), "percent": percent(None)} == dict.fromkeys(none, "–")
    for row, theirs in zip(rows, found, strict=True):
        if "x" in row:
            assert not different(theirs, table_texts(row)), row["x"]
        else:
            assert theirs["counted"] == row["counted"]


def test_python_and_scripts_write_25_000_numbers_alike(tmp_path: Path) -> None:
    given = list(random_numbers(5_000, 20))
    assert len(given) == 25_000
    _, (_, *found) = scripted(given, tmp_path / "numbers")
    pairs = zip(given, found, strict=True)
    unlike = ((x, theirs) for x, theirs in pairs if different(theirs, written(x)))
    assert list(islice(unlike, 5)) == []


def test_every_text_is_compared(tmp_path: Path) -> None:
    public = {name for name, _ in inspect.getmembers(numbers, inspect.isfunction) if name[0] != "_"}
    public -= {"whole_to_json", *DELIVERED}
    exported, (none, one, *_) = scripted([1.0], tmp_path / "numbers")
    assert set(one) - {"in_parentheses", "longer"} == public - {"to_json"}
    assert none.keys() <= public
    python = {"inEquation": "in_equation", "inSentence": "in_sentence", "minus": "with_minus"}
    python["number"] = "to_json"  # number() reads what that writes
    assert {python.get(name, name) for name in exported} == public


@for_each("row", products(), ids=lambda row: row["why"])
def test_shown_factors_multiply_to_the_shown_product(row: dict[str, Any]) -> None:
    a, b = map(float, row["factors"])
    assert a * b == float(row["product"])
    more = more_digits((a, b), a * b, mul)
    shown = [in_equation(a, more=more), in_equation(b, more=more), in_equation(a * b)]
    assert shown == row["texts"]
    exact = Decimal(plain_text(shown[0])) * Decimal(plain_text(shown[1]))
    assert in_equation(float(exact)) == shown[2]


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(FINITE, FINITE)
def test_any_two_factors_multiply_to_what_is_shown(a: float, b: float) -> None:
    more = more_digits((a, b), a * b, mul)
    shown = [float(plain_text(in_equation(x, more=more))) for x in (a, b)]
    if math.isfinite(a * b) and abs(a * b) > 1e-300:  # products of denormal numbers lose digits
        assert in_equation(shown[0] * shown[1]) == in_equation(a * b)


@pytest.mark.parametrize("numbers_", [(math.inf, 2.0), (math.nan, 1.0), (1e300, 1e300)])
def test_no_digits_make_an_infinite_product_right(numbers_: tuple[float, float]) -> None:
    a, b = numbers_
    assert more_digits((a, b), a * b, mul) == 0


def plain_text(text: str) -> str:
    return text.replace("\N{MINUS SIGN}", "-")


@given(st.floats())
def test_short_fits_on_a_card_and_tells_the_number(x: float) -> None:
    text = short(x)
    assert len(text) <= WIDTH
    read = float(text)
    if abs(x) < 1.79e308:
        assert math.isclose(read, x, rel_tol=6e-4, abs_tol=6e-5 if abs(x) >= 1e-3 else 0)
        assert math.copysign(1, read) == math.copysign(1, x)
    elif not math.isfinite(x):
        assert repr(read) == repr(x)


@given(st.floats(allow_nan=False))
def test_full_reads_back_as_the_same_number(x: float) -> None:
    assert float(full(x)) == x
    assert math.copysign(1, float(full(x))) == math.copysign(1, x)


def test_full_hides_no_digit() -> None:
    assert full(0.1 + 0.2) == "0.30000000000000004"


@given(st.floats(allow_nan=False))
def test_spoken_is_the_same_number_as_short(x: float) -> None:
    assert float(spoken(x)) == float(short(x))


@given(st.floats() | st.floats(width=16))
def test_texts_are_those_of_mathematics(x: float) -> None:
    assert written(x) == texts(x)


@given(st.floats())
def test_json_holds_every_number(x: float) -> None:
    written = json.loads(json.dumps(to_json(x), allow_nan=False))
    assert repr(float(written)) == repr(x)


@pytest.mark.parametrize(("x", "text"), [(math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf")])
def test_json_names_what_it_cannot_hold(x: float, text: str) -> None:
    assert to_json(x) == text
