"""Python's parser behind a lock, with the grammar of one version.

CPython 3.11 keeps the parser's recursion depth in state shared by all threads: concurrent parses
may raise SystemError for a wrong depth, or RecursionError for shallow source. Warning filters are
process-wide as well.
"""

from __future__ import annotations

import ast
import threading
import warnings
from typing import TypeAlias

Span: TypeAlias = tuple[int, int, int, int]
"""Line, column, end line and end column, from 1; the end is the first column after."""

GRAMMAR = (3, 11)
"""The oldest supported Python; newer parsers then refuse later syntax."""

_parsing = threading.Lock()


def module(text: str) -> ast.Module:
    """Parse a module. Raises as `ast.parse` does."""
    with _parsing, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "invalid escape sequence" and the like
        return ast.parse(text, feature_version=GRAMMAR)


def expression(text: str) -> ast.expr:
    """Parse one expression. Raises as `ast.parse` does."""
    with _parsing, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval", feature_version=GRAMMAR).body
