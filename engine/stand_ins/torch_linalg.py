"""torch.linalg: norms."""

from __future__ import annotations

from typing import Any

from engine.stand_ins.contract import Machine
from engine.tensors.composed import cross
from engine.tensors.reductions import length

from .torch_nn import absent

_ABSENT = """
    matrix_norm inv det solve eig eigh eigvals eigvalsh svd qr lstsq pinv cholesky cond matrix_rank
    slogdet multi_dot
"""


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.linalg."""

    def of_any(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Any:  # noqa: A002, N803  # fmt: skip
        if ord is not None and dim is None and A.ndim > 1:
            m.refuse("Norms of matrices are not here.", "Leave out ord, or use vector_norm.")
        return length(A, 2 if ord is None else ord, dim, keepdim)

    return {
        **absent(m, "torch.linalg", _ABSENT), "norm": of_any,
        "vector_norm": of_any, "cross": lambda a, b, *, dim=-1: cross(a, b, dim),
    }  # fmt: skip
