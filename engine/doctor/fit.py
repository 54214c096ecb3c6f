"""Illnesses of the fit: of network and loss to the data, and of what was learnt to new data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from engine.nn import LINEAR
from engine.training.decision import reach
from engine.training.features import featured
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES

from .evidence import RunEvidence, is_linear, rounded
from .findings import Cure, Found, Thresholds, mistake, repaired
from .passes import by_layer, forward, mean, size


def wrong_gradient(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not mistake(spec) or not _has_trained(evidence, at) or evidence.broken:
        return
    if not learning.share >= at["share"].value or not evidence.levels:
        return
    first, last = evidence.levels[0][1], evidence.levels[-1][1]
    message = f"In {_steps(evidence)} steps the loss went from {rounded(first)} to {rounded(last)}"
    if not spec.accumulate:
        message += ", as each gradient keeps the contribution of a single use of its Value"
    else:
        grown = size(evidence.kept[-1].gradient) / (size(evidence.kept[0].gradient) or math.inf)
        message += f", and the gradient, never set to 0, has {rounded(grown)} times its first size"
    yield Found(evidence.steps[0], None, f"{message}.", mistake(spec), repaired(spec))


def wrong_output(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not _has_trained(evidence, at) or learning.floor < at["floor"].value * learning.constant:
        return
    low, high = map(rounded, reach(spec.output_activation))
    name, layer = spec.output_activation, len(spec.layers) - 1
    message = (
        f"The outputs of {name} lie between {low} and {high}, so that {spec.loss} cannot fall below"
        f" {rounded(learning.floor)} for a sample on average: it is"
        f" {rounded(learning.standings[-1].loss)} at step {learning.standings[-1].step}."
    )
    wanted = "any number" if math.inf in LOSSES[spec.loss].aims else "the targets"
    advice = f"Take a linear output, which reaches {wanted}."
    if wanted == "any number":
        advice = f"Take a linear output: {spec.loss} applies its own squashing function to it."
    yield Found(evidence.steps[0], layer, message, advice, {"output_activation": LINEAR})


def unscaled_inputs(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    rows = [featured(spec, x) for x in evidence.training.inputs]
    widest = max(abs(x) for row in rows for x in row)
    if widest < at["input"].value or not _has_trained(evidence, at) or mistake(spec):
        return
    if evidence.broken is None and learning.share < at["share"].value:
        return
    layers = by_layer(spec, evidence.kept[0].parameters)
    sums = [z for x, _ in evidence.samples for z in forward(spec, layers, x)[0][0]]
    message = (
        f"The inputs go up to {rounded(widest)} and the weighted sums of layer 1 to"
        f" {rounded(max(map(abs, sums)))} at step {evidence.kept[0].step}."
    )
    advice = "Standardise each input: subtract its mean and divide by its standard deviation."
    yield Found(evidence.steps[0], 1, message, advice, {"scaling": "standardize"})


def wrong_labels(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not spec.classifies or not _has_trained(evidence, at) or mistake(spec) or evidence.broken:
        return
    if learning.compared < at["samples"].value:
        return
    test = _test_losses(evidence)
    fails = learning.share >= at["share"].value
    if not fails and not (test and test[-1][1] >= learning.constant):
        return
    if _is_learnable(evidence, at):
        return
    known, count = round(learning.agreement * learning.compared), learning.compared
    message = (
        f"The labels of {known} of {count} samples agree with those of their nearest samples, and"
        f" labels drawn at random would in about {round(learning.chance * count)}."
    )
    advice = "Check the labels: no network can find a rule in them that new samples follow."
    yield Found(evidence.steps[0], None, message, advice)


def _is_learnable(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether neighbours agree on labels more often than by chance; True for regression."""
    learning = evidence.learning
    noise = at["noise"].value / math.sqrt(learning.compared)
    return not learning.agreement <= learning.chance + noise


