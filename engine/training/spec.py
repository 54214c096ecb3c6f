"""Everything that one training run depends on, as plain data: read strictly, checked as a whole.

A run is a pure function of its spec, seed included. A spec goes through JSON and through an address
unchanged. Whatever cannot run is refused here, before anything runs, by a SpecError that names the
field, its value and what would do.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Literal, NamedTuple

from engine import syntax
from engine.nn import LINEAR
from engine.ops import ACTIVATIONS, FUNCTIONS, OPS

from .datasets import DATASETS, MOST_CLASSES, class_numbers
from .fields import (
    Activations,
    Batch,
    Kind,
    Name,
    Number,
    Numbers,
    Rows,
    Sizes,
    SpecError,
    Switch,
    Whole,
    layers_text,
    misplaced,
    nearest,
    refusal,
    shown,
)
from .initialisation import INITS
from .losses import LOSSES
from .optim import OPTIMIZERS, SCHEDULES

__all__ = ["DEFAULTS", "FIELDS", "Field", "SpecError", "TrainLimits", "TrainSpec", "check_limits"]


CHEAP, CALL = 3, 25  # parameters: what an activation costs, and each call of one of SLOW
SLOW = frozenset({"exp", "log", "log1p", "sin", "cos", "tan", "tanh", "erfc"})
MANY = 10**9  # of anything: beyond every limit, and far below where floats lose count
_ACTIVATIONS = (*ACTIVATIONS, LINEAR)


class Field(NamedTuple):
    """One key of a spec: what it may hold and what it means."""

    kind: Kind
    help: str


FIELDS: dict[str, Field] = {
    "data": Field(Name(tuple(DATASETS)), "The data set."),
    "samples": Field(Whole(2, MANY), "How many samples are drawn."),
    "noise": Field(Number(), "How far drawn samples are scattered."),
    "test_share": Field(Number(0.0, 0.9), "The share of the samples kept aside for testing."),
    "rows": Field(Rows(), 'With the data "rows": the inputs and the label of each sample.'),
    "layers": Field(
        Sizes(),
        "The number of inputs, then the size of each layer; made to fit the data if not given.",
    ),
    "activation": Field(
        Activations(_ACTIVATIONS), "The activation of all hidden layers, or one for each."
    ),
    "output_activation": Field(Name(_ACTIVATIONS), "The activation of the last layer."),
    "init": Field(Name(tuple(INITS)), "How the first parameters are drawn."),
    "initial": Field(Numbers(), "The first parameters themselves, in their flat order."),
    "loss": Field(
        Name(tuple(LOSSES)), "What training lowers; mse if not given and numbers are predicted."
    ),
    "l1": Field(Number(), "Adds l1 · Σ|p| to the loss."),
    "l2": Field(Number(), "Adds l2 · Σp² to the loss."),
    "optimizer": Field(Name(tuple(OPTIMIZERS)), "How gradients change the parameters."),
    "learning_rate": Field(Number(), "The size of the first step."),
    "momentum": Field(Number(0.0, below=1.0), "How much of earlier steps is kept, where any is."),
    "weight_decay": Field(Number(), "How much adamw shrinks the parameters."),
    "schedule": Field(Name(tuple(SCHEDULES)), "How the learning rate changes over the steps."),
    "schedule_end": Field(Number(), "The learning rate that the schedule ends at."),
    "batch": Field(Batch(), 'How many samples a step sees, or "all".'),
    "shuffle": Field(Switch(), "Whether each epoch has an order of its own."),
    "steps": Field(Whole(1, MANY), "How many updates are made."),
    "seed": Field(Whole(0, 2**64 - 1), "What all random numbers follow from."),
    "zero_grad": Field(Switch(), "Whether gradients are set to 0 before each backward pass."),
    "accumulate": Field(Switch(), "Whether contributions to a gradient add up."),
}
"""Every key of a spec, in its order."""


@dataclass(frozen=True, slots=True)
class TrainLimits:
    """The largest run that is taken; each row is a bound, named in the message it leads to."""

    samples: int = 2_000
    columns: int = 16
    neurons: int = 128
    layers: int = 8
    parameters: int = 20_000
    steps: int = 100_000
    work: int = 10_000_000_000
    rate: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSpec:
    """One training run. FIELDS says what each field means; SpecError if they do not fit together.

    Lists may be given for tuples, and layers as a text such as "2 → 16 → 1".
    """

    data: str = "moons"
    samples: int = 100
    noise: float = 0.1
    test_share: float = 0.0
    rows: tuple[tuple[float, ...], ...] = ()
    layers: tuple[int, ...] = (2, 16, 16, 1)
    activation: str | tuple[str, ...] = "relu"
    output_activation: str = "linear"
    init: str = "uniform"
    initial: tuple[float, ...] = ()
    loss: str = "hinge"
    l1: float = 0.0
    l2: float = 1e-4
    optimizer: str = "sgd"
    learning_rate: float = 1.0
    momentum: float = 0.9
    weight_decay: float = 0.01
    schedule: str = "linear"
    schedule_end: float = 0.1
    batch: int | Literal["all"] = "all"
    shuffle: bool = True
    steps: int = 100
    seed: int = 1337
    zero_grad: bool = True
    accumulate: bool = True
    classifies: bool = field(init=False, repr=False, compare=False)
    """Whether samples have classes, so that answers are right or wrong."""

    def __post_init__(self) -> None:
        for name, kept in FIELDS.items():
            object.__setattr__(self, name, kept.kind.read(name, getattr(self, name)))
        object.__setattr__(self, "classifies", _classifies(self))
        _check_network(self)
        _check_outputs(self)
        _check_samples(self)

    # What follows from the fields

    @property
    def inputs(self) -> int:
        """How many numbers one sample of the data has."""
        if self.data == "rows":
            return len(self.rows[0]) - 1 if self.rows else 0
        return DATASETS[self.data].inputs

    @property
    def outputs(self) -> int:
        """How many numbers the network answers with."""
        return self.layers[-1]

    @property
    def activations(self) -> tuple[str, ...]:
        """The activation of each layer, the output last."""
        hidden = self.activation
        if isinstance(hidden, str):
            hidden = (hidden,) * (len(self.layers) - 2)
        return (*hidden, self.output_activation)

    @property
    def parameter_count(self) -> int:
        """How many weights and biases there are."""
        return sum((nin + 1) * nout for nin, nout in pairwise(self.layers))

    @property
    def all_samples(self) -> int:
        """How many samples the data has, those for testing included."""
        data = DATASETS[self.data]
        if data.drawn:
            return self.samples
        return len(self.rows) if self.data == "rows" else len(data.make(0, 0.0, Random(0)))

    @property
    def test_samples(self) -> int:
        """How many samples are kept aside for testing."""
        return round(self.test_share * self.all_samples)

    @property
    def train_samples(self) -> int:
        """How many samples are trained on."""
        return self.all_samples - self.test_samples

    @property
    def batch_size(self) -> int:
        """How many samples a step sees; the last step of an epoch may see fewer."""
        return self.train_samples if self.batch == "all" else self.batch

    @property
    def classes(self) -> int:
        """How many classes there are; 0 where a number is to be predicted."""
        if self.data != "rows":
            return DATASETS[self.data].classes
        numbers = class_numbers([row[-1] for row in self.rows]) if self.classifies else None
        return max(numbers) + 1 if numbers else 0

    @property
    def work(self) -> int:
        """About how long the run takes, counted in parameters that see a sample.

        A test set is seen before each step, in a third of the time; a neuron counts for as many
        parameters as `_cost` says, an update for four samples.
        """
        samples = max(self.batch_size, 2) + -(-self.test_samples // 3)
        neurons = zip(self.layers[1:], self.activations, strict=True)
        network = self.parameter_count + sum(size * _cost(name) for size, name in neurons)
        return self.steps * (samples * network + 4 * self.parameter_count)

    # JSON

    @classmethod
    def from_text(cls, text: str | bytes, limits: TrainLimits | None = None) -> TrainSpec:
        """The spec that a JSON text describes. Raises SpecError, for what is not JSON too."""
        return cls.from_json(_json(text), limits)

    @classmethod
    def from_json(cls, obj: object, limits: TrainLimits | None = None) -> TrainSpec:
        """The spec of a JSON object; what it does not say has its default. Raises SpecError.

        Layers and a loss that are not said are made to fit the data, where the defaults do not.
        """
        if not isinstance(obj, dict):
            raise SpecError("spec", shown(obj), f"The spec is {shown(obj)}; give a JSON object.")
        for key in obj:
            _known(key)
        spec = cls(**{**_fitting(obj), **obj})
        check_limits(spec, limits or TrainLimits())
        return spec

    def to_json(self) -> dict[str, Any]:
        """Every field as JSON holds it; rows and initial only if there are any."""
        return {
            name: field.kind.plain(getattr(self, name))
            for name, field in FIELDS.items()
            if name not in ("rows", "initial") or getattr(self, name)
        }

    # Addresses

    @classmethod
    def from_query(
        cls,
        pairs: Mapping[str, str] | Iterable[tuple[str, str]],
        limits: TrainLimits | None = None,
        ignore: Iterable[str] = (),
    ) -> TrainSpec:
        """The spec of an address' parameters, those in `ignore` left out. Raises SpecError."""
        passed_over, found = frozenset(ignore), {}
        for name, text in pairs.items() if isinstance(pairs, Mapping) else pairs:
            if name in passed_over:
                continue
            _known(name)
            if name in found:
                raise SpecError(name, shown(text), f"{name} is given twice; give it once.")
            found[name] = FIELDS[name].kind.parse(text)
        return cls.from_json(found, limits)

    def to_query(self) -> list[tuple[str, str]]:
        """The parameters of an address: what differs from the defaults, in the order of FIELDS.

        Also a default that does not fit the data best, as `from_query` would not come back to it.
        """
        given: dict[str, Any] = {"data": self.data, "rows": self.rows}
        fit = DEFAULTS | _fitting(given) | _fitting({**given, "loss": self.loss})
        said = {name: getattr(self, name) for name in DEFAULTS}
        return [
            (name, FIELDS[name].kind.text(value))
            for name, value in said.items()
            if value != DEFAULTS[name] or value != fit[name]
        ]


