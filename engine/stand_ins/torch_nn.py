"""torch.nn, torch.nn.functional and torch.nn.init."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from engine.stand_ins.contract import Machine
from engine.stand_ins.library import LibraryModule, Missing
from engine.stand_ins.tensor_kinds import in_torch_words, session_of
from engine.tensors import containers, creation, recurrent, table_functions
from engine.tensors.clipping import UTILITIES
from engine.tensors.functions import FUNCTIONS, named
from engine.tensors.in_place import change
from engine.tensors.initialisation import INITIALISATIONS
from engine.tensors.layers import LAYERS
from engine.tensors.modules import is_parameter, parameter
from engine.tensors.session import Session

from .ordinary import bound

_HIDDEN = (
    "__dict__", "__weakref__", "__doc__", "__annotations__", "__module__", "__qualname__",
    "__abstractmethods__", "_abc_impl",
)  # fmt: skip


def program_classes(session: Session, classes: tuple[type, ...]) -> dict[str, Any]:
    """Classes of ours as classes of the program, bases first, so that it can derive from them."""
    made: dict[type, Any] = {}
    for cls in classes:
        names = {name: x for name, x in vars(cls).items() if name not in _HIDDEN}
        names["_seegrad_session"] = session
        if _takes_inplace(cls):
            names["__init__"] = _noting_inplace(cls)
        bases = tuple(made[base] for base in cls.__bases__ if base in made)
        made[cls] = type(cls.__name__, bases, {**names, "__module__": "torch.nn"})
    return {cls.__name__: new for cls, new in made.items() if not cls.__name__.startswith("_")}


def _takes_inplace(cls: Any) -> bool:
    return isinstance(cls.__init__, FunctionType) and "inplace" in _arguments(cls.__init__)


def _arguments(function: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = function.__code__.co_varnames[: function.__code__.co_argcount]
    return names


def _noting_inplace(cls: Any) -> Any:
    """The constructor of a layer that may change its input where it is."""
    given = cls.__init__
    init = FunctionType(given.__code__, given.__globals__, argdefs=given.__defaults__)
    init.__qualname__ = f"{cls.__name__}.__init__"  # as messages about its arguments call it
    place = _arguments(init).index("inplace")

    def __init__(self: Any, *args: Any, **options: Any) -> None:  # noqa: N807
        init(self, *args, **options)
        given = options.get("inplace", args[place - 1] if len(args) >= place else False)
        vars(self)["_seegrad_inplace"] = bool(given)

    return __init__


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.nn."""
    session = session_of(m)
    return {
        **absent(m, "torch.nn", _ABSENT),
        **program_classes(session, _LAYERS),
        "Parameter": _parameter_class(session),
        "functional": LibraryModule("torch.nn.functional", functional_names(m)),
        "utils": LibraryModule("torch.nn.utils", UTILITIES),
        "init": LibraryModule("torch.nn.init", INITIALISATIONS),
    }


_LAYERS = (*LAYERS, *containers.LAYERS, *recurrent.LAYERS)


def _parameter_class(session: Session) -> type:
    """nn.Parameter, whose calls make tensors and whose instances are those."""

    class ParameterType(type):
        def __call__(cls, data: Any, requires_grad: bool = True) -> Any:
            return parameter(session.array(data), requires_grad)

        def __instancecheck__(cls, x: Any) -> bool:
            return is_parameter(x)

    return ParameterType("Parameter", (), {"__module__": "torch.nn.parameter"})


_ABSENT = """
    Conv3d ConvTranspose1d ConvTranspose2d Transformer TransformerDecoder
    TransformerDecoderLayer EmbeddingBag DataParallel MultiMarginLoss MultiLabelSoftMarginLoss
    Upsample
"""


def absent(m: Machine, module: str, names: str) -> dict[str, Missing]:
    """Names that PyTorch has and that are refused where they are used."""

    def missing(path: str) -> Missing:
        hint = "The reference lists the names that are."
        return Missing(path, lambda: m.refuse(f"{path} is not here.", hint))

    return {name: missing(f"{module}.{name}") for name in names.split()}


def functional_names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.nn.functional."""
    known = {name: FUNCTIONS[name] for name in ("relu", "tanh", "sigmoid")}
    functions = named({**known, **table_functions.FUNCTIONS, "one_hot": creation.one_hot})
    table: dict[str, Any] = absent(m, "torch.nn.functional", _ABSENT_FUNCTIONS)
    return table | {name: bound(m, _with_options(f), name) for name, f in functions.items()}


_ABSENT_FUNCTIONS = "interpolate conv_transpose2d fold"


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that PyTorch has and that change nothing at their usual value."""

    def call(m: Machine, *args: Any, **options: Any) -> Any:
        in_place = options.pop("inplace", False)
        args = (options.pop("input"), *args) if "input" in options else args
        for name in ("size_average", "reduce"):
            if options.pop(name, None) is not None:
                m.refuse(f"{name} is None here.", "Give a reduction.")
        found = function(*args, **in_torch_words(options))
        return change(args[0], found) if in_place else found

    return call
