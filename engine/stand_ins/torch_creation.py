"""Functions of torch that make tensors: of numbers, of one number, and drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def _creating(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with the options that all functions of new tensors have."""

    def create(
        m: Machine, *args: Any, device: Any = None, layout: Any = None, pin_memory: bool = False,
        requires_grad: bool | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        if device is not None and device != CPU and str(device) != "cpu":
            m.refuse("Only the device 'cpu' is known here.", "Leave it out.")
        dtype = options.get("dtype")
        if dtype is not None and not isinstance(dtype, DType):
            raise TypeError(f"dtype must be torch.dtype, not {type(dtype).__name__}")
        made = function(m, *args, **options)
        return made if requires_grad is None else require(made, bool(requires_grad))

    return create


def tensor(m: Machine, data: Any, *, dtype: DType | None = None) -> Any:
    dtype = dtype or numpy_tensors.type_of(m, data)
    made = creation.tensor(session_of(m), data, dtype, parts=numpy_tensors.parts_of(m))
    if not made.shape and isinstance(data, float):
        (held,) = made.numbers()
        if held != data == data:
            m.note(f"torch.tensor holds 32-bit numbers: {plain(data)} becomes {held}.")
    return made


def typed(m: Machine, *args: Any) -> Any:
    """torch.Tensor([...]) and torch.Tensor(2, 3)."""
    if len(args) == 1 and isinstance(args[0], list | tuple | TensorArray | Array):
        return creation.tensor(session_of(m), args[0], FLOAT32, False, numpy_tensors.parts_of(m))
    return creation.full(session_of(m), sizes(args), 0.0, FLOAT32)


OLD_TYPES = {
    "LongTensor": INT64, "IntTensor": INT32, "DoubleTensor": FLOAT64, "BoolTensor": BOOL,
}  # fmt: skip
"""PyTorch's old names of tensors of a type, called with numbers or sizes."""


def typed_as(m: Machine, name: str, dtype: DType) -> Callable[..., Any]:
    def made(*args: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], list | tuple | TensorArray | Array):
            return creation.tensor(session_of(m), args[0], dtype, False, numpy_tensors.parts_of(m))
        return creation.full(session_of(m), sizes(args), 0, dtype)

    made.__name__ = made.__qualname__ = name
    return made


def as_tensor(m: Machine, data: Any, dtype: DType | None = None) -> Any:
    if isinstance(data, Array) and dtype in (None, numpy_tensors.type_of(m, data)):
        return numpy_tensors.tensor_of(m, data)
    same = isinstance(data, TensorArray) and dtype in (None, data.dtype)
    return data if same else tensor(m, data, dtype=dtype)


def from_numpy(m: Machine, ndarray: Any) -> Any:
    """The tensor of an array's elements, which both share."""
    if isinstance(ndarray, Array):
        return numpy_tensors.tensor_of(m, ndarray)
    raise TypeError(f"expected np.ndarray (got {name_of_type(ndarray)})")


def _filled(number: float) -> Callable[..., Any]:
    def function(m: Machine, *shape: Any, size: Any = (), dtype: DType | None = None) -> Any:
        return creation.full(session_of(m), sizes(shape or (size,)), number, dtype or FLOAT32)

    return function


def full(m: Machine, size: Any, fill_value: Any, *, dtype: DType | None = None) -> Any:
    return creation.full(session_of(m), sizes((size,)), plain(_number(fill_value)), dtype)


def _number(x: Any) -> Any:
    return x.numbers()[0] if isinstance(x, TensorArray) else plain(x)


def eye(m: Machine, n: int, m_: int | None = None, *, dtype: DType | None = None) -> Any:
    return creation.eye(session_of(m), n, m_, dtype)


