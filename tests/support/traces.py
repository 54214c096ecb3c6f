"""Programs of many kinds, and their traces, each computed once."""

from __future__ import annotations

from functools import cache

import pytest

from engine.trace.build import trace as fresh
from engine.trace.traced import Trace
from tests.support.places import DATA

EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\ne = a*b\nd = e + c\nL = d * 2"
NETWORK = "n = MLP(2, [3, 1])\nxs = [[1.0, 2.0], [0.5, -1.0]]\nL = sum((n(x) - 1)**2 for x in xs)"
SNIPPETS = [
    "seeds/3_manual_computation.py", "seeds/4_training_with_classes.py", "seeds/2_network.py",
    "tutorials/micrograd_readme.py", "tutorials/max_margin.py", "tutorials/zero_grad.py",
    "tutorials/softmax_nll.py",
]  # fmt: skip
TEXTS = {
    "example": EXAMPLE,
    "network": NETWORK,
    "one leaf": "a = Value(1.0)",
    "shared": "x = Value(3.0)\ny = x * x + x",
    "not finite": "x = Value(0.0)\ny = log(x) * 0",
    **{name: (DATA / name).read_text("utf-8") for name in SNIPPETS},
}
EACH = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


@cache
def trace(text: str) -> Trace:
    """The trace of a program; many tests read the same one."""
    return fresh(text)
