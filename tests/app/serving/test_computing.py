"""Long computations: result, cancellation on disconnection, a full pool, JSON in chunks."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import anyio
import pytest
from fastapi import Request

from app.serving.computing import CHUNK, compute, encode
from app.serving.thread_pools import BusyError, ThreadPool
from engine.cancellation import IsCancelled


def threads(count: int) -> ThreadPool:
    """A pool with a generous queue and waiting time."""
    return ThreadPool("test", count, 100, 60.0)


class Client:
    """A request whose body was read; the client disconnects when `left` is set."""

    def __init__(self) -> None:
        self.left = anyio.Event()
        self.request = Request({"type": "http", "headers": []}, self._receive)

    async def _receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}


def test_the_result_of_work() -> None:
    async def main() -> int | None:
        return await compute(Client().request, threads(1), lambda is_cancelled: 42)

    assert anyio.run(main) == 42


def test_an_error_reaches_the_caller() -> None:
    def work(is_cancelled: IsCancelled) -> int:
        raise ZeroDivisionError

    async def main() -> int | None:
        return await compute(Client().request, threads(1), work)

    with pytest.raises(BaseExceptionGroup) as caught:
        anyio.run(main)
    assert caught.group_contains(ZeroDivisionError)


def test_work_is_cancelled_when_the_client_disconnects() -> None:
    started, ended = threading.Event(), threading.Event()

    def work(is_cancelled: IsCancelled) -> int:
        started.set()
        while not is_cancelled():
            time.sleep(0.001)
        ended.set()
        return 1

    async def main() -> list[int | None]:
        client, results = Client(), []

        async def leave() -> None:
            await anyio.to_thread.run_sync(started.wait)
            client.left.set()

        async with anyio.create_task_group() as group:
            group.start_soon(leave)
            results.append(await compute(client.request, threads(1), work))
        return results

    assert anyio.run(main) == [None]
    assert ended.wait(10)


def test_a_client_that_disconnects_in_the_queue_gets_no_thread() -> None:
    async def main() -> list[str]:
        room, go, done = threads(1), threading.Event(), []

        async def ask(client: Client, name: str) -> None:
            def work(is_cancelled: IsCancelled) -> None:
                go.wait()
                done.append(name)

            await compute(client.request, room, work)

        first, second = Client(), Client()
        async with anyio.create_task_group() as group:
            group.start_soon(ask, first, "first")
            while not room.working:  # noqa: ASYNC110  # it sends no event
                await anyio.sleep(0.001)
            group.start_soon(ask, second, "second")
            while not room.waiting:  # noqa: ASYNC110
                await anyio.sleep(0.001)
            second.left.set()
            while room.waiting:  # noqa: ASYNC110
                await anyio.sleep(0.001)
            go.set()
        return done

    assert anyio.run(main) == ["first"]


def test_a_full_pool_raises_busy_error() -> None:
    async def main() -> None:
        await compute(Client().request, ThreadPool("test", 1, 0, 1.0), lambda is_cancelled: 1)

    with pytest.raises(BusyError):
        anyio.run(main)


def test_json_in_pieces_is_the_same_json() -> None:
    data = {
        "long": [0.1 * i for i in range(3 * CHUNK + 7)],
        "just": list(range(CHUNK)),
        "rows": [[i, str(i)] for i in range(CHUNK + 1)],
        'a "key"': {"none": None, "text": "ü"},
        "empty": [],
    }
    assert json.loads(encode(data)) == data
    with pytest.raises(ValueError, match="JSON"):
        encode({"long": [float("nan")] * 2 * CHUNK})
