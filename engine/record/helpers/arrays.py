"""What helpers do beside in a program that computes with arrays: its operations are written down.

`watching(m, site, helper)` is the helper of a site with its operation noted on `m.array_tape`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.record.array_elements import ArrayMethod, chosen_places, is_array, is_of_program
from engine.record.follow import is_a
from engine.record.number_tape import NumberTape
from engine.tensors.modules import is_module

from .operations import Helper


def _binary(m: Any, helper: Helper, node: ast.AST, sign: str, *rest: Any) -> Helper:
    tape = m.array_tape

    def compute(a: Any, b: Any) -> Any:
        result = helper(a, b)
        tape.operation(sign, (a, b), {}, result, node)
        return result

    return compute


def _in_place(m: Any, helper: Helper, node: ast.AST, sign: str) -> Helper:
    tape = m.array_tape

    def compute(a: Any, b: Any) -> Any:
        tape.place(a, node)
        result = helper(a, b)
        tape.replaced(sign, a, b, result, node)
        return result

    return compute


def _negation(m: Any, helper: Helper, node: ast.AST) -> Helper:
    def compute(x: Any) -> Any:
        result = helper(x)
        m.array_tape.operation("neg", (x,), {}, result, node)
        return result

    return compute


def _call(m: Any, helper: Helper, node: ast.Call, *rest: Any) -> Helper:
    tape, func = m.array_tape, node.func
    written = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        if tape.is_full or is_of_program(function):
            return helper(function, *args, **keywords)
        given = args
        if type(function) is ArrayMethod:
            name, args = function.name, (function.of, *args)
            tape.place(function.of, node)
            result = helper(function.function, *given, **keywords)
        else:
            name = str(getattr(function, "__name__", written))
            if is_module(function):
                tape.enter(function, written)
            result = helper(function, *given, **keywords)
        if written == "at" and len(args) == 3 and is_array(args[0]):
            tape.set_items(args[0], args[1], args[2], "at", node)
        else:
            tape.called(name, args, keywords, result, node)
        return result

    return called


def _convert(m: Any, helper: Helper, node: ast.AST) -> Helper:
    def called(function: Any, /, *args: Any) -> Any:
        result = helper(function, *args)
        if args and is_a(result, float):
            m.array_tape.alias(result, args[0])
        return result

    return called


_READ = frozenset({"T", "mT", "data"})


def _read(m: Any, helper: Helper, node: ast.AST, name: str) -> Helper:
    tape = m.array_tape

    def attribute(o: Any) -> Any:
        found = helper(o)
        if is_array(o) and not tape.is_full:
            if name in _READ:
                tape.called(name, (o,), {}, found, node)
            elif callable(found) and not is_array(found):
                return ArrayMethod(o, name, found)
        return found

    return attribute


def _index(m: Any, helper: Helper, node: ast.AST) -> Helper:
    tape = m.array_tape

    def item(owner: Any, at: Any) -> Any:
        found = helper(owner, at)
        if is_array(owner) and not tape.is_full:
            places = chosen_places(owner, at)
            if places is not None:
                params = {"places": places[0], "shape": places[1]}
                tape.operation("index", (owner,), params, found, node)
        return found

    return item


ITEMS = 64
"""Items of a new dict up to which arrays in it are named."""


class _Item:
    """The target `owner[at]`."""

    def __init__(self, m: Any, helper: Any, node: ast.Subscript, name: str) -> None:
        self.tape, self.helper, self.node = m.array_tape, helper, node
        self.owner = ast.unparse(node.value)

    def __setitem__(self, place: tuple[Any, Any], value: Any) -> None:
        owner, at = place
        if is_array(owner):
            self.tape.place(owner, self.node)
            self.helper[place] = value
            self.tape.set_items(owner, at, value, "", self.node)
            return
        self.helper[place] = value
        if type(owner) in self.tape.holders and is_a(at, str | int):
            self.tape.name(value, f"{self.owner}[{at!r}]", self.node, owner)


def _change_item(m: Any, helper: Helper, node: ast.AST, name: str, sign: str) -> Helper:
    tape = m.array_tape

    def change(loaded: tuple[Any, Any, Any], value: Any) -> None:
        owner, at, before = loaded
        if not is_array(owner):
            tape.place(before, node)
            helper(loaded, value)
            if is_array(before):
                tape.replaced(sign, before, value, owner[at], node)
            return
        tape.place(owner, node)
        helper(loaded, value)
        tape.set_items(owner, at, value, sign, node)

    return change


def _change_store(m: Any, helper: Helper, node: ast.AST, name: str, sign: str) -> Helper:
    tape = m.array_tape

    def change(loaded: tuple[Any, Any], value: Any) -> None:
        before = loaded[1]
        tape.place(before, node)
        helper(loaded, value)
        if is_array(before):
            tape.replaced(sign, before, value, m.get_attribute(loaded[0], name), node)

    return change


def _name(m: Any, helper: Helper, node: ast.AST, name: str, depth: int) -> Helper:
    def assign(value: Any) -> Any:
        found = helper(value)
        m.array_tape.alias(found, value)
        _named(m.array_tape, found, name, node)
        return found

    return assign


def _named(tape: Any, x: Any, name: str, node: ast.AST, owner: Any = None) -> None:
    if tape.takes(x):
        tape.name(x, name, node, owner)
    elif type(x) in tape.holders and len(x) <= ITEMS:
        for key, item in x.items() if type(x) is dict else enumerate(x):
            if type(key) in (str, int) and tape.takes(item) and not tape.has_name(item):
                tape.name(item, f"{name}[{key!r}]", node, x)


def _names(m: Any, helper: Helper, node: ast.AST, names: tuple[str, ...], depth: int) -> Helper:
    def assign(values: Any) -> Any:
        found = helper(values)
        if is_a(values, tuple | list) and len(values) == len(names):
            for before, after, name in zip(values, found, names, strict=True):
                m.array_tape.alias(after, before)
                _named(m.array_tape, after, name, node)
        return found

    return assign


class _Store:
    """The target `o.name`."""

    def __init__(self, m: Any, helper: Any, node: Any, name: str) -> None:
        self.tape, self.helper, self.node = m.array_tape, helper, node
        self.name = ast.unparse(node)

    def __setitem__(self, o: Any, value: Any) -> None:
        self.helper[o] = value
        _named(self.tape, value, self.name, self.node, o)


def _change_number(m: Any, helper: Helper, node: ast.AST, name: str, sign: str) -> Helper:
    target = node.target if isinstance(node, ast.AugAssign) else node
    called = ast.unparse(target.value) if isinstance(target, ast.Subscript) else name

    def change(loaded: tuple[Any, Any, Any], value: Any) -> None:
        owner, at, _ = loaded
        helper(loaded, value)
        if type(owner) in m.array_tape.holders:
            _named(m.array_tape, owner[at], f"{called}[{at!r}]", node, owner)

    return change


_WATCHED: dict[str, Callable[..., Any]] = {
    "binary": _binary, "part": _binary, "comparison": _binary, "in_place": _in_place,
    "negation": _negation, "call": _call, "passing": _call, "convert": _convert, "read": _read,
    "index": _index, "item": _Item, "change_item": _change_item, "change_store": _change_store,
    "name": _name, "names": _names, "store": _Store,
}  # fmt: skip
_NAMED: dict[str, Callable[..., Any]] = {
    "name": _name, "names": _names, "item": _Item, "change_item": _change_number,
}  # fmt: skip
"""Of a program that computes with plain numbers: these know what computed them."""


def watching(m: Any, site: Any, helper: Any) -> Any:
    """The helper of a site, with its operation on arrays noted if the run keeps them."""
    if m.array_tape is None:
        return helper
    kinds = _NAMED if isinstance(m.array_tape, NumberTape) else _WATCHED
    watched = kinds.get(site.kind)
    if watched is None:
        return helper
    return watched(m, helper, site.node, *site.rest)


def index(m: Any, node: ast.AST) -> Helper:
    """`owner[at]` in a program that computes with arrays."""
    return lambda owner, at: owner[at]
