"""What is wrong with a training run: its illnesses, from the states that it went through.

`diagnose(snapshots, spec)` looks for each illness of ILLNESSES and says what it found with numbers,
since which step and in which layer, and what to try. Any part of a run will do, every tenth step
for example; what is looked at is bounded (`engine.doctor.evidence`).

An entry has thresholds, each with its reason, and a check. To add an illness, add one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec

from .activations import (
    dead_relu,
    saturated,
    symmetric,
)
from .evidence import Course
from .findings import Found, Threshold, Thresholds, slower
from .gradients import exploding, vanishing
from .overflow import cause
from .rates import (
    PROMISED,
    rate_too_large,
    rate_too_small,
)


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


def _not_a_number(course: Course, at: Thresholds) -> Iterator[Found]:
    state, lost = course.broken, course.lost
    scaled = "Scale the data to about -1 to 1, and start from smaller weights."
    advice = scaled if course.last is None else slower(course.spec)
    first = f"At step {lost} the loss is not finite"
    if state is not None:
        layer, why = cause(course, state)
        seen = f"step {state.step} {why}"
        message = f"At {seen}" if lost is None else f"{first}, and at {seen}"
        yield Found(state.step if lost is None else lost, layer, message, advice)
    elif lost is not None:
        yield Found(lost, None, f"{first}.", advice)


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
            dead_relu,
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
            saturated,
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
            symmetric,
            {},
        ),
        Illness(
            "vanishing",
            "The gradient gets lost on its way back to the first layer.",
            vanishing,
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
            exploding,
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
            rate_too_large,
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
            rate_too_small,
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
