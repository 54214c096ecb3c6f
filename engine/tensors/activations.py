"""Activations of torch.nn.functional that are combinations of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import normalisation, softmaxes
from .dtypes import BOOL
from .elementwise import COMPARISONS, elementwise, mapped, where, with_kernels
from .session import Session
from .tensor_array import called

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
    return called(elementwise(session, "/", bent, 6), "HardsigmoidBackward0")


def hardswish(session: Session, x: Any) -> Any:
    """x · relu6(x + 3) / 6"""
    bent = relu6(session, elementwise(session, "+", x, 3))
    product = elementwise(session, "*", x, bent)
    return called(elementwise(session, "/", product, 6), "HardswishBackward0")


def _above(session: Session, x: Any, bound: float) -> Any:
    return mapped(session, COMPARISONS["gt"], BOOL, x, bound)


def threshold(session: Session, x: Any, threshold: float, value: float) -> Any:
    """x above the threshold, the value elsewhere."""
    return called(where(session, _above(session, x, threshold), x, value), "ThresholdBackward0")


def hardshrink(session: Session, x: Any, lambd: float = 0.5) -> Any:
    """0 where |x| ≤ λ, x elsewhere."""
    far = _above(session, elementwise(session, "abs", session.array(x).detached()), lambd)
    return called(where(session, far, x, 0.0), "HardshrinkBackward0")


def softshrink(session: Session, x: Any, lambd: float = 0.5) -> Any:
    """0 where |x| ≤ λ, elsewhere x moved towards 0 by λ."""
    above = _above(session, x, lambd)
    below = _above(session, elementwise(session, "neg", session.array(x).detached()), lambd)
    lower = where(session, below, elementwise(session, "+", x, lambd), 0.0)
    upper = elementwise(session, "-", x, lambd)
    return called(where(session, above, upper, lower), "SoftshrinkBackward0")


def prelu(session: Session, x: Any, weight: Any) -> Any:
    """x above 0, weight·x below; the weight is learned."""
    below = elementwise(session, "*", weight, x)
    return called(where(session, _above(session, x, 0.0), x, below), "PreluKernelBackward0")


FUNCTIONS: dict[str, Function] = with_kernels({
    "relu6": relu6, "softsign": softsign, "tanhshrink": tanhshrink, "softmin": softmin,
    "hardsigmoid": hardsigmoid, "hardswish": hardswish, "threshold": threshold,
    "hardshrink": hardshrink, "softshrink": softshrink, "prelu": prelu,
})  # fmt: skip
"""Names of torch.nn.functional."""
