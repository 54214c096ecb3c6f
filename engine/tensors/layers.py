"""torch.nn: layers with parameters of their own."""

from __future__ import annotations

import math
from typing import Any

from . import normalisation, table_functions
from .arrangement import unsqueeze
from .creation import drawn, full
from .dtypes import BOOL, FLOAT32
from .elementwise import COMPARISONS, mapped, where
from .function_layers import ROW_LAYERS, FunctionLayer
from .in_place import set_item
from .initialisation import gain_of, uniform_bound
from .modules import ModuleList, Sequential, TorchModule, parameter
from .products import linear
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
        self.weight = parameter(
            session, drawn(session, shape, "uniform", -bound, bound, dtype), name="weight"
        )
        self.bias = None
        if bias:
            bound = 1 / math.sqrt(in_features) if in_features else 0.0
            numbers = drawn(session, (out_features,), "uniform", -bound, bound, dtype)
            self.bias = parameter(session, numbers, name="bias")

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

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None
    ) -> None:
        session = self._seegrad_session
        self.training = True
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        shape = (num_embeddings, embedding_dim)
        numbers = drawn(session, shape, "normal", 0.0, 1.0)
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if self.padding_idx is not None:
            set_item(session, numbers, self.padding_idx, 0.0)
        self.weight = parameter(session, numbers, name="weight")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The row of padding receives no gradient."""
        session, (index,) = self._seegrad_session, args
        found = normalisation.embedding(session, index, self.weight)
        if self.padding_idx is not None:
            padding = mapped(session, COMPARISONS["eq"], BOOL, index, self.padding_idx)
            fixed = self.weight.detached()[index]
            found = where(session, unsqueeze(session, padding, -1), fixed, found)
            return called(found, "EmbeddingBackward0")
        return found

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class PReLU(FunctionLayer):
    _seegrad_function = staticmethod(table_functions.FUNCTIONS["prelu"])
    _seegrad_settings = ("weight",)
    _seegrad_in_text = ("num_parameters",)

    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        session, self.training = self._seegrad_session, True
        if num_parameters != 1:
            session.machine.refuse("PReLU has one parameter here.", "Leave num_parameters out.")
        self.num_parameters = num_parameters
        self.weight = parameter(session, full(session, (1,), init, FLOAT32), name="weight")


class Identity(TorchModule):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return args[0]


class Dropout(FunctionLayer):
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
            self.weight = parameter(
                session, full(session, self.normalized_shape, 1.0, FLOAT32), name="weight"
            )
        if elementwise_affine and bias:
            self.bias = parameter(
                session, full(session, self.normalized_shape, 0.0, FLOAT32), name="bias"
            )

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return normalisation.layer_norm(
            self._seegrad_session, args[0], self.normalized_shape, self.weight, self.bias, self.eps
        )

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


LAYERS: tuple[type, ...] = (
    TorchModule,
    Linear,
    Embedding,
    Sequential,
    ModuleList,
    FunctionLayer,
    *ROW_LAYERS,
    PReLU,
    Identity,
    Dropout,
    LayerNorm,
)
"""Every class, bases first; those with a leading underscore are not for programs."""
