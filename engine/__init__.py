"""Gradlens' engine: scalar reverse-mode differentiation that can be watched.

Needs the standard library alone. `Value`, `Neuron`, `Layer` and `MLP` are drop-in replacements of
micrograd's.
"""

from .nn import MLP, Layer, Module, Neuron
from .value import Value

__all__ = ["MLP", "Layer", "Module", "Neuron", "Value"]
