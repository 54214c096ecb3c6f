"""Defaults that belong to the data and the task, and adjustments of a form after a change of the
data set, the rows or the loss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from engine.nn import LINEAR

from .datasets import DATASETS, REGRESSION, class_numbers
from .fields import Rows, SpecError, refusal, sizes_of
from .losses import LOSSES, Loss
from .settings import DEFAULTS, FIELDS

CHANGES = ("data", "rows", "loss", "features", "layers")
"""The settings that others are adjusted to."""


def defaults(given: Mapping[str, Any]) -> dict[str, Any]:
    """The default of every setting for the data and the loss of a spec.

    Those of moons for invalid data. The output activation of a data set belongs to its own loss:
    for another one, outputs are linear.
    """
    try:
        inputs, classes = _shape(given)
        inputs = _network_inputs(inputs, given.get("features", ()))
    except SpecError:
        return DEFAULTS
    data = given.get("data", DEFAULTS["data"])
    found = {**DEFAULTS, "data": data, **own_defaults(data, classes)}
    name = given.get("loss", found["loss"])
    if name != found["loss"]:
        found["output_activation"] = LINEAR
    loss = LOSSES.get(name) if isinstance(name, str) else None
    found["layers"] = (inputs, *found["layers"][1:-1], _outputs(classes, loss, 1))
    return found


def own_defaults(name: str, classes: int | None = None) -> dict[str, Any]:
    """The defaults of a data set that differ from those of moons; `classes` for own rows."""
    data = DATASETS[name]
    found = data.classes if classes is None else classes
    return {**({} if found else REGRESSION), **data.defaults}


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


def _network_inputs(inputs: int, features: object) -> int:
    """The number of inputs of a network that sees these features. Raises SpecError."""
    return len(FIELDS["features"].kind.read("features", features)) or inputs


def with_ends(given: Mapping[str, Any]) -> Any:
    """The `layers` of a spec, with inputs and outputs if a text gives the hidden layers alone.

    It does if its first size is not a number of inputs, and the last not one of outputs: 8,8 for
    two inputs and one output, but not 2-8, 8-1 or 1. Anything else is returned as it is.
    """
    value = given["layers"]
    sizes = sizes_of(value) if isinstance(value, str) else None
    if not sizes or min(sizes) < 1:
        return value
    try:
        inputs, classes = _shape(given)
    except SpecError:
        return value
    ends = defaults({name: x for name, x in given.items() if name != "layers"})["layers"]
    if sizes[0] in (inputs, ends[0]) or sizes[-1] in (1, classes, ends[-1]):
        return value
    return (ends[0], *sizes, ends[-1])


def _outputs(classes: int, loss: Loss | None, present: int) -> int:
    """The number of outputs for a number of classes; for two, `present` if the loss allows it."""
    if classes != 2:
        return max(classes, 1)
    return max(loss.least_outputs if loss else 1, min(present, 2))


def refit(
    texts: Mapping[str, str], changed: str, starts: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """New values for the settings that no longer fit after a change of one of CHANGES.

    `texts` are settings as query text. A change of the data or the rows can adjust the loss, the
    output activation, the test share, the features and the sizes of the first and last layer; a
    change of the loss or the features, those sizes. Hidden layers are kept. Initial parameters
    are dropped unless the network still has as many. The result is {} if a setting involved is
    invalid.

    `starts` are settings from which the form may have been filled. For other data, a setting that
    still has the value of the nearest start takes the default of the new data.
    """
    fit = {} if changed == "layers" else _refit(texts, changed, starts)
    return fit if _holds_initial(texts, fit) else {**fit, "initial": ()}


def _holds_initial(texts: Mapping[str, str], fit: Mapping[str, Any]) -> bool:
    """Whether the initial parameters, if there are any, are as many as those of the network."""
    if not texts.get("initial"):
        return True
    layers, initial = FIELDS["layers"].kind, FIELDS["initial"].kind
    try:
        sizes = fit.get("layers") or layers.read("layers", with_ends({**DEFAULTS, **texts}))
        count = len(initial.read("initial", initial.parse(texts["initial"])))
    except SpecError:
        return True  # which is said beside the control that is invalid
    return bool(count == sum((inputs + 1) * outputs for inputs, outputs in pairwise(sizes)))


def _refit(
    texts: Mapping[str, str], changed: str, starts: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    fit = _of_other_data(texts, starts) if changed == "data" else {}
    kept = {name: FIELDS[name].kind.text(x) for name, x in fit.items()}
    given = {**_texts(defaults({"data": texts.get("data", DEFAULTS["data"])})), **texts, **kept}
    loss = LOSSES.get(given["loss"])
    if given["data"] not in DATASETS or loss is None:
        return {}
    try:
        layers = FIELDS["layers"].kind.read("layers", given["layers"])
        inputs, classes = _shape_of(given, loss, layers[-1])
        features = FIELDS["features"].kind.parse(given.get("features", ""))
        if features and inputs != 2:
            fit["features"] = ()
        inputs = _network_inputs(inputs, fit.get("features", features))
    except SpecError:
        return {}
    if changed in ("data", "rows"):
        fit |= _of_task(given, classes, loss)
    loss = LOSSES[fit.get("loss", loss.name)]
    right = (inputs, *layers[1:-1], _outputs(classes, loss, layers[-1]))
    return fit if layers == right else {**fit, "layers": right}


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: FIELDS[name].kind.text(x) for name, x in values.items()}


def _of_other_data(texts: Mapping[str, str], starts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The defaults of the data for the settings of network and training that nobody changed.

    Data sets without defaults of their own are learnt with each other's settings.
    """
    if not starts or texts.get("data") not in DATASETS or texts["data"] == "rows":
        return {}
    if not any(own_defaults(name) for name in (texts["data"], *(one["data"] for one in starts))):
        return {}
    present = {name: _value(name, text) for name, text in texts.items() if name in _ADAPTED}
    start = max(starts, key=lambda one: sum(one[name] == x for name, x in present.items()))
    new = defaults({"data": texts["data"]})
    fit = {n: new[n] for n, x in present.items() if x == start[n] != new[n]}
    return fit | _of_samples(texts, [start["data"], texts["data"]])


def _of_samples(texts: Mapping[str, str], data: Sequence[str]) -> dict[str, Any]:
    """The number of samples where a part of other data is held out, or was of those before."""
    before, needed = (DATASETS[name].enough for name in data)
    present = _value("samples", texts.get("samples", ""))
    if not present or not _value("test_share", texts.get("test_share", "")):
        return {}
    if needed:
        return {"samples": needed} if present < needed else {}
    return {"samples": DEFAULTS["samples"]} if before == present else {}


_ADAPTED = frozenset(
    name
    for name, entry in FIELDS.items()
    if entry.group in ("network", "training") and not entry.sparse and not name.endswith("seed")
)
"""The settings that other data can change."""


def _value(name: str, text: str) -> Any:
    """The value of a setting's text; None if it is invalid."""
    kind = FIELDS[name].kind
    try:
        return kind.read(name, kind.parse(text))
    except SpecError:
        return None


def _of_task(given: Mapping[str, str], classes: int, loss: Loss) -> dict[str, Any]:
    """Adjustments to the data, apart from layers."""
    found: dict[str, Any] = {}
    if not DATASETS[given["data"]].drawn and given["data"] != "rows":
        found["test_share"] = 0.0  # a few fixed samples, all of which are needed
    if not classes and not loss.regression:
        found["loss"] = REGRESSION["loss"]
        found["output_activation"] = LINEAR
    return {name: x for name, x in found.items() if given.get(name) != FIELDS[name].kind.text(x)}


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
