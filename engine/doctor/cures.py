"""What may help against each illness: settings to try beside the run, the likeliest first.

None is recommended for its likelihood: `engine.runs.examination` trains the run with each to its
end, and only what ends better is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.nn import LINEAR
from engine.training.features import PLAIN
from engine.training.fitting import defaults
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.spec import TrainSpec

from .evidence import RunEvidence, is_linear, rounded
from .findings import Cure, Found, Treatment

LESS = (10, 3, 30, 100)
"""Divisors of a learning rate to try."""
MORE = (10, 100, 1000, 3)
"""Factors of a learning rate to try."""
WIDER = ((8,), (16, 16))
"""Hidden layers to try on data that a network does not fit: enough for every set of the table."""
ENOUGH = 2
"""Hidden layers that suffice for the data sets of the table."""


def slower(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    usual = _usual(spec)
    rates = [_digits(spec.learning_rate / part) for part in LESS]
    if usual < rates[0]:
        words = f"Try the learning rate {rounded(usual)}, the default of the data."
        yield Treatment(words, {"learning_rate": usual})
    for part, rate in zip(LESS, rates, strict=True):
        share = {10: "a tenth", 3: "a third"}.get(part, f"1/{part}")
        yield Treatment(
            f"Try {share} of the learning rate, {rounded(rate)}.", {"learning_rate": rate}
        )


def _usual(spec: TrainSpec) -> float:
    """The default learning rate of the data."""
    given = {"data": spec.data, "rows": spec.rows, "loss": spec.loss}
    return float(defaults(given)["learning_rate"])


def _digits(x: float) -> float:
    return float(f"{x:.3g}")


def faster(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    rate = evidence.spec.learning_rate
    first, last = evidence.levels[0][1], evidence.levels[-1][1]
    fallen = (first - last) / first if first > 0 else 0.0
    usual = _usual(evidence.spec)
    if usual > rate:
        words = f"Try the learning rate {rounded(usual)}, the default of the data."
        yield Treatment(words, {"learning_rate": usual})
    likely = next((f for f in (10, 100) if f * fallen >= 0.5), 1000)
    for factor in sorted(MORE, key=lambda factor: factor != likely):
        more = _digits(factor * rate) or 0.1
        yield Treatment(f"Try a learning rate of {rounded(more)}.", {"learning_rate": more})
    yield Treatment(
        "Try adam, which chooses the size of each step.",
        {"optimizer": "adam", "learning_rate": 0.01},
    )


def larger_batches(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    for factor in (8, 32):
        size = factor * spec.batch_size
        if size < spec.train_samples:
            yield Treatment(f"Take batches of {size} samples.", {"batch": size})
    yield Treatment("Take all samples in each batch.", {"batch": "all"})


def shuffled(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    yield Treatment("Shuffle the samples in each epoch.", {"shuffle": True})


def less_dropout(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    for share in (0.0, 0.2):
        if share < spec.dropout:
            words = f"Take less dropout, {rounded(share)}." if share else "Train without dropout."
            yield Treatment(words, {"dropout": share})


def scaled_inputs(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    words = "Standardise each input: subtract its mean and divide by its standard deviation."
    cure = {"scaling": "standardize"}
    yield Treatment(words, cure)
    usual = _usual(evidence.spec)
    if usual != evidence.spec.learning_rate:
        more = f"{words[:-1]}, and take the learning rate {rounded(usual)}."
        yield Treatment(more, {**cure, "learning_rate": usual})


def linear_output(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    has_logits = float("inf") in LOSSES[spec.loss].aims
    words = "Take a linear output, which reaches the targets."
    if has_logits:
        words = f"Take a linear output: {spec.loss} applies its own squashing function to it."
    yield Treatment(words, {"output_activation": LINEAR})


def right_labels(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    yield Treatment("Check the labels: no network can find a rule in them that new samples follow.")


def smaller_penalty(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    name = "l1" if spec.l1 >= spec.l2 else "l2"
    less = float(f"{min(getattr(spec, name) / 1000, 1e-4):.1g}")
    words = f"Take a smaller penalty, such as {name} = {rounded(less)}."
    yield Treatment(words, {"l1": 0.0, "l2": 0.0, name: less})
    yield Treatment("Train without penalty.", {"l1": 0.0, "l2": 0.0})


def less_regularisation(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    for part in (100, 10):
        less = {n: _digits(getattr(spec, n) / part) for n in ("l1", "l2") if getattr(spec, n)}
        if spec.optimizer == "adamw":
            less["weight_decay"] = _digits(spec.weight_decay / part)
        words = " and ".join(f"{name.replace('_', ' ')} {rounded(x)}" for name, x in less.items())
        yield Treatment(f"Take less regularisation: {words}.", less)


def both_inputs(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    added = (*spec.features, *(name for name in PLAIN if name not in spec.features))
    for words, features in (("x₁ and x₂ as well", added), ("x₁ and x₂ themselves", PLAIN)):
        cure = {"features": features, "layers": (len(features), *spec.layers[1:]), "initial": ()}
        yield Treatment(f"Let the network see {words}.", cure)


def living_neurons(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    if spec.init == "zeros" and not spec.initial:
        words = "Start from he: with all parameters 0 no gradient reaches any neuron."
        yield Treatment(words, {"init": "he"})
    leaky: Cure = {"activation": "leaky_relu"}
    if found.step != evidence.steps[0]:
        for words, cure in slower(evidence, found):
            yield Treatment(f"{words[:-1]}, and leaky_relu.", {**cure, **leaky})
    yield Treatment("Try leaky_relu, or start from he.", {**leaky, "init": "he", "initial": ()})


def smaller_sums(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    words = "Start from smaller weights, such as xavier's, and scale inputs to -1 to 1."
    smaller = Treatment(words, {"init": "xavier", "initial": ()})
    if found.step == evidence.steps[0]:
        yield smaller
        yield from scaled_inputs(evidence, found)
        yield from slower(evidence, found)
    else:
        yield from slower(evidence, found)
        yield smaller


def broken_symmetry(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    words = "Start from xavier: random weights break the symmetry."
    yield Treatment(words, {"init": "xavier", "initial": ()})


def shallower(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    inner = spec.layers[1:-1]
    fewer = "fewer layers, with " if len(inner) > ENOUGH else ""
    tanh: Cure = {"activation": "tanh", "init": "xavier", "initial": ()}
    layers = (spec.network_inputs, *inner[:ENOUGH], spec.outputs)
    words = f"Try {fewer}tanh and the initial weights of xavier."
    yield Treatment(words, {"layers": layers, **tanh})
    if fewer:
        yield Treatment("Try tanh and the initial weights of xavier.", tanh)


def smaller_gradients(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    inputs = (abs(x) for inputs, _ in evidence.samples for x in inputs)
    widest = max(inputs, default=0.0)
    scaled = f"Scale the inputs, which go up to {rounded(widest)}, to -1 to 1."
    if widest > WIDE:
        yield Treatment(scaled, {"scaling": "standardize"})
    words = "Start from smaller weights, such as those of xavier, or take fewer layers."
    yield Treatment(words, {"init": "xavier", "initial": ()})
    yield from slower(evidence, found)


WIDE = 10.0
"""The largest input that counts as of order 1."""


def finite_numbers(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    if evidence.last is None:
        words = "Scale the data to about -1 to 1, and start from smaller weights."
        yield Treatment(words, {"init": "xavier", "initial": ()})
        yield Treatment(words, {"init": "xavier", "initial": (), "scaling": "standardize"})
        return
    yield from slower(evidence, found)
    yield from shallower(evidence, found)


def larger_network(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    spec = evidence.spec
    afresh: Cure = {"initial": (), "init": next(iter(INITS))} if spec.initial else {}
    bent: Cure = {"activation": "tanh", **afresh}
    if is_linear(spec) and len(spec.layers) > 2:
        yield Treatment("Take tanh in the hidden layers.", bent)
    elif not is_linear(spec):
        more = _digits(10 * spec.learning_rate)
        yield Treatment(f"Try a learning rate of {rounded(more)}.", {"learning_rate": more})
    for inner in WIDER:
        if sum(inner) > sum(spec.layers[1:-1]) or len(inner) > len(spec.layers) - 2:
            words = "Take a larger network with tanh, " + _chain(spec, inner)
            if len(spec.layers) == 2 and len(inner) == 1:
                words = "Add a hidden layer with tanh, " + _chain(spec, inner)
            cure = {**bent, "layers": (spec.network_inputs, *inner, spec.outputs)}
            yield Treatment(f"{words}.", cure)
            adam: Cure = {"optimizer": "adam", "learning_rate": 0.03, "schedule": "constant"}
            yield Treatment(f"{words}, and adam at a rate of 0.03.", {**cure, **adam})


def _chain(spec: TrainSpec, inner: Sequence[int]) -> str:
    return " → ".join(map(str, (spec.network_inputs, *inner, spec.outputs)))


def simpler(evidence: RunEvidence, found: Found) -> Iterator[Treatment]:
    rest = "Take more samples, a smaller network, or a penalty such as "
    for l2 in (0.01, 0.03, 0.003, 0.1):
        yield Treatment(f"{rest}l2 = {rounded(l2)}.", {"l2": l2})
    if found.step > evidence.steps[0] and not evidence.spec.at:
        words = f"Stop at step {found.step}, where the loss on test data was least."
        yield Treatment(words, {"steps": found.step})
