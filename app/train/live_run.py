"""A run that pages look at: with the edits of an address, and quick to draw.

What is seen of it is what `engine.kernel.Run` shows. The edits, parameters changed by hand, are
made when their step is first reached; later the run goes on from them by itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property

from app.serving import computing, metrics
from app.train.sample_points import Places, Sights, sights
from engine.kernel import Run
from engine.training.spec import TrainSpec

Edit = tuple[int, int, float]
"""A step, the place of a parameter in the flat order, and the number it has from that step on."""

Edits = tuple[Edit, ...]


class LiveRun(Run):
    """A run with its edits. Not to be shared between threads at the same time."""

    def __init__(self, spec: TrainSpec, edits: Edits = ()) -> None:
        super().__init__(spec)
        self._edits: dict[int, list[tuple[int, float]]] = {}
        for step, place, number in edits:
            self._edits.setdefault(step, []).append((place, number))
        self._stops = sorted(self._edits)
        self.stopped: computing.IsCancelled = lambda: False
        """Asked now and then by whoever uses the run: whether nobody waits for it any more."""
        self._edit(0)

    def advance(self, steps: int, stopped: computing.IsCancelled | None = None) -> None:
        """Train so many steps, with the edits of each step that is reached. Raises Stopped."""
        first = self.step
        with metrics.training() as made:
            try:
                self._advance(steps, stopped)
            finally:
                made(self.step - first)

    def _advance(self, steps: int, stopped: computing.IsCancelled | None) -> None:
        last = self.step + steps
        for stop in self._stops:
            if self.step < stop <= last:
                super().advance(stop - self.step, stopped or self.stopped)
                self._edit(stop)
        super().advance(last - self.step, stopped or self.stopped)

    def _edit(self, step: int) -> None:
        """Make the edits of a step, unless the run was here before and has made them already.

        To set the parameters again would forget all that is known of later steps.
        """
        before = array("d", self.parameters())
        after = before[:]
        for place, number in self._edits.get(step, ()):
            after[place] = number
        if after.tobytes() != before.tobytes():
            self.set_parameters(after)

    def accuracies_between(self, start: int, stop: int) -> list[float]:
        """`accuracies()` of some steps that were passed; [] where there are no classes."""
        if not self.shape.classifies:
            return []
        return [self._hits[step] / self._batch_size(step) for step in range(start, stop)]

    @cached_property
    def sights(self) -> Sights:
        """Where pages look at the network."""
        return sights(self.spec, self.training, self.test)

    def look_at(self, places: Places) -> Sequence[Sequence[float]]:
        """`places` for `grid`, `maps` and `shades`, without taking them apart number by number."""
        if places.points is not self._points:
            self._instance.write(self.layout.records["points"], places.records)
            self._points = places.points
        return places.points
