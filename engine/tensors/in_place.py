"""Changes to the elements of a tensor where they are: `x += 1`, `x[0] = 5`, `x.zero_()`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.array_ops.grid import ElementIndices, Grid, from_items

from . import saved
from .arrangement import fitted, places
from .dtypes import DType
from .scalar import Tensor
from .session import Session, bare
from .tensor_array import GradientList, Leaves, TensorArray, put

LEAF_CHANGED = "a leaf Variable that requires grad is being used in an in-place operation."


def check_changeable(session: Session, array: TensorArray, *, of_part: bool = False) -> None:
    """Raises RuntimeError for a leaf that records a gradient, or a view of one."""
    if 0 in array.grid.strides and any(
        n > 1 and not stride for n, stride in zip(array.shape, array.grid.strides, strict=True)
    ):
        raise RuntimeError(REPEATED)
    if not session.is_live(array):
        return
    if array.is_leaf and not of_part:
        raise RuntimeError(LEAF_CHANGED)
    if isinstance(array.grid.flat, Leaves):
        raise RuntimeError(f"a view of {LEAF_CHANGED}")
    if array.made_by in ("UnbindBackward0", "SplitBackward0") and array.is_view:
        raise RuntimeError(_one_of_many(array.made_by))


REPEATED = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)


def _one_of_many(made_by: str) -> str:
    return (
        f"Output 0 of {made_by} is a view and is being modified inplace. This view is the output "
        "of a function that returns multiple views. Such functions do not allow the output views "
        "to be modified inplace. You should replace the inplace operation by an out-of-place one."
    )


def change(session: Session, x: Any, result: Any) -> Any:
    """`x` with the elements of `result` in place of its own."""
    array, new = session.array(x), session.array(result)
    check_changeable(session, array)
    if new.dtype.category > array.dtype.category and not new.is_number:
        raise RuntimeError(_uncastable(new.dtype, array.dtype))
    if new.shape != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape "
            f"{list(new.shape)}"
        )
    before = array.storage.version[0]
    write(session, array, array.grid, new, new.made_by)
    saved.move(new, array, before)
    return x


def _uncastable(new: DType, old: DType) -> str:
    return f"result type {new.title} can't be cast to the desired output type {old.title}"


def write(
    session: Session,
    array: TensorArray,
    target: Grid | ElementIndices,
    new: TensorArray,
    made_by: str,
) -> None:
    """Replace elements of `array` by those of `new`, of the same shape."""
    if array.storage.is_fixed:
        session.machine.refuse(
            "Results in a graph this large are not changed without their graph here.",
            "Change a copy: x = x.detach().clone().",
        )
    if array.storage.block is not None:
        _open(array)
    live, was_live = session.is_live(new), session.is_live(array)
    if live and array.storage.is_foreign:
        session.machine.refuse(
            "An array of NumPy shares the elements of this tensor: no gradient passes there.",
            "Change a copy: x = x.clone().",
        )
    if live:
        items = [session.in_type(cell, array.dtype) for cell in session.cells(new)]
    elif session.is_followed(new) and not isinstance(array.grid.flat, Leaves):
        items = new.grid.items()
    else:
        items = array.dtype.convert(bare(new.grid.items()))
    array.storage.version[0] += 1
    if not (live or was_live):
        for place, x in zip(target.positions(), items, strict=True):
            put(target.flat, place, x) if type(target.flat) is list else _set(target, place, x)
        return
    before = target.items()
    target.write(items)
    if items and not any(isinstance(x, Tensor) for x in array.grid.flat):
        target.write([session.tied(x, n, array.dtype) for x, n in zip(before, items, strict=True)])
    array.changed(made_by or "CopySlices")


def _open(array: TensorArray) -> None:
    """Make the elements of a tensor that was computed as a whole those of the scalar graph."""
    array.grid.flat[:] = array.storage.block.elements()
    array.storage.block = None


def _set(target: Grid | ElementIndices, place: int, x: Any) -> None:
    target.flat[place] = x


def set_item(session: Session, x: Any, key: Any, value: Any) -> None:
    """`x[key] = value`, broadcast to the elements under `key`."""
    array = session.array(x)
    check_changeable(session, array, of_part=True)
    target = places(session, array, key)
    new = session.array(value)
    grid = fitted(session, _without_ones(new, len(target.shape)), target.shape)
    whole = target.shape == array.shape and isinstance(target, Grid)
    name = "IndexPutBackward0" if isinstance(target, ElementIndices) else "CopySlices"
    if whole:
        name = "FillBackward3" if new.is_number and array.shape else "CopyBackwards"
    write(session, array, target, new.seen_as(grid, new.made_by), name)


def _without_ones(array: TensorArray, rank: int) -> TensorArray:
    """The same elements without leading axes of length 1 beyond `rank`."""
    extra = array.ndim - rank
    if extra <= 0 or any(n != 1 for n in array.shape[:extra]):
        return array
    grid = Grid(array.grid.flat, array.shape[extra:], array.grid.strides[extra:], array.grid.offset)
    return array.seen_as(grid, array.made_by)


def fill(session: Session, x: Any, numbers: Sequence[Any], made_by: str = "") -> Any:
    """Plain numbers in place of the elements: zero_(), fill_(), uniform_(), normal_()."""
    array = session.array(x)
    check_changeable(session, array)
    new = TensorArray(session, from_items(array.dtype.convert(numbers), array.shape), array.dtype)
    write(session, array, array.grid, new, made_by)
    return x


def assign_data(session: Session, x: Any, value: Any) -> None:
    """`x.data = value`: other numbers in the same tensor, without a trace in the graph."""
    new = session.array(value)
    array = session.array(x)
    if new.shape == array.shape:
        if array.cell is not None:
            array.cell.data = array.cell.rounded(float(new.numbers()[0]))
        elif isinstance(array.grid.flat, Leaves):
            array.grid.write(array.dtype.convert(bare(new.grid.items())))
        elif array.requires_grad or new.grid.flat is array.grid.flat:
            for place, x in zip(
                array.grid.positions(), array.dtype.convert(new.numbers()), strict=True
            ):
                put(array.grid.flat, place, x)
        else:
            array.grid, array.dtype = new.detached().grid, new.dtype
            array.storage = new.detached().storage
        return
    items = new.numbers()
    array.dtype = new.dtype
    array.grid = from_items(items, new.shape)
    if array.requires_grad:
        become_leaves(session, array)


def become_leaves(session: Session, array: TensorArray) -> None:
    """From now on the elements are Values of the picture, and record gradients."""
    if array.dtype.category < 2:
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    single = array.dtype.bits == 32
    numbers = array.numbers()
    leaves: list[Any] = []
    for x in numbers:
        leaf = Tensor(x, single=single)
        session.machine.leaf(leaf)
        leaves.append(leaf)
    array.grid = from_items(Leaves(leaves), array.shape)
    array.requires_grad, array.gradient = True, None
    if array.name:
        array.name_elements(array.name)
    else:
        session.machine.arrangements.add(leaves, array.shape)


def gradients_of(array: TensorArray) -> TensorArray:
    """The gradients of the elements, as a tensor that can be read and changed."""
    flat = GradientList(list.__iter__(array.grid.flat))
    grid = Grid(flat, array.shape, array.grid.strides, array.grid.offset)
    return TensorArray(array.session, grid, array.dtype)
