"""Samples of a training run at a step, as a program for Explore.

The network with its parameters, the samples, their loss with penalties, and `backward()`: loss and
gradients equal those of the run for a batch of these samples, dropout included. The code of the
loss is generated from the table of losses by `engine.export.translation`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from engine.export.translation import written
from engine.numbers import counted
from engine.ops import Op
from engine.program import Limits, Program, ProgramError
from engine.python_text import one_line
from engine.trace.build import trace
from engine.training.dropout import masks_of
from engine.training.features import FEATURES, PLAIN
from engine.training.fields import SpecError
from engine.training.losses import LOSSES
from engine.training.samples import Samples, scales_of
from engine.training.settings import RunSettings

LABELS = """\
for i, layer in enumerate(layers):
    for j, neuron in enumerate(layer.neurons):
        neuron.b.label = f"l{i}.n{j}.b"
        for k, w in enumerate(neuron.w):
            w.label = f"l{i}.n{j}.w{k}"
"""
"""Labels for layers outside an MLP, identical to those that an MLP assigns."""


def sample_program(
    spec: RunSettings,
    step: int,
    parameters: Sequence[float],
    samples: Samples,
    chosen: Sequence[int],
    limits: Limits,
) -> str:
    """The program of the samples `chosen` after `step` updates.

    Raises SpecError if a parameter is not finite, or the program exceeds the limits.
    """
    check_finite(step, parameters)
    masks = masks_at(spec, step, chosen)
    network, loss = _network(spec, parameters, bool(masks)), _loss_of(spec)
    forward = _forward(spec, samples, chosen, masks)
    head = title(spec, step, chosen)
    parts = [
        head,
        *unlike(spec),
        *network,
        "",
        *features_of(spec),
        loss,
        *penalty(spec),
        "",
        *forward,
        "L.backward()",
    ]
    text = "\n".join(parts) + "\n"
    fewer = "choose fewer samples, or " if len(chosen) > 1 else ""
    check(text, limits, f"{fewer}take a smaller network.")
    return text


def title(spec: RunSettings, step: int, chosen: Sequence[int]) -> str:
    """The comment at the head of a program: data, network, step and samples."""
    sizes = " → ".join(map(str, spec.layers))
    who = f"# {spec.data}, {sizes}, after {counted(step, 'update')}: {_who(chosen)}"
    is_masked = masks_at(spec, step, chosen)
    return who + (f", with the masks of dropout {spec.dropout!r}" if is_masked else "")


def unlike(spec: RunSettings) -> Iterator[str]:
    """Comments on the deliberate mistakes of the run, which the program does not make."""
    if not spec.accumulate:
        yield "# unlike in the run, contributions to a gradient add up here"
    if not spec.zero_grad:
        yield "# unlike in the run, gradients begin at 0 here"


def check_finite(step: int, parameters: Sequence[float]) -> None:
    """Raise SpecError unless all parameters are finite."""
    if not all(map(math.isfinite, parameters)):
        message = f"After {step:,} updates some parameters are not finite; go back some steps."
        raise SpecError("step", str(step), message)


def _who(chosen: Sequence[int]) -> str:
    """The samples, counted from 1, in words."""
    *some, last = (str(i + 1) for i in chosen)
    return f"samples {', '.join(some)} and {last}" if some else f"sample {last}"


def masks_at(spec: RunSettings, step: int, chosen: Sequence[int]) -> list[list[list[float]]]:
    """The masks of each sample at a step, all 1 for test samples; [] without dropout."""
    trained = spec.train_samples
    if not spec.dropout or len(spec.layers) < 3 or min(chosen) >= trained:
        return []
    ones = [[1.0] * size for size in spec.layers[1:-1]]
    return [masks_of(spec, step, i) if i < trained else ones for i in chosen]


# The network


def _network(spec: RunSettings, parameters: Sequence[float], masked: bool) -> Iterator[str]:
    """The network with its parameters: an MLP, or single layers if an MLP cannot express it."""
    rest = iter(parameters)
    rows = [
        ", ".join(repr(x) for x in islice(rest, (nin + 1) * nout))
        for nin, nout in pairwise(spec.layers)
    ]
    if masked or _is_mixed(spec):
        yield from _layers(spec, rows)
        yield (_masked_net if masked else _net)(spec)
        return
    first, last = spec.activations[0], spec.activations[-1]
    yield f"net = MLP({spec.layers[0]}, {list(spec.layers[1:])}, parameters=["
    yield from (f"    {row}," for row in rows)
    yield f'], activation="{first}", output_activation="{last}")'


def _is_mixed(spec: RunSettings) -> bool:
    """Whether the activations of hidden layers differ, which an MLP does not support."""
    return len(set(spec.activations[:-1])) > 1


def _layers(spec: RunSettings, rows: Sequence[str]) -> Iterator[str]:
    yield "layers = ["
    layers = zip(pairwise(spec.layers), spec.activations, rows, strict=True)
    for (nin, nout), name, row in layers:
        yield f'    Layer({nin}, {nout}, parameters=[{row}], activation="{name}"),'
    yield "]"
    yield LABELS


def _net(spec: RunSettings) -> str:
    called = "x"
    for i in range(len(spec.activations)):
        called = f"layers[{i}]({called})"
    return f"def net(x):\n    return {called}\n"


def _masked_net(spec: RunSettings) -> str:
    """The network with its hidden activations multiplied by their masks."""
    lines = [
        "def dropped(ys, mask):",
        "    return [y * factor for y, factor in zip(ys, mask)]\n",
        "def net(x, masks):",
    ]
    for i, size in enumerate(spec.layers[1:-1]):
        outputs = f"layers[{i}](x)" if size > 1 else f"[layers[{i}](x)]"
        lines.append(f"    x = dropped({outputs}, masks[{i}])")
    return "\n".join([*lines, f"    return layers[{len(spec.layers) - 2}](x)\n"])


# The loss


def _loss_of(spec: RunSettings) -> str:
    """The loss of one sample as a function of output and target, lists if there are several."""
    found = written(LOSSES[spec.loss], spec.outputs, _call, plain_targets=False)
    lines = [f"{name} = {code}" for name, code in found.first] + [f"return {found.result}"]
    if spec.outputs == 1:
        lines = [line.replace("o[0]", "o").replace("t[0]", "t") for line in lines]
    return "\n".join(["def loss_of(o, t):", *(f"    {line}" for line in lines)])


def _call(op: Op, args: list[ast.expr], plain: list[bool]) -> ast.expr:
    return ast.Call(ast.Name(op.name, ast.Load()), args, [])


def _forward(
    spec: RunSettings,
    samples: Samples,
    chosen: Sequence[int],
    masks: Sequence[Sequence[Sequence[float]]],
) -> Iterator[str]:
    """The samples, and their loss as L."""
    xs = [list(samples.inputs[i]) for i in chosen]
    targets = [samples.targets[i] for i in chosen]
    ys = [list(t) if spec.outputs > 1 else t[0] for t in targets]
    name = "data_loss" if _has_penalty(spec) else "L"
    x = "seen(*x)" if spec.features else "x"
    if len(chosen) == 1:
        yield from notes(spec)
        yield f"x = {xs[0]}\ny = {ys[0]}"
        yield from [f"masks = {masks[0]}"] if masks else []
        yield f"{name} = loss_of(net({x}{', masks' if masks else ''}), y)"
    else:
        mean = f" / {len(chosen)}" if LOSSES[spec.loss].mean else ""
        yield from notes(spec)
        yield f"xs = {xs}\nys = {ys}"
        yield from [f"masks = {masks}"] if masks else []
        one = f"loss_of(net({x}, m), y) for x, y, m in zip(xs, ys, masks)"
        plain = f"loss_of(net({x}), y) for x, y in zip(xs, ys)"
        yield f"{name} = sum({one if masks else plain}){mean}"
    if _has_penalty(spec):
        layers = "layers" if masks or _is_mixed(spec) else "net.layers"
        yield f"L = {name} + penalty({layers})"


def notes(spec: RunSettings) -> Iterator[str]:
    """Comments on the numbers of a sample: how its inputs are scaled, and the names of classes."""
    if scales := scales_of(spec):
        shifts, widths = zip(*scales, strict=True)
        yield f"# x: (input - shift) / scale, shifts {list(shifts)}, scales {list(widths)}"
    if spec.class_words:
        yield f"# {one_line(spec.class_words)}"


def features_of(spec: RunSettings) -> list[str]:
    """The function of two inputs that gives the features of a sample, for a network of features."""
    if not spec.features:
        return []
    formulas = ", ".join(FEATURES[name].formula for name in spec.features)
    return [f"def seen({', '.join(PLAIN)}):\n    return [{formulas}]\n"]


def _has_penalty(spec: RunSettings) -> bool:
    return bool(spec.l1 or spec.l2)


def penalty(spec: RunSettings) -> list[str]:
    """The penalty by neuron, so that the graph of each neuron's share is a box."""
    terms = [f"{spec.l1!r} * sum(abs(p) for p in parameters)"] if spec.l1 else []
    terms += [f"{spec.l2!r} * sum(p * p for p in parameters)"] if spec.l2 else []
    if not terms:
        return []
    each = "penalty_of(neuron.parameters()) for layer in layers for neuron in layer.neurons"
    return [
        f"\ndef penalty_of(parameters):\n    return {' + '.join(terms)}",
        f"\ndef penalty(layers):\n    return sum({each})",
    ]


# Limits


def check(text: str, limits: Limits, advice: str) -> None:
    """Raise SpecError, with advice, unless Explore traces the program within its limits."""
    reason = ""
    try:
        found = trace(Program(text, limits))
        if not found.nodes:
            reason = f"The graph has more than {limits.values:,} Values."
    except ProgramError as error:
        reason = error.message
    if reason:
        message = f"This is too large for Explore. {reason} To see it, {advice}"
        raise SpecError("sample", "", message)
