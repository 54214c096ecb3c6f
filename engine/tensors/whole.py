"""Operations of the table of arrays on tensors: computed, and recorded as PyTorch does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.array_ops.flat import Flat, Misfit, unequal
from engine.array_ops.grid import Shape, broadcast_shape
from engine.array_ops.ops import ARRAY_OPS, ArrayOp
from engine.array_ops.table import Params

from .dtypes import FLOAT32, DType, promoted
from .graph import Kept, Operation
from .opened import follow
from .saved import save, save_named
from .tensor_array import TensorArray, tensors


def result_type(arrays: Sequence[TensorArray]) -> DType:
    return promoted((x.dtype, x.rank) for x in arrays)


def common_shape(arrays: Sequence[TensorArray]) -> Shape:
    """The shape that tensors broadcast to. Raises RuntimeError as PyTorch does."""
    shape = arrays[0].shape
    for other in arrays[1:]:
        common = broadcast_shape(shape, other.shape)
        if common is None:
            raise RuntimeError(unequal(shape, other.shape).of_torch)
        shape = common
    arrays[0].session.room(shape)
    return shape


def record(
    op: str, out: TensorArray, arrays: Sequence[TensorArray], params: Params | None = None,
    made_by: str = "", *, saves: bool = True,
) -> TensorArray:  # fmt: skip
    """`out`, the new tensor that an operation has computed, with its node if it has one."""
    rule, params = ARRAY_OPS[op], params or {}
    live = [x.is_live and i not in rule.constant for i, x in enumerate(arrays)]
    if any(live) and out.dtype.category == 2:
        if any(x.made_by == "Invalid" for x in arrays):
            raise RuntimeError(
                "Output 0 of Unbind is a view and its base or another view of its base has been "
                "modified inplace. This view is the output of a function that returns multiple "
                "views. Such functions do not allow the output views to be modified inplace. You "
                "should replace the inplace operation by an out-of-place one."
            )
        args = [x.node if is_live else None for x, is_live in zip(arrays, live, strict=True)]
        kept = [Kept(x, _conversion(x, out)) for x in arrays]
        node = Operation(op, args, kept, Kept(out), out.dtype, params, saves=saves)
        out.node = out.storage.node = node
        out.made_by = made_by or rule.node
        save_named(op, out, arrays)
    follow(op, out, arrays, params)
    return out


def _conversion(x: TensorArray, out: TensorArray) -> Callable[..., Any] | None:
    """How the operation reads the numbers of an argument."""
    if x.dtype is out.dtype or (x.dtype.category < 2 and not x.is_number):
        return None
    return out.dtype.convert


def by_steps(
    op: str, given: Sequence[Any], params: Params, made_by: str, compute: Callable[..., Any], *,
    saves: bool = True,
) -> Any:  # fmt: skip
    """An operation whose numbers `compute` gives from tensors without graph, step by step.

    So they are rounded as PyTorch rounds them. Arguments that are None are left out of the record.
    """
    held = tensors(*(x for x in given if x is not None))
    arrays = iter(held)
    steps = [None if x is None else next(arrays) for x in given]
    found = compute(*(x if x is None or x.is_number else x.detached() for x in steps))
    out = record(op, found, held, params, made_by, saves=saves)
    if saves and out.requires_grad:
        save(out, [x for x in held if not x.is_number])
    return out


def whole(
    name: str, given: Sequence[Any], params: Mapping[str, Any] | None = None, *,
    made_by: str = "", dtype: DType | None = None,
) -> Any:  # fmt: skip
    """The operation `name` of tensors; those that are None at the end are left out.

    Raises RuntimeError, in PyTorch's words, for shapes that do not fit.
    """
    op, settings = ARRAY_OPS[name], dict(params or {})
    arrays = tensors(*(x for x in given if x is not None))
    try:
        shape = op.shape([x.shape for x in arrays], settings)
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    arrays[0].session.room(shape)
    dtype = dtype or _type_of(arrays, op)
    try:
        found = op.forward([Flat(x.shape, x.numbers()) for x in arrays], settings)
    except Misfit as misfit:
        raise IndexError(misfit.of_torch) from None
    plain = arrays[0].new(dtype.convert(found.data), found.shape, dtype)
    out = record(name, plain, arrays, settings, made_by)
    if out.requires_grad:
        save(out, [x for x in arrays if not x.is_number])
    return out


def _type_of(arrays: Sequence[TensorArray], op: ArrayOp) -> DType:
    found = result_type([x for i, x in enumerate(arrays) if i not in op.constant] or arrays)
    return found if found.category == 2 else FLOAT32


def picked(
    x: TensorArray, places: Sequence[int], shape: tuple[int, ...], name: str, fill: Any = 0
) -> Any:
    """A new tensor of the elements at these places in row-major order; `fill` where one is −1."""
    numbers = [*x.numbers(), x.dtype.convert([fill])[0]]
    out = x.new([numbers[place] for place in places], shape)
    if x.dtype.category < 2:
        return out
    params = {"places": places, "shape": shape, "value": numbers[-1]}
    return record("index", out, [x], params, name, saves=False)
