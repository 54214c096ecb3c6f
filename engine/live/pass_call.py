"""How a backward pass is called: a method of the class, or a function beside it."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, signature
from types import FrameType, FunctionType
from typing import Any, NamedTuple

from engine.live.attributes import number
from engine.record.attribute_names import BACKWARD


class PassCall(NamedTuple):
    """A call that runs a pass: the name, the plain numbers after the result, and the function where
    it is no method."""

    name: str
    arguments: tuple[float, ...] = ()
    function: FunctionType | None = None


def of_class(kind: type, variables: Mapping[str, Any]) -> PassCall | None:
    """The pass of a class, else a function among the variables; None if there is neither."""
    name = next((x for x in dir(kind) if x in BACKWARD), "")
    if name and (found := _called(name, getattr(kind, name), None)) is not None:
        return found
    for name, held in variables.items():
        if name in BACKWARD and isinstance(held, FunctionType):
            return _called(name, held, held)
    return None


def _called(name: str, called: Any, function: FunctionType | None) -> PassCall | None:
    """A call with 1.0 for the gradient of the result, where that must be given."""
    try:
        params = [*signature(called).parameters.values()][1:]
    except (TypeError, ValueError):
        params = []
    kinds = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    needed = [p for p in params if p.default is p.empty and p.kind not in kinds]
    return None if len(needed) > 1 else PassCall(name, (1.0,) * len(needed), function)


def of_frame(frame: FrameType, root: object) -> PassCall:
    """The call that a frame is of: with the plain numbers that it was given."""
    code = frame.f_code
    numbers = []
    for name in code.co_varnames[1 : code.co_argcount]:
        x = number(frame.f_locals.get(name))
        if x is None:
            break
        numbers.append(x)
    held = frame.f_globals.get(code.co_name)
    is_method = hasattr(type(root), code.co_name)
    function = held if isinstance(held, FunctionType) and not is_method else None
    return PassCall(code.co_name, tuple(numbers), function)
