"""Tensors: elements on a grid that views share, and what the graph of a pass knows of them."""

from __future__ import annotations

from typing import Any

from engine.array_ops.grid import Grid, Shape, row_major, to_nested

from .dtypes import DEFAULTS, FLOAT32, DType
from .printing import tensor_text
from .scalar import Tensor


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


class Storage:
    """What tensors share that are views of the same elements.

    `version` counts the changes in place, and is shared with detached views too. `node` is the
    operation that computed all elements as they are now, None if none is recorded; `changes` counts
    how often it has become another one. `is_foreign` says that an array of NumPy shares the
    elements, `is_of_leaf` that they are those of a leaf that records gradients.
    """

    __slots__ = ("changes", "is_foreign", "is_of_leaf", "node", "version")

    def __init__(self, version: list[int] | None = None) -> None:
        self.version = [0] if version is None else version
        self.changes = 0
        self.is_foreign = self.is_of_leaf = False
        self.node: Any = None


class TensorArray:
    """A tensor: a grid of numbers and their type.

    `node` is the operation that computed it, or the leaf that adds up its gradient; without one it
    records none. `made_by` names the grad_fn, empty for leaves. `cell` is the Value that is drawn
    of a tensor of one number. `name` is its first variable. `is_number` marks a plain number among
    operands, `is_view` a view of another tensor.
    """

    __slots__ = (
        "_made_by", "_node", "_seen", "cell", "dtype", "gradient", "grid", "is_number",
        "is_parameter", "is_view", "name", "session", "storage",
    )  # fmt: skip
    __hash__ = object.__hash__

    def __init__(
        self,
        session: Any,
        grid: Grid,
        dtype: DType = FLOAT32,
        node: Any = None,
        made_by: str = "",
        of: Storage | None = None,
    ) -> None:
        self.session, self.grid, self.dtype = session, grid, dtype
        self._node, self._made_by = node, made_by
        self.is_number = self.is_parameter = False
        self.is_view = of is not None
        self.storage = of or Storage()
        self._seen = self.storage.changes
        self.gradient: TensorArray | None = None
        self.cell: Tensor | None = None
        self.name = ""

    @property
    def node(self) -> Any:
        if self._seen != self.storage.changes:
            self._node = self.storage.node.view(self.grid)
            self._seen = self.storage.changes
            several = self._made_by in ("UnbindBackward0", "SplitBackward0")
            self._made_by = "AsStridedBackward0" if self.is_view else "CopySlices"
            self._made_by = "Invalid" if several and self.is_view else self._made_by
            self.cell = None
        return self._node

    @node.setter
    def node(self, node: Any) -> None:
        self._node, self._seen = node, self.storage.changes

    @property
    def requires_grad(self) -> bool:
        return self.node is not None

    @property
    def is_live(self) -> bool:
        """Whether a result computed from it records a gradient."""
        return self.session.machine.recording and self.node is not None

    @property
    def made_by(self) -> str:
        return self._made_by if self.node is not None else ""

    @made_by.setter
    def made_by(self, name: str) -> None:
        self._made_by = name if self.node is not None else ""

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

    def new(
        self, items: list[Any], shape: Shape | None = None, dtype: DType | None = None
    ) -> TensorArray:
        """A tensor of computed numbers, of the same run; by default of this shape and type."""
        return plain(self.session, items, self.shape if shape is None else shape,
                     dtype or self.dtype)  # fmt: skip

    def view(self, grid: Grid, name: str) -> TensorArray:
        """Its elements in another arrangement, as an operation of a program gives them."""
        self.session.room(grid.shape)
        if self.is_live:
            return self.seen_as(grid, name)
        out = TensorArray(self.session, grid, self.dtype, of=self.storage)
        out.cell = self.cell if grid.size == 1 else None
        return out

    def seen_as(self, grid: Grid, made_by: str = "") -> TensorArray:
        """A view of the same elements."""
        node = None if self.node is None else self.node.picked(self.places_in(grid), grid.shape)
        out = TensorArray(self.session, grid, self.dtype, node, made_by or self.made_by,
                          self.storage)  # fmt: skip
        out.cell = self.cell if grid.size == 1 else None
        return out

    def places_in(self, grid: Any) -> list[int]:
        """For each element of a view its place in row-major order here."""
        if self.grid.is_contiguous:
            start = self.grid.offset
            return [place - start for place in grid.positions()] if start else [*grid.positions()]
        places = {place: i for i, place in enumerate(self.grid.positions())}
        return [places[place] for place in grid.positions()]

    def detached(self) -> TensorArray:
        """The same elements without their graph."""
        of = Storage(self.storage.version)
        of.is_foreign = self.storage.is_foreign
        return TensorArray(self.session, self.grid, self.dtype, of=of)

    def numbers(self) -> list[Any]:
        """The elements in row-major order."""
        return self.grid.items()

    def label(self, name: str) -> None:
        """Call the Value that is drawn of it `name`, unless it has a name."""
        if self.cell is not None and not self.cell.label:
            self.cell.label = name

    def nested(self) -> Any:
        """The numbers as nested lists."""
        return to_nested(self.grid)

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


def plain(session: Any, items: list[Any], shape: Shape, dtype: DType) -> TensorArray:
    """A tensor of numbers in row-major order."""
    return TensorArray(session, Grid(items, shape, row_major(shape)), dtype)


def tensors(*given: Any) -> list[TensorArray]:
    """Operands as tensors, plain numbers among them too. Raises TypeError unless one is one."""
    session = next((x.session for x in given if isinstance(x, TensorArray)), None)
    if session is None:
        raise TypeError(
            f"argument 'input' (position 1) must be Tensor, not {type(given[0]).__name__}"
        )
    return [x if isinstance(x, TensorArray) else session.array(x) for x in given]


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
