"""Marks of the statements by which functions end that return by none."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import copy
from typing import Any


class MarkStatement(ast.Pass):
    """Behind the last statement of a branch by which a function may end."""

    of: ast.stmt


def marked(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """A body with marks in the branches that it may end with."""
    *rest, last = body
    if isinstance(last, ast.If):
        other = _with_mark(last.orelse) if last.orelse else []
        return [*rest, _copied(last, body=_with_mark(last.body), orelse=other)]
    if isinstance(last, ast.For | ast.While | ast.With):
        return [*rest, _copied(last, body=_with_mark(last.body))]
    return list(body)


def _copied(node: Any, **changed: Any) -> Any:
    """A copy of a statement with other bodies: the program's own tree stays as it is."""
    new = copy(node)
    for name, part in changed.items():
        setattr(new, name, part)
    return new


def _with_mark(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    last = body[-1]
    if isinstance(last, ast.If | ast.For | ast.While | ast.With):
        return marked(body)
    if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return list(body)
    mark = MarkStatement()
    mark.of = last
    return [*body, mark]
