"""Illnesses of training runs, diagnosed from their states.

`diagnose(snapshots, spec)` checks each illness of ILLNESSES and reports evidence, first step, layer
and advice. The snapshots may be a subset of the run's, such as every tenth; memory and work are
bounded (`engine.doctor.evidence`).

An entry has a check and thresholds, each with its reason. To add an illness, add one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.training.settings import FIELDS
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec

from .activations import (
    dead_relu,
    saturated,
    symmetric,
)
from .evidence import RunEvidence
from .findings import Cure, Found, SymptomLimit, Thresholds, slowed, slower
from .fit import (
    overfitting,
    shrunk_weights,
    underfitting,
    unscaled_inputs,
    wrong_gradient,
    wrong_labels,
    wrong_output,
)
from .gradients import exploding, vanishing
from .overflow import cause
from .rates import (
    PROMISED,
    rate_too_large,
    rate_too_small,
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One illness of a run.

    `step` is the first one that shows it. `layer` counts from 1, the first after the input; None if
    no single layer is the cause. `message` states the evidence, `advice` the remedy, and `cure` the
    settings that the remedy changes, if settings can. A run with a `grave` illness is worthless:
    it has diverged, has learnt nothing or nothing that holds for new data.
    """

    name: str
    step: int
    layer: int | None
    message: str
    advice: str
    cure: Cure
    grave: bool

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "name": self.name,
            "step": self.step,
            "layer": self.layer,
            "message": self.message,
            "advice": self.advice,
            "cure": {name: FIELDS[name].kind.plain(x) for name, x in self.cure.items()},
            "grave": self.grave,
        }


@dataclass(frozen=True, slots=True)
class Illness:
    """One entry of the table: name, description, check and thresholds.

    `grave` illnesses leave nothing of a run; the others only where nothing was learnt. An illness
    that is `harmless` in a run that has learnt the training data in spite of it is not named there.
    """

    name: str
    help: str
    check: Callable[[RunEvidence, Thresholds], Iterator[Found]]
    thresholds: Thresholds
    grave: bool = False
    harmless: bool = False


def diagnose(
    snapshots: Iterable[Snapshot], spec: TrainSpec, losses: Sequence[float] = ()
) -> list[Diagnosis]:
    """The illnesses of a run of `spec`, or of a part of it, in the order of the table.

    The snapshots are in the order of their steps; those after the first non-finite one are ignored.
    `losses`, of the steps 0, 1, …, supplements those of the snapshots. An illness of several layers
    gives one verdict per layer.
    """
    evidence = RunEvidence(snapshots, spec, losses)
    return [
        _verdict(evidence, illness, found)
        for illness in ILLNESSES.values()
        if not (illness.harmless and evidence.learning.share < LEARNT)
        for found in illness.check(evidence, illness.thresholds)
    ]


LEARNT = 0.1
"""The loss, as a share of that of the best constant answer, below which the data are learnt."""
NOTHING = 0.9
"""The loss, as a share of that of the best constant answer, above which nothing was learnt."""


def _is_nothing_learnt(evidence: RunEvidence) -> bool:
    steps = evidence.steps[-1] - evidence.steps[0] if evidence.steps else 0
    return steps >= STEPS.value and evidence.learning.share >= NOTHING


def _verdict(evidence: RunEvidence, illness: Illness, found: Found) -> Diagnosis:
    step, layer, message, advice, cure = found
    changed = {name: x for name, x in cure.items() if getattr(evidence.spec, name) != x}
    grave = illness.grave or evidence.broken is not None or _is_nothing_learnt(evidence)
    return Diagnosis(illness.name, step, layer, message, advice, changed, grave)


