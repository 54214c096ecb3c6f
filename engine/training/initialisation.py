"""The table of initialisations: the distribution of the initial parameters.

Weights are drawn from U(−a, a), with a per layer, in the flat order of `MLP.parameters()`: layer by
layer, neuron by neuron, weights before bias. To add an initialisation, add one entry to INITS.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple


class Init(NamedTuple):
    """One initialisation: `bound` is a as a function of a layer's fan-in and fan-out.

    Biases are drawn like weights if `bias`, else 0.
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
            "Weights and biases uniform in [−1, 1], as in micrograd's lecture.",
            "w, b ~ U(−1, 1)",
            lambda nin, nout: 1.0,
            bias=True,
        ),
        Init(
            "zero_bias",
            "Weights uniform in [−1, 1] and biases 0, as in micrograd's nn.py.",
            "w ~ U(−1, 1), b = 0",
            lambda nin, nout: 1.0,
        ),
        Init(
            "xavier",
            "Preserves the variance of activations and gradients across layers (Glorot 2010).",
            "w ~ U(−a, a), a = √(6 ∕ (n_in + n_out)), b = 0",
            lambda nin, nout: math.sqrt(6 / (nin + nout)),
        ),
        Init(
            "he",
            "Preserves the variance of activations in networks of relu (He 2015).",
            "w ~ U(−a, a), a = √(6 ∕ n_in), b = 0",
            lambda nin, nout: math.sqrt(6 / nin),
        ),
        Init(
            "zeros",
            "All parameters 0: symmetry between the neurons of a layer is never broken.",
            "w = 0, b = 0",
            lambda nin, nout: 0.0,
        ),
    )
}
"""Every initialisation by its name."""
