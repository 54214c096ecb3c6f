"""torch.nn: convolutions, and normalisation by groups, of images and by the root mean square."""

from __future__ import annotations

import math
from math import prod
from typing import Any

from . import table_functions
from .creation import drawn, full
from .dtypes import FLOAT32
from .modules import TorchModule, parameter
from .session import Session
from .whole import whole

_SETTINGS = {"stride": 1, "padding": 0, "dilation": 1}


def uniform_parameter(session: Session, shape: tuple[int, ...], bound: float, name: str) -> Any:
    """A parameter of numbers drawn uniformly on ±bound."""
    return parameter(session, drawn(session, shape, "uniform", -bound, bound), name=name)


def full_parameter(session: Session, shape: tuple[int, ...], value: float, name: str) -> Any:
    """A parameter of equal numbers."""
    return parameter(session, full(session, shape, value, FLOAT32), name=name)


class _Convolution(TorchModule):
    """Weights and biases uniform on ±1/√(numbers in a window)."""

    _seegrad_rank = 0

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros",
    ) -> None:  # fmt: skip
        session, self.training = self._seegrad_session, True
        if padding_mode != "zeros":
            session.machine.refuse("padding_mode is 'zeros' here.", "Leave it out.")
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
        self.weight = uniform_parameter(session, shape, bound, "weight")
        self.bias = None
        if bias:
            self.bias = uniform_parameter(session, (out_channels,), bound, "bias")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        settings = {name: vars(self)[name] for name in (*_SETTINGS, "groups")}
        function = table_functions.FUNCTIONS[f"conv{self._seegrad_rank}d"]
        return function(self._seegrad_session, args[0], self.weight, self.bias, **settings)

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


class GroupNorm(TorchModule):
    """Each group of channels of each sample to mean 0 and variance 1 (Wu and He 2018)."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        bias: bool = True,
    ) -> None:  # fmt: skip
        session, self.training, self.eps = self._seegrad_session, True, eps
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels, self.affine = num_groups, num_channels, affine
        self.weight = self.bias = None
        if affine:
            self.weight = full_parameter(session, (num_channels,), 1.0, "weight")
        if affine and bias:
            self.bias = full_parameter(session, (num_channels,), 0.0, "bias")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return table_functions.FUNCTIONS["group_norm"](
            self._seegrad_session, args[0], self.num_groups, self.weight, self.bias, self.eps
        )

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(TorchModule):
    """x over the root of its mean square, times a weight (Zhang and Sennrich 2019)."""

    def __init__(
        self, normalized_shape: Any, eps: float | None = None, elementwise_affine: bool = True
    ) -> None:
        session, self.training, self.eps = self._seegrad_session, True, eps
        given = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.elementwise_affine = tuple(given), elementwise_affine
        self.weight = None
        if elementwise_affine:
            self.weight = full_parameter(session, self.normalized_shape, 1.0, "weight")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return table_functions.rms_norm(
            self._seegrad_session, args[0], self.normalized_shape, self.weight, self.eps
        )

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class InstanceNorm1d(TorchModule):
    """Each channel of each sample to mean 0 and variance 1 (Ulyanov et al. 2016)."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False
    ) -> None:
        session, self.training, self.eps = self._seegrad_session, True, eps
        self.num_features, self.momentum, self.affine = num_features, momentum, affine
        self.weight = self.bias = None
        if affine:
            self.weight = full_parameter(session, (num_features,), 1.0, "weight")
            self.bias = full_parameter(session, (num_features,), 0.0, "bias")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return table_functions.instance_norm(
            self._seegrad_session, args[0], weight=self.weight, bias=self.bias, eps=self.eps
        )

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, bias={self.bias is not None}, track_running_stats=False"
        )


class InstanceNorm2d(InstanceNorm1d):
    """The same of images."""


class Bilinear(TorchModule):
    """Σ x₁ᵢ Aᵢⱼ x₂ⱼ + b for each output, with parameters uniform on ±1/√inputs."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True
    ) -> None:
        session, self.training = self._seegrad_session, True
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features, bound = out_features, 1 / math.sqrt(in1_features)
        shape = (out_features, in1_features, in2_features)
        self.weight = uniform_parameter(session, shape, bound, "weight")
        self.bias = uniform_parameter(session, (out_features,), bound, "bias") if bias else None

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        a, b = args
        equation = {"equation": "...i,oij,...j->...o"}
        found = whole(self._seegrad_session, "einsum", [a, self.weight, b], equation)
        return found if self.bias is None else found + self.bias

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


LAYERS: tuple[type, ...] = (
    Bilinear,    _Convolution, Conv1d, Conv2d, GroupNorm, RMSNorm, InstanceNorm1d, InstanceNorm2d,
)  # fmt: skip
