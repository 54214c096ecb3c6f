"""Gradlens' engine: scalar reverse-mode differentiation that can be watched.

`Value`, `Neuron`, `Layer` and `MLP` are drop-in replacements of micrograd's, and
`train(TrainSpec(...))` yields the states of a training run. All of it needs the standard library
alone, but training is thousands of times faster where `wasmtime` is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .nn import MLP, Layer, Module, Neuron
from .value import Value

if TYPE_CHECKING:
    from engine.runs.run import train
    from engine.training.spec import TrainSpec

__version__ = "0.1.0"

__all__ = ["MLP", "Layer", "Module", "Neuron", "TrainSpec", "Value", "train"]


def __getattr__(name: str) -> Any:
    """Training, when it is first asked for; `python -m engine.training` imports it for itself."""
    if name == "train":
        from engine.runs.run import train

        return train
    if name == "TrainSpec":
        from engine.training.spec import TrainSpec

        return TrainSpec
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
