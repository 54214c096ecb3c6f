"""A limit of processor time, on clocks that the tests set."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import thread_time

import pytest

from app.picture import time_limit
from app.picture.time_limit import LOADED, TimeLimit, thread_clock


class Clocks:
    """The processor and the wall clock, in seconds."""

    processor = wall = 0.0


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    found = Clocks()
    monkeypatch.setattr(time_limit, "thread_clock", lambda: lambda: found.processor)
    monkeypatch.setattr(time_limit, "monotonic", lambda: found.wall)
    return found


@pytest.mark.parametrize(
    ("processor", "wall", "is_spent", "is_over"),
    [
        (0.3, 0.3, False, False),
        (0.3, 2.5, False, False),  # a loaded machine is no reason to stop
        (1.9, 2.0 * LOADED - 0.1, False, False),
        (2.1, 2.1, True, True),
        (0.3, 2.0 * LOADED + 0.1, False, True),
    ],
)
def test_work_is_judged_by_its_processor_time(
    clocks: Clocks, processor: float, wall: float, is_spent: bool, is_over: bool
) -> None:
    clocks.processor, clocks.wall = 7.0, 100.0
    limit = TimeLimit(2.0)
    clocks.processor += processor
    clocks.wall += wall
    assert (limit.is_spent, limit.is_over) == (is_spent, is_over)


def test_a_clock_is_that_of_the_thread_that_made_it() -> None:
    clock = thread_clock()
    before = clock()

    def work() -> tuple[float, float]:
        own = thread_clock()
        while thread_time() < 0.2:
            pass
        return own(), clock()

    with ThreadPoolExecutor(1) as pool:
        own, other = pool.submit(work).result()
    assert own >= 0.2
    assert other - before < 0.1  # this thread only waited
