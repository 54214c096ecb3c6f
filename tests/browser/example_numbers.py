"""The numbers of the page's example from the chain rule by hand, and as the cards show them."""

from __future__ import annotations

from collections.abc import Mapping

from tests.browser.explore_page import NOT_YET, shown

Numbers = Mapping[str, tuple[float | None, float | None]]


def as_shown(numbers: Numbers) -> dict[str, tuple[str, str]]:
    """Data and gradient by name as the cards show them; None if unknown so far."""
    return {
        name: (NOT_YET if data is None else shown(data), NOT_YET if grad is None else shown(grad))
        for name, (data, grad) in numbers.items()
    }


def chain(a: float = 2.0, b: float = -3.0, c: float = 10.0, f: float = -2.0) -> Numbers:
    """L = (a*b + c)*f and its gradients: dL/da = b f, dL/db = a f, dL/dc = f, dL/df = a b + c."""
    return {
        "a": (a, b * f),
        "b": (b, a * f),
        "c": (c, f),
        "f": (f, a * b + c),
        "a*b": (a * b, f),
        "a*b + c": (a * b + c, f),
        "L": ((a * b + c) * f, 1.0),
    }
