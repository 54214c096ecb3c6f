"""Illnesses of the fit: of network and loss to the data, and of what was learnt to new data."""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.training.decision import reach
from engine.training.features import featured, input_names
from engine.training.losses import LOSSES

from .course import LossCourse
from .evidence import RunEvidence, is_linear, rounded
from .findings import Found, Thresholds, mistake
from .passes import by_layer, forward, size


def wrong_gradient(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not mistake(spec) or not _has_trained(evidence, at) or evidence.broken:
        return
    if not learning.share >= at["share"].value or not evidence.levels:
        return
    if evidence.span * spec.batch_size < spec.train_samples:
        return  # less than an epoch is too little to judge by
    first, last = evidence.levels[0][1], evidence.levels[-1][1]
    message = f"In {evidence.span} steps the loss went from {rounded(first)} to {rounded(last)}"
    if not spec.accumulate:
        message += ", as each gradient keeps the contribution of a single use of its Value"
    else:
        grown = size(evidence.kept[-1].gradient) / (size(evidence.kept[0].gradient) or math.inf)
        message += f", and the gradient, never set to 0, has {rounded(grown)} times its first size"
    yield Found(evidence.steps[0], None, f"{message}.")


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
    yield Found(evidence.steps[0], layer, message)


def unscaled_inputs(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    rows = [featured(spec, x) for x in evidence.training.inputs]
    widest = max(abs(x) for row in rows for x in row)
    is_usual = widest == 0 or at["least"].value < widest < at["input"].value
    if is_usual or not _has_trained(evidence, at) or mistake(spec):
        return
    if evidence.broken is None and learning.share < at["share"].value:
        return
    layers = by_layer(spec, evidence.kept[0].parameters)
    sums = [z for x, _ in evidence.samples for z in forward(spec, layers, x)[0][0]]
    message = (
        f"The inputs go up to {rounded(widest)} and the weighted sums of layer 1 to"
        f" {rounded(max(map(abs, sums)))} at step {evidence.kept[0].step}."
    )
    yield Found(evidence.steps[0], 1, message)


def wrong_labels(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not spec.classifies or learning.near.compared < at["samples"].value:
        return
    test = _test_losses(evidence)
    fails = learning.share >= at["share"].value
    if not fails and not (test and test[-1][1] >= learning.constant):
        return
    if _is_learnable(evidence, at):
        return
    count = learning.near.compared
    known = round(learning.near.agreement * count)
    message = (
        f"The labels of {known} of {count} samples agree with those of their nearest samples, and"
        f" labels drawn at random would in about {round(learning.chance * count)}."
    )
    yield Found(evidence.steps[0], None, message)


def _is_learnable(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether neighbours agree on labels more often than by chance; True for regression."""
    near, chance = evidence.learning.near, evidence.learning.chance
    return not near.agreement <= chance + at["noise"].value / math.sqrt(near.compared)


def missing_features(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not spec.features or not _is_unfitted(evidence, at):
        return
    near, seen = learning.near, learning.seen
    names = " and ".join(filter(None, (", ".join(input_names(spec)[:-1]), input_names(spec)[-1])))
    if spec.classifies:
        if near.agreement - seen.agreement < at["lost"].value:
            return
        told = f"the label in {seen.agreement:.0%} of cases, by both inputs in {near.agreement:.0%}"
    else:
        if seen.loss < at["times"].value * near.loss:
            return
        told = (
            f"the target with a loss of {rounded(seen.loss)}, by both inputs {rounded(near.loss)}"
        )
    message = f"The network sees {names} alone: by these, the nearest samples tell {told}."
    yield Found(evidence.steps[0], None, message)


def too_much_regularisation(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    decay = spec.weight_decay if spec.optimizer == "adamw" else 0.0
    given = {"l1": spec.l1, "l2": spec.l2, "weight decay": decay}
    if not any(given.values()) or not _is_unfitted(evidence, at):
        return
    first, last = size(evidence.kept[0].parameters), size(evidence.kept[-1].parameters)
    if not decay:
        pull, is_nothing = _pull(evidence), learning.share >= at["most"].value
        have_shrunk = is_nothing and last <= at["size"].value * first
        if pull < at["pull"].value or (have_shrunk and pull >= at["strong"].value):
            return  # the latter is that of shrunk weights
    strong = " and ".join(f"{name} {rounded(x)}" for name, x in given.items() if x)
    level = rounded(learning.standings[-1].loss * evidence.scale)
    message = (
        f"With {strong} the parameters have gone from {rounded(first)} to {rounded(last)} (root"
        f" mean square), and the loss over all training data, without penalty, is {level}."
    )
    yield Found(evidence.steps[0], None, message)


def _is_unfitted(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether a share of the loss of the best constant answer is left, and samples are wrong."""
    learning = evidence.learning
    right = learning.standings[-1].accuracy or 0.0
    return learning.share >= at["share"].value and right <= at["right"].value


def shrunk_weights(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    if not (spec.l1 or spec.l2) or learning.share < at["share"].value:
        return
    first, last = size(evidence.kept[0].parameters), size(evidence.kept[-1].parameters)
    if last > at["size"].value * first or _pull(evidence) < at["pull"].value:
        return
    message = (
        f"The parameters have shrunk from {rounded(first)} to {rounded(last)} (root mean square)"
        f" by step {evidence.kept[-1].step}, and the outputs differ by"
        f" {rounded(learning.standings[-1].spread)} among the samples."
    )
    yield Found(evidence.steps[0], None, message)


def _pull(evidence: RunEvidence) -> float:
    """The size of the penalty's gradient over that of the data's, at the first state."""
    state, spec = evidence.kept[0], evidence.spec
    slopes = [spec.l1 * ((p > 0) - (p < 0)) + 2 * spec.l2 * p for p in state.parameters]
    return size(slopes) / (size(evidence.slope(state)) or math.inf)


def underfitting(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, learning = evidence.spec, evidence.learning
    last = learning.standings[-1]
    if not at["share"].value <= learning.share <= at["over"].value:
        return
    if not _is_learnable(evidence, at) or (last.accuracy or 0.0) > at["right"].value:
        return
    level, constant = rounded(last.loss * evidence.scale), learning.constant * evidence.scale
    right = "" if last.accuracy is None else f", with {last.accuracy:.0%} of the samples right"
    message = (
        f"The loss has settled at {level}{right}, and the best constant answer has"
        f" {rounded(constant)}"
    )
    if is_linear(spec):
        drawn = "a straight line" if spec.inputs < 3 else "a plane"
        cut = f"the classes apart by {drawn}" if spec.classifies else f"{drawn} through the samples"
        message += f": a network without activations can only put {cut}"
    yield Found(evidence.steps[0], None, f"{message}.")


def overfitting(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    learning, test = evidence.learning, _test_losses(evidence)
    if len(test) < at["states"].value:
        return
    (best, low), (_, end) = min(test, key=lambda pair: pair[1]), test[-1]
    training, constant = learning.standings[-1].loss, learning.constant
    risen = end >= at["rise"].value * low and end - low >= at["height"].value * constant
    apart = end - training >= at["height"].value * constant and _is_less_right(evidence, at)
    if training > at["gap"].value * end or not (risen or apart):
        return
    if LossCourse([loss / constant for _, loss in test]).is_falling:
        return
    when = f"whose least was {rounded(low)} at step {best}"
    if best == 0:
        when = f"which was {rounded(low)} before the first step and never less"
    message = f"The loss is {rounded(training)} on the training data and {rounded(end)} on the test"
    yield Found(best, None, f"{message} data, {when}.")


def _is_less_right(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether more test samples than training samples are wrong; for numbers, the loss says it."""
    training, last = evidence.learning.standings[-1].accuracy, evidence.kept[-1]
    if training is None or last.test_accuracy is None:
        return True
    return training - last.test_accuracy >= at["less"].value


def _test_losses(evidence: RunEvidence) -> list[tuple[int, float]]:
    """The loss of a test sample on average at each state kept."""
    spec = evidence.spec
    count = 1 if LOSSES[spec.loss].mean else spec.test_samples
    return [
        (state.step, state.test_loss / count)
        for state in evidence.kept
        if state.test_loss is not None and math.isfinite(state.test_loss)
    ]


def _has_trained(evidence: RunEvidence, at: Thresholds) -> bool:
    """Whether there are enough steps to judge, or the run has broken."""
    if evidence.last is None or not evidence.learning.standings:
        return False
    return evidence.broken is not None or evidence.span >= at["steps"].value
