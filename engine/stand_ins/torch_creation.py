"""Functions of torch that make tensors: of numbers, of one number, and drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.arrays.array import Array
from engine.record.follow import plain
from engine.tensors import creation
from engine.tensors.arrangement import sizes
from engine.tensors.dtypes import BOOL, FLOAT32, FLOAT64, INT32, INT64, DType
from engine.tensors.generator import TorchGenerator
from engine.tensors.gradients import require
from engine.tensors.session import Session
from engine.tensors.tensor_array import TensorArray
from engine.tensors.whole import common_shape

from . import numpy_tensors
from .contract import Machine
from .ordinary import name_of_type
from .tensor_kinds import CPU, session_of


def creating(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of the session, with the options that all functions of new tensors have."""

    def create(
        m: Machine, *args: Any, device: Any = None, layout: Any = None, pin_memory: bool = False,
        generator: Any = None, requires_grad: bool | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        if device is not None and device != CPU and str(device) != "cpu":
            m.refuse("Only the device 'cpu' is known here.", "Leave it out.")
        dtype = options.get("dtype")
        if dtype is not None and not isinstance(dtype, DType):
            raise TypeError(f"dtype must be torch.dtype, not {type(dtype).__name__}")
        session = session_of(m)
        before = session.generator
        session.generator = generator if isinstance(generator, TorchGenerator) else before
        try:
            made = function(session, *args, **options)
        finally:
            session.generator = before
        return made if requires_grad is None else require(made, bool(requires_grad))

    return create


def tensor(session: Session, data: Any, *, dtype: DType | None = None) -> Any:
    m: Any = session.machine
    dtype = dtype or numpy_tensors.type_of(m, data)
    made = creation.tensor(session, data, dtype, parts=numpy_tensors.parts_of(m))
    if not made.shape and isinstance(data, float):
        (held,) = made.numbers()
        if held != data == data:
            m.note(f"torch.tensor holds 32-bit numbers: {plain(data)} becomes {held}.")
    return made


def typed_as(m: Machine, name: str, dtype: DType) -> Callable[..., Any]:
    """PyTorch's old names of tensors of a type: torch.LongTensor([...]) and torch.Tensor(2, 3)."""

    def made(*args: Any) -> Any:
        session = session_of(m)
        if len(args) == 1 and isinstance(args[0], list | tuple | TensorArray | Array):
            return creation.tensor(session, args[0], dtype, False, numpy_tensors.parts_of(m))
        return creation.full(session, sizes(args), 0, dtype)

    made.__name__ = made.__qualname__ = name
    return made


OLD_TYPES = {
    "LongTensor": INT64, "IntTensor": INT32, "DoubleTensor": FLOAT64, "BoolTensor": BOOL,
}  # fmt: skip


def typed(m: Machine, *args: Any) -> Any:
    return typed_as(m, "Tensor", FLOAT32)(*args)


def as_tensor(m: Machine, data: Any, dtype: DType | None = None, device: Any = None) -> Any:
    if isinstance(data, Array) and dtype in (None, numpy_tensors.type_of(m, data)):
        return numpy_tensors.tensor_of(m, data)
    same = isinstance(data, TensorArray) and dtype in (None, data.dtype)
    return data if same else tensor(session_of(m), data, dtype=dtype)


def from_numpy(m: Machine, ndarray: Any) -> Any:
    """The tensor of an array's elements, which both share."""
    if isinstance(ndarray, Array):
        return numpy_tensors.tensor_of(m, ndarray)
    raise TypeError(f"expected np.ndarray (got {name_of_type(ndarray)})")


def _filled(number: float) -> Callable[..., Any]:
    return lambda session, *shape, size=(), dtype=None: creation.full(
        session, sizes(shape or (size,)), number, dtype or FLOAT32
    )


def full(session: Session, size: Any, fill_value: Any, *, dtype: DType | None = None) -> Any:
    return creation.full(session, sizes((size,)), _number(fill_value), dtype)


def _number(x: Any) -> Any:
    return x.numbers()[0] if isinstance(x, TensorArray) else plain(x)


def arange(
    session: Session, *args: Any, start: Any = 0, end: Any = None, step: Any = 1,
    dtype: DType | None = None,
) -> Any:  # fmt: skip
    numbers = (*args, end) if end is not None else args
    ends = {1: (start, *numbers, step), 2: (*numbers, step)}.get(len(numbers), numbers)
    first, last, by = map(_number, ends)
    return creation.arange(session, first, last, by, dtype)


def linspace(
    session: Session, start: Any, end: Any, steps: int, *, dtype: DType | None = None
) -> Any:  # fmt: skip
    return creation.linspace(session, _number(start), _number(end), steps, dtype or FLOAT32)


def _drawn(kind: str) -> Callable[..., Any]:
    return lambda session, *shape, size=(), dtype=None: creation.drawn(
        session, sizes(shape or (size,)), kind, 0.0, 1.0, dtype
    )


def randint(
    session: Session, *args: Any, low: Any = 0, high: Any = None, size: Any = None,
    dtype: DType | None = None,
) -> Any:  # fmt: skip
    *ends, size = args if size is None else (*args, size)
    ends = ends if high is None else [*ends, high]
    low, high = (low, ends[0]) if len(ends) == 1 else ends
    return creation.randint(session, plain(low), plain(high), sizes((size,)), dtype or INT64)


def normal(
    session: Session, mean: Any = 0.0, std: Any = 1.0, size: Any = (), *,
    dtype: DType | None = None,
) -> Any:  # fmt: skip
    given = [x for x in (mean, std) if isinstance(x, TensorArray)]
    if not given:
        return creation.drawn(session, sizes((size,)), "normal", mean, std, dtype)
    shape = common_shape(given)
    return mean + std * creation.drawn(session, shape, "normal", 0.0, 1.0, given[0].dtype)


def _like(function: Callable[..., Any]) -> Callable[..., Any]:
    def made(session: Session, x: Any, *args: Any, **options: Any) -> Any:
        return function(session, x.shape, *args, **{"dtype": x.dtype, **options})

    return made


_ZEROS, _ONES, _RAND, _RANDN = _filled(0.0), _filled(1.0), _drawn("uniform"), _drawn("normal")
_CREATION: dict[str, Callable[..., Any]] = {
    "tensor": tensor, "zeros": _ZEROS, "ones": _ONES, "empty": _ZEROS, "full": full,
    "eye": creation.eye, "arange": arange, "linspace": linspace, "rand": _RAND, "randn": _RANDN,
    "randint": randint, "normal": normal, "zeros_like": _like(_ZEROS), "ones_like": _like(_ONES),
    "randperm": creation.randperm, "empty_like": _like(_ZEROS), "full_like": _like(full),
    "rand_like": _like(_RAND), "randn_like": _like(_RANDN),
}  # fmt: skip
CREATION = {name: creating(function) for name, function in _CREATION.items()}
"""Functions of new tensors, each with the options dtype, device, generator, requires_grad."""
DRAWING = {
    "multinomial": creating(lambda session, weights, num_samples, replacement=False: (
        creation.multinomial(weights, num_samples, replacement)
    )),
    "bernoulli": creating(lambda session, probabilities: creation.bernoulli(probabilities)),
}  # fmt: skip
"""Functions that draw by the numbers of a tensor."""
