"""torch.nn: layers, activations and losses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from . import activations, class_losses, functional, normalisation
from .arrangement import flatten
from .creation import drawn, full
from .dtypes import FLOAT32
from .elementwise import elementwise
from .initialisation import gain_of, uniform_bound
from .modules import ModuleList, Sequential, TorchModule, parameter
from .products import linear
from .softmaxes import log_softmax, softmax
from .tensor_array import called


class Linear(TorchModule):
    """x Wᵀ + b; W by kaiming_uniform_ with a = √5, which is ±1/√in, and b uniform on ±1/√in."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, **kwargs: Any
    ) -> None:
        session = self._seegrad_session
        _only(kwargs, "device", "dtype")
        self.training = True
        self.in_features, self.out_features = in_features, out_features
        bound = 0.0
        if in_features:
            gain = gain_of("leaky_relu", math.sqrt(5))
            bound = uniform_bound(gain / math.sqrt(in_features))
        shape = (out_features, in_features)
        dtype = kwargs.get("dtype")
        self.weight = parameter(session, drawn(session, shape, "uniform", -bound, bound, dtype))
        self.weight.name_elements("weight")
        self.bias = None
        if bias:
            bound = 1 / math.sqrt(in_features) if in_features else 0.0
            numbers = drawn(session, (out_features,), "uniform", -bound, bound, dtype)
            self.bias = parameter(session, numbers)
            self.bias.name_elements("bias")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        (x,) = args
        return linear(self._seegrad_session, x, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


def _only(kwargs: dict[str, Any], *known: str) -> None:
    for name in kwargs:
        if name not in known:
            raise TypeError(f"got an unexpected keyword argument '{name}'")


class Embedding(TorchModule):
    """A row of a table for each index; the rows are standard normal."""

    def __init__(self, num_embeddings: int, embedding_dim: int) -> None:
        session = self._seegrad_session
        self.training = True
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        shape = (num_embeddings, embedding_dim)
        self.weight = parameter(session, drawn(session, shape, "normal", 0.0, 1.0))
        self.weight.name_elements("weight")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return called(self.weight[args[0]], "EmbeddingBackward0")

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"


class _FunctionLayer(TorchModule):
    """A function of the input and of the attributes that are its settings."""

    _seegrad_function: Any = None
    _seegrad_settings: tuple[str, ...] = ()
    _seegrad_in_text: tuple[str, ...] | None = None
    """The attributes in the text of the layer, if they are not the settings."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._seegrad_applied(args[0])

    def _seegrad_applied(self, *inputs: Any) -> Any:
        settings = [getattr(self, name) for name in self._seegrad_settings]
        return self._seegrad_function(self._seegrad_session, *inputs, *settings)

    def extra_repr(self) -> str:
        shown = self._seegrad_settings if self._seegrad_in_text is None else self._seegrad_in_text
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)


class _InPlaceLayer(_FunctionLayer):
    """A function without settings, which may change its input where it is."""

    def __init__(self, inplace: bool = False) -> None:
        self.training = True


def _of(name: str) -> Callable[..., Any]:
    return lambda session, x: elementwise(session, name, x)


_WITHOUT_SETTINGS: dict[type, dict[str, Callable[..., Any]]] = {
    _FunctionLayer: {
        "Tanh": _of("tanh"), "Sigmoid": _of("sigmoid"), "LogSigmoid": functional.log_sigmoid,
        "Softsign": activations.softsign, "Tanhshrink": activations.tanhshrink,
    },
    _InPlaceLayer: {
        "ReLU": _of("relu"), "SiLU": _of("silu"), "SELU": normalisation.selu,
        "Mish": normalisation.mish, "ReLU6": activations.relu6,
        "Hardsigmoid": activations.hardsigmoid, "Hardswish": activations.hardswish,
    },
}  # fmt: skip
_ACTIVATIONS = tuple(
    type(name, (base,), {"_seegrad_function": staticmethod(function)})
    for base, functions in _WITHOUT_SETTINGS.items()
    for name, function in functions.items()
)


class Softplus(_FunctionLayer):
    _seegrad_function = staticmethod(_of("softplus"))

    def extra_repr(self) -> str:
        return "beta=1.0, threshold=20.0"


class Hardtanh(_FunctionLayer):
    _seegrad_function = staticmethod(normalisation.hardtanh)
    _seegrad_settings = "min_val", "max_val"

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        self.training, self.min_val, self.max_val = True, min_val, max_val


class GELU(_FunctionLayer):
    _seegrad_function = staticmethod(functional.gelu)
    _seegrad_settings = ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        self.training, self.approximate = True, approximate


class LeakyReLU(_FunctionLayer):
    _seegrad_function = staticmethod(functional.leaky_relu)
    _seegrad_settings = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self.training, self.negative_slope = True, negative_slope


class ELU(_FunctionLayer):
    _seegrad_function = staticmethod(functional.elu)
    _seegrad_settings = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.training, self.alpha = True, alpha


class Threshold(_FunctionLayer):
    _seegrad_function = staticmethod(activations.threshold)
    _seegrad_settings = "threshold", "value"

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self.training, self.threshold, self.value = True, threshold, value


class Hardshrink(_FunctionLayer):
    _seegrad_function: Any = staticmethod(activations.hardshrink)
    _seegrad_settings = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        self.training, self.lambd = True, lambd

    def extra_repr(self) -> str:
        return str(self.lambd)


class Softshrink(Hardshrink):
    _seegrad_function = staticmethod(activations.softshrink)


class PReLU(_FunctionLayer):
    _seegrad_function = staticmethod(activations.prelu)
    _seegrad_settings = ("weight",)
    _seegrad_in_text = ("num_parameters",)

    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        session, self.training = self._seegrad_session, True
        if num_parameters != 1:
            session.machine.refuse("PReLU has one parameter here.", "Leave num_parameters out.")
        self.num_parameters = num_parameters
        self.weight = parameter(session, full(session, (1,), init, FLOAT32))
        self.weight.name_elements("weight")


class Softmax(_FunctionLayer):
    _seegrad_function: Any = staticmethod(softmax)
    _seegrad_settings = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        self.training, self.dim = True, dim

    def _seegrad_applied(self, *inputs: Any) -> Any:
        dim = -1 if self.dim is None else self.dim
        return self._seegrad_function(self._seegrad_session, *inputs, dim)


class LogSoftmax(Softmax):
    _seegrad_function = staticmethod(log_softmax)


class Softmin(Softmax):
    _seegrad_function = staticmethod(activations.softmin)


class Flatten(_FunctionLayer):
    _seegrad_function = staticmethod(flatten)
    _seegrad_settings = "start_dim", "end_dim"

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.training, self.start_dim, self.end_dim = True, start_dim, end_dim


class Identity(TorchModule):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return args[0]


class Dropout(_FunctionLayer):
    _seegrad_function = staticmethod(normalisation.dropout)
    _seegrad_settings = "p", "training"
    _seegrad_in_text = "p", "inplace"

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.training, self.p, self.inplace = True, p, inplace


class LayerNorm(TorchModule):
    """Normalised over the last axes, with a weight and a bias for each element."""

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None:  # fmt: skip
        session, self.training, self.eps = self._seegrad_session, True, eps
        given = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.elementwise_affine = tuple(given), elementwise_affine
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = parameter(session, full(session, self.normalized_shape, 1.0, FLOAT32))
            self.weight.name_elements("weight")
        if elementwise_affine and bias:
            self.bias = parameter(session, full(session, self.normalized_shape, 0.0, FLOAT32))
            self.bias.name_elements("bias")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return normalisation.layer_norm(
            self._seegrad_session, args[0], self.normalized_shape, self.weight, self.bias, self.eps
        )

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class _Loss(_FunctionLayer):
    """A loss of an input and a target."""

    _seegrad_settings: tuple[str, ...] = ("reduction",)
    _seegrad_in_text = ()

    def __init__(self, reduction: str = "mean") -> None:
        self.training, self.reduction = True, reduction

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        x, target = args
        return self._seegrad_applied(x, target)


class MSELoss(_Loss):
    _seegrad_function = staticmethod(functional.mse_loss)


class L1Loss(_Loss):
    _seegrad_function = staticmethod(functional.l1_loss)


class SmoothL1Loss(_Loss):
    _seegrad_function = staticmethod(functional.smooth_l1_loss)
    _seegrad_settings = "reduction", "beta"

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        self.training, self.reduction, self.beta = True, reduction, beta


class HuberLoss(_Loss):
    _seegrad_function = staticmethod(functional.huber_loss)
    _seegrad_settings = "reduction", "delta"

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        self.training, self.reduction, self.delta = True, reduction, delta


class KLDivLoss(_Loss):
    _seegrad_function = staticmethod(functional.kl_div)


class CrossEntropyLoss(_Loss):
    _seegrad_function = staticmethod(class_losses.cross_entropy)
    _seegrad_settings = "weight", "ignore_index", "reduction", "label_smoothing"

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = class_losses.IGNORED,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        self.training, self.reduction = True, reduction
        self.weight, self.ignore_index = weight, ignore_index
        self.label_smoothing = label_smoothing


class NLLLoss(_Loss):
    _seegrad_function = staticmethod(class_losses.nll_loss)
    _seegrad_settings = "weight", "ignore_index", "reduction"

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = class_losses.IGNORED,
        reduction: str = "mean",
    ) -> None:
        self.training, self.reduction = True, reduction
        self.weight, self.ignore_index = weight, ignore_index


class BCELoss(_Loss):
    _seegrad_function = staticmethod(functional.binary_cross_entropy)


class BCEWithLogitsLoss(_Loss):
    _seegrad_function = staticmethod(functional.binary_cross_entropy_with_logits)


LAYERS: tuple[type, ...] = (
    TorchModule, Linear, Embedding, Sequential, ModuleList, _FunctionLayer, _InPlaceLayer,
    *_ACTIVATIONS, Softplus, Hardtanh, GELU, LeakyReLU, ELU, Threshold, Hardshrink, Softshrink,
    PReLU, Softmax, LogSoftmax, Softmin, Flatten, Identity, Dropout, LayerNorm, _Loss, MSELoss,
    L1Loss, SmoothL1Loss, HuberLoss, KLDivLoss, CrossEntropyLoss, NLLLoss, BCELoss,
    BCEWithLogitsLoss,
)  # fmt: skip
"""Every class, bases first; those with a leading underscore are not for programs."""
