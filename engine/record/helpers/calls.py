"""Calls: of the program's functions, which are entered and left, and of what may be watched."""

from __future__ import annotations

import ast
from sys import _getframe
from types import MethodType
from typing import Any

from engine.named_ops import METHODS
from engine.record.entered import Entered, Function
from engine.record.objects import is_object, number_of
from engine.record.places import FILENAME, own_frame
from engine.record.rewrite.effects import CallEffect

from .operations import Helper

_tuple = tuple.__new__
_GRADIENTS = CallEffect.GRADIENTS
_INITS = frozenset({"__init__", "__post_init__", "__new__"})


def enter(m: Any, site: ast.AST, name: str, node: Any, effect: CallEffect) -> Helper:
    """The beginning of a call of the function that `node` defines."""
    is_light = not m.watches and (
        effect is CallEffect.NONE or (m.is_light and effect is _GRADIENTS)
    )
    if is_light:
        return lambda first: (None, None, m.scope, None, None, None, m.entered)
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
    watches, tape, own, frame_of = m.watches, m.tape, FILENAME, _getframe

    def begin(first: Any) -> Any:
        frame: Any = frame_of(1)
        caller: Any = frame.f_back
        if caller.f_code.co_filename is not own:
            caller = own_frame(caller) or frame
        m.serial += 1
        parts = (
            "function", function, m.scope, first, caller.f_code, caller.f_lasti, m.entered, [frame],
            m.serial,
        )  # fmt: skip
        m.scope = m.entered = call = _tuple(Entered, parts)
        if tape.made > m.most:
            m.stop_recording(function.node)
        if watches:
            m.witness.entered(call)
        return call

    return begin


def leave(m: Any, site: ast.AST) -> Helper:
    """The end of a call."""

    def end(call: Any) -> None:
        m.scope = call[2]
        m.entered = call[6]
        if type(call) is Entered:
            if m.watches:
                m.witness.ended(call)
            call[7].clear()

    return end


def leave_with(m: Any, site: ast.AST) -> Helper:
    """The end of a call of a lambda, with its result."""
    end = leave(m, site)

    def result(call: Any, value: Any) -> Any:
        end(call)
        return value

    return result


def result(m: Any, node: ast.Return) -> Helper:
    """What a function returns."""
    last = node if node.value is not None else m.source.parents.get(node, node)

    def told(call: Any, value: Any) -> Any:
        if m.watches and type(call) is Entered:
            m.witness.result(call, value, last)
        return value

    return told if m.watches else lambda call, value: value


def mark(m: Any, node: ast.stmt) -> Helper:
    """A statement by which a function may end."""

    def ran(call: Any) -> None:
        if m.watches and type(call) is Entered:
            m.witness.ran(call, node)

    return ran if m.watches else lambda call: None


def call(m: Any, node: ast.AST) -> Helper:
    """A call of what may be of a stand-in or a built-in class."""
    plain, classes = m.plain_kinds, m.plain_classes

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        m.node = node
        kind = type(function)
        if kind in plain or (kind is type and function in classes):
            return function(*args, **keywords)
        return m.stand_ins.call(function, args, keywords)

    return called


def passing(m: Any, node: ast.Call, is_method: bool) -> Helper:
    """A call that may run a backward pass of the program's own."""

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        if is_method:
            output = function.__self__ if type(function) is MethodType else None
            if m.own.keyed is not None and number_of(output) is None:
                output = next((arg for arg in args if number_of(arg) is not None), output)
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
