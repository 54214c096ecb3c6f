"""The bases of a program's class."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.nn import MLP, Layer, Module, Neuron
from engine.value import Value

from .classes import Metaclass, ProgramType, Thing
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
    """The bases of a class, and the keywords that its `__init_subclass__` takes."""

    bases: tuple[type, ...]
    keywords: Mapping[str, Any]


def bases_of(
    m: Machine, given: Sequence[Any], keywords: Mapping[str, Any], node: ast.ClassDef
) -> Bases:
    """The bases written in a class definition. Raises Refused for one outside of the language."""
    found: list[type] = []
    for base in given:
        if isinstance(base, Missing):
            base.refuse()
        elif isinstance(base, ProgramType) or _is_native(base):
            found.append(base)
        elif (derived := _stand_in(m, base)) is not None:
            found.append(derived)
        elif isinstance(base, type):
            message = f"A class cannot derive from {base.__name__} here."
            raise Refused(node, message, "Hold one in an attribute instead.")
        else:
            m.node = node
            raise TypeError(f"{type(base).__name__}() takes no bases")
    if "metaclass" in keywords:
        found += _bases_of_metaclass(keywords["metaclass"], found, node)
    check_lineage(m, found)
    _check_layout(m, found)
    return Bases(tuple(found), _passed_on(m, found, keywords))


def _stand_in(m: Machine, base: Any) -> ProgramType | None:
    """The class in place of a name such as `collections.abc.Sequence`."""
    made = getattr(type(base), "seegrad_base", None)
    return None if made is None or isinstance(type(base), ProgramType) else made(base, m)


_WITH_LAYOUT = tuple(base for base in NATIVE_BASES if base not in (object, Thing))


def _check_layout(m: Machine, found: Sequence[type]) -> None:
    """Refuse a class of the program beside a base with a layout of its own: no slots fit both."""
    own = [base for base in found if issubclass(base, Thing) and base is not Thing]
    other = [base for base in found if issubclass(base, (*_WITH_LAYOUT, BaseException))]
    if own and other:
        shown = f"A class cannot derive from {own[0].__name__} and {other[0].__name__} here."
        m.refuse(shown, "Write the methods of one of them in the class itself.")


def _bases_of_metaclass(metaclass: Any, found: Sequence[type], node: ast.ClassDef) -> list[type]:
    """The base that stands for a metaclass. Raises Refused for one of the program."""
    if metaclass is type:
        return []
    if not isinstance(metaclass, Metaclass):
        place = next(keyword for keyword in node.keywords if keyword.arg == "metaclass")
        raise Refused(place, "Metaclasses are not part of this language.", "Leave it out.")
    return [] if any(issubclass(base, metaclass.base) for base in found) else [metaclass.base]


def _passed_on(m: Machine, found: Sequence[type], keywords: Mapping[str, Any]) -> Mapping[str, Any]:
    """The keywords for `__init_subclass__`: those that a base of ours takes itself are left out."""
    taken = {"metaclass"}.union(*(getattr(base, "_seegrad_options", ()) for base in found))
    m.spend(2 * len(keywords))
    return {name: value for name, value in keywords.items() if name not in taken}


def _is_native(base: Any) -> bool:
    return isinstance(base, type) and (
        base in NATIVE_BASES or (issubclass(base, Exception) and base.__module__ == "builtins")
    )
