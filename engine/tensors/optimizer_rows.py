"""torch.optim: optimizers that are rows: a signature, what they remember, and their recurrence.

A recurrence is a list of assignments in the language of the tables' formulas, for each number p of
a parameter with the gradient g at the step t. What is remembered starts as stated, and every result
is rounded to the type of the parameter, as PyTorch's kernels round: products are fused into sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import Any, NamedTuple

from engine.formulas import Function, compile_text, names_in

from .optimizers import OPTIMIZERS, Options, ParameterRule, Rounding, slope
from .signatures import TorchRow, bound, signature

_USUAL = {"foreach": None, "capturable": False, "differentiable": False}


class Recurrence(NamedTuple):
    """An optimizer: `usual` are options that it has and that nothing here reads."""

    name: str
    signature: str
    memory: Mapping[str, float | str]
    steps: tuple[tuple[str, str], ...]
    says: str
    usual: Mapping[str, bool | None] = _USUAL


_FUSED = {"foreach": None, "differentiable": False, "fused": None}
_ADAM = (
    ("share", "1 - beta1"),
    ("keep", "beta2"),
    ("part", "1 - beta2"),
    ("way", "g - mean"),
    ("mean", "mean + share * way"),
    ("kept", "square * keep"),
    ("new", "part * g"),
    ("square", "kept + new * g"),
    ("most", "max(most, square)"),
    ("root", "sqrt(most if amsgrad > 0 else square)"),
    ("scale", "sqrt(1 - beta2 ** t)"),
    ("small", "eps"),
    ("step", "-lr / (1 - beta1 ** t)"),
    ("root", "root / scale"),
    ("root", "root + small"),
    ("move", "step * mean"),
    ("move", "move / root"),
    ("p", "p + move"),
)
_ADAM_MEMORY = {"mean": 0.0, "square": 0.0, "most": 0.0}
_MEANS = (
    ("mean", "mean + (1 - beta1) * (g - mean)"),
    ("square", "square * beta2 + (1 - beta2) * g * g"),
)
ROWS = (
    Recurrence(
        "SGD",
        "params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, "
        "*, maximize=False",
        {"velocity": 0.0},
        (
            ("keep", "momentum"),
            ("share", "1 - dampening"),
            ("slowed", "velocity * keep"),
            ("velocity", "g if t == 1 else slowed + share * g"),
            ("way", "g + keep * velocity if nesterov > 0 else velocity if keep > 0 else g"),
            ("step", "-lr"),
            ("p", "p + step * way"),
        ),
        "p ← p − lr·v with v ← momentum·v + (1 − dampening)·g; Nesterov's as in Sutskever 2013.",
        _FUSED,
    ),
    Recurrence(
        "Adam",
        "params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, "
        "*, maximize=False",
        _ADAM_MEMORY,
        _ADAM,
        "p ← p − lr·m̂ / (√v̂ + ε), decayed means of g and g² (Kingma and Ba 2015).",
        {**_FUSED, "capturable": False, "decoupled_weight_decay": False},
    ),
    Recurrence(
        "AdamW",
        "params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, "
        "*, maximize=False",
        _ADAM_MEMORY,
        (("left", "1 - lr * weight_decay"), ("p", "p * left"), *_ADAM),
        "Adam with the decay of the weights apart from the gradient (Loshchilov and Hutter 2019).",
        {**_FUSED, "capturable": False, "decoupled_weight_decay": True},
    ),
    Recurrence(
        "RMSprop",
        "params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, "
        "maximize=False",
        {"square": 0.0, "mean": 0.0, "velocity": 0.0},
        (
            ("keep", "alpha"),
            ("share", "1 - alpha"),
            ("small", "eps"),
            ("kept", "keep * square"),
            ("part", "share * g"),
            ("square", "kept + part * g"),
            ("mean", "mean + share * (g - mean)"),
            ("spread", "square - mean * mean if centered > 0 else square"),
            ("root", "sqrt(spread)"),
            ("root", "root + small"),
            ("slow", "momentum"),
            ("slowed", "slow * velocity"),
            ("way", "g / root"),
            ("velocity", "slowed + way"),
            ("step", "-lr"),
            ("move", "step * g"),
            ("move", "move / root"),
            ("p", "p + step * velocity if momentum > 0 else p + move"),
        ),
        "p ← p − lr·g / (√v + ε) with the decayed mean v of g² (Tieleman and Hinton 2012).",
    ),
    Recurrence(
        "Adagrad",
        "params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, "
        "*, maximize=False",
        {"sums": "initial_accumulator_value"},
        (
            ("step", "-lr / (1 + (t - 1) * lr_decay)"),
            ("small", "eps"),
            ("sums", "sums + g * g"),
            ("root", "sqrt(sums)"),
            ("root", "root + small"),
            ("move", "step * g"),
            ("move", "move / root"),
            ("p", "p + move"),
        ),
        "p ← p − lr·g / (√Σg² + ε) (Duchi et al. 2011).",
        _FUSED,
    ),
    Recurrence(
        "Adadelta", "params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, maximize=False",
        {"square": 0.0, "moved": 0.0},
        (
            ("square", "square * rho + (1 - rho) * g * g"),
            ("way", "sqrt(moved + eps) / sqrt(square + eps) * g"),
            ("moved", "moved * rho + (1 - rho) * way * way"),
            ("p", "p - lr * way"),
        ),
        "p ← p − lr·√(Δ² + ε)/√(g² + ε)·g, with decayed means of g² and Δ² (Zeiler 2012).",
    ),
    Recurrence(
        "Adamax",
        "params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, maximize=False",
        {"mean": 0.0, "largest": 0.0},
        (
            _MEANS[0],
            ("largest", "max(largest * beta2, abs(g) + eps)"),
            ("p", "p - lr / (1 - beta1 ** t) * mean / largest"),
        ),
        "Adam by the largest decayed gradient in place of the mean square (Kingma and Ba 2015).",
    ),
    Recurrence(
        "NAdam",
        "params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=0.004, "
        "decoupled_weight_decay=False, maximize=False",
        {"mean": 0.0, "square": 0.0, "product": 1.0},
        (
            ("mu", "beta1 * (1 - 0.5 * 0.96 ** (t * momentum_decay))"),
            ("ahead", "beta1 * (1 - 0.5 * 0.96 ** ((t + 1) * momentum_decay))"),
            ("product", "product * mu"),
            *_MEANS,
            ("root", "sqrt(square / (1 - beta2 ** t)) + eps"),
            ("p", "p - lr * (1 - mu) / (1 - product) * g / root"),
            ("p", "p - lr * ahead / (1 - product * ahead) * mean / root"),
        ),
        "Adam with the momentum of the step ahead (Dozat 2016).",
    ),
    Recurrence(
        "RAdam",
        "params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, "
        "decoupled_weight_decay=False, maximize=False",
        {"mean": 0.0, "square": 0.0},
        (
            *_MEANS,
            ("most", "2 / (1 - beta2) - 1"),
            ("length", "most - 2 * t * beta2 ** t / (1 - beta2 ** t)"),
            ("ratio", "(length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)"),
            ("share", "sqrt(ratio * (1 - beta2 ** t)) / (sqrt(square) + eps) if length > 5 else 1"),
            ("p", "p - lr * (mean / (1 - beta1 ** t)) * share"),
        ),
        "Adam, by g² only once its mean is of enough steps (Liu et al. 2020).",
    ),
    Recurrence(
        "Rprop", "params, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-06, 50), maximize=False",
        {"before": 0.0, "size": "lr"},
        (
            ("factor", "eta2 if before * g > 0 else eta1 if before * g < 0 else 1"),
            ("size", "min(max(size * factor, size1), size2)"),
            ("before", "0 if before * g < 0 else g"),
            ("p", "p - (size if before > 0 else -size if before < 0 else 0)"),
        ),
        "Steps that grow while the gradient keeps its sign, whatever its size (Riedmiller 1993).",
    ),
)  # fmt: skip
_PARTS = {"betas": "beta", "etas": "eta", "step_sizes": "size"}
"""What the numbers of a pair are called in recurrences: beta1, beta2."""


class _Recurrent(ParameterRule):
    """An optimizer whose recurrence is text."""

    _seegrad_row: Any = None
    _seegrad_start: Any = None
    _seegrad_steps: tuple[tuple[str, Function, tuple[str, ...]], ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        row, usual = self._seegrad_row
        given = bound(row, f"{row.name}.__init__", args, kwargs)
        if given.get("decoupled_weight_decay") and given["weight_decay"]:
            self._seegrad_session.machine.refuse(
                "decoupled_weight_decay is False here.", "Take AdamW."
            )
        params = given.pop("params")
        ParameterRule.__init__(self, params, {**given, **usual})

    def _seegrad_moved(
        self, p: list[float], g: list[float], group: Options, memory: Options, rounded: Rounding
    ) -> list[float]:
        decays = {"weight_decay": 0, **group}
        if group.get("decoupled_weight_decay"):
            decays["weight_decay"] = 0
        columns = {"p": p, "g": slope(p, g, decays, rounded)}
        numbers: dict[str, float] = {"t": memory["steps"]}
        for name, value in group.items():
            if isinstance(value, tuple):
                numbers |= {f"{_PARTS[name]}{i + 1}": x for i, x in enumerate(value)}
            elif isinstance(value, (int, float)):
                numbers[name] = value
        for name, start in self._seegrad_start.items():
            first = group[start] if isinstance(start, str) else start
            columns[name] = memory.get(name) or [first] * len(p)
        for target, compute, names in self._seegrad_steps:
            if columns.keys().isdisjoint(names):
                (numbers[target],) = rounded([compute(*(numbers[name] for name in names))])
                continue
            given: list[Iterable[float]] = [
                columns[name] if name in columns else repeat(numbers[name]) for name in names
            ]
            columns[target] = rounded(map(compute, *given))
        memory.update({name: columns[name] for name in self._seegrad_start})
        return columns["p"]


def _optimizer(row: Recurrence) -> type:
    steps = []
    for target, text in row.steps:
        names = tuple(sorted(names_in(text) - {"sqrt", "max", "min", "abs"}))
        steps.append((target, compile_text(text, names), names))
    body = {
        "__doc__": row.says, "_seegrad_start": row.memory, "_seegrad_steps": tuple(steps),
        "_seegrad_row": (TorchRow(row.name, signature(f"f({row.signature})"), ""), row.usual),
    }  # fmt: skip
    return type(row.name, (_Recurrent,), body)


ALL: tuple[type, ...] = (*OPTIMIZERS, _Recurrent, *map(_optimizer, ROWS))
"""Every class, bases first."""
