"""The module torch: small tensors with PyTorch's rules, messages and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.arrays.array import Array
from engine.record.follow import plain
from engine.stand_ins.contract import Kind, Machine
from engine.stand_ins.library import LibraryModule
from engine.stand_ins.ordinary import name_of_type
from engine.stand_ins.tensor_kinds import CPU, session_of, with_session
from engine.tensors import creation
from engine.tensors.arrangement import cat, sizes, stack
from engine.tensors.dtypes import BOOL, FLOAT32, FLOAT64, INT32, INT64, NAMES, DType
from engine.tensors.elementwise import where
from engine.tensors.functions import FUNCTIONS
from engine.tensors.generator import TorchGenerator
from engine.tensors.gradients import require
from engine.tensors.printing import set_printing
from engine.tensors.products import einsum
from engine.tensors.scalar import Tensor
from engine.tensors.selection import hstack, meshgrid, vstack
from engine.tensors.session import Session
from engine.tensors.tensor_array import Size, TensorArray

from . import numpy_tensors, torch_autograd, torch_data, torch_linalg, torch_nn, torch_optim
from .torch_recording import GradientRecording

CONSTANTS = {
    "pi": 3.141592653589793, "e": 2.718281828459045, "inf": float("inf"), "nan": float("nan"),
    "__version__": "2.13.0",
}  # fmt: skip


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch."""
    table: dict[str, Any] = torch_nn.absent(m, "torch", _ABSENT)
    table |= {**CONSTANTS, **NAMES, "Size": Size}
    table |= {name: _bound(m, name, with_session(f)) for name, f in FUNCTIONS.items()}
    table |= {name: _bound(m, name, f) for name, f in CREATION.items()}
    table |= {name: _bound(m, name, f) for name, f in _OTHERS.items()}
    table["Tensor"] = table["FloatTensor"] = TorchTensor
    table |= {name: _typed_as(m, name, dtype) for name, dtype in _OLD_TYPES.items()}
    table["no_grad"] = lambda *args: GradientRecording(m, False, *args)
    table["enable_grad"] = lambda *args: GradientRecording(m, True, *args)
    table["set_grad_enabled"] = lambda mode: GradientRecording(m, bool(mode)).entered()
    table["inference_mode"] = lambda *args: GradientRecording(m, False)
    table["random"] = LibraryModule("torch.random", {"manual_seed": table["manual_seed"]})
    quiet = {"is_available": lambda: False, "device_count": lambda: 0}
    table["cuda"] = LibraryModule("torch.cuda", {**quiet, "manual_seed_all": lambda seed: None})
    backends = {"mps": LibraryModule("torch.backends.mps", quiet)}
    table["backends"] = LibraryModule("torch.backends", backends)
    table["nn"], table["optim"] = library(m, "torch.nn"), library(m, "torch.optim")
    table["utils"] = library(m, "torch.utils")
    recording = {name: table[name] for name in ("no_grad", "enable_grad", "set_grad_enabled")}
    table["linalg"] = LibraryModule("torch.linalg", torch_linalg.names(m))
    table["autograd"] = LibraryModule("torch.autograd", {**torch_autograd.names(m), **recording})
    return table


_ABSENT = """
    save load compile jit distributions fft special multiprocessing
    complex64 complex128 float16 bfloat16 int8 int16 uint8 scatter
    det inverse mode quantile histc vmap func
"""


def library(m: Machine, dotted: str) -> LibraryModule:
    """A module below torch, the same one throughout a run, for it holds classes."""
    known: dict[str, LibraryModule] = session_of(m).libraries
    if dotted not in known:
        known[dotted] = LibraryModule(dotted, _MAKERS[dotted](m))
    return known[dotted]


_MAKERS: dict[str, Callable[[Machine], Mapping[str, Any]]] = {
    "torch.nn": torch_nn.names,
    "torch.optim": torch_optim.names,
    "torch.utils": torch_data.names,
}


def _below(dotted: str, *path: str) -> Callable[[Machine], Mapping[str, Any]]:
    """The names of a module below torch."""

    def table(m: Machine) -> Mapping[str, Any]:
        names = library(m, dotted).names
        for name in path:
            names = names[name].names
        return names

    return table


