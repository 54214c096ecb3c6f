"""The comments and strings of a text that may be no Python."""

from __future__ import annotations

import re

from engine import parser_lock
from engine.parser_lock import Span

_TOKEN = re.compile(
    r"\#[^\n]*"
    r"|(?P<prefix>(?<!\w)(?:[fbru]|rf|fr|rb|br))?"
    r"(?:(?P<long>'{3}|\"{3})(?:\\.|(?!(?P=long)).)*(?P=long)?"
    r"|(?P<short>['\"])(?:\\.|(?!(?P=short))[^\\\n])*(?P=short)?)",
    re.IGNORECASE | re.DOTALL,
)


def comments_and_strings(text: str) -> list[tuple[int, int]]:
    """The start and end of each comment and string, as far as quotation marks tell."""
    return [found.span() for found in _TOKEN.finditer(text)]


def first_unreadable(text: str) -> Span | None:
    """The place, up to its line's end, of the first string whose escapes cannot be read."""
    for start, end in comments_and_strings(text):
        token = text[start:end]
        if "\\" in token and token[0] != "#" and not _is_readable(token):
            line = text.count("\n", 0, start) + 1
            column = start - text.rfind("\n", 0, start)
            return line, column, line, column + len(token.partition("\n")[0])
    return None


def _is_readable(token: str) -> bool:
    try:
        parser_lock.expression(token)
    except (SyntaxError, ValueError):
        return False
    return True
