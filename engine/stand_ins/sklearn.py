"""The toy data sets of scikit-learn, its split and its accuracy.

The points are those of scikit-learn 1.5 for the same seed: the same draws of NumPy's generator, in
the same order. Without a `random_state` they come from the generator of `numpy.random`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from engine.arrays.array import Array
from engine.arrays.random_numbers import Legacy
from engine.stand_ins.contract import Machine
from engine.stand_ins.library import LibraryModule
from engine.stand_ins.ordinary import bound, whole

from . import numpy
from .numpy_context import context_of

Numpy = Mapping[str, Any]


def names(m: Machine) -> dict[str, Any]:
    """The names of the package `sklearn`."""
    parts = {part: LibraryModule(f"sklearn.{part}", table(m)) for part, table in _PARTS.items()}
    return {"__version__": "1.5.2", **parts}


def datasets_names(m: Machine) -> dict[str, Any]:
    """The names of the module `sklearn.datasets`."""
    return _bound(m, make_moons, make_circles, make_blobs)


def selection_names(m: Machine) -> dict[str, Any]:
    """The names of the module `sklearn.model_selection`."""
    return _bound(m, train_test_split)


def metrics_names(m: Machine) -> dict[str, Any]:
    """The names of the module `sklearn.metrics`."""
    return _bound(m, accuracy_score)


_PARTS: dict[str, Callable[[Machine], Mapping[str, Any]]] = {
    "datasets": datasets_names,
    "model_selection": selection_names,
    "metrics": metrics_names,
}
MODULES = {"sklearn": names, **{f"sklearn.{part}": table for part, table in _PARTS.items()}}


def _bound(m: Machine, *functions: Callable[..., Any]) -> dict[str, Any]:
    return {function.__name__: bound(m, function, function.__name__) for function in functions}


def make_moons(
    m: Machine,
    n_samples: Any = 100,
    *,
    shuffle: Any = True,
    noise: Any = None,
    random_state: Any = None,
) -> tuple[Any, Any]:
    """Two interleaved half circles of radius 1, around (0, 0) and (1, 0.5)."""
    np, (first, second) = numpy.names(m), _halves(n_samples)
    outer, inner = (np["linspace"](0, math.pi, n) for n in (first, second))
    curves = [
        (np["cos"](outer), np["sin"](outer)),
        (1 - np["cos"](inner), 1 - np["sin"](inner) - 0.5),
    ]
    return _two_curves(m, np, curves, (first, second), shuffle, noise, random_state)


def make_circles(
    m: Machine,
    n_samples: Any = 100,
    *,
    shuffle: Any = True,
    noise: Any = None,
    random_state: Any = None,
    factor: Any = 0.8,
) -> tuple[Any, Any]:
    """Circles of the radii 1 and `factor` around the origin."""
    np, (first, second) = numpy.names(m), _halves(n_samples)
    outer, inner = (np["linspace"](0, 2 * math.pi, n, endpoint=False) for n in (first, second))
    curves = [
        (np["cos"](outer), np["sin"](outer)),
        (np["cos"](inner) * factor, np["sin"](inner) * factor),
    ]
    return _two_curves(m, np, curves, (first, second), shuffle, noise, random_state)


def _halves(n_samples: Any) -> tuple[int, int]:
    """The numbers of points of the two curves."""
    if isinstance(n_samples, tuple):
        first, second = n_samples
        return whole(first), whole(second)
    return whole(n_samples) // 2, whole(n_samples) - whole(n_samples) // 2


def _two_curves(
    m: Machine,
    np: Numpy,
    curves: list[tuple[Any, Any]],
    counts: tuple[int, int],
    shuffle: Any,
    noise: Any,
    random_state: Any,
) -> tuple[Any, Any]:
    generator = _generator(m, random_state)
    rows = [np["append"](a, b) for a, b in zip(*curves, strict=True)]
    points = np["array"](np["transpose"](np["vstack"](rows)))
    classes = np["repeat"](np["arange"](2), list(counts))
    if shuffle:
        points, classes = _shuffled(np, generator, points, classes)
    if noise is not None:
        points = points + generator.normal(scale=noise, size=points.shape)
    return points, classes


def make_blobs(
    m: Machine,
    n_samples: Any = 100,
    n_features: Any = 2,
    *,
    centers: Any = None,
    cluster_std: Any = 1.0,
    center_box: Any = (-10.0, 10.0),
    shuffle: Any = True,
    random_state: Any = None,
) -> tuple[Any, Any]:
    """Normal clouds of the deviation `cluster_std` around the centers, of equal size up to one."""
    np, generator = numpy.names(m), _generator(m, random_state)
    if centers is None or isinstance(centers, int):
        low, high = center_box
        size = (3 if centers is None else centers, n_features)
        centers = generator.uniform(low, high, size)
    centers = np["array"](centers)
    kinds, width = centers.shape
    counts = [whole(n_samples) // kinds + (i < whole(n_samples) % kinds) for i in range(kinds)]
    spreads = list(np["full"](kinds, cluster_std))
    clouds = [
        generator.normal(loc=center, scale=spread, size=(n, width))
        for center, spread, n in zip(centers, spreads, counts, strict=True)
    ]
    points, classes = np["concatenate"](clouds), np["repeat"](np["arange"](kinds), counts)
    return _shuffled(np, generator, points, classes) if shuffle else (points, classes)


def train_test_split(
    m: Machine,
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: Any = None,
    shuffle: Any = True,
    stratify: Any = None,
) -> list[Any]:
    """Each array's rows for training and for testing, drawn without replacement."""
    if stratify is not None or not arrays:
        m.refuse("train_test_split takes arrays here, and no stratify.", "Leave it out.")
    np, total = numpy.names(m), len(arrays[0])
    tests, trains = _sizes(total, test_size, train_size)
    places = np["arange"](total)
    if shuffle:
        drawn = _generator(m, random_state).permutation(total)
        parts = drawn[tests : tests + trains], drawn[:tests]
    else:
        parts = places[:trains], places[trains : trains + tests]
    return [_rows(m, array, part) for array in arrays for part in parts]


