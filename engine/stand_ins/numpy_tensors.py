"""Arrays of tensors and tensors of arrays, which share their elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.array_ops.grid import Grid
from engine.arrays import making
from engine.arrays.array import Array
from engine.arrays.context import Context
from engine.arrays.dtypes import dtype_of_name
from engine.arrays.scalars import Scalar
from engine.stand_ins import tensor_kinds
from engine.stand_ins.contract import Machine
from engine.tensors.dtypes import NAMES, DType
from engine.tensors.tensor_array import TensorArray

from .numpy_context import context_of


def array_of(m: Machine, tensor: TensorArray) -> Array:
    """`tensor.numpy()`."""
    context = context_of(m)
    context.admit(tensor.shape)
    tensor.storage.is_foreign = True
    grid = tensor.grid
    found = Grid(grid.flat, grid.shape, grid.strides, grid.offset)
    return Array(context, found, dtype_of_name(tensor.dtype.name))


def tensor_of(m: Machine, array: Array) -> TensorArray:
    """`torch.from_numpy(array)`."""
    dtype = type_of(m, array)
    assert dtype is not None
    grid = array.grid
    found = Grid(grid.flat, grid.shape, grid.strides, grid.offset)
    made = TensorArray(tensor_kinds.session_of(m), found, dtype)
    made.storage.is_foreign = True
    return made


tensor_kinds.NUMPY["array"] = array_of


def array(context: Context, object: Any, *args: Any, **kwargs: Any) -> Array:  # noqa: A002
    """`np.array`, of a tensor as well."""
    given = _without_tensor(context, object)
    if given is not object:
        given = given.like(given.grid.copy())
    return making.array(context, given, *args, **kwargs)


def asarray(context: Context, a: Any, *args: Any, **kwargs: Any) -> Array:
    """`np.asarray`, of a tensor as well."""
    return making.asarray(context, _without_tensor(context, a), *args, **kwargs)


def _without_tensor(context: Context, x: Any) -> Any:
    if isinstance(x, TensorArray):
        m: Any = context.host
        return tensor_kinds.array_of(m, x)
    return x


def type_of(m: Machine, data: Any) -> DType | None:
    """The type of `torch.tensor(data)` for arrays, lists of them, and NumPy's numbers."""
    if isinstance(data, list | tuple) and data and isinstance(data[0], Array):
        data = data[0]
    if not isinstance(data, Array | Scalar):
        return None
    name = data.dtype.name
    if name == "object":
        raise TypeError(
            "can't convert np.ndarray of type numpy.object_. The only supported types are: "
            "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, "
            "uint32, uint16, uint8, and bool."
        )
    if name not in NAMES:
        m.refuse(f"Tensors of {name} are not here.", "Write x.astype(float).")
    return NAMES[name]


def parts_of(m: Machine) -> Callable[[Any], Sequence[Any] | None]:
    """The items of sequences of other kinds, such as arrays."""

    def parts(x: Any) -> Sequence[Any] | None:
        has_items = hasattr(type(x), "__len__") and hasattr(type(x), "__getitem__")
        if not has_items or isinstance(x, str | bytes | dict):
            return None
        return list(x) if getattr(x, "shape", (1,)) else None

    return parts
