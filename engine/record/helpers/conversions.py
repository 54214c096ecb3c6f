"""`type(x)`, `float(x)`, `int(x)`, and what lists variables."""

from __future__ import annotations

import ast
from sys import _getframe
from typing import Any

from engine.record.follow import FOLLOWED, UNTYPED, TapedFloat, TapedInt, is_a, plain, retyped
from engine.record.objects import is_object
from engine.record.places import own_frame
from engine.record.rewrite import CALL, PREFIX
from engine.value import Value

from .operations import Helper


def convert(m: Any, node: ast.Call) -> Helper:
    """`type(x)`, `float(x)`, `int(x)`; `locals()`, `vars()`, `dir()` without the helpers' own."""

    def called(function: Any, /, *args: Any) -> Any:
        if not args:
            return _without_helpers(function) if callable(function) else function()
        (x,) = args
        if function is type:
            return UNTYPED.get(type(x), type(x))
        if function is float:
            m.node = node
            return _float(m, x)
        if function is int:
            m.node = node
            return _int(m, x)
        return m.stand_ins.call(function, args, {})

    return called


def _float(m: Any, x: Any) -> Any:
    """`float(x)`: followed as before where it changes nothing."""
    kind = type(x)
    if kind is TapedFloat or kind is float:
        return x
    if kind in FOLLOWED:
        return m.own.connected(float(x), (x,)) if kind is TapedInt else retyped(x, TapedFloat)
    if is_a(x, Value):
        return float(x.data)
    method = getattr(kind, "__float__", None) if is_object(x) else None
    found = method(x) if method is not None else None
    if found is not None and is_a(found, float):
        return retyped(found, TapedFloat) if type(found) in FOLLOWED else float(found)
    return float(x)


def _int(m: Any, x: Any) -> Any:
    if is_a(x, Value):
        return int(x.data)
    if is_object(x) and not is_a(x, int | float | str):
        method = getattr(type(x), "__int__", None)
        found = method(x) if method is not None else None
        return found if type(found) in (int, TapedInt) else int(x)
    return m.own.connected(int(plain(x)), (x,)) if type(x) in FOLLOWED else int(x)


def _without_helpers(function: Any) -> Any:
    """The variables of the program's frame, as `locals`, `vars` or `dir` give them."""
    frame = own_frame(_getframe(2))
    if frame is None or function not in (locals, vars, dir):
        return function()
    found = {name: x for name, x in frame.f_locals.items() if not name.startswith((CALL, PREFIX))}
    if frame.f_locals is frame.f_globals and function is not dir:
        return frame.f_globals
    return sorted(found) if function is dir else found
