"""torch.nn: layers, activations and losses."""

from __future__ import annotations

import math
from typing import Any

from . import class_losses, functional, normalisation
from .arrangement import flatten
from .creation import drawn, full
from .dtypes import FLOAT32
from .elementwise import elementwise
from .initialisation import gain_of, uniform_bound
from .modules import ModuleList, Sequential, TorchModule, parameter
from .products import linear
from .softmaxes import log_softmax, softmax
from .tensor_array import TensorArray


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
        rows = self.weight[args[0]]
        if isinstance(rows, TensorArray) and rows.made_by:
            rows.made_by = "EmbeddingBackward0"
        return rows

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"


class _Activation(TorchModule):
    """A function of single elements."""

    _seegrad_op = ""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return elementwise(self._seegrad_session, self._seegrad_op, args[0])


class ReLU(_Activation):
    _seegrad_op = "relu"

    def __init__(self, inplace: bool = False) -> None:
        self.training = True


class Tanh(_Activation):
    _seegrad_op = "tanh"


class Sigmoid(_Activation):
    _seegrad_op = "sigmoid"


class SiLU(_Activation):
    _seegrad_op = "silu"


class Softplus(_Activation):
    _seegrad_op = "softplus"

    def extra_repr(self) -> str:
        return "beta=1.0, threshold=20.0"


class SELU(TorchModule):
    def __init__(self, inplace: bool = False) -> None:
        self.training = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return normalisation.selu(self._seegrad_session, args[0])


class Mish(SELU):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return normalisation.mish(self._seegrad_session, args[0])


class LogSigmoid(TorchModule):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return functional.log_sigmoid(self._seegrad_session, args[0])


class Hardtanh(TorchModule):
    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        self.training, self.min_val, self.max_val = True, min_val, max_val

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return normalisation.hardtanh(self._seegrad_session, args[0], self.min_val, self.max_val)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}"


class GELU(TorchModule):
    def __init__(self, approximate: str = "none") -> None:
        self.training, self.approximate = True, approximate

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return functional.gelu(self._seegrad_session, args[0], self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class LeakyReLU(TorchModule):
    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self.training, self.negative_slope = True, negative_slope

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return functional.leaky_relu(self._seegrad_session, args[0], self.negative_slope)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}"


class ELU(TorchModule):
    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.training, self.alpha = True, alpha

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return functional.elu(self._seegrad_session, args[0], self.alpha)

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}"


class Softmax(TorchModule):
    _seegrad_function = staticmethod(softmax)

    def __init__(self, dim: int | None = None) -> None:
        self.training, self.dim = True, dim

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        dim = -1 if self.dim is None else self.dim
        return self._seegrad_function(self._seegrad_session, args[0], dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    _seegrad_function = staticmethod(log_softmax)


class Flatten(TorchModule):
    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.training, self.start_dim, self.end_dim = True, start_dim, end_dim

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return flatten(self._seegrad_session, args[0], self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Identity(TorchModule):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return args[0]


class Dropout(TorchModule):
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.training, self.p, self.inplace = True, p, inplace

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return normalisation.dropout(self._seegrad_session, args[0], self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


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


class _Loss(TorchModule):
    """A loss of an input and a target."""

    _seegrad_function: Any = None

    def __init__(self, reduction: str = "mean") -> None:
        self.training, self.reduction = True, reduction

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        x, target = args
        loss = self._seegrad_function
        return loss(self._seegrad_session, x, target, self.reduction)


class MSELoss(_Loss):
    _seegrad_function = staticmethod(functional.mse_loss)


class L1Loss(_Loss):
    _seegrad_function = staticmethod(functional.l1_loss)


class SmoothL1Loss(_Loss):
    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        self.training, self.reduction, self.beta = True, reduction, beta

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        session, (x, target) = self._seegrad_session, args
        return functional.smooth_l1_loss(session, x, target, self.reduction, self.beta)


class HuberLoss(_Loss):
    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        self.training, self.reduction, self.delta = True, reduction, delta

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        session, (x, target) = self._seegrad_session, args
        return functional.huber_loss(session, x, target, self.reduction, self.delta)


class KLDivLoss(_Loss):
    _seegrad_function = staticmethod(functional.kl_div)


class CrossEntropyLoss(_Loss):
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

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        x, target = args
        return class_losses.cross_entropy(
            self._seegrad_session, x, target,
            self.weight, self.ignore_index, self.reduction, self.label_smoothing,
        )  # fmt: skip


class NLLLoss(_Loss):
    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = class_losses.IGNORED,
        reduction: str = "mean",
    ) -> None:
        self.training, self.reduction = True, reduction
        self.weight, self.ignore_index = weight, ignore_index

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        x, target = args
        return class_losses.nll_loss(
            self._seegrad_session, x, target, self.weight, self.ignore_index, self.reduction
        )


class BCELoss(_Loss):
    _seegrad_function = staticmethod(functional.binary_cross_entropy)


class BCEWithLogitsLoss(_Loss):
    _seegrad_function = staticmethod(functional.binary_cross_entropy_with_logits)


LAYERS: tuple[type, ...] = (
    TorchModule, Linear, Embedding, Sequential, ModuleList, _Activation, ReLU, Tanh, Sigmoid, SiLU,
    Softplus, GELU, LeakyReLU, ELU, Softmax, LogSoftmax, Flatten, Identity, SELU, Mish,
    LogSigmoid, Hardtanh, Dropout, LayerNorm, _Loss, MSELoss, L1Loss, SmoothL1Loss, HuberLoss,
    KLDivLoss,
    CrossEntropyLoss, NLLLoss, BCELoss, BCEWithLogitsLoss,
)  # fmt: skip
"""Every class, bases first; those with a leading underscore are not for programs."""
