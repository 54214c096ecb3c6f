"""torch.nn: layers with parameters of their own."""

from __future__ import annotations

import math
from math import prod
from typing import Any

from .creation import drawn, full
from .dtypes import FLOAT32, INT64
from .function_layers import ROW_LAYERS, FunctionLayer
from .in_place import set_item
from .initialisation import gain_of, uniform_bound
from .modules import ModuleList, Sequential, TorchModule, parameter
from .normalisation import batch_norm, dropout, embedding, instance_norm, layer_norm, rms_norm
from .products import linear
from .table_functions import FUNCTIONS
from .whole import whole


class Linear(TorchModule):
    """x Wᵀ + b; W by kaiming_uniform_ with a = √5, which is ±1/√in, and b uniform on ±1/√in."""

    _seegrad_text = "in_features={in_features}, out_features={out_features}, bias={has_bias}"

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        self.training, self.in_features, self.out_features = True, in_features, out_features
        root = math.sqrt(in_features) or math.inf
        bound = uniform_bound(gain_of("leaky_relu", math.sqrt(5)) / root)
        self._seegrad_uniform("weight", (out_features, in_features), bound, dtype)
        self.bias: Any = None
        if bias:
            self._seegrad_uniform("bias", (out_features,), 1 / root, dtype)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        (x,) = args
        return linear(x, vars(self)["weight"], self.bias)


class Bilinear(TorchModule):
    """Σ x₁ᵢ Aᵢⱼ x₂ⱼ + b for each output, with parameters uniform on ±1/√inputs."""

    _seegrad_text = (
        "in1_features={in1_features}, in2_features={in2_features}, out_features={out_features}, "
        "bias={has_bias}"
    )

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True
    ) -> None:
        self.training, self.in1_features, self.in2_features = True, in1_features, in2_features
        self.out_features, bound = out_features, 1 / math.sqrt(in1_features)
        self._seegrad_uniform("weight", (out_features, in1_features, in2_features), bound)
        self.bias: Any = None
        if bias:
            self._seegrad_uniform("bias", (out_features,), bound)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        a, b = args
        equation = {"equation": "...i,oij,...j->...o"}
        found = whole("einsum", [a, vars(self)["weight"], b], equation)
        return found if self.bias is None else found + self.bias


class Embedding(TorchModule):
    """A row of a table for each index; the rows are standard normal."""

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None
    ) -> None:
        self.training = True
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        numbers = drawn(self._seegrad_session, (num_embeddings, embedding_dim), "normal", 0.0, 1.0)
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if self.padding_idx is not None:
            set_item(numbers, self.padding_idx, 0.0)
        self.weight = parameter(numbers, name="weight")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return embedding(args[0], self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class PReLU(FunctionLayer):
    _seegrad_function = staticmethod(FUNCTIONS["prelu"])
    _seegrad_settings = ("weight",)
    _seegrad_text = "num_parameters={num_parameters}"

    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        self.training, self.num_parameters = True, num_parameters
        if num_parameters != 1:
            self._seegrad_session.machine.refuse("PReLU has one parameter here.", "Leave it out.")
        self._seegrad_equal("weight", (1,), init)


class Identity(TorchModule):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.training = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return args[0]


class Dropout(FunctionLayer):
    _seegrad_function = staticmethod(dropout)
    _seegrad_settings = "p", "training"
    _seegrad_text = "p={p}, inplace={inplace}"

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.training, self.p, self.inplace = True, p, inplace


# Normalisation


class _Norm(TorchModule):
    """A layer that may have a weight and a bias of ones and zeros."""

    weight: Any = None
    bias: Any = None

    def _seegrad_scale(self, shape: tuple[int, ...], weight: bool, bias: bool) -> None:
        self.training, self.weight, self.bias = True, None, None
        if weight:
            self._seegrad_equal("weight", shape, 1.0)
        if weight and bias:
            self._seegrad_equal("bias", shape, 0.0)


class LayerNorm(_Norm):
    """Normalised over the last axes, with a weight and a bias for each element."""

    _seegrad_text = (
        "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}, bias={has_bias}"
    )

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None:  # fmt: skip
        given = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.eps = tuple(given), eps
        self.elementwise_affine = elementwise_affine
        self._seegrad_scale(self.normalized_shape, elementwise_affine, bias)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return layer_norm(args[0], self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(_Norm):
    """x over the root of its mean square, times a weight (Zhang and Sennrich 2019)."""

    _seegrad_text = "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}"

    def __init__(
        self, normalized_shape: Any, eps: float | None = None, elementwise_affine: bool = True
    ) -> None:
        given = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.eps = tuple(given), eps
        self.elementwise_affine = elementwise_affine
        self._seegrad_scale(self.normalized_shape, elementwise_affine, False)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return rms_norm(args[0], self.normalized_shape, self.weight, self.eps)


class GroupNorm(_Norm):
    """Each group of channels of each sample to mean 0 and variance 1 (Wu and He 2018)."""

    _seegrad_text = "{num_groups}, {num_channels}, eps={eps}, affine={affine}, bias={has_bias}"

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        bias: bool = True,
    ) -> None:  # fmt: skip
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels, self.eps = num_groups, num_channels, eps
        self.affine = affine
        self._seegrad_scale((num_channels,), affine, bias)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return FUNCTIONS["group_norm"](args[0], self.num_groups, self.weight, self.bias, self.eps)


class InstanceNorm1d(_Norm):
    """Each channel of each sample to mean 0 and variance 1 (Ulyanov et al. 2016)."""

    _seegrad_text = (
        "{num_features}, eps={eps}, momentum={momentum}, affine={affine}, bias={has_bias}, "
        "track_running_stats=False"
    )

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False
    ) -> None:
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine = affine
        self._seegrad_scale((num_features,), affine, True)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return instance_norm(args[0], weight=self.weight, bias=self.bias, eps=self.eps)


