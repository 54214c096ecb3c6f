"""Files of weights as PyTorch and NumPy write them, in base64."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

LIBRARY = f"torch {torch.__version__.partition('+')[0]}, numpy {np.__version__}"


def of_torch(named: dict[str, list[Any]], kind: str) -> str:
    """What `torch.save` writes of a state_dict, a model's parameters or a checkpoint."""
    tensors = {name: torch.tensor(rows, dtype=torch.float32) for name, rows in named.items()}
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    model.load_state_dict(tensors)
    columns = {name: x.T.contiguous().T if x.dim() > 1 else x for name, x in tensors.items()}
    make: dict[str, Callable[[], Any]] = {
        "state_dict": model.state_dict,
        "double": lambda: model.double().state_dict(),
        "half": lambda: model.half().state_dict(),
        "parameters": lambda: dict(model.named_parameters()),
        "checkpoint": lambda: {"epoch": 3, "model": model.state_dict(), "loss": 0.5},
        "columns": lambda: columns,
    }
    out = io.BytesIO()
    torch.save(make[kind](), out)
    return base64.b64encode(out.getvalue()).decode()


def of_numpy(named: dict[str, list[Any]], kind: str) -> str:
    """What `numpy.savez` writes, plain, compressed, in 32 bits or column by column."""
    arrays = {name: np.array(rows) for name, rows in named.items()}
    out = io.BytesIO()
    if kind == "compressed":
        np.savez_compressed(out, **arrays)
    elif kind == "single":
        np.savez(out, **{name: x.astype(np.float32) for name, x in arrays.items()})
    elif kind == "columns":
        np.savez(out, **{name: np.asfortranarray(x) for name, x in arrays.items()})
    else:
        np.savez(out, **arrays)
    return base64.b64encode(out.getvalue()).decode()