DEFAULTS: dict[str, Any] = {kept.name: kept.default for kept in fields(TrainSpec) if kept.init}
"""The default of each field."""


# What fits the data


def _fitting(given: Mapping[str, Any]) -> dict[str, Any]:
    """The loss and the layers for the data of a spec, those of them that are not given.

    Of data that are refused anyway nothing follows.
    """
    try:
        inputs, classes = _shape(given)
    except SpecError:
        return {}
    name = given.get("loss", DEFAULTS["loss"] if classes else "mse")
    loss = LOSSES.get(name) if isinstance(name, str) else None
    outputs = classes if classes > 2 else 1
    layers = (inputs, *DEFAULTS["layers"][1:-1], max(outputs, loss.least_outputs if loss else 1))
    return {key: x for key, x in (("loss", name), ("layers", layers)) if key not in given}


def _shape(given: Mapping[str, Any]) -> tuple[int, int]:
    """How many inputs and classes the data of a spec have. Raises SpecError."""
    name = FIELDS["data"].kind.read("data", given.get("data", DEFAULTS["data"]))
    if name != "rows":
        return DATASETS[name].inputs, DATASETS[name].classes
    rows = FIELDS["rows"].kind.read("rows", given.get("rows", ()))
    if not rows:
        raise refusal("rows", rows, ".")
    numbers = class_numbers([row[-1] for row in rows])
    return len(rows[0]) - 1, max(numbers) + 1 if numbers else 0