def _not_a_number(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    state, lost = evidence.broken, evidence.lost
    scaled = "Scale the data to about -1 to 1, and start from smaller weights."
    advice = scaled if evidence.last is None else slower(evidence.spec)
    cure = {"init": "xavier", "initial": ()} if evidence.last is None else slowed(evidence.spec)
    first = f"At step {lost} the loss is not finite"
    if state is not None:
        layer, why = cause(evidence, state)
        seen = f"step {state.step} {why}"
        message = f"At {seen}" if lost is None else f"{first}, and at {seen}"
        yield Found(state.step if lost is None else lost, layer, message, advice, cure)
    elif lost is not None:
        yield Found(lost, None, f"{first}.", advice, cure)


STEPS = SymptomLimit(10, "at least, for a diagnosis")

ILLNESSES: dict[str, Illness] = {
    illness.name: illness
    for illness in (
        Illness(
            "wrong_gradient",
            "A deliberate mistake makes the gradient wrong, and the network does not learn.",
            wrong_gradient,
            {
                "steps": STEPS,
                "share": SymptomLimit(
                    0.5,
                    "of the loss of the best constant answer: some runs learn despite a mistake",
                ),
            },
            grave=True,
        ),
        Illness(
            "unscaled_inputs",
            "Inputs of a size that saturates neurons or makes the gradient of layer 1 huge.",
            unscaled_inputs,
            {
                "steps": STEPS,
                "input": SymptomLimit(
                    100.0, "the largest input: initial weights are chosen for inputs of order 1"
                ),
                "share": SymptomLimit(
                    0.2, "of the loss of the best constant answer: a run that learns is spared"
                ),
            },
            grave=True,
        ),
        Illness(
            "not_a_number",
            "A parameter, a gradient, an activation or the loss is nan or infinite.",
            _not_a_number,
            {},
            grave=True,
        ),
        Illness(
            "wrong_output",
            "The activation of the last layer does not reach the outputs that the loss aims at.",
            wrong_output,
            {
                "steps": STEPS,
                "floor": SymptomLimit(
                    0.1,
                    "of the loss of the best constant answer: tanh with cross_entropy, the mildest"
                    " misfit of the tables, leaves 0.18",
                ),
            },
            grave=True,
        ),
        Illness(
            "rate_too_large",
            "The loss rises, or oscillates without progress.",
            rate_too_large,
            {
                "levels": SymptomLimit(
                    10, "losses at least, as the first steps often raise the loss"
                ),
                "rise": SymptomLimit(2.0, "times the lowest loss: more than the noise of batches"),
                "height": SymptomLimit(
                    0.2,
                    "of the loss of always predicting 0: a significant rise, unlike one"
                    " from 0.0001 to 0.001",
                ),
                "stretch": SymptomLimit(
                    20, "losses, or a fifth of the run: longer than a transient"
                ),
                "rises": SymptomLimit(0.25, "of the steps of the stretch: more than single spikes"),
                "move": SymptomLimit(0.05, "of the loss of always predicting 0, on average"),
                "progress": SymptomLimit(
                    0.9,
                    "mean of the stretch's second half over that of its first: a loss that falls by"
                    " a tenth is making progress",
                ),
                "learnt": SymptomLimit(
                    0.1,
                    "of the loss of the best constant answer in the end: oscillations on the way to"
                    " it did no harm",
                ),
            },
        ),
        Illness(
            "wrong_labels",
            "The labels do not follow from the inputs: samples next to each other disagree.",
            wrong_labels,
            {
                "steps": STEPS,
                "samples": SymptomLimit(40, "at least, so that a sample has near neighbours"),
                "share": SymptomLimit(0.5, "of the loss of the best constant answer"),
                "noise": SymptomLimit(
                    1.35,
                    "over the root of the number of samples, above chance: 2.7 standard deviations"
                    " of an agreement by chance with two classes",
                ),
            },
            grave=True,
        ),
        Illness(
            "shrunk_weights",
            "The penalty outweighs the data: the parameters shrink and the outputs become equal.",
            shrunk_weights,
            {
                "steps": STEPS,
                "share": SymptomLimit(
                    0.9, "of the loss of the best constant answer: nothing learnt"
                ),
                "size": SymptomLimit(0.5, "of the initial root mean square of the parameters"),
                "pull": SymptomLimit(
                    0.2,
                    "the penalty's gradient over that of the data at the beginning; the default of"
                    " l2 has 0.002, and weights can shrink for want of anything to learn",
                ),
            },
            grave=True,
        ),
        Illness(
            "dead_relu",
            "Neurons whose activation is 0 for every sample: their weights receive no gradient.",
            dead_relu,
            {
                "share": SymptomLimit(
                    0.5,
                    "of a layer's neurons; the default run loses 5 of 16 and still classifies all"
                    " samples correctly",
                )
            },
            harmless=True,
        ),
        Illness(
            "saturated",
            "Neurons near the limits of tanh or sigmoid, where the derivative is close to 0.",
            saturated,
            {
                "share": SymptomLimit(0.5, "of a layer's neurons; the others still learn"),
                "samples": SymptomLimit(0.95, "of the samples: nearly all"),
                "wrong": SymptomLimit(
                    0.25,
                    "of the samples, in the last layer only: at the limit farther from the target;"
                    " an output at the nearer limit is the aim of training",
                ),
            },
            harmless=True,
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
                "layers": SymptomLimit(
                    3, "squashing layers at least, each of which flattens a little"
                ),
                "spread": SymptomLimit(
                    0.003,
                    "standard deviation of an output over the samples, at every step: seven layers"
                    " of sigmoid have 0.0007 at most, two at least 0.02",
                ),
            },
            harmless=True,
        ),
        Illness(
            "exploding",
            "The gradient grows on its way back, or is huge in all layers.",
            exploding,
            {
                "ratio": SymptomLimit(100.0, "first layer over last, as for vanishing gradients"),
                "input": SymptomLimit(10.0, "the largest input that counts as of order 1"),
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
            },
        ),
        Illness(
            "rate_too_small",
            "The loss has barely changed, although the gradient predicts a decrease.",
            rate_too_small,
            {
                "steps": SymptomLimit(10, "at least, for a diagnosis"),
                "moved": SymptomLimit(
                    0.05,
                    "of the loss, over the run, where the gradient predicts more than that",
                ),
                "length": PROMISED,
            },
        ),
        Illness(
            "underfitting",
            "The network is too simple for the data, such as a linear one for circles.",
            underfitting,
            {
                "steps": STEPS,
                "share": SymptomLimit(
                    0.7,
                    "of the loss of the best constant answer; a line leaves 0.5 of moons and 1 of"
                    " circles",
                ),
                "over": SymptomLimit(1.5, "times that loss: a higher one has another cause"),
                "flat": SymptomLimit(
                    0.95, "of the loss of a fifth of the run in the fifth after it"
                ),
                "noise": SymptomLimit(1.35, "as for wrong labels, which no network can fit"),
            },
            grave=True,
        ),
        Illness(
            "overfitting",
            "The network fits the training data far better than the test data.",
            overfitting,
            {
                "states": SymptomLimit(5, "test losses at least"),
                "rise": SymptomLimit(1.5, "times the least test loss: more than its noise"),
                "height": SymptomLimit(
                    0.4, "of the loss of the best constant answer: a significant rise"
                ),
                "learnt": SymptomLimit(0.1, "of that loss on the training data: learnt by heart"),
                "gap": SymptomLimit(0.5, "training loss over test loss at most"),
            },
            grave=True,
        ),
    )
}
"""Every illness by name: causes before what follows from them, and the most serious first."""
