"""PyTorch's functions of tensors, its sums, its generator and its text, in 32 bits."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch.nn import functional

from tests.support import library_draws as draws

LIBRARY = f"torch {torch.__version__.partition('+')[0]}"
NEAR, NOISE = 1e-6, 1e-7  # of 32-bit numbers

torch.set_num_threads(1)


def outcome(
    how: str, name: str, args: list[Any], options: dict[str, Any], inputs: list[Any]
) -> dict[str, Any]:
    """A result as text, its number if it is one, and the gradients of the inputs if it has any.

    The incoming gradients are 0.5 to 1.5, evenly spaced. An error's text is all that it gives.
    """
    given = [torch.tensor(numbers, requires_grad=True) for numbers in inputs]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of kl_div
            found = _called(how, name, args, options, given)
    except (RuntimeError, IndexError, ValueError) as error:
        return {"text": f"{type(error).__name__}: {error}"}
    told: dict[str, Any] = {"text": repr(found)}
    if not getattr(found, "requires_grad", False):
        return told
    if found.numel() == 1:
        told["item"] = found.item()
    count = found.numel()
    weights = torch.linspace(0.5, 1.5, count).reshape(found.shape).to(found.dtype)
    found.backward(weights)
    told["shape"] = list(found.shape)
    told["grads"] = [[list(x.grad.shape), x.grad.flatten().tolist()] for x in given]
    return told


def _called(how: str, name: str, args: list[Any], options: dict[str, Any], x: list[Any]) -> Any:
    match how:
        case "method":
            return getattr(x[0], name)(*x[1:], *args, **options)
        case "torch":
            return getattr(torch, name)(*x, **options)
        case "of several":
            return getattr(torch, name)(x, *args)
        case "twice":
            return getattr(torch, name)([x[0], x[0]], *args)
        case "where":
            return torch.where(x[0] > 0, *x)
    if name == "binary_cross_entropy":
        x = [torch.sigmoid(x[0])]
    return getattr(functional, name)(*x, *map(torch.tensor, args), **options)


def steps(
    kind: str, options: dict[str, Any], start: list[float], slopes: list[list[float]]
) -> dict[str, Any]:
    """The parameters after each step of an optimizer, and its text."""
    p = torch.tensor(start, requires_grad=True)
    optimizer = getattr(torch.optim, kind)([p], **options)
    after = []
    for slope in slopes:
        p.grad = torch.tensor(slope)
        optimizer.step()
        after.append(p.tolist())
    return {"after": after, "text": repr(optimizer)}


def sums(rows: int, columns: int) -> dict[str, Any]:
    """The sums of a drawn matrix: of its rows, of its columns, of all."""
    x = torch.tensor(draws.drawn_matrix(rows, columns))
    of_rows = x.sum(1).tolist()
    return {
        "rows": draws.digest(of_rows),
        "first rows": of_rows[:5],
        "columns": x.sum(0).tolist(),
        "all": x.sum().item(),
    }


def drawn(seed: int, sizes: list[int]) -> list[dict[str, Any]]:
    """What the generator draws after a seed, in turn, for each of some sizes."""
    torch.manual_seed(seed)
    return [
        {
            "randn": torch.randn(n).tolist(),
            "rand": torch.rand(n).tolist(),
            "uniform_": torch.empty(n).uniform_(-0.3, 0.7).tolist(),
            "normal_": torch.empty(n).normal_(1, 0.2).tolist(),
            "randint": torch.randint(0, 27, (n,)).tolist(),
            "randint, large": torch.randint(0, 2**30, (n,)).tolist(),
            "randperm": torch.randperm(n).tolist(),
            "randn, double": torch.randn(n, dtype=torch.float64).tolist(),
        }
        for n in sizes
    ]


def texts(seed: int) -> list[str]:
    """The text of a drawn tensor, and of its whole numbers if all are finite."""
    shape, numbers = draws.drawn_tensor(seed)
    x = torch.tensor(numbers).reshape(shape)
    found = [repr(x)]
    if torch.isfinite(x).all():
        found.append(repr(x.clamp(-1e9, 1e9).long()))
    return found
