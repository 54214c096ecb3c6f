"""The weights of a network as arrays: W and b of each layer, as PyTorch names and shapes them.

A layer computes W x + b, with W of shape (outputs, inputs) as in `torch.nn.Linear`. Files whose
layers compute x W + b, with W of shape (inputs, outputs) as NumPy programs mostly do, are read too:
the sizes of the layers show which it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from .array_files import BadFile, NamedArray, nested, npz, read_arrays


class NetworkWeights(NamedTuple):
    """The sizes of a network's layers and its parameters in flat order.

    A list of numbers alone does not tell the sizes: then there are none.
    """

    layers: tuple[int, ...]
    parameters: tuple[float, ...]


def read_weights(data: bytes) -> NetworkWeights:
    """The weights in a file. Raises BadFile, which says what does not fit."""
    arrays = read_arrays(data)
    biases = [array for array in arrays if _is_bias(array)]
    weights = [array for array in arrays if len(array.shape) == 2 and not _is_bias(array)]
    if not weights:
        if len(arrays) == 1 and not arrays[0].name:
            return NetworkWeights((), arrays[0].numbers)
        raise BadFile("No matrix of weights was found: save all of model.state_dict().")
    if len(biases) not in (0, len(weights)):
        raise BadFile(
            f"There are {len(weights)} matrices of weights and {len(biases)} biases: every layer "
            "needs one of each."
        )
    outputs_first = _outputs_first(weights, biases)
    sizes = [array.shape if outputs_first else array.shape[::-1] for array in weights]
    parameters: list[float] = []
    for i, (array, (outputs, inputs)) in enumerate(zip(weights, sizes, strict=True)):
        for j in range(outputs):
            begin, step = (j * inputs, 1) if outputs_first else (j, outputs)
            row = array.numbers[begin::step][:inputs]
            parameters += [*row, biases[i].numbers[j] if biases else 0.0]
    return NetworkWeights((sizes[0][1], *(outputs for outputs, _ in sizes)), tuple(parameters))


def _is_bias(array: NamedArray) -> bool:
    """Whether an array is a vector: of shape (n,), or (1, n) under the name of a bias."""
    if len(array.shape) == 1:
        return True
    last = array.name.rpartition(".")[2].lower()
    return len(array.shape) == 2 and array.shape[0] == 1 and last.startswith("b")


def _outputs_first(weights: Sequence[NamedArray], biases: Sequence[NamedArray]) -> bool:
    """Whether the matrices have the shape (outputs, inputs). Raises BadFile if nothing fits."""
    fits = []
    for out, in_ in ((0, 1), (1, 0)):
        chained = all(a.shape[out] == b.shape[in_] for a, b in pairwise(weights))
        pairs = zip(weights, biases, strict=False)
        fits.append(chained and all(w.shape[out] == len(b.numbers) for w, b in pairs))
    if not any(fits):
        shapes = ", ".join(f"{a.name or 'a matrix'} {a.shape}" for a in [*weights, *biases][:8])
        raise BadFile(f"These shapes are not those of layers one after the other: {shapes}.")
    return weights[0].name.endswith("weight") if all(fits) else fits[0]


def arrays_of(layers: Sequence[int], parameters: Sequence[float]) -> list[NamedArray]:
    """Weights and biases as the state_dict of `Sequential(Linear, activation, Linear, …)`."""
    found, begin = [], 0
    for i, (inputs, outputs) in enumerate(pairwise(layers)):
        rows = [
            parameters[begin + j * (inputs + 1) : begin + (j + 1) * (inputs + 1)]
            for j in range(outputs)
        ]
        flat = tuple(x for row in rows for x in row[:-1])
        found.append(NamedArray(f"{2 * i}.weight", (outputs, inputs), flat))
        found.append(NamedArray(f"{2 * i}.bias", (outputs,), tuple(row[-1] for row in rows)))
        begin += outputs * (inputs + 1)
    return found


def weights_json(layers: Sequence[int], parameters: Sequence[float]) -> str:
    """Weights and biases as JSON, by PyTorch's names."""
    named: dict[str, Any] = {array.name: nested(array) for array in arrays_of(layers, parameters)}
    return json.dumps(named, indent=1) + "\n"


def weights_npz(layers: Sequence[int], parameters: Sequence[float]) -> bytes:
    """Weights and biases as `.npz`, by PyTorch's names."""
    return npz(arrays_of(layers, parameters))
