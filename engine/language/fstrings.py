"""f-strings of a program, read alike by every Python.

Since Python 3.12 quotation marks of the same kind, backslashes and comments may stand inside their
braces, and errors in them have other words and places. Programs are held to what Python 3.11 reads,
so that a link means the same on every server.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from engine import parser_lock
from engine.parser_lock import Span

_REBUILT: bool = sys.version_info >= (3, 12)

_TOKEN = re.compile(
    r"""
    \#[^\n]*
    | (?P<prefix> (?<!\w) (?: [fbru] | rf | fr | rb | br ) )?
      (?: (?P<long> \'{3} | "{3} ) (?: \\. | (?!(?P=long)). )* (?: (?P=long) | \Z )
        | (?P<short> ['"] ) (?: \\. | (?!(?P=short))[^\\\n] )* (?P<end> (?P=short) )?
      )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
"""Comments and strings, as Python 3.11 tells them apart."""


def check(text: str) -> None:
    """Raise SyntaxError for an f-string that only Python 3.12 or newer reads."""
    if _REBUILT and not all(_has_end(found) and _is_readable(found) for found in _strings(text)):
        raise SyntaxError("f-string")


def as_strings(text: str) -> str:
    """`text` with all f-strings as plain strings of the same length."""
    pieces: list[str] = []
    done = 0
    for found in _strings(text):
        start, end = found.span("prefix")
        raw = "r" in text[start:end].lower()
        pieces += text[done:start], "r" if raw else "u", text[end : found.end()], " " * raw
        done = found.end()
    return "".join(pieces) + text[done:]


def first_unreadable(text: str, kind: str = "f") -> Span | None:
    """The place, up to its line's end, of the first string that has an end and cannot be read.

    Of f-strings, or with "" as `kind` of all strings.
    """
    for found in _strings(text, kind):
        if _has_end(found) and not _is_readable(found):
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start())
            return line, column, line, column + len(found.group().partition("\n")[0])
    return None


def comments_and_strings(text: str) -> list[tuple[int, int]]:
    """The start and end of each comment and string."""
    return [found.span() for found in _TOKEN.finditer(text)]


def _strings(text: str, kind: str = "f") -> Iterator[re.Match[str]]:
    """The strings in whose prefix `kind` stands."""
    tokens = (found for found in _TOKEN.finditer(text) if not found.group().startswith("#"))
    return (found for found in tokens if kind in (found["prefix"] or "").lower())


def _has_end(found: re.Match[str]) -> bool:
    return bool(found["long"] or found["end"])


def _is_readable(found: re.Match[str]) -> bool:
    token = found.group()
    try:
        tree = parser_lock.expression(token)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return False
    if not _REBUILT:
        return True
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.FormattedValue))
    return not any("\\" in (ast.get_source_segment(token, value) or "") for value in values)
