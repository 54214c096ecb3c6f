"""Text of a visitor in a picture: it stays text, whatever it holds, and stays in its box.

The server has no fonts to measure with. Labels are set in a monospace font, whose characters are
counted: one cell each, two for a wide one such as a Chinese character or an emoji.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

CHARACTER = 0.602  # width of a monospace character per pixel of font size

_HARMFUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]"
)  # not XML, or able to turn the text around it
_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}
    | dict.fromkeys("\t\n\r", " ")
)


@lru_cache(maxsize=4096)
def escaped(text: str) -> str:
    """`text` for an element or an attribute of HTML or XML; harmful characters become U+FFFD."""
    if text.isascii() and text.isalnum():
        return text
    return _HARMFUL.sub("\ufffd", text).translate(_MARKUP)


@lru_cache(maxsize=4096)
def fitted(text: str, room: float, size: float) -> str:
    """`text` cut with "…" so that it takes at most `room` pixels at font size `size`."""
    cells = int(room / (size * CHARACTER) + 1e-6)
    if text.isascii() and len(text) <= cells:
        return text
    if sum(map(_cells, text)) <= cells and not _has_pile(text):
        return text
    kept, used, marks = [], 1, 0
    for character in text:
        width = _cells(character)
        marks = 0 if width else marks + 1
        if used + width > cells:
            break
        if marks <= 2:
            kept.append(character)
            used += width
    return "".join(kept).rstrip() + "…"


def _cells(character: str) -> int:
    """Cells of a monospace line that a character takes at most; 0 for marks on the one before."""
    if character < "\u0300":
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if character < "\u0600" or "\u2000" <= character < "\u2c00":
        return 1
    return 12 if character == "\ufdfd" else 2


def _has_pile(text: str) -> bool:
    """Whether more than two marks stand on one character."""
    return any(not any(map(_cells, text[i : i + 3])) for i in range(len(text) - 2))
