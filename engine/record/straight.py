"""Straight programs: those that run from top to bottom, each part once."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

_REPEATED = frozenset({
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp, ast.For, ast.While, ast.AsyncFor,
})  # fmt: skip
"""Syntax whose parts may run more than once."""
_EXAMINED = (
    ast.Import, ast.ImportFrom, ast.Attribute, ast.Subscript, ast.AugAssign, ast.Name,
)  # fmt: skip
"""The syntax that `Source.is_straight` looks at."""

_PUTTING = frozenset({
    "append", "appendleft", "extend", "extendleft", "insert", "setdefault", "update",
})  # fmt: skip


def _puts_into_container(node: ast.AST) -> bool:
    """Whether a part of a program may put something into a container that exists already."""
    match node:
        case ast.Attribute(attr=name):
            return name in _PUTTING or name.startswith("__")
        case ast.Subscript(ctx=ast.Store()) | ast.AugAssign(target=ast.Name()):
            return True
        case ast.Name(id=name):
            return name == "getattr"
    return False


_FLAT = frozenset({"math", "random", "micrograd", "torch", "numpy", "graphviz", "matplotlib"})
"""Modules none of whose functions applies another one to its own results."""


def _modules(node: ast.AST) -> list[str]:
    """The modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return [(node.module or "").partition(".")[0]]
    names = node.names if isinstance(node, ast.Import) else []
    return [alias.name.partition(".")[0] for alias in names]


def is_straight(parts: Mapping[type[ast.AST], Sequence[ast.AST]]) -> bool:
    """Whether no part of a program can run more than once, nor nest what it makes.

    Without loop, function and class only a module's function could: `functools.reduce`. A container
    in itself nests without an end, for a comparison. `parts` are the program's nodes by their
    types.
    """
    if not _REPEATED.isdisjoint(parts):
        return False
    return all(
        _FLAT.issuperset(_modules(node)) and not _puts_into_container(node)
        for kind in _EXAMINED
        for node in parts.get(kind, ())
    )
