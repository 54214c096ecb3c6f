"""The built-in classes, by the names that programs use."""

from __future__ import annotations

from engine.nn import MLP, Layer, Module, Neuron
from engine.value import Value

CLASSES: dict[str, type] = {
    "Value": Value, "Neuron": Neuron, "Layer": Layer, "MLP": MLP, "Module": Module,
}  # fmt: skip
