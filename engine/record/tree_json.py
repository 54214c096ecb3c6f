"""A program's syntax tree as JSON: CPython in the sandbox reads what an older Python refuses.

A node is [type, fields, place], a constant its text in Python. What is read may come from a place
that nobody trusts: all of it is data, and what does not fit raises ValueError.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from .tree import SPAN


def written(part: Any) -> Any:
    """A node, or a list of nodes, or a constant as JSON has it."""
    if isinstance(part, ast.AST):
        fields = {name: written(value) for name, value in ast.iter_fields(part)}
        place = [getattr(part, name) for name in SPAN] if "lineno" in part._attributes else []
        return [type(part).__name__, fields, place]
    return {"items": [*map(written, part)]} if isinstance(part, list) else repr(part)


def read(found: Any) -> Any:
    """What `written` has written. Raises ValueError."""
    match found:
        case str():
            return _constant(found)
        case {"items": [*items]}:
            return [*map(read, items)]
        case [str() as name, dict() as fields, [*place]]:
            return _node(name, fields, place)
    raise ValueError("no tree")


def _node(name: str, fields: dict[str, Any], place: Sequence[Any]) -> ast.AST:
    kind: Any = getattr(ast, name, None)
    if not (isinstance(kind, type) and issubclass(kind, ast.AST)):
        raise ValueError(f"no syntax: {name}")
    known = {field: read(value) for field, value in fields.items() if field in kind._fields}
    node: ast.AST = kind(**known, **dict(zip(SPAN, map(int, place), strict=False)))
    return node


def _constant(text: str) -> Any:
    if text == "Ellipsis":
        return ...
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return complex(text) if "j" in text else float(text)  # infinite ones
