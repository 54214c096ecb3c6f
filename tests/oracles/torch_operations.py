"""PyTorch's values and partials of the operations, in 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import torch

from app.operations.peers import PEERS
from app.operations.special_points import points
from engine.ops import OPS

LIBRARY = f"torch {torch.__version__.partition('+')[0]}"


def numbers(name: str, point: list[float]) -> list[float]:
    """The value of a function of PyTorch at `point`, and its partials."""
    function: Callable[..., Any] = attrgetter(name.removeprefix("torch."))(torch)
    given = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in point]
    y = function(*given)
    y.backward()
    return [y.item(), *(0.0 if x.grad is None else x.grad.item() for x in given)]


def special_points(name: str) -> list[list[float]]:
    """The numbers of an operation of the table at each of its special points."""
    return [numbers(PEERS[name].torch, list(point)) for point in points(OPS[name])]
