"""The attributes and methods of arrays, NumPy's scalars and types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.array_ops.grid import ReadOnly
from engine.arrays import arrangement, choosing, joining, linear, making, picking, reductions
from engine.arrays.array import Array, as_array, result
from engine.arrays.calling import of_array
from engine.arrays.dtypes import ArrayDType
from engine.arrays.scalars import CLASSES, Bool, Scalar, Str, plain
from engine.record.follow import TapedFloat, TapedFloat64, retyped
from engine.stand_ins.contract import Attribute, Kind, Machine, Method

from .numpy import rounded
from .numpy_context import context_of


def _method(f: Callable[..., Any]) -> Method:
    """A function of the module as a method of arrays and scalars."""
    function = of_array(f)

    def method(m: Machine, x: Any, *args: Any, **kwargs: Any) -> Any:
        context = context_of(m)
        found = function(context, as_array(context, x), *args, **kwargs)
        if isinstance(found, Array) and not found.shape and not isinstance(x, Array):
            return result(context, found.grid, found.dtype)
        return found

    return method


def _of_sizes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Sizes as several arguments or as one tuple: `a.reshape(2, 3)`, `a.reshape((2, 3))`."""

    def method(array: Array, *sizes: Any, **kwargs: Any) -> Any:
        if not sizes and not kwargs:
            return function(array)
        return function(array, sizes[0] if len(sizes) == 1 else sizes, **kwargs)

    return method


def _sort(array: Array, axis: Any = -1, kind: Any = None) -> None:
    array.grid.write(choosing.sort(array, axis).items())


def _partition(array: Array, kth: Any, axis: Any = -1) -> None:
    array.grid.write(choosing.partition(array, kth, axis).items())


def _fill(array: Array, value: Any) -> None:
    array[...] = value


def _astype(array: Array, dtype: Any, copy: bool = True) -> Array:
    wanted = making.chosen_type(dtype) or array.dtype
    return array if not copy and wanted == array.dtype else array.astype(wanted)


def _flat(array: Array) -> Array:
    """The elements in one row, which are only read where they do not lie in one."""
    found = arrangement.ravel(array)
    if found.grid.flat is not array.grid.flat:
        found.grid.flat = ReadOnly(found.grid.flat)
    return found


def _view(array: Array, *kinds: Any) -> Array:
    if kinds:
        array.context.host.refuse(
            "An array is not seen as another type here.", "Write x.astype(…)."
        )
    return array.like(array.grid)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
        "sum": reductions.sum_of, "prod": reductions.prod, "mean": reductions.mean,
        "var": reductions.var, "std": reductions.std, "max": reductions.maximum_of,
        "min": reductions.minimum_of, "argmax": reductions.argmax, "argmin": reductions.argmin,
        "all": reductions.all_of, "any": reductions.any_of, "cumsum": reductions.cumsum,
        "cumprod": reductions.cumprod,
        "reshape": _of_sizes(arrangement.reshape), "transpose": _of_sizes(arrangement.transposed),
        "ravel": arrangement.ravel, "flatten": arrangement.flatten, "squeeze": arrangement.squeeze,
        "swapaxes": arrangement.swapaxes, "copy": arrangement.copy, "astype": _astype,
        "repeat": joining.repeat, "dot": linear.dot, "trace": linear.trace,
        "clip": choosing.clip, "nonzero": choosing.nonzero, "argsort": choosing.argsort,
        "sort": _sort, "partition": _partition, "fill": _fill,
        "searchsorted": choosing.searchsorted, "take": picking.take, "round": rounded,
        "diagonal": making.diagonal, "conj": lambda array: array, "view": _view,
        "tolist": lambda array: array.tolist(), "item": lambda array, *index: array.item(*index),
}  # fmt: skip
METHODS: dict[str, Method] = {name: _method(function) for name, function in _FUNCTIONS.items()}
"""The methods of arrays; scalars have them too."""

ATTRIBUTES: dict[str, Attribute] = {
    "shape": lambda m, a: a.shape,
    "ndim": lambda m, a: a.ndim,
    "size": lambda m, a: a.size,
    "dtype": lambda m, a: a.dtype,
    "T": lambda m, a: arrangement.transposed(a),
    "flat": lambda m, a: _flat(a),
    "real": lambda m, a: a,
    "itemsize": lambda m, a: a.dtype.itemsize,
    "nbytes": lambda m, a: a.size * a.dtype.itemsize,
}


def _set_shape(m: Machine, array: Array, shape: Any) -> None:
    array.grid = arrangement.reshape(array, shape).grid


_OF_SCALARS: dict[str, Attribute] = {
    "shape": lambda m, x: (), "ndim": lambda m, x: 0, "size": lambda m, x: 1,
    "dtype": lambda m, x: as_array(context_of(m), x).dtype, "T": lambda m, x: x,
    "real": lambda m, x: x, "imag": lambda m, x: type(x)(0),
    "itemsize": lambda m, x: x.dtype.itemsize, "nbytes": lambda m, x: x.dtype.itemsize,
}  # fmt: skip


def _item(m: Machine, x: Any, *index: Any) -> Any:
    """The number as Python's own, followed as before."""
    return retyped(x, TapedFloat) if type(x) is TapedFloat64 else plain(x)


ARRAY_KINDS: tuple[Kind, ...] = (
    Kind(Array, ATTRIBUTES, METHODS, {"shape": _set_shape}),
    Kind(
        Scalar, _OF_SCALARS,
        METHODS | {"is_integer": lambda m, x: float(x).is_integer(), "item": _item},
    ),
    Kind(
        ArrayDType,
        {
            "name": lambda m, x: x.name, "kind": lambda m, x: x.kind,
            "itemsize": lambda m, x: x.itemsize,
            "type": lambda m, x: {**CLASSES, "bool": Bool}.get(x.name, Str),
        },
    ),
)  # fmt: skip
"""The kinds of objects that NumPy makes; scalars stand before Python's own numbers."""
