"""Training a network, in plain sight: forward, loss, backward, update, over scalar Values.

`textbook(spec)` is the loop that one would write on a blackboard and the reference for every faster
path; `train(spec)` takes the fastest one there is and yields the same Snapshots.

`python -m engine.training SPEC.json` (or `-`) prints a whole run as JSON.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .datasets import Samples, load
from .initial import initial_parameters
from .losses import LOSSES, total
from .nn import MLP
from .numbers import to_json
from .optim import OPTIMIZERS, SCHEDULES, Updater, rate_of
from .shuffling import batch_indices
from .spec import SpecError, TrainLimits, TrainSpec, check_limits
from .value import Constant, Value

if TYPE_CHECKING:
    from .kernel import Run


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a run after `step` updates.

    `loss` and `accuracy` are those of the batch that the next update looks at, penalties included;
    `gradient` and `learning_rate` are what it uses. `accuracy` is None where there are no classes,
    `test_loss` and `test_accuracy` where there is no test set. The order of `parameters` is that
    of `MLP.parameters()`.
    """

    step: int
    parameters: Sequence[float]
    gradient: Sequence[float]
    loss: float
    accuracy: float | None
    test_loss: float | None
    test_accuracy: float | None
    learning_rate: float


def textbook(spec: TrainSpec) -> Iterator[Snapshot]:
    """The states 0, 1, …, `steps` of a run. Numbers may become nan or infinite; nothing raises."""
    training, test = load(spec)
    net = network(spec, initial_parameters(spec))
    parameters = net.parameters()
    optimizer = Updater(
        OPTIMIZERS[spec.optimizer], len(parameters), spec.momentum, spec.weight_decay
    )
    rate_at = rate_of(SCHEDULES[spec.schedule])
    for step in range(spec.steps + 1):
        batch = batch_indices(len(training), spec.batch, step, spec.seed, spec.shuffle)
        # forward
        outputs = [answer(net, training.inputs[i]) for i in batch]
        targets = [training.targets[i] for i in batch]
        loss = loss_of(spec, outputs, targets, parameters)
        # backward
        if spec.zero_grad:
            net.zero_grad()
        if spec.accumulate:
            loss.backward()
        else:
            overwrite(loss)
        gradient = [p.grad for p in parameters]
        rate = rate_at(spec.learning_rate, spec.schedule_end, step, spec.steps)
        yield Snapshot(
            step,
            [p.data for p in parameters],
            gradient,
            loss.data,
            accuracy_of(spec, outputs, targets),
            *evaluate(spec, net, test)[:2],
            learning_rate=rate,
        )
        # update
        updated = optimizer.step([p.data for p in parameters], gradient, rate)
        for p, x in zip(parameters, updated, strict=True):
            p.data = x


def network(spec: TrainSpec, parameters: Sequence[float]) -> MLP:
    """The network that a spec describes, with these parameters."""
    net = MLP(spec.layers[0], spec.layers[1:], rng=random.Random(0))
    for layer, activation in zip(net.layers, spec.activations, strict=True):
        for neuron in layer.neurons:
            neuron.activation = activation
    for p, x in zip(net.parameters(), parameters, strict=True):
        p.data = x
    return net


def answer(net: MLP, x: Sequence[float]) -> list[Value]:
    """What the network says to one sample: a Value for each output."""
    out = net(x)
    return out if isinstance(out, list) else [out]


def loss_of(
    spec: TrainSpec,
    outputs: Sequence[Sequence[Value]],
    targets: Sequence[Sequence[float]],
    parameters: Sequence[Value],
) -> Value:
    """The loss of a batch: the sum or mean over its samples, + l1·Σ|p| + l2·Σp²."""
    entry = LOSSES[spec.loss]
    loss = total(
        entry.sample(o, [Constant(x) for x in t]) for o, t in zip(outputs, targets, strict=True)
    )
    if entry.mean:
        loss = loss * (1 / len(outputs))
    if spec.l1:
        loss = loss + spec.l1 * total(abs(p) for p in parameters)
    if spec.l2:
        loss = loss + spec.l2 * total(p * p for p in parameters)
    return loss


def overwrite(output: Value) -> None:
    """A backward pass with a well-known mistake: `grad = contribution` where `+=` belongs.

    A Value that is used several times keeps the contribution that comes last. The sweep goes
    backwards through `args_first`, so a parameter keeps that of the first sample of the batch, and
    a hidden neuron that of the first neuron it goes into.
    """
    output.grad = 1.0
    for value in reversed(args_first(output)):
        if value.op is not None:
            numbers = [arg.data for arg in value.args]
            for arg, derive in zip(value.args, value.op.derive, strict=True):
                arg.grad = value.grad * derive(value.data, *numbers)


def args_first(output: Value) -> list[Value]:
    """What `output` depends on, itself last, in the order of a walk that enters args in turn."""
    order: list[Value] = []
    seen = {output}
    path = [(output, iter(output.args))]
    while path:
        value, rest = path[-1]
        arg = next((arg for arg in rest if arg not in seen), None)
        if arg is None:
            order.append(value)
            path.pop()
        else:
            seen.add(arg)
            path.append((arg, iter(arg.args)))
    return order


