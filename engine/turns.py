"""Long runs take turns.

Whoever serves programs sets the turn of the present context: it is asked before a program is run,
and while one runs, whether it may go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


def _go_on(seconds: float = 0.0) -> None:
    """Nobody waits for others."""


class Later(Exception):
    """A run has become long, and others that are long go before it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What is asked of a run, in the thread that waits for it; raising an exception ends it.

    `begin()` is called before a program is run, and `pause(seconds)` every `every` seconds with
    those since the run began. After Later `wait()` is called, and the program run from its
    beginning: one that waits should not keep an instance from those that are short.
    """

    begin: Callable[[], None] = _go_on
    pause: Callable[[float], None] = _go_on
    wait: Callable[[], None] = _go_on
    every: float = 0.02


_NOBODY = Turn()
_turn: ContextVar[Turn] = ContextVar("turn", default=_NOBODY)  # it is frozen


def current() -> Turn:
    """The turn of the present context."""
    return _turn.get()


@contextmanager
def taken(turn: Turn) -> Iterator[None]:
    """Runs in the block, and in threads that are given its context, ask `turn`."""
    token = _turn.set(turn)
    try:
        yield
    finally:
        _turn.reset(token)
