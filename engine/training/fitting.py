"""The layers and the loss that fit the data of a run: where a spec does not name them, and where
the data, the rows or the loss of a form were changed and the rest no longer fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .datasets import DATASETS, class_numbers
from .fields import Rows, SpecError, refusal
from .losses import LOSSES, Loss
from .settings import DEFAULTS, FIELDS

CHANGES = ("data", "rows", "loss")
"""The settings that others have to fit."""

REGRESSION = "mse"
"""The loss where numbers are predicted and none for that is named."""


def fitting(given: Mapping[str, Any]) -> dict[str, Any]:
    """The loss and the layers for the data of a spec, those of them that are not given.

    Of data that are refused anyway nothing follows.
    """
    try:
        inputs, classes = _shape(given)
    except SpecError:
        return {}
    name = given.get("loss", DEFAULTS["loss"] if classes else REGRESSION)
    loss = LOSSES.get(name) if isinstance(name, str) else None
    layers = (inputs, *DEFAULTS["layers"][1:-1], _outputs(classes, loss, 1))
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


def _outputs(classes: int, loss: Loss | None, present: int) -> int:
    """The outputs for a number of classes: of two classes one or two, the `present` if it fits."""
    if classes != 2:
        return max(classes, 1)
    return max(loss.least_outputs if loss else 1, min(present, 2))


def refit(texts: Mapping[str, str], changed: str) -> dict[str, Any]:
    """The settings that no longer fit once one of CHANGES is changed, with values that do.

    `texts` are settings as an address has them. Other data may need a regression loss, all of
    their samples, other inputs and outputs; other rows or another loss other inputs or outputs.
    The hidden layers stay. Of settings that are refused anyway nothing follows.
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
    """What data need besides layers."""
    found: dict[str, Any] = {}
    if not DATASETS[name].drawn and name != "rows":
        found["test_share"] = 0.0  # a few fixed samples, all of which are needed
    if not classes and not loss.regression:
        found["loss"] = REGRESSION
    return found


def _shape_of(given: Mapping[str, str], loss: Loss, outputs: int) -> tuple[int, int]:
    """How many inputs and classes data have with a loss and outputs. Raises SpecError.

    Whole numbers as labels of rows are numbers to predict where the loss takes them for that and
    there is one output; words are always classes.
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
    """How many classes labels mean; 0 where they are numbers to predict."""
    numbers = class_numbers(labels)
    if numbers is None or (is_number and set(labels) != {-1.0, 1.0}):
        return 0
    return max(2, max(numbers) + 1)
