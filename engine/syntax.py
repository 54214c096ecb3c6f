"""Python's parser, for one thread at a time.

The parser counts how deep a tree is for all threads together (CPython 3.11): two that parse at the
same time may be told that the count is wrong, or that a flat text is too deep. The filter of
warnings that is set here belongs to all threads as well.
"""

from __future__ import annotations

import ast
import threading
import warnings

_parsing = threading.Lock()


def module(text: str) -> ast.Module:
    """The tree of a text of statements. Raises as `ast.parse` does."""
    with _parsing, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "invalid escape sequence" and the like
        return ast.parse(text)


def expression(text: str) -> ast.expr:
    """The tree of a text that is one expression. Raises as `ast.parse` does."""
    with _parsing:
        return ast.parse(text, mode="eval").body
