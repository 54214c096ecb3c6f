"""torch.nn, torch.nn.functional and torch.nn.init."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.arrays.grid import from_items
from engine.language.classes import make_class
from engine.language.contract import Machine
from engine.language.library import Library, Missing
from engine.language.tensor_kinds import session_of
from engine.tensors import creation
from engine.tensors.changes import CHANGES, filled
from engine.tensors.functions import ACTIVATIONS, FUNCTIONS, LOSSES, in_torch_words
from engine.tensors.gradients import backward, gradient
from engine.tensors.layers import LAYERS
from engine.tensors.modules import parameter
from engine.tensors.session import Session
from engine.tensors.tensor_array import TensorArray

_HIDDEN = (
    "__dict__", "__weakref__", "__doc__", "__annotations__", "__module__", "__qualname__",
    "__abstractmethods__", "_abc_impl",
)  # fmt: skip


def program_classes(session: Session, classes: tuple[type, ...]) -> dict[str, Any]:
    """Classes of ours as classes of the program, bases first, so that it can derive from them."""
    made: dict[type, Any] = {}
    for cls in classes:
        names = {name: x for name, x in vars(cls).items() if name not in _HIDDEN}
        names["_gradlens_session"] = session
        bases = tuple(made[base] for base in cls.__bases__ if base in made)
        made[cls] = make_class(cls.__name__, bases, names)
    return {cls.__name__: new for cls, new in made.items() if not cls.__name__.startswith("_")}


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.nn."""
    session = session_of(m)
    return {
        **absent(m, "torch.nn", _ABSENT),
        **program_classes(session, LAYERS),
        "Parameter": _bound(session, "Parameter", parameter),
        "functional": Library("torch.nn.functional", functional_names(m)),
        "init": Library("torch.nn.init", init_names(m)),
    }


_ABSENT = """
    Dropout BatchNorm1d BatchNorm2d LayerNorm Conv1d Conv2d ConvTranspose2d MaxPool2d AvgPool2d
    AdaptiveAvgPool2d RNN LSTM GRU LSTMCell GRUCell MultiheadAttention Transformer
    TransformerEncoder TransformerEncoderLayer EmbeddingBag Bilinear SELU PReLU Hardtanh Mish
    Softmin LogSigmoid Threshold ModuleDict ParameterList ParameterDict HuberLoss SmoothL1Loss
    KLDivLoss MarginRankingLoss HingeEmbeddingLoss CosineEmbeddingLoss TripletMarginLoss
    DataParallel utils
"""


def absent(m: Machine, module: str, names: str) -> dict[str, Missing]:
    """Names that PyTorch has and that are refused where they are used."""

    def missing(path: str) -> Missing:
        hint = "The reference lists the names that are."
        return Missing(path, lambda: m.refuse(f"{path} is not here.", hint))

    return {name: missing(f"{module}.{name}") for name in names.split()}


