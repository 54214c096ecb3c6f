"""Where the learner's own lines asked for what a method of their class computed."""

from __future__ import annotations

import ast

from engine.parser_lock import Span
from engine.record.model import RunNumber
from engine.record.source import Source


def caller(source: Source, value: RunNumber) -> Span | None:
    """The first call around an operation in a class that stands outside of all classes."""
    scope = value.scope
    if value.op is None or scope is None or not _is_in_class(source, value.node):
        return None
    while scope is not None:
        if scope.call is not None and not _is_in_class(source, scope.call):
            return source.span(scope.call)
        scope = scope.parent
    return None


def _is_in_class(source: Source, node: ast.AST) -> bool:
    line = getattr(node, "lineno", 0)
    return any(it.lineno <= line <= (it.end_lineno or 0) for it in source.each(ast.ClassDef))
