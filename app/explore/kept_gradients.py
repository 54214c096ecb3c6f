"""What is said where the gradient that a program leaves is not the derivative."""

from __future__ import annotations

import math

from engine.numbers import in_equation
from engine.trace.model import Node

SAYS = "{name}.grad is {grad} in the program, not the derivative {derivative} that is used here."
NEAR, TINY = 1e-5, 1e-9  # 32 bits


def other_gradient(leaf: Node, derivative: float) -> str:
    """A sentence if the gradient of a leaf is another number than the derivative, else ""."""
    grad = leaf.grad
    if grad is None or math.isclose(grad, derivative, rel_tol=NEAR, abs_tol=TINY):
        return ""
    if grad != grad and derivative != derivative:
        return ""
    numbers = {"grad": in_equation(grad), "derivative": in_equation(derivative)}
    return SAYS.format(name=leaf.name, **numbers)
