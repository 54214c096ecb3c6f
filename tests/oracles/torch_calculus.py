"""PyTorch's derivatives, losses and optimizers, in 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import torch
from torch.nn import functional

LIBRARY = f"torch {torch.__version__.partition('+')[0]}"
NEAR, NOISE = 1e-11, 1e-13  # after many steps

OPTIMIZERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "sgd": torch.optim.SGD,
    "momentum": lambda p, momentum=0.9, **rest: torch.optim.SGD(p, momentum=momentum, **rest),
    "nesterov": lambda p, momentum=0.9, **rest: torch.optim.SGD(
        p, momentum=momentum, nesterov=True, **rest
    ),
    "rmsprop": lambda p, **rest: torch.optim.RMSprop(p, alpha=0.99, eps=1e-8, **rest),
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
}
LOSSES: dict[str, Callable[[Any, Any], Any]] = {
    "sum_squares": lambda o, t: functional.mse_loss(o, t, reduction="sum"),
    "mse": functional.mse_loss,
    "hinge": lambda o, t: torch.clamp(1 - t * o, min=0).mean(),
    "bce": functional.binary_cross_entropy_with_logits,
    "cross_entropy": functional.cross_entropy,
}


def _tensor(numbers: Any, requires_grad: bool = True) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=requires_grad)


def loss(name: str, outputs: list[float], targets: list[float]) -> list[float]:
    """A loss, and its gradient with respect to the outputs."""
    given = _tensor(outputs)
    found = LOSSES[name](given, _tensor(targets, requires_grad=False))
    found.backward()
    return [found.item(), *given.grad.tolist()]


def updates(
    name: str,
    start: list[float],
    rates: list[float],
    gradients: list[list[float]],
    momentum: float,
    decay: float,
) -> list[float]:
    """The parameters after an update with each of the gradients and rates."""
    p, options = _tensor(start), {}
    if name in ("momentum", "nesterov"):
        options["momentum"] = momentum
    if name == "adamw":
        options["weight_decay"] = decay
    optimizer = OPTIMIZERS[name]([p], lr=1.0, **options)
    for rate, gradient in zip(rates, gradients, strict=True):
        optimizer.param_groups[0]["lr"] = rate
        p.grad = _tensor(gradient, requires_grad=False)
        optimizer.step()
    found: list[float] = p.tolist()
    return found


def valley(name: str, rate: float, steps: int, is_up: bool) -> list[list[float]]:
    """a, b, their gradients and the loss (ab + tanh(a/2) - 1)² + b² from (2, -1.5), before each
    update and after the last.
    """
    a, b = _tensor(2.0), _tensor(-1.5)
    optimizer: Any = OPTIMIZERS[name]([a, b], lr=rate, maximize=is_up)
    found = []
    for _ in range(steps + 1):
        height = (a * b + torch.tanh(0.5 * a) - 1) ** 2 + b**2
        optimizer.zero_grad()
        height.backward()
        found.append([x.item() for x in (a, b, a.grad, b.grad, height)])
        optimizer.step()
    return found


def hessian_of_network(parameters: list[float]) -> list[list[float]]:
    """Second derivatives of a squared error of tanh(w1 x + w2 z + b) v over two samples."""

    def error(p: torch.Tensor) -> torch.Tensor:
        total = torch.zeros((), dtype=torch.float64)
        for x, z, t in [(1.0, 2.0, 0.5), (-1.0, 0.5, -1.0)]:
            total = total + (torch.tanh(p[0] * x + p[1] * z + p[2]) * p[3] - t) ** 2
        return total

    found = torch.autograd.functional.hessian(error, _tensor(parameters, requires_grad=False))
    rows: list[list[float]] = found.tolist()
    return rows


def eigenvalues(matrix: list[list[float]]) -> list[float]:
    """LAPACK's eigenvalues of a symmetric matrix, in rising order."""
    found: list[float] = torch.linalg.eigvalsh(_tensor(matrix, requires_grad=False)).tolist()
    return found


def dropout_step(
    layers: list[int],
    inputs: list[list[float]],
    targets: list[list[float]],
    parameters: list[float],
    masks: list[list[list[float]]],
) -> list[float]:
    """The mean squared error of a tanh network with the masks of its hidden layers, and its
    gradient.

    Parameters are flat: for each layer `(nout, nin + 1)` rows of weights that end with the bias.
    """
    flat, values = _tensor(parameters), _tensor(inputs, requires_grad=False)
    at, waiting = 0, iter(masks)
    for nin, nout in pairwise(layers):
        rows = flat[at : at + (nin + 1) * nout].reshape(nout, nin + 1)
        at += (nin + 1) * nout
        values = values @ rows[:, :-1].T + rows[:, -1]
        mask = next(waiting, None)
        if mask is not None:
            values = torch.tanh(values) * _tensor(mask, requires_grad=False)
    found = ((values - _tensor(targets, requires_grad=False)) ** 2).mean()
    found.backward()
    return [found.item(), *flat.grad.tolist()]
