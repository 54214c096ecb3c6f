"""Layers and loss that fit the data: defaults of a spec that omits them, and adjustments of a form
after a change of the data set, the rows or the loss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .datasets import DATASETS, class_numbers
from .fields import Rows, SpecError, refusal
from .losses import LOSSES, Loss
from .settings import DEFAULTS, FIELDS

CHANGES = ("data", "rows", "loss")
"""The settings that others are adjusted to."""

REGRESSION = "mse"
"""The default loss for regression."""


def fitting(given: Mapping[str, Any]) -> dict[str, Any]:
    """Loss and layers that fit the data of a spec, unless given; {} for invalid data."""
    try:
        inputs, classes = _shape(given)
    except SpecError:
        return {}
    name = given.get("loss", DEFAULTS["loss"] if classes else REGRESSION)
    loss = LOSSES.get(name) if isinstance(name, str) else None
    layers = (inputs, *DEFAULTS["layers"][1:-1], _outputs(classes, loss, 1))
    return {key: x for key, x in (("loss", name), ("layers", layers)) if key not in given}


def _shape(given: Mapping[str, Any]) -> tuple[int, int]:
    """The numbers of inputs and of classes in the data of a spec. Raises SpecError."""
    name = FIELDS["data"].kind.read("data", given.get("data", DEFAULTS["data"]))
    if name != "rows":
        return DATASETS[name].inputs, DATASETS[name].classes
    rows = FIELDS["rows"].kind.read("rows", given.get("rows", ()))
    if not rows:
        raise refusal("rows", rows, ".")
    numbers = class_numbers([row[-1] for row in rows])
    return len(rows[0]) - 1, max(numbers) + 1 if numbers else 0


def _outputs(classes: int, loss: Loss | None, present: int) -> int:
    """The number of outputs for a number of classes; for two, `present` if the loss allows it."""
    if classes != 2:
        return max(classes, 1)
    return max(loss.least_outputs if loss else 1, min(present, 2))


def refit(texts: Mapping[str, str], changed: str) -> dict[str, Any]:
    """New values for the settings that no longer fit after a change of one of CHANGES.

    `texts` are settings as query text. A change of the data can adjust the loss, the test share and
    the sizes of the first and last layer; a change of the rows or the loss, those sizes. Hidden
    layers are kept. The result is {} if a setting involved is invalid.
    """
    given = {**{name: FIELDS[name].kind.text(x) for name, x in DEFAULTS.items()}, **texts}
    loss = LOSSES.get(given["loss"])
    if given["data"] not in DATASETS or loss is None:
        return {}
    try:
        layers = FIELDS["layers"].kind.read("layers", given["layers"])
        inputs, classes = _shape_of(given, loss, layers[-1])
    except SpecError:
        return {}
    fit: dict[str, Any] = _of_data(given["data"], classes, loss) if changed == "data" else {}
    loss = LOSSES[fit.get("loss", loss.name)]
    right = (inputs, *layers[1:-1], _outputs(classes, loss, layers[-1]))
    return fit if layers == right else {**fit, "layers": right}


def _of_data(name: str, classes: int, loss: Loss) -> dict[str, Any]:
    """Adjustments for new data, apart from layers."""
    found: dict[str, Any] = {}
    if not DATASETS[name].drawn and name != "rows":
        found["test_share"] = 0.0  # a few fixed samples, all of which are needed
    if not classes and not loss.regression:
        found["loss"] = REGRESSION
    return found


def _shape_of(given: Mapping[str, str], loss: Loss, outputs: int) -> tuple[int, int]:
    """The numbers of inputs and of classes, given the loss and the outputs. Raises SpecError.

    Integer labels of rows are regression targets if the loss is a regression loss and there is one
    output; words are always classes.
    """
    if given["data"] != "rows":
        return DATASETS[given["data"]].inputs, DATASETS[given["data"]].classes
    kind = Rows()
    pasted, names = kind.pasted(given["rows"])
    rows = kind.read("rows", pasted)
    if not rows:
        raise refusal("rows", rows, ".")
    is_number = loss.regression and outputs == 1 and not names
    return len(rows[0]) - 1, len(names) or _classes([row[-1] for row in rows], is_number)


def _classes(labels: Sequence[float], is_number: bool) -> int:
    """The number of classes among labels; 0 for regression targets."""
    numbers = class_numbers(labels)
    if numbers is None or (is_number and set(labels) != {-1.0, 1.0}):
        return 0
    return max(2, max(numbers) + 1)
