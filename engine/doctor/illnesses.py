"""The table of illnesses, each with its check, what may help and its thresholds.

Every threshold has its reason. To add an illness, add one entry: `engine.doctor.diagnosis`, the
trials of cures, the pages and the tests read it from here.
"""

from __future__ import annotations

from . import cures
from .activations import dead_relu, saturated, symmetric
from .findings import SymptomLimit, Thresholds
from .fit import (
    missing_features,
    overfitting,
    shrunk_weights,
    too_much_regularisation,
    underfitting,
    unscaled_inputs,
    wrong_gradient,
    wrong_labels,
    wrong_output,
)
from .gradients import EXPLODING, VANISHING, exploding, vanishing
from .illness import Illness
from .overflow import not_a_number
from .rates import (
    PROMISED,
    UNSTEADY,
    noisy_batches,
    rate_too_large,
    rate_too_small,
    sorted_batches,
    too_much_dropout,
)

STEPS = SymptomLimit(10, "at least, for a diagnosis")

_FAR = SymptomLimit(
    0.25, "of the loss of the best constant answer: noise that leaves less keeps from overfitting"
)
_RIGHT = SymptomLimit(0.95, "of the samples right: a plot shows them as learned")
BETTER = 0.9
"""The loss of a cured run over that of the sick one at most: a gain that a chart shows."""
HALVED = 0.5
"""That of a run whose cure proves what is only suspected: a little help may have another cause."""

SHRUNK: Thresholds = {
    "share": SymptomLimit(0.9, "of the loss of the best constant answer: nothing learnt"),
    "size": SymptomLimit(0.5, "of the initial root mean square of the parameters"),
    "pull": SymptomLimit(
        0.2,
        "the penalty's gradient over that of the data at the beginning; the default of"
        " l2 has 0.002, and weights can shrink for want of anything to learn",
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
            grave=True,
        ),
        Illness(
            "unscaled_inputs",
            "Inputs so large that neurons saturate, or so small that they make no difference.",
            unscaled_inputs,
            cures.scaled_inputs,
            {
                "steps": STEPS,
                "input": SymptomLimit(
                    100.0, "the largest input: initial weights are chosen for inputs of order 1"
                ),
                "least": SymptomLimit(
                    0.02, "the largest input: weights would have to grow fiftyfold to tell samples"
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
            not_a_number,
            cures.finite_numbers,
            {},
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
            grave=True,
            despite=True,
        ),
        Illness(
            "missing_features",
            "The network does not see what tells the samples apart: the inputs would.",
            missing_features,
            cures.both_inputs,
            {
                "share": _FAR,
                "right": _RIGHT,
                "lost": SymptomLimit(
                    0.1,
                    "of the samples, whose nearest have their label: twice the noise of 100",
                ),
                "times": SymptomLimit(2.0, "the loss of taking the mean of the nearest samples"),
            },
            proof=BETTER,
            suspected=True,
            sound=True,
        ),
        Illness(
            "sorted_batches",
            "The samples are sorted and not shuffled: the network forgets what comes early.",
            sorted_batches,
            cures.shuffled,
            {
                "batch": SymptomLimit(0.5, "of the samples: two batches in an epoch, or more"),
                "share": _FAR,
                "sorted": SymptomLimit(
                    0.5, "of the variance of the labels; chance leaves 3 over the number of samples"
                ),
            },
            proof=BETTER,
            suspected=True,
            sound=True,
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
                "right": _RIGHT,
                "seen": SymptomLimit(0.02, "of that loss: noise that a chart shows"),
            },
            proof=HALVED,
            suspected=True,
            sound=True,
        ),
        Illness(
            "too_much_dropout",
            "So many neurons are masked in each step that the rest cannot learn the data.",
            too_much_dropout,
            cures.less_dropout,
            {
                "share": _FAR,
                "dropout": SymptomLimit(0.5, "of the neurons, the most that is usual"),
                "masked": SymptomLimit(
                    1.2, "times the loss without dropout: the masks make most of the difference"
                ),
            },
            proof=HALVED,
            suspected=True,
            sound=True,
        ),
        Illness(
            "rate_too_large",
            "The loss rises, or oscillates without progress.",
            rate_too_large,
            cures.slower,
            UNSTEADY,
            proof=BETTER,
        ),
        Illness(
            "wrong_labels",
            "The labels do not follow from the inputs: samples next to each other disagree.",
            wrong_labels,
            cures.right_labels,
            {
                "samples": SymptomLimit(40, "at least, so that a sample has near neighbours"),
                "share": SymptomLimit(0.5, "of the loss of the best constant answer"),
                "noise": SymptomLimit(
                    1.35,
                    "over the root of the number of samples, above chance: 2.7 standard deviations"
                    " of an agreement by chance with two classes",
                ),
            },
            grave=True,
            despite=True,
            on_test=True,
            sound=True,
        ),
        Illness(
            "too_much_regularisation",
            "L1, L2 or the decay of adamw keeps the weights too small to fit the data.",
            too_much_regularisation,
            cures.less_regularisation,
            {
                "share": _FAR,
                "right": _RIGHT,
                "pull": SymptomLimit(
                    0.02, "as for shrunk weights: ten times that of the default of l2"
                ),
                "most": SHRUNK["share"],
                "size": SHRUNK["size"],
                "strong": SHRUNK["pull"],
            },
            proof=HALVED,
            suspected=True,
            sound=True,
        ),
        Illness(
            "shrunk_weights",
            "The penalty outweighs the data: the parameters shrink and the outputs become equal.",
            shrunk_weights,
            cures.smaller_penalty,
            SHRUNK,
            grave=True,
            sound=True,
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
        ),
        Illness(
            "symmetric",
            "All neurons of a layer are identical and stay so.",
            symmetric,
            cures.broken_symmetry,
            {},
        ),
        Illness(
            "vanishing",
            "The gradient vanishes on its way back to the first layer.",
            vanishing,
            cures.shallower,
            VANISHING,
        ),
        Illness(
            "exploding",
            "The gradient grows on its way back, or is huge in all layers.",
            exploding,
            cures.smaller_gradients,
            EXPLODING,
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
            proof=BETTER,
        ),
        Illness(
            "underfitting",
            "The loss has settled far above 0, as of a network too simple: a line for circles.",
            underfitting,
            cures.larger_network,
            {
                "share": SymptomLimit(
                    0.15,
                    "of the loss of the best constant answer; a line leaves 0.4 of a sine, 0.5 of"
                    " moons and 1 of circles",
                ),
                "over": SymptomLimit(1.5, "times that loss: a higher one has another cause"),
                "right": _RIGHT,
                "noise": SymptomLimit(1.35, "as for wrong labels, which no network can fit"),
            },
            grave=True,
            last=True,
            sound=True,
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
            grave=True,
            despite=True,
            on_test=True,
            sound=True,
        ),
    )
}
"""Every illness by name: causes before what follows from them, and the most serious first."""
