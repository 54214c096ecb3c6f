"""The decision between classes: a threshold for a single output, the largest of several.

The threshold is midway between the outputs that the loss aims at, as far as the activation of the
last layer reaches: 0 for a linear output, but 0.5 for a sigmoid, whose outputs are all positive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.caches import cached
from engine.nn import LINEAR
from engine.ops import OPS

from .losses import LOSSES

_FAR = 1e6
"""An argument at which a bounded activation has reached its limit."""
_PROBES = (-_FAR, *(i / 64 for i in range(-1024, 1025)), _FAR)


@cached("ranges of activations")
def reach(activation: str) -> tuple[float, float]:
    """The range of an activation, −∞ and ∞ where it is unbounded."""
    if activation == LINEAR:
        return -math.inf, math.inf
    values = [OPS[activation].compute(x) for x in _PROBES]
    low, high = min(values), max(values)
    # the weakest unbounded activation of the table, leaky_relu, has a slope of 0.01
    far = _FAR / 1000
    return (-math.inf if low < -far else low), (math.inf if high > far else high)


def threshold_of(loss: str, activation: str) -> float:
    """The least upper bound of single outputs that mean "not this class"."""
    return LOSSES[loss].threshold(*reach(activation))


def chosen(outputs: Sequence[float], threshold: float = 0.0) -> int:
    """The predicted class: whether a single output exceeds the threshold, else the first argmax."""
    if len(outputs) == 1:
        return int(outputs[0] > threshold)
    return max(range(len(outputs)), key=outputs.__getitem__)
