"""Export of a training run for PyTorch: a `torch.nn.Module`, a batched loss, an optimizer.

Operations and optimizers that PyTorch provides are called by name. Other operations become a
`torch.autograd.Function` with their formula and partials; other optimizers are written out.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise

from engine import parser_lock
from engine.formula_code import (
    is_of_torch,
    operations_in,
    torch_call,
    torch_function,
    translate,
)
from engine.nn import LINEAR
from engine.ops import OPS, Op
from engine.training.losses import LOSSES
from engine.training.optim import SCHEDULES
from engine.training.segments import Segment, segments
from engine.training.settings import RunSettings

from .mid_run import Switch, ever, passed, rate, values
from .script import (
    ExportError,
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
from .translation import written

OPTIMIZERS = {
    "sgd": "SGD(model.parameters(), lr=learning_rate)",
    "momentum": "SGD(model.parameters(), lr=learning_rate, momentum=momentum)",
    "nesterov": "SGD(model.parameters(), lr=learning_rate, momentum=momentum, nesterov=True)",
    "rmsprop": "RMSprop(model.parameters(), lr=learning_rate)",
    "adam": "Adam(model.parameters(), lr=learning_rate)",
    "adamw": "AdamW(model.parameters(), lr=learning_rate, weight_decay=weight_decay)",
}
"""Optimizers of torch.optim; others are written out from their rules."""

TENSORS = """\
inputs = torch.tensor([x for x, _ in samples])
targets = torch.tensor([t for _, t in samples])"""
MODEL = """\
model = Network()
with torch.no_grad():
    for layer, rows in zip(model.children(), initial):
        layer.weight.copy_(torch.tensor(rows)[:, :-1])
        layer.bias.copy_(torch.tensor(rows)[:, -1])"""


def to_pytorch(spec: RunSettings) -> str:
    """The program of a run for PyTorch. Raises ExportError for accumulate=False."""
    if not spec.accumulate:
        raise ExportError(
            "PyTorch always accumulates contributions to a gradient, so a run with accumulate"
            " false cannot be exported; export it for micrograd, or set accumulate to true."
        )
    loss = written(LOSSES[spec.loss], spec.outputs, _call, plain_targets=False)
    ahead, training = _training(spec)
    blocks = [
        *_functions(spec, loss.operations),
        data(spec),
        *features(spec),
        TENSORS,
        parameters(spec),
        _network(spec),
        MODEL,
        loss_function(loss, "The samples' losses; o and t hold outputs and targets by column."),
        *batches(spec),
        "\n".join([*settings(spec), *ahead]),
        training,
    ]
    text = "\n".join(blocks)
    imports = ["import math", ""] if "math." in text else []
    imports += ["import torch", "from torch import nn"]
    imports += ["from torch.nn import functional"] if "functional." in text else []
    head = "\n".join([*imports, "", "torch.set_default_dtype(torch.float64)"])
    return program(title(spec, "Needs PyTorch."), head, *blocks)


def _call(op: Op, args: list[ast.expr], plain: list[bool]) -> ast.expr:
    return torch_call(op.name, args, plain)


def _functions(spec: RunSettings, of_loss: Sequence[Op]) -> list[str]:
    used = [*of_loss, *(OPS[name] for name in spec.activations if name != LINEAR)]
    texts = [text for op in used if not is_of_torch(op) for text in (op.formula, *op.partials)]
    missing = [op for op in (*operations_in(texts), *used) if not is_of_torch(op)]
    return [function(op) for op in {op.name: op for op in missing}.values()]


def function(op: Op) -> str:
    """An operation that PyTorch lacks, as an autograd function."""
    names = ", ".join(op.params)
    given = [translate(f"g * ({text})", {}, ("y", "g", *op.params)) for text in op.partials]
    return f"""\
