"""A sweep on a Dask cluster: the bytes of threads, whatever dies, and never an endless wait."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import httpx2
import pytest
from distributed import Client, LocalCluster

from app.settings import from_environment
from app.train import executors
from app.train.sweep import RunSweep
from engine.runs import sweep as engine_sweep
from engine.runs.sweep import SweepCancelled
from engine.training.spec import TrainSpec
from tests.support.dask_cluster import cluster
from tests.support.learning import DIVERGING, query
from tests.support.pages import client

SPEC = TrainSpec(steps=1_000)
RATES = "0.01,0.03,0.1,0.3,1"
DEADLINE = 120.0  # seconds in which what must happen has happened, on a busy machine too


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of a cluster of two workers."""
    with cluster(2) as (found, _):
        yield found


def asked(address: str, spec: TrainSpec, seeds: range, rates: str = RATES) -> httpx2.Response:
    """The answer of a server whose sweeps a cluster computes; without an address, its threads."""
    server = client(SEEGRAD_SWEEP_CLUSTER=address) if address else client()
    wanted = query(spec, rates=rates, seeds=",".join(map(str, seeds)))
    answer: httpx2.Response = server.get("/train/sweep", params=wanted)
    return answer


def wait_for(what: Callable[[], Any]) -> Any:
    """What it says as soon as that is true."""
    end = time.monotonic() + DEADLINE
    while not (found := what()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
    return found


def working(watcher: Any) -> list[str]:
    """The addresses of the workers that have something to do."""
    return [worker for worker, keys in watcher.processing().items() if keys]


def known(watcher: Any) -> int:
    """How many tasks the scheduler knows of."""
    count: int = watcher.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
    return count


def done(watcher: Any) -> int:
    """How many tasks have been worked on, and are still asked for."""

    def finished(dask_scheduler: Any) -> int:
        return sum(task.state == "memory" for task in dask_scheduler.tasks.values())

    count: int = watcher.run_on_scheduler(finished)
    return count


def is_amid(watcher: Any, worker: str) -> bool:
    """Whether some of a sweep is done, and this worker is at more of it."""
    return done(watcher) > 0 and worker in working(watcher)


def unavailable(answer: httpx2.Response) -> str:
    """What is said by an answer that asks to come back later."""
    assert answer.status_code == 503, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert int(answer.headers["retry-after"]) > 0
    assert "etag" not in answer.headers
    detail: str = answer.json()["detail"]
    return detail


@pytest.mark.parametrize("spec", [SPEC, DIVERGING], ids=["moons", "diverging"])
def test_the_answer_is_that_of_threads(address: str, spec: TrainSpec) -> None:
    there, here = asked(address, spec, range(4)), asked("", spec, range(4))
    assert there.status_code == 200, there.text
    assert there.content == here.content


def test_workers_that_are_killed_in_mid_sweep_change_nothing(address: str) -> None:
    spec = replace(SPEC, steps=2_000)
    with Client(address, set_as_default=False) as watcher, ThreadPoolExecutor(1) as aside:
        workers = watcher.run(os.getpid)
        answer: Future[httpx2.Response] = aside.submit(asked, address, spec, range(6))
        for worker, pid in workers.items():
            wait_for(partial(is_amid, watcher, worker))
            os.kill(pid, signal.SIGKILL)
            assert not answer.done()
        there = answer.result(DEADLINE)
        assert not set(workers.values()) & set(watcher.run(os.getpid).values())
    assert there.status_code == 200, there.text
    assert there.content == asked("", spec, range(6)).content


def test_tasks_of_a_cancelled_sweep_are_released(address: str) -> None:
    settings = from_environment({"SEEGRAD_SWEEP_CLUSTER": address})
    seen: list[int] = []
    with Client(address, set_as_default=False) as watcher:

        def left() -> bool:
            seen.append(known(watcher))
            return seen[-1] > 0

        with pytest.raises(SweepCancelled):
            RunSweep(SPEC, [0.1, 1.0], range(50)).run(settings, left)
        wait_for(lambda: known(watcher) == 0)
        wait_for(lambda: not working(watcher))


def test_a_worker_of_another_version_is_not_believed(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine_sweep, "edition", lambda: "0123456789ab")
    assert "does not respond" in unavailable(asked(address, SPEC, range(30, 32)))
    line = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert line["cluster"] == address
    assert "is of edition 0123456789ab" in line["error"]


# Without a cluster


def test_a_scheduler_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as freed:
        nowhere = f"tcp://127.0.0.1:{freed.getsockname()[1]}"
    assert "does not respond" in unavailable(asked(nowhere, SPEC, range(2)))
    line = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert line["cluster"] == nowhere
    assert line["error"]


def test_a_scheduler_that_never_says_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        mute = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        assert "does not respond" in unavailable(asked(mute, SPEC, range(2)))


def test_a_cluster_without_workers() -> None:
    here = {"host": "127.0.0.1", "protocol": "tcp://", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=0, processes=False, **here) as idle:
        assert "does not respond" in unavailable(asked(idle.scheduler_address, SPEC, range(2)))


def test_a_scheduler_that_is_killed_in_mid_sweep() -> None:
    with cluster(1) as (doomed, process), ThreadPoolExecutor(1) as aside:
        answer: Future[httpx2.Response] = aside.submit(asked, doomed, SPEC, range(20))
        with Client(doomed, set_as_default=False) as watcher:
            wait_for(lambda: working(watcher))
        process.kill()
        assert "does not respond" in unavailable(answer.result(DEADLINE))
