"""The words of the language, from its tables: for a reference, and for generators of programs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.record.source import Limits, Source

from .builtins import EXCEPTIONS, NAMES, REFUSED, Builtins
from .classes import SPECIAL
from .implicit import CLASSES
from .kinds import KINDS
from .library import Missing
from .machine import Machine
from .modules import MODULES
from .names import LIBRARIES
from .plain import UNTYPED

__all__ = [
    "CLASSES", "EXCEPTIONS", "LIBRARIES", "REFUSED", "SPECIAL", "functions", "members",
    "modules", "types",
]  # fmt: skip


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


def members() -> dict[str, tuple[type, list[str]]]:
    """What a dot may reach, by the name of a type as programs write it; and that type.

    Types in modules go by their dotted name, those of Python's collections by their own. A number
    has what it has while the picture follows it as well.
    """
    found: dict[str, tuple[type, list[str]]] = {}
    seen: set[type] = set()  # of several kinds of a type, the first holds
    for kind in KINDS:
        names = {name for name in {*kind.attributes, *kind.methods} if not name.startswith("_")}
        for one in kind.types if isinstance(kind.types, tuple) else (kind.types,):
            if one in seen:
                continue
            seen.add(one)
            plain = UNTYPED.get(one, one)
            first, known = found.get(_written(plain), (plain, []))
            if (names or known) and first is plain:
                found[_written(plain)] = first, sorted({*known, *names})
    return found


def _written(kind: type) -> str:
    """The name of a type as programs write it."""
    own = next((name for name, one in CLASSES.items() if one is kind), None)
    if own or kind.__module__ in ("builtins", "collections"):
        return own or kind.__name__
    return f"{kind.__module__}.{kind.__name__}"
