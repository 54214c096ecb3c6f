"""The words of the language, from its tables: for a reference, and for generators of programs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .builtins import EXCEPTIONS, NAMES, REFUSED, Builtins
from .classes import SPECIAL
from .implicit import CLASSES
from .library import Missing
from .machine import Machine
from .modules import MODULES
from .source import Limits, Source

__all__ = ["CLASSES", "EXCEPTIONS", "REFUSED", "SPECIAL", "functions", "modules", "types"]


@lru_cache(1)
def _machine() -> Machine:
    return Machine(Source("pass", Limits()), Limits(), {})


def _built_in() -> dict[str, Any]:
    left_out = {*EXCEPTIONS, *REFUSED, "complex", "__debug__"}
    table = Builtins(_machine())
    return {name: table[name] for name in NAMES if name not in left_out}


def functions() -> list[str]:
    """The built-in functions of Python's that programs can call."""
    return sorted(
        name for name, x in _built_in().items() if callable(x) and not isinstance(x, type)
    )


def types() -> list[str]:
    """The built-in types of Python's."""
    return sorted(name for name, x in _built_in().items() if isinstance(x, type))


def modules() -> dict[str, list[str]]:
    """The names in each module, by dotted name; a module that does nothing has none."""
    return {
        dotted: sorted(
            name
            for name, x in MODULES[dotted](_machine()).items()
            if not name.startswith("_") and not isinstance(x, Missing)
        )
        for dotted in sorted(MODULES, key=str.lower)
    }