def _bound(session: Session, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(session, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def functional_names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.nn.functional."""
    session = session_of(m)
    known = ("relu", "tanh", "sigmoid", "softmax", "log_softmax")
    functions = {name: FUNCTIONS[name] for name in known} | ACTIVATIONS | LOSSES
    table: dict[str, Any] = absent(m, "torch.nn.functional", _ABSENT_FUNCTIONS)
    table |= {name: _bound(session, name, _without_inplace(f)) for name, f in functions.items()}
    table["one_hot"] = _bound(
        session, "one_hot", lambda s, x, num_classes=-1: creation.one_hot(s, x, num_classes)
    )
    return table


_ABSENT_FUNCTIONS = """
    dropout conv1d conv2d max_pool2d avg_pool2d batch_norm layer_norm embedding normalize pad
    interpolate cosine_similarity huber_loss smooth_l1_loss kl_div hinge_embedding_loss selu
    hardtanh mish glu scaled_dot_product_attention
"""


def _without_inplace(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that PyTorch has and that change nothing at their usual value."""

    def call(session: Session, *args: Any, **options: Any) -> Any:
        for name, usual in _USUAL.items():
            if name in options and options.pop(name) != usual:
                session.machine.refuse(f"{name} is {usual} here.", "Leave it out.")
        return function(session, *args, **in_torch_words(options))

    return call


_USUAL: dict[str, Any] = {
    "inplace": False, "weight": None, "label_smoothing": 0.0, "ignore_index": -100,
    "pos_weight": None, "beta": 1.0, "threshold": 20.0,
}  # fmt: skip


# Initialisation


def _fans(x: Any) -> tuple[int, int]:
    """The numbers of inputs and outputs of a weight matrix."""
    if not isinstance(x, TensorArray) or x.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    return x.shape[1], x.shape[0]


def _changing(session: Session, change: str) -> Callable[..., Any]:
    def function(tensor: Any, *args: Any, **kwargs: Any) -> Any:
        with session.recorded(False):
            return CHANGES[change](session, tensor, *args, **kwargs)

    return function


def init_names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.nn.init."""
    session = session_of(m)
    uniform, normal = _changing(session, "uniform_"), _changing(session, "normal_")

    def constant_(tensor: Any, val: float) -> Any:
        with session.recorded(False):
            return filled(session, tensor, val)

    return {
        "uniform_": lambda tensor, a=0.0, b=1.0: uniform(tensor, a, b),
        "normal_": lambda tensor, mean=0.0, std=1.0: normal(tensor, mean, std),
        "zeros_": lambda tensor: constant_(tensor, 0.0),
        "ones_": lambda tensor: constant_(tensor, 1.0),
        "constant_": constant_, "calculate_gain": gain_of,
        **_scaled_to_fans(uniform, normal),
    }  # fmt: skip


def _scaled_to_fans(uniform: Callable[..., Any], normal: Callable[..., Any]) -> dict[str, Any]:
    """The initialisations of Glorot and Bengio 2010 and of He et al. 2015."""

    def xavier(tensor: Any, gain: float) -> float:
        return gain * math.sqrt(2.0 / sum(_fans(tensor)))

    def spread(bound: Any, tensor: Any) -> Any:
        return uniform(tensor, -math.sqrt(3.0) * bound, math.sqrt(3.0) * bound)

    return {
        "xavier_uniform_": lambda tensor, gain=1.0: spread(xavier(tensor, gain), tensor),
        "xavier_normal_": lambda tensor, gain=1.0: normal(tensor, 0.0, xavier(tensor, gain)),
        "kaiming_uniform_": lambda tensor, *args, **kwargs: spread(
            _deviation(tensor, *args, **kwargs), tensor
        ),
        "kaiming_normal_": lambda tensor, *args, **kwargs: normal(
            tensor, 0.0, _deviation(tensor, *args, **kwargs)
        ),
    }


def gain_of(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which an activation shrinks the standard deviation, inverted."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75}
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def _deviation(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> float:
    fan_in, fan_out = _fans(tensor)
    fan = {"fan_in": fan_in, "fan_out": fan_out}.get(mode)
    if fan is None:
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return gain_of(nonlinearity, a) / math.sqrt(fan)


def gradients_apart(
    session: Session, output: Any, inputs: Any, retain_graph: bool
) -> tuple[Any, ...]:
    """The gradients of `output` for `inputs`; afterwards x.grad is what it was before."""
    wanted = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    cells = [cell for x in wanted for cell in session.array(x).values()]
    session.machine.spend(len(cells))
    held = [(cell.grad, cell.reached, cell.retains) for cell in cells]
    for cell in cells:
        cell.grad, cell.reached, cell.retains = 0.0, False, True
    backward(session, output, retain_graph=retain_graph)
    found = []
    for x in wanted:
        grad = gradient(session, x)
        if grad is not None:
            grad = TensorArray(session, from_items(grad.numbers(), grad.shape), grad.dtype)
        found.append(grad)
    for cell, (grad_before, reached, retains) in zip(cells, held, strict=True):
        cell.grad, cell.reached, cell.retains = grad_before, reached, retains
    return tuple(found)
