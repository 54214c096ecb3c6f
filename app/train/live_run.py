"""A run with its manual edits, and the points at which pages evaluate its network.

An edit is applied when the run first reaches its step; from then on the kernel's checkpoints
include it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby

from app.serving import metrics
from app.train.sample_points import InputPoints, SamplePoints, sample_points
from engine.cancellation import IsCancelled, never_cancelled
from engine.kernel import Run
from engine.training.spec import TrainSpec

Edit = tuple[int, int, float]
"""A step, the index of a parameter in the flat order, and its value from that step on."""

Edits = tuple[Edit, ...]


class LiveRun:
    """A run with its edits. Not thread-safe.

    `kernel` is the run itself, for reading the state after `seek`; only `seek` may advance it,
    until `make_edits` has applied the edits of all steps.
    """

    def __init__(self, spec: TrainSpec, edits: Edits = ()) -> None:
        self.spec = spec
        self.kernel = Run(spec)
        self.edits = edits
        self.is_cancelled: IsCancelled = never_cancelled
        """Polled while steps are computed."""
        in_order = sorted(edits, key=_step)
        self._pending = deque((step, tuple(group)) for step, group in groupby(in_order, _step))
        self._make_edits_up_to(0)
        self._before = 0, list[float]()

    def seek(self, step: int) -> None:
        """Move to the state after `step` updates, edits included. Raises Cancelled."""
        before = self.kernel.trained
        with metrics.training() as made:
            try:
                self._make_edits_up_to(step)
                if 0 < step != self.kernel.step:
                    self.kernel.seek(step - 1, self.is_cancelled)
                    self._before = step, self.kernel.parameters()
                self.kernel.seek(step, self.is_cancelled)
            finally:
                made(self.kernel.trained - before)

    def last_update(self) -> list[float] | None:
        """What the last step has added to each parameter; None at step 0. Raises Cancelled."""
        step = self.kernel.step
        if not step:
            return None
        if self._before[0] != step:
            self.seek(step - 1)
            self.seek(step)
        pairs = zip(self.kernel.parameters(), self._before[1], strict=True)
        return [after - before for after, before in pairs]

    def edited_at(self, step: int) -> frozenset[int]:
        """The parameters that were set by hand at a step."""
        return frozenset(place for at, place, _ in self.edits if at == step)

    def make_edits(self) -> None:
        """Apply all edits. Raises Cancelled."""
        if self._pending:
            self.seek(self._pending[-1][0])

    def _make_edits_up_to(self, last: int) -> None:
        """Apply the edits of steps up to `last` that the run has not reached before."""
        while self._pending and self._pending[0][0] <= last:
            step, edits = self._pending[0]
            self.kernel.seek(step, self.is_cancelled)
            parameters = self.kernel.parameters()
            for _, place, number in edits:
                parameters[place] = number
            self.kernel.set_parameters(parameters)
            self._pending.popleft()

    @cached_property
    def sample_points(self) -> SamplePoints:
        """The points at which pages evaluate the network."""
        return sample_points(self.spec, self.kernel.training, self.kernel.test)

    def look_at(self, places: InputPoints) -> Sequence[Sequence[float]]:
        """`places` for the kernel's `grid`, `maps` and `shades`, copied to its memory in bulk."""
        self.kernel.take_points(places.points, places.records)
        return places.points


def _step(edit: Edit) -> int:
    return edit[0]
