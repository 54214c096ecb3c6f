"""The segments of a run: consecutive steps with one set of settings, between changes in mid-run.

A change takes effect at its step, before the batch of the next update is drawn:

- A new learning rate begins its schedule anew, over the steps that are then left. More `steps` by
  themselves leave the schedule as it was: after its end the rate stays at the final rate.
- A new batch size begins a new epoch, with an order of its own.
- The state of an optimizer, such as its momentum, is kept; another optimizer starts afresh.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.caches import cached

from .optim import SCHEDULES, rate_of
from .refusals import SpecError
from .settings import RunSettings
from .shuffling import batch_indices

RATE = "learning_rate"


@dataclass(frozen=True, slots=True)
class Segment:
    """The steps from `start` to before `stop`, with `settings`, a spec without changes.

    The schedule of the learning rate began at step `since` and ends at step `horizon`. The batches
    began at step `drawn_since`, after `epochs` epochs. `keeps_optimizer` is whether the optimizer's
    state is that of the segment before.
    """

    settings: RunSettings
    start: int
    stop: int
    since: int
    horizon: int
    drawn_since: int
    epochs: int
    keeps_optimizer: bool

    def rate(self, step: int) -> float:
        """The learning rate of the update after `step` updates."""
        length = self.horizon - self.since
        spec, progress = self.settings, min(step - self.since, length)
        schedule = rate_of(SCHEDULES[spec.schedule])
        return schedule(spec.learning_rate, spec.end_rate, progress, length)

    def batch(self, step: int) -> list[int]:
        """The batch of the update after `step` updates, as indices into the training set."""
        spec, turn = self.settings, step - self.drawn_since
        size = spec.train_samples
        return batch_indices(size, spec.batch, turn, spec.seeds.order, spec.shuffle, self.epochs)

    def passes(self, step: int) -> int:
        """The number of epochs after `step` updates; one cut short by other batches counts."""
        return self.epochs + (step - self.drawn_since) // self.steps_per_epoch

    def batch_size(self, step: int) -> int:
        """The number of samples in `batch(step)`."""
        spec, each = self.settings, self.settings.batch_size
        turn = (step - self.drawn_since) % self.steps_per_epoch
        return min(each, spec.train_samples - turn * each)

    @property
    def steps_per_epoch(self) -> int:
        """The number of updates in an epoch."""
        return -(-self.settings.train_samples // self.settings.batch_size)

    @property
    def is_partial(self) -> bool:
        """Whether a step sees another loss than that of all training data: a batch, or dropout."""
        spec = self.settings
        return spec.batch_size < spec.train_samples or spec.dropout > 0

    @property
    def draws_anew(self) -> bool:
        """Whether a new epoch begins with the segment, of another batch size."""
        return self.drawn_since == self.start


@cached("segments of runs")
def segments(spec: RunSettings) -> tuple[Segment, ...]:
    """The segments of a run, at least one. Raises SpecError for changes that are impossible."""
    return tuple(_segments(spec))


def segment_at(spec: RunSettings, step: int) -> Segment:
    """The segment with the update after `step` updates; the last one at the end of the run."""
    found = segments(spec)
    return found[bisect_right(found, step, key=lambda segment: segment.start) - 1]


def has_penalty(spec: RunSettings) -> bool:
    """Whether the loss of any step includes a penalty."""
    return any(part.settings.l1 or part.settings.l2 for part in segments(spec))


def _segments(spec: RunSettings) -> Iterator[Segment]:
    settings = replace(spec, at=())
    now = Segment(settings, 0, spec.steps, 0, spec.steps, 0, 0, keeps_optimizer=False)
    for change in spec.at:
        settings = _changed(now.settings, change.step, dict(change.settings))
        yield replace(now, stop=change.step)
        now = _after(now, change.step, settings, any(name == RATE for name, _ in change.settings))
    yield now


def _changed(before: RunSettings, step: int, items: dict[str, object]) -> RunSettings:
    """The settings from `step` on. Raises SpecError."""
    try:
        settings = replace(before, **items)  # type: ignore[arg-type]  # validated by its kinds
    except SpecError as error:
        message = f"From step {step:,} on: {error.message}"
        raise SpecError("at", error.value, message) from None
    if settings.steps <= step:
        last = f"the run has {settings.steps:,} steps"
        message = f"From step {step:,} on: {last}; give an earlier step, or more steps there."
        raise SpecError("at", str(step), message)
    return settings


def _after(before: Segment, step: int, settings: RunSettings, begins_rate: bool) -> Segment:
    """The segment after `before`, from `step` on; `begins_rate`: with a new learning rate."""
    same_batch = settings.batch == before.settings.batch
    return Segment(
        settings=settings,
        start=step,
        stop=settings.steps,
        since=step if begins_rate else before.since,
        horizon=settings.steps if begins_rate else before.horizon,
        drawn_since=before.drawn_since if same_batch else step,
        epochs=before.epochs if same_batch else before.epochs + _epochs(before, step),
        keeps_optimizer=settings.optimizer == before.settings.optimizer,
    )


def _epochs(segment: Segment, stop: int) -> int:
    """The epochs begun by the batches of a segment before step `stop`; 0 for full batches."""
    if segment.settings.batch == "all":
        return 0
    return -(-(stop - segment.drawn_since) // segment.steps_per_epoch)
