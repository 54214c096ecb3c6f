"""Consistency checks between the settings of a run. Each raises SpecError with a valid choice."""

from __future__ import annotations

from collections.abc import Sequence

from .datasets import DATASETS, MOST_CLASSES, class_numbers
from .fields import SpecError, layers_text, misplaced, refusal, shown
from .losses import LOSSES
from .settings import RunSettings


def check(spec: RunSettings) -> None:
    """Raise SpecError for settings that contradict each other."""
    _check_network(spec)
    _check_outputs(spec)
    _check_samples(spec)


def _check_network(spec: RunSettings) -> None:
    if spec.data == "rows" and not spec.rows:
        raise refusal("rows", spec.rows, "; give at least one row such as [0.5, -1, 1].")
    if spec.features and spec.inputs != 2:
        why = f", but {spec.data} has {_count(spec.inputs, 'input')}: features are of two inputs."
        raise refusal("features", spec.features, why)
    right = (spec.network_inputs, *spec.layers[1:])
    if spec.layers != right:
        there = f"{spec.data} has {_count(spec.inputs, 'input')}"
        if spec.features:
            there = f"there are {_count(len(spec.features), 'feature')}"
        raise refusal("layers", spec.layers, f", but {there}: write {layers_text(right)}.")
    hidden = len(spec.layers) - 2
    if not isinstance(spec.activation, str) and len(spec.activation) != hidden:
        why = f"; give one name, or {hidden}, one for each hidden layer."
        raise refusal("activation", spec.activation, why)
    if spec.initial and len(spec.initial) != spec.parameter_count:
        count = f"has {_count(len(spec.initial), 'number')}"
        why = f"the network has {_count(spec.parameter_count, 'parameter')}: give as many."
        raise SpecError("initial", shown(spec.initial), f"initial {count}, but {why}")


def _check_outputs(spec: RunSettings) -> None:
    loss = LOSSES[spec.loss]
    if not spec.classifies and not loss.regression:
        known = " or ".join(name for name, other in LOSSES.items() if other.regression)
        raise refusal("loss", spec.loss, f", but {spec.data} has no classes: use {known}.")
    if spec.data == "rows" and spec.classifies:
        _check_labels([row[-1] for row in spec.rows])
    if spec.data == "rows" and spec.class_names:
        _check_names(spec)
    classes = spec.classes
    counts = (1, 2) if classes == 2 else (classes or 1,)
    fit = [count for count in counts if count >= loss.least_outputs]
    if spec.outputs not in fit:
        what = _count(classes, "class") if classes else "one number to predict"
        why = f", but {spec.data} has {what} and the loss is {loss.name}"
        raise refusal("layers", spec.layers, f"{why}: end with {' or '.join(map(str, fit))}.")


def _check_names(spec: RunSettings) -> None:
    count = len(spec.class_names)
    if not spec.classifies:
        why = f", but the words in the last column of rows are {count} classes"
        raise refusal("layers", spec.layers, f"{why}: end with {max(count, 2)}.")
    if count != spec.classes:
        why = f"; rows has {_count(spec.classes, 'class')}: name each of them."
        raise refusal("class_names", spec.class_names, why)


def _check_labels(labels: Sequence[float]) -> None:
    numbers = class_numbers(labels)
    if numbers is None:
        wrong = [i for i, y in enumerate(labels) if class_numbers([y]) is None]
        i = wrong[0] if wrong else labels.index(-1.0)  # among other classes
        wanted = f"give 0 and 1, -1 and 1, or whole numbers from 0 to {MOST_CLASSES - 1}."
        raise misplaced("rows", f"the label of row {i + 1} of rows", labels[i], wanted)
    if len(set(numbers)) == 1:
        wanted = "give rows of at least two classes."
        raise misplaced("rows", "the label of every row", labels[0], wanted)


def _check_samples(spec: RunSettings) -> None:
    data = DATASETS[spec.data]
    if data.drawn and spec.samples < data.classes:
        why = f", but {spec.data} has {data.classes} classes: give at least {data.classes}."
        raise refusal("samples", spec.samples, why)
    if spec.train_samples < 1:
        why = f", which leaves none of {_count(spec.all_samples, 'sample')} to train on: give less."
        raise refusal("test_share", spec.test_share, why)
    if spec.batch_size > spec.train_samples:
        are = "is" if spec.train_samples == 1 else "are"
        why = f", but there {are} {_count(spec.train_samples, 'sample')} to train on: "
        raise refusal("batch", spec.batch, f'{why}give at most as many, or "all".')


def _count(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun}{'es' if noun.endswith('s') else 's'}"
