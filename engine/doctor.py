"""What is wrong with a training run: its illnesses, from the states that it went through.

`diagnose(snapshots, spec)` looks for each illness of ILLNESSES and says what it found with numbers,
since which step and in which layer, and what to try. Any part of a run will do, every tenth step
for example; what is looked at is bounded (`engine.course`).

An entry has thresholds, each with its reason, and a check. To add an illness, add one entry.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from engine.training.optim import OPTIMIZERS, Updater
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec

from .course import SAMPLES, Course, Unit, limits_of, mean, said, size
from .overflow import cause


@dataclass(frozen=True, slots=True)
class Verdict:
    """One illness of a run.

    `step` is the first at which it is seen. `layer` counts from 1, the first behind the input; it
    is None where no layer is to blame. `message` says what was found, `advice` what to try.
    """

    name: str
    step: int
    layer: int | None
    message: str
    advice: str

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return asdict(self)


class Threshold(NamedTuple):
    """A number from which on something is an illness, and why this one."""

    value: float
    why: str


class Found(NamedTuple):
    """What a check finds: a Verdict that has no name yet."""

    step: int
    layer: int | None
    message: str
    advice: str


Thresholds = Mapping[str, Threshold]

MEASURE = "root mean square, median over the run"
"""How sizes of gradients are measured."""


@dataclass(frozen=True, slots=True)
class Illness:
    """One entry of the table: what it is, how it is looked for, and from which numbers on."""

    name: str
    help: str
    check: Callable[[Course, Thresholds], Iterator[Found]]
    thresholds: Thresholds


def diagnose(
    snapshots: Iterable[Snapshot], spec: TrainSpec, losses: Sequence[float] = ()
) -> list[Verdict]:
    """The illnesses of a run of `spec`, or of a part of it, in the order of the table.

    The snapshots stand in the order of their steps; none after the first one that has a number that
    is not finite is looked at. `losses`, those of the steps 0, 1, …, may be given where more are
    known than the snapshots have. An illness of several layers has a verdict for each.
    """
    course = Course(snapshots, spec, losses)
    return [
        Verdict(illness.name, *found)
        for illness in ILLNESSES.values()
        for found in illness.check(course, illness.thresholds)
    ]


def _mistake(spec: TrainSpec) -> str:
    """What to do about the mistake that a spec makes on purpose; nothing if it makes none."""
    if not spec.accumulate:
        return "Let contributions to a gradient add up: without, each replaces the one before it."
    if not spec.zero_grad:
        return "Set the gradients to 0 before each backward pass: those of all steps add up."
    return ""


def _slower(spec: TrainSpec) -> str:
    lower = f"Try a tenth of the learning rate, {said(spec.learning_rate / 10)}."
    return _mistake(spec) or lower


def _not_a_number(course: Course, at: Thresholds) -> Iterator[Found]:
    state, lost = course.broken, course.lost
    scaled = "Scale the data to about -1 to 1, and start from smaller weights."
    advice = scaled if course.last is None else _slower(course.spec)
    first = f"At step {lost} the loss is not finite"
    if state is not None:
        layer, why = cause(course, state)
        seen = f"step {state.step} {why}"
        message = f"At {seen}" if lost is None else f"{first}, and at {seen}"
        yield Found(state.step if lost is None else lost, layer, message, advice)
    elif lost is not None:
        yield Found(lost, None, f"{first}.", advice)


# Activations


def _dead_relu(course: Course, at: Thresholds) -> Iterator[Found]:
    spec = course.spec
    for layer, name in enumerate(spec.activations, 1):
        step, dead = _lasting(course, layer, at["share"].value, lambda unit: unit.silent == 1)
        if not dead:
            continue
        who = _neurons(dead, spec, layer)
        message = f"{who} dead since step {step}: {name} gives 0 for all {_samples(spec)}."
        if spec.init == "zeros" and not spec.initial:
            advice = "Start from he: with all parameters 0 no neuron ever gets a gradient."
        elif step == course.steps[0]:
            advice = "Try leaky_relu, or start from he."
        else:
            advice = _mistake(spec) or f"{_slower(spec)[:-1]}, or leaky_relu."
        yield Found(step, layer, message, advice)


def _saturated(course: Course, at: Thresholds) -> Iterator[Found]:
    spec = course.spec
    for layer, name in enumerate(spec.activations, 1):
        limits = limits_of(name)
        samples = at["samples"].value
        wrong = at["wrong"].value if layer == len(spec.activations) else 0.0
        ill = partial(_is_saturated, samples=samples, wrong=wrong)
        step, stuck = _lasting(course, layer, at["share"].value, ill)
        if not stuck or limits is None:
            continue
        message = (
            f"{_neurons(stuck, spec, layer)} saturated since step {step}: {name} is near"
            f" {said(limits[0])} or {said(limits[1])} for at least {samples:.0%} of"
            f" {_samples(spec)}."
        )
        if step == course.steps[0]:
            advice = "Start from smaller weights, such as xavier's, and scale inputs to -1 to 1."
        else:
            advice = _slower(spec)
        yield Found(step, layer, message, advice)


def _is_saturated(unit: Unit, samples: float, wrong: float) -> bool:
    return unit.limited >= samples and unit.wrong >= wrong


def _symmetric(course: Course, at: Thresholds) -> Iterator[Found]:
    for layer in range(1, len(course.spec.layers) - 1):
        alike = all(look.alike[layer - 1] for look in course.looks)
        silent = all(unit.silent == 1 for look in course.looks for unit in look.layers[layer - 1])
        if course.looks and alike and not silent:
            who = f"All {course.spec.layers[layer]} neurons of layer {layer}"
            message = f"{who} give the same number for each sample, so that they stay alike."
            advice = "Start from xavier: random weights differ."
            yield Found(course.steps[0], layer, message, advice)


def _lasting(
    course: Course, layer: int, share: float, ill: Callable[[Unit], bool]
) -> tuple[int, int]:
    """Since which step at least a share of a layer's neurons is ill, and how many are at the end.

    0 and 0 if it is seen but once, at the end: it may pass.
    """
    step = count = seen = 0
    for look in reversed(course.looks):
        units = look.layers[layer - 1]
        now = sum(map(ill, units))
        if now < max(share * len(units), 1):
            break
        step, count, seen = look.step, count or now, seen + 1
    return (step, count) if seen >= min(2, len(course.looks)) else (0, 0)


def _neurons(count: int, spec: TrainSpec, layer: int) -> str:
    """So many neurons of a layer, as the beginning of a sentence in the present tense."""
    there_are = spec.layers[layer]
    if there_are == 1:
        return f"The neuron of layer {layer} is"
    some = f"All {count}" if count == there_are else f"{count} of {there_are}"
    return f"{some} neurons of layer {layer} are"


def _samples(spec: TrainSpec) -> str:
    if spec.train_samples <= SAMPLES:
        return f"{spec.train_samples} samples"
    return f"the {SAMPLES} samples looked at"


# Gradients


def _vanishing(course: Course, at: Thresholds) -> Iterator[Found]:
    spec, ratios = course.spec, _ratios(course)
    squashed = [name for name in spec.activations[:-1] if limits_of(name)]
    better = f"Try relu instead of {squashed[0]}" if squashed else "Start from he"
    advice = _mistake(spec) or f"{better}, or take fewer layers."
    if ratios and median(ratios.values()) < at["ratio"].value:
        step = next(step for step, ratio in ratios.items() if ratio < at["ratio"].value)
        yield Found(step, 1, _compared(course, ratios), advice)
    elif ratios and _is_stuck(course, at):
        largest = said(median(max(slopes) for slopes in course.slopes))
        message = (
            f"The loss stays at {said(course.levels[-1][1])}, hardly better than always saying 0,"
            f" and no layer has a gradient above {largest} ({MEASURE})."
        )
        yield Found(course.steps[0], None, message, advice)


def _is_stuck(course: Course, at: Thresholds) -> bool:
    """Whether nothing has been learnt and the gradient promises nothing, from the start."""
    losses = [level for _, level in course.levels]
    if len(losses) < at["levels"].value or course.broken:
        return False
    idle, promises = course.idle_loss, _promises(course, at["length"].value)
    near = min(losses) > at["idle"].value * idle and losses[-1] < at["over"].value * idle
    return near and max(promises[0], median(promises)) < at["promise"].value


def _exploding(course: Course, at: Thresholds) -> Iterator[Found]:
    spec, ratios = course.spec, _ratios(course)
    widest = max((abs(x) for inputs, _ in course.samples for x in inputs), default=0.0)
    scaled = f"Scale the inputs, which go up to {said(widest)}, to -1 to 1."
    smaller = "Start from smaller weights, such as those of xavier, or take fewer layers."
    advice = _mistake(spec) or (scaled if widest > at["input"].value else smaller)
    most, large = at["ratio"].value, at["size"].value
    if ratios and median(ratios.values()) > most:
        step = next(step for step, ratio in ratios.items() if ratio > most)
        yield Found(step, 1, _compared(course, ratios), advice)
        return
    sizes = [max(slopes) for slopes in course.slopes]
    if sizes and min(sizes[0], median(sizes)) > large and _outgrown(course) > at["update"].value:
        layer = 1 + max(range(len(spec.activations)), key=lambda i: course.slopes[0][i])
        where = f"{said(sizes[0])} in layer {layer} at step {course.steps[0]}"
        later = f"{said(median(sizes))} in the worst layer ({MEASURE})"
        message = f"The gradient is {where} and {later}: updates outgrow the parameters."
        yield Found(course.steps[0], layer, message, advice)


def _ratios(course: Course) -> dict[int, float]:
    """At each step looked at, the gradient's size in the first layer over that in the last.

    Nothing if one of them is 0 at most steps: then the way is cut, by dead neurons for example.
    """
    slopes = zip(course.kept, course.slopes, strict=True)
    ratios = {state.step: s[0] / s[-1] for state, s in slopes if s[0] > 0 and s[-1] > 0}
    return ratios if 2 * len(ratios) >= len(course.kept) else {}


def _compared(course: Course, ratios: Mapping[int, float]) -> str:
    slopes = [s for s in course.slopes if s[0] > 0 and s[-1] > 0]
    first, last = (median(s[i] for s in slopes) for i in (0, -1))
    return (
        f"The gradient of layer 1 is {said(median(ratios.values()))} times that of layer"
        f" {len(slopes[0])}: {said(first)} against {said(last)} ({MEASURE})."
    )


def _outgrown(course: Course) -> float:
    """The size of an update over that of the parameters, median over the run.

    0 for an optimizer that divides the size of the gradient out again.
    """
    spec = course.spec
    rule = OPTIMIZERS[spec.optimizer]
    shares = []
    for state in course.kept:
        steps = [
            abs(Updater(rule, 1, spec.momentum, 0.0).step([0.0], [g], state.learning_rate)[0])
            for g in (size(state.gradient), 2 * size(state.gradient))
        ]
        parameters = size(state.parameters)
        if parameters:
            shares.append(steps[0] / parameters if steps[1] > 1.5 * steps[0] else 0.0)
    return median(shares) if shares else 0.0


# The learning rate


def _rate_too_large(course: Course, at: Thresholds) -> Iterator[Found]:
    found = _risen(course, at) or _oscillating(course, at)
    if found:
        step, message = found
        yield Found(step, None, message, _slower(course.spec))


def _risen(course: Course, at: Thresholds) -> tuple[int, str] | None:
    """The loss at the end, a fifth of the run or where it overflows, is far above the lowest."""
    levels, idle = course.levels, course.idle_loss
    few = len(levels) < at["levels"].value
    if len(levels) < 2 or (few and course.broken is None):
        return None
    tail = 1 if course.broken else max(len(levels) // 5, 1)
    end = mean([level for _, level in levels[-tail:]])
    when = f"{said(end)} at step {levels[-1][0]}"
    if tail > 1:
        when = f"{said(end)} in the mean from step {levels[-tail][0]} on"
    step, low = min(levels[:-tail], key=lambda level: level[1])
    rise = at["rise"].value
    if end >= rise * low and end - low >= at["height"].value * idle:
        return step, f"The loss rose from {said(low)} at step {step} to {when}."
    if end >= rise * max(idle, course.losses[0]):
        return levels[0][0], f"The loss is {when}; that of always saying 0 is {said(idle)}."
    return None


def _oscillating(course: Course, at: Thresholds) -> tuple[int, str] | None:
    """Over a stretch the loss goes up and down a lot and comes to nothing."""
    levels = course.levels
    width = max(int(at["stretch"].value), len(levels) // 5)
    least = at["move"].value * course.idle_loss
    for start in range(0, len(levels) - width, max(width // 4, 1)):
        stretch = [level for _, level in levels[start : start + width + 1]]
        moves = [b - a for a, b in pairwise(stretch)]
        rises, move = sum(x > 0 for x in moves), mean([abs(x) for x in moves])
        before, after = mean(stretch[: width // 2]), mean(stretch[width // 2 :])
        often = rises >= at["rises"].value * width
        if often and move >= least and after > at["progress"].value * before:
            first, last = levels[start][0], levels[start + width][0]
            moved = f"rose {rises} times of {width} and moved by {said(move)} each time"
            means = f"its mean went from {said(before)} to {said(after)}"
            return first, f"Between steps {first} and {last} the loss {moved}, but {means}."
    return None


def _rate_too_small(course: Course, at: Thresholds) -> Iterator[Found]:
    spec, levels = course.spec, course.levels
    if course.broken or len(levels) < 2 or course.steps[-1] - course.steps[0] < at["steps"].value:
        return
    losses = [level for _, level in levels]
    first, last = losses[0], losses[-1]
    moved = max(losses) - min(losses)
    promise = median(_promises(course, at["length"].value))
    if moved >= at["moved"].value * first or promise < at["moved"].value:
        return
    fallen, steps = (first - last) / first, levels[-1][0] - levels[0][0]
    message = f"In {steps} steps the loss went from {said(first)} to {said(last)}"
    if fallen > 0:
        wait = said(round(steps / (2 * fallen)))
        message += f", by {100 * fallen:.2g} %: to halve it would take some {wait} steps"
    advice = _mistake(spec) or f"Try a learning rate of {said(_faster(spec, fallen))}."
    yield Found(levels[0][0], None, f"{message}.", advice)


def _promises(course: Course, length: float) -> list[float]:
    """By what share of it a move of the parameters would lower the loss, in each state of `kept`.

    To first order, against the gradient, by `length` times the length of the parameters.
    """
    out = []
    for state in course.kept:
        steepness, far = math.hypot(*course.slope(state)), math.hypot(*state.parameters)
        out.append(length * far * steepness / state.loss if state.loss > 0 else 0.0)
    return out


def _faster(spec: TrainSpec, fallen: float) -> float:
    """The rate times 10, 100 or 1000: whatever halves the loss, if it falls in proportion."""
    factor = next((f for f in (10, 100) if f * fallen >= 0.5), 1000)
    return factor * spec.learning_rate or 0.1


PROMISED = Threshold(
    0.1,
    "times the length of the parameters: what a move of so much against the gradient would gain, to"
    " first order, is what the gradient promises",
)

ILLNESSES: dict[str, Illness] = {
    illness.name: illness
    for illness in (
        Illness(
            "not_a_number",
            "A parameter, a gradient, an activation or the loss is nan or infinite.",
            _not_a_number,
            {},
        ),
        Illness(
            "dead_relu",
            "Neurons whose activation is 0 for every sample: nothing reaches their weights.",
            _dead_relu,
            {
                "share": Threshold(
                    0.5,
                    "of a layer's neurons; the default run loses 5 of 16 and the others still learn"
                    " all there is to learn",
                )
            },
        ),
        Illness(
            "saturated",
            "Neurons near the limits of tanh or sigmoid: hardly any gradient passes.",
            _saturated,
            {
                "share": Threshold(0.5, "of a layer's neurons; the others still learn"),
                "samples": Threshold(0.95, "of the samples: nearly all"),
                "wrong": Threshold(
                    0.25,
                    "of the samples, in the last layer alone: at the limit that the target is"
                    " farther from; an output at the right limit is what training is for",
                ),
            },
        ),
        Illness(
            "symmetric",
            "The neurons of a layer are all the same, and remain so.",
            _symmetric,
            {},
        ),
        Illness(
            "vanishing",
            "The gradient gets lost on its way back to the first layer.",
            _vanishing,
            {
                "ratio": Threshold(
                    0.01,
                    "first layer over last; from each initialisation of the table two to six layers"
                    " of tanh or relu have 0.1 to 2, and at 0.01 the first layer learns a hundred"
                    " times slower than the last",
                ),
                "levels": Threshold(10, "losses at least, before a loss can be said to stay"),
                "idle": Threshold(0.95, "of the loss of always saying 0: nothing has been learnt"),
                "over": Threshold(2.0, "times it: higher, and something else is wrong"),
                "promise": Threshold(
                    0.001,
                    "of the loss; two layers of any activation of the table promise 0.01 and more",
                ),
                "length": PROMISED,
            },
        ),
        Illness(
            "exploding",
            "The gradient grows on its way back, or is huge in all layers.",
            _exploding,
            {
                "ratio": Threshold(100.0, "first layer over last, as for vanishing gradients"),
                "input": Threshold(10.0, "the largest input that may pass as one of about 1"),
                "size": Threshold(
                    1000.0,
                    "root mean square in a layer: even a rate of 0.001 would move its parameters by"
                    " more than 1, the size that they start from",
                ),
                "update": Threshold(
                    1.0,
                    "size of an update over that of the parameters: a smaller rate makes up for a"
                    " large gradient, and some optimizers do so themselves",
                ),
            },
        ),
        Illness(
            "rate_too_large",
            "The loss rises, or goes up and down without getting anywhere.",
            _rate_too_large,
            {
                "levels": Threshold(10, "losses at least, as the first steps often go up"),
                "rise": Threshold(2.0, "times the lowest loss: more than chance between batches"),
                "height": Threshold(
                    0.2,
                    "of the loss of always saying 0: a rise that matters, unlike one"
                    " from 0.0001 to 0.001",
                ),
                "stretch": Threshold(20, "losses, or a fifth of the run: longer than the start"),
                "rises": Threshold(0.25, "of the steps of the stretch: more than single jumps"),
                "move": Threshold(0.05, "of the loss of always saying 0, on average"),
                "progress": Threshold(
                    0.9,
                    "second half of the stretch over its first half: a loss that still falls by a"
                    " tenth is getting somewhere",
                ),
            },
        ),
        Illness(
            "rate_too_small",
            "The loss has hardly moved, although the gradient shows the way.",
            _rate_too_small,
            {
                "steps": Threshold(10, "at least, before this can be said"),
                "moved": Threshold(
                    0.05,
                    "of the loss, over the run, where the gradient promises more than that",
                ),
                "length": PROMISED,
            },
        ),
    )
}
"""Every illness by its name, the most serious first."""