def arange(
    m: Machine, *args: Any, start: Any = 0, end: Any = None, step: Any = 1,
    dtype: DType | None = None,
) -> Any:  # fmt: skip
    numbers = [_number(x) for x in ((*args, end) if end is not None else args)]
    ends = {1: (start, *numbers, step), 2: (*numbers, step)}.get(len(numbers), tuple(numbers))
    first, last, by = map(_number, ends)
    return creation.arange(session_of(m), first, last, by, dtype)


def linspace(m: Machine, start: Any, end: Any, steps: int, *, dtype: DType | None = None) -> Any:
    return creation.linspace(session_of(m), _number(start), _number(end), steps, dtype or FLOAT32)


def _drawn(kind: str, a: float, b: float) -> Callable[..., Any]:
    def function(
        m: Machine, *shape: Any, size: Any = (), dtype: DType | None = None, generator: Any = None
    ) -> Any:
        with drawing(m, generator) as session:
            return creation.drawn(session, sizes(shape or (size,)), kind, a, b, dtype)

    return function


@contextmanager
def drawing(m: Machine, generator: Any) -> Iterator[Session]:
    """The session, with the random numbers of `generator` if one is given."""
    session = session_of(m)
    before = session.generator
    if isinstance(generator, TorchGenerator):
        session.generator = generator
    try:
        yield session
    finally:
        session.generator = before


def randint(
    m: Machine, *args: Any, low: Any = 0, high: Any = None, size: Any = None,
    dtype: DType | None = None, generator: Any = None,
) -> Any:  # fmt: skip
    *ends, size = args if size is None else (*args, size)
    ends = ends if high is None else [*ends, high]
    low, high = (low, ends[0]) if len(ends) == 1 else ends
    with drawing(m, generator) as session:
        return creation.randint(session, plain(low), plain(high), sizes((size,)), dtype or INT64)


def randperm(m: Machine, n: int, *, dtype: DType | None = None, generator: Any = None) -> Any:
    with drawing(m, generator) as session:
        return creation.randperm(session, n, dtype or INT64)


def normal(
    m: Machine, mean: Any = 0.0, std: Any = 1.0, size: Any = (), *, dtype: DType | None = None,
    generator: Any = None,
) -> Any:  # fmt: skip
    with drawing(m, generator) as session:
        given = [x for x in (mean, std) if isinstance(x, TensorArray)]
        if not given:
            return creation.drawn(session, sizes((size,)), "normal", mean, std, dtype)
        shape = common_shape(given)
        return mean + std * creation.drawn(session, shape, "normal", 0.0, 1.0, given[0].dtype)


def multinomial(
    m: Machine, weights: Any, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Any:
    with drawing(m, generator):
        return creation.multinomial(weights, num_samples, replacement)


def bernoulli(m: Machine, probabilities: Any, *, generator: Any = None) -> Any:
    """1 with the probability that stands at the place, else 0."""
    with drawing(m, generator):
        return creation.bernoulli(probabilities)


def _like(function: Callable[..., Any]) -> Callable[..., Any]:
    def made(m: Machine, x: Any, *args: Any, **options: Any) -> Any:
        return function(m, x.shape, *args, **{"dtype": x.dtype, **options})

    return made


_ZEROS, _ONES = _filled(0.0), _filled(1.0)
_RAND, _RANDN = _drawn("uniform", 0.0, 1.0), _drawn("normal", 0.0, 1.0)
_CREATION: dict[str, Callable[..., Any]] = {
    "tensor": tensor, "zeros": _ZEROS, "ones": _ONES, "empty": _ZEROS, "full": full, "eye": eye,
    "arange": arange, "linspace": linspace, "rand": _RAND, "randn": _RANDN, "randint": randint,
    "randperm": randperm, "normal": normal, "zeros_like": _like(_ZEROS), "ones_like": _like(_ONES),
    "empty_like": _like(_ZEROS), "full_like": _like(full), "rand_like": _like(_RAND),
    "randn_like": _like(_RANDN),
}  # fmt: skip
CREATION = {name: _creating(function) for name, function in _CREATION.items()}
"""Functions of new tensors, each with the options dtype, device and requires_grad."""