def accuracy_of(
    spec: TrainSpec, outputs: Sequence[Sequence[Value]], targets: Sequence[Sequence[float]]
) -> float | None:
    """The share of right answers; None where there are no classes.

    One output answers by its sign, several by which is largest (the first of equal ones).
    """
    if not spec.classifies:
        return None
    right = sum(
        chosen([value.data for value in o]) == chosen(t)
        for o, t in zip(outputs, targets, strict=True)
    )
    return right / len(outputs)


def chosen(outputs: Sequence[float]) -> int:
    """The class that outputs, or targets, stand for."""
    if len(outputs) == 1:
        return int(outputs[0] > 0)
    return max(range(len(outputs)), key=outputs.__getitem__)


def evaluate(
    spec: TrainSpec, net: MLP, samples: Samples
) -> tuple[float | None, float | None, list[list[float]]]:
    """Loss with penalties, accuracy and outputs over a set; None, None and [] for an empty one."""
    if not len(samples):
        return None, None, []
    outputs = [answer(net, x) for x in samples.inputs]
    loss = loss_of(spec, outputs, samples.targets, net.parameters())
    accuracy = accuracy_of(spec, outputs, samples.targets)
    return loss.data, accuracy, [[value.data for value in o] for o in outputs]


def train(spec: TrainSpec) -> Iterator[Snapshot]:
    """The states 0, 1, …, `steps` of a run, by the fastest path there is."""
    run = compiled(spec)
    return textbook(spec) if run is None else run.snapshots()


def compiled(spec: TrainSpec) -> Run | None:
    """The run in WebAssembly; None where wasmtime is not installed."""
    try:
        from .kernel import Run
    except ImportError:
        return None
    return Run(spec)


@dataclass(frozen=True, slots=True)
class History:
    """A whole run: what every step saw, and some of its states in full, the last one among them.

    The lists hold a number for each step before the last state; `accuracies` and `test_losses` are
    empty where there are no classes or no test set. `predictions` are the last state's outputs for
    each sample of the training set, over which `loss` and `accuracy` are taken.
    """

    losses: Sequence[float]
    accuracies: Sequence[float]
    test_losses: Sequence[float]
    states: Sequence[Snapshot]
    predictions: Sequence[Sequence[float]]
    loss: float
    accuracy: float | None


STATES = 41
"""About how many states of a history are kept, spread evenly over the run."""


def history(spec: TrainSpec, stopped: Callable[[], bool] = lambda: False) -> History:
    """A run from its first step to its last, by the fastest path there is.

    The fast path asks `stopped` now and then, and raises `kernel.Stopped` if it says yes.
    """
    kept = range(0, spec.steps, -(-spec.steps // (STATES - 1)))
    run = compiled(spec)
    if run is not None:
        return run.history(kept, stopped)
    states, losses, accuracies, test_losses = [], [], [], []
    for state in textbook(spec):
        if state.step in kept or state.step == spec.steps:
            states.append(state)
        if state.step < spec.steps:
            losses.append(state.loss)
            accuracies += [] if state.accuracy is None else [state.accuracy]
            test_losses += [] if state.test_loss is None else [state.test_loss]
    net = network(spec, states[-1].parameters)
    loss, accuracy, predictions = evaluate(spec, net, load(spec)[0])
    assert loss is not None, "a training set is never empty"
    return History(losses, accuracies, test_losses, states, predictions, loss, accuracy)


def run(
    spec: TrainSpec,
    limits: TrainLimits | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """A whole run as plain data for JSON; raises SpecError if it is larger than the limits.

    `losses`, `accuracies` and `test_losses` are those before each step; `predictions` are the
    outputs for each sample of the training set at the end.
    """
    from .doctor import diagnose  # which looks at Snapshots, so it stands behind this module

    check_limits(spec, limits or TrainLimits())
    found = history(spec, stopped)
    last = found.states[-1]
    return {
        "spec": spec.to_json(),
        "parameter_count": spec.parameter_count,
        "losses": [to_json(x) for x in found.losses],
        "accuracies": list(found.accuracies),
        "test_losses": [to_json(x) for x in found.test_losses],
        "parameters": [to_json(x) for x in last.parameters],
        "predictions": [[to_json(x) for x in outputs] for outputs in found.predictions],
        "final": {
            "loss": to_json(found.loss),
            "accuracy": found.accuracy,
            "test_loss": _plain(last.test_loss),
            "test_accuracy": last.test_accuracy,
        },
        "doctor": [verdict.to_json() for verdict in diagnose(found.states, spec, found.losses)],
    }


def _plain(x: float | None) -> float | str | None:
    return None if x is None else to_json(x)


def main(arguments: list[str]) -> int:
    """The command line; the exit status is 0, or 2 for a spec that is refused."""
    if len(arguments) != 1:
        print(
            "usage: python -m engine.training SPEC.json   (- for standard input)", file=sys.stderr
        )
        return 2
    name = arguments[0]
    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        print(json.dumps(run(TrainSpec.from_text(text)), allow_nan=False))
    except SpecError as error:
        print(f"{name}: {error.message}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"{name}: cannot be read: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
