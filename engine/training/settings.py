"""The settings of a training run, one entry each.

A setting is one field of `RunSettings`. Its entry holds the default, the type, the description and
the place on the Train page. Parsing of JSON and queries, validation, the form, `hide`, the
reference, the JSON schema and the limits of a server derive from it: to add a setting, add one
entry here, and its mathematics where runs are computed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from itertools import pairwise
from random import Random
from typing import Any, Literal, NamedTuple

from engine.nn import LINEAR
from engine.ops import ACTIVATIONS

from .changes import Change, Changes
from .datasets import DATASETS, class_numbers
from .decision import threshold_of
from .features import Features
from .fields import (
    SEED,
    Activations,
    BatchSize,
    ClassNames,
    FiniteNumbers,
    Name,
    Number,
    Percentage,
    Rows,
    Sizes,
    Switch,
    Whole,
)
from .initialisation import INITS
from .losses import LOSSES
from .optim import OPTIMIZERS, SCHEDULES
from .scaling import SCALINGS
from .setting import MANY as MANY
from .setting import OMITTED as OMITTED
from .setting import Setting as Setting
from .setting import choice, setting


class Seeds(NamedTuple):
    """The seeds of a run: of its samples and their split, its weights, its batches and dropout."""

    data: int
    weights: int
    order: int


_ACTIVATIONS = (*ACTIVATIONS, LINEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Every setting of a run, and derived quantities. Raises SpecError."""

    data: str = choice("moons", DATASETS, "The data set.", "data", control="cards", position=-1)
    samples: int = setting(
        100, Whole(2, MANY), "The number of samples to generate.", "data", limit="samples"
    )
    noise: float = setting(
        0.1, Number(), "The standard deviation of the Gaussian noise.", "data", limit="rate"
    )
    test_share: float = setting(
        0.0, Number(0.0, 0.9), "The fraction of the samples held out as test set.", "data"
    )
    data_seed: int | None = setting(
        None,
        SEED,
        "The seed of the samples, their noise and the test set; by default `seed`.",
        "data",
        control="seed",
        sparse=True,
    )
    rows: tuple[tuple[float, ...], ...] = setting(
        (),
        Rows(),
        'For the data set "rows": the inputs and the label of each sample.',
        "data",
        label="Your rows",
        position=-1,
        limit="samples",
        sparse=True,
    )
    scaling: str = choice(
        "none", SCALINGS, "The scaling of the inputs.", "data", label="Scaling", position=1
    )
    class_names: tuple[str, ...] = setting(
        (), ClassNames(), "For words in the last column: the names of the classes.", sparse=True
    )
    features: tuple[str, ...] = setting(
        (),
        Features(),
        "For data with two inputs: the functions of them that the network sees; by default both.",
        "network",
        control="features",
        position=-1,
        sparse=True,
    )
    layers: tuple[int, ...] = setting(
        (2, 16, 16, 1),
        Sizes(),
        "The number of inputs, then the size of each layer. As a text, also hidden layers alone.",
        "network",
    )
    activation: str | tuple[str, ...] = setting(
        "relu",
        Activations(_ACTIVATIONS),
        "The activation of all hidden layers, or a list with one each.",
        "network",
    )
    output_activation: str = setting(
        "linear", Name(_ACTIVATIONS), "The activation of the last layer.", "network", label="Output"
    )
    init: str = choice("uniform", INITS, "The initialisation.", "network", label="Initialisation")
    initial: tuple[float, ...] = setting(
        (),
        FiniteNumbers(),
        "Initial parameters in flat order, instead of `init`.",
        "network",
        label="Weights of your own",
        control="weights",
        position=1,
        sparse=True,
    )
    loss: str = choice(
        "hinge",
        LOSSES,
        "The loss to minimise.",
        "network",
    )
    l1: float = setting(
        0.0,
        Number(),
        "Adds l1 · Σ|p| to the loss.",
        "training",
        position=1,
        limit="rate",
        mid_run=True,
    )
    l2: float = setting(
        1e-4,
        Number(),
        "Adds l2 · Σp² to the loss.",
        "training",
        position=1,
        limit="rate",
        mid_run=True,
    )
    dropout: float = setting(
        0.0,
        Number(0.0, below=1.0),
        "The probability of zeroing a hidden activation in a training step.",
        "training",
        position=1,
        mid_run=True,
    )
    optimizer: str = choice("sgd", OPTIMIZERS, "The optimizer.", "training", mid_run=True)
    learning_rate: float = setting(
        1.0,
        Number(),
        "The initial learning rate.",
        "training",
        why=(
            "The gradient is only a local approximation: too large a step overshoots the minimum,"
            " and each step after it can overshoot further, until the loss diverges."
        ),
        limit="rate",
        mid_run=True,
    )
    momentum: float = setting(
        0.9,
        Number(0.0, below=1.0),
        "The decay factor of past gradients, for momentum and nesterov.",
        "training",
        mid_run=True,
    )
    weight_decay: float = setting(
        0.01, Number(), "The weight decay of adamw.", "training", limit="rate", mid_run=True
    )
    schedule: str = choice("linear", SCHEDULES, "The schedule of the learning rate.", "training")
    schedule_end: float | str = setting(
        "10%",
        Percentage(),
        "The learning rate at the end of the schedule: a percentage of the first, or a number.",
        "training",
        label="Final rate",
        limit="rate",
    )
    batch: int | Literal["all"] = setting(
        "all", BatchSize(), 'The batch size, or "all".', "training", mid_run=True
    )
    shuffle: bool = setting(
        True,
        Switch(),
        "Whether samples are shuffled in each epoch.",
        "training",
        position=1,
        label="Do not shuffle",
        why="Every epoch visits the samples in the same order.",
    )
    steps: int = setting(
        100, Whole(1, MANY), "The number of updates.", "training", limit="steps", mid_run=True
    )
    order_seed: int | None = setting(
        None,
        SEED,
        "The seed of the order of the samples and of dropout; by default `seed`.",
        "training",
        control="seed",
        sparse=True,
    )
    seed: int = setting(
        1337,
        Whole(0, 2**64 - 1),
        "The seed of the weights, and of data and order unless they have their own.",
        "network",
        label="Weights seed",
        control="seed",
    )
    at: tuple[Change, ...] = setting(
        (),
        Changes(lambda: {name: entry.kind for name, entry in FIELDS.items() if entry.mid_run}),
        "Changes in mid-run: from a step on, other values of some settings.",
        "training",
        position=2,
        label="Changes in mid-run",
        sparse=True,
    )
    zero_grad: bool = setting(
        True,
        Switch(),
        "Whether gradients are zeroed before each backward pass.",
        "mistakes",
        label="Forget to zero the gradients",
        why="Each step then also adds up the gradients of all previous steps.",
    )
    accumulate: bool = setting(
        True,
        Switch(),
        "Whether contributions to a gradient are summed.",
        "mistakes",
        label="Assign (=) instead of accumulate (+=)",
        why="A value used several times then keeps only the last contribution to its gradient.",
    )
    classifies: bool = field(init=False, repr=False, compare=False)
    """Whether the task is classification, so that there is an accuracy."""

    def __post_init__(self) -> None:
        for name, entry in FIELDS.items():
            object.__setattr__(self, name, entry.kind.read(name, getattr(self, name)))
        for name in ("data_seed", "order_seed"):
            if getattr(self, name) == self.seed:
                object.__setattr__(self, name, None)
        object.__setattr__(self, "classifies", _classifies(self))

    @property
    def inputs(self) -> int:
        """The number of inputs of one sample."""
        if self.data == "rows":
            return len(self.rows[0]) - 1 if self.rows else 0
        return DATASETS[self.data].inputs

    @property
    def network_inputs(self) -> int:
        """The number of inputs of the network: of its features, or of a sample."""
        return len(self.features) or self.inputs

    @property
    def outputs(self) -> int:
        """The size of the last layer."""
        return self.layers[-1]

    @property
    def activations(self) -> tuple[str, ...]:
        """The activation of each layer, the last layer's included."""
        hidden = self.activation
        if isinstance(hidden, str):
            hidden = (hidden,) * (len(self.layers) - 2)
        return (*hidden, self.output_activation)

    @property
    def threshold(self) -> float:
        """The threshold of a single output between two classes."""
        return threshold_of(self.loss, self.output_activation)

    @property
    def parameter_count(self) -> int:
        """The number of weights and biases."""
        return sum((nin + 1) * nout for nin, nout in pairwise(self.layers))

    @property
    def all_samples(self) -> int:
        """The size of the data set, training and test."""
        data = DATASETS[self.data]
        if data.drawn:
            return self.samples
        return len(self.rows) if self.data == "rows" else len(data.make(0, 0.0, Random(0)))

    @property
    def test_samples(self) -> int:
        """The size of the test set."""
        return round(self.test_share * self.all_samples)

    @property
    def train_samples(self) -> int:
        """The size of the training set."""
        return self.all_samples - self.test_samples

    @property
    def total_steps(self) -> int:
        """The number of updates, changes in mid-run included."""
        found = (
            x for change in reversed(self.at) for name, x in change.settings if name == "steps"
        )
        return next(found, self.steps)

    @property
    def seeds(self) -> Seeds:
        """The seed of each part of the run."""
        data, order = (
            self.seed if own is None else own for own in (self.data_seed, self.order_seed)
        )
        return Seeds(data, self.seed, order)

    @property
    def end_rate(self) -> float:
        """The learning rate at the end of the schedule."""
        return Percentage.of(self.schedule_end, self.learning_rate)

    @property
    def batch_size(self) -> int:
        """The number of samples in a batch; the last batch of an epoch may be smaller."""
        return self.train_samples if self.batch == "all" else self.batch

    @property
    def class_words(self) -> str:
        """The names of the classes in words, such as "class 0: cat, class 1: dog"; "" if none."""
        names = self.class_names if self.data == "rows" else ()
        return ", ".join(f"class {i}: {name}" for i, name in enumerate(names))

    @property
    def classes(self) -> int:
        """The number of classes; 0 for regression."""
        if self.data != "rows":
            return DATASETS[self.data].classes
        numbers = class_numbers([row[-1] for row in self.rows]) if self.classifies else None
        return max(numbers) + 1 if numbers else 0


def _classifies(spec: RunSettings) -> bool:
    """Whether the task is classification.

    For custom rows it is, unless a regression loss with one output takes the labels as targets.
    Labels -1 and 1 are classes in any case: as targets they are the same numbers.
    """
    if spec.data != "rows":
        return DATASETS[spec.data].classes > 0
    labels = {row[-1] for row in spec.rows}
    return not LOSSES[spec.loss].regression or spec.outputs > 1 or labels == {-1.0, 1.0}


FIELDS: dict[str, Setting] = {
    kept.name: kept.metadata["setting"] for kept in fields(RunSettings) if kept.init
}
"""The entry of every setting, in order of declaration."""

DEFAULTS: dict[str, Any] = {name: entry.default for name, entry in FIELDS.items()}
"""The default of every setting for moons; see `engine.training.fitting.defaults`."""

MISTAKES: dict[str, Any] = {
    n: entry.default for n, entry in FIELDS.items() if entry.group == "mistakes"
}
"""The settings that make a well-known mistake, with the value that avoids it."""
