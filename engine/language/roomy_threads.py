"""Threads whose stack holds the deepest program.

Recursion of a program is recursion of Python's, so that it needs a large stack. Operators and other
native code may recurse on the C stack of the thread as well.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

STACK = 256 << 20  # bytes of address space; only what is used takes memory
FRAMES = 50_000
"""Python's frames for CALL_DEPTH calls of a program."""
SHALLOW = 5_000
"""Operations of a run that is too short to use more than 1 or 2 MB of the stack."""
_starting = threading.Lock()
sys.setrecursionlimit(max(FRAMES, sys.getrecursionlimit()))


class _Here(threading.local):
    """The present thread: whether its stack is large, and may be in use for good."""

    is_roomy = False
    is_worn = False


_here = _Here()


def started(work: Callable[[], None]) -> threading.Thread:
    """A new thread with a large stack, which does `work`."""

    def marked() -> None:
        _here.is_roomy = True
        work()

    thread = threading.Thread(target=marked, name="program", daemon=True)
    with _starting:
        before = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


def is_roomy() -> bool:
    """Whether programs may run on the present thread."""
    return _here.is_roomy


def is_worn() -> bool:
    """Whether a program on the present thread may have used much of its stack.

    The memory of a stack is given back when the thread ends.
    """
    return _here.is_worn


def wear(operations: int) -> None:
    """Note that a program of so many operations has run on the present thread."""
    if operations > SHALLOW:
        _here.is_worn = True