def _sizes(total: int, test_size: Any, train_size: Any) -> tuple[int, int]:
    """The numbers of rows for testing and for training."""
    if test_size is None:
        test_size = 0.25 if train_size is None else None
    trains = None if train_size is None else _share(total, train_size, math.floor)
    if test_size is None:
        return total - (trains or 0), trains or 0
    tests = _share(total, test_size, math.ceil)
    return tests, total - tests if trains is None else trains


def _share(total: int, size: Any, rounding: Callable[[float], int]) -> int:
    return size if isinstance(size, int) else rounding(size * total)


def _rows(m: Machine, array: Any, places: Any) -> Any:
    """The rows of an array, or the items of a list, at these places."""
    if isinstance(array, Array):
        return array[places]
    return [array[int(i)] for i in places]


def accuracy_score(m: Machine, y_true: Any, y_pred: Any, *, normalize: Any = True) -> Any:
    """The share of the predictions that are right; their number without `normalize`."""
    np = numpy.names(m)
    right = np["array"](y_true) == np["array"](y_pred)
    return float(np["mean"](right)) if normalize else int(np["sum"](right))


def _generator(m: Machine, seed: Any) -> Legacy:
    """The generator that a `random_state` names."""
    context = context_of(m)
    if isinstance(seed, Legacy):
        return seed
    if seed is not None:
        return Legacy(context, seed)
    if context.legacy is None:
        context.legacy = Legacy(context)
    found: Legacy = context.legacy
    return found


def _shuffled(np: Numpy, generator: Legacy, points: Any, classes: Any) -> tuple[Any, Any]:
    places = np["arange"](len(points))
    generator.shuffle(places)
    return points[places], classes[places]
