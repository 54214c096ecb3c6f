"""Checkpoints of a run, spaced so that every step can be recomputed quickly from the one before it.

Parameters edited during the run are recorded by step and are applied again when training from an
earlier checkpoint reaches that step.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping

BETWEEN = 0.02  # target spacing of checkpoints, in seconds of training
MOST_BYTES = 16 * 2**20


class ParameterEdit:
    """Edited parameters by index."""

    def __init__(self, numbers: Mapping[int, float]) -> None:
        self._places = array("I", numbers)
        self._numbers = array("d", numbers.values())

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return zip(self._places, self._numbers, strict=True)

    def with_more(self, numbers: Mapping[int, float]) -> ParameterEdit:
        """This change with later edits merged in."""
        return ParameterEdit({**dict(self), **numbers})

    @property
    def size(self) -> int:
        """Size in bytes."""
        return len(self._places) * (self._places.itemsize + self._numbers.itemsize)


class RunCheckpoints:
    """States and changes by step. Over the memory limit, every other state is dropped.

    The state at a step includes that step's change. States of different segments differ in size.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = MOST_BYTES if most is None else most
        self._steps: list[int] = []
        self._states: dict[int, bytes] = {}
        self._states_size = 0
        self._changed: list[int] = []
        self._changes: dict[int, ParameterEdit] = {}
        self._thinned = 1

    def is_due(self, step: int, seconds: float) -> bool:
        """Whether to save the state at `step`; `seconds` is the duration of one step."""
        if step in self._states:
            return False
        return (step - self._nearest(step)) * seconds >= BETWEEN * self._thinned

    def add(self, step: int, state: bytes) -> None:
        """Save a state; the first one must be that at step 0."""
        if step not in self._states:
            self._steps.insert(bisect_right(self._steps, step), step)
        self._keep(step, state)
        self._thin()

    def _keep(self, step: int, state: bytes) -> None:
        self._forget(step)
        self._states[step] = state
        self._states_size += len(state)

    def _forget(self, step: int) -> None:
        self._states_size -= len(self._states.pop(step, b""))

    def keep_within(self, most: int) -> None:
        """Limit the states to `most` bytes from now on; the first is always kept."""
        self._most = most
        self._thin()

    def _thin(self) -> None:
        while len(self._steps) > 1 and self._states_size > self._most:
            self._thinned *= 2
            for step in self._steps[1::2]:
                self._forget(step)
            del self._steps[1::2]

    @property
    def size(self) -> int:
        """Total size of states and changes in bytes."""
        return self._states_size + sum(change.size for change in self._changes.values())

    def before(self, step: int) -> tuple[int, bytes]:
        """The last saved state at or before `step`, with its step."""
        nearest = self._nearest(step)
        return nearest, self._states[nearest]

    def is_nearer(self, present: int, step: int) -> bool:
        """Whether a saved state is closer to `step` than the current one at `present`."""
        return self._nearest(step) > present

    def _nearest(self, step: int) -> int:
        return self._steps[bisect_right(self._steps, step) - 1]

    def change(self, step: int, numbers: Mapping[int, float], state: bytes) -> None:
        """Record that parameters were edited at `step`, giving `state`.

        Drops all later states and changes, which the edit invalidates.
        """
        self._forget_after(step)
        if step in self._states:
            self._keep(step, state)
        if step not in self._changes:
            self._changed.append(step)
        earlier = self._changes.get(step)
        self._changes[step] = earlier.with_more(numbers) if earlier else ParameterEdit(numbers)

    def _forget_after(self, step: int) -> None:
        for later in _cut(self._steps, step):
            self._forget(later)
        for later in _cut(self._changed, step):
            del self._changes[later]

    def next_change(self, step: int) -> int | None:
        """The first step after `step` at which parameters were edited."""
        at = bisect_right(self._changed, step)
        return self._changed[at] if at < len(self._changed) else None

    def change_at(self, step: int) -> ParameterEdit | None:
        """The edits at `step`."""
        return self._changes.get(step)

    def __len__(self) -> int:
        return len(self._steps)


def _cut(steps: list[int], last: int) -> list[int]:
    """Remove the steps after `last` from the sorted list `steps`."""
    first = bisect_right(steps, last)
    later = steps[first:]
    del steps[first:]
    return later
