"""Characters that word processors, browsers and Markdown write where Python has its own."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from .lines import Lines, NumberedLine

LOOKALIKES = {
    "“": '"', "”": '"', "„": '"', "‟": '"', "″": '"',
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'",
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "‒": "-", "―": "-",
    "×": "*", "⋅": "*", "∙": "*", "÷": "/", "∕": "/", "≤": "<=", "≥": ">=", "≠": "!=", "…": "...",
}  # fmt: skip
"""Characters outside of strings and comments, with what is written for them."""
_OUTSIDE = "".join(re.escape(character) for character in LOOKALIKES)
_TOKEN = re.compile(
    rf"""(?P<kept>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\#.*)"""
    rf"|[“”„‟](?P<double>[^“”„‟\"]*)[“”‟]|[‘’‚‛](?P<single>[^‘’‚‛']*)[‘’‛]|(?P<other>[{_OUTSIDE}])"
)
_TRIPLE = re.compile(r'"""|\'\'\'')
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#39|#x27);")
_BOLD = re.compile(r"(?<=def )\*\*([a-z]+)\*\*(?=\()|(?<=\.)\*\*([a-z]+)\*\*(?=\()")


def typographic(lines: Lines) -> list[NumberedLine]:
    """Write the keyboard's characters for typographic ones, outside of strings and comments."""
    found, quote = [], ""
    for line in lines:
        if not quote:
            line = line.with_text(_TOKEN.sub(_written, line.text))
        for mark in _TRIPLE.findall(line.text):
            quote = "" if mark == quote else quote or mark
        found.append(line)
    return found


def _written(found: re.Match[str]) -> str:
    if found["kept"] is not None:
        return found[0]
    if found["double"] is not None:
        return f'"{found["double"]}"'
    if found["single"] is not None:
        return f"'{found['single']}'"
    return LOOKALIKES[found[0]]


def _each(change: Callable[[str], str]) -> Callable[[Lines], list[NumberedLine]]:
    return lambda lines: [line.with_text(change(line.text)) for line in lines]


spaces = _each(lambda text: _SPACES.sub(" ", text))
visible = _each(lambda text: _INVISIBLE.sub("", text))
entities = _each(lambda text: _ENTITY.sub(lambda found: html.unescape(found[0]), text))
underscores = _each(lambda text: _BOLD.sub(lambda found: f"__{found[1] or found[2]}__", text))


def tabs(width: int) -> Callable[[Lines], list[NumberedLine]]:
    """Write spaces for the tabs in front of each line."""

    def change(text: str) -> str:
        rest = text.lstrip(" \t")
        front = text[: len(text) - len(rest)]
        return front.expandtabs(width) + rest if "\t" in front else text

    return _each(change)
