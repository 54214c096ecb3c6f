"""Activations of torch.nn.functional that are combinations of others, and their layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import normalisation, softmaxes
from .composed import called
from .creation import full
from .dtypes import BOOL, FLOAT32
from .elementwise import COMPARISONS, elementwise, mapped, where
from .modules import TorchModule, parameter
from .session import Session

Function = Callable[..., Any]


def relu6(session: Session, x: Any) -> Any:
    """min(max(x, 0), 6)"""
    return normalisation.hardtanh(session, x, 0.0, 6.0)


def softsign(session: Session, x: Any) -> Any:
    """x / (1 + |x|)"""
    size = elementwise(session, "+", elementwise(session, "abs", x), 1)
    return elementwise(session, "/", x, size)


def tanhshrink(session: Session, x: Any) -> Any:
    """x − tanh x"""
    return elementwise(session, "-", x, elementwise(session, "tanh", x))


def softmin(session: Session, x: Any, dim: int | None = None) -> Any:
    """softmax(−x)"""
    return softmaxes.softmax(session, elementwise(session, "neg", x), -1 if dim is None else dim)


def hardsigmoid(session: Session, x: Any) -> Any:
    """relu6(x + 3) / 6"""
    bent = relu6(session, elementwise(session, "+", x, 3))
    return called(elementwise(session, "/", bent, 6), "Hardsigmoid")


def hardswish(session: Session, x: Any) -> Any:
    """x · relu6(x + 3) / 6"""
    bent = relu6(session, elementwise(session, "+", x, 3))
    product = elementwise(session, "*", x, bent)
    return called(elementwise(session, "/", product, 6), "Hardswish")


def _above(session: Session, x: Any, bound: float) -> Any:
    return mapped(session, COMPARISONS["gt"], BOOL, x, bound)


def threshold(session: Session, x: Any, threshold: float, value: float) -> Any:
    """x above the threshold, the value elsewhere."""
    return called(where(session, _above(session, x, threshold), x, value), "Threshold")


def hardshrink(session: Session, x: Any, lambd: float = 0.5) -> Any:
    """0 where |x| ≤ λ, x elsewhere."""
    far = _above(session, elementwise(session, "abs", session.array(x).detached()), lambd)
    return called(where(session, far, x, 0.0), "Hardshrink")


def softshrink(session: Session, x: Any, lambd: float = 0.5) -> Any:
    """0 where |x| ≤ λ, elsewhere x moved towards 0 by λ."""
    above = _above(session, x, lambd)
    below = _above(session, elementwise(session, "neg", session.array(x).detached()), lambd)
    lower = where(session, below, elementwise(session, "+", x, lambd), 0.0)
    upper = elementwise(session, "-", x, lambd)
    return called(where(session, above, upper, lower), "Softshrink")


def prelu(session: Session, x: Any, weight: Any) -> Any:
    """x above 0, weight·x below; the weight is learned."""
    below = elementwise(session, "*", weight, x)
    return called(where(session, _above(session, x, 0.0), x, below), "PreluKernel")


FUNCTIONS: dict[str, Function] = {
    "relu6": relu6, "softsign": softsign, "tanhshrink": tanhshrink, "softmin": softmin,
    "hardsigmoid": hardsigmoid, "hardswish": hardswish, "threshold": threshold,
    "hardshrink": hardshrink, "softshrink": softshrink, "prelu": prelu,
}  # fmt: skip
"""Names of torch.nn.functional."""


class _Bend(TorchModule):
    """A function without settings."""

    _seegrad_function: Any = None

    def __init__(self, inplace: bool = False) -> None:
        self.training = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._seegrad_function(self._seegrad_session, args[0])


class ReLU6(_Bend):
    _seegrad_function = staticmethod(relu6)


class Softsign(_Bend):
    _seegrad_function = staticmethod(softsign)


class Tanhshrink(_Bend):
    _seegrad_function = staticmethod(tanhshrink)


class Hardsigmoid(_Bend):
    _seegrad_function = staticmethod(hardsigmoid)


class Hardswish(_Bend):
    _seegrad_function = staticmethod(hardswish)


class Softmin(TorchModule):
    def __init__(self, dim: int | None = None) -> None:
        self.training, self.dim = True, dim

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return softmin(self._seegrad_session, args[0], self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Hardshrink(TorchModule):
    _seegrad_function: Any = staticmethod(hardshrink)

    def __init__(self, lambd: float = 0.5) -> None:
        self.training, self.lambd = True, lambd

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._seegrad_function(self._seegrad_session, args[0], self.lambd)

    def extra_repr(self) -> str:
        return str(self.lambd)


class Softshrink(Hardshrink):
    _seegrad_function = staticmethod(softshrink)


class Threshold(TorchModule):
    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self.training, self.threshold, self.value = True, threshold, value

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return threshold(self._seegrad_session, args[0], self.threshold, self.value)

    def extra_repr(self) -> str:
        return f"threshold={self.threshold}, value={self.value}"


class PReLU(TorchModule):
    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        session, self.training = self._seegrad_session, True
        if num_parameters != 1:
            session.machine.refuse("PReLU has one parameter here.", "Leave num_parameters out.")
        self.num_parameters = num_parameters
        self.weight = parameter(session, full(session, (1,), init, FLOAT32))
        self.weight.name_elements("weight")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return prelu(self._seegrad_session, args[0], self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


LAYERS: tuple[type, ...] = (
    _Bend, ReLU6, Softsign, Tanhshrink, Hardsigmoid, Hardswish, Softmin, Hardshrink, Softshrink,
    Threshold, PReLU,
)  # fmt: skip
"""Every class, bases first."""
