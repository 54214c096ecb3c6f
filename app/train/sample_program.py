"""Some samples of a training run at some step, as a program of the language that Explore runs.

The network with its true parameters, the samples, their loss with the penalties, and `backward()`:
loss and gradients are those that the run has for a batch of just these samples. What the loss is
made of comes from the table of losses, as `engine.export.translation` writes it down.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from engine.export.translation import written
from engine.language.program import Limits, Program, ProgramError
from engine.numbers import counted
from engine.ops import Op
from engine.trace.build import trace
from engine.training.fields import SpecError
from engine.training.losses import LOSSES
from engine.training.samples import Samples
from engine.training.spec import TrainSpec

LABELS = """\
for i, layer in enumerate(layers):
    for j, neuron in enumerate(layer.neurons):
        neuron.b.label = f"l{i}.n{j}.b"
        for k, w in enumerate(neuron.w):
            w.label = f"l{i}.n{j}.w{k}"
"""
"""Layers that are no MLP do not know their number; with an MLP the labels are these as they are."""


def sample_program(
    spec: TrainSpec,
    step: int,
    parameters: Sequence[float],
    samples: Samples,
    chosen: Sequence[int],
    limits: Limits,
) -> str:
    """The program of the samples `chosen` after `step` updates.

    Raises SpecError where the language has no room for it.
    """
    if not all(map(math.isfinite, parameters)):
        message = f"After {step:,} updates some parameters are not finite; go back some steps."
        raise SpecError("step", str(step), message)
    sizes = " → ".join(map(str, spec.layers))
    title = f"# {spec.data}, {sizes}, after {counted(step, 'update')}: {_who(chosen)}"
    network, loss = _network(spec, parameters), _loss_of(spec)
    parts = [title, *network, "", loss, "", *_forward(spec, samples, chosen), "L.backward()"]
    text = "\n".join(parts) + "\n"
    _check(text, limits, len(chosen))
    return text


def _who(chosen: Sequence[int]) -> str:
    """The samples as people count them, from 1."""
    *some, last = (str(i + 1) for i in chosen)
    return f"samples {', '.join(some)} and {last}" if some else f"sample {last}"


# The network


def _network(spec: TrainSpec, parameters: Sequence[float]) -> Iterator[str]:
    """The network with its parameters: an MLP, or layers where the hidden ones are not alike."""
    rest = iter(parameters)
    rows = [
        ", ".join(repr(x) for x in islice(rest, (nin + 1) * nout))
        for nin, nout in pairwise(spec.layers)
    ]
    if _is_mixed(spec):
        yield from _layers(spec, rows)
        if _penalties(spec):
            yield "parameters = [p for layer in layers for p in layer.parameters()]"
        return
    first, last = spec.activations[0], spec.activations[-1]
    yield f"net = MLP({spec.inputs}, {list(spec.layers[1:])}, parameters=["
    yield from (f"    {row}," for row in rows)
    yield f'], activation="{first}", output_activation="{last}")'
    if _penalties(spec):
        yield "parameters = net.parameters()"


def _is_mixed(spec: TrainSpec) -> bool:
    """Whether the hidden layers have several activations, which an MLP has not."""
    return len(set(spec.activations[:-1])) > 1


def _layers(spec: TrainSpec, rows: Sequence[str]) -> Iterator[str]:
    yield "layers = ["
    layers = zip(pairwise(spec.layers), spec.activations, rows, strict=True)
    for (nin, nout), name, row in layers:
        yield f'    Layer({nin}, {nout}, parameters=[{row}], activation="{name}"),'
    yield "]"
    yield LABELS
    called = "x"
    for i in range(len(spec.activations)):
        called = f"layers[{i}]({called})"
    yield f"def net(x):\n    return {called}\n"


# The loss


def _loss_of(spec: TrainSpec) -> str:
    """The loss of one sample as a function of its output and target, lists if there are more."""
    found = written(LOSSES[spec.loss], spec.outputs, _call, plain_targets=False)
    lines = [f"{name} = {code}" for name, code in found.first] + [f"return {found.result}"]
    if spec.outputs == 1:
        lines = [line.replace("o[0]", "o").replace("t[0]", "t") for line in lines]
    return "\n".join(["def loss_of(o, t):", *(f"    {line}" for line in lines)])


def _call(op: Op, args: list[ast.expr], plain: list[bool]) -> ast.expr:
    return ast.Call(ast.Name(op.name, ast.Load()), args, [])


def _forward(spec: TrainSpec, samples: Samples, chosen: Sequence[int]) -> Iterator[str]:
    """The samples, and their loss as L."""
    xs = [list(samples.inputs[i]) for i in chosen]
    targets = [samples.targets[i] for i in chosen]
    ys = [list(t) if spec.outputs > 1 else t[0] for t in targets]
    penalties = _penalties(spec)
    name = "data_loss" if penalties else "L"
    if len(chosen) == 1:
        yield f"x = {xs[0]}\ny = {ys[0]}"
        yield f"{name} = loss_of(net(x), y)"
    else:
        mean = f" / {len(chosen)}" if LOSSES[spec.loss].mean else ""
        yield f"xs = {xs}\nys = {ys}"
        yield f"{name} = sum(loss_of(net(x), y) for x, y in zip(xs, ys)){mean}"
    if penalties:
        yield f"L = {' + '.join([name, *penalties])}"


def _penalties(spec: TrainSpec) -> list[str]:
    found = [f"{spec.l1!r} * sum(abs(p) for p in parameters)"] if spec.l1 else []
    return found + ([f"{spec.l2!r} * sum(p * p for p in parameters)"] if spec.l2 else [])


# The room that the language has


def _check(text: str, limits: Limits, count: int) -> None:
    try:
        trace(Program(text, limits))
    except ProgramError as error:
        fewer = "choose fewer samples, or " if count > 1 else ""
        advice = f"{fewer}take a smaller network."
        message = f"Explore has no room for this. {error.message} To see it, {advice}"
        raise SpecError("sample", "", message) from error
