"""Shapes: a circle for a sign, a pill for a word."""

from __future__ import annotations

from app.picture.shapes import op_size, symbol


def test_an_op_that_is_not_in_the_table_shows_its_name() -> None:
    assert symbol("*") == "×"
    assert symbol("atan") == "atan"
    assert op_size("*") == (30, 30)
    assert op_size("tanh")[0] > 30
