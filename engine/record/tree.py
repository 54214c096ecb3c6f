"""Walks over a syntax tree, in no recursion, since it may be deep."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

NAMES = frozenset({"id", "arg", "asname", "name", "attr"})
"""Fields of nodes that hold names."""


def parents_in(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The node around each node."""
    found: dict[ast.AST, ast.AST] = {}
    todo = [tree]
    for node in todo:  # which grows meanwhile
        inside = list(ast.iter_child_nodes(node))
        found.update(dict.fromkeys(inside, node))
        todo += inside
    return found


def assignments_in(nodes: Iterable[ast.AST]) -> dict[ast.AST, ast.AST]:
    """The assignment that each attribute is a target of."""
    found: dict[ast.AST, ast.AST] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found.update(dict.fromkeys(ast.walk(target), node))
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            found[node.target] = node
    return found


NodePlace: TypeAlias = tuple[str, int, int, int, int]
"""The type of a node, and its lines and columns as the tree has them."""


SPAN = "lineno", "col_offset", "end_lineno", "end_col_offset"
"""The attributes of a node that say where it stands."""


def place_of(node: ast.AST) -> tuple[Any, ...]:
    """The type of a node of the text, and where it stands."""
    return type(node).__name__, *[getattr(node, name, 0) for name in SPAN]


def by_place(
    tree: ast.Module, parts: Mapping[type[ast.AST], list[Any]]
) -> dict[NodePlace, ast.AST]:
    """The nodes of `parts`, which are grouped by their types, and the tree itself."""
    found: dict[NodePlace, ast.AST] = {("Module", 0, 0, 0, 0): tree}
    for kind, nodes in parts.items():
        name = kind.__name__
        for x in nodes:
            place = name, x.lineno, x.col_offset, x.end_lineno, x.end_col_offset
            found.setdefault(place, x)
    return found


def with_depth(tree: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """Every node with a place, with its depth; in no recursion, since the tree may be deep."""
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        placed, fields, _ = SHAPES[type(node)]
        if placed:
            yield node, depth
        inside = depth + 1 if placed or depth == 0 else depth
        for field in fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                children = [(child, inside) for child in value if isinstance(child, ast.AST)]
                stack += reversed(children)
            elif isinstance(value, ast.AST):
                stack.append((value, inside))


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes inside, as `ast.iter_child_nodes` finds them in three times the time, but marks."""
    found: list[ast.AST] = []
    for field in reversed(SHAPES[type(node)].fields):
        value = getattr(node, field, None)
        if isinstance(value, list):
            found += [child for child in value if isinstance(child, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


class _Shape(NamedTuple):
    """A type of syntax: whether its nodes have a place, and fields from the last to the first."""

    placed: bool
    fields: tuple[str, ...]
    names: tuple[str, ...]


class _Shapes(dict[type[ast.AST], _Shape]):
    """The shape of each type of syntax, found when it is first met."""

    def __missing__(self, kind: type[ast.AST]) -> _Shape:
        fields = [name for name in kind._fields if name not in _MARKS and kind is not ast.Constant]
        names = [name for name in kind._fields if name in NAMES]
        shape = _Shape("lineno" in kind._attributes, tuple(reversed(fields)), tuple(names))
        self[kind] = shape
        return shape


_MARKS = frozenset({"ctx", "op", "ops"})
"""Fields with parts of a tree that are neither deep nor anywhere."""
SHAPES = _Shapes()
