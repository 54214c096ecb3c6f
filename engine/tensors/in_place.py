"""Changes to the elements of a tensor where they are: `x += 1`, `x[0] = 5`, `x.zero_()`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.array_ops.flat import Flat
from engine.array_ops.grid import ElementIndices, Grid

from . import saved
from .arrangement import fitted, places
from .graph import LeafNode, Operation, TensorNode
from .scalar import Tensor
from .tensor_array import Storage, TensorArray

LEAF_CHANGED = "a leaf Variable that requires grad is being used in an in-place operation."
REPEATED = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)


def check_changeable(x: TensorArray, *, of_part: bool = False) -> None:
    """Raises RuntimeError for a leaf that records a gradient, or a view of one."""
    if x.size and any(n > 1 and not step for n, step in zip(x.shape, x.grid.strides, strict=True)):
        raise RuntimeError(REPEATED)
    if not x.is_live:
        return
    if x.is_leaf and not of_part:
        raise RuntimeError(LEAF_CHANGED)
    if x.storage.is_of_leaf:
        raise RuntimeError(f"a view of {LEAF_CHANGED}")
    if x.made_by in ("UnbindBackward0", "SplitBackward0") and x.is_view:
        raise RuntimeError(
            f"Output 0 of {saved.name_of_node(x.made_by)} is a view and is being modified inplace. "
            "This view is the output of a function that returns multiple views. Such functions do "
            "not allow the output views to be modified inplace. You should replace the inplace "
            "operation by an out-of-place one."
        )


def change(x: TensorArray, new: Any) -> Any:
    """`x` with the elements of `new` in place of its own."""
    check_changeable(x)
    if new.dtype.category > x.dtype.category and not new.is_number:
        raise RuntimeError(
            f"result type {new.dtype.title} can't be cast to the desired output type "
            f"{x.dtype.title}"
        )
    if new.shape != x.shape:
        raise RuntimeError(
            f"output with shape {list(x.shape)} doesn't match the broadcast shape {list(new.shape)}"
        )
    before = x.storage.version[0]
    write(x, x.grid, new, new.made_by)
    saved.move(new, x, before)
    return x


def write(x: TensorArray, target: Grid | ElementIndices, new: TensorArray, made_by: str) -> None:
    """Replace elements of `x` by those of `new`, of the same shape."""
    live, was_live, storage = new.is_live, x.is_live, x.storage
    if live and storage.is_foreign:
        x.session.machine.refuse(
            "An array of NumPy shares the elements of this tensor: no gradient passes there.",
            "Change a copy: x = x.clone().",
        )
    node = _changed(x, target, new.node if live else None) if live or was_live else None
    storage.version[0] += 1
    target.write(x.dtype.convert(new.numbers()))
    if node is not None:
        storage.node, storage.changes = node, storage.changes + 1
        x.node = node.view(x.grid)
        x.made_by = "AsStridedBackward0" if x.is_view else made_by or "CopySlices"
    if x.size == 1 and not storage.is_of_leaf:
        x.cell = new.cell


def _changed(x: TensorArray, target: Grid | ElementIndices, new: TensorNode | None) -> TensorNode:
    """The node of all that is stored once the elements `target` are those of `new`."""
    positions, size = target.positions(), len(target.flat)
    if new is not None and new.dtype is x.dtype and list(positions) == list(range(size)):
        return new
    shape, before = (size,), x.storage.node
    given = [Flat(shape, range(size)), Flat(target.shape, range(len(positions)))]  # type: ignore[arg-type]
    params = {"places": positions, "shape": target.shape}
    result = Flat(shape, [])
    return Operation("write", [before, new], given, result, x.dtype, params, saves=False)


def set_item(x: TensorArray, key: Any, value: Any) -> None:
    """`x[key] = value`, broadcast to the elements under `key`."""
    check_changeable(x, of_part=True)
    target, new = places(x, key), x.session.array(value)
    grid = fitted(_without_ones(new, len(target.shape)), target.shape)
    name = "IndexPutBackward0" if isinstance(target, ElementIndices) else "CopySlices"
    if target.shape == x.shape and isinstance(target, Grid):
        name = "FillBackward3" if new.is_number and x.shape else "CopyBackwards"
    write(x, target, seen(new, grid), name)


def _without_ones(x: TensorArray, rank: int) -> TensorArray:
    """The same elements without leading axes of length 1 beyond `rank`."""
    extra = x.ndim - rank
    if extra <= 0 or any(n != 1 for n in x.shape[:extra]):
        return x
    return x.seen_as(Grid(x.grid.flat, x.shape[extra:], x.grid.strides[extra:], x.grid.offset))


def seen(new: TensorArray, grid: Grid) -> TensorArray:
    """Elements broadcast to the shape of a grid of theirs."""
    return new if grid.shape == new.shape else new.seen_as(grid)


def fill(x: TensorArray, numbers: Sequence[Any], made_by: str = "") -> Any:
    """Plain numbers in place of the elements: zero_(), fill_(), uniform_(), normal_()."""
    check_changeable(x)
    write(x, x.grid, x.new(x.dtype.convert(numbers)), made_by)
    return x


def assign_data(x: TensorArray, new: Any) -> None:
    """`x.data = new`: the elements of another tensor, without a trace in the graph."""
    new = x.session.array(new)
    if new.grid.flat is x.grid.flat and new.shape == x.shape:
        return
    if new.is_number:
        new = x.new(x.dtype.convert(new.numbers()), ())
    before, recorded = x.node, x.requires_grad
    x.grid, x.dtype = new.grid, new.dtype
    x.storage, x.is_view = Storage(x.storage.version), False
    x.node = before
    x.storage.is_of_leaf = recorded and x.is_leaf
    if isinstance(before, LeafNode):
        before.shape, before.dtype = x.shape, x.dtype
    if x.cell is not None:
        x.cell.single = x.dtype.bits == 32
    if x.size != 1:
        x.cell = None


NOT_FLOATS = "Only Tensors of floating point and complex dtype can require gradients"


def become_leaf(x: TensorArray, refusal: str = NOT_FLOATS) -> None:
    """From now on a tensor records gradients, and adds them up.

    Raises RuntimeError with the words `refusal` unless its elements are floats.
    """
    if x.dtype.category < 2:
        raise RuntimeError(refusal)
    x.node, x.storage.is_of_leaf = LeafNode(x), True
    if x.size == 1 and (x.cell is None or x.cell.op is not None):
        draw_leaf(x, recorded=True)
    elif x.cell is not None:
        x.cell.recorded = True


def draw_leaf(x: TensorArray, *, recorded: bool) -> None:
    """Let the picture have a leaf of a tensor of one number, which the reader may change."""
    (number,) = x.numbers()
    cell = Tensor(number, single=x.dtype.bits == 32, recorded=recorded)
    x.session.machine.leaf(cell)
    x.grid.write([cell.data])
    x.cell = cell
    x.label(x.name)
    x.session.drawn.append(x)
