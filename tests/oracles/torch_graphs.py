"""What PyTorch keeps and computes for programs of one assignment a line, in 64 bits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

LIBRARY = f"torch {torch.__version__.partition('+')[0]}"
NEAR, NOISE = 1e-9, 1e-13

_NAMES = ("exp", "log", "sqrt", "tanh", "sigmoid", "relu", "abs")
FUNCTIONS: dict[str, Any] = {name: getattr(torch, name) for name in _NAMES} | {
    "softplus": torch.nn.functional.softplus, "max": torch.maximum, "min": torch.minimum,
}  # fmt: skip


def _after(text: str, make: Callable[[float], torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors of the names that a program assigns."""
    space: dict[str, Any] = FUNCTIONS | {"Value": make}
    exec(text, space)  # noqa: S102  # the tests' own text
    return {name: x for name, x in space.items() if isinstance(x, torch.Tensor)}


def saved(text: str) -> list[str]:
    """The names of the tensors that the functions behind the last one keep for backward."""
    made = _after(text, lambda x: torch.tensor(float(x)).double().requires_grad_())
    kept = {one.data_ptr() for one in _saved_behind(list(made.values())[-1])}
    return [name for name, x in made.items() if x.data_ptr() in kept]


def _saved_behind(output: torch.Tensor) -> list[torch.Tensor]:
    waiting, seen, found = [output.grad_fn], set(), []
    while waiting:
        function = waiting.pop()
        if function is None or function in seen:
            continue
        seen.add(function)
        names = [name for name in dir(function) if name.startswith("_saved_")]
        kept = [getattr(function, name) for name in names]
        found += [one for one in kept if isinstance(one, torch.Tensor)]
        waiting += [before for before, _ in function.next_functions]
    return found


def tangents(text: str, leaf: int) -> dict[str, float]:
    """The derivative of each name with respect to the leaf of that place."""
    starts = list(map(float, re.findall(r"Value\((.*)\)", text)))

    def program(*leaves: torch.Tensor) -> dict[str, torch.Tensor]:
        waiting = iter(leaves)
        return _after(text, lambda _: next(waiting))

    primals = tuple(torch.tensor(x).double() for x in starts)
    along = tuple(torch.tensor(float(i == leaf)).double() for i in range(len(starts)))
    _, found = torch.func.jvp(program, primals, along)
    return {name: float(x) for name, x in found.items()}
