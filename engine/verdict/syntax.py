"""The text of a program as a tree: what stands around a place."""

from __future__ import annotations

import ast
from collections.abc import Container

from engine.record.source import Source


def is_property(function: ast.AST) -> bool:
    """Whether a function is run by reading or by writing an attribute."""
    return is_getter(function) or is_setter(function)


def is_getter(function: ast.AST) -> bool:
    return _is_decorated(function, "property")


def is_setter(function: ast.AST) -> bool:
    return _is_decorated(function, "setter")


def _is_decorated(function: ast.AST, name: str) -> bool:
    return any(
        getattr(decorator, "attr", getattr(decorator, "id", "")) == name
        for decorator in getattr(function, "decorator_list", ())
    )


def _only_reads(function: ast.Lambda) -> bool:
    # that of a gradient of micrograd's own is made without its parts
    return isinstance(getattr(function, "body", None), ast.Attribute | ast.Compare)


def gives_numbers(function: ast.AST) -> bool:
    """Whether a function may give partials: it computes a number, or gives several."""
    return any(
        isinstance(node, ast.BinOp | ast.UnaryOp)
        or (isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple | ast.List))
        or (isinstance(node, ast.Return) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Lambda) and not _only_reads(node))
        for node in ast.walk(function)
    )


INITS = frozenset({"__init__", "__post_init__", "__new__"})
"""Special methods that make an object, and are no operators."""


def operand_in(value: ast.expr, names: Container[str]) -> str:
    """The first of some names among the operands of an expression; empty if there is none."""
    todo = [value]
    while todo:
        match todo.pop(0):
            case ast.BinOp(left=left, right=right):
                todo += [left, right]
            case ast.UnaryOp(operand=operand):
                todo.append(operand)
            case ast.Name(id=name) if name in names:
                return name
    return ""


class Syntax:
    """The syntax tree of a program, which can be walked outwards."""

    def __init__(self, source: Source) -> None:
        self.tree, self.parents = source.tree, source.parents
        self.gradient_names = source.gradients
        self._computing: dict[ast.AST, bool] = {}

    def computes(self, function: ast.AST) -> bool:
        """Whether a function gives numbers, which is asked at each of its calls."""
        if function not in self._computing:
            self._computing[function] = gives_numbers(function)
        return self._computing[function]

    def statement(self, node: ast.AST) -> ast.AST:
        """The statement around an expression, or the lambda."""
        while not isinstance(node, ast.stmt | ast.Lambda) and node in self.parents:
            node = self.parents[node]
        return node

    def _in_call(self, place: ast.AST) -> bool:
        """Whether a place lies in a function."""
        while place in self.parents:
            place = self.parents[place]
            if isinstance(place, ast.FunctionDef | ast.Lambda):
                return True
        return False

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        inside: ast.AST | None = node
        while inside is not None and not isinstance(inside, ast.ClassDef):
            inside = self.parents.get(inside)
        return inside

    def is_in_class(self, node: ast.AST) -> bool:
        """Whether a place lies in a class."""
        return self.class_of(node) is not None

    def function_of(self, node: ast.AST | None) -> ast.AST | None:
        inside = node
        while inside is not None and not isinstance(inside, ast.FunctionDef):
            inside = self.parents.get(inside)
        return inside

    def _function_or_lambda(self, node: ast.AST | None) -> ast.AST | None:
        """The function around a place, or the lambda of a table around it."""
        inside, found = node, self.function_of(node)
        while inside is not None and found is None and not isinstance(inside, ast.Lambda):
            inside = self.parents.get(inside)
        return found or inside

    def is_in_operator(self, place: ast.AST) -> bool:
        """Whether a place lies in a special method of another operator."""
        return self.is_operator(self.function_of(place))

    def is_operator(self, function: ast.AST | None) -> bool:
        """Whether a function is the special method of an operator."""
        name = getattr(function, "name", "")
        return name.startswith("__") and name not in INITS
