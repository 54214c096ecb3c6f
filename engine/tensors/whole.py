"""Functions of tensors that are operations of the table of arrays.

A result that records no gradient is computed as a whole. One that does is, in a graph that is too
large to be drawn, a block; in one that is drawn, each of its elements is computed by the formula of
that element, by operations on scalars.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.grid import Shape
from engine.array_ops.ops import ARRAY_OPS, ArrayOp
from engine.formulas import evaluate

from . import blocks
from .cell_formulas import CellFormula
from .dtypes import FLOAT32, DType
from .elementwise import result_type
from .saved import save
from .session import Session
from .tensor_array import TensorArray

_ELEMENT = re.compile(r"\b([a-z]\w*)\[(\d+)\]")


def whole(
    session: Session, name: str, given: Sequence[Any], params: Mapping[str, Any] | None = None,
    *, made_by: str = "", dtype: DType | None = None,
) -> Any:  # fmt: skip
    """The operation `name` of tensors; those that are None at the end are left out.

    Raises RuntimeError, in PyTorch's words, for shapes that do not fit.
    """
    op, settings = ARRAY_OPS[name], dict(params or {})
    arrays = [session.array(x) for x in given if x is not None]
    shapes = [x.shape for x in arrays]
    try:
        shape = op.shape(shapes, settings)
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    session.room(shape)
    dtype = dtype or _type_of(arrays, op)
    live = [session.is_live(x) and i not in op.constant for i, x in enumerate(arrays)]
    if not any(live):
        return _plain(session, op, arrays, settings, dtype)
    reads = sum(map(len, op.reads(0, shapes, settings))) if prod(shape) else 0
    made_by = made_by or op.node
    if session.is_whole(arrays, prod(shape) * reads):
        plain = _plain(session, op, [x.detached() for x in arrays], settings, dtype)
        out = blocks.of_op(name, plain, arrays, live, settings, made_by)
    else:
        items = _cells(session, op, arrays, settings, shape, dtype)
        out = session.tensor(items, shape, dtype, made_by, arrays[live.index(True)].cells())
    save(out, [x for x in arrays if not x.is_number])
    return out


def _type_of(arrays: Sequence[TensorArray], op: ArrayOp) -> DType:
    found = result_type([x for i, x in enumerate(arrays) if i not in op.constant] or arrays)
    return found if found.category == 2 else FLOAT32


def _plain(
    session: Session, op: ArrayOp, arrays: Sequence[TensorArray], params: Mapping[str, Any],
    dtype: DType,
) -> Any:  # fmt: skip
    try:
        found = op.forward([Flat(x.shape, x.numbers()) for x in arrays], params)
    except Misfit as misfit:
        raise IndexError(misfit.of_torch) from None
    return session.tensor(dtype.convert(found.data), found.shape, dtype)


def _cells(
    session: Session, op: ArrayOp, arrays: Sequence[TensorArray], params: Mapping[str, Any],
    shape: Shape, dtype: DType,
) -> list[Any]:  # fmt: skip
    """Each element by its own formula, or the one that it is."""
    if op.picks is not None:
        given, held = [Flat(x.shape, x.numbers()) for x in arrays], session.cells(arrays[0])
        return [held[place] for place in op.picks(given, params)]
    columns = {op.name_of(slot): session.cells(x) for slot, x in enumerate(arrays)}
    shapes, formula = [x.shape for x in arrays], CellFormula(session, dtype)
    items = []
    for cell in range(prod(shape)):
        names: dict[str, Any] = {}

        def named(found: re.Match[str], names: dict[str, Any] = names) -> str:
            name = f"{found[1]}_{found[2]}"
            names[name] = columns[found[1]][int(found[2])]
            return name

        text = _ELEMENT.sub(named, op.scalar(cell, shapes, params))
        found = evaluate(text, names, formula)
        items.append(session.in_type(found, dtype))
    return items
