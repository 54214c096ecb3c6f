"""The array that programs hold: elements on a grid, of one type, with NumPy's operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from engine.array_ops.grid import (
    ElementIndices,
    Grid,
    Ragged,
    Shape,
    expanded_items,
    from_items,
    from_nested,
    shape_text,
    to_nested,
)

from . import elementary, elementwise, indexing, printing, products
from .context import MAX_AXES, Context
from .dtypes import OBJECT, ArrayDType, cast, infer, text_type, type_of_class
from .elementwise import UFUNCS, Operand, UFuncTypeError
from .scalars import COMPARISONS, NAMES_OF_SIGNS, SIGNS, Bool, Scalar, plain, scalar

BAD_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
    "boolean arrays are valid indices"
)


class Array:
    """Elements of type `dtype` on `grid`; arrays that share the grid's list are views."""

    __slots__ = ("context", "dtype", "grid")
    __array_priority__ = 1.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, context: Context, grid: Grid, dtype: ArrayDType) -> None:
        self.context = context
        self.grid = grid
        self.dtype = dtype

    @property
    def shape(self) -> Shape:
        return self.grid.shape

    @property
    def size(self) -> int:
        return self.grid.size

    @property
    def ndim(self) -> int:
        return self.grid.ndim

    def like(self, grid: Grid) -> Array:
        """An array of the same type on another grid."""
        return Array(self.context, grid, self.dtype)

    def made(
        self, items: list[Any], shape: Shape | None = None, dtype: ArrayDType | None = None
    ) -> Array:
        """An array of the same run; by default of this shape and type."""
        grid = from_items(items, self.shape if shape is None else shape)
        return Array(self.context, grid, dtype or self.dtype)

    def row(self, items: list[Any], dtype: ArrayDType | None = None) -> Array:
        """A vector of the same run."""
        return self.made(items, (len(items),), dtype)

    def answer(
        self, items: list[Any], shape: Shape | None = None, dtype: ArrayDType | None = None
    ) -> Any:
        """As `made`, but the scalar where there is no axis."""
        found = self.made(items, shape, dtype)
        return result(self.context, found.grid, found.dtype)

    def items(self) -> list[Any]:
        """The elements in row-major order, as plain numbers or objects."""
        return self.grid.items()

    def astype(self, dtype: ArrayDType) -> Array:
        """A copy with elements of another type."""
        if dtype.kind == "i" and any(x != x or abs(x) == float("inf") for x in self.floats()):
            self.context.warn("invalid", "cast")
        items = cast(self.items(), dtype)
        if dtype.kind == "U":
            dtype = (
                text_type(_WIDTHS[self.dtype.name]) if self.dtype.name in _WIDTHS else infer(items)
            )
        return Array(self.context, from_items(items, self.shape), dtype)

    def floats(self) -> list[float]:
        """The elements if they are floats, otherwise none."""
        return self.items() if self.dtype.kind == "f" else []

    def __copy__(self) -> Array:
        return Array(self.context, self.grid.copy(), self.dtype)

    def __deepcopy__(self, memo: Any) -> Array:
        items = self.items()
        if self.dtype.kind == "O":
            items = [deepcopy(x, memo) for x in items]
        return Array(self.context, from_items(items, self.shape), self.dtype)

    # Elements

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int and self.ndim == 1:
            grid = self.grid
            place = indexing.within(key, 0, grid.shape[0]) * grid.strides[0] + grid.offset
            return scalar(grid.flat[place], self.dtype)
        found = self.find(key)
        if isinstance(found, ElementIndices):
            self.context.admit(found.shape)
            found = from_items(found.items(), found.shape)
        elif not found.shape and not _keeps_array(key):
            return scalar(found.flat[found.offset], self.dtype)
        return self.like(found)

    def __setitem__(self, key: Any, value: Any) -> None:
        found = self.find(key)
        if self.dtype is OBJECT and not found.shape:
            found.write([value])
            return
        values = as_array(self.context, value, self.dtype)
        is_mask = isinstance(key, Array) and key.dtype.kind == "b"
        indexing.check_assignment(is_mask, values.shape, found)
        shape = values.shape[max(0, values.ndim - len(found.shape)) :]
        self.context.admit(found.shape)
        found.write(expanded_items(from_items(values.items(), shape), found.shape))

    def find(self, key: Any) -> Grid | ElementIndices:
        """The elements under a program's index."""
        parts = key if isinstance(key, tuple) else (key,)
        grids = tuple(_part(self.context, part) for part in parts)
        if len(grids) == 1 and isinstance(grids[0], Grid) and not grids[0].shape:  # one truth
            count = int(grids[0].items()[0])
            at = list(self.grid.positions()) * count
            return ElementIndices(self.grid.flat, (count, *self.shape), at)
        return indexing.find(self.grid, grids, self.context.admit)

    def __contains__(self, x: Any) -> bool:
        return any((self == x).items())

    def tolist(self) -> Any:
        return to_nested(self.grid)

    def item(self, *index: Any) -> Any:
        """The element of an array of one, or the one at an index, as a plain number."""
        if index:
            flat = self.grid.items()
            at = index[0] if len(index) == 1 else index
            return plain(self[at]) if isinstance(at, tuple) else flat[at]
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.grid.flat[self.grid.offset]

    # Conversions

    def __bool__(self) -> bool:
        if self.size == 0:
            raise ValueError(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check "
                "that an array is not empty."
            )
        if self.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        return bool(self.item())

    def _only(self) -> Any:
        if self.shape:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.item()

    def __float__(self) -> float:
        return float(self._only())

    def __int__(self) -> int:
        return int(self._only())

    def __index__(self) -> int:
        if self.shape or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self.item())

    def __str__(self) -> str:
        return printing.text(self.context, self.grid, self.dtype)

    def __repr__(self) -> str:
        return printing.representation(self.context, self.grid, self.dtype)

    def __format__(self, form: str) -> str:
        if form and self.shape:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return format(self.item(), form) if form else str(self)

    # Operators; those of every sign are installed below

    def __neg__(self) -> Array:
        return self.mapped("negative")

    def __pos__(self) -> Array:
        return self.like(self.grid.copy())

    def __abs__(self) -> Array:
        return self.mapped("absolute")

    def __invert__(self) -> Array:
        return self.mapped("invert")

    def mapped(self, name: str) -> Array:
        """An elementary function of every element."""
        grid, dtype = elementary.apply(self.context, name, self.grid, self.dtype)
        return noted(Array(self.context, grid, dtype))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __matmul__(self, other: Any) -> Any:
        return product(self.context, self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return product(self.context, other, self)


_WIDTHS = {"float64": 32, "float32": 32, "int64": 21, "int32": 11, "uint8": 3, "bool": 5}
"""Letters that NumPy sets aside for a number of a type as text."""


def _keeps_array(key: Any) -> bool:
    """Whether an index gives an array even where no axis is left: `a[..., 0]`."""
    return key is Ellipsis or (isinstance(key, tuple) and any(part is Ellipsis for part in key))


def _part(context: Context, part: Any) -> Any:
    """A part of a program's index as `indexing` reads it."""
    if part is None or part is Ellipsis or isinstance(part, slice):
        return part
    if isinstance(part, int) and not isinstance(part, (bool, Bool)):
        return int(part)
    if not isinstance(part, (Array, Bool, list, tuple, range)):
        raise IndexError(BAD_INDEX)
    array = part if isinstance(part, Array) else as_array(context, part)
    if not array.size and not isinstance(part, Array):
        return array.grid
    if array.dtype.kind not in "bui":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return array.grid if array.shape or array.dtype.kind == "b" else int(array.item())


# Arrays of what a program gives


def as_array(context: Context, value: Any, dtype: ArrayDType | None = None) -> Array:
    """The array of a number, an object, or nested sequences; an array of that type is itself.

    ValueError for sequences of different lengths, unless `dtype` is object.
    """
    if isinstance(value, Array):
        return value if dtype is None or dtype == value.dtype else value.astype(dtype)
    try:
        grid = from_nested(value, _sequences(context), MAX_AXES)
    except Ragged as ragged:
        grid = _ragged(context, value, ragged, dtype)
    context.admit(grid.shape)
    if any(type(x) is Array for x in grid.flat):  # without axes: numbers among others
        grid.flat = [x.item() if type(x) is Array and not x.shape else x for x in grid.flat]
    dtype = infer(grid.flat) if dtype is None else dtype
    if dtype.kind == "i":
        grid.flat = [_whole(x) for x in grid.flat]
    items = cast(grid.flat, dtype)
    kind = infer(items) if dtype.kind == "U" else dtype
    return noted(Array(context, from_items(items, grid.shape), kind))


def _whole(x: Any) -> Any:
    if isinstance(x, float) and x != x:
        raise ValueError("cannot convert float NaN to integer")
    return x


def _sequences(context: Context) -> Callable[[Any], list[Any] | None]:
    """The items of sequences, which on no level are more than an array may have."""
    count = 0

    def items(x: Any) -> list[Any] | None:
        nonlocal count
        if isinstance(x, Array):
            return list(x) if x.shape else None
        if not isinstance(x, (list, tuple, range)):
            return None
        count += len(x)
        context.admit((count // (MAX_AXES + 1),))
        return list(x)

    return items


def _ragged(context: Context, value: Any, ragged: Ragged, dtype: ArrayDType | None) -> Grid:
    if dtype is not OBJECT:
        raise ValueError(
            "setting an array element with a sequence. The requested array has an inhomogeneous "
            f"shape after {len(ragged.shape)} dimensions. The detected shape was "
            f"{ragged.shape} + inhomogeneous part."
        )
    return from_nested(value, _sequences(context), len(ragged.shape) - 1)


def operand(context: Context, x: Any) -> Operand:
    """One side of an operator."""
    if isinstance(x, Array):
        return Operand(x.grid, x.dtype)
    if isinstance(x, Scalar):
        return Operand(from_items([plain(x)], ()), x.dtype)
    if isinstance(x, (int, float)) and (isinstance(x, float) or -(2**63) <= x < 2**63):
        return Operand(from_items([x], ()), type_of_class(type(x)), weak=not isinstance(x, bool))
    array = as_array(context, x)
    return Operand(array.grid, array.dtype)


def result(context: Context, grid: Grid, dtype: ArrayDType) -> Any:
    """An array, or the scalar where there is no axis."""
    array = noted(Array(context, grid, dtype))
    return array if grid.shape else scalar(grid.flat[grid.offset], dtype)


def noted(array: Array) -> Array:
    """An array that an operation made: its Values are drawn as one box."""
    if array.dtype is OBJECT:
        array.context.host.arrangements.add(array.items(), array.shape)
    return array


def combined(context: Context, sign: str, a: Any, b: Any) -> Any:
    """`a sign b` of anything that makes arrays: an array, or a scalar where there is no axis."""
    compute = elementwise.compare if sign in COMPARISONS else elementwise.binary
    grid, dtype = compute(context, sign, operand(context, a), operand(context, b))
    return result(context, grid, dtype)


def product(context: Context, a: Any, b: Any) -> Any:
    """a @ b."""
    grid, dtype = products.matmul(context, operand(context, a), operand(context, b))
    return result(context, grid, dtype)


def change(array: Array, sign: str, other: Any) -> Array:
    """`array sign= other`: the elements are replaced, so that all views show it."""
    grid, dtype = elementwise.binary(
        array.context, sign, operand(array.context, array), operand(array.context, other)
    )
    if grid.shape != array.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {shape_text(array.shape)} doesn't match "
            f"the broadcast shape {shape_text(grid.shape)}"
        )
    if "buifO".index(dtype.kind) > "buifO".index(array.dtype.kind):
        raise UFuncTypeError(
            f"Cannot cast ufunc '{UFUNCS[sign]}' output from {dtype!r} to {array.dtype!r} with "
            "casting rule 'same_kind'"
        )
    array.grid.write(cast(grid.flat, array.dtype))
    return noted(array)


def _install(sign: str, name: str) -> None:
    def forward(self: Array, other: Any) -> Any:
        return combined(self.context, sign, self, other)

    def reflected(self: Array, other: Any) -> Any:
        return combined(self.context, sign, other, self)

    def in_place(self: Array, other: Any) -> Any:
        return change(self, sign, other)

    setattr(Array, f"__{name}__", forward)
    if sign in SIGNS:
        setattr(Array, f"__r{name}__", reflected)
        setattr(Array, f"__i{name}__", in_place)


for _sign, _name in NAMES_OF_SIGNS.items():
    _install(_sign, _name)
Array.__module__, Array.__name__, Array.__qualname__ = "numpy", "ndarray", "ndarray"
