"""A loop that cannot end within the budget is refused when it begins, and no other loop is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.language.execution import execute
from engine.language.machine import Machine
from engine.program import Limits, ProgramError
from engine.record.source import Source
from engine.trace.build import trace
from tests.support.programs import refusal

ENDLESS = {
    "x = 1.0\nfor i in range(1000000000):\n  x = x + 1": 10**9,
    "x = 1.0\nfor i in range(99):\n for j in range(99):\n  for k in range(99):\n   x = x*1.0": 99,
    "x = 1.0\nfor i in range(10**9):\n  if x > 2:\n    x = 1.0\n  else:\n    x = x + 1": 10**9,
    "n = 10**9\nx = 1.0\nfor i in range(n):\n  pass": 10**9,
    "x = 1.0\nfor j in range(3):\n  for i in range(10**9):\n    x += i": 10**9,
}


@st.composite
def bodies(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """Statements of a loop, among them other loops, branches and ways out."""
    kinds = ["x = x + 1", "x += y * 2", "x", "pass", "y = [1, 2]\n y = 3.0", "x = relu(x)"]
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from([*kinds, "for", "if"] if depth < 2 else kinds))
        if kind in ("for", "if"):
            turns = draw(st.integers(0, 4))
            head = f"for k in range({turns}):" if kind == "for" else f"if x > {turns}:"
            inner = draw(bodies(depth + 1))
            if kind == "for":
                inner += draw(st.sampled_from([[], ["if x > 3:", " break"], ["continue"]]))
            lines += [head, *(f" {line}" for line in inner)]
        else:
            lines += [line.strip() for line in kind.split("\n")]
    return lines


def spent(text: str, operations: int) -> int:
    """Operations that a program takes. Raises ProgramError if they are too many."""
    limits = replace(Limits(), operations=operations)
    run = Machine(Source(text, limits), limits, {})
    execute(run)
    return operations - run.left


@given(bodies(), st.integers(0, 5))
def test_no_loop_is_refused_that_ends_within_the_budget(body: list[str], turns: int) -> None:
    lines = ["x = 0.0", "y = 1.0", f"for i in range({turns}):", *(f" {line}" for line in body)]
    text = "\n".join(lines)
    needed = spent(text, 1_000_000)
    assert spent(text, needed) == needed


@pytest.mark.parametrize("text", ENDLESS)
def test_loop_without_an_end_is_refused_where_it_begins(text: str) -> None:
    error = refusal(text)
    assert f"{ENDLESS[text]:,} turns" in error.message
    assert "2,000,000" in error.message
    line = text.split("\n")[error.line - 1]
    assert line[error.column - 1 :].startswith("range(")


def test_next_to_nothing_is_done_before() -> None:
    limits = Limits()
    text = next(iter(ENDLESS))
    run = Machine(Source(text, limits), limits, {})
    with pytest.raises(ProgramError, match="turns of this loop"):
        execute(run)
    assert limits.operations - run.left < 20


def test_loop_with_a_way_out_may_begin() -> None:
    found = trace("x = 1.0\nfor i in range(10**9):\n  x = x * 2\n  if i == 5:\n    break")
    assert found.nodes[-1].data == 2.0**6
    with pytest.raises(ProgramError, match="more than 2,000,000 operations"):
        trace("x = 1.0\nfor i in range(10**9):\n  x = x * 1\n  if x > 5:\n    break")
