"""Long computations for a request, in a thread, cancelled when the client disconnects."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import anyio
from fastapi import Request

from app.serving import shutdown
from app.serving.thread_pools import BusyError, ThreadPool
from engine.cancellation import IsCancelled

T = TypeVar("T")

CHUNK = 1_000  # items encoded at a time, since the encoder holds the interpreter lock


async def compute(
    request: Request, threads: ThreadPool, work: Callable[[IsCancelled], T]
) -> T | None:
    """The result of `work` in one of `threads`; None if the client disconnected before.

    `work` is given a function that tells whether it has been cancelled; it may then raise anything.
    The request's body must have been read. Raises BusyError if the pool is full, or the server is
    being stopped.
    """
    left = threading.Event()
    result: T | None = None
    busy: BusyError | None = None
    ending = shutdown.of(request.scope)
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        async def close() -> None:
            await ending.wait()
            await anyio.sleep(shutdown.GRACE)
            group.cancel_scope.cancel()

        group.start_soon(watch)
        group.start_soon(close)
        try:
            result = await threads.run(work, left.is_set, abandon=True)
        except BusyError as error:
            busy = error
        finally:
            left.set()
        group.cancel_scope.cancel()
    if result is None and ending.begun:
        busy = BusyError(shutdown.KIND, shutdown.LEAVING)
    if busy:
        raise busy
    return result


def encode(data: dict[str, Any]) -> bytes:
    """An object as JSON. Long lists in it are encoded CHUNK items at a time."""
    parts = (f"{json.dumps(key)}: {_value(value)}" for key, value in data.items())
    return f"{{{', '.join(parts)}}}".encode()


def _value(value: Any) -> str:
    if isinstance(value, list) and len(value) > CHUNK:
        return f"[{', '.join(_pieces(value))}]"
    return json.dumps(value, allow_nan=False)


def _pieces(values: list[Any]) -> Iterator[str]:
    for start in range(0, len(values), CHUNK):
        yield json.dumps(values[start : start + CHUNK], allow_nan=False)[1:-1]
