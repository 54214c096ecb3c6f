"""The bases of a program's class, and classes that are made in a way of their own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Bases:
    """The bases; `make`, if given, makes the class from a machine, name and namespace."""

    bases: tuple[type, ...]
    make: Callable[[Machine, str, dict[str, Any]], Any] | None = None


class ClassMaker:
    """A base that is no class: deriving from it calls `make` with the names of the body.

    A maker without `make`, such as ABC, Generic or Protocol, adds nothing.
    """

    def __init__(
        self, name: str, make: Callable[[Machine, str, dict[str, Any]], Any] | None = None
    ) -> None:
        self.name, self.make = name, make


def bases_of(
    m: Machine, given: Sequence[Any], keywords: Mapping[str, Any], node: ast.ClassDef
) -> Bases:
    """The bases written in a class definition. Raises Refused for those that are not to be had."""
    for name, value in keywords.items():
        if name != "metaclass" or not isinstance(value, ClassMaker):
            raise Refused(node, "Metaclasses are not part of this language.", "Leave it out.")
    found: list[type] = []
    make = None
    for base in given:
        if isinstance(base, Missing):
            base.refuse()
        elif isinstance(base, ClassMaker):
            make = base.make or make
        elif isinstance(base, ProgramType) or _is_native(base):
            found.append(base)
        elif isinstance(base, type):
            message = f"A class cannot derive from {base.__name__} here."
            raise Refused(node, message, "Hold one in an attribute instead.")
        else:
            m.node = node
            raise TypeError(f"{type(base).__name__}() takes no bases")
    check_lineage(m, found)
    return Bases(tuple(found), make)


def _is_native(base: Any) -> bool:
    return isinstance(base, type) and (
        base in NATIVE_BASES or (issubclass(base, Exception) and base.__module__ == "builtins")
    )
