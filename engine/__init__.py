"""Seegrad's engine: scalar reverse-mode automatic differentiation that can be observed.

`Value`, `Neuron`, `Layer` and `MLP` are drop-in replacements for micrograd's, and
`train(TrainSpec(...))` yields the states of a training run. The engine needs only the standard
library, but trains thousands of times faster with `wasmtime`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.nn import MLP, Layer, Module, Neuron
    from engine.runs.run import train
    from engine.training.spec import TrainSpec
    from engine.value import Value

__version__ = "0.1.0"

__all__ = ["MLP", "Layer", "Module", "Neuron", "TrainSpec", "Value", "train"]


def __getattr__(name: str) -> Any:
    """Each name at its first use, as importing a module of this package imports the package."""
    if name == "Value":
        from engine.value import Value

        return Value
    if name in ("MLP", "Layer", "Module", "Neuron"):
        from engine import nn

        return getattr(nn, name)
    if name == "train":
        from engine.runs.run import train

        return train
    if name == "TrainSpec":
        from engine.training.spec import TrainSpec

        return TrainSpec
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
