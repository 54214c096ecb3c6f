"""Rows as they are copied from a table: delimiters, headers, words for classes, errors."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.training.fields import Rows, SpecError
from engine.training.losses import LOSSES
from engine.training.samples import load
from engine.training.spec import TrainSpec
from tests.support.each import for_each

TWO = [[0.5, -1.0, 1.0], [-0.25, 3.0, 0.0]]


@for_each(
    "text",
    [
        "0.5,-1,1;-0.25,3,0",
        "0.5, -1, 1\n-0.25, 3, 0",
        "0.5,-1,1\r\n\r\n-0.25,3,0\r\n",
        "x1,x2,label\n0.5,-1,1\n-.25,3,0",
        "0.5;-1;1\n-0.25;3;0",
        "0,5;-1;1\n-0,25;3;0",
        "x;y;z\n0,5;-1,0;1\n-0,25;3;0\n",
        "0.5\t-1\t1\n-0,25\t3\t0",
        "0.5 -1  1\n-0.25   3 0",
        "a b c\n0.5 -1 1\n-0.25 3 0",
        '"x","y","z"\n"0.5","-1","1"\n"-0.25","3","0"',
    ],
)
def test_tables_of_all_kinds_are_read(text: str) -> None:
    assert Rows().parse(text) == TWO


def test_words_are_classes_in_order_of_appearance() -> None:
    text = "width,length,kind\n1,2,rose\n3,4,lily\n5,6,rose\n7,8,tulip"
    assert [row[-1] for row in Rows().parse(text)] == [0, 1, 0, 2]  # type: ignore[attr-defined]
    spec = TrainSpec.from_query([("data", "rows"), ("rows", text)])
    assert (spec.classes, spec.layers) == (3, (2, 16, 16, 3))
    assert TrainSpec.from_query(spec.to_query()) == spec


@for_each("loss", LOSSES)
@for_each(
    "text",
    [
        "x;y;k\n0,5;1,5;ja\n1,0;-1;nein\n2;0;ja",
        "0.5,1.5,ja;1,-1,nein;2,0,ja",
        "x,y,k; 0.5,1.5,ja; 1,-1,nein; 2,0,ja;",
    ],
)
def test_two_words_are_classes_for_every_loss(text: str, loss: str) -> None:
    spec = TrainSpec.from_query([("data", "rows"), ("rows", text), ("loss", loss)])
    assert (spec.classifies, spec.classes) == (True, 2)
    assert [row[:-1] for row in spec.rows] == [(0.5, 1.5), (1.0, -1.0), (2.0, 0.0)]
    assert load(spec)[0].labels == (0.0, 1.0, 0.0)


def test_words_are_never_numbers_to_predict() -> None:
    pairs = [("data", "rows"), ("rows", "0,a\n1,b\n2,c"), ("loss", "mse"), ("layers", "1-4-1")]
    with pytest.raises(SpecError, match="are 3 classes: end with 3") as found:
        TrainSpec.from_query(pairs)
    assert found.value.field == "layers"
    assert TrainSpec.from_query([*pairs[:3], ("layers", "1-4-3")]).classes == 3


@for_each(
    ("text", "message"),
    [
        ("x,y,z\n1,2,0\n3,oops,1", 'line 3, column 2: "oops"; give a finite number.'),
        ("1,2,0\n\n3,,1", 'line 3, column 2: ""; give a finite number.'),
        ("1,2,0\n1e999,2,1", 'line 2, column 1: "1e999"; give a finite number.'),
        ("1,2,0\n3,1", "line 2 has 2 columns, but line 1 has 3."),
        ("1\n2", 'line 1, column 1: "1"; give the inputs and then the label.'),
        ("1,0\n2,", 'line 2, column 2: ""; give a class or a number.'),
        ("1,0\n2,b", 'line 2, column 2: "b"; line 1 has a number there: give a number.'),
        ("1,a\n2,a", 'the label of every row is "a"; give rows of at least two classes.'),
        ("1,a;x,b", 'line 2, column 1: "x"; give a finite number.'),
        ("1,a\n2,1", 'line 2, column 2: "1"; line 1 has a word there: give a word.'),
    ],
)
def test_error_names_line_and_column(text: str, message: str) -> None:
    with pytest.raises(SpecError) as found:
        Rows().parse(text)
    assert (found.value.field, found.value.message) == ("rows", message)


@given(st.text('01.,;\t\n x"\r', max_size=30))
def test_nothing_else_is_raised(text: str) -> None:
    with suppress(SpecError):
        rows = Rows().read("rows", Rows().parse(text))
        assert Rows().read("rows", Rows().parse(Rows().text(rows))) == rows
