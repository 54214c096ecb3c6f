"""Names that mean something without an import, and names that modules do not have here."""

from __future__ import annotations

import ast
from typing import Any

from .implicit import CLASSES
from .imports import DRAWS, drawer, library, of_library, of_missing
from .kinds_of_values import op_of, operation
from .library import Library, Missing

LIBRARIES = {
    "math": "math", "random": "random", "np": "numpy", "numpy": "numpy", "torch": "torch",
    "nn": "torch.nn", "F": "torch.nn.functional", "plt": "matplotlib.pyplot",
    "matplotlib": "matplotlib", "graphviz": "graphviz", "micrograd": "micrograd",
}  # fmt: skip
"""The modules that are known without an import, by the names people give them."""
UNKNOWN = object()


def implicit(m: Any, name: str) -> Any:
    """A name that no line of the program has set; UNKNOWN if it has no meaning."""
    if name in CLASSES:
        return CLASSES[name]
    if name == "__name__":
        return "__main__"
    if name == "__doc__":
        return ast.get_docstring(m.source.tree, clean=False)
    if name in LIBRARIES:
        return library(m, LIBRARIES[name])
    if name == "get_ipython" and "NameError" not in m.source.text:
        return library(m, "IPython").names[name]  # as nbconvert writes a notebook's commands
    if name == "trace" or name in DRAWS:
        return drawer(m, name)
    if op_of(name):
        method = operation(name)
        return lambda *args, **keywords: method(m, *args, **keywords)
    return UNKNOWN


def beyond(m: Any, owner: Library | Missing, name: str) -> Any:
    """A name that a module does not have here. Raises AttributeError if CPython has none either."""
    if isinstance(owner, Missing):
        return of_missing(m, owner.path, name)
    return of_library(m, owner, name)
