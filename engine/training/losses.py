"""The table of losses.

    L = Σ ℓ(ŷ, y) over the samples of a batch, or its mean, + l1·Σ|p| + l2·Σp²

An entry is ℓ, the loss of one sample, composed of operations of the op table only, so that its
derivative follows by the chain rule. To add a loss, add one entry to LOSSES.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.value import Value


@dataclass(frozen=True, slots=True)
class Loss:
    """One loss. `sample` is the loss of one sample, from its outputs and equally many targets.

    `sample` is built from operations only and never branches on a number, so that it can be traced
    symbolically. `mean` selects the mean over a batch instead of the sum. `no` is the target for
    "not this class", opposite to 1. `aims` are the outputs, the nearest to 0, at which the loss of
    "no" and that of 1 are least. A `regression` loss takes any numbers as targets.
    """

    name: str
    help: str
    formula: str
    sample: Callable[[Sequence[Value], Sequence[Value]], Value]
    mean: bool
    no: float = -1.0
    aims: tuple[float, float] = (-1.0, 1.0)
    regression: bool = False
    least_outputs: int = 1

    def threshold(self, low: float, high: float) -> float:
        """The threshold between the classes of an output of range `low` to `high`.

        It is midway between the aims as far as the output reaches them, and 0 where they are
        infinite, the logit of probability 0.5.
        """
        no, yes = (min(max(aim, low), high) for aim in self.aims)
        middle = (no + yes) / 2
        return middle if math.isfinite(middle) else 0.0


def total(terms: Iterable[Value]) -> Value:
    """The sum of at least one term, from left to right."""
    rest = iter(terms)
    out = next(rest)
    for term in rest:
        out = out + term
    return out


def _mean(terms: Sequence[Value]) -> Value:
    return total(terms) if len(terms) == 1 else total(terms) / len(terms)


def _squares(outputs: Sequence[Value], targets: Sequence[Value]) -> list[Value]:
    return [(o - t) ** 2 for o, t in zip(outputs, targets, strict=True)]


def sum_squares(outputs: Sequence[Value], targets: Sequence[Value]) -> Value:
    """Σ (o − t)²"""
    return total(_squares(outputs, targets))


def mse(outputs: Sequence[Value], targets: Sequence[Value]) -> Value:
    """The mean of (o − t)² over the outputs."""
    return _mean(_squares(outputs, targets))


def hinge(outputs: Sequence[Value], targets: Sequence[Value]) -> Value:
    """The mean of max(0, 1 − t·o) over the outputs, with targets −1 and 1 (Cortes, Vapnik 1995)."""
    return _mean([(1 - t * o).relu() for o, t in zip(outputs, targets, strict=True)])


def bce(outputs: Sequence[Value], targets: Sequence[Value]) -> Value:
    """The mean of −t·log σ(o) − (1 − t)·log(1 − σ(o)) over the outputs, with targets 0 and 1.

    Computed as t·softplus(−o) + (1 − t)·softplus(o), as −log σ(o) = softplus(−o). It neither
    overflows nor takes the log of 0, and keeps its digits for confident answers, which the shorter
    softplus(o) − t·o loses to cancellation: at o = 35 and t = 1 the loss is 6.3e-16.
    """
    pairs = zip(outputs, targets, strict=True)
    return _mean([t * (-o).softplus() + (1 - t) * o.softplus() for o, t in pairs])


def cross_entropy(outputs: Sequence[Value], targets: Sequence[Value]) -> Value:
    """−Σ t·log softmax(o) = log Σ exp(o − m) − Σ t·(o − m), with targets 0 and a single 1.

    The identity holds for every m; the largest output avoids overflow (log-sum-exp).
    """
    m = outputs[0]
    for o in outputs[1:]:
        m = m.max(o)
    shifted = [o - m for o in outputs]
    log_sum = total(x.exp() for x in shifted).log()
    return log_sum - total(t * x for t, x in zip(targets, shifted, strict=True))


LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (
        Loss(
            "sum_squares",
            "Squared error, summed over the batch.",
            "Σ (ŷ − y)²",
            sum_squares,
            mean=False,
            regression=True,
        ),
        Loss(
            "mse",
            "Mean squared error.",
            "1/n · Σ (ŷ − y)²",
            mse,
            mean=True,
            regression=True,
        ),
        Loss(
            "hinge",
            "Max-margin loss: 0 beyond the margin y·ŷ ≥ 1, linear below it.",
            "1/n · Σ max(0, 1 − y·ŷ)",
            hinge,
            mean=True,
        ),
        Loss(
            "bce",
            "Binary cross-entropy on logits: the sigmoid of the output is a probability.",
            "1/n · Σ (y·softplus(−ŷ) + (1 − y)·softplus(ŷ))",
            bce,
            mean=True,
            no=0.0,
            aims=(-math.inf, math.inf),
        ),
        Loss(
            "cross_entropy",
            "Softmax cross-entropy on logits, one output per class.",
            "1/n · Σ (log Σ exp(ŷ) − y·ŷ)",
            cross_entropy,
            mean=True,
            no=0.0,
            aims=(-math.inf, math.inf),
            least_outputs=2,
        ),
    )
}
"""Every loss by its name."""
