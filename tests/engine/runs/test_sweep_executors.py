"""A sweep gives the same bytes on any Executor, in tasks of plain data that end in time."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from engine.kernel import Run
from engine.runs import sweep as module
from engine.runs.sweep import EditionMismatch, SweepCancelled, SweepTimedOut, edition, sweep
from engine.training.spec import TrainSpec
from tests.support.each import for_each
from tests.support.learning import DIVERGING, MINIBATCH, SMALL, SPECS, numbers

RATES = [0.01, 0.5, 500.0]
OWN = TrainSpec(
    data="rows",
    rows=((0.1, 0.2, 0.0), (0.3, -0.4, 1.0), (-1.5, 0.25, 1.0)),
    layers=(2, 3, 1),
    steps=10,
)
LARGE = TrainSpec(layers=(2, 150, 1), samples=10, steps=3)  # beyond the limits of the page
LONG = TrainSpec(samples=1_000, layers=(2, 64, 64, 1), steps=50_000)  # a minute


class Sent(Executor):
    """Works on a task as it is submitted, from its pickled form, and keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.sent.append((fn, args))
        name, values = pickle.loads(pickle.dumps((fn, args)))  # noqa: S301  # our own
        future: Future[Any] = Future()
        try:
            future.set_result(pickle.loads(pickle.dumps(name(*values))))  # noqa: S301
        except Exception as error:
            future.set_exception(error)
        return future


def text(spec: TrainSpec, executor: Executor) -> str:
    """A sweep as it would be sent."""
    return json.dumps(sweep(spec, RATES, range(4), executor), allow_nan=False)


@for_each("name", [*SPECS, "own", "large"])
def test_the_same_bytes_whatever_computes_them(name: str) -> None:
    spec = {**SPECS, "own": OWN, "large": LARGE}[name]
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(5) as five:
        assert text(spec, one) == text(spec, five) == text(spec, Sent())


def test_the_same_bytes_from_other_processes() -> None:
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=fresh) as processes, ThreadPoolExecutor(2) as threads:
        for spec in (MINIBATCH, DIVERGING, OWN):
            assert text(spec, processes) == text(spec, threads)


def test_only_plain_data_travel() -> None:
    executor = Sent()
    found = sweep(OWN, [0.1], [1, 2], executor)
    for function, arguments in executor.sent:
        assert function is module._piece
        json.dumps(arguments)
        assert b"engine" not in pickle.dumps(arguments)
    assert json.loads(json.dumps(found)) == found


def test_runs_are_batched_into_tasks() -> None:
    executor = Sent()
    tiny = replace(SMALL, steps=1)
    found = sweep(tiny, [0.1, 0.2], range(150), executor)
    assert [(run["rate"], run["seed"]) for run in found["runs"]] == [
        (rate, seed) for rate in (0.1, 0.2) for seed in range(150)
    ]
    assert module.PIECES <= len(executor.sent) < 100
    few = Sent()
    sweep(tiny, [0.1, 0.2], range(8), few)
    assert len(few.sent) == 16


def test_long_runs_are_tasks_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 2 * (SMALL.work + module.START))
    executor = Sent()
    sweep(SMALL, [0.1], range(200), executor)
    assert {len(arguments[3]) for _, arguments in executor.sent} == {2}


def test_no_runs_give_no_results() -> None:
    assert sweep(SMALL, [], [1], Sent())["runs"] == []


def test_without_the_kernel_the_numbers_are_the_same_but_for_rounding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fast = sweep(MINIBATCH, [0.05], [7], Sent())["runs"][0]
    monkeypatch.setattr(module, "compiled", lambda spec: None)
    slow = sweep(MINIBATCH, [0.05], [7], Sent())["runs"][0]
    assert numbers(slow["losses"]) == pytest.approx(numbers(fast["losses"]), rel=1e-9)
    assert (slow["final"], slow["accuracy"]) == (pytest.approx(fast["final"]), fast["accuracy"])


# The end before the end


def test_local_tasks_end_when_cancelled() -> None:
    begun = threading.Event()

    class Noting(ThreadPoolExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            def noted() -> Any:
                begun.set()
                return fn(*args)

            return super().submit(noted)

    with (
        Noting(2) as executor,
        pytest.raises(SweepCancelled),
    ):
        sweep(LONG, [0.1], range(50), executor, is_cancelled=begun.is_set)


def test_a_task_that_begins_when_its_sweep_is_over_ends_at_once() -> None:
    names: list[str] = []

    class Late(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            names.append(args[1])
            return Future()

    with pytest.raises(SweepTimedOut):
        sweep(LONG, [0.1], [0], Late(), seconds=0.0)
    with pytest.raises(SweepCancelled):
        module._piece(edition(), names[0], json.dumps(LONG.to_json()), [(0.1, 0)], 60.0)


def test_a_task_ends_in_time_wherever_it_is() -> None:
    with pytest.raises(SweepTimedOut):
        module._piece(edition(), "asked for elsewhere", json.dumps(LONG.to_json()), [(1.0, 1)], 0.1)
    with ThreadPoolExecutor(2) as executor, pytest.raises(SweepTimedOut):
        sweep(LONG, [0.1], range(50), executor, seconds=0.1)


def test_pending_tasks_are_cancelled() -> None:
    class Never(Executor):
        futures: list[Future[Any]] = []  # noqa: RUF012  # for this one test

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            self.futures.append(Future())
            return self.futures[-1]

    executor = Never()
    with pytest.raises(SweepCancelled):
        sweep(SMALL, [0.1], range(5), executor, is_cancelled=lambda: len(executor.futures) == 5)
    assert [future.cancelled() for future in executor.futures] == [True] * 5


def test_the_first_failure_ends_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Run.__init__

    def failing(self: Run, spec: TrainSpec) -> None:
        if spec.seed == 1:
            raise MemoryError("no room")
        made(self, spec)

    monkeypatch.setattr(Run, "__init__", failing)
    with ThreadPoolExecutor(2) as executor, pytest.raises(MemoryError, match="no room"):
        sweep(replace(LONG, steps=2_000), [0.1], range(50), executor)


def test_a_worker_of_another_version_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EditionMismatch, match="is of edition 0123456789ab, this worker of"):
        module._piece("0123456789ab", "", json.dumps(SMALL.to_json()), [(1.0, 1)], 60.0)
    assert edition() == edition()
    assert len(edition()) == 12


def test_a_process_without_the_kernel_is_of_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_kernel = edition()
    edition.cache_clear()
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    try:
        assert edition() != with_kernel
    finally:
        edition.cache_clear()
