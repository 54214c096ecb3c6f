"""Imports: what each module is here, and calls into modules that are not here.

A module that the tables know is a `Library`. Any other module may be imported, since many programs
never use what they import; a name taken from it is refused where it is used, unless it is one of
SHARED, such as `Value`, which is then the built-in one. Nothing is ever loaded.
"""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any

from .functions import BUILTINS
from .names import CONSTANTS, MODULES, manner, op_of
from .objects import DRAWING, Imported, Library, written
from .random_numbers import RANDOM
from .tape import Refused

if TYPE_CHECKING:
    from .expressions import Expressions

SHARED = frozenset({"Value", "Neuron", "Layer", "MLP", "Module"})
"""Names of micrograd that mean the built-in ones, whatever module they are taken from."""
DRAWS = frozenset({"draw_dot", "draw_graph", "draw"})
"""Functions of the lectures that draw the Value that they are given."""
DRAWING_ROOTS = frozenset(
    {"matplotlib", "pylab", "graphviz", "IPython", "seaborn", "plotly", "mpl_toolkits"}
)
NO_EFFECT = frozenset({
    "warnings.filterwarnings", "warnings.simplefilter", "sys.setrecursionlimit", "sys.path.append",
    "sys.path.insert", "sys.stdout.flush", "pdb.set_trace", "time.sleep", "importlib.reload",
    "gc.collect", "logging.basicConfig", "nest_asyncio.apply", "pandas.set_option",
})  # fmt: skip
"""Calls that change nothing in a program's numbers."""
CLOCKS = frozenset({"time.time", "time.perf_counter", "time.monotonic", "time.process_time"})
PROGRESS_BARS = frozenset({"tqdm.tqdm", "tqdm.notebook.tqdm", "tqdm.auto.tqdm"})
OUTSIDE = frozenset({
    "asyncio", "builtins", "ctypes", "glob", "http", "importlib", "inspect", "io", "json",
    "multiprocessing", "os", "pandas", "pathlib", "pickle", "requests", "shutil", "signal",
    "socket", "subprocess", "sys", "tempfile", "threading", "urllib",
})  # fmt: skip
"""Modules for files, processes, the network or the interpreter."""


def import_module(run: Expressions, alias: ast.alias) -> None:
    """`import a.b as c`."""
    root = alias.name.partition(".")[0]
    name = alias.asname or root
    if alias.name in MODULES:
        _bind(run, name, Library(MODULES.get(name, MODULES[alias.name])))
        if root == "micrograd":
            run.network = {"convention": "micrograd"}
    elif root in DRAWING_ROOTS:
        _bind(run, name, DRAWING)
    else:
        _bind_missing(run, name, alias.name if alias.asname else root)


def import_name(run: Expressions, node: ast.ImportFrom, alias: ast.alias) -> None:
    """`from a.b import c as d`."""
    module = "." * node.level + (node.module or "")
    library = MODULES.get(module)
    if module.partition(".")[0] == "micrograd":
        run.network = {"convention": "micrograd"}
    if library is None:
        _from_elsewhere(run, module, alias, node)
    elif library == "drawing":
        _bind(run, alias.asname or alias.name, DRAWING)
    elif library != "nothing":
        _from_library(run, module, library, alias, node)


def _from_library(
    run: Expressions, module: str, library: str, alias: ast.alias, node: ast.AST
) -> None:
    name = alias.asname or alias.name
    if alias.name == "*":
        return
    if f"{module}.{alias.name}" in MODULES:
        _bind(run, name, Library(MODULES[f"{module}.{alias.name}"]))
    elif library == "math" and alias.name in CONSTANTS:
        _bind(run, name, CONSTANTS[alias.name])
    elif alias.name in BUILTINS or op_of(alias.name):
        _built_in(run, name, alias.name)
    elif library == "random" and alias.name in RANDOM:
        _bind(run, name, Imported(alias.name, library))
    elif library == "math" and not hasattr(math, alias.name):
        hint = "Remove it from the import."
        raise Refused(node, f"{module} has no {alias.name[:40]}.", hint)
    else:
        _bind_missing(run, name, f"{module}.{alias.name}")


def _from_elsewhere(run: Expressions, module: str, alias: ast.alias, node: ast.AST) -> None:
    name = alias.asname or alias.name
    if module.partition(".")[0] in DRAWING_ROOTS:
        _bind(run, name, DRAWING)
    elif alias.name in SHARED:
        if alias.name in BUILTINS:
            _built_in(run, name, alias.name)
        run.note(node, shared(run, alias.name, module))
    elif alias.name != "*" and alias.name not in DRAWS:
        _bind_missing(run, name, f"{module}.{alias.name}")


def shared(run: Expressions, name: str, module: str) -> str:
    """That `name` of `module` is the built-in one, and how its neurons compute."""
    how = f", {manner(run.network)}" if name in ("Neuron", "Layer", "MLP") else ""
    return f"{name} comes from {module[:40]} here: the built-in one is used{how}."


def _built_in(run: Expressions, name: str, meant: str) -> None:
    """Let `name` mean the built-in `meant`; the program's own thing of that name is forgotten."""
    _bind(run, name, Imported(meant, ""))
    if name == meant:
        del run.env.names[name]


def _bind(run: Expressions, name: str, value: Any) -> None:
    run.missing.pop(name, None)
    run.env.names[name] = value


def _bind_missing(run: Expressions, name: str, path: str) -> None:
    run.env.names.pop(name, None)
    run.missing[name] = path


def path_of(run: Expressions, node: ast.expr) -> str:
    """The dotted path of a name or attribute in a module that is not here; else empty."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in run.missing or run.holds(node.id):
        return ""
    return ".".join((run.missing[node.id], *reversed(attributes)))


def refused(path: str, node: ast.expr) -> Refused:
    """The refusal of what `path` names, at the place where it is used."""
    name = written(node.func if isinstance(node, ast.Call) else node)
    shown = name if name == path else f"{name} ({path[:60]})"
    if path.partition(".")[0] in OUTSIDE:
        message = f"{shown} is not here: a program reaches no files, processes or network."
        return Refused(node, message, "Remove the line.")
    return Refused(node, f"{shown} is not here.", "Paste its definition into the program.")
