"""First parameters: the same as a network of the same seed draws, and within their bounds."""

from __future__ import annotations

import random
from itertools import pairwise

from engine import MLP
from engine.training.initialisation import INITS, Init
from engine.training.samples import initial_parameters
from engine.training.spec import TrainSpec
from tests.support.each import for_each
from tests.support.references import INITIALISATIONS

LAYERS = (2, 16, 8, 1)


def by_layer(
    numbers: list[float], layers: tuple[int, ...]
) -> list[tuple[list[float], list[float]]]:
    """The weights and the biases of each layer, from a flat list."""
    rest = iter(numbers)
    found = []
    for nin, nout in pairwise(layers):
        neurons = [[next(rest) for _ in range(nin + 1)] for _ in range(nout)]
        found.append(([w for n in neurons for w in n[:-1]], [n[-1] for n in neurons]))
    assert next(rest, None) is None
    return found


def drawn(init: str, seed: int = 3) -> list[float]:
    """The first parameters of a network of LAYERS."""
    return initial_parameters(TrainSpec(layers=LAYERS, init=init, seed=seed))


@for_each("init", INITS.values(), ids=INITS)
def test_an_entry_says_what_it_is(init: Init) -> None:
    assert INITS[init.name] is init
    assert init.help.endswith((".", ")."))
    assert init.formula


@for_each("seed", [0, 7, 1337, 2**64 - 1])
def test_uniform_draws_what_a_network_of_that_seed_draws(seed: int) -> None:
    net = MLP(2, LAYERS[1:], bias="uniform", rng=random.Random(seed))
    assert drawn("uniform", seed) == [p.data for p in net.parameters()]


@for_each("name", INITIALISATIONS)
def test_weights_and_biases_fill_the_bounds_of_their_layer(name: str) -> None:
    layers = by_layer(drawn(name), LAYERS)
    for found, sizes in zip(layers, pairwise(LAYERS), strict=True):
        for numbers, a in zip(found, INITIALISATIONS[name](*sizes), strict=True):
            assert all(-a <= x <= a for x in numbers)
            if a and len(numbers) > 1:
                assert max(map(abs, numbers)) > 0.6 * a
                assert min(numbers) < 0 < max(numbers)


def test_parameters_that_are_given_win() -> None:
    given = [float(i) for i in range(9)]
    assert initial_parameters(TrainSpec(layers=(2, 2, 1), initial=given, init="he")) == given  # type: ignore[arg-type]


@for_each("name", INITS)
def test_the_seed_decides(name: str) -> None:
    assert drawn(name, 3) == drawn(name, 3)
    assert (drawn(name, 3) == drawn(name, 4)) == (not any(drawn(name, 3)))
