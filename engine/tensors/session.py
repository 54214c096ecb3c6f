"""What the tensors of one run share, and the one place where their elements are computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any

from engine.array_ops.flat import unequal
from engine.array_ops.grid import (
    ElementIndices,
    Grid,
    Shape,
    broadcast_shape,
    expanded_items,
    from_items,
)
from engine.ops import OPS, Op
from engine.real import as_single
from engine.value import Value

from . import blocks
from .blocks import SMALL
from .dtypes import BOOL, FLOAT32, INT64, DType
from .generator import TorchGenerator
from .machine import TensorMachine
from .printing import Options
from .scalar import IN_STEPS, Tensor
from .tensor_array import TensorArray

ELEMENTS = 200_000
DRAWN = 10_000
AXES = 8


class Session:
    """The machine and the random numbers of the tensors of one run."""

    is_beyond = False
    """Whether a graph of the run had more numbers than are drawn."""

    def __init__(self, machine: TensorMachine) -> None:
        self.machine = machine
        self.generator = TorchGenerator()
        self.printing = Options()
        self.hooks: list[Any] = []
        """What the program has registered to see gradients: `Hook`s."""
        self.count = 0
        """Recorded numbers that were computed one by one since the last pass."""
        self.libraries: dict[str, Any] = {}
        """The modules of the run that hold classes, made once."""

    def __deepcopy__(self, memo: Any) -> Session:
        return self

    @property
    def recording(self) -> bool:
        return self.machine.recording

    @contextmanager
    def recorded(self, enabled: bool) -> Iterator[None]:
        """A stretch in which results record gradients, or none."""
        before = self.machine.recording
        self.machine.recording = enabled
        try:
            yield
        finally:
            self.machine.recording = before

    def room(self, shape: Shape) -> int:
        """The number of elements of a new tensor, before it is built.

        One that is too large is refused. Raises RuntimeError for a negative length.
        """
        size = 1
        for n in shape:
            if n < 0:
                raise RuntimeError(
                    f"Trying to create tensor with negative dimension {n}: {list(shape)}"
                )
            size *= n
        if size > ELEMENTS or max(shape, default=0) > ELEMENTS:
            self.machine.refuse(
                f"This tensor has more than {ELEMENTS:,} elements.", "Take a smaller one."
            )
        if len(shape) > AXES:
            self.machine.refuse(f"This tensor has more than {AXES} axes.", "Take fewer axes.")
        return size

    # Elements in, elements out

    def array(self, x: Any) -> TensorArray:
        """A tensor for any operand: a tensor or a plain number. Raises TypeError for others."""
        if isinstance(x, TensorArray):
            return x
        if isinstance(x, Value):
            return self.array_of_number(x.data)
        if isinstance(x, bool | int | float):
            return self.array_of_number(x)
        raise TypeError(f"argument must be Tensor, not {type(x).__name__}")

    def array_of_number(self, x: float) -> TensorArray:
        dtype = BOOL if isinstance(x, bool) else INT64 if isinstance(x, int) else FLOAT32
        made = TensorArray(self, from_items([x], ()), dtype)
        made.is_number = True
        return made

    def tensor(
        self, items: list[Any], shape: Shape, dtype: DType, made_by: str = "", of: Any = ()
    ) -> Any:
        """A tensor of computed elements, recorded if `made_by` names a function.

        If no element depends on those `of` which it was computed, one passes them the gradient 0.
        """
        if made_by:
            if of and items and not any(isinstance(x, Tensor) for x in items):
                cell = next((x for x in of if isinstance(x, Tensor)), None)
                items = [self.tied(cell, items[0], dtype), *items[1:]]
            self.machine.arrangements.add(items, shape)
        return TensorArray(self, from_items(items, shape), dtype, bool(made_by), made_by)

    def view(self, of: TensorArray, grid: Grid, name: str) -> Any:
        """Elements of `of` in another arrangement; a view of it where `grid` is one."""
        live = self.is_live(of)
        if live and of.block is not None:
            return self._view_of_block(of, grid, name)
        shared = of.storage if grid.flat is of.grid.flat else None
        if shared is None and not live:
            grid = from_items(bare(grid.items()), grid.shape)
        if live and not grid.shape:
            self.machine.arrangements.add(grid.items(), ())
        return TensorArray(self, grid, of.dtype, live, name if live else "", shared)

    def _view_of_block(self, of: TensorArray, grid: Grid, name: str) -> Any:
        if grid.flat is not of.grid.flat:
            raise AssertionError("a copy of elements names their places")
        out = TensorArray(self, grid, of.dtype, True, name, of.storage)
        out.own_block = _picked(out, of, grid, name).own_block
        return out

    def chosen(self, of: TensorArray, found: ElementIndices, name: str) -> Any:
        """A copy of elements of a tensor that was computed as a whole."""
        plain = TensorArray(self, from_items(found.items(), found.shape), of.dtype)
        return _picked(plain, of, found, name)

    def is_whole(self, arrays: Sequence[TensorArray], numbers: int) -> bool:
        """Whether an operation that computes so many recorded numbers is one on whole tensors.

        It is where the graph has more than are drawn, from there on in the whole run.
        """
        if any(x.block is not None for x in arrays) or (self.is_beyond and numbers >= SMALL):
            return True
        self.count += numbers
        limits = getattr(self.machine, "limits", None)
        if self.count <= getattr(limits, "values", DRAWN) or numbers < SMALL:
            return False
        self.is_beyond = True
        drawn = getattr(limits, "values", DRAWN)
        self.machine.note(
            f"The graph has more than {drawn:,} Values, which is as many as are drawn. Passes from "
            "here on are not drawn. Take fewer samples or a smaller network to see them."
        )
        return True

    def is_large(self, arrays: Sequence[TensorArray], numbers: int) -> bool:
        """Whether an operation is one on whole tensors in a graph that is that large already."""
        return any(x.block is not None for x in arrays) or (self.is_beyond and numbers >= SMALL)

    def is_live(self, *arrays: TensorArray) -> bool:
        """Whether a result computed from `arrays` records a gradient."""
        return self.machine.recording and any(x.requires_grad for x in arrays)

    def is_followed(self, x: TensorArray) -> bool:
        """Whether the picture follows a tensor of one number that records no gradient."""
        cell = x.cell
        if cell is None or self.is_live(x):
            return False
        return not cell.recorded or (x.requires_grad and not self.recording)

    def element(self, x: TensorArray) -> Any:
        """The element of a tensor without axes: its Value if it is recorded or followed."""
        if self.is_live(x) or self.is_followed(x):
            return x.cells()[0]
        return bare(x.grid.items())[0]

    def cells(self, x: TensorArray, shape: Shape | None = None) -> list[Any]:
        """The elements, Values where they are recorded, broadcast to `shape`."""
        if x.block is not None and not self.machine.recording:
            x = x.detached()
        elif x.block is not None:
            whole = from_items(x.cells(), x.shape)
            return whole.flat if shape is None else expanded_items(whole, shape)
        shown = x if shape is None or shape == x.shape else x.expanded(shape)
        items = shown.grid.items()
        return items if x.requires_grad and self.machine.recording else bare(items)

    def common_shape(self, arrays: Sequence[TensorArray]) -> Shape:
        """The shape that arrays broadcast to. Raises RuntimeError as PyTorch does."""
        shape = arrays[0].shape
        for other in arrays[1:]:
            common = broadcast_shape(shape, other.shape)
            if common is None:
                raise RuntimeError(unequal(shape, other.shape).of_torch)
            shape = common
        self.room(shape)
        return shape

    # Arithmetic on elements

    def tied(self, cell: Any, number: Any, dtype: DType) -> Any:
        """A number in place of an element, to which it passes the gradient 0."""
        if not isinstance(cell, Tensor) or not isfinite(cell.data):
            return dtype.convert([number])[0]
        return self.apply(OPS["+"], dtype, self.apply(OPS["*"], dtype, cell, 0.0), number)

    def in_type(self, cell: Any, dtype: DType) -> Any:
        """An element in another precision, to which the gradient passes unchanged."""
        if not isinstance(cell, Tensor):
            return dtype.convert([cell])[0]
        same = cell.single is (dtype.bits == 32)
        return cell if same else self.apply(OPS["*"], dtype, cell, 1.0)

    def apply(self, op: Op, dtype: DType, *cells: Any) -> Any:
        """`op` of elements: a Tensor if one of them is recorded, else a number of `dtype`."""
        for cell in cells:
            if isinstance(cell, Tensor):
                break
        else:
            in_steps = IN_STEPS.get(op.name) if dtype.bits == 32 else None
            return dtype.convert(((in_steps or op.compute)(*cells),))[0]
        out = self.machine.apply(op, *cells)
        assert isinstance(out, Tensor)
        single = dtype.bits == 32
        if out.single is not single:
            out.single = single
            out.data = out.recomputed()
        return out

    def adder(self, dtype: DType) -> Any:
        """Addition of two elements."""
        plus = OPS["+"]
        if dtype.category < 2:
            return lambda a, b: dtype.convert([a + b])[0]

        rounded = as_single if dtype.bits == 32 else float

        def add(a: Any, b: Any) -> Any:
            if type(a) is float and type(b) is float:
                return rounded(a + b)
            return self.apply(plus, dtype, a, b)

        return add


def _picked(out: TensorArray, of: TensorArray, found: Grid | ElementIndices, name: str) -> Any:
    """`out` as the elements of `of` at these places."""
    params = {"places": of.places_in(found), "shape": out.shape}
    return blocks.of_op("index", out, [of], [True], params, name, saves=False)


def bare(items: list[Any]) -> list[Any]:
    """The numbers of elements without their graph."""
    return [x.data if isinstance(x, Value) else x for x in items]
