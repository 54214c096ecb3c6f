"""Cancelling a long computation: it asks its caller now and then whether the result is wanted."""

from __future__ import annotations

from collections.abc import Callable

IsCancelled = Callable[[], bool]
"""Answers whether a computation is to end now. Called from the thread that computes."""


class Cancelled(Exception):
    """A computation ended early because its caller cancelled it."""


def never_cancelled() -> bool:
    """The default callback: the computation runs to its end."""
    return False
