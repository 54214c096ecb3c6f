"""The layers and the loss that fit the data of a run, where its spec does not name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .datasets import DATASETS, class_numbers
from .fields import SpecError, refusal
from .losses import LOSSES
from .settings import DEFAULTS, FIELDS


def fitting(given: Mapping[str, Any]) -> dict[str, Any]:
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
