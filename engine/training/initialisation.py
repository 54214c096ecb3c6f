"""The table of initialisations: the numbers that the parameters start from.

Weights are drawn from U(−a, a) with a bound that may depend on the layer, in the flat order of
`MLP.parameters()`: layer by layer, neuron by neuron, its weights and then its bias. To add an
initialisation, add one entry to INITS.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple


class Init(NamedTuple):
    """One initialisation: `bound` is a, from a layer's number of inputs and of neurons.

    `bias` says whether biases are drawn like weights; if not they start at 0.
    """

    name: str
    help: str
    formula: str
    bound: Callable[[int, int], float]
    bias: bool = False


INITS: dict[str, Init] = {
    init.name: init
    for init in (
        Init(
            "uniform",
            "Weights and biases anywhere between −1 and 1, as in micrograd's lecture.",
            "w, b ~ U(−1, 1)",
            lambda nin, nout: 1.0,
            bias=True,
        ),
        Init(
            "xavier",
            "Keeps the size of signals and gradients alike from layer to layer (Glorot 2010).",
            "w ~ U(−a, a), a = √(6 ∕ (n_in + n_out)), b = 0",
            lambda nin, nout: math.sqrt(6 / (nin + nout)),
        ),
        Init(
            "he",
            "Keeps the size of signals alike where relu stops half of them (He 2015).",
            "w ~ U(−a, a), a = √(6 ∕ n_in), b = 0",
            lambda nin, nout: math.sqrt(6 / nin),
        ),
        Init(
            "zeros",
            "All parameters 0: the neurons of a layer stay alike, and nothing can be learnt.",
            "w = 0, b = 0",
            lambda nin, nout: 0.0,
        ),
    )
}
"""Every initialisation by its name."""