class InstanceNorm2d(InstanceNorm1d):
    """The same of images."""


class _BatchNorm(_Norm):
    """Each channel normalised over the batch; in evaluation by running statistics.

    Ioffe and Szegedy 2015.
    """

    _seegrad_text = (
        "{num_features}, eps={eps}, momentum={momentum}, affine={affine}, bias={has_bias}, "
        "track_running_stats={track_running_stats}"
    )
    _seegrad_ranks: tuple[int, ...] = ()

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1,
        affine: bool = True, track_running_stats: bool = True,
    ) -> None:  # fmt: skip
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self._seegrad_scale((num_features,), affine, True)
        session, shape = self._seegrad_session, (num_features,)
        kept = {"running_mean": full(session, shape, 0.0, FLOAT32),
                "running_var": full(session, shape, 1.0, FLOAT32),
                "num_batches_tracked": full(session, (), 0, INT64)}  # fmt: skip
        for name, x in kept.items():
            self.register_buffer(name, x if track_running_stats else None)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        (x,), own = args, vars(self)
        if x.ndim not in self._seegrad_ranks:
            wanted = " or ".join(f"{n}D" for n in self._seegrad_ranks)
            raise ValueError(f"expected {wanted} input (got {x.ndim}D input)")
        momentum, follows = self.momentum, self.training and self.track_running_stats
        if follows:
            count = own["num_batches_tracked"].numbers()[0] + 1
            own["num_batches_tracked"].grid.write([count])
            momentum = 1 / count if momentum is None else momentum
        return batch_norm(
            x, own["running_mean"], own["running_var"], self.weight, self.bias,
            self.training or not self.track_running_stats, momentum or 0.0, self.eps,
        )  # fmt: skip


class BatchNorm1d(_BatchNorm):
    _seegrad_ranks = 2, 3


class BatchNorm2d(_BatchNorm):
    _seegrad_ranks = (4,)


# Convolutions


class _Convolution(TorchModule):
    """Weights and biases uniform on ±1/√(numbers in a window)."""

    _seegrad_rank = 0

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros",
    ) -> None:  # fmt: skip
        self.training = True
        if padding_mode != "zeros":
            self._seegrad_session.machine.refuse("padding_mode is 'zeros' here.", "Leave it out.")
        if in_channels % groups or out_channels % groups:
            side = "in" if in_channels % groups else "out"
            raise ValueError(f"{side}_channels must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        given = {"kernel_size": kernel_size, "stride": stride, "padding": padding,
                 "dilation": dilation}  # fmt: skip
        for name, value in given.items():
            wide = (value,) * self._seegrad_rank if isinstance(value, int) else value
            setattr(self, name, wide if isinstance(wide, str) else tuple(wide))
        shape = (out_channels, in_channels // groups, *vars(self)["kernel_size"])
        bound = 1 / math.sqrt(prod(shape[1:]))
        self._seegrad_uniform("weight", shape, bound)
        self.bias: Any = None
        if bias:
            self._seegrad_uniform("bias", (out_channels,), bound)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        own = vars(self)
        settings = {name: own[name] for name in ("stride", "padding", "dilation", "groups")}
        function = FUNCTIONS[f"conv{self._seegrad_rank}d"]
        return function(args[0], own["weight"], own["bias"], **settings)

    def extra_repr(self) -> str:
        own = vars(self)
        parts = [f"{self.in_channels}, {self.out_channels}", f"kernel_size={own['kernel_size']}",
                 f"stride={own['stride']}"]  # fmt: skip
        for name, usual in (("padding", 0), ("dilation", 1)):
            if own[name] != (usual,) * self._seegrad_rank:
                parts.append(f"{name}={own[name]!r}")
        parts += [f"groups={self.groups}"] if self.groups != 1 else []
        return ", ".join(parts + (["bias=False"] if self.bias is None else []))


class Conv1d(_Convolution):
    _seegrad_rank = 1


class Conv2d(_Convolution):
    _seegrad_rank = 2


LAYERS: tuple[type, ...] = (
    TorchModule, Linear, Bilinear, Embedding, Sequential, ModuleList, FunctionLayer, *ROW_LAYERS,
    PReLU, Identity, Dropout, _Norm, LayerNorm, RMSNorm, GroupNorm, InstanceNorm1d, InstanceNorm2d,
    _BatchNorm, BatchNorm1d, BatchNorm2d, _Convolution, Conv1d, Conv2d,
)  # fmt: skip
"""Every class, bases first; those with a leading underscore are not for programs."""
