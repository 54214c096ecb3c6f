"""Illnesses of training runs, diagnosed from their states.

`diagnose(snapshots, spec)` checks each illness of ILLNESSES and reports evidence, first step, layer
and advice. The snapshots may be a subset of the run's, such as every tenth; memory and work are
bounded (`engine.doctor.evidence`).

An entry has a check and thresholds, each with its reason. To add an illness, add one entry.
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
from .evidence import Evidence
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

    `step` is the first one that shows it. `layer` counts from 1, the first after the input; None if
    no single layer is the cause. `message` states the evidence, `advice` the remedy.
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
    """One entry of the table: name, description, check and thresholds."""

    name: str
    help: str
    check: Callable[[Evidence, Thresholds], Iterator[Found]]
    thresholds: Thresholds


def diagnose(
    snapshots: Iterable[Snapshot], spec: TrainSpec, losses: Sequence[float] = ()
) -> list[Verdict]:
    """The illnesses of a run of `spec`, or of a part of it, in the order of the table.

    The snapshots are in the order of their steps; those after the first non-finite one are ignored.
    `losses`, of the steps 0, 1, …, supplements those of the snapshots. An illness of several layers
    gives one verdict per layer.
    """
    evidence = Evidence(snapshots, spec, losses)
    return [
        Verdict(illness.name, *found)
        for illness in ILLNESSES.values()
        for found in illness.check(evidence, illness.thresholds)
    ]


def _not_a_number(evidence: Evidence, at: Thresholds) -> Iterator[Found]:
    state, lost = evidence.broken, evidence.lost
    scaled = "Scale the data to about -1 to 1, and start from smaller weights."
    advice = scaled if evidence.last is None else slower(evidence.spec)
    first = f"At step {lost} the loss is not finite"
    if state is not None:
        layer, why = cause(evidence, state)
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
            "Neurons whose activation is 0 for every sample: their weights receive no gradient.",
            dead_relu,
            {
                "share": Threshold(
                    0.5,
                    "of a layer's neurons; the default run loses 5 of 16 and still classifies all"
                    " samples correctly",
                )
            },
        ),
        Illness(
            "saturated",
            "Neurons near the limits of tanh or sigmoid, where the derivative is close to 0.",
            saturated,
            {
                "share": Threshold(0.5, "of a layer's neurons; the others still learn"),
                "samples": Threshold(0.95, "of the samples: nearly all"),
                "wrong": Threshold(
                    0.25,
                    "of the samples, in the last layer only: at the limit farther from the target;"
                    " an output at the nearer limit is the aim of training",
                ),
            },
        ),
        Illness(
            "symmetric",
            "All neurons of a layer are identical and stay so.",
            symmetric,
            {},
        ),
        Illness(
            "vanishing",
            "The gradient vanishes on its way back to the first layer.",
            vanishing,
            {
                "ratio": Threshold(
                    0.01,
                    "first layer over last; two to six layers of tanh or relu have 0.1 to 2 with"
                    " each initialisation of the table, and at 0.01 the first layer learns a"
                    " hundred times slower than the last",
                ),
                "levels": Threshold(10, "losses at least, to tell a plateau"),
                "idle": Threshold(0.95, "of the loss of always predicting 0: nothing is learnt"),
                "over": Threshold(2.0, "times that loss: a higher one has another cause"),
                "promise": Threshold(
                    0.001,
                    "of the loss; two layers of any activation of the table predict 0.01 or more",
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
                "input": Threshold(10.0, "the largest input that counts as of order 1"),
                "size": Threshold(
                    1000.0,
                    "root mean square in a layer: even a learning rate of 0.001 would change its"
                    " parameters by more than 1, their initial size",
                ),
                "update": Threshold(
                    1.0,
                    "size of an update over that of the parameters: a smaller learning rate"
                    " compensates for a large gradient, and so do some optimizers",
                ),
            },
        ),
        Illness(
            "rate_too_large",
            "The loss rises, or oscillates without progress.",
            rate_too_large,
            {
                "levels": Threshold(10, "losses at least, as the first steps often raise the loss"),
                "rise": Threshold(2.0, "times the lowest loss: more than the noise of batches"),
                "height": Threshold(
                    0.2,
                    "of the loss of always predicting 0: a significant rise, unlike one"
                    " from 0.0001 to 0.001",
                ),
                "stretch": Threshold(20, "losses, or a fifth of the run: longer than a transient"),
                "rises": Threshold(0.25, "of the steps of the stretch: more than single spikes"),
                "move": Threshold(0.05, "of the loss of always predicting 0, on average"),
                "progress": Threshold(
                    0.9,
                    "mean of the stretch's second half over that of its first: a loss that falls by"
                    " a tenth is making progress",
                ),
            },
        ),
        Illness(
            "rate_too_small",
            "The loss has barely changed, although the gradient predicts a decrease.",
            rate_too_small,
            {
                "steps": Threshold(10, "at least, for a diagnosis"),
                "moved": Threshold(
                    0.05,
                    "of the loss, over the run, where the gradient predicts more than that",
                ),
                "length": PROMISED,
            },
        ),
    )
}
"""Every illness by name, the most serious first."""
