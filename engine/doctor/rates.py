"""Illnesses of the steps: a rate too large or too small, and noise of batches and dropout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from .evidence import RunEvidence, promised, rounded
from .findings import Found, SymptomLimit, Thresholds
from .passes import mean


def rate_too_large(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    found = _risen(evidence, at) or _oscillating(evidence, at)
    if found:
        yield Found(found[0], None, found[1])


def noisy_batches(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, course = evidence.spec, evidence.course
    if len(course.shares) < at["states"].value:
        return
    if spec.dropout or spec.batch_size > at["batch"].value * spec.train_samples:
        return
    right = evidence.learning.standings[-1].accuracy or 0.0
    if evidence.learning.share < at["share"].value or right > at["right"].value:
        return
    level = course.level * evidence.learning.constant * evidence.scale
    share = course.noise / course.level
    message = (
        f"Each step follows {spec.batch_size} of {spec.train_samples} samples, and the loss over"
        f" all training data stays about {rounded(level)}"
    )
    if share >= at["seen"].value:
        message += f", up and down by {share:.0%} from look to look"
    yield Found(evidence.steps[0], None, f"{message}.")


def sorted_batches(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec = evidence.spec
    if spec.shuffle or spec.batch_size > at["batch"].value * spec.train_samples:
        return
    labels = evidence.training.labels
    told = labels_told_by_place(labels)
    if evidence.learning.share < at["share"].value or told < at["sorted"].value:
        return
    in_a_row = spec.train_samples // spec.batch_size
    message = (
        f"The {in_a_row} batches of an epoch always come in the same order, and the quarter of the"
        f" data that a sample stands in tells {told:.0%} of the variance of its label, so that each"
        " step undoes what those on other labels have learned."
    )
    yield Found(evidence.steps[0], None, message)


def labels_told_by_place(labels: Sequence[float]) -> float:
    """The share of the variance of labels that lies between the quarters of their order."""
    middle, count = mean(labels), len(labels)
    whole = sum((y - middle) ** 2 for y in labels)
    ends = [count * i // 4 for i in range(5)]
    parts = [labels[a:b] for a, b in pairwise(ends) if a < b]
    return sum(len(part) * (mean(part) - middle) ** 2 for part in parts) / (whole or 1.0)


def too_much_dropout(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec = evidence.spec
    if not spec.dropout or evidence.learning.share < at["share"].value:
        return
    tail = max(len(evidence.losses) // 5, 1)
    masked = mean(evidence.losses[-tail:]) - evidence.penalty
    whole = evidence.looks[-1].loss * evidence.scale * _batch_share(evidence)
    if spec.dropout < at["dropout"].value and masked < at["masked"].value * whole:
        return
    message = (
        f"With dropout {rounded(spec.dropout)} the loss is {rounded(masked)} on average from step"
        f" {evidence.steps[-tail]} on, and without dropout, over all training data,"
        f" {rounded(evidence.looks[-1].loss * evidence.scale)} at step {evidence.looks[-1].step}."
    )
    yield Found(evidence.steps[0], None, message)


def _batch_share(evidence: RunEvidence) -> float:
    """The loss of a batch over that of all training data, where losses are sums."""
    return evidence.spec.batch_size / evidence.spec.train_samples if evidence.scale > 1 else 1.0


def _risen(evidence: RunEvidence, at: Thresholds) -> tuple[int, str] | None:
    """The final loss, averaged over a fifth of the run unless it overflows, is far above the least.

    Returns the step of the least loss and a message.
    """
    levels, idle = evidence.levels, evidence.idle_loss
    few = len(levels) < at["levels"].value
    if len(levels) < 2 or (few and evidence.broken is None):
        return None
    tail = 1 if evidence.broken else max(len(levels) // 5, 1)
    end = mean([level for _, level in levels[-tail:]])
    when = f"{rounded(end)} at step {levels[-1][0]}"
    if tail > 1:
        when = f"{rounded(end)} on average from step {levels[-tail][0]} on"
    step, low = min(levels[:-tail], key=lambda level: level[1])
    rise = at["rise"].value
    if end >= rise * low and end - low >= at["height"].value * idle:
        return step, f"The loss rose from {rounded(low)} at step {step} to {when}."
    if end >= rise * max(idle, levels[0][1]):
        return levels[0][0], f"The loss is {when}; that of always predicting 0 is {rounded(idle)}."
    return None


def _oscillating(evidence: RunEvidence, at: Thresholds) -> tuple[int, str] | None:
    """The loss oscillates without progress, up to the end of the run."""
    levels = evidence.levels
    width = max(int(at["stretch"].value), len(levels) // 5)
    if len(levels) <= width:
        return None
    stretch = [level for _, level in levels[-width - 1 :]]
    moves = [b - a for a, b in pairwise(stretch)]
    rises, move = sum(x > 0 for x in moves), mean([abs(x) for x in moves])
    before, after = mean(stretch[: width // 2]), mean(stretch[width // 2 :])
    often = rises >= at["rises"].value * width
    least = at["move"].value * evidence.idle_loss
    if not (often and move >= least and after > at["progress"].value * before):
        return None
    first, last = levels[-width - 1][0], levels[-1][0]
    moved = f"rose in {rises} of {width} steps and changed by {rounded(move)} on average"
    if not evidence.sees_all:
        moved = f"rose {rises} times in {width} looks and changed by {rounded(move)} on average"
    means = f"its mean went from {rounded(before)} to {rounded(after)}"
    return first, f"Between steps {first} and {last} the loss {moved}, but {means}."


def rate_too_small(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    levels = evidence.levels
    if evidence.broken or len(levels) < 2:
        return
    if evidence.span < at["steps"].value:
        return
    losses = [level for _, level in levels]
    first, last = losses[0], losses[-1]
    moved = max(losses) - min(losses)
    promise = median(promised(evidence, at["length"].value))
    if moved >= at["moved"].value * first or promise < at["moved"].value:
        return
    fallen, steps = (first - last) / first, levels[-1][0] - levels[0][0]
    message = f"In {steps} steps the loss went from {rounded(first)} to {rounded(last)}"
    if fallen > 0:
        wait = rounded(round(steps / (2 * fallen)))
        message += f", by {100 * fallen:.2g} %: halving it would take about {wait} steps"
    yield Found(levels[0][0], None, f"{message}.")


PROMISED = SymptomLimit(
    0.1,
    "times the norm of the parameters: the length of the step against the gradient whose effect, to"
    " first order, is the predicted decrease",
)

UNSTEADY: Thresholds = {
    "levels": SymptomLimit(10, "losses at least, as the first steps often raise the loss"),
    "rise": SymptomLimit(2.0, "times the lowest loss: more than what noise leaves"),
    "height": SymptomLimit(
        0.2,
        "of the loss of always predicting 0: a significant rise, unlike one from 0.0001 to 0.001",
    ),
    "stretch": SymptomLimit(20, "losses, or a fifth of the run: longer than a transient"),
    "rises": SymptomLimit(0.25, "of the steps of the stretch: more than single spikes"),
    "move": SymptomLimit(0.05, "of the loss of always predicting 0, on average"),
    "progress": SymptomLimit(
        0.9,
        "mean of the stretch's second half over that of its first: a loss that falls by a tenth is"
        " making progress",
    ),
}
