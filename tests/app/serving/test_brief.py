"""Small programs run on the event loop, and give way to threads as soon as they are not small."""

from __future__ import annotations

import threading

import pytest

from app.serving.brief import OPERATIONS, NotBrief, done_here
from engine.program import Program, ProgramError
from tests.support.pages import client, read

LOOP = "n = 3.0\nL = n*1.0\nfor i in range(int(n)):\n    L = L + n"
RECURSION = "n = 3.0\ndef f(k):\n    return n if k <= 0 else f(k - 1) + n\nL = f(int(n))"


@pytest.mark.parametrize("program", [LOOP, RECURSION])
@pytest.mark.parametrize("n", [4.0, 7.0, 400.0, 5.0])
def test_dragged_leaf_that_makes_a_program_longer(program: str, n: float) -> None:
    small = client()
    assert small.get("/graph", params={"program": program}).status_code == 200
    answer = small.post("/numbers", data={"program": program, "n": str(n)})
    assert answer.status_code == 200
    trace = read(answer.text).trace
    assert {node["id"]: node["data"] for node in trace["nodes"]}[trace["output"]] == n * (n + 1)


def test_small_program_runs_in_the_thread_that_asks() -> None:
    ran: list[int] = []

    def work() -> float | None:
        ran.append(threading.get_ident())
        run = Program(RECURSION).run()
        return run.output.data if run.output else None

    before = threading.active_count()
    assert done_here(work) == 12.0
    assert ran == [threading.get_ident()]
    assert threading.active_count() == before


@pytest.mark.parametrize("loop", ["for i in range(10**5): pass", "def f(): f()\nf()"])
def test_program_that_takes_more_is_stopped(loop: str) -> None:
    program = Program(f"a = 2.0\n{loop}")
    with pytest.raises(NotBrief):
        done_here(program.run)
    assert program.operations <= OPERATIONS


def test_program_that_fails_says_so() -> None:
    with pytest.raises(ProgramError, match="ZeroDivisionError"):
        done_here(Program("a = 2.0\nL = a/0").run)
