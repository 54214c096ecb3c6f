"""Polling."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

LOOK = 0.02  # interval in seconds


async def until(true: Callable[[], bool], seconds: float) -> bool:
    """Whether the condition `true` holds within `seconds`; returns as soon as it does."""
    end = time.perf_counter() + seconds
    while not true():
        if time.perf_counter() > end:
            return False
        await asyncio.sleep(LOOK)
    return True
