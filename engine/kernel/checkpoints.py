"""Copies of a run's state, near enough to each other that every step is quickly reached again."""

from __future__ import annotations

from bisect import bisect_right

BETWEEN = 0.02  # seconds of training between two copies, about
MOST_BYTES = 16 * 2**20


class Checkpoints:
    """States by step. When they grow too many, every other one is dropped."""

    def __init__(self) -> None:
        self._steps: list[int] = []
        self._states: dict[int, bytes] = {}
        self._changed: list[int] = []
        self._thinned = 1

    def is_due(self, step: int, seconds: float) -> bool:
        """Whether the state at `step` is worth keeping, where a step takes so many seconds."""
        if step in self._states:
            return False
        nearest = self._steps[bisect_right(self._steps, step) - 1]
        return (step - nearest) * seconds >= BETWEEN * self._thinned

    def add(self, step: int, state: bytes, changed: bool = False) -> None:
        """Keep a state; the one at step 0 must be the first. One `changed` by hand always stays."""
        if step not in self._states:
            self._steps.insert(bisect_right(self._steps, step), step)
        self._states[step] = state
        if changed and step not in self._changed:
            self._changed.append(step)  # later ones were forgotten: these are in order
        if len(self._states) * len(state) > MOST_BYTES:
            self._thin()

    def _thin(self) -> None:
        self._thinned *= 2
        for step in self._steps[1::2]:
            if step not in self._changed:
                del self._states[step]
        self._steps = [step for step in self._steps if step in self._states]

    def before(self, step: int) -> bytes:
        """The last state that is not after `step`."""
        return self._states[self._nearest(step)]

    def is_nearer(self, present: int, step: int) -> bool:
        """Whether going to `step` is shorter from a kept state than from the present one."""
        return self._nearest(step) > present

    def _nearest(self, step: int) -> int:
        return self._steps[bisect_right(self._steps, step) - 1]

    def forget_after(self, step: int) -> None:
        """Drop all later states: they no longer follow from this one."""
        for later in self._steps[bisect_right(self._steps, step) :]:
            del self._states[later]
        for steps in (self._steps, self._changed):
            del steps[bisect_right(steps, step) :]

    def next_change(self, step: int) -> int | None:
        """The first step after `step` at which the run was changed by hand."""
        at = bisect_right(self._changed, step)
        return self._changed[at] if at < len(self._changed) else None

    def __len__(self) -> int:
        return len(self._steps)
