"""A training run in WebAssembly: training in calls of bounded time, seeking, evaluation.

Agrees with `engine.training.textbook` up to rounding, and bit for bit across machines.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.cancellation import Cancelled, IsCancelled, never_cancelled
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS
from engine.training.samples import Samples, examined, load
from engine.training.segments import Segment, has_penalty, segment_at, segments
from engine.training.snapshot import History, Sight, Snapshot
from engine.training.spec import TrainSpec
from engine.wasm.instance import Instance

from .checkpoints import RunCheckpoints
from .layout import LOGGED, Layout, Shape
from .machines import Machines
from .module import program
from .observation import Observation, numbers_of

CALL = 0.02  # target duration of one call into WebAssembly, in seconds
FIRST_CALL = 4  # steps of the first call, which measures the time per step


@dataclass(frozen=True, slots=True)
class Score:
    """Loss and accuracy of a network on a set; penalties are part of the loss of training data."""

    loss: float
    accuracy: float | None


class Run:
    """A run of a spec, positioned at a step. Not thread-safe."""

    def __init__(self, spec: TrainSpec) -> None:
        self.spec = spec
        self.training, self.test = load(spec)
        self._machines = Machines(self.training, self.test)
        self._segment = segments(spec)[0]
        self._machine = self._machines.at_begin(self._segment)
        self._observation = Observation(self._machine)
        self.losses = array("d")
        """The training loss before each step, up to the furthest step reached."""
        self.test_log = array("d")
        """The test loss before each step, without penalties; empty without a test set."""
        self.penalty_log = array("d")
        """The penalty before each step; empty if no step has one."""
        self.trained = 0
        """Steps computed so far, recomputed ones included."""
        self._hits = array("d")
        self._seconds = 0.0  # per step, last measured
        self._seen: tuple[tuple[float, ...], ...] | None = None
        self._checkpoints = RunCheckpoints()
        self._save()

    @property
    def shape(self) -> Shape:
        """The shape of the segment at this step."""
        return self._machine.shape

    @property
    def layout(self) -> Layout:
        """The memory layout of the segment at this step."""
        return self._machine.layout

    @property
    def _instance(self) -> Instance:
        return self._machine.instance

    @property
    def step(self) -> int:
        """The number of updates made."""
        return self._instance.index(Layout.STEP)

    def advance(self, steps: int, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Train `steps` steps, in calls of about CALL seconds at most.

        Recorded edits of parameters are applied at their steps. Raises Cancelled when
        `is_cancelled`, polled between calls, returns true, and ValueError beyond the last step.
        """
        step = self.step
        last = step + steps
        self._check(last, step)
        while step < last:
            if is_cancelled():
                raise Cancelled
            stop = self._checkpoints.next_change(step) or last
            self._train(step, min(last, stop, self._segment.stop) - step)
            step = self.step

    def _train(self, first: int, steps: int) -> None:
        """One call: at most `steps` steps, limited by time and by the log's capacity."""
        count = min(steps, LOGGED, self._affordable())
        start = time.perf_counter()
        self._instance.call("train", count)
        self._seconds = (time.perf_counter() - start) / count
        self.trained += count
        self._read_log(first, count)
        if first + count == self._segment.stop < self.spec.total_steps:
            self._use(segment_at(self.spec, first + count), goes_on=True)
        change = self._checkpoints.change_at(first + count)
        if change:
            self._set(change)
        if self._checkpoints.is_due(first + count, self._seconds):
            self._save()

    def _use(self, segment: Segment, goes_on: bool) -> None:
        """Continue with the machine of a segment; its state is the current one if it `goes_on`."""
        before = self._machine
        machines, self._segment = self._machines, segment
        self._machine = machines.after(before, segment) if goes_on else machines.at_begin(segment)
        self._observation = Observation(self._machine)

    def _affordable(self) -> int:
        """The number of steps that fit in a call, from the last measurement."""
        return max(1, int(CALL / self._seconds)) if self._seconds else FIRST_CALL

    def _read_log(self, first: int, count: int) -> None:
        """Append the losses of new steps from the ring buffers in memory."""
        new = first + count - len(self.losses)
        if new <= 0:
            return
        start = (first + count - new) % LOGGED
        for kept, address in self._logs():
            if address is None:
                kept.extend([0.0] * new)
                continue
            ring = self._instance.numbers(address, LOGGED)
            kept.extend((ring[start:] + ring[:start])[:new])

    def _logs(self) -> list[tuple[array[float], int | None]]:
        """The per-step logs with the addresses of their ring buffers; None: 0 at these steps."""
        layout = self.layout
        logs: list[tuple[array[float], int | None]] = [
            (self.losses, layout.losses),
            (self._hits, layout.hits),
        ]
        logs += [(self.test_log, layout.test_losses)] if len(self.test) else []
        if has_penalty(self.spec):
            logs.append((self.penalty_log, layout.penalties if self.shape.penalty else None))
        return logs

    def seek(self, step: int, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Move to the state after `step` updates, forwards or backwards.

        Raises Cancelled, and ValueError for a step outside the run.
        """
        self._check(step, 0)
        if step < self.step or self._checkpoints.is_nearer(self.step, step):
            self._restore(step)
        self.advance(step - self.step, is_cancelled)

    def _check(self, step: int, first: int) -> None:
        """Raise ValueError for a step before `first` or beyond the end of the run."""
        last = self.spec.total_steps
        if not first <= step <= last:
            raise ValueError(f"there is no step {step}; the last one is {last}")

    def _save(self) -> None:
        self._checkpoints.add(self.step, self._state())

    def _set(self, numbers: Iterable[tuple[int, float]]) -> None:
        """Set parameters by index."""
        for place, number in numbers:
            self._instance.write_numbers(self.layout.parameter + 8 * place, [number])
        self._instance.call("spread")

    def _state(self) -> bytes:
        return self._instance.read(0, self.layout.saved)

    @property
    def size(self) -> int:
        """Approximate size in bytes: memory, checkpoints and logs."""
        logs = sum(kept.itemsize * len(kept) for kept, _ in self._logs())
        return self._machines.size + self._checkpoints.size + logs

    def keep_within(self, most: int) -> None:
        """Limit the checkpoints to `most` bytes."""
        self._checkpoints.keep_within(most)

    def _restore(self, step: int) -> None:
        """Restore the last checkpoint at or before `step`."""
        saved, state = self._checkpoints.before(step)
        segment = segment_at(self.spec, saved)
        if segment is not self._segment:
            self._use(segment, goes_on=False)
        self._instance.write(0, state)
        self._instance.call("spread")

    def parameters(self) -> list[float]:
        """The parameters, in the order of `MLP.parameters()`."""
        return self._instance.numbers(self.layout.parameter, self.layout.parameters).tolist()

    def optimizer_state(self) -> dict[str, list[float]]:
        """The numbers that the optimizer keeps of each parameter, and those of the run, by name."""
        count, entry = self.layout.parameters, OPTIMIZERS[self.shape.optimizer]
        own = {k: self._instance.numbers(at, count).tolist() for k, at in self.layout.state.items()}
        scalars = self._instance.numbers(Layout.SCALARS, len(entry.scalars))
        return own | {name: [x] for (name, _), x in zip(entry.scalars, scalars, strict=True)}

    def set_parameters(self, parameters: Sequence[float]) -> None:
        """Replace the parameters from this step on; drops all later states.

        Raises ValueError for the wrong number of parameters.
        """
        if len(parameters) != self.layout.parameters:
            raise ValueError(f"expected {self.layout.parameters} parameters, got {len(parameters)}")
        old, new = array("Q", array("d", self.parameters()).tobytes()), array("d", parameters)
        bits = array("Q", new.tobytes())
        changed = {place: new[place] for place in range(len(new)) if bits[place] != old[place]}
        self._set(changed.items())
        for kept, _ in self._logs():
            del kept[self.step :]
        self._checkpoints.change(self.step, changed, self._state())

    def snapshot(self) -> Snapshot:
        """The current state, with loss and gradient of the next batch."""
        self._instance.call("look")
        loss, hits = self._sums()
        test = self.evaluate("test") if len(self.test) else None
        return Snapshot(
            step=self.step,
            parameters=self.parameters(),
            gradient=self._instance.numbers(self.layout.gradient, self.layout.parameters).tolist(),
            loss=loss,
            accuracy=self._share(hits, self._segment.batch_size(self.step)),
            test_loss=test.loss if test else None,
            test_accuracy=test.accuracy if test else None,
            learning_rate=self._instance.numbers(self.layout.rate, 1)[0],
            penalty=self.penalty(),
        )

    def snapshots(self) -> Iterator[Snapshot]:
        """The states from the current one to the last."""
        yield self.snapshot()
        while self.step < self.spec.total_steps:
            self.advance(1)
            yield self.snapshot()

    def history(self, kept: Sequence[int], is_cancelled: IsCancelled = never_cancelled) -> History:
        """Train to the last step; records the states at the steps `kept` and at the last one."""
        states, sights = [], {}
        for step in (*kept, self.spec.total_steps):
            self.advance(step - self.step, is_cancelled)
            states.append(self.snapshot())
            sights[step] = self.sight()
        score = self.evaluate()
        return History(
            losses=self.losses,
            accuracies=self.accuracies(),
            test_losses=self.test_log,
            penalties=self.penalty_log,
            states=states,
            predictions=self.predictions(),
            loss=score.loss,
            accuracy=score.accuracy,
            sights=sights,
        )

    def _sums(self) -> tuple[float, float]:
        """Loss and hits of the last evaluation."""
        even, odd, even_hits, odd_hits = self._instance.numbers(self.layout.loss_sum, 4)
        return even + odd, even_hits + odd_hits

    def _share(self, hits: float, count: int) -> float | None:
        return hits / count if self.shape.classifies else None

    def accuracies(self, start: int = 0, stop: int | None = None) -> list[float]:
        """The accuracy on the batch of each step so far, or of some of them; [] for regression."""
        if not self.shape.classifies:
            return []
        steps = range(len(self._hits))[start:stop]
        return [
            self._hits[step] / segment.batch_size(step)
            for segment in segments(self.spec)
            for step in range(max(steps.start, segment.start), min(steps.stop, segment.stop))
        ]

    def evaluate(self, which: str = "train") -> Score:
        """Loss and accuracy of the current parameters on a whole set, "train" or "test".

        The loss of the test set is without penalties. Raises ValueError for "test" without one.
        """
        loss, hits = self._over(which)
        if self.shape.penalty and which == "train":
            self._instance.call("penalty")
            loss, hits = self._sums()
        return Score(loss, self._share(hits, len(self._set_of(which))))

    def _set_of(self, which: str) -> Samples:
        return self.training if which == "train" else self.test

    def _over(self, which: str) -> tuple[float, float]:
        """Loss without penalties and hits of the current parameters on a whole set."""
        layout, count = self.layout, len(self._set_of(which))
        if not count:
            raise ValueError("there is no test set")
        self._instance.call(
            "over_blocks",
            layout.records[which],
            layout.identity,
            layout.weights[which],
            layout.blocks_of(count),
            0,
        )
        return self._sums()

    def sight(self) -> Sight:
        """What the current parameters make of the training data."""
        loss, hits = self._over("train")
        count, inputs = len(self.training), self.training.inputs
        if self._seen is None:
            self._seen = tuple(inputs[i] for i in examined(self.training))
        mean = loss if LOSSES[self.shape.loss].mean else loss / count
        return Sight(mean, self._share(hits, count), self.maps(self._seen))

    def penalty(self) -> float:
        """The penalty on the current parameters, which is part of the training loss."""
        if not self.shape.penalty:
            return 0.0
        self._instance.write_numbers(self.layout.loss_sum, [0.0, 0.0])
        self._instance.call("penalty")
        return self._sums()[0]

    def losses_at(self, points: Iterable[Sequence[float]]) -> list[float]:
        """The loss of other parameters on the whole training set; those of the run stay."""
        own, found = self.parameters(), []
        try:
            for parameters in points:
                self._instance.write_numbers(self.layout.parameter, parameters)
                self._instance.call("spread")
                found.append(self.evaluate().loss)
        finally:
            self._instance.write_numbers(self.layout.parameter, own)
            self._instance.call("spread")
        return found

    def batch_of(self, step: int) -> list[int]:
        """The batch of step `step`, as indices into the training set."""
        return segment_at(self.spec, step).batch(step)

    def masks(self) -> list[array[float]]:
        """The dropout masks of the last evaluated block: for each hidden neuron, by sample."""
        return self._observation.masks()

    def order(self) -> list[int]:
        """The kernel's permutation of the samples in the current epoch."""
        return array("I", self._instance.read(self.layout.list, 4 * self.shape.samples)).tolist()

    def predictions(self, which: str = "train") -> list[list[float]]:
        """The outputs for each sample of a set."""
        return self._observation.outputs(which, len(self._set_of(which)))

    def grid(self, points: Sequence[Sequence[float]]) -> list[array[float]]:
        """For each output, its values at points of the input space."""
        return [numbers_of(row) for row in self._observation.at_points(points, last=True)]

    def maps(self, points: Sequence[Sequence[float]]) -> list[array[float]]:
        """For each neuron, layer by layer, its activations at points of the input space."""
        return [numbers_of(row) for row in self._observation.at_points(points, last=False)]

    def shades(
        self, points: Sequence[Sequence[float]], limit: float = 1.0, last: bool = False
    ) -> list[bytes]:
        """Like `maps`, or `grid` if `last`, quantised to one byte per point.

        [−limit, limit] maps linearly to 1 … 255, clamped; 0 gives 128, nan gives 0. Raises
        ValueError unless `limit` exceeds 1e-300.
        """
        self._observation.set_limit(limit)
        return self._observation.at_points(points, last, shades=True)

    def training_shades(self, limit: float) -> list[bytes]:
        """The `shades` of all neurons for the training samples."""
        self._observation.set_limit(limit)
        return self._observation.of_training(len(self.training))

    def take_points(self, points: Sequence[Sequence[float]], records: bytes) -> None:
        """Take in points as records lie in memory, for the next look at the same `points`."""
        self._observation.take(points, records)

    @property
    def code(self) -> bytes:
        """The WebAssembly module, which runs in any engine with SIMD, such as a browser's."""
        return program(self.shape).code

    def memory(self) -> bytes:
        """The whole memory: a new instance of `code` given this memory continues the run."""
        return self._instance.read(0, self.layout.size)
