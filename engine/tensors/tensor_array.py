"""Tensors with axes: elements on a grid, each a number or a scalar Tensor that is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from engine.array_ops.grid import (
    ElementIndices,
    Grid,
    ReadOnly,
    Shape,
    expand,
    from_items,
    to_nested,
)
from engine.value import Value

from .dtypes import DEFAULTS, FLOAT32, DType
from .machine import TensorMachine
from .printing import Options, tensor_text
from .scalar import Tensor


class TensorSession(Protocol):
    """What one tensor needs of the session that its run shares."""

    machine: TensorMachine
    printing: Options


class Size(tuple[int, ...]):
    """The shape of a tensor as programs see it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def numel(self) -> int:
        size = 1
        for n in self:
            size *= n
        return size


def put(cells: list[Any], place: int, new: Any) -> None:
    """Write an element unseen by the graph: a number becomes the data of a recorded one."""
    old = cells[place]
    if isinstance(old, Tensor) and old.recorded and not isinstance(new, Value):
        old.data = old.rounded(float(new))
    else:
        list.__setitem__(cells, place, new)


class Leaves(list[Any]):
    """Elements that are leaves: a number written to one becomes the data of its Value."""

    def __setitem__(self, place: Any, new: Any) -> None:
        if isinstance(place, slice):
            for i, x in zip(range(len(self))[place], new, strict=True):
                put(self, i, x)
        else:
            put(self, place, new)


class Numbers(ReadOnly):
    """The numbers of a list of elements, as NumPy reads and writes them."""

    def __iter__(self) -> Iterator[Any]:
        return (x.data if isinstance(x, Value) else x for x in self.elements)

    def __getitem__(self, place: Any) -> Any:
        found = self.elements[place]
        if isinstance(place, slice):
            return [x.data if isinstance(x, Value) else x for x in found]
        return found.data if isinstance(found, Value) else found

    def __setitem__(self, place: Any, new: Any) -> None:
        if isinstance(place, slice):
            for i, x in zip(range(len(self))[place], new, strict=True):
                put(self.elements, i, x)
        else:
            put(self.elements, place, new)


class GradientList(list[Any]):
    """The gradients of a list of Values, as elements that can be read and written.

    `freeze` keeps the present ones, whatever becomes of the Values.
    """

    def freeze(self) -> None:
        for i, x in enumerate(self[:]):
            super().__setitem__(i, x)

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        if isinstance(place, slice):
            return [x.grad if isinstance(x, Value) else x for x in found]
        return found.grad if isinstance(found, Value) else found

    def __setitem__(self, place: Any, new: Any) -> None:
        if isinstance(place, slice):
            for i, x in zip(range(len(self))[place], new, strict=True):
                self[i] = x
            return
        held = super().__getitem__(place)
        if isinstance(held, Value):
            held.grad = held.rounded(float(new))
        else:
            super().__setitem__(place, new)


class Storage:
    """What tensors share that are views of the same elements.

    `version` counts the changes in place, and is shared with detached views too. `changes` counts
    those that made the elements depend on recorded ones. `is_foreign` says that an array of NumPy
    shares the elements, `is_fixed` that they are the saved results of a block, seen without their
    graph; `block` is the operation that computed them as a whole, if one did.
    """

    __slots__ = ("block", "changes", "is_fixed", "is_foreign", "version")

    def __init__(self, version: list[int] | None = None) -> None:
        self.version = [0] if version is None else version
        self.changes = 0
        self.is_fixed = self.is_foreign = False
        self.block: Any = None


