"""The words that programs use: Python's own and those of the stand-ins."""

from __future__ import annotations

import builtins
import importlib
from functools import lru_cache
from typing import Any

from engine.record.follow import UNTYPED
from engine.record.recorder import Recorder
from engine.record.source import Limits, Source

from .implicit import CLASSES
from .library import Missing
from .names import LIBRARIES
from .tables import KINDS, MODULES

__all__ = [
    "CLASSES",
    "EXCEPTIONS",
    "LIBRARIES",
    "functions",
    "members",
    "modules",
    "special",
    "types",
]
EXCEPTIONS: dict[str, type] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}
_PYTHON = (
    "math", "random", "collections", "itertools", "functools", "dataclasses", "typing", "abc",
    "enum", "copy", "time", "operator", "statistics", "string", "io", "datetime", "heapq", "bisect",
    "json", "re", "sys", "os", "textwrap", "pprint", "contextlib", "decimal", "fractions",
)  # fmt: skip
"""Modules of Python's that learners import."""


def functions() -> list[str]:
    """Python's built-in functions."""
    return sorted(
        name
        for name, x in vars(builtins).items()
        if callable(x) and not isinstance(x, type) and not name.startswith("_")
    )


def special() -> list[str]:
    """The special methods by which objects of a program take part in Python's operations."""
    kinds = (object, int, float, list, dict, str)
    found = {name for kind in kinds for name in dir(kind) if callable(getattr(kind, name))}
    named = {"__call__", "__enter__", "__exit__", "__next__", "__post_init__", "__matmul__"}
    return sorted(named | {name for name in found if name.startswith("__")})


def types() -> list[str]:
    """Python's built-in types, without its exceptions."""
    return sorted(
        name
        for name, x in vars(builtins).items()
        if isinstance(x, type) and name not in EXCEPTIONS and not name.startswith("_")
    )


@lru_cache(1)
def _stand_ins() -> dict[str, list[str]]:
    m = Recorder(Source("pass", Limits()), Limits(), {})
    return {
        dotted: sorted(
            name
            for name, x in MODULES[dotted](m).items()
            if not name.startswith("_") and not isinstance(x, Missing)
        )
        for dotted in MODULES
    }


def modules() -> dict[str, list[str]]:
    """The names in each module, by dotted name; a module that does nothing has none."""
    own = {
        dotted: sorted(x for x in dir(importlib.import_module(dotted)) if not x.startswith("_"))
        for dotted in _PYTHON
    }
    found = own | _stand_ins()
    return {dotted: found[dotted] for dotted in sorted(found, key=str.lower)}


def members() -> dict[str, tuple[type, list[str]]]:
    """What a dot may reach, by the name of a type as programs write it; and that type.

    Types in modules go by their dotted name. A number has what it has while it is followed as well.
    """
    found: dict[str, tuple[type, list[str]]] = {}
    for kind in (str, list, dict, set, tuple, float, int):
        found[kind.__name__] = kind, [name for name in dir(kind) if not name.startswith("_")]
    seen: set[type] = set()  # of several kinds of a type, the first holds
    for entry in KINDS:
        names = {name for name in {*entry.attributes, *entry.methods} if not name.startswith("_")}
        for one in entry.types if isinstance(entry.types, tuple) else (entry.types,):
            if one in seen:
                continue
            seen.add(one)
            plain = UNTYPED.get(one, one)
            first, known = found.get(_written(plain), (plain, []))
            if (names or known) and first is plain:
                found[_written(plain)] = first, sorted({*known, *names})
    return found


def _written(kind: Any) -> str:
    """The name of a type as programs write it."""
    own = next((name for name, one in CLASSES.items() if one is kind), None)
    if own or kind.__module__ == "builtins":
        return own or str(kind.__name__)
    return f"{kind.__module__}.{kind.__name__}"
