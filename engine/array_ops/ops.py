"""The whole table, `ARRAY_OPS`: importing this module enters every operation."""

from . import (
    attention,
    einsum,
    losses,
    moves,
    normalisation,
    pointwise,
    products,
    reductions,
    rows,
    windows,
)
from .table import ARRAY_OPS, ArrayOp

__all__ = ["ARRAY_OPS", "ArrayOp"]
_ENTERED = (
    attention, einsum, losses, moves, normalisation, pointwise, products, reductions, rows, windows,
)  # fmt: skip
