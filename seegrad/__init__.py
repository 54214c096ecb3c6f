"""The public interface of Seegrad.

    import seegrad
    seegrad.show(loss)

`Value`, `Neuron`, `Layer` and `MLP` are drop-in replacements of micrograd's; `show(x)` draws the
graph of a Value of theirs, of micrograd or of the caller's own class; `trace(text)` is the
trace of a program that runs in a sandbox, `record(text)` and `record_file(path)` of one that runs
in the caller's own Python; `with record() as run:` records what PyTorch does,
`jax(f)(…)` a function of JAX;
`train(TrainSpec(...))` yields the states of a training run.

Each name is imported when it is first used: until then, `import seegrad` costs next to nothing. The
sandbox needs `wasmtime`, pictures need the packages of the extra `show`, all else the standard
library alone. The command `seegrad`, or `python -m seegrad`, starts the server; `python -m seegrad
run`, `seegrad.trace` and `seegrad.training` are commands, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

from engine import __version__

if TYPE_CHECKING:
    from engine.nn import MLP, Layer, Module, Neuron
    from engine.runs.run import train
    from engine.trace import record_file, trace
    from engine.training.spec import TrainSpec
    from engine.value import Value
    from seegrad.notebook.recording import jax
    from seegrad.notebook.recording import recorded_or_traced as record
    from seegrad.notebook.showing import load, show

__all__ = [
    "MLP",
    "Layer",
    "Module",
    "Neuron",
    "TrainSpec",
    "Value",
    "__version__",
    "jax",
    "load",
    "record",
    "record_file",
    "show",
    "trace",
    "train",
]


def _values() -> Mapping[str, Any]:
    from engine.value import Value

    return {"Value": Value}


def _networks() -> Mapping[str, Any]:
    from engine.nn import MLP, Layer, Module, Neuron

    return {"MLP": MLP, "Layer": Layer, "Module": Module, "Neuron": Neuron}


def _traces() -> Mapping[str, Any]:
    from engine.trace import record_file, trace

    return {"record_file": record_file, "trace": trace}


def _recordings() -> Mapping[str, Any]:
    from seegrad.notebook.recording import jax, recorded_or_traced

    return {"jax": jax, "record": recorded_or_traced}


def _training() -> Mapping[str, Any]:
    from engine.runs.run import train
    from engine.training.spec import TrainSpec

    return {"TrainSpec": TrainSpec, "train": train}


def _showing() -> Mapping[str, Any]:
    from seegrad.notebook.showing import load, show

    return {"load": load, "show": show}


_SOURCES: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "MLP": _networks,
    "Layer": _networks,
    "Module": _networks,
    "Neuron": _networks,
    "TrainSpec": _training,
    "Value": _values,
    "jax": _recordings,
    "load": _showing,
    "record": _recordings,
    "record_file": _traces,
    "show": _showing,
    "trace": _traces,
    "train": _training,
}
"""Where each public name comes from."""


def __getattr__(name: str) -> Any:
    """A public name at its first use."""
    if name not in _SOURCES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = _SOURCES[name]()
    globals().update(found)
    return found[name]


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext seegrad` runs: from then on there is `%%seegrad`."""
    from seegrad.notebook.magic import register

    register(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Interface(ModuleType):
    """This package: its attribute `trace` stays the function when `seegrad.trace` is imported.

    The import system binds a submodule in its parent after running it. `import seegrad.trace`
    somewhere would otherwise change the meaning of `from seegrad import trace` everywhere.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "trace" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Interface