def shrunk_weights(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    factor = max(spec.l1, spec.l2)
    if not factor or not _has_trained(evidence, at) or mistake(spec) or evidence.broken:
        return
    if learning.share < at["share"].value:
        return
    first, last = size(evidence.kept[0].parameters), size(evidence.kept[-1].parameters)
    if last > at["size"].value * first or _pull(evidence) < at["pull"].value:
        return
    message = (
        f"The parameters have shrunk from {rounded(first)} to {rounded(last)} (root mean square)"
        f" by step {evidence.kept[-1].step}, and the outputs differ by"
        f" {rounded(learning.standings[-1].spread)} among the samples."
    )
    name = "l1" if spec.l1 >= spec.l2 else "l2"
    less = float(f"{min(factor / 1000, 1e-4):.1g}")
    other = {"l1": 0.0, "l2": 0.0, name: less}
    advice = f"Take a smaller penalty, such as {name} = {rounded(less)}."
    yield Found(evidence.steps[0], None, message, advice, other)


def _pull(evidence: RunEvidence) -> float:
    """The size of the penalty's gradient over that of the data's, at the first state."""
    state, spec = evidence.kept[0], evidence.spec
    slopes = [spec.l1 * ((p > 0) - (p < 0)) + 2 * spec.l2 * p for p in state.parameters]
    return size(slopes) / (size(evidence.slope(state)) or math.inf)


def underfitting(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not is_linear(spec) or mistake(spec) or evidence.broken or not _has_trained(evidence, at):
        return
    last = learning.standings[-1]
    if not at["share"].value <= learning.share <= at["over"].value:
        return
    if not _is_flat(evidence, at) or not _is_learnable(evidence, at):
        return
    drawn = "a straight line" if spec.inputs < 3 else "a plane"
    cut = f"the classes apart by {drawn}" if spec.classifies else f"{drawn} through the samples"
    message = (
        f"The loss has settled at {rounded(last.loss)}, and the best constant answer has"
        f" {rounded(learning.constant)}: a network without activations can only put {cut}."
    )
    bent = dict.fromkeys(("activation",), "tanh")
    wider = len(spec.layers) == 2
    shape = {"layers": (spec.network_inputs, 8, spec.outputs)} if wider else {}
    advice = "Add a hidden layer with tanh." if wider else "Take tanh in the hidden layers."
    yield Found(evidence.steps[0], None, message, advice, {**bent, **shape, **_afresh(evidence)})


def _afresh(evidence: RunEvidence) -> Cure:
    """The initialisation drawn instead of given, as given parameters are those of the layers."""
    return {"initial": (), "init": next(iter(INITS))} if evidence.spec.initial else {}


def overfitting(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    learning, test = evidence.learning, _test_losses(evidence)
    if len(test) < at["states"].value or evidence.broken or mistake(evidence.spec):
        return
    (best, low), (_, end) = min(test, key=lambda pair: pair[1]), test[-1]
    training = learning.standings[-1].loss
    risen = end >= at["rise"].value * low and end - low >= at["height"].value * learning.constant
    never = end >= learning.constant and training <= at["learnt"].value * learning.constant
    if training > at["gap"].value * end or not (risen or never):
        return
    message = f"The loss is {rounded(training)} on the training data and {rounded(end)} on the test"
    message += f" data, whose least was {rounded(low)} at step {best}."
    advice = "Take more samples, a smaller network, or a penalty such as l2 = 0.01."
    yield Found(best, None, message, advice, {"l2": 0.01})


def _test_losses(evidence: RunEvidence) -> list[tuple[int, float]]:
    """The loss of a test sample on average, without penalties, at each state kept."""
    spec = evidence.spec
    count = 1 if LOSSES[spec.loss].mean else spec.test_samples
    return [
        (state.step, (state.test_loss - _penalty(evidence, state.parameters)) / count)
        for state in evidence.kept
        if state.test_loss is not None and math.isfinite(state.test_loss)
    ]


def _penalty(evidence: RunEvidence, parameters: Sequence[float]) -> float:
    l1, l2 = evidence.spec.l1, evidence.spec.l2
    first = l1 * math.fsum(map(abs, parameters)) if l1 else 0.0
    return first + (l2 * math.fsum(p * p for p in parameters) if l2 else 0.0)


def _has_trained(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether there are enough steps to judge, or the run has broken."""
    if evidence.last is None or not evidence.learning.standings:
        return False
    return evidence.broken is not None or _steps(evidence) >= at["steps"].value


def _steps(evidence: RunEvidence) -> int:
    return evidence.steps[-1] - evidence.steps[0]


def _is_flat(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether the loss of the last fifth of the run is about that of the fifth before."""
    losses = [level for _, level in evidence.levels]
    width = max(len(losses) // 5, 1)
    if len(losses) < 2 * width:
        return False
    before, after = mean(losses[-2 * width : -width]), mean(losses[-width:])
    return after >= at["flat"].value * before