def _bound(first: Any, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(first, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


class TensorType(type):
    """The type of torch.Tensor, whose instances are tensors of one number as well."""

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, TensorArray | Tensor)

    def __repr__(cls) -> str:
        return "<class 'torch.Tensor'>"


class TorchTensor(metaclass=TensorType):
    """torch.Tensor as programs name it: called to make a tensor, asked for in isinstance()."""


TorchTensor.__name__ = TorchTensor.__qualname__ = "Tensor"


# Creation


def _creating(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with the options that all functions of new tensors have."""

    def create(
        m: Machine,
        *args: Any,
        device: Any = None,
        layout: Any = None,
        pin_memory: bool = False,
        requires_grad: bool | None = None,
        **options: Any,
    ) -> Any:
        if device is not None and device != CPU and str(device) != "cpu":
            m.refuse("Only the device 'cpu' is known here.", "Leave it out.")
        dtype = options.get("dtype")
        if dtype is not None and not isinstance(dtype, DType):
            raise TypeError(f"dtype must be torch.dtype, not {type(dtype).__name__}")
        made = function(m, *args, **options)
        return made if requires_grad is None else require(session_of(m), made, bool(requires_grad))

    return create


def tensor(m: Machine, data: Any, *, dtype: DType | None = None) -> Any:
    dtype = dtype or numpy_tensors.type_of(m, data)
    made = creation.tensor(session_of(m), data, dtype, parts=numpy_tensors.parts_of(m))
    if isinstance(made, Tensor) and isinstance(data, float) and made.data != data == data:
        m.note(f"torch.tensor holds 32-bit numbers: {plain(data)} becomes {made.data}.")
    return made


def typed(m: Machine, *args: Any) -> Any:
    """torch.Tensor([...]) and torch.Tensor(2, 3)."""
    if len(args) == 1 and isinstance(args[0], list | tuple | TensorArray | Tensor | Array):
        return creation.tensor(session_of(m), args[0], FLOAT32, False, numpy_tensors.parts_of(m))
    return creation.full(session_of(m), sizes(args), 0.0, FLOAT32)


_OLD_TYPES = {
    "LongTensor": INT64, "IntTensor": INT32, "DoubleTensor": FLOAT64, "BoolTensor": BOOL,
}  # fmt: skip
"""PyTorch's old names of tensors of a type, called with numbers or sizes."""


def _typed_as(m: Machine, name: str, dtype: DType) -> Callable[..., Any]:
    def made(*args: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], list | tuple | TensorArray | Tensor | Array):
            return creation.tensor(session_of(m), args[0], dtype, False, numpy_tensors.parts_of(m))
        return creation.full(session_of(m), sizes(args), 0, dtype)

    made.__name__ = made.__qualname__ = name
    return made


def as_tensor(m: Machine, data: Any, dtype: DType | None = None) -> Any:
    same = isinstance(data, TensorArray | Tensor) and dtype is None
    return data if same else tensor(m, data, dtype=dtype)


def from_numpy(m: Machine, ndarray: Any) -> Any:
    """The tensor of an array's numbers, of the same type; here a copy."""
    if isinstance(ndarray, Array):
        return tensor(m, ndarray)
    raise TypeError(f"expected np.ndarray (got {name_of_type(ndarray)})")


def _filled(number: float) -> Callable[..., Any]:
    def function(m: Machine, *shape: Any, size: Any = (), dtype: DType | None = None) -> Any:
        return creation.full(session_of(m), sizes(shape or (size,)), number, dtype or FLOAT32)

    return function


def full(m: Machine, size: Any, fill_value: Any, *, dtype: DType | None = None) -> Any:
    return creation.full(session_of(m), sizes((size,)), plain(_number(fill_value)), dtype)


def _number(x: Any) -> Any:
    if isinstance(x, TensorArray | Tensor):
        return x.data if isinstance(x, Tensor) else x.numbers()[0]
    return plain(x)


def eye(m: Machine, n: int, m_: int | None = None, *, dtype: DType | None = None) -> Any:
    return creation.eye(session_of(m), n, m_, dtype)


def arange(
    m: Machine,
    *args: Any,
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    dtype: DType | None = None,
) -> Any:
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
    m: Machine,
    *args: Any,
    low: Any = 0,
    high: Any = None,
    size: Any = None,
    dtype: DType | None = None,
    generator: Any = None,
) -> Any:
    *ends, size = args if size is None else (*args, size)
    ends = ends if high is None else [*ends, high]
    low, high = (low, ends[0]) if len(ends) == 1 else ends
    with drawing(m, generator) as session:
        return creation.randint(session, plain(low), plain(high), sizes((size,)), dtype or INT64)


def randperm(m: Machine, n: int, *, dtype: DType | None = None, generator: Any = None) -> Any:
    with drawing(m, generator) as session:
        return creation.randperm(session, n, dtype or INT64)


def normal(
    m: Machine,
    mean: float = 0.0,
    std: float = 1.0,
    size: Any = (),
    *,
    dtype: DType | None = None,
    generator: Any = None,
) -> Any:
    with drawing(m, generator) as session:
        return creation.drawn(session, sizes((size,)), "normal", mean, std, dtype)


