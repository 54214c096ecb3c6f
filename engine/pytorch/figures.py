"""The figures of a tensor, in few operations of PyTorch, and none that a program can notice."""

from __future__ import annotations

import math
from typing import Any

import torch

from engine.pytorch.record import Figures

CORNER = (8, 8)
"""Rows and columns kept of a large tensor."""
_LOW = (torch.float16, torch.bfloat16)


def shape_of(tensor: Any) -> tuple[int, ...]:
    return tuple(tensor.shape)


def dtype_of(tensor: Any) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def is_plain(tensor: Any) -> bool:
    """Whether a tensor has numbers at an address: not a sparse one, one of meta, or in vmap."""
    return (
        tensor.layout is torch.strided
        and not tensor.is_meta
        and not tensor.is_quantized
        and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)
        and type(tensor).__name__ not in ("FakeTensor", "FunctionalTensor")
    )


def figures_of(tensor: Any, keep: int) -> Figures:
    """The figures of a tensor, whose numbers are kept where it has at most `keep`.

    To be called where autograd and all modes are off. Sparse, quantised and abstract tensors have
    a shape and a dtype alone.
    """
    found = Figures(shape_of(tensor), dtype_of(tensor), device=tensor.device.type)
    if not is_plain(tensor):
        return found
    plain = tensor.detach()
    count = plain.numel()
    if count <= keep:
        found.kept = plain.clone()
    elif plain.dim():
        corner = plain if plain.dim() < 3 else plain[(0,) * (plain.dim() - 2)]
        rows, columns = CORNER
        corner = corner[:columns] if corner.dim() == 1 else corner[:rows, :columns]
        found.corner = corner.clone()
    if count and (plain.is_floating_point() or plain.is_complex()):
        _measure(found, plain.abs() if plain.is_complex() else plain)
    return found


def _measure(found: Figures, plain: Any) -> None:
    if plain.dtype in _LOW:
        plain = plain.float()
    low, high = torch.aminmax(plain)
    four = torch.stack((low, high, plain.mean(), torch.linalg.vector_norm(plain)))
    found.least, found.largest, found.mean, found.norm = four.tolist()
    if not math.isfinite(found.norm or 0.0) or not math.isfinite(found.mean or 0.0):
        found.nans = int(plain.isnan().sum())
        found.infs = int(plain.isinf().sum())
        if not found.nans and not found.infs:  # their squares overflow
            found.norm = float(torch.linalg.vector_norm(plain.double()))
            found.mean = float(plain.double().mean())
