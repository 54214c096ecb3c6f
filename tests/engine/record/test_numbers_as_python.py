"""Followed numbers are Python's own to everything that a program does with them."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from engine.record.source import ProgramError
from tests.support.each import for_each
from tests.support.programs import finished

EXPRESSIONS = (Path(__file__).parents[2] / "data" / "number-expressions.txt").read_text("utf-8")
MODULES = (
    "array, bisect, collections, copy, datetime, decimal, fractions, functools, heapq, itertools, "
    "json, math, numbers, operator, pickle, pprint, random, statistics, string, struct, textwrap, "
    "time"
)
NUMBERS = "x = 2.5\ny = x * 2\nn = 3\nk = n * 4\n"
"""Numbers that are leaves, and numbers that were computed: y is 5.0, k is 12."""
KEPT = "class Number:\n    def __init__(self, data):\n        self.data, self.grad = data, 0.0\n"
"""A class of the program's own, in whose presence no number has attributes of a Value."""


def told_by_python(text: str) -> str:
    """What Python prints and raises."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(text, "<program>", "exec"), {})  # noqa: S102  # our own text
    except Exception as error:
        out.write(f"{type(error).__name__}: {error}")
    return out.getvalue().rstrip("\n")


def told_by_the_recorder(text: str) -> str:
    try:
        return "\n".join(finished(text).printed)
    except ProgramError as error:
        return "\n".join([*error.printed, error.message])


@for_each("expression", EXPRESSIONS.splitlines())
def test_numbers_are_python_s_own(expression: str) -> None:
    for around in ("", KEPT):
        text = f"import {MODULES}\n{around}{NUMBERS}random.seed(0)\nprint({expression})\n"
        assert told_by_the_recorder(text) == told_by_python(text)


@for_each(
    "statement",
    [
        "y.data = 1", "y.grad = 0.0", "del y.real", "y.op", "y.args", "y.owner",
        "y.data", "y.grad", "y.label", "hasattr(y, 'data'), getattr(y, 'op', None)", "y.__dict__",
        "k.node", "k.value",
    ],
)  # fmt: skip
def test_numbers_have_no_attributes_of_ours(statement: str) -> None:
    is_shown = "=" not in statement and not statement.startswith("del")
    line = f"print({statement})" if is_shown else statement
    text = f"{KEPT}{NUMBERS}{line}\n"
    assert told_by_the_recorder(text) == told_by_python(text)