class TensorArray:
    """A tensor: a grid of elements and their type.

    With `requires_grad` its elements are the scalar Tensors of the graph, read as such; without,
    the same elements are read as numbers, so that `detach()` and `data` are views. `made_by` names
    the grad_fn, empty for leaves. `name` is its first variable. `is_number` marks a plain number
    among operands, `is_view` a view of another tensor.
    """

    __slots__ = (
        "_made_by", "_recorded", "_seen", "dtype", "gradient", "grid", "is_number", "is_parameter",
        "is_view", "name", "own_block", "session", "storage",
    )  # fmt: skip
    __hash__ = object.__hash__

    def __init__(
        self,
        session: TensorSession,
        grid: Grid,
        dtype: DType = FLOAT32,
        requires_grad: bool = False,
        made_by: str = "",
        of: Storage | None = None,
    ) -> None:
        self.session, self.grid, self.dtype = session, grid, dtype
        self._recorded, self._made_by = requires_grad, made_by
        self.is_number = self.is_parameter = False
        self.is_view = of is not None
        self.storage = of or Storage()
        self._seen = self.storage.changes
        self.gradient: TensorArray | None = None
        self.name = ""
        self.own_block: Any = None

    @property
    def block(self) -> Any:
        """The operation that computed the elements as a whole, as long as they are."""
        return None if self.storage.block is None else self.own_block

    def cells(self) -> list[Any]:
        """The elements in row-major order, Values where they are recorded."""
        return [*self.block.elements()] if self.block is not None else self.grid.items()

    def places_in(self, grid: Grid | ElementIndices) -> list[int]:
        """For each element of a view its place in row-major order here."""
        if self.grid.is_contiguous:
            return [place - self.grid.offset for place in grid.positions()]
        places = {place: i for i, place in enumerate(self.grid.positions())}
        return [places[place] for place in grid.positions()]

    @property
    def requires_grad(self) -> bool:
        return self._recorded or self._seen != self.storage.changes

    @requires_grad.setter
    def requires_grad(self, recorded: bool) -> None:
        self._recorded, self._seen = recorded, self.storage.changes

    @property
    def made_by(self) -> str:
        if self._seen == self.storage.changes:
            return self._made_by
        return "AsStridedBackward0" if self.is_view else "CopySlices"

    @made_by.setter
    def made_by(self, name: str) -> None:
        self._recorded, self._made_by, self._seen = self.requires_grad, name, self.storage.changes

    def changed(self, made_by: str) -> None:
        """Take note that elements were replaced by recorded ones."""
        self.storage.changes += 1
        self._seen, self._recorded = self.storage.changes, True
        self._made_by = "AsStridedBackward0" if self.is_view else made_by

    @property
    def cell(self) -> Any:
        """The Value of a tensor without axes, if the picture follows it."""
        found = None if self.grid.shape else self.grid.flat[self.grid.offset]
        return found if isinstance(found, Value) else None

    @property
    def shape(self) -> Shape:
        return self.grid.shape

    @property
    def size(self) -> int:
        return self.grid.size

    @property
    def ndim(self) -> int:
        return len(self.grid.shape)

    @property
    def is_leaf(self) -> bool:
        return not self.made_by

    @property
    def rank(self) -> int:
        """0 for a plain number, 1 for a tensor without axes, 2 for others; for promotion."""
        return 0 if self.is_number else 1 if not self.shape else 2

    def expanded(self, shape: Shape) -> TensorArray:
        """A view in a shape that this one broadcasts to."""
        return self.seen_as(expand(self.grid, shape), self.made_by)

    def seen_as(self, grid: Grid, made_by: str) -> TensorArray:
        """A view of the same elements."""
        if self.block is not None:
            cells = self.block.elements()
            items = [cells[place] for place in self.places_in(grid)]
            return TensorArray(
                self.session, from_items(items, grid.shape), self.dtype, True, made_by
            )
        return TensorArray(
            self.session, grid, self.dtype, self.requires_grad, made_by, self.storage
        )

    def detached(self) -> TensorArray:
        """The same elements, read as numbers."""
        of = Storage(self.storage.version)
        of.is_foreign = self.storage.is_foreign
        of.is_fixed = self.storage.is_fixed or self.block is not None
        return TensorArray(self.session, self.grid, self.dtype, of=of)

    def numbers(self) -> list[Any]:
        """The elements in row-major order, as numbers."""
        if self.block is not None:
            return self.grid.items()
        return [x.data if isinstance(x, Value) else x for x in self.grid.items()]

    def values(self) -> list[Tensor]:
        """The scalar Tensors among the elements."""
        return [x for x in self.cells() if isinstance(x, Tensor)]

    def name_elements(self, name: str) -> None:
        """Label the Values among the elements that have no label yet: w[0][1] of w."""
        if self.block is None and self.shape:
            self.session.machine.arrangements.named(self.grid.items(), self.shape, name)
        elif self.cell is not None and not self.cell.label:
            self.cell.label = name

    def nested(self) -> Any:
        """The numbers as nested lists."""
        return to_nested(from_items(self.numbers(), self.shape))

    def __repr__(self) -> str:
        text = tensor_text(
            self.numbers(), self.shape, self.dtype.is_floating_point, self._suffixes(),
            self.session.printing,
        )  # fmt: skip
        return f"Parameter containing:\n{text}" if self.is_parameter else text

    def _suffixes(self) -> list[str]:
        usual = self.dtype in DEFAULTS if self.size else self.dtype == FLOAT32
        suffixes = [] if usual else [f"dtype={self.dtype!r}"]
        if self.made_by:
            suffixes.append(f"grad_fn=<{self.made_by}>")
        elif self.requires_grad:
            suffixes.append("requires_grad=True")
        return suffixes


def called(result: Any, name: str) -> Any:
    """`result` as that of the function `name` of PyTorch's graph, if it is recorded."""
    if getattr(result, "made_by", ""):
        result.made_by = name
    return result


def value_of(x: Any) -> Any:
    """The Value of a tensor of one number; anything else unchanged."""
    return x if not isinstance(x, TensorArray) or x.cell is None else x.cell


TensorArray.__name__ = TensorArray.__qualname__ = "Tensor"
TensorArray.__module__ = "torch"
