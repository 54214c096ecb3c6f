"""What the functions of a program do that a record shows, as far as their text tells.

A search for the order of a graph computes nothing and stores nothing: nobody asks for its calls,
of which there is one for each object. A closure that adds to gradients stores nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Mapping
from enum import Enum
from typing import Any

from engine.record.attribute_names import EITHER, GRADIENTS


class CallEffect(Enum):
    """What a call of a function may do that is recorded."""

    ANY = "anything"
    GRADIENTS = "writes of gradients"
    NONE = "nothing"
    SEARCH = "nothing, and it calls itself"


NOTHING = frozenset({CallEffect.NONE, CallEffect.SEARCH})
_IMPLICIT = frozenset({
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__", "__len__",
    "__iter__", "__next__", "__contains__", "__getitem__", "__getattr__", "__getattribute__",
    "__get__", "__set__", "__setattr__", "__instancecheck__",
})  # fmt: skip
"""Methods that run without a call in the text."""
_BUILT_IN = frozenset({
    "isinstance", "len", "set", "list", "tuple", "dict", "reversed", "enumerate", "zip",
})  # fmt: skip
_METHODS = frozenset({
    "add", "append", "extend", "insert", "pop", "discard", "remove", "clear", "keys", "values",
    "items", "get", "update", "copy",
})  # fmt: skip
_PARTS = (
    ast.Expr, ast.Pass, ast.If, ast.For, ast.Break, ast.Continue, ast.Return, ast.Name,
    ast.Constant, ast.Attribute, ast.Compare, ast.BoolOp, ast.IfExp, ast.List, ast.Tuple, ast.Call,
    ast.Starred, ast.expr_context, ast.cmpop, ast.boolop, ast.UnaryOp, ast.Not,
)  # fmt: skip
_ARITHMETIC = (ast.BinOp, ast.operator, ast.unaryop)


def effects_of(
    functions: Iterable[ast.FunctionDef | ast.Lambda], stored: Container[str]
) -> Mapping[ast.AST, CallEffect]:
    """The effects of functions, all those of a program; `stored` are other names that it sets.

    Without an entry it is any.
    """
    functions = list(functions)
    named = [function for function in functions if isinstance(function, ast.FunctionDef)]
    names = [function.name for function in named]
    if not _IMPLICIT.isdisjoint(names) or any(function.decorator_list for function in named):
        return {}
    found = {function: _Reading(names, stored).effect(function) for function in functions}
    return {function: effect for function, effect in found.items() if effect is not CallEffect.ANY}


class _Reading:
    """One function of a program that defines functions of these names."""

    def __init__(self, names: list[str], stored: Container[str]) -> None:
        self.names, self.stored = names, stored
        self.own = ""
        self.writes = self.is_recursive = False

    def effect(self, function: ast.FunctionDef | ast.Lambda) -> CallEffect:
        """What a call may do."""
        if isinstance(function, ast.FunctionDef):
            name = function.name
            self.own = name if self.names.count(name) == 1 and name not in self.stored else ""
        body = function.body if isinstance(function.body, list) else [function.body]
        if not all(map(self._is_known, body)):
            return CallEffect.ANY
        if self.writes:
            return CallEffect.GRADIENTS
        return CallEffect.SEARCH if self.is_recursive else CallEffect.NONE

    def _is_known(self, top: ast.AST) -> bool:
        todo = [top]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Assign | ast.AugAssign):
                if not self._is_gradient(node):
                    return False
                self.writes = True
                if not all(map(self._is_arithmetic, ast.walk(node.value))):
                    return False
                continue
            read = _READERS.get(type(node))
            if not isinstance(node, _PARTS) or (read is not None and not read(self, node)):
                return False
            todo += ast.iter_child_nodes(node)
        return True

    def _is_gradient(self, node: ast.Assign | ast.AugAssign) -> bool:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return all(
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and target.attr in GRADIENTS
            and target.attr not in EITHER
            for target in targets
        )

    def _is_arithmetic(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="math"))):
                return "math" not in self.stored
            case ast.Call():
                return False
        return isinstance(node, (*_PARTS, *_ARITHMETIC))

    def _is_harmless(self, node: ast.Call) -> bool:
        match node.func:
            case ast.Name(id=name):
                if name == self.own != "":
                    self.is_recursive = True
                    return True
                return name in _BUILT_IN and name not in self.names and name not in self.stored
            case ast.Attribute(attr=name):
                return name in _METHODS and name not in self.names
        return False

    def _is_loop_of_names(self, node: ast.For) -> bool:
        return all(isinstance(x, ast.Name | ast.Tuple | ast.Store) for x in ast.walk(node.target))


_READERS: dict[type[ast.AST], Callable[[Any, Any], bool]] = {
    ast.Call: _Reading._is_harmless,
    ast.For: _Reading._is_loop_of_names,
    ast.UnaryOp: lambda reading, node: isinstance(node.op, ast.Not),
}
