"""Tensors as objects of a program: their attributes and methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from engine.tensors import gradients, operators  # noqa: F401 - gives tensors their operators
from engine.tensors.alike import ALIKE
from engine.tensors.arrangement import reversed_axes
from engine.tensors.changes import CHANGES
from engine.tensors.functions import METHODS, Function, in_torch_words
from engine.tensors.gradients import backward, is_recorded, require, retain
from engine.tensors.hooks import register_hook
from engine.tensors.in_place import assign_data
from engine.tensors.session import Session
from engine.tensors.tensor_array import Size, TensorArray

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


def with_session(function: Function) -> Method:
    """A method of a tensor: a function of the session, the tensor and the arguments."""

    def method(m: Machine, x: Any, *args: Any, **kwargs: Any) -> Any:
        given = in_torch_words(kwargs)
        out = given.pop("out", None) if given else None
        found = function(session_of(m), x, *args, **given)
        return found if out is None else CHANGES["copy_"](session_of(m), out, found)

    method.__name__ = method.__qualname__ = function.__name__
    return method


def _of_array(read: Callable[[TensorArray], Any]) -> Attribute:
    return lambda m, x: read(session_of(m).array(x))


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


def _is_leaf(m: Machine, x: Any) -> bool:
    return bool(x.is_leaf)


def _item(m: Machine, x: Any) -> Any:
    array = session_of(m).array(x)
    if array.size != 1:
        raise RuntimeError(f"a Tensor with {array.size} elements cannot be converted to Scalar")
    return array.numbers()[0]


def _tolist(m: Machine, x: Any) -> Any:
    array = session_of(m).array(x)
    return array.nested()


def _backward(
    m: Machine, x: Any, gradient: Any = None, retain_graph: bool | None = None,
    create_graph: bool = False, inputs: Any = None,
) -> None:  # fmt: skip
    if create_graph or inputs is not None:
        m.refuse(
            "Here backward() takes neither 'create_graph' nor 'inputs'.",
            "Write torch.autograd.grad(y, x, create_graph=True).",
        )
    backward(session_of(m), x, gradient, retain_graph=bool(retain_graph))


_backward.__qualname__ = "backward"  # which Python's messages on arguments give


def _set_requires_grad(m: Machine, x: Any, wanted: Any) -> None:
    words = "only Tensors of floating point and complex dtype can require gradients"
    require(session_of(m), x, bool(wanted), words)


def _requires_grad(m: Machine, x: Any, requires_grad: bool = True) -> Any:
    words = "only Tensors of floating point dtype can require gradients"
    return require(session_of(m), x, requires_grad, words)


_requires_grad.__qualname__ = "requires_grad_"


def _retain(m: Machine, x: Any) -> None:
    retain(session_of(m), x)


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
    if is_recorded(x):
        raise RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )
    make = NUMPY.get("array")
    if make is None:
        m.refuse("Tensors are not turned into arrays here.", "Write x.tolist().")
    return make(m, session_of(m).array(x))


NUMPY: dict[str, Callable[[Machine, TensorArray], Any]] = {}
"""`array` makes NumPy's array of a tensor; the module numpy sets it."""


_ATTRIBUTES: Mapping[str, Attribute] = {
    "data": _data,
    "grad": lambda m, x: gradients.gradient(session_of(m), x),
    "requires_grad": lambda m, x: is_recorded(x),
    "is_leaf": _is_leaf,
    "grad_fn": _grad_fn,
    "shape": _of_array(lambda x: Size(x.shape)),
    "dtype": _of_array(lambda x: x.dtype),
    "ndim": _of_array(lambda x: x.ndim),
    "device": lambda m, x: CPU,
    "T": lambda m, x: reversed_axes(session_of(m), x),
    "mT": lambda m, x: METHODS["transpose"](session_of(m), x, -2, -1),
    "label": lambda m, x: x.cell.label if x.cell is not None else "",
}
_METHODS: Mapping[str, Method] = {
    **{name: with_session(function) for name, function in METHODS.items()},
    **{name: with_session(function) for name, function in CHANGES.items()},
    "item": _item, "tolist": _tolist, "numpy": array_of, "detach": _detach, "backward": _backward,
    **{name: with_session(function) for name, function in ALIKE.items()},
    "register_hook": with_session(register_hook),
    "requires_grad_": _requires_grad, "retain_grad": _retain,
    "is_contiguous": lambda m, x: session_of(m).array(x).grid.is_contiguous,
    "element_size": lambda m, x: session_of(m).array(x).dtype.itemsize,
    "storage_offset": lambda m, x: session_of(m).array(x).grid.offset,
    "stride": lambda m, x: session_of(m).array(x).grid.strides,
    "detach_": _detach_in_place,
    "is_floating_point": lambda m, x: (
        session_of(m).array(x).dtype.is_floating_point
    ),
}  # fmt: skip
_SETTERS: Mapping[str, Method] = {
    "data": lambda m, x, value: assign_data(session_of(m), x, value),
    "grad": lambda m, x, value: gradients.set_gradient(session_of(m), x, value),
    "requires_grad": _set_requires_grad,
    "label": _set_label,
}

TENSOR_KINDS = (Kind(TensorArray, _ATTRIBUTES, _METHODS, _SETTERS),)
"""They stand before the kinds of Values and of CPython's own types."""
