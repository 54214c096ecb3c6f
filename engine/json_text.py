"""JSON read strictly, with a bounded depth; refusals in words that no version of Python changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

DEPTH = 100
"""Levels of arrays and objects that are read. Every supported Python reads at least as many."""

Pairs = list[tuple[str, Any]]


class NotJSON(ValueError):
    """Why a text is not JSON, as the rest of a sentence without its full stop."""


def read(
    text: str | bytes,
    pairs: Callable[[Pairs], object],
    parse_int: Callable[[str], object] | None = None,
) -> Any:
    """The value that `text` holds; `pairs` makes an object of its keys and values.

    Raises NotJSON, or whatever `pairs` raises.
    """
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise NotJSON(f"it is not UTF-8, byte {error.start + 1}") from None
    if _depth(text) > DEPTH:
        raise NotJSON("it is nested too deep")
    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=parse_int or _whole)
    except json.JSONDecodeError as error:
        raise _refusal(error) from None


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise NotJSON("it has a whole number of thousands of digits") from None


def _refusal(error: json.JSONDecodeError) -> NotJSON:
    reason, at = _reason(error.msg), error.pos
    if error.msg.startswith("Illegal trailing comma"):  # Python 3.13 points at the comma itself
        at += len(error.doc[at:]) - len(error.doc[at + 1 :].lstrip(_SPACE))
    before = error.doc[:at].rstrip(_SPACE)
    if before.endswith(",") and error.doc[at : at + 1] in ("]", "}"):
        reason = f"nothing follows the comma before {error.doc[at]}"
    elif "BOM" in error.msg:
        at = 0
    line, column = error.doc.count("\n", 0, at) + 1, at - error.doc.rfind("\n", 0, at)
    return NotJSON(f"{reason}, line {line}, column {column}")


def _reason(message: str) -> str:
    found = (reason for start, reason in _REASONS.items() if message.startswith(start))
    return next(found, "it cannot be read here")


_SPACE = " \t\n\r"

_REASONS = {
    "Expecting value": "expecting value",
    "Expecting property name": "expecting property name enclosed in double quotes",
    "Expecting ':'": "expecting ':' delimiter",
    "Expecting ','": "expecting ',' delimiter",
    "Extra data": "extra data",
    "Unterminated string": "unterminated string starting here",
    "Invalid control character": "invalid control character in a string",
    "Invalid \\u": "invalid \\uXXXX escape",
    "Invalid \\": "invalid escape after a backslash",
    "Unexpected UTF-8 BOM": "unexpected byte order mark (BOM)",
}
"""The beginning of json.JSONDecodeError's message to the words that are shown."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


def _depth(text: str) -> int:
    """How deep arrays and objects stand in each other."""
    if text.count("[") + text.count("{") <= DEPTH:
        return 0
    depth = deepest = 0
    for token in _TOKEN.findall(text):
        if token in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif token in "]}":
            depth -= 1
    return deepest
