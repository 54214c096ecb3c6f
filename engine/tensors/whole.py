"""Operations of the table of arrays on tensors: computed, and recorded as PyTorch does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.ops import ARRAY_OPS, ArrayOp
from engine.array_ops.table import Params

from .dtypes import FLOAT32, DType, promoted
from .graph import Kept, Operation
from .opened import follow
from .saved import save, save_named
from .session import Session
from .tensor_array import TensorArray


def result_type(arrays: Sequence[TensorArray]) -> DType:
    return promoted((x.dtype, x.rank) for x in arrays)


def record(
    session: Session, op: str, out: TensorArray, given: Sequence[Any], params: Params | None = None,
    made_by: str = "", *, saves: bool = True,
) -> TensorArray:  # fmt: skip
    """`out`, the new tensor that an operation has computed, with its node if it has one."""
    arrays, rule, params = list(map(session.array, given)), ARRAY_OPS[op], params or {}
    live = [session.is_live(x) and i not in rule.constant for i, x in enumerate(arrays)]
    if any(live) and out.dtype.category == 2:
        args = [x.node if is_live else None for x, is_live in zip(arrays, live, strict=True)]
        kept = [Kept(x, _conversion(x, out)) for x in arrays]
        node = Operation(op, args, kept, Kept(out), out.dtype, params, saves=saves)
        out.node = out.storage.node = node
        out.made_by = made_by or rule.node
        save_named(op, out, arrays)
    follow(session, op, out, arrays, params)
    return out


def _conversion(x: TensorArray, out: TensorArray) -> Callable[..., Any] | None:
    """How the operation reads the numbers of an argument."""
    if x.dtype is out.dtype or (x.dtype.category < 2 and not x.is_number):
        return None
    return out.dtype.convert


def by_steps(
    session: Session, op: str, given: Sequence[Any], params: Params, made_by: str,
    compute: Callable[..., Any], *, saves: bool = True,
) -> Any:  # fmt: skip
    """An operation whose numbers `compute` gives from tensors without graph, step by step.

    So they are rounded as PyTorch rounds them.
    """
    arrays = [None if x is None else session.array(x) for x in given]
    found = compute(*(x if x is None or x.is_number else x.detached() for x in arrays))
    held = [x for x in arrays if x is not None]
    out = record(session, op, session.array(found), held, params, made_by, saves=saves)
    if saves and out.requires_grad:
        save(out, [x for x in held if not x.is_number])
    return out


def whole(
    session: Session, name: str, given: Sequence[Any], params: Mapping[str, Any] | None = None,
    *, made_by: str = "", dtype: DType | None = None,
) -> Any:  # fmt: skip
    """The operation `name` of tensors; those that are None at the end are left out.

    Raises RuntimeError, in PyTorch's words, for shapes that do not fit.
    """
    op, settings = ARRAY_OPS[name], dict(params or {})
    arrays = [session.array(x) for x in given if x is not None]
    try:
        shape = op.shape([x.shape for x in arrays], settings)
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    session.room(shape)
    dtype = dtype or _type_of(arrays, op)
    try:
        found = op.forward([Flat(x.shape, x.numbers()) for x in arrays], settings)
    except Misfit as misfit:
        raise IndexError(misfit.of_torch) from None
    plain = session.tensor(dtype.convert(found.data), found.shape, dtype)
    out = record(session, name, plain, arrays, settings, made_by)
    if out.requires_grad:
        save(out, [x for x in arrays if not x.is_number])
    return out


def _type_of(arrays: Sequence[TensorArray], op: ArrayOp) -> DType:
    found = result_type([x for i, x in enumerate(arrays) if i not in op.constant] or arrays)
    return found if found.category == 2 else FLOAT32


def picked(
    session: Session, x: TensorArray, places: Sequence[int], shape: tuple[int, ...], name: str,
    fill: Any = 0,
) -> Any:  # fmt: skip
    """A new tensor of the elements at these places in row-major order; `fill` where one is −1."""
    numbers = [*x.numbers(), x.dtype.convert([fill])[0]]
    out = session.tensor([numbers[place] for place in places], shape, x.dtype)
    if x.dtype.category < 2:
        return out
    params = {"places": places, "shape": shape, "value": numbers[-1]}
    return record(session, "index", out, [x], params, name, saves=False)
