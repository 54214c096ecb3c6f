"""The bases of a program's class."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from engine.nn import MLP, Layer, Module, Neuron
from engine.value import Value

from .classes import ProgramType, Thing
from .library import Missing
from .machine import Machine
from .members import check_lineage
from .refusal import Refused

NATIVE_BASES: tuple[type, ...] = (
    object, Thing, int, float, str, list, dict, tuple, set, Value, Module, Neuron, Layer, MLP,
)  # fmt: skip
"""Classes of ours and of Python's that a program may derive from, beside exceptions."""


def bases_of(m: Machine, given: Sequence[Any], node: ast.ClassDef) -> tuple[type, ...]:
    """The bases written in a class definition. Raises Refused for one outside of the language."""
    found: list[type] = []
    for base in given:
        if isinstance(base, Missing):
            base.refuse()
        elif isinstance(base, ProgramType) or _is_native(base):
            found.append(base)
        elif isinstance(base, type):
            message = f"A class cannot derive from {base.__name__} here."
            raise Refused(node, message, "Hold one in an attribute instead.")
        else:
            m.node = node
            raise TypeError(f"{type(base).__name__}() takes no bases")
    check_lineage(m, found)
    return tuple(found)


def _is_native(base: Any) -> bool:
    return isinstance(base, type) and (
        base in NATIVE_BASES or (issubclass(base, Exception) and base.__module__ == "builtins")
    )
