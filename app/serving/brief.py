"""Brief work, done on the event loop itself.

Handing a request to a thread and its answer back takes 0.3 ms of processor time: as long as the
whole work of a small program whose leaf is dragged. A program that takes more operations than
expected is stopped, and its request goes to a thread as all others do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.language import turns

T = TypeVar("T")

OPERATIONS = 600
"""Of a program; its trace takes up to 3 ms. No program can nest anything deeply in so many."""


class NotBrief(Exception):
    """The work takes longer than expected."""


def done_here(work: Callable[..., T], *args: object) -> T:
    """The result of `work(*args)`. Raises NotBrief if a program takes more than OPERATIONS."""
    with turns.taken(turns.Turn(OPERATIONS, _stop, is_last=True)):
        return work(*args)


def _stop(used: int) -> None:
    raise NotBrief
