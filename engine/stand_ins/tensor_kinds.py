"""Tensors as objects of a program: their attributes and methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from engine.tensors import operators  # noqa: F401 - gives tensors their operators
from engine.tensors.arrangement import reversed_axes
from engine.tensors.changes import CHANGES, copied
from engine.tensors.creation import ALIKE
from engine.tensors.functions import METHODS, OF_NUMBERS, Function
from engine.tensors.gradients import backward, require, retain, set_gradient
from engine.tensors.hooks import register_hook
from engine.tensors.in_place import assign_data
from engine.tensors.session import Session
from engine.tensors.tensor_array import Size, TensorArray
from engine.value import Value

from .contract import Attribute, Kind, Machine, Method


def session_of(m: Machine) -> Session:
    """What the tensors of the run share."""
    if m.natives.tensors is None:
        m.natives.tensors = Session(m)
    session: Session = m.natives.tensors
    return session


class GradFn:
    """The function that differentiates a tensor: only its name can be read."""

    __slots__ = ()

    def name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{self.name()} object at 0x7f0000000000>"


class Device:
    """Where tensors are: always the CPU."""

    __slots__ = ()
    type = "cpu"

    def __repr__(self) -> str:
        return "device(type='cpu')"

    def __str__(self) -> str:
        return "cpu"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) or other == "cpu"

    def __hash__(self) -> int:
        return hash("cpu")


CPU = Device()


_IN_NUMPY = {"axis": "dim", "keepdims": "keepdim"}


def in_torch_words(options: dict[str, Any]) -> dict[str, Any]:
    """Options under PyTorch's names, which takes NumPy's for the same."""
    return {_IN_NUMPY.get(name, name): x for name, x in options.items()} if options else options


def method_of(function: Function) -> Method:
    """A function of a tensor and other arguments as a method of tensors.

    It raises TypeError for a number in place of the tensor, as PyTorch does.
    """
    name = function.__name__

    def method(m: Machine, *args: Any, **kwargs: Any) -> Any:
        given = in_torch_words(kwargs)
        if not args and "input" not in given:
            raise TypeError(f'{name}() missing 1 required positional arguments: "input"')
        x, *rest = args or (given.pop("input"),)
        if not isinstance(x, TensorArray):
            if not isinstance(x, Value) and name not in OF_NUMBERS:
                raise TypeError(
                    f"{name}(): argument 'input' (position 1) must be Tensor, not "
                    f"{type(x).__name__}"
                )
            x = session_of(m).array(x)
        out = given.pop("out", None) if given else None
        found = function(x, *rest, **given)
        return found if out is None else copied(out, found)

    method.__name__ = method.__qualname__ = name
    return method


def _detach(m: Machine, x: Any) -> Any:
    return x.detached()


def _data(m: Machine, x: Any) -> Any:
    """x.data: as x.detach(), but changes to it are not counted as changes of x."""
    found = x.detached()
    found.storage.version = [0]
    return found


def _grad_fn(m: Machine, x: Any) -> Any:
    name = x.made_by
    return _class_of(name)() if name else None


@cache
def _class_of(name: str) -> type[GradFn]:
    """The class of this name, as each function of PyTorch's graph has one of its own."""
    return type(name, (GradFn,), {"__slots__": ()})


def _item(m: Machine, x: Any) -> Any:
    if x.size != 1:
        raise RuntimeError(f"a Tensor with {x.size} elements cannot be converted to Scalar")
    return x.numbers()[0]


def _backward(
    m: Machine, x: Any, gradient: Any = None, retain_graph: bool | None = None,
    create_graph: bool = False, inputs: Any = None,
) -> None:  # fmt: skip
    if create_graph or inputs is not None:
        m.refuse(
            "Here backward() takes neither 'create_graph' nor 'inputs'.",
            "Write torch.autograd.grad(y, x, create_graph=True).",
        )
    backward(x, gradient, retain_graph=bool(retain_graph))


_backward.__qualname__ = "backward"  # which Python's messages on arguments give


def _set_requires_grad(m: Machine, x: Any, wanted: Any) -> None:
    words = "only Tensors of floating point and complex dtype can require gradients"
    require(x, bool(wanted), words)


def _requires_grad(m: Machine, x: Any, requires_grad: bool = True) -> Any:
    words = "only Tensors of floating point dtype can require gradients"
    return require(x, requires_grad, words)


_requires_grad.__qualname__ = "requires_grad_"


def _detach_in_place(m: Machine, x: Any) -> Any:
    if x.is_view and x.made_by:
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using "
            "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as "
            "True, gradients are views of DDP buckets, and hence detach_() cannot be called on "
            "these gradients. To fix this error, please refer to the Optimizer.zero_grad() "
            "function in torch/optim/optimizer.py as the solution."
        )
    x.node = x.cell = None
    return x


def _set_label(m: Machine, x: Any, label: Any) -> None:
    if x.cell is not None and isinstance(label, str):
        x.cell.label = label[:40]


def array_of(m: Machine, x: Any) -> Any:
    """`x.numpy()`; RuntimeError for a tensor that is recorded."""
    if x.requires_grad:
        raise RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )
    make = NUMPY.get("array")
    if make is None:
        m.refuse("Tensors are not turned into arrays here.", "Write x.tolist().")
    return make(m, x)


NUMPY: dict[str, Callable[[Machine, TensorArray], Any]] = {}
"""`array` makes NumPy's array of a tensor; the module numpy sets it."""


_ATTRIBUTES: Mapping[str, Attribute] = {
    "data": _data,
    "grad": lambda m, x: x.gradient, "requires_grad": lambda m, x: x.requires_grad,
    "is_leaf": lambda m, x: x.is_leaf, "grad_fn": _grad_fn,
    "shape": lambda m, x: Size(x.shape), "dtype": lambda m, x: x.dtype,
    "ndim": lambda m, x: x.ndim, "device": lambda m, x: CPU,
    "itemsize": lambda m, x: x.dtype.itemsize, "nbytes": lambda m, x: x.size * x.dtype.itemsize,
    "T": lambda m, x: reversed_axes(x),
    "mT": lambda m, x: METHODS["transpose"](x, -2, -1) if x.shape else x,
    "label": lambda m, x: x.cell.label if x.cell is not None else "",
}  # fmt: skip
_METHODS: Mapping[str, Method] = {
    **{name: method_of(function) for name, function in (METHODS | CHANGES | ALIKE).items()},
    "item": _item, "tolist": lambda m, x: x.nested(), "numpy": array_of, "detach": _detach,
    "backward": _backward, "register_hook": method_of(register_hook),
    "requires_grad_": _requires_grad, "retain_grad": lambda m, x: retain(x),
    "is_contiguous": lambda m, x: x.grid.is_contiguous,
    "element_size": lambda m, x: x.dtype.itemsize, "storage_offset": lambda m, x: x.grid.offset,
    "stride": lambda m, x, dim=None: x.grid.strides if dim is None else x.grid.strides[dim],
    "detach_": _detach_in_place,
}  # fmt: skip
_SETTERS: Mapping[str, Method] = {
    "data": lambda m, x, value: assign_data(x, value),
    "grad": lambda m, x, value: set_gradient(x, value),
    "requires_grad": _set_requires_grad,
    "label": _set_label,
}

TENSOR_KINDS = (Kind(TensorArray, _ATTRIBUTES, _METHODS, _SETTERS),)
"""They stand before the kinds of Values and of CPython's own types."""
