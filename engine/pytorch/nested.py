"""The tensors in arguments and results."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._pytree import tree_leaves

SCALARS = (int, float, bool, str, type(None), torch.dtype, torch.device, torch.memory_format)
"""Kinds of arguments that hold no tensor."""


def tensors_in(*values: Any) -> list[Any]:
    """The tensors in arguments or results, however they are nested."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += tensors_in(*value)
        elif isinstance(value, dict):
            found += tensors_in(*value.values())
        elif value is not None and not isinstance(value, SCALARS):
            found += [t for t in tree_leaves(value) if isinstance(t, torch.Tensor)]
    return found
