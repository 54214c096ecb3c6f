"""Kinds of callables and wrappers that calls and assignments tell apart."""

from __future__ import annotations

from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodWrapperType, WrapperDescriptorType

from .classes import ProgramType

NAMELESS = frozenset({bool, str, type(None), tuple, dict, set, FunctionType, range, ProgramType})
"""Types of objects that assignments do not name."""
WRAPPERS = frozenset({property, staticmethod, classmethod, super})
CALLABLE = frozenset({
    BuiltinFunctionType, partial, MethodWrapperType, WrapperDescriptorType, staticmethod,
})  # fmt: skip
"""Types of callables that come from the tables, or from reading special methods."""


def definer(kind: type, name: str) -> type | None:
    """The class that defines `name` for objects of the type `kind`."""
    return next((base for base in kind.__mro__ if name in base.__dict__), None)
