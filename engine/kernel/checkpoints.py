"""Copies of a run's state, near enough to each other that every step is quickly reached again.

What was changed by hand is kept beside them, as the numbers that changed: a change is made again
by whoever comes to its step from an earlier copy.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping

BETWEEN = 0.02  # seconds of training between two copies, about
MOST_BYTES = 16 * 2**20


class Change:
    """Numbers that were set by hand, by their places."""

    def __init__(self, numbers: Mapping[int, float]) -> None:
        self._places = array("I", numbers)
        self._numbers = array("d", numbers.values())

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return zip(self._places, self._numbers, strict=True)

    def with_more(self, numbers: Mapping[int, float]) -> Change:
        """This change and then another."""
        return Change({**dict(self), **numbers})

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self._places) * (self._places.itemsize + self._numbers.itemsize)


class Checkpoints:
    """States by step, and changes by step. When states grow too many, every other one is dropped.

    The state at a step has the change of that step in it.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = MOST_BYTES if most is None else most
        self._steps: list[int] = []
        self._states: dict[int, bytes] = {}
        self._changed: list[int] = []
        self._changes: dict[int, Change] = {}
        self._thinned = 1

    def is_due(self, step: int, seconds: float) -> bool:
        """Whether the state at `step` is worth keeping, where a step takes so many seconds."""
        if step in self._states:
            return False
        return (step - self._nearest(step)) * seconds >= BETWEEN * self._thinned

    def add(self, step: int, state: bytes) -> None:
        """Keep a state; the one at step 0 must be the first."""
        if step not in self._states:
            self._steps.insert(bisect_right(self._steps, step), step)
        self._states[step] = state
        self._thin()

    def keep_within(self, most: int) -> None:
        """Keep at most so many bytes of states from now on; the first one stays in any case."""
        self._most = most
        self._thin()

    def _thin(self) -> None:
        while len(self._steps) > 1 and self._states_size() > self._most:
            self._thinned *= 2
            for step in self._steps[1::2]:
                del self._states[step]
            del self._steps[1::2]

    def _states_size(self) -> int:
        return len(self._states) * len(self._states[0])

    @property
    def size(self) -> int:
        """Bytes of all states and changes."""
        return self._states_size() + sum(change.size for change in self._changes.values())

    def before(self, step: int) -> bytes:
        """The last state that is not after `step`."""
        return self._states[self._nearest(step)]

    def is_nearer(self, present: int, step: int) -> bool:
        """Whether going to `step` is shorter from a kept state than from the present one."""
        return self._nearest(step) > present

    def _nearest(self, step: int) -> int:
        return self._steps[bisect_right(self._steps, step) - 1]

    def change(self, step: int, numbers: Mapping[int, float], state: bytes) -> None:
        """Numbers were set by hand at `step`, which makes it `state`.

        All later states and changes are dropped: they do not follow from this one.
        """
        self._forget_after(step)
        if step in self._states:
            self._states[step] = state
        if step not in self._changes:
            self._changed.append(step)
        earlier = self._changes.get(step)
        self._changes[step] = earlier.with_more(numbers) if earlier else Change(numbers)

    def _forget_after(self, step: int) -> None:
        for later in _cut(self._steps, step):
            del self._states[later]
        for later in _cut(self._changed, step):
            del self._changes[later]

    def next_change(self, step: int) -> int | None:
        """The first step after `step` at which the run was changed by hand."""
        at = bisect_right(self._changed, step)
        return self._changed[at] if at < len(self._changed) else None

    def change_at(self, step: int) -> Change | None:
        """What was set by hand at `step`."""
        return self._changes.get(step)

    def __len__(self) -> int:
        return len(self._steps)


def _cut(steps: list[int], last: int) -> list[int]:
    """Take all steps after `last` off the end of `steps`, which are in order."""
    first = bisect_right(steps, last)
    later = steps[first:]
    del steps[first:]
    return later
