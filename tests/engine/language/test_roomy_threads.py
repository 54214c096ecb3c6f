"""Programs run on the thread of their caller where its stack is large enough."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

from engine.language import roomy_threads, turns
from engine.program import Limits, Program, ProgramError

ENDLESS = "t = 0\nwhile True:\n    t = t + 1"
DEEP = "def f(n):\n    return n if n == 0 else 1 + f(n - 1)\nL = f(900)"


def on_a_roomy_thread(work: Callable[[], None]) -> None:
    failures: list[BaseException] = []

    def checked() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    roomy_threads.started(checked).join()
    if failures:
        raise failures[0]


def refusal_of(text: str, limits: Limits) -> str:
    try:
        Program(text, limits).run()
    except ProgramError as error:
        return error.message
    return ""


def test_deep_program_runs_on_a_roomy_thread_itself() -> None:
    def work() -> None:
        seen: list[int] = []
        with turns.taken(turns.Turn(100, lambda used: seen.append(threading.get_ident()))):
            output = Program(DEEP).run().output
        assert output is not None
        assert output.data == 900
        assert set(seen) == {threading.get_ident()}

    on_a_roomy_thread(work)


def test_run_that_takes_too_long_is_stopped_and_the_next_one_is_not() -> None:
    def work() -> None:
        for _ in range(2):
            slow = refusal_of(ENDLESS, Limits(operations=10**12, seconds=0.05))
            assert "takes more than 0.05 seconds" in slow
            assert refusal_of(DEEP, Limits()) == ""

    on_a_roomy_thread(work)


def test_a_thread_is_worn_by_deep_programs_alone() -> None:
    def work() -> None:
        refusal_of("a = 2.0\nb = [a * i for i in range(9)]", Limits())
        assert not roomy_threads.is_worn()
        refusal_of(DEEP, Limits())
        assert roomy_threads.is_worn()

    on_a_roomy_thread(work)
    assert not roomy_threads.is_worn()


def test_overlapping_runs_leave_the_collector_as_it_was() -> None:
    before = gc.get_threshold()
    threads = [
        threading.Thread(target=refusal_of, args=(ENDLESS, Limits(operations=operations)))
        for operations in (200_000, 20_000, 200_000)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gc.get_threshold() == before
