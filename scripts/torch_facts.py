"""Records what PyTorch computes at the special points of the operations.

    python -m scripts.torch_facts

needs PyTorch of any build; it computes in 64 bits on the CPU and writes
`app/operations/torch_facts.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from app.operations.peers import PEERS
from app.operations.special_points import FACTS, Numbers, points, written
from engine.op import Point
from engine.ops import OPS


def function(name: str) -> Callable[..., Any]:
    """The function that a dotted name stands for. Raises AttributeError if there is none."""
    root, *parts = name.split(".")
    found: Any = import_module(root)
    for part in parts:
        found = getattr(found, part)
    called: Callable[..., Any] = found
    return called


def numbers(name: str, point: Point) -> Numbers:
    """PyTorch's value and partials of an operation at `point`, in 64 bits."""
    torch: Any = import_module("torch")
    given = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in point]
    y = function(name)(*given)
    y.backward()
    return Numbers(y.item(), tuple(0.0 if x.grad is None else x.grad.item() for x in given))


def facts() -> dict[str, list[Numbers]]:
    """PyTorch's numbers of every operation that it has."""
    return {
        name: [numbers(PEERS[name].torch, point) for point in points(op)]
        for name, op in OPS.items()
        if name in PEERS and PEERS[name].torch
    }


def main() -> int:
    """Write the record."""
    version = import_module("torch").__version__.partition("+")[0]
    FACTS.write_text(written(facts(), version), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
