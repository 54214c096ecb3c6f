"""The table of illnesses, each with its check, what may help, its thresholds and its examples.

Every threshold has its reason. To add an illness, add one entry: `engine.doctor.diagnosis`, the
trials of cures, the pages and the tests over its examples read it from here.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import cures
from .activations import dead_relu, saturated, symmetric
from .evidence import RunEvidence
from .examples import (
    BATCHES,
    CIRCLES,
    DEEP,
    MOONS,
    NOISY,
    RELU,
    SIGMOIDS,
    SINE,
    XAVIER,
    IllnessExample,
    rows_of,
    weights_up_to,
)
from .findings import Found, SymptomLimit, Thresholds
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
from .illness import Illness
from .overflow import cause
from .rates import (
    PROMISED,
    noisy_batches,
    rate_too_large,
    rate_too_small,
    too_much_dropout,
)


def _not_a_number(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    state, lost = evidence.broken, evidence.lost
    first = f"At step {lost} the loss is not finite"
    if state is not None:
        layer, why = cause(evidence, state)
        seen = f"step {state.step} {why}"
        message = f"At {seen}" if lost is None else f"{first}, and at {seen}"
        yield Found(state.step if lost is None else lost, layer, message)
    elif lost is not None:
        yield Found(lost, None, f"{first}.")


STEPS = SymptomLimit(10, "at least, for a diagnosis")

_FAR = SymptomLimit(
    0.25, "of the loss of the best constant answer: noise that leaves less keeps from overfitting"
)
BETTER = 0.9
"""The loss of a cured run over that of the sick one at most: a gain that a chart shows."""
HALVED = 0.5
"""That of a run whose cure proves what is only suspected: a little help may have another cause."""

_UNSTEADY: Thresholds = {
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

ILLNESSES: dict[str, Illness] = {
    illness.name: illness
    for illness in (
        Illness(
            "wrong_gradient",
            "A deliberate mistake makes the gradient wrong, and the network does not learn.",
            wrong_gradient,
            cures.larger_network,
            {
                "steps": STEPS,
                "share": SymptomLimit(
                    0.2,
                    "of the loss of the best constant answer: some runs learn despite a mistake",
                ),
            },
            (IllnessExample({**RELU, "loss": "hinge"}, {"accumulate": False}),),
            grave=True,
        ),
        Illness(
            "unscaled_inputs",
            "Inputs of a size that saturates neurons or makes the gradient of layer 1 huge.",
            unscaled_inputs,
            cures.scaled_inputs,
            {
                "steps": STEPS,
                "input": SymptomLimit(
                    100.0, "the largest input: initial weights are chosen for inputs of order 1"
                ),
                "share": SymptomLimit(
                    0.2, "of the loss of the best constant answer: a run that learns is spared"
                ),
            },
            (
                IllnessExample(MOONS, made=rows_of(scale=2000.0)),
                IllnessExample(RELU, made=rows_of(scale=2000.0)),
            ),
            grave=True,
        ),
        Illness(
            "not_a_number",
            "A parameter, a gradient, an activation or the loss is nan or infinite.",
            _not_a_number,
            cures.finite_numbers,
            {},
            (IllnessExample(RELU, {"learning_rate": 1e6, "loss": "mse"}),),
            grave=True,
        ),
        Illness(
            "wrong_output",
            "The activation of the last layer does not reach the outputs that the loss aims at.",
            wrong_output,
            cures.linear_output,
            {
                "steps": STEPS,
                "floor": SymptomLimit(
                    0.1,
                    "of the loss of the best constant answer: tanh with cross_entropy, the mildest"
                    " misfit of the tables, leaves 0.18",
                ),
            },
            (
                IllnessExample(MOONS, {"output_activation": "tanh"}),
                IllnessExample(MOONS, {"output_activation": "sigmoid"}),
            ),
            grave=True,
            despite=True,
        ),
        Illness(
            "noisy_batches",
            "The batches are too small for the rate: each pulls the network elsewhere.",
            noisy_batches,
            cures.larger_batches,
            {
                "states": SymptomLimit(10, "losses over all data at least, to tell noise"),
                "batch": SymptomLimit(0.5, "of the samples: two batches in an epoch, or more"),
                "share": _FAR,
                "seen": SymptomLimit(0.02, "of that loss: noise that a chart shows"),
            },
            (IllnessExample(BATCHES, {"batch": 1}),),
            proof=HALVED,
            suspected=True,
        ),
        Illness(
            "too_much_dropout",
            "So many neurons are masked in each step that the rest cannot learn the data.",
            too_much_dropout,
            cures.less_dropout,
            {
                "steps": STEPS,
                "share": _FAR,
                "dropout": SymptomLimit(0.5, "of the neurons, the most that is usual"),
                "masked": SymptomLimit(
                    1.2, "times the loss without dropout: the masks make most of the difference"
                ),
            },
            (
                IllnessExample(BATCHES, {"dropout": 0.9}),
                IllnessExample({**BATCHES, "batch": "all"}, {"dropout": 0.8}),
            ),
            proof=HALVED,
            suspected=True,
        ),
        Illness(
            "rate_too_large",
            "The loss rises, or oscillates without progress.",
            rate_too_large,
            cures.slower,
            _UNSTEADY,
            (IllnessExample(RELU, {"learning_rate": 30.0}),),
            proof=BETTER,
        ),
        Illness(
            "wrong_labels",
            "The labels do not follow from the inputs: samples next to each other disagree.",
            wrong_labels,
            cures.right_labels,
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
            (IllnessExample(MOONS, {"samples": 100}, rows_of(flipped=0.5)),),
            grave=True,
            despite=True,
            on_test=True,
        ),
        Illness(
            "shrunk_weights",
            "The penalty outweighs the data: the parameters shrink and the outputs become equal.",
            shrunk_weights,
            cures.smaller_penalty,
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
            (
                IllnessExample(MOONS, {"l2": 0.3}),
                IllnessExample({**RELU, "l2": 1e-4}, {"l2": 1.0}),
            ),
            grave=True,
        ),
        Illness(
            "dead_relu",
            "Neurons whose activation is 0 for every sample: their weights receive no gradient.",
            dead_relu,
            cures.living_neurons,
            {
                "share": SymptomLimit(
                    0.5,
                    "of a layer's neurons; the default run loses 5 of 16 and still classifies all"
                    " samples correctly",
                )
            },
            (IllnessExample(RELU, {"learning_rate": 100.0}),),
        ),
        Illness(
            "saturated",
            "Neurons near the limits of tanh or sigmoid, where the derivative is close to 0.",
            saturated,
            cures.smaller_sums,
            {
                "share": SymptomLimit(0.5, "of a layer's neurons; the others still learn"),
                "samples": SymptomLimit(0.95, "of the samples: nearly all"),
                "wrong": SymptomLimit(
                    0.25,
                    "of the samples, in the last layer only: at the limit farther from the target;"
                    " an output at the nearer limit is the aim of training",
                ),
            },
            (IllnessExample(MOONS, {"learning_rate": 0.05}, weights_up_to(60.0)),),
        ),
        Illness(
            "symmetric",
            "All neurons of a layer are identical and stay so.",
            symmetric,
            cures.broken_symmetry,
            {},
            (IllnessExample(MOONS, {"init": "zeros"}),),
        ),
        Illness(
            "vanishing",
            "The gradient vanishes on its way back to the first layer.",
            vanishing,
            cures.shallower,
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
            (
                IllnessExample(XAVIER, SIGMOIDS),
                IllnessExample({**XAVIER, "init": "uniform"}, SIGMOIDS),
            ),
        ),
        Illness(
            "exploding",
            "The gradient grows on its way back, or is huge in all layers.",
            exploding,
            cures.smaller_gradients,
            {
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
            },
            (IllnessExample(DEEP, {"steps": 4}, weights_up_to(4.0)),),
        ),
        Illness(
            "rate_too_small",
            "The loss has barely changed, although the gradient predicts a decrease.",
            rate_too_small,
            cures.faster,
            {
                "steps": SymptomLimit(10, "at least, for a diagnosis"),
                "moved": SymptomLimit(
                    0.05,
                    "of the loss, over the run, where the gradient predicts more than that",
                ),
                "length": PROMISED,
            },
            (IllnessExample(MOONS, {"learning_rate": 1e-5}),),
            proof=BETTER,
        ),
        Illness(
            "underfitting",
            "The loss has settled far above 0, as of a network too simple: a line for circles.",
            underfitting,
            cures.larger_network,
            {
                "steps": STEPS,
                "share": SymptomLimit(
                    0.15,
                    "of the loss of the best constant answer; a line leaves 0.4 of a sine, 0.5 of"
                    " moons and 1 of circles",
                ),
                "over": SymptomLimit(1.5, "times that loss: a higher one has another cause"),
                "right": SymptomLimit(0.95, "of the samples right: a plot shows them as learned"),
                "noise": SymptomLimit(1.35, "as for wrong labels, which no network can fit"),
            },
            (
                IllnessExample(CIRCLES, {"activation": "linear"}),
                IllnessExample(CIRCLES, {"layers": (2, 1)}),
                IllnessExample({"data": "spiral"}, {"layers": (2, 2, 1)}),
                IllnessExample(SINE, {"layers": (1, 1)}),
            ),
            grave=True,
            last=True,
        ),
        Illness(
            "overfitting",
            "The network fits the training data far better than the test data.",
            overfitting,
            cures.simpler,
            {
                "states": SymptomLimit(5, "test losses at least"),
                "rise": SymptomLimit(1.5, "times the least test loss: more than its noise"),
                "height": SymptomLimit(
                    0.4, "of the loss of the best constant answer: a significant rise"
                ),
                "gap": SymptomLimit(0.5, "training loss over test loss at most"),
                "less": SymptomLimit(0.05, "of the samples right: more than one in twenty"),
            },
            (IllnessExample(NOISY, {"noise": 0.6, "learning_rate": 0.03}),),
            grave=True,
            despite=True,
            on_test=True,
        ),
    )
}
"""Every illness by name: causes before what follows from them, and the most serious first."""
