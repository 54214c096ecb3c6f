"""Python's parser, for one thread at a time, with the grammar of one version.

The parser counts how deep a tree is for all threads together (CPython 3.11): two that parse at the
same time may be told that the count is wrong, or that a flat text is too deep. The filter of
warnings that is set here belongs to all threads as well.
"""

from __future__ import annotations

import ast
import threading
import warnings
from typing import TypeAlias

Span: TypeAlias = tuple[int, int, int, int]
"""Line, column, end line and end column, from 1; the end is the first column after."""

GRAMMAR = (3, 11)
"""The oldest Python that is supported. Newer ones refuse what they have added since."""

_parsing = threading.Lock()


def module(text: str) -> ast.Module:
    """The tree of a text of statements. Raises as `ast.parse` does."""
    with _parsing, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "invalid escape sequence" and the like
        return ast.parse(text, feature_version=GRAMMAR)


def expression(text: str) -> ast.expr:
    """The tree of a text that is one expression. Raises as `ast.parse` does."""
    with _parsing, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval", feature_version=GRAMMAR).body
