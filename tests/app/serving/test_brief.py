"""Graphs whose leaf is dragged are computed on the event loop; whatever runs a program is not."""

from __future__ import annotations

import pytest

from app.serving.brief import NotBrief, done_here
from engine.program import Program
from engine.trace import trace
from tests.support.each import for_each
from tests.support.pages import client, read

LOOP = "n = 3.0\nL = n*1.0\nfor i in range(int(n)):\n    L = L + n"
RECURSION = "n = 3.0\ndef f(k):\n    return n if k <= 0 else f(k - 1) + n\nL = f(int(n))"
SUM = "a = Value(2.0)\nL = a*a + 1\nL.backward()"


@for_each("program", [LOOP, RECURSION])
@for_each("n", [4.0, 7.0, 400.0, 5.0])
def test_dragged_leaf_that_makes_a_program_longer(program: str, n: float) -> None:
    small = client()
    assert small.get("/graph", params={"program": program}).status_code == 200
    answer = small.post("/numbers", data={"program": program, "n": str(n)})
    assert answer.status_code == 200
    trace = read(answer.text).trace
    assert {node["id"]: node["data"] for node in trace["nodes"]}[trace["output"]] == n * (n + 1)


def test_a_program_is_not_run_here() -> None:
    with pytest.raises(NotBrief):
        done_here(Program(SUM).run)


def test_arithmetic_is_computed_here_once_the_program_has_run() -> None:
    program = Program(SUM)
    trace(program)
    dragged = done_here(trace, program, {"a": 3.0})
    assert {node.id: node.data for node in dragged.nodes}[dragged.output or ""] == 10.0


def test_what_may_take_another_branch_is_not_computed_here() -> None:
    program = Program(LOOP)
    trace(program)
    with pytest.raises(NotBrief):
        done_here(trace, program, {"n": 4.0})
