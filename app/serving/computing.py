"""Long work on behalf of a request: in a thread, never in an endless queue, and not for nobody."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import anyio
from fastapi import Request

from app.serving import shutdown
from app.serving.threads import BusyError, ThreadPool

T = TypeVar("T")
Stopped = Callable[[], bool]

CHUNK = 1_000  # numbers that are encoded in one go: Python's other threads wait meanwhile


async def compute(request: Request, threads: ThreadPool, work: Callable[[Stopped], T]) -> T | None:
    """What `work` returns, computed in one of `threads`; None if the client did not wait for it.

    `work` gets a function that says whether nobody waits any more: then it may raise anything. The
    request's body must have been read. Raises BusyError where there is no room, or no time: the
    server is being stopped.
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
    """An object as JSON. Long lists of it are encoded piece by piece: see CHUNK."""
    parts = (f"{json.dumps(key)}: {_value(value)}" for key, value in data.items())
    return f"{{{', '.join(parts)}}}".encode()


def _value(value: Any) -> str:
    if isinstance(value, list) and len(value) > CHUNK:
        return f"[{', '.join(_pieces(value))}]"
    return json.dumps(value, allow_nan=False)


def _pieces(values: list[Any]) -> Iterator[str]:
    for start in range(0, len(values), CHUNK):
        yield json.dumps(values[start : start + CHUNK], allow_nan=False)[1:-1]
