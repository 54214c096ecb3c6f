"""Changes to the elements of a tensor where they are: `x += 1`, `x[0] = 5`, `x.zero_()`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.arrays.grid import ElementIndices, Grid, from_items

from .arrangement import fitted, places
from .dtypes import DType
from .scalar import LEAF_LIKE, Tensor, grad_fn_of
from .session import Session, bare
from .tensor_array import GradientList, Leaves, TensorArray

LEAF_CHANGED = "a leaf Variable that requires grad is being used in an in-place operation."


def check_changeable(session: Session, array: TensorArray, *, of_part: bool = False) -> None:
    """Raises RuntimeError for a leaf that records a gradient, or a view of one."""
    if not session.is_live(array):
        return
    if array.is_leaf and not of_part:
        raise RuntimeError(LEAF_CHANGED)
    if isinstance(array.grid.flat, Leaves):
        raise RuntimeError(f"a view of {LEAF_CHANGED}")


def change(session: Session, x: Any, result: Any) -> Any:
    """`x` with the elements of `result` in place of its own."""
    if isinstance(x, Tensor):
        return change_scalar(session, x, result)
    array, new = session.array(x), session.array(result)
    check_changeable(session, array)
    if new.dtype.category > array.dtype.category and not new.is_number:
        raise RuntimeError(_uncastable(new.dtype, array.dtype))
    if new.shape != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape "
            f"{list(new.shape)}"
        )
    write(session, array, array.grid, new, new.made_by)
    return x


def _uncastable(new: DType, old: DType) -> str:
    return f"result type {new.title} can't be cast to the desired output type {old.title}"


def change_scalar(session: Session, x: Tensor, result: Any) -> Tensor:
    """As `change`, for a tensor of one number: a result that is recorded is a new tensor."""
    if x.recorded and session.recording and x.op is None:
        own = x.made_by in LEAF_LIKE
        raise RuntimeError(LEAF_CHANGED if own else f"a view of {LEAF_CHANGED}")
    if isinstance(result, Tensor) and (session.recording or not x.recorded):
        return result
    new = session.array(result)
    if new.shape:
        raise RuntimeError(
            f"output with shape [] doesn't match the broadcast shape {list(new.shape)}"
        )
    x.data = x.rounded(float(new.numbers()[0]))
    return x


def write(
    session: Session,
    array: TensorArray,
    target: Grid | ElementIndices,
    new: TensorArray,
    made_by: str,
) -> None:
    """Replace elements of `array` by those of `new`, of the same shape."""
    live = session.is_live(new)
    items = session.cells(new) if live else array.dtype.convert(session.cells(new))
    target.write(items)
    if live or session.is_live(array):
        array.requires_grad, array.made_by = True, made_by or "CopySlices"


def set_item(session: Session, x: Any, key: Any, value: Any) -> None:
    """`x[key] = value`, broadcast to the elements under `key`."""
    array = session.array(x)
    check_changeable(session, array, of_part=True)
    target = places(session, array, key)
    new = session.array(value)
    grid = fitted(session, _without_ones(new, len(target.shape)), target.shape)
    wide = TensorArray(session, grid, new.dtype, new.requires_grad, new.made_by)
    write(session, array, target, wide, "CopySlices")


def _without_ones(array: TensorArray, rank: int) -> TensorArray:
    """The same elements without leading axes of length 1 beyond `rank`."""
    extra = array.ndim - rank
    if extra <= 0 or any(n != 1 for n in array.shape[:extra]):
        return array
    grid = Grid(array.grid.flat, array.shape[extra:], array.grid.strides[extra:], array.grid.offset)
    return TensorArray(array.session, grid, array.dtype, array.requires_grad, array.made_by)


def fill(session: Session, x: Any, numbers: Sequence[Any]) -> Any:
    """Plain numbers in place of the elements: zero_(), fill_(), uniform_(), normal_()."""
    if isinstance(x, Tensor):
        return change_scalar(session, x, numbers[0])
    array = session.array(x)
    check_changeable(session, array)
    array.grid.write(array.dtype.convert(numbers))
    return x


def assign_data(session: Session, x: Any, value: Any) -> None:
    """`x.data = value`: other numbers in the same tensor, without a trace in the graph."""
    new = session.array(value)
    if isinstance(x, Tensor):
        if new.size != 1:
            session.machine.refuse(
                "A tensor of one number cannot become one of several here.", "Make a new tensor."
            )
        x.data = x.rounded(float(new.numbers()[0]))
        return
    array = session.array(x)
    if new.shape == array.shape:
        if isinstance(array.grid.flat, Leaves):
            array.grid.write(array.dtype.convert(bare(new.grid.items())))
        else:
            array.grid, array.dtype = new.detached().grid, new.dtype
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


def name_of(x: Any) -> str:
    """The grad_fn of any tensor; empty if there is none."""
    return grad_fn_of(x) if isinstance(x, Tensor) else str(x.made_by)
