"""Names of modules: those of the tables, the built-ins under other modules' names, and all others.

A name that is not here is `Missing`, and refused where it is used, since many programs never use
what they import.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FunctionType
from typing import Any, NoReturn

from engine.nn import CONVENTIONS, LINEAR
from engine.value import topological_order

from .contract import Machine
from .implicit import CLASSES
from .library import LibraryModule, Missing
from .quiet import Quiet
from .tables import FOLLOWING, MODULES

NETWORKS = frozenset({"Neuron", "Layer", "MLP"})
DRAWS = frozenset({"draw_dot", "draw_graph", "draw", "visualize", "plot_graph", "show_graph"})
"""Functions of the lectures that draw the Value that they are given."""
_SHARED = {**CLASSES, "trace": None, **dict.fromkeys(DRAWS)}
"""Names that mean the built-in ones, whatever module they are taken from."""
MICROGRAD = ("micrograd", "micrograd.engine", "micrograd.nn")
_OUTSIDE = frozenset({"pandas", "requests"}) | sys.stdlib_module_names
"""Modules for files, processes, the network or the interpreter: those of Python's that fail."""


def _is_own(m: Machine, name: str) -> bool:
    """Whether the program itself has defined a class or function of this name."""
    held = m.globals.get(name)
    return isinstance(held, type | FunctionType) and held.__module__ == "__main__"


def of_library(m: Machine, owner: LibraryModule, name: str) -> Any:
    """A name that the table of a module has not: another module, or what CPython has there."""
    inner = library(m, f"{owner.name}.{name}")
    if isinstance(inner, LibraryModule):
        return inner
    if owner.name in FOLLOWING:
        raise AttributeError(f"module {owner.name!r} has no attribute {name!r}")
    return _missing(m, f"{owner.name}.{name}")


def of_missing(m: Machine, path: str, name: str) -> Any:
    """`name` of a module that is not here.

    The program's own class or function of that name, if it stands above, as where several files are
    pasted one after the other; else a built-in one with a note, else Missing.
    """
    if _is_own(m, name):
        return m.globals[name]
    if name in CLASSES:
        m.note(_shared(m, name, path))
        return CLASSES[name]
    if name in _SHARED:
        return drawer(m, name)
    return _missing(m, f"{path}.{name}")


def _missing(m: Machine, path: str) -> Missing:
    """What `path` names, which is refused where it is used."""

    def refuse() -> NoReturn:
        if path.partition(".")[0] in MODULES:
            m.refuse(f"{path[:60]} is not here.", "The reference lists the names that are.")
        raise not_found(path)

    return Missing(path, refuse, lambda name: of_missing(m, path, name))


def not_found(path: str) -> ImportError:
    """Python's exception for the import of what `path` names, with a `hint`."""
    root = path.partition(".")[0]
    if root:
        error: ImportError = ModuleNotFoundError(f"No module named {root!r}", name=root)
    else:
        error = ImportError("attempted relative import with no known parent package")
    shown = path.lstrip(".")[:60] or "It"
    if root in _OUTSIDE:
        hint = f"{shown} is not here: a program reaches no files, processes or network."
    else:
        hint = f"{shown} is not here: paste its definition into the program."
    vars(error)["hint"] = hint
    return error


def library(m: Machine, dotted: str) -> Any:
    """The module of a dotted name, the same one at every import in a run."""
    names = m.natives.modules
    if dotted not in names:
        if dotted in MICROGRAD or dotted == "seegrad":
            drawers = {name: drawer(m, name) for name in ("draw_dot", "trace")}
            own = m.natives.micrograd if dotted in MICROGRAD else None
            names[dotted] = LibraryModule(dotted, {**CLASSES, **(own or {}), **drawers})
        elif dotted in MODULES:
            names[dotted] = LibraryModule(dotted, MODULES[dotted](m))
        else:
            return _missing(m, dotted)
    return names[dotted]


def follow_convention(m: Machine, dotted: str) -> None:
    """The networks of `micrograd` are micrograd's: relu, linear last layer, zero bias."""
    if dotted.partition(".")[0] == "micrograd":
        m.network, m.follows_micrograd = {"convention": "micrograd"}, True


def drawer(m: Any, name: str) -> Any:
    """`draw_dot` and `trace` of another module: the picture is drawn anyway."""

    def draw_dot(*args: Any, **kwargs: Any) -> Quiet:
        return Quiet("drawing")

    def trace(root: Any) -> tuple[set[Any], set[Any]]:
        """The Values of a graph, and its edges from arg to result."""
        order = topological_order(m.tape.lift(root))
        return set(order), {(arg, value) for value in order for arg in value.args}

    return trace if name == "trace" else draw_dot


def _shared(m: Machine, name: str, module: str) -> str:
    how = f", {manner(m.network)}" if name in NETWORKS else ""
    return f"{name} comes from {module[:40]} here: the built-in one is used{how}."


def manner(network: Mapping[str, Any]) -> str:
    """What the built-in neurons of a program do: "with tanh, …"."""
    usual = CONVENTIONS[network.get("convention", "lecture")]
    activation = network.get("activation", usual.activation)
    shown = "no activation" if activation == LINEAR else activation
    if activation != LINEAR and usual.output_activation == LINEAR:
        shown += " except in the last layer"
    uniform = "from random.uniform(-1, 1)"
    if network.get("bias", usual.bias) == "zero":
        return f"with {shown}, weights {uniform} and biases of 0"
    return f"with {shown}, and weights and biases {uniform}"
