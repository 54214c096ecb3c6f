"""The samples and the initial parameters of a run: drawn from its seed, or given."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .datasets import DATASETS, Row, class_numbers
from .initialisation import INITS
from .losses import LOSSES, Loss
from .scaling import InputScale, fitted, scaled
from .settings import RunSettings
from .shuffling import permutation

DECIMALS = 6
_SPLIT, _ORDER = -1, -2  # reserved epochs: the test split, and the order of generated samples


@dataclass(frozen=True, slots=True)
class Samples:
    """Inputs and targets, one tuple per sample each, and labels as in `Row`."""

    inputs: tuple[tuple[float, ...], ...]
    targets: tuple[tuple[float, ...], ...]
    labels: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.labels)


def joined(training: Samples, test: Samples) -> Samples:
    """All samples, training before test."""
    return Samples(
        training.inputs + test.inputs,
        training.targets + test.targets,
        training.labels + test.labels,
    )


SAMPLES = 64
"""The most training samples, evenly spaced, for which activations are examined."""


def examined(training: Samples) -> list[int]:
    """The places of the training samples whose activations are examined."""
    count = len(training)
    if count <= SAMPLES:
        return list(range(count))
    return [i * (count - 1) // (SAMPLES - 1) for i in range(SAMPLES)]


def load(spec: RunSettings) -> tuple[Samples, Samples]:
    """The training set and the test set, both in the order of the data.

    The split depends on the data and the seed only.
    """
    training, test = _split(spec)
    scales = scales_of(spec)
    return tuple(  # type: ignore[return-value]  # of two
        _samples([(scaled(x, scales), y) for x, y in rows], spec) for rows in (training, test)
    )


def scales_of(spec: RunSettings) -> tuple[InputScale, ...]:
    """The scale of each input over the training set; () if inputs are left alone."""
    return fitted(spec.scaling, [x for x, _ in _split(spec)[0]]) if spec.scaling != "none" else ()


def _split(spec: RunSettings) -> tuple[list[Row], list[Row]]:
    """The rows of the training set and of the test set."""
    rows = _rows(spec)
    tested = _tested(spec, len(rows))
    training = [row for i, row in enumerate(rows) if i not in tested]
    return training, [row for i, row in enumerate(rows) if i in tested]


def _tested(spec: RunSettings, count: int) -> set[int]:
    """The places of the test samples among `count` rows."""
    return set(permutation(spec.seeds.data, _SPLIT, count)[: spec.test_samples])


def rows_of_samples(spec: RunSettings) -> list[int]:
    """The place in the data of each training sample, then of each test sample, from 0."""
    count = spec.train_samples + spec.test_samples
    tested = _tested(spec, count)
    return sorted(range(count), key=lambda i: (i in tested, i))


def _rows(spec: RunSettings) -> list[Row]:
    data = DATASETS[spec.data]
    if spec.data == "rows":
        labels: Sequence[float] = [row[-1] for row in spec.rows]
        if spec.classifies:
            labels = [float(number) for number in class_numbers(labels) or ()]
        return [(row[:-1], label) for row, label in zip(spec.rows, labels, strict=True)]
    rows = data.make(spec.samples, spec.noise, random.Random(f"data {spec.seeds.data}"))
    if not data.drawn:
        return rows
    order = permutation(spec.seeds.data, _ORDER, len(rows))
    return [(tuple(map(_rounded, rows[i][0])), _rounded(rows[i][1])) for i in order]


def _rounded(x: float) -> float:
    return round(x, DECIMALS) + 0.0  # never -0.0


def _samples(rows: Sequence[Row], spec: RunSettings) -> Samples:
    loss, outputs = LOSSES[spec.loss], spec.layers[-1]
    return Samples(
        inputs=tuple(x for x, _ in rows),
        targets=tuple(
            _one_hot(label, outputs, loss) if spec.classifies else (label,) for _, label in rows
        ),
        labels=tuple(label for _, label in rows),
    )


def _one_hot(label: float, outputs: int, loss: Loss) -> tuple[float, ...]:
    """1 for the class and `loss.no` for the others; a single output is that of class 1."""
    classes = (1,) if outputs == 1 else range(outputs)
    return tuple(1.0 if label == number else loss.no for number in classes)


def initial_parameters(spec: RunSettings) -> list[float]:
    """The parameters before the first step, in flat order: `spec.initial`, or drawn."""
    if spec.initial:
        return list(spec.initial)
    init = INITS[spec.init]
    uniform = random.Random(spec.seeds.weights).uniform
    out = []
    for nin, nout in pairwise(spec.layers):
        bound = init.bound(nin, nout)
        for _ in range(nout):
            out += [uniform(-bound, bound) for _ in range(nin)]
            out.append(uniform(-bound, bound) if init.bias else 0.0)
    return out
