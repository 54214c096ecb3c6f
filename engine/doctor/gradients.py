"""Illnesses of gradients: vanishing and exploding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from engine.training.optim import OPTIMIZERS, Updater

from .evidence import RunEvidence, is_linear, limits_of, promised, rounded
from .findings import MEASURE, Found, SymptomLimit, Thresholds
from .passes import size
from .rates import PROMISED


def vanishing(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, ratios = evidence.spec, _ratios(evidence)
    squashed = [name for name in spec.activations[:-1] if limits_of(name)]
    if is_linear(spec):
        return
    if ratios and median(ratios.values()) < at["ratio"].value:
        step = next(step for step, ratio in ratios.items() if ratio < at["ratio"].value)
        yield Found(step, 1, _compared(evidence, ratios))
    elif _is_flattened(evidence, at, len(squashed)):
        yield Found(evidence.steps[0], 1, _flattened(evidence, len(squashed)))
    elif ratios and _is_stuck(evidence, at):
        largest = rounded(median(max(slopes) for slopes in evidence.slopes))
        message = (
            f"The loss stays at {rounded(evidence.levels[-1][1])}, as if always predicting 0,"
            f" and no layer has a gradient above {largest} ({MEASURE})."
        )
        yield Found(evidence.steps[0], None, message)


def _is_flattened(evidence: RunEvidence, at: Thresholds, squashing: int) -> bool:
    """Whether squashing layers have made the outputs nearly the same for all samples, throughout.

    Then the gradient of the first layers is as small as the differences of the outputs.
    """
    learning = evidence.learning
    if squashing < at["layers"].value or evidence.broken:
        return False
    if len(evidence.levels) < at["levels"].value or learning.share < at["idle"].value:
        return False
    widest = max(standing.spread for standing in learning.standings)
    return 0 < widest < at["spread"].value


def _flattened(evidence: RunEvidence, squashing: int) -> str:
    spread = rounded(evidence.learning.standings[-1].spread)
    slopes = [slopes[0] for slopes in evidence.slopes]
    return (
        f"After {squashing} squashing layers the outputs differ by {spread} among the samples, and"
        f" layer 1 has a gradient of {rounded(median(slopes))} ({MEASURE})."
    )


def _is_stuck(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether the loss has stayed at that of predicting 0 and the gradient predicts no decrease."""
    losses = [level for _, level in evidence.levels]
    if len(losses) < at["levels"].value or evidence.broken:
        return False
    idle, promises = evidence.idle_loss, promised(evidence, at["length"].value)
    near = min(losses) > at["idle"].value * idle and losses[-1] < at["over"].value * idle
    return near and max(promises[0], median(promises)) < at["promise"].value


def exploding(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, ratios = evidence.spec, _ratios(evidence)
    most, large = at["ratio"].value, at["size"].value
    if ratios and median(ratios.values()) > most:
        step = next(step for step, ratio in ratios.items() if ratio > most)
        yield Found(step, 1, _compared(evidence, ratios))
        return
    sizes = [max(slopes) for slopes in evidence.slopes]
    if sizes and min(sizes[0], median(sizes)) > large and _outgrown(evidence) > at["update"].value:
        layer = 1 + max(range(len(spec.activations)), key=lambda i: evidence.slopes[0][i])
        where = f"{rounded(sizes[0])} in layer {layer} at step {evidence.steps[0]}"
        later = f"{rounded(median(sizes))} in the worst layer ({MEASURE})"
        message = f"The gradient is {where} and {later}: updates outgrow the parameters."
        yield Found(evidence.steps[0], layer, message)


def _ratios(evidence: RunEvidence) -> dict[int, float]:
    """The ratio of the first layer's gradient size to the last's, by step.

    Empty if one of them is 0 at most steps: then the path is blocked, by dead neurons for example.
    """
    slopes = zip(evidence.kept, evidence.slopes, strict=True)
    ratios = {state.step: s[0] / s[-1] for state, s in slopes if s[0] > 0 and s[-1] > 0}
    return ratios if 2 * len(ratios) >= len(evidence.kept) else {}


def _compared(evidence: RunEvidence, ratios: Mapping[int, float]) -> str:
    slopes = [s for s in evidence.slopes if s[0] > 0 and s[-1] > 0]
    first, last = (median(s[i] for s in slopes) for i in (0, -1))
    return (
        f"The gradient of layer 1 is {rounded(median(ratios.values()))} times that of layer"
        f" {len(slopes[0])}: {rounded(first)} against {rounded(last)} ({MEASURE})."
    )


def _outgrown(evidence: RunEvidence) -> float:
    """The ratio of an update's size to that of the parameters, median over the run.

    0 for an optimizer that normalises the gradient's size.
    """
    spec = evidence.spec
    rule = OPTIMIZERS[spec.optimizer]
    shares = []
    for state in evidence.kept:
        steps = [
            abs(Updater(rule, 1, spec.momentum, 0.0).step([0.0], [g], state.learning_rate)[0])
            for g in (size(state.gradient), 2 * size(state.gradient))
        ]
        parameters = size(state.parameters)
        if parameters:
            shares.append(steps[0] / parameters if steps[1] > 1.5 * steps[0] else 0.0)
    return median(shares) if shares else 0.0


VANISHING: Thresholds = {
    "ratio": SymptomLimit(
        0.01,
        "first layer over last; two to six layers of tanh or relu have 0.1 to 2 with"
        " each initialisation of the table, and at 0.01 the first layer learns a"
        " hundred times slower than the last",
    ),
    "levels": SymptomLimit(10, "losses at least, to tell a plateau"),
    "idle": SymptomLimit(0.95, "of the loss of always predicting 0: nothing is learnt"),
    "over": SymptomLimit(2.0, "times that loss: a higher one has another cause"),
    "promise": SymptomLimit(
        0.001,
        "of the loss; two layers of any activation of the table predict 0.01 or more",
    ),
    "length": PROMISED,
    "layers": SymptomLimit(3, "squashing layers at least, each of which flattens a little"),
    "spread": SymptomLimit(
        0.003,
        "standard deviation of an output over the samples, at every step: seven layers"
        " of sigmoid have 0.0007 at most, two at least 0.02",
    ),
}

EXPLODING: Thresholds = {
    "ratio": SymptomLimit(100.0, "first layer over last, as for vanishing gradients"),
    "size": SymptomLimit(
        1000.0,
        "root mean square in a layer: even a learning rate of 0.001 would change its"
        " parameters by more than 1, their initial size",
    ),
    "update": SymptomLimit(
        1.0,
        "size of an update over that of the parameters: a smaller learning rate"
        " compensates for a large gradient, and so do some optimizers",
    ),
}
