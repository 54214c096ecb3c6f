"""A training run in WebAssembly: forwards in bounded calls, back to any step, seen from outside.

The same numbers as `engine.training.textbook`, up to rounding, and the same bits on every machine.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.training.dropout import threshold
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS
from engine.training.samples import Samples, initial_parameters, load
from engine.training.shuffling import batch_indices
from engine.training.snapshot import History, Snapshot
from engine.training.spec import TrainSpec
from engine.wasm.instance import Instance

from .checkpoints import Checkpoints
from .layout import LOGGED, NUMBER, POINTS, Layout, Shape
from .program import program

CALL = 0.02  # seconds that one call into WebAssembly may take, about
LEAST_LIMIT = 1e-300  # of shades: 127 / limit is finite
FIRST_CALL = 4  # steps of the first call, from whose time the others are judged


@dataclass(frozen=True, slots=True)
class Score:
    """How a network does on a set: the loss with penalties, and the share of right answers."""

    loss: float
    accuracy: float | None


def shape_of(spec: TrainSpec, training: int, test: int) -> Shape:
    """What the code of a run with so many samples depends on."""
    return Shape(
        sizes=spec.layers,
        activations=spec.activations,
        loss=spec.loss,
        optimizer=spec.optimizer,
        schedule=spec.schedule,
        samples=training,
        tests=test,
        batch=spec.batch_size,
        minibatch=spec.batch != "all",
        shuffle=spec.shuffle,
        zero_grad=spec.zero_grad,
        accumulate=spec.accumulate,
        l1=spec.l1 > 0,
        l2=spec.l2 > 0,
        dropout=spec.dropout > 0 and len(spec.layers) > 2,
        classifies=spec.classifies,
    )


class Stopped(Exception):
    """Nobody waits for the run any more."""


class Run:
    """One run of a spec, at some step. Not to be shared between threads at the same time."""

    def __init__(self, spec: TrainSpec) -> None:
        self.spec = spec
        self.training, self.test = load(spec)
        self.shape = shape_of(spec, len(self.training), len(self.test))
        made = program(self.shape)
        self.layout: Layout = made.layout
        self._instance = Instance(made.code)
        self._fill()
        self.losses = array("d")
        """The loss before each step so far, as far as the run ever came."""
        self.test_log = array("d")
        """The same over the test set; empty without one."""
        self._hits = array("d")
        self._seconds = 0.0  # a step's, as last measured
        self._points: object = None
        self._checkpoints = Checkpoints()
        self._save()

    # -- the state of training -------------------------------------------------------------

    @property
    def step(self) -> int:
        """Updates made."""
        return self._instance.index(Layout.STEP)

    def advance(self, steps: int, stopped: Callable[[], bool] = lambda: False) -> None:
        """Train so many steps, in calls of about CALL seconds at most.

        Where parameters were changed by hand, the run goes on from the changed ones. Raises
        Stopped, between two calls, once `stopped` says so, and ValueError beyond the last step.
        """
        step = self.step
        last = step + steps
        if not step <= last <= self.spec.steps:
            raise ValueError(f"there is no step {last}; the last one is {self.spec.steps}")
        while step < last:
            if stopped():
                raise Stopped
            stop = self._checkpoints.next_change(step)
            self._train(step, min(last, stop or last) - step)
            step = self.step

    def _train(self, first: int, steps: int) -> None:
        """One call: so many steps, or as many as fit."""
        count = min(steps, LOGGED, self._affordable())
        start = time.perf_counter()
        self._instance.call("train", count)
        self._seconds = (time.perf_counter() - start) / count
        self._read_log(first, count)
        change = self._checkpoints.change_at(first + count)
        if change:
            self._set(change)
        if self._checkpoints.is_due(first + count, self._seconds):
            self._save()

    def _affordable(self) -> int:
        """Steps that a call may make, judged by the last one."""
        return max(1, int(CALL / self._seconds)) if self._seconds else FIRST_CALL

    def _read_log(self, first: int, count: int) -> None:
        """Keep the losses of steps that are new; the log is a ring."""
        new = first + count - len(self.losses)
        if new <= 0:
            return
        start = (first + count - new) % LOGGED
        for kept, address in self._logs():
            ring = self._instance.numbers(address, LOGGED)
            kept.extend((ring[start:] + ring[:start])[:new])

    def _logs(self) -> list[tuple[array[float], int]]:
        """What is kept of every step, and the address of its ring."""
        logs = [(self.losses, self.layout.losses), (self._hits, self.layout.hits)]
        return logs + ([(self.test_log, self.layout.test_losses)] if len(self.test) else [])

    def seek(self, step: int) -> None:
        """Go to the state after `step` updates, forwards or backwards."""
        if not 0 <= step <= self.spec.steps:
            raise ValueError(f"there is no step {step}; the last one is {self.spec.steps}")
        if step < self.step or self._checkpoints.is_nearer(self.step, step):
            self._restore(step)
        self.advance(step - self.step)

    def _save(self) -> None:
        self._checkpoints.add(self.step, self._state())

    def _state(self) -> bytes:
        return self._instance.read(0, self.layout.saved)

    def _set(self, numbers: Iterable[tuple[int, float]]) -> None:
        """Set parameters by their places."""
        for place, number in numbers:
            self._instance.write_numbers(self.layout.parameter + 8 * place, [number])
        self._instance.call("spread")

    @property
    def size(self) -> int:
        """Bytes that the run takes, about: its memory, its copies and what it saw of every step."""
        logs = sum(kept.itemsize * len(kept) for kept, _ in self._logs())
        return self._instance.size + self._checkpoints.size + logs

    def keep_within(self, most: int) -> None:
        """Keep at most so many bytes of copies of earlier states, to whose steps it is quick."""
        self._checkpoints.keep_within(most)

    def _restore(self, step: int) -> None:
        """Go to the last state kept that is not after `step`."""
        self._instance.write(0, self._checkpoints.before(step))
        self._instance.call("spread")

    # -- what can be seen ------------------------------------------------------------------

    def parameters(self) -> list[float]:
        """The parameters, in the order of `MLP.parameters()`."""
        return self._instance.numbers(self.layout.parameter, self.layout.parameters).tolist()

    def set_parameters(self, parameters: Sequence[float]) -> None:
        """Change them by hand, from this step on. What followed from the old ones is forgotten."""
        if len(parameters) != self.layout.parameters:
            raise ValueError(f"{self.layout.parameters} parameters, not {len(parameters)}")
        old, new = array("Q", array("d", self.parameters()).tobytes()), array("d", parameters)
        bits = array("Q", new.tobytes())
        changed = {place: new[place] for place in range(len(new)) if bits[place] != old[place]}
        self._set(changed.items())
        for kept, _ in self._logs():
            del kept[self.step :]
        self._checkpoints.change(self.step, changed, self._state())

    def snapshot(self) -> Snapshot:
        """The present state, with the loss and the gradient of the batch that comes next."""
        self._instance.call("look")
        loss, hits = self._sums()
        test = self.evaluate("test") if len(self.test) else None
        return Snapshot(
            step=self.step,
            parameters=self.parameters(),
            gradient=self._instance.numbers(self.layout.gradient, self.layout.parameters).tolist(),
            loss=loss,
            accuracy=self._share(hits, self._batch_size(self.step)),
            test_loss=test.loss if test else None,
            test_accuracy=test.accuracy if test else None,
            learning_rate=self._instance.numbers(self.layout.rate, 1)[0],
        )

    def snapshots(self) -> Iterator[Snapshot]:
        """The states from the present one to the last."""
        yield self.snapshot()
        while self.step < self.spec.steps:
            self.advance(1)
            yield self.snapshot()

    def history(self, kept: Sequence[int], stopped: Callable[[], bool]) -> History:
        """The run to its last step, with the states of the steps `kept` and the last one."""
        states = []
        for step in (*kept, self.spec.steps):
            self.advance(step - self.step, stopped)
            states.append(self.snapshot())
        score = self.evaluate()
        return History(
            losses=self.losses,
            accuracies=[share for share in self.accuracies() if share is not None],
            test_losses=self.test_log,
            states=states,
            predictions=self.predictions(),
            loss=score.loss,
            accuracy=score.accuracy,
        )

    def _sums(self) -> tuple[float, float]:
        """Loss and hits of what was looked at last."""
        even, odd, even_hits, odd_hits = self._instance.numbers(self.layout.loss_sum, 4)
        return even + odd, even_hits + odd_hits

    def _share(self, hits: float, count: int) -> float | None:
        return hits / count if self.shape.classifies else None

    def _batch_size(self, step: int) -> int:
        last = step % -(-self.shape.samples // self.shape.batch)
        return min(self.shape.batch, self.shape.samples - last * self.shape.batch)

    def accuracies(self) -> list[float | None]:
        """The share of right answers in the batch of each step so far."""
        return [self._share(hits, self._batch_size(k)) for k, hits in enumerate(self._hits)]

    def evaluate(self, which: str = "train") -> Score:
        """Loss and accuracy at the present parameters over a whole set, "train" or "test"."""
        layout, count = self.layout, len(self.training if which == "train" else self.test)
        if not count:
            raise ValueError("there is no test set")
        self._instance.call(
            "sweep",
            layout.records[which],
            layout.identity,
            layout.weights[which],
            layout.blocks_of(count),
            0,
        )
        if self.shape.penalty:
            self._instance.call("penalty")
        loss, hits = self._sums()
        return Score(loss, self._share(hits, count))

    def batch_of(self, step: int) -> list[int]:
        """The samples, by their place in the training set, that step `step` looks at."""
        spec = self.spec
        return batch_indices(self.shape.samples, spec.batch, step, spec.seed, spec.shuffle)

    def masks(self) -> list[array[float]]:
        """The masks of the block that was looked at last: for each hidden neuron its samples'."""
        row, neurons = self.layout.row // NUMBER, sum(self.shape.sizes[1:-1])
        flat = self._instance.numbers(self.layout.mask, row * neurons)
        return [flat[start : start + row] for start in range(0, len(flat), row)]

    def order(self) -> list[int]:
        """The samples as the kernel has them: in the order of the last epoch that was begun."""
        return array("I", self._instance.read(self.layout.list, 4 * self.shape.samples)).tolist()

    def predictions(self, which: str = "train") -> list[list[float]]:
        """The outputs for each sample of a set."""
        count = len(self.training if which == "train" else self.test)
        rows = self._activations(self.layout.records[which], count, last=True)
        return [list(outputs) for outputs in zip(*map(_numbers, rows), strict=True)]

    def grid(self, points: Sequence[Sequence[float]]) -> list[array[float]]:
        """The outputs at some points of the input space: for each output its numbers.

        The same tuple of points, given again, need not be taken in again.
        """
        return [_numbers(row) for row in self._at(points, last=True)]

    def maps(self, points: Sequence[Sequence[float]]) -> list[array[float]]:
        """Every neuron's activation at some points, layer by layer: for each its numbers."""
        return [_numbers(row) for row in self._at(points, last=False)]

    def shades(
        self, points: Sequence[Sequence[float]], limit: float = 1.0, last: bool = False
    ) -> list[bytes]:
        """Like `maps`, or `grid` if `last`, but a byte a point.

        128 stands for 0, 1 and 255 for −limit and limit and what is beyond; nan is 0. `limit` is
        above 0 and not tiny.
        """
        if not limit > LEAST_LIMIT:
            raise ValueError(f"the limit of shades must be above {LEAST_LIMIT}, not {limit}")
        self._instance.write_numbers(self.layout.shade, [127 / limit])
        return self._at(points, last, shades=True)

    def _at(
        self, points: Sequence[Sequence[float]], last: bool, shades: bool = False
    ) -> list[bytes]:
        if len(points) > POINTS:
            raise ValueError(f"at most {POINTS} points at a time, not {len(points)}")
        if points is not self._points:
            inputs, blank = self.shape.sizes[0], (0.0,) * self.shape.sizes[-1]
            if any(len(point) != inputs for point in points):
                raise ValueError(f"each point has {inputs} numbers")
            flat = [x for point in points for x in (*point, *blank)]
            self._instance.write_numbers(self.layout.records["points"], flat)
            self._points = points if isinstance(points, tuple) else None  # a list may change
        return self._activations(self.layout.records["points"], len(points), last, shades)

    def _activations(
        self, records: int, count: int, last: bool, shades: bool = False
    ) -> list[bytes]:
        """For each neuron, or each output if `last`, its activations on some records."""
        layout, sizes = self.layout, self.shape.sizes
        neurons = sizes[-1] if last else sum(sizes[1:])
        rows = layout.active[-1] if last else layout.active[1]
        name, size = ("shades", 1) if shades else ("activations", NUMBER)
        slots = 2 * layout.pairs
        most = layout.map_bytes // (neurons * size * slots) * slots
        found: list[list[bytes]] = [[] for _ in range(neurons)]
        for start in range(0, count, most):
            some = min(most, count - start)
            blocks = layout.blocks_of(some)
            stride = blocks * slots * size
            first = records + start * layout.record
            self._instance.call(name, first, blocks, rows, neurons * layout.row, layout.map, stride)
            for neuron, parts in enumerate(found):
                parts.append(self._instance.read(layout.map + neuron * stride, some * size))
        return [b"".join(parts) for parts in found]

    # -- elsewhere -------------------------------------------------------------------------

    @property
    def code(self) -> bytes:
        """The WebAssembly module, which runs as it is in any engine with SIMD."""
        return program(self.shape).code

    def memory(self) -> bytes:
        """The whole memory. A fresh instance of `code` with it goes on exactly from here."""
        return self._instance.read(0, self.layout.size)

    # -- the beginning ---------------------------------------------------------------------

    def _fill(self) -> None:
        """The memory at step 0."""
        layout, spec, instance = self.layout, self.spec, self._instance
        instance.write_numbers(layout.parameter, initial_parameters(spec))
        instance.call("spread")
        scalars = [start for _, start in OPTIMIZERS[spec.optimizer].scalars]
        instance.write_numbers(layout.SCALARS, scalars)
        instance.write_indices(layout.list, range(self.shape.samples))
        instance.write_indices(layout.identity, range(layout.count))
        for name, setting in layout.SETTINGS.items():
            instance.write_numbers(layout.setting[name], [float(getattr(spec, setting))])
        instance.write(layout.seed, spec.seed.to_bytes(8, "little"))
        if self.shape.dropout:
            instance.write_numbers(layout.kept, [1 / (1 - spec.dropout)])
            instance.write(layout.kept + NUMBER, threshold(spec.dropout).to_bytes(8, "little"))
        for which, samples in (("train", self.training), ("test", self.test)):
            instance.write_numbers(layout.records[which], _records(samples))
        for name, count in layout.counts.items():
            if count:
                instance.write_numbers(layout.weights[name], self._weights(count))

    def _weights(self, count: int) -> list[float]:
        """For each pair of slots, the weights of its losses and the seeds of its gradients.

        Without accumulation only the first sample's contribution stays.
        """
        weight = 1 / count if LOSSES[self.spec.loss].mean else 1.0
        slots = 2 * self.layout.pairs * self.layout.blocks_of(count)
        weights = [weight] * count + [0.0] * (slots - count)
        seeds = weights if self.spec.accumulate else [weight] + [0.0] * (slots - 1)
        return [
            number
            for slot in range(0, slots, 2)
            for number in (*weights[slot : slot + 2], *seeds[slot : slot + 2])
        ]


def _numbers(data: bytes) -> array[float]:
    return array("d", data)


def _records(samples: Samples) -> list[float]:
    """Inputs and targets of one sample after the other."""
    return [
        number
        for inputs, targets in zip(samples.inputs, samples.targets, strict=True)
        for number in (*inputs, *targets)
    ]
