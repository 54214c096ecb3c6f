"""Illnesses of the learning rate: too large or too small."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from engine.training.spec import TrainSpec

from .evidence import RunEvidence, promised, rounded
from .findings import Found, SymptomLimit, Thresholds, mistake, repaired, slowed, slower
from .passes import mean


def rate_too_large(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    found = _risen(evidence, at)
    if found is None and not evidence.learning.share < at["learnt"].value:
        found = _oscillating(evidence, at)
    if found:
        step, message = found
        spec = evidence.spec
        yield Found(step, None, message, slower(spec), slowed(spec))


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
    if end >= rise * max(idle, evidence.losses[0]):
        return levels[0][0], f"The loss is {when}; that of always predicting 0 is {rounded(idle)}."
    return None


def _oscillating(evidence: RunEvidence, at: Thresholds) -> tuple[int, str] | None:
    """The loss oscillates over a stretch of the run without progress."""
    levels = evidence.levels
    width = max(int(at["stretch"].value), len(levels) // 5)
    least = at["move"].value * evidence.idle_loss
    for start in range(0, len(levels) - width, max(width // 4, 1)):
        stretch = [level for _, level in levels[start : start + width + 1]]
        moves = [b - a for a, b in pairwise(stretch)]
        rises, move = sum(x > 0 for x in moves), mean([abs(x) for x in moves])
        before, after = mean(stretch[: width // 2]), mean(stretch[width // 2 :])
        often = rises >= at["rises"].value * width
        if often and move >= least and after > at["progress"].value * before:
            first, last = levels[start][0], levels[start + width][0]
            moved = f"rose in {rises} of {width} steps and changed by {rounded(move)} on average"
            means = f"its mean went from {rounded(before)} to {rounded(after)}"
            return first, f"Between steps {first} and {last} the loss {moved}, but {means}."
    return None


def rate_too_small(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec, levels = evidence.spec, evidence.levels
    if evidence.broken or len(levels) < 2:
        return
    if evidence.steps[-1] - evidence.steps[0] < at["steps"].value:
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
    faster = float(f"{_faster(spec, fallen):.3g}")
    advice = mistake(spec) or f"Try a learning rate of {rounded(faster)}."
    cure = repaired(spec) or {"learning_rate": faster}
    yield Found(levels[0][0], None, f"{message}.", advice, cure)


def _faster(spec: TrainSpec, fallen: float) -> float:
    """The rate times 10, 100 or 1000: the least that halves the loss, assuming proportionality."""
    factor = next((f for f in (10, 100) if f * fallen >= 0.5), 1000)
    return factor * spec.learning_rate or 0.1


PROMISED = SymptomLimit(
    0.1,
    "times the norm of the parameters: the length of the step against the gradient whose effect, to"
    " first order, is the predicted decrease",
)
