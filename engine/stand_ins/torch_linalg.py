"""torch.linalg: norms."""

from __future__ import annotations

from typing import Any

from engine.stand_ins.contract import Machine
from engine.stand_ins.tensor_kinds import session_of
from engine.tensors.functions import norm

from .torch_nn import absent

_ABSENT = """
    matrix_norm inv det solve eig eigh eigvals eigvalsh svd qr lstsq pinv cholesky cond matrix_rank
    slogdet multi_dot cross
"""


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.linalg."""

    def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:  # noqa: A002
        return norm(session_of(m), x, ord, dim, keepdim)

    def of_any(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Any:  # noqa: A002, N803  # fmt: skip
        if ord is not None and dim is None and session_of(m).array(A).ndim > 1:
            m.refuse("Norms of matrices are not here.", "Leave out ord, or use vector_norm.")
        return norm(session_of(m), A, 2 if ord is None else ord, dim, keepdim)

    return {**absent(m, "torch.linalg", _ABSENT), "vector_norm": vector_norm, "norm": of_any}
