"""Long programs take turns.

A run that has used `after` operations asks `pause` whether it may go on, then and after every
PORTION operations more. Whoever serves programs sets the turn of the current context; without one,
a run has its whole budget at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic

from engine.record.source import Limits

PORTION = 2_000
"""Operations between two pauses: a millisecond or two."""
SMALL = 1_000
"""Operations that need neither a thread with a large stack nor a look at the clock."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a long run asks: `pause(used)` returns when it may go on, and raises to end it.

    It is called from the thread of the program with the operations that were used so far.
    """

    after: int
    pause: Callable[[int], None]
    is_last: bool = False
    """Whether `pause` always raises: a run takes `after` operations at most."""


_turn: ContextVar[Turn | None] = ContextVar("turn", default=None)


@contextmanager
def taken(turn: Turn) -> Iterator[None]:
    """Runs in the block, and in threads that are given its context, ask `turn`."""
    token = _turn.set(turn)
    try:
        yield
    finally:
        _turn.reset(token)


class Stopped(BaseException):
    """A pause has ended the run, for `reason`; no program can catch it."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Budget:
    """The operations of one run that are not handed out yet, and the time that it has paused."""

    def __init__(self, limits: Limits) -> None:
        self._turn, self.limits, all_ = _turn.get(), limits, limits.operations
        self.first = all_ if self._turn is None else min(all_, self._turn.after)
        """The operations that the run begins with."""
        self.rest = all_ - self.first
        self.is_late = False
        """Whether the run has taken too long, and may not go on."""
        self._paused = 0.0
        self._since: float | None = None
        self._ended: Stopped | None = None

    @property
    def is_small(self) -> bool:
        """Whether the run can neither take long nor nest deeply."""
        return self.first <= SMALL and (not self.rest or bool(self._turn and self._turn.is_last))

    @property
    def paused(self) -> float:
        """Seconds for which the run has paused. Safe to read from any thread."""
        since = self._since
        return self._paused + (0.0 if since is None else monotonic() - since)

    def used(self, left: int) -> int:
        """The operations used, of which `left` are left of those that were handed out."""
        return self.limits.operations - self.rest - left

    @property
    def refusal(self) -> tuple[str, str]:
        """Why the run may not go on, and a way out."""
        limits = self.limits
        operations = f"needs more than {limits.operations:,} operations"
        why = f"takes more than {limits.seconds:g} seconds" if self.is_late else operations
        hint = "Do fewer turns of the loop, or take a smaller network."
        return f"The program was stopped here: it {why}.", hint

    def more(self, overdrawn: int) -> int:
        """More operations, after a pause; 0 if there are none. Raises Stopped.

        `overdrawn` were charged already beyond those that were handed out.
        """
        if self._ended is not None:
            raise self._ended
        if self.is_late or self._turn is None or self.rest < overdrawn:
            self.rest = 0
            return 0
        self._pause(self._turn, self.limits.operations - self.rest + overdrawn)
        portion = min(self.rest, overdrawn + PORTION)
        self.rest -= portion
        return portion

    def _pause(self, turn: Turn, used: int) -> None:
        self._since = monotonic()
        try:
            turn.pause(used)
        except Exception as reason:
            self._ended = Stopped(reason)
            raise self._ended from None
        finally:
            self._paused, self._since = self.paused, None
