"""Gradients that vanish or explode from layer to layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.numbers import short
from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import OperationFrame

_FEW = 4
_VANISHED, _EXPLODED = 1e-5, 1e4
_LARGE = 1e4
"""Root mean square of a gradient that leads training away at any usual rate."""


class LayerGradient(NamedTuple):
    """The root mean square of the gradient of a weight matrix in a pass."""

    leaf: str
    size: float
    operation: OperationFrame


def layer_gradients(flow: TensorFlow) -> list[LayerGradient]:
    """Of the first pass, in the order of the forward pass: weights of at least two axes."""
    record = flow.record
    if not record.passes:
        return []
    found: dict[str, float] = {}
    for run in record.node_runs:
        figures = run.incoming[0] if run.incoming else None
        if not run.leaf or run.number != 1 or figures is None or len(figures.shape) < 2:
            continue
        if figures.norm is not None:
            found[run.leaf] = figures.norm / max(figures.size, 1) ** 0.5
    first: dict[str, OperationFrame] = {}
    for op in flow.operations:
        for state in op.inputs:
            if state.tensor in found and not op.leaf:
                first.setdefault(state.tensor, op)
    return [LayerGradient(leaf, found[leaf], op) for leaf, op in first.items()]


def vanishing(flow: TensorFlow) -> Iterator[RunAnswer]:
    """The first layers' gradients are much smaller, or larger, than those of the last."""
    layers = layer_gradients(flow)
    sizes = [layer.size for layer in layers]
    if not layers or not all(size > 0 and size < float("inf") for size in sizes):
        return
    first, last = layers[0], layers[-1]
    name = flow.record.name
    path = f"{name(first.leaf)} {short(first.size)}, {name(last.leaf)} {short(last.size)}"
    ratio = first.size / last.size
    if len(layers) >= _FEW and ratio < _VANISHED:
        yield RunAnswer(
            "vanishing",
            f"Gradients vanish on their way back through {len(layers)} layers: root mean squares "
            "of "
            f"{path}; per layer a factor of {short(ratio ** (1 / (len(layers) - 1)))}.",
            "Skip connections, normalisation, relu or gelu for sigmoid and tanh, or weights of "
            "larger "
            "variance (`nn.init.xavier_normal_`).",
            first.operation.place,
        )
    elif (len(layers) >= _FEW and ratio > _EXPLODED) or max(sizes) > _LARGE:
        largest = max(layers, key=lambda layer: layer.size)
        most = f"; the largest is {name(largest.leaf)} with {short(largest.size)}"
        yield RunAnswer(
            "exploding",
            f"Gradients explode: root mean squares of {path}"
            f"{most if largest not in (first, last) else ''}.",
            "Weights of smaller variance, normalisation, a smaller scale of the data, or "
            "`torch.nn.utils.clip_grad_norm_`.",
            largest.operation.place,
        )
