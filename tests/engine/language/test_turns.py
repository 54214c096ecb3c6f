"""Long runs pause: when, how often, and what a pause may do to them."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable
from threading import Thread

import pytest

from engine.language import turns
from engine.program import Limits, Program, ProgramError

ENDLESS = "t = 0.5\nwhile True:\n    t = t + 0.5"
SHORT = "L = Value(2.0) * 3.0"
LIMITS = Limits(operations=100_000)


def run(text: str, pause: Callable[[int], None], after: int = 20_000, **limits: float) -> None:
    with turns.taken(turns.Turn(after, pause)):
        Program(text, Limits(**{"operations": 100_000, **limits})).run()  # type: ignore[arg-type]


def test_endless_program_pauses_until_its_budget_is_used_up() -> None:
    pauses: list[int] = []
    with pytest.raises(ProgramError, match="more than 100,000 operations"):
        run(ENDLESS, pauses.append)
    assert pauses[0] in range(20_000, 20_100)
    assert len(pauses) == (100_000 - 20_000) / turns.PORTION
    assert pauses == sorted(pauses)


def test_short_program_does_not_pause() -> None:
    pauses: list[int] = []
    run(SHORT, pauses.append)
    assert pauses == []


def test_one_operation_may_take_more_than_a_portion() -> None:
    pauses: list[int] = []
    run("x = sum(range(60000))", pauses.append)
    assert pauses[0] >= 60_000


def test_program_stops_at_the_same_place_with_pauses_and_without() -> None:
    text = "n = 0\nwhile True:\n    n += 1\n    print(n)"
    found = []
    for pausing in (True, False):
        after = 1_000 if pausing else LIMITS.operations
        with pytest.raises(ProgramError) as caught:
            run(text, lambda used: None, after=after)
        found.append((caught.value.message, caught.value.printed))
    assert found[0] == found[1]


class Away(Exception):
    pass


@pytest.mark.parametrize(
    "text",
    [
        ENDLESS,
        "while True:\n    try:\n        n = 1\n    except Exception:\n        pass",
        "while True:\n    try:\n        n = 1\n    except BaseException:\n        pass",
        "try:\n    while True:\n        pass\nfinally:\n    while True:\n        pass",
    ],
)
def test_pause_can_end_the_run_and_no_program_catches_it(text: str) -> None:
    calls: list[int] = []

    def leave(used: int) -> None:
        calls.append(used)
        raise Away

    with pytest.raises(Away):
        run(text, leave)
    assert len(calls) == 1


def test_loop_that_cannot_end_is_foreseen_by_the_whole_budget() -> None:
    run("for i in range(5_000):\n    t = i", lambda used: None, after=1_000)
    with pytest.raises(ProgramError, match="turns of this loop need at least"):
        run("for i in range(200_000):\n    t = i", lambda used: None, after=1_000)


def test_time_in_pauses_does_not_count() -> None:
    began = time.monotonic()
    with pytest.raises(ProgramError, match="more than 100,000 operations"):
        run(ENDLESS, lambda used: time.sleep(0.03), seconds=1.0)
    assert time.monotonic() - began > 1.0


def test_program_that_takes_too_long_is_told_of_seconds() -> None:
    with pytest.raises(ProgramError, match=r"more than 0\.001 seconds"):
        Program(ENDLESS, Limits(operations=10**9, seconds=0.001)).run()


def test_turn_holds_in_its_context_alone() -> None:
    pauses: list[int] = []
    failed: list[Exception] = []

    def elsewhere() -> None:
        try:
            Program(ENDLESS, LIMITS).run()
        except ProgramError as error:
            failed.append(error)

    with turns.taken(turns.Turn(1_000, pauses.append)):
        thread = Thread(target=elsewhere)  # a new thread has a context of its own
        thread.start()
        thread.join()
    assert len(failed) == 1
    assert pauses == []


@pytest.mark.parametrize("text", [ENDLESS, "a = Value(1.0)\nwhile True:\n    a = a * 1.0", SHORT])
def test_run_leaves_nothing_to_the_collector_of_cycles(text: str) -> None:
    def once() -> None:
        with contextlib.suppress(ProgramError):
            Program(text, LIMITS).run()

    once()
    gc.collect()
    gc.disable()
    try:
        once()
        assert gc.collect() < 1_000, "objects of the program; a run makes some 100,000"
    finally:
        gc.enable()
