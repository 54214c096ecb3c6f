"""Executors of sweeps: threads of this process, or a Dask cluster if the settings name one.

Each sweep has a connection of its own: when it closes, for whatever reason, the scheduler drops the
sweep's tasks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import import_module
from typing import Any

from app.serving import log
from app.settings import Settings
from engine.runs.sweep import SweepCancelled, SweepError, SweepTimedOut

TIMEOUT = 2.0  # timeout in seconds, each: connecting, waiting for a worker, closing


class ClusterError(RuntimeError):
    """The cluster is unreachable, lost tasks, or is incompatible."""


def prepare(settings: Settings) -> None:
    """Import the slow dependencies of sweeps at start-up."""
    if settings.text("sweep_cluster"):
        import_module("distributed")
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # errors are logged here


def executor(settings: Settings) -> AbstractContextManager[Executor]:
    """The executor for one sweep. Raises ClusterError, also for errors within the block."""
    address = settings.text("sweep_cluster")
    if address:
        return _cluster(address)
    return ThreadPoolExecutor(settings.whole("train_at_once"))


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    client = None
    try:
        client = _connected(address)
        client.wait_for_workers(1, timeout=TIMEOUT)
        yield client.get_executor(pure=False)
    except (SweepCancelled, SweepTimedOut):
        raise
    except Exception as error:
        log.write({"time": log.now(), "cluster": address, "error": _reason(error)})
        raise ClusterError(type(error).__name__) from error
    finally:
        if client is not None:
            with suppress(OSError, TimeoutError):  # the scheduler may be gone
                client.close(timeout=TIMEOUT)


def _connected(address: str) -> Any:
    """A client of the scheduler. Raises OSError or TimeoutError if it does not respond."""
    from distributed import Client

    asyncio.run(asyncio.wait_for(_greet(address), TIMEOUT))
    return Client(address, timeout=TIMEOUT, set_as_default=False, name="seegrad")


async def _greet(address: str) -> None:
    """Probe the scheduler: a Client would wait forever for an unresponsive one."""
    from distributed.core import rpc

    async with rpc(address, timeout=TIMEOUT) as scheduler:
        await scheduler.identity(n_workers=0)


def _reason(error: Exception) -> str:
    """An error for the log: its type, and its message only if it cannot contain user input."""
    own = isinstance(error, SweepError | OSError | TimeoutError) and str(error)
    return f"{log.named(error)}: {error}" if own else log.named(error)