def multinomial(
    m: Machine, weights: Any, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Any:
    with drawing(m, generator) as session:
        return creation.multinomial(session, weights, num_samples, replacement)


def bernoulli(m: Machine, probabilities: Any, *, generator: Any = None) -> Any:
    """1 with the probability that stands at the place, else 0."""
    with drawing(m, generator) as session:
        return creation.bernoulli(session, probabilities)


def _like(function: Callable[..., Any]) -> Callable[..., Any]:
    def made(m: Machine, x: Any, *args: Any, **options: Any) -> Any:
        array = session_of(m).array(x)
        return function(m, array.shape, *args, **{"dtype": array.dtype, **options})

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


# Others


def _sequence(m: Machine, x: Any) -> list[Any]:
    if isinstance(x, Tensor):
        raise TypeError("expected a sequence of Tensors")
    return list(x)


def manual_seed(m: Machine, seed: Any) -> TorchGenerator:
    generator = session_of(m).generator
    generator.manual_seed(int(plain(seed)))
    return generator


def new_generator(m: Machine, device: Any = None) -> TorchGenerator:
    return TorchGenerator()


def _where(m: Machine, condition: Any, *choices: Any) -> Any:
    if len(choices) != 2:
        m.refuse("where takes a condition and two tensors here.", "Write torch.where(c, a, b).")
    return where(session_of(m), condition, *choices)


_OTHERS: dict[str, Callable[..., Any]] = {
    "manual_seed": manual_seed, "Generator": new_generator, "where": _where,
    "as_tensor": as_tensor, "from_numpy": from_numpy, "multinomial": multinomial,
    "stack": lambda m, tensors, dim=0: stack(session_of(m), _sequence(m, tensors), dim),
    "cat": lambda m, tensors, dim=0: cat(session_of(m), _sequence(m, tensors), dim),
    **dict.fromkeys(
        ("concat", "concatenate"),
        lambda m, tensors, dim=0: cat(session_of(m), _sequence(m, tensors), dim),
    ),
    "hstack": lambda m, tensors: hstack(session_of(m), _sequence(m, tensors)),
    "vstack": lambda m, tensors: vstack(session_of(m), _sequence(m, tensors)),
    "meshgrid": lambda m, *tensors, **options: meshgrid(session_of(m), *tensors, **options),
    "bernoulli": bernoulli, "einsum": lambda m, equation, *operands: einsum(
        session_of(m), equation, *operands
    ),
    "is_tensor": lambda m, x: isinstance(x, TensorArray | Tensor),
    "is_grad_enabled": lambda m: m.recording, "get_default_dtype": lambda m: FLOAT32,
    "numel": lambda m, x: session_of(m).array(x).size,
    "device": lambda m, name="cpu": CPU,
    "set_printoptions": lambda m, **options: set_printing(session_of(m), **options),
    "set_default_dtype": lambda m, dtype: m.refuse(
        "The default dtype is float32 here.", "Give the dtype where tensors are made."
    ),
}  # fmt: skip

TORCH_KINDS: tuple[Kind, ...] = (
    Kind(
        GradientRecording,
        "no_grad",
        methods={
            "__enter__": lambda m, x: x.entered(),
            "__exit__": lambda m, x, *error: x.left(*error),
            "__call__": lambda m, x, *args, **kwargs: x.called(*args, **kwargs),
        },
    ),
    Kind(
        TorchGenerator,
        "a generator of random numbers",
        methods={
            "manual_seed": lambda m, x, seed: (x.manual_seed(seed), x)[1],
            "initial_seed": lambda m, x: x.seed,
        },
    ),
)
"""They stand before the kinds of CPython's own types."""

TORCH_CONSTRUCTORS: dict[type, Callable[..., Any]] = {
    TorchTensor: typed, Size: lambda m, shape=(): Size(shape),
}  # fmt: skip
"""The guarded constructors of their types."""

MODULES: dict[str, Callable[[Machine], Mapping[str, Any]]] = {
    "torch": names,
    "torch.nn": _below("torch.nn"),
    "torch.nn.functional": _below("torch.nn", "functional"),
    "torch.nn.init": _below("torch.nn", "init"),
    "torch.nn.utils": _below("torch.nn", "utils"),
    "torch.optim": _below("torch.optim"),
    "torch.optim.lr_scheduler": _below("torch.optim", "lr_scheduler"),
    "torch.utils": _below("torch.utils"),
    "torch.utils.data": _below("torch.utils", "data"),
    "torch.linalg": torch_linalg.names,
    "torch.autograd": lambda m: names(m)["autograd"].names,
    "torch.autograd.functional": lambda m: names(m)["autograd"].names["functional"].names,
}
"""torch and the modules below it, by dotted name."""
