"""The public interface of Seegrad.

    from seegrad import MLP, Layer, Module, Neuron, TrainSpec, Value, record, trace, train

`Value`, `Neuron`, `Layer` and `MLP` are drop-in replacements of micrograd's; `trace(text)` is the
trace of a program that runs in a sandbox, `record(text)` and `record_file(path)` of one that runs
in the caller's own Python; `train(TrainSpec(...))` yields the states of a training run. The sandbox
needs `wasmtime`, all else the standard library alone. The command `seegrad`, or `python -m
seegrad`, starts the server; `python -m seegrad.trace` and `python -m seegrad.training` print JSON.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from engine import __version__
from engine.nn import MLP, Layer, Module, Neuron
from engine.runs.run import train
from engine.trace import record, record_file, trace
from engine.training.spec import TrainSpec
from engine.value import Value

__all__ = [
    "MLP",
    "Layer",
    "Module",
    "Neuron",
    "TrainSpec",
    "Value",
    "__version__",
    "record",
    "record_file",
    "trace",
    "train",
]


class _Interface(ModuleType):
    """This package: its attribute `trace` stays the function when `seegrad.trace` is imported.

    The import system binds a submodule in its parent after running it. `import seegrad.trace`
    somewhere would otherwise change the meaning of `from seegrad import trace` everywhere.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "trace" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Interface
