"""Calls: of the program's functions, which are entered and left, and of what may be watched."""

from __future__ import annotations

import ast
from collections.abc import Callable
from sys import _getframe
from types import MethodType
from typing import Any

from engine.named_ops import METHODS
from engine.record.entered import Entered, Function
from engine.record.objects import is_object
from engine.record.places import FILENAME, own_frame

from .operations import Helper

_tuple = tuple.__new__
_INITS = frozenset({"__init__", "__post_init__", "__new__"})


def enter(m: Any, site: ast.AST, name: str, node: Any) -> Helper:
    """The beginning of a call of the function that `node` defines."""
    params = tuple(arg.arg for arg in (*node.args.posonlyargs, *node.args.args))
    params += tuple(arg.arg for arg in node.args.kwonlyargs)
    function = Function(
        name,
        node,
        params,
        is_pass=name in ("__call__", "forward"),
        is_operation=isinstance(node, ast.FunctionDef) and name.strip("_") in METHODS,
        is_init=name in _INITS,
    )
    if m.witness is not None:
        return _enter_watched(m, function)
    tape, frame_of, own = m.tape, _getframe, FILENAME

    def begin(first: Any) -> Any:
        frame: Any = frame_of(2)
        code = frame.f_code
        if code.co_filename is not own:
            frame = own_frame(frame) or frame_of(1)
            code = frame.f_code
        m.scope = m.entered = call = (
            "function", function, m.scope, first, code, frame.f_lasti, m.entered,
        )  # fmt: skip
        if tape.made > m.most:
            m.stop_recording(node)
        return call

    return begin


def _enter_watched(m: Any, function: Function) -> Helper:
    """The beginning of a call in a run that is judged."""

    watches = m.watches

    def begin(first: Any) -> Any:
        frame: Any = _getframe(1)
        caller = own_frame(frame.f_back) or frame
        m.serial += 1
        parts = (
            "function", function, m.scope, first, caller.f_code, caller.f_lasti, m.entered, [frame],
            m.serial,
        )  # fmt: skip
        m.scope = m.entered = call = _tuple(Entered, parts)
        if m.tape.made > m.most:
            m.stop_recording(function.node)
        if watches:
            m.witness.entered(call)
        return call

    return begin


def _left(m: Any) -> Callable[[Any], None]:
    def end(call: Any) -> None:
        m.scope = call[2]
        m.entered = call[6]

    def watched(call: Any) -> None:
        end(call)
        if m.watches:
            m.witness.ended(call)
        call[7].clear()

    return end if m.witness is None else watched


def leave(m: Any, site: ast.AST) -> Helper:
    """The end of a call."""
    return _left(m)


def leave_with(m: Any, site: ast.AST) -> Helper:
    """The end of a call of a lambda, with its result."""
    end = _left(m)

    def result(call: Any, value: Any) -> Any:
        end(call)
        return value

    return result


def result(m: Any, node: ast.Return) -> Helper:
    """What a function returns."""
    last = node if node.value is not None else m.source.parents.get(node, node)

    def told(call: Any, value: Any) -> Any:
        if m.watches:
            m.witness.result(call, value, last)
        return value

    return told


def mark(m: Any, node: ast.stmt) -> Helper:
    """A statement by which a function may end."""

    def ran(call: Any) -> None:
        if m.watches:
            m.witness.ran(call, node)

    return ran


def call(m: Any, node: ast.AST) -> Helper:
    """A call of what may be of a stand-in or a built-in class."""
    direct = m.direct

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        m.node = node
        if type(function) in direct:
            return function(*args, **keywords)
        return m.stand_ins.call(function, args, keywords)

    return called


def passing(m: Any, node: ast.Call, is_method: bool) -> Helper:
    """A call that may run a backward pass of the program's own."""

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        if is_method:
            output = function.__self__ if type(function) is MethodType else None
        else:
            output = args[0] if args else None
        m.node = node
        if is_object(output):
            return m.scenes.passing(output, node, lambda: m.call(function, *args, **keywords))
        if type(function) in m.direct:
            return function(*args, **keywords)
        return m.stand_ins.call(function, args, keywords)

    return called


def draw(m: Any, node: ast.Call) -> Helper:
    """A call that draws its first argument."""

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        m.node = node
        m.scenes.draw(args[0], node)
        return m.stand_ins.call(function, args, keywords)

    return called