class {torch_function(op.name)}(torch.autograd.Function):
    @staticmethod
    def forward(ctx, {names}):
        y = {translate(op.formula, {}, op.params)}
        ctx.save_for_backward(y, {names})
        return y

    @staticmethod
    def backward(ctx, g):
        y, {names} = ctx.saved_tensors
        return {", ".join(given)}"""


def _network(spec: RunSettings) -> str:
    made, applied = [], []
    drops = ever(spec, "dropout")
    arguments = "x, masks" if drops else "x"
    for i, ((nin, nout), name) in enumerate(
        zip(pairwise(spec.layers), spec.activations, strict=True), 1
    ):
        made.append(f"self.layer{i} = nn.Linear({nin!r}, {nout!r})")
        sums = parser_lock.expression(f"self.layer{i}(x)")
        out = sums if name == LINEAR else torch_call(name, [sums], [False])
        applied.append(f"x = {ast.unparse(out)}")
        if drops and i < len(spec.activations):
            applied.append(f"x = x * masks[{i - 1}]")
    body = [
        "def __init__(self):",
        *indented(["super().__init__()", *made]),
        "",
        f"def forward(self, {arguments}):",
        *indented([*applied, "return x"]),
    ]
    return "\n".join(["class Network(nn.Module):", *indented(body)])


PENALTIES = {
    "l1": "sum(p.abs().sum() for p in model.parameters())",
    "l2": "sum((p * p).sum() for p in model.parameters())",
}


def _training(spec: RunSettings) -> tuple[list[str], str]:
    has = _has_optimizers(spec)
    ahead, zero, step, switch = _own_optimizer(spec) if has else _rule(spec)
    whole = is_whole(spec)
    inputs, targets = ("inputs", "targets.T") if whole else ("inputs[batch]", "targets[batch].T")
    over = "mean" if LOSSES[spec.loss].mean else "sum"
    arguments = f"{inputs}, factors" if ever(spec, "dropout") else inputs
    body = [
        *changed(spec, switch),
        *([] if whole else ["batch = batch_of(step)"]),
        *_factors(spec, "range(len(samples))" if whole else "batch"),
        f"loss = loss_of(model({arguments}).T, {targets}).{over}()",
        *penalties(spec, PENALTIES),
        *zeroing(spec, [zero]),
        "loss.backward()",
        "print(repr(loss.item()))",
        *step,
    ]
    return ahead, "\n".join(["for step in range(steps):", *indented(body)])


def _factors(spec: RunSettings, batch: str) -> list[str]:
    """The masks of a batch, a tensor for each hidden layer."""
    if not ever(spec, "dropout"):
        return []
    return [
        f"drawn = [{masks(spec, 'i')} for i in {batch}]",
        "factors = [torch.tensor(layer) for layer in zip(*drawn)]",
    ]


def _has_optimizers(spec: RunSettings) -> bool:
    """Whether torch.optim has the optimizers.

    At momentum 0 it has no Nesterov variant, and keeps no sum of gradients for a later momentum.
    """
    idle = {
        settings.optimizer
        for settings in (segment.settings for segment in segments(spec))
        if not settings.momentum and "momentum" in OPTIMIZERS.get(settings.optimizer, "")
    }
    moves = len(values(spec, "momentum")) > 1
    known = all(name in OPTIMIZERS for name in values(spec, "optimizer"))
    return known and "nesterov" not in idle and not (idle and moves)


Parts = tuple[list[str], str, list[str], Switch]
"""The lines that create, reset and apply an optimizer, and those of a change of it."""


def _own_optimizer(spec: RunSettings) -> Parts:
    constant = SCHEDULES[spec.schedule].rate == "rate"
    change = [GROUPS, f'    group["lr"] = {rate(spec)}']
    step = [*passed(spec), *([] if constant else change), "optimizer.step()"]
    return [_made(spec)], "optimizer.zero_grad()", step, _switch


GROUPS = "for group in optimizer.param_groups:"
OPTIONS = {"learning_rate": "lr", "momentum": "momentum", "weight_decay": "weight_decay"}
"""The options of torch.optim by the settings that they are."""


def _made(spec: RunSettings) -> str:
    return f"optimizer = torch.optim.{OPTIMIZERS[spec.optimizer]}"


def _switch(before: Segment, after: Segment) -> list[str]:
    """Another optimizer, or other options of the same one."""
    if not after.keeps_optimizer:
        return [_made(after.settings)]
    options = [
        f'    group["{option}"] = {name}'
        for name, option in OPTIONS.items()
        if getattr(before.settings, name) != getattr(after.settings, name)
        and name in OPTIMIZERS[after.settings.optimizer]
    ]
    return [GROUPS, *options] if options else []


def _rule(spec: RunSettings) -> Parts:
    """Optimizers written out from their rules."""
    language = Language(
        "model.parameters()", "p", "p.grad", "torch.zeros_like(p)", "p.copy_({})", tensors=True
    )
    ahead, step, switch = updates(spec, language)
    step = [*passed(spec), f"rate = {rate(spec)}", "with torch.no_grad():", *indented(step)]
    return ahead, "model.zero_grad()", step, switch
