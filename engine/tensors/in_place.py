"""Changes to the elements of a tensor where they are: `x += 1`, `x[0] = 5`, `x.zero_()`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.array_ops.flat import Flat
from engine.array_ops.grid import ElementIndices, Grid

from . import saved
from .arrangement import fitted, places
from .dtypes import DType
from .graph import LeafNode, Operation, TensorNode
from .scalar import Tensor
from .session import Session
from .tensor_array import Storage, TensorArray

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
    if array.storage.is_of_leaf:
        raise RuntimeError(f"a view of {LEAF_CHANGED}")
    if array.made_by in ("UnbindBackward0", "SplitBackward0") and array.is_view:
        raise RuntimeError(_one_of_many(array.made_by))


REPEATED = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)


def _one_of_many(made_by: str) -> str:
    return (
        f"Output 0 of {saved.name_of_node(made_by)} is a view and is being modified inplace. This "
        "view is the output of a function that returns multiple views. Such functions do not allow "
        "the output views to be modified inplace. You should replace the inplace operation by an "
        "out-of-place one."
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
    live, was_live = session.is_live(new), session.is_live(array)
    if live and array.storage.is_foreign:
        session.machine.refuse(
            "An array of NumPy shares the elements of this tensor: no gradient passes there.",
            "Change a copy: x = x.clone().",
        )
    storage = array.storage
    node = _changed(array, target, new.node if live else None) if live or was_live else None
    storage.version[0] += 1
    items = array.dtype.convert(new.numbers())
    target.write(items)
    if node is not None:
        storage.node, storage.changes = node, storage.changes + 1
        array.node = node.view(array.grid)
        array.made_by = "AsStridedBackward0" if array.is_view else made_by or "CopySlices"
    if array.size == 1 and not storage.is_of_leaf:
        array.cell = new.cell


def _changed(
    array: TensorArray, target: Grid | ElementIndices, new: TensorNode | None
) -> TensorNode:
    """The node of all that is stored once the elements `target` are those of `new`."""
    positions, size = target.positions(), len(target.flat)
    if new is not None and new.dtype is array.dtype and list(positions) == list(range(size)):
        return new
    shape, before = (size,), array.storage.node
    given = [Flat(shape, range(size)), Flat(target.shape, range(len(positions)))]  # type: ignore[arg-type]
    params = {"places": positions, "shape": target.shape}
    result = Flat(shape, [])
    return Operation("write", [before, new], given, result, array.dtype, params, saves=False)


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
    write(session, array, target, _as(new, grid), name)


def _without_ones(array: TensorArray, rank: int) -> TensorArray:
    """The same elements without leading axes of length 1 beyond `rank`."""
    extra = array.ndim - rank
    if extra <= 0 or any(n != 1 for n in array.shape[:extra]):
        return array
    grid = Grid(array.grid.flat, array.shape[extra:], array.grid.strides[extra:], array.grid.offset)
    return array.seen_as(grid)


def _as(new: TensorArray, grid: Grid) -> TensorArray:
    return new if grid.shape == new.shape else new.seen_as(grid)


def fill(session: Session, x: Any, numbers: Sequence[Any], made_by: str = "") -> Any:
    """Plain numbers in place of the elements: zero_(), fill_(), uniform_(), normal_()."""
    array = session.array(x)
    check_changeable(session, array)
    new = session.tensor(array.dtype.convert(numbers), array.shape, array.dtype)
    write(session, array, array.grid, new, made_by)
    return x


def assign_data(session: Session, x: Any, value: Any) -> None:
    """`x.data = value`: the elements of another tensor, without a trace in the graph."""
    new, array = session.array(value), session.array(x)
    if new.grid.flat is array.grid.flat and new.shape == array.shape:
        return
    if new.is_number:
        new = session.tensor(array.dtype.convert(new.numbers()), (), array.dtype)
    before, recorded = array.node, array.requires_grad
    array.grid, array.dtype = new.grid, new.dtype
    array.storage, array.is_view = Storage(array.storage.version), False
    array.node = before
    array.storage.is_of_leaf = recorded and array.is_leaf
    if isinstance(before, LeafNode):
        before.shape, before.dtype = array.shape, array.dtype
    if array.cell is not None:
        array.cell.single = array.dtype.bits == 32
    if array.size != 1:
        array.cell = None


NOT_FLOATS = "Only Tensors of floating point and complex dtype can require gradients"


def become_leaf(session: Session, array: TensorArray, refusal: str = NOT_FLOATS) -> None:
    """From now on a tensor records gradients, and adds them up.

    Raises RuntimeError with the words `refusal` unless its elements are floats.
    """
    if array.dtype.category < 2:
        raise RuntimeError(refusal)
    array.node, array.storage.is_of_leaf = LeafNode(array), True
    if array.size == 1 and (array.cell is None or array.cell.op is not None):
        draw_leaf(session, array, recorded=True)
    elif array.cell is not None:
        array.cell.recorded = True


def draw_leaf(session: Session, array: TensorArray, *, recorded: bool) -> None:
    """Let the picture have a leaf of a tensor of one number, which the reader may change."""
    (number,) = array.numbers()
    cell = Tensor(number, single=array.dtype.bits == 32, recorded=recorded)
    session.machine.leaf(cell)
    array.grid.write([cell.data])
    array.cell = cell
    array.label(array.name)
    session.drawn.append(array)
