"""The module torch: small tensors with PyTorch's rules, messages and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.record.follow import plain
from engine.record.objects import known
from engine.stand_ins.contract import Machine
from engine.stand_ins.library import LibraryModule
from engine.stand_ins.tensor_kinds import CPU, in_torch_words, method_of, session_of
from engine.tensors.arrangement import cat, hstack, stack, vstack
from engine.tensors.composed import OF_MODULE, of_condition
from engine.tensors.dtypes import FLOAT32, NAMES
from engine.tensors.elementwise import where
from engine.tensors.functions import FUNCTIONS
from engine.tensors.generator import TorchGenerator
from engine.tensors.printing import set_printing
from engine.tensors.products import einsum, tensordot
from engine.tensors.selection import meshgrid
from engine.tensors.tensor_array import Size, TensorArray

from . import torch_autograd, torch_data, torch_linalg, torch_nn, torch_optim
from .ordinary import bound
from .torch_creation import (
    CREATION,
    DRAWING,
    OLD_TYPES,
    as_tensor,
    from_numpy,
    typed,
    typed_as,
)
from .torch_recording import GradientRecording

CONSTANTS = {
    "pi": 3.141592653589793, "e": 2.718281828459045, "inf": float("inf"), "nan": float("nan"),
    "__version__": "2.13.0",
}  # fmt: skip


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch."""
    table: dict[str, Any] = torch_nn.absent(m, "torch", _ABSENT)
    table |= {**CONSTANTS, **NAMES, "Size": Size}
    table |= {name: bound(m, method_of(f), name) for name, f in FUNCTIONS.items()}
    table |= OF_MODULE
    table |= {name: bound(m, f, name) for name, f in CREATION.items()}
    table |= {name: bound(m, f, name) for name, f in _OTHERS.items()}
    table["Tensor"] = table["FloatTensor"] = TorchTensor
    table |= {name: typed_as(m, name, dtype) for name, dtype in OLD_TYPES.items()}
    table["no_grad"] = lambda *args: GradientRecording(m, False, *args)
    table["enable_grad"] = lambda *args: GradientRecording(m, True, *args)
    table["set_grad_enabled"] = lambda mode: GradientRecording(m, bool(mode)).__enter__()
    table["inference_mode"] = lambda *args: GradientRecording(m, False)
    table["random"] = LibraryModule("torch.random", {"manual_seed": table["manual_seed"]})
    functions = torch_autograd.function_names(m)
    table |= {"func": LibraryModule("torch.func", functions), "vmap": functions["vmap"]}
    special = {name: table[same] for name, same in _SPECIAL.items()}
    table["special"] = LibraryModule("torch.special", special)
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


_SPECIAL = {"expit": "sigmoid", **{name: name for name in (
    "xlogy", "log1p", "expm1", "exp2", "erf", "erfc", "logit", "softmax", "log_softmax",
    "logsumexp",
)}}  # fmt: skip
"""The names of torch.special, and what they are in torch."""
_ABSENT = """
    save load compile jit distributions fft multiprocessing
    complex64 complex128 float16 bfloat16 int8 int16 uint8 scatter
    det inverse
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


class TensorType(type):
    """The type of torch.Tensor, whose instances are tensors of one number as well."""

    def __call__(cls, *args: Any) -> Any:
        return typed(known.machine, *args)

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, TensorArray)

    def __repr__(cls) -> str:
        return "<class 'torch.Tensor'>"


class TorchTensor(metaclass=TensorType):
    """torch.Tensor as programs name it: called to make a tensor, asked for in isinstance()."""


TorchTensor.__name__ = TorchTensor.__qualname__ = "Tensor"


# Others


def _joining(function: Callable[..., Any]) -> Callable[..., Any]:
    def join(m: Machine, tensors: Any, *args: Any, **options: Any) -> Any:
        if isinstance(tensors, TensorArray) and not tensors.shape:
            raise TypeError("expected a sequence of Tensors")
        return function(list(tensors), *args, **in_torch_words(options))

    return join


def manual_seed(m: Machine, seed: Any) -> TorchGenerator:
    return session_of(m).generator.manual_seed(int(plain(seed)))


def new_generator(m: Machine, device: Any = None) -> TorchGenerator:
    return TorchGenerator()


def _where(m: Machine, condition: Any, *choices: Any) -> Any:
    if not choices:
        return of_condition(condition)
    return where(condition, *choices)


_OTHERS: dict[str, Callable[..., Any]] = {
    **DRAWING,
    "manual_seed": manual_seed, "Generator": new_generator, "where": _where,
    "as_tensor": as_tensor, "from_numpy": from_numpy,
    **{name: _joining(f) for name, f in (
        ("stack", stack), ("cat", cat), ("concat", cat), ("concatenate", cat), ("hstack", hstack),
        ("vstack", vstack), ("row_stack", vstack),
    )},
    "meshgrid": lambda m, *tensors, **options: meshgrid(*tensors, **options),
    "einsum": lambda m, equation, *operands: einsum(equation, *operands),
    "tensordot": lambda m, a, b, dims=2: tensordot(a, b, dims),
    "is_tensor": lambda m, x: isinstance(x, TensorArray),
    "is_grad_enabled": lambda m: m.recording, "get_default_dtype": lambda m: FLOAT32,
    "device": lambda m, name="cpu": CPU,
    "set_printoptions": lambda m, **options: set_printing(session_of(m), **options),
    "set_default_dtype": lambda m, dtype: m.refuse(
        "The default dtype is float32 here.", "Give the dtype where tensors are made."
    ),
}  # fmt: skip

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
    "torch.func": torch_autograd.function_names,
    "torch.special": lambda m: names(m)["special"].names,
    "torch.autograd": lambda m: names(m)["autograd"].names,
    "torch.autograd.functional": lambda m: names(m)["autograd"].names["functional"].names,
}
"""torch and the modules below it, by dotted name."""
