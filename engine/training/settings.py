"""The settings of a training run: one entry each, from which everything else about them follows.

A setting is one field of `RunSettings`. Its entry holds the default, the values that it takes, its
description and its place on the Train page. Reading from JSON and from a query, the checks, the
form, what `hide` can leave out, the reference, the JSON schema and the bounds of a server derive
from it: to add a setting, add one entry here, and its mathematics where runs are computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import pairwise
from random import Random
from typing import Any, Literal, TypeVar

from engine.nn import LINEAR
from engine.ops import ACTIVATIONS

from .datasets import DATASETS, class_numbers
from .fields import Activations, Batch, Kind, Name, Number, Numbers, Rows, Sizes, Switch, Whole
from .initialisation import INITS
from .losses import LOSSES
from .optim import OPTIMIZERS, SCHEDULES

MANY = 10**9  # of anything: beyond every limit, and far below where floats lose count

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """The entry of a setting: the values that it takes, its meaning, its place on the Train page.

    `group` is the part of the form that holds its control, "" for a setting without one; `position`
    orders the controls of a group, where the order of the entries does not. `label` is the text of
    the control, by default the name; `why` the effect of a switch that is off, or of a value that
    is far too large. `control` overrides the kind of control that follows from `kind`. `table` has
    a row for each choice. `limit` names the bound of `TrainLimits` that holds for it. A `sparse`
    setting stands in JSON only where it is not empty.
    """

    kind: Kind
    help: str
    default: Any = None
    group: str = ""
    position: int = 0
    label: str = ""
    why: str = ""
    control: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)
    limit: str = ""
    sparse: bool = False

    def title(self, name: str) -> str:
        """The text of the control of the setting `name`."""
        return self.label or name.replace("_", " ").capitalize()


def setting(default: T, kind: Kind, help: str, group: str = "", **more: Any) -> T:  # noqa: A002
    """A field of `RunSettings` with its entry, for a dataclass; `more` are fields of Setting."""
    entry = Setting(kind, help, default, group, **more)
    return field(default=default, metadata={"setting": entry})


def choice(default: str, table: Mapping[str, Any], help: str, group: str, **more: Any) -> str:  # noqa: A002
    """A setting that takes one of the names of a table."""
    return setting(default, Name(tuple(table)), help, group, table=table, **more)


_ACTIVATIONS = (*ACTIVATIONS, LINEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Every setting of a run, and the quantities that follow from them. Raises SpecError."""

    data: str = choice("moons", DATASETS, "The data set.", "data", control="cards", position=-1)
    samples: int = setting(
        100, Whole(2, MANY), "How many samples are drawn.", "data", limit="samples"
    )
    noise: float = setting(
        0.1, Number(), "How far drawn samples are scattered.", "data", limit="rate"
    )
    test_share: float = setting(
        0.0, Number(0.0, 0.9), "The share of the samples kept aside for testing.", "data"
    )
    rows: tuple[tuple[float, ...], ...] = setting(
        (),
        Rows(),
        'With the data "rows": the inputs and the label of each sample.',
        "data",
        label="Your rows: inputs, then the class or number",
        position=-1,
        limit="samples",
        sparse=True,
    )
    layers: tuple[int, ...] = setting(
        (2, 16, 16, 1),
        Sizes(),
        "The number of inputs, then the size of each layer; made to fit the data if not given.",
        "network",
    )
    activation: str | tuple[str, ...] = setting(
        "relu",
        Activations(_ACTIVATIONS),
        "The activation of all hidden layers, or one for each.",
        "network",
    )
    output_activation: str = setting(
        "linear", Name(_ACTIVATIONS), "The activation of the last layer.", "network", label="Output"
    )
    init: str = choice(
        "uniform", INITS, "How the first parameters are drawn.", "network", label="First weights"
    )
    initial: tuple[float, ...] = setting(
        (), Numbers(), "The first parameters themselves, in their flat order.", sparse=True
    )
    loss: str = choice(
        "hinge",
        LOSSES,
        "What training lowers; mse if not given and numbers are predicted.",
        "network",
    )
    l1: float = setting(
        0.0, Number(), "Adds l1 · Σ|p| to the loss.", "training", position=1, limit="rate"
    )
    l2: float = setting(
        1e-4, Number(), "Adds l2 · Σp² to the loss.", "training", position=1, limit="rate"
    )
    dropout: float = setting(
        0.0,
        Number(0.0, below=1.0),
        "The probability with which a training step leaves a hidden activation out.",
        "training",
        position=1,
    )
    optimizer: str = choice("sgd", OPTIMIZERS, "How gradients change the parameters.", "training")
    learning_rate: float = setting(
        1.0,
        Number(),
        "The size of the first step.",
        "training",
        why=(
            "The gradient is right only nearby: so long a step lands on the far side of the valley,"
            " often higher than before, and the next one goes further still."
        ),
        limit="rate",
    )
    momentum: float = setting(
        0.9,
        Number(0.0, below=1.0),
        "How much of earlier steps is kept, where any is.",
        "training",
    )
    weight_decay: float = setting(
        0.01, Number(), "How much adamw shrinks the parameters.", "training", limit="rate"
    )
    schedule: str = choice(
        "linear", SCHEDULES, "How the learning rate changes over the steps.", "training"
    )
    schedule_end: float = setting(
        0.1,
        Number(),
        "The learning rate that the schedule ends at.",
        "training",
        label="Last rate",
        limit="rate",
    )
    batch: int | Literal["all"] = setting(
        "all", Batch(), 'How many samples a step sees, or "all".', "training"
    )
    shuffle: bool = setting(
        True,
        Switch(),
        "Whether each epoch has an order of its own.",
        "training",
        position=1,
        label="Keep the order",
        why="Every epoch sees the samples in the same order.",
    )
    steps: int = setting(
        100, Whole(1, MANY), "How many updates are made.", "training", limit="steps"
    )
    seed: int = setting(
        1337, Whole(0, 2**64 - 1), "What all random numbers follow from.", "training"
    )
    zero_grad: bool = setting(
        True,
        Switch(),
        "Whether gradients are set to 0 before each backward pass.",
        "mistakes",
        label="Forget to zero the gradients",
        why="Each step then adds the gradients of all steps before it to its own.",
    )
    accumulate: bool = setting(
        True,
        Switch(),
        "Whether contributions to a gradient add up.",
        "mistakes",
        label="Assign (=) instead of accumulate (+=)",
        why=("Of a value used many times, only the last contribution to its gradient is left."),
    )
    classifies: bool = field(init=False, repr=False, compare=False)
    """Whether samples have classes, so that answers are right or wrong."""

    def __post_init__(self) -> None:
        for name, entry in FIELDS.items():
            object.__setattr__(self, name, entry.kind.read(name, getattr(self, name)))
        object.__setattr__(self, "classifies", _classifies(self))

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


def _classifies(spec: RunSettings) -> bool:
    """Whether samples have classes.

    Own rows do unless a regression loss takes their labels as they are; where these are -1 and 1 it
    makes no difference, and answers can be called right or wrong after all.
    """
    if spec.data != "rows":
        return DATASETS[spec.data].classes > 0
    labels = {row[-1] for row in spec.rows}
    return not LOSSES[spec.loss].regression or spec.outputs > 1 or labels == {-1.0, 1.0}


FIELDS: dict[str, Setting] = {
    kept.name: kept.metadata["setting"] for kept in fields(RunSettings) if kept.init
}
"""The entry of every setting, in their order."""

DEFAULTS: dict[str, Any] = {name: entry.default for name, entry in FIELDS.items()}
"""The default of every setting."""

MISTAKES: dict[str, Any] = {
    n: entry.default for n, entry in FIELDS.items() if entry.group == "mistakes"
}
"""The settings that make a well-known mistake, with the value that does not make it."""
