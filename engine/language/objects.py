"""How a run's objects are read for its record, without running code of the program."""

from __future__ import annotations

import contextlib
from types import MemberDescriptorType
from typing import Any

from . import own
from .classes import RESERVED, Thing
from .origins import Number
from .own import gradients_of, number_of, op_text
from .plain import FOLLOWED

PLAIN = FOLLOWED | {Number}
"""The types of plain numbers that are followed, or drawn."""

__all__ = [
    "FOLLOWED", "PLAIN", "attributes_of", "gradients_of", "is_object", "name_of", "number_of",
    "op_text",
]  # fmt: skip


def is_object(x: Any) -> bool:
    """Whether `x` is an object of a class of the program."""
    return isinstance(x, Thing)


def name_of(o: Any) -> str | None:
    """The variable or the path that leads to an object."""
    return own.name_of(o) if isinstance(o, Thing) else None


def attributes_of(o: Any) -> dict[str, Any]:
    """The attributes that an object holds itself, without running code of the program."""
    found: dict[str, Any] = {}
    for base in type(o).__mro__:
        for name, member in vars(base).items():
            if type(member) is MemberDescriptorType and not name.startswith(RESERVED):
                try:
                    found[name] = member.__get__(o)
                except AttributeError:
                    continue
    with contextlib.suppress(AttributeError):
        found.update(object.__getattribute__(o, "__dict__"))
    return found