def _known(key: object) -> None:
    if key not in FIELDS:
        name = key if isinstance(key, str) else ""
        message = f"{shown(key)} is no field of a spec; {nearest(name, FIELDS)}"
        raise SpecError(shown(key).strip('"'), shown(key), message)


def _json(text: str | bytes) -> object:
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        why = f"{error.msg[:1].lower()}{error.msg[1:]}, line {error.lineno}, column {error.colno}"
    except UnicodeDecodeError as error:
        why = f"it is not UTF-8, byte {error.start + 1}"
    except RecursionError:
        why = "it is nested too deep"
    except SpecError:
        raise
    except ValueError:
        why = "it has a whole number of thousands of digits"
    raise SpecError("spec", shown(text if isinstance(text, str) else ""), f"Not JSON: {why}.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            name = shown(key).strip('"')
            raise SpecError(name, shown(value), f"{name} is given twice; give it once.")
        found[key] = value
    return found


# Checks of fields against each other


@cache
def _cost(activation: str) -> int:
    """What a neuron's activation costs, both passes together, counted in parameters."""
    if activation == LINEAR:
        return CHEAP
    op = OPS[activation]
    return CHEAP + sum(map(_calls, (op.formula, *op.partials)))


def _calls(text: str) -> int:
    """What the functions called in a text of the op table cost."""
    names = (node.id for node in ast.walk(syntax.module(text)) if isinstance(node, ast.Name))
    return sum(
        _cost(name) if name in OPS and name not in FUNCTIONS else CALL * (name in SLOW)
        for name in names
    )


def _classifies(spec: TrainSpec) -> bool:
    """Whether samples have classes.

    Own rows do unless a regression loss takes their labels as they are; where these are -1 and 1 it
    makes no difference, and answers can be called right or wrong after all.
    """
    if spec.data != "rows":
        return DATASETS[spec.data].classes > 0
    labels = {row[-1] for row in spec.rows}
    return not LOSSES[spec.loss].regression or spec.outputs > 1 or labels == {-1.0, 1.0}


def _check_network(spec: TrainSpec) -> None:
    if spec.data == "rows" and not spec.rows:
        raise refusal("rows", spec.rows, "; give at least one row such as [0.5, -1, 1].")
    right = (spec.inputs, *spec.layers[1:])
    if spec.layers != right:
        why = f", but {spec.data} has {_count(spec.inputs, 'input')}: write {layers_text(right)}."
        raise refusal("layers", spec.layers, why)
    hidden = len(spec.layers) - 2
    if not isinstance(spec.activation, str) and len(spec.activation) != hidden:
        why = f"; give one name, or {hidden}, one for each hidden layer."
        raise refusal("activation", spec.activation, why)
    if spec.initial and len(spec.initial) != spec.parameter_count:
        count = f"has {_count(len(spec.initial), 'number')}"
        why = f"the network has {_count(spec.parameter_count, 'parameter')}: give as many."
        raise SpecError("initial", shown(spec.initial), f"initial {count}, but {why}")


def _check_outputs(spec: TrainSpec) -> None:
    loss = LOSSES[spec.loss]
    if not spec.classifies and not loss.regression:
        known = " or ".join(name for name, other in LOSSES.items() if other.regression)
        raise refusal("loss", spec.loss, f", but {spec.data} has no classes: use {known}.")
    if spec.data == "rows" and spec.classifies:
        _check_labels([row[-1] for row in spec.rows])
    classes = spec.classes
    counts = (1, 2) if classes == 2 else (classes or 1,)
    fit = [count for count in counts if count >= loss.least_outputs]
    if spec.outputs not in fit:
        what = _count(classes, "class") if classes else "one number to predict"
        why = f", but {spec.data} has {what} and the loss is {loss.name}"
        raise refusal("layers", spec.layers, f"{why}: end with {' or '.join(map(str, fit))}.")


def _check_labels(labels: Sequence[float]) -> None:
    numbers = class_numbers(labels)
    if numbers is None:
        wrong = [i for i, y in enumerate(labels) if class_numbers([y]) is None]
        i = wrong[0] if wrong else labels.index(-1.0)  # among other classes
        wanted = f"give 0 and 1, -1 and 1, or whole numbers from 0 to {MOST_CLASSES - 1}."
        raise misplaced("rows", f"the label of rows[{i}]", labels[i], wanted)
    if len(set(numbers)) == 1:
        wanted = "give rows of at least two classes."
        raise misplaced("rows", "the label of every row", labels[0], wanted)


def _check_samples(spec: TrainSpec) -> None:
    data = DATASETS[spec.data]
    if data.drawn and spec.samples < data.classes:
        why = f", but {spec.data} has {data.classes} classes: give at least {data.classes}."
        raise refusal("samples", spec.samples, why)
    if spec.train_samples < 1:
        why = f", which leaves none of {_count(spec.all_samples, 'sample')} to train on: give less."
        raise refusal("test_share", spec.test_share, why)
    if spec.batch_size > spec.train_samples:
        why = f", but there are {_count(spec.train_samples, 'sample')} to train on: "
        raise refusal("batch", spec.batch, f'{why}give at most as many, or "all".')


def _count(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun}{'es' if noun.endswith('s') else 's'}"


# Limits

RATES = ("noise", "l1", "l2", "learning_rate", "weight_decay", "schedule_end")
"""The fields that the largest rate bounds."""


def check_limits(spec: TrainSpec, limits: TrainLimits) -> None:
    """Raise SpecError if a spec asks for a larger run than is taken."""
    _within("samples", spec.samples, limits.samples, "samples")
    _within("rows", len(spec.rows), limits.samples, "rows")
    _within("layers", len(spec.layers) - 1, limits.layers, "layers behind the input")
    _within("layers", max(spec.layers[1:]), limits.neurons, "neurons a layer")
    columns = max(spec.layers[0], *(len(row) - 1 for row in spec.rows[:1]), 1)
    _within("rows" if spec.rows else "layers", columns, limits.columns, "inputs")
    _within("layers", spec.parameter_count, limits.parameters, "parameters")
    _within("steps", spec.steps, limits.steps, "steps")
    for name in RATES:
        x = getattr(spec, name)
        if x > limits.rate:
            raise refusal(name, x, f"; the largest rate is {limits.rate:,}.")
    if spec.work > limits.work:
        most = limits.work * spec.steps // spec.work
        why = f"is a run of {spec.work:,}, counted in parameters that see a sample"
        bound = f"at most {limits.work:,} are taken: give at most {most:,} steps"
        raise SpecError("steps", shown(spec.steps), f"{spec.steps:,} steps {why}; {bound}.")


def _within(field: str, reached: int, most: int, what: str) -> None:
    if reached > most:
        seen = f"{reached:,}" if reached < MANY else shown(reached)
        raise SpecError(field, seen, f"{field} asks for {seen} {what}; at most {most:,} are taken.")
