"""Export of a training run for micrograd, with the operations that its Value lacks.

With accumulate=False all operations are redefined, with `=` instead of `+=`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.formula_code import operations_in, translate
from engine.nn import LINEAR
from engine.ops import OPS, Op
from engine.training.losses import LOSSES
from engine.training.segments import segments
from engine.training.spec import TrainSpec

from .micrograd_operations import KNOWN, LACKING, method
from .mid_run import ever, passed, rate
from .script import (
    Language,
    batches,
    changed,
    data,
    features,
    indented,
    is_whole,
    loss_function,
    masks,
    parameters,
    penalties,
    program,
    settings,
    title,
    updates,
    zeroing,
)
from .translation import micrograd_call, written

COMPOSED = ("-", "/", "neg")
"""Those composed of others, without a backward pass of their own."""
ROOM = 900
"""The greatest depth of a graph that fits Python's default recursion limit."""

OVERWRITING = """\
# The mistake: `=` instead of `+=`, so that only one contribution to a gradient remains. Which one
# depends on the order of the arguments, which the graph therefore records."""
BACKWARD = """\
def _backward(self):
    order, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for arg in getattr(value, "_args", ()):
                visit(arg)
            order.append(value)

    visit(self)
    self.grad = 1.0
    for value in reversed(order):
        value._backward()"""
NETWORK = """\
network = [[[Value(p) for p in neuron] for neuron in layer] for layer in initial]
parameters = [p for layer in network for neuron in layer for p in neuron]"""
FORWARD = """\
def forward(x):
    for layer, activation in zip(network, activations):
        sums = []
        for *weights, bias in layer:
            act = bias
            for w, xi in zip(weights, x):
                act = act + w * xi
            sums.append(act)
        x = [activation(act) for act in sums] if activation else sums
    return x"""
FORWARD_WITH_MASKS = """\
def forward(x, masks):
    for layer, activation, mask in zip(network, activations, [*masks, None]):
        sums = []
        for *weights, bias in layer:
            act = bias
            for w, xi in zip(weights, x):
                act = act + w * xi
            sums.append(act)
        x = [activation(act) for act in sums] if activation else sums
        if mask:
            x = [y * factor for y, factor in zip(x, mask)]
    return x"""


def to_micrograd(spec: TrainSpec) -> str:
    """The program of a run for micrograd, which raises where Python's floats overflow."""
    loss = written(LOSSES[spec.loss], spec.outputs, micrograd_call, plain_targets=True)
    code = _operations(spec, loss.operations)
    language = Language("parameters", "p.data", "p.grad", "0.0", "p.data = {}", tensors=False)
    ahead, step, switch = updates(spec, language)
    applied = ["None" if name == LINEAR else f"Value.{name}" for name in spec.activations]
    blocks = [
        *code,
        data(spec),
        *features(spec),
        parameters(spec),
        f"{NETWORK}\nactivations = [{', '.join(applied)}]  # per layer",
        FORWARD_WITH_MASKS if ever(spec, "dropout") else FORWARD,
        loss_function(loss, "The loss of one sample with outputs o and targets t."),
        *batches(spec),
        "\n".join([*_deep(spec), *settings(spec), *ahead]),
        _training(spec, changed(spec, switch), step),
    ]
    text = "\n".join(blocks)
    imports = [f"import {name}" for name in ("math", "sys") if f"{name}." in text]
    first = [*imports, ""] if imports else []
    head = "\n".join([*first, "from micrograd.engine import Value"])
    return program(title(spec, "Needs micrograd."), head, *blocks)


def _operations(spec: TrainSpec, of_loss: Sequence[Op]) -> list[str]:
    """The operations that the program must define, with the functions that they call."""
    names = [op.name for op in of_loss]
    names += [name for name in spec.activations if name != LINEAR]
    names += ["abs"] if ever(spec, "l1") else []
    known = KNOWN if spec.accumulate else COMPOSED
    names = names if spec.accumulate else ["+", "*", *names]
    missing = [OPS[name] for name in dict.fromkeys(names) if name not in known]
    if not missing:
        return []
    texts = [text for op in missing for text in (op.formula, *op.partials)]
    functions = [
        f"def {op.name}({', '.join(op.params)}):\n    return {translate(op.formula)}"
        for op in operations_in(texts)
    ]
    methods = [block for op in missing for block in method(op, spec.accumulate)]
    if spec.accumulate:
        return [LACKING, *functions, *methods]
    return [OVERWRITING, *functions, *methods, BACKWARD, "Value.backward = _backward"]


PENALTIES = {"l1": "sum(abs(p) for p in parameters)", "l2": "sum(p * p for p in parameters)"}


def _training(spec: TrainSpec, changes: list[str], step: list[str]) -> str:
    body = [
        *changes,
        *_loss(spec),
        *penalties(spec, PENALTIES),
        *zeroing(spec, ["for p in parameters:", "    p.grad = 0.0"]),
        "loss.backward()",
        "print(repr(loss.data))",
        *passed(spec),
        f"rate = {rate(spec)}",
        *step,
    ]
    return "\n".join(["for step in range(steps):", *indented(body)])


def _loss(spec: TrainSpec) -> list[str]:
    whole, mean = is_whole(spec), LOSSES[spec.loss].mean
    if ever(spec, "dropout"):
        seen = ["for i, (x, t) in enumerate(samples):"]
        if not whole:
            seen = ["for i in batch_of(step):", "    x, t = samples[i]"]
        add = f"losses.append(loss_of(forward(x, {masks(spec, 'i')}), t))"
        return [
            "losses = []",
            *seen,
            *indented([add]),
            f"loss = sum(losses){_over('losses', mean)}",
        ]
    name = "samples" if whole else "batch"
    batch = [] if whole else ["batch = [samples[i] for i in batch_of(step)]"]
    return [*batch, f"loss = sum(loss_of(forward(x), t) for x, t in {name}){_over(name, mean)}"]


def _over(name: str, mean: bool) -> str:
    return f" / len({name})" if mean else ""


def _deep(spec: TrainSpec) -> list[str]:
    """Raise the recursion limit if the longest path of the graph exceeds it."""
    penalty = spec.parameter_count if ever(spec, "l1") or ever(spec, "l2") else 0
    most = max(segment.settings.batch_size for segment in segments(spec))
    depth = most + penalty + 3 * sum(spec.layers) + len(spec.layers) + 20 * spec.outputs
    if depth < ROOM:
        return []
    return [f"sys.setrecursionlimit({2 * depth + 1000!r})  # for the backward pass"]
