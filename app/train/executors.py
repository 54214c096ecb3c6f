"""What computes a sweep: threads of this process, or a Dask cluster if the settings name one.

A cluster is connected to for one sweep at a time. When the connection ends, however it ends, the
scheduler forgets what was asked for, so that nobody's work is left behind.
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

PATIENCE = 2.0  # seconds for each: the scheduler to answer, a worker to be there, the way out


class ClusterError(RuntimeError):
    """The cluster cannot be reached, lost its work, or is not what it should be."""


def prepare(settings: Settings) -> None:
    """Import what sweeps need while nobody waits for it yet."""
    if settings.text("sweep_cluster"):
        import_module("distributed")
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # it is told below


def executor(settings: Settings) -> AbstractContextManager[Executor]:
    """The executor for one sweep. Raises ClusterError, also for what goes wrong in the block."""
    address = settings.text("sweep_cluster")
    if address:
        return _cluster(address)
    return ThreadPoolExecutor(settings.whole("train_at_once"))


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    client = None
    try:
        client = _connected(address)
        client.wait_for_workers(1, timeout=PATIENCE)
        yield client.get_executor(pure=False)
    except (SweepCancelled, SweepTimedOut):
        raise
    except Exception as error:
        log.write({"time": log.now(), "cluster": address, "error": _reason(error)})
        raise ClusterError(type(error).__name__) from error
    finally:
        if client is not None:
            with suppress(OSError, TimeoutError):  # of a scheduler that does not answer any more
                client.close(timeout=PATIENCE)


def _connected(address: str) -> Any:
    """A client of the scheduler. Raises OSError where there is none that answers in time."""
    from distributed import Client

    asyncio.run(asyncio.wait_for(_greet(address), PATIENCE))
    return Client(address, timeout=PATIENCE, set_as_default=False, name="gradlens")


async def _greet(address: str) -> None:
    """Ask the scheduler something: a Client would wait without an end for a silent one."""
    from distributed.core import rpc

    async with rpc(address, timeout=PATIENCE) as scheduler:
        await scheduler.identity(n_workers=0)


def _reason(error: Exception) -> str:
    """An error for the log: its kind, and its words only if none of them can be a visitor's."""
    own = isinstance(error, SweepError | OSError | TimeoutError) and str(error)
    return f"{log.named(error)}: {error}" if own else log.named(error)
