"""User text in pictures: escaped, and cut to fit its box.

The server cannot measure fonts. Labels use a monospace font, so width is counted in cells: one per
character, two for wide ones such as Chinese characters and emoji.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from markupsafe import Markup

from app.caches import cached

CHARACTER = 0.602  # width of a monospace character per pixel of font size

_HARMFUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]"
)  # invalid in XML, or bidirectional controls
_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}
    | dict.fromkeys("\t\n\r", " ")
)


@cached("escaped texts")
def escaped(text: str) -> str:
    """`text` escaped for HTML and XML content and attributes; harmful characters become U+FFFD."""
    if text.isascii() and text.isalnum():
        return text
    return _HARMFUL.sub("\ufffd", text).translate(_MARKUP)


def script_json(plain: Any) -> Markup:
    """`plain` as JSON in an element of a page, for its scripts."""
    return in_element(json.dumps(plain, separators=(",", ":")))


def in_element(text: str) -> Markup:
    """JSON that stands in an element as it is, quotes and all: `&` and `<` are in strings only."""
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c"))  # noqa: S704


@cached("fitted texts")
def fitted(text: str, room: float, size: float) -> str:
    """`text` cut with "…" to at most `room` pixels at font size `size`."""
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
    """An upper bound of a character's width in cells; 0 for combining marks."""
    if character < "\u0300":
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if character < "\u0600" or "\u2000" <= character < "\u2c00":
        return 1
    return 12 if character == "\ufdfd" else 2


def _has_pile(text: str) -> bool:
    """Whether a character has more than two combining marks."""
    return any(not any(map(_cells, text[i : i + 3])) for i in range(len(text) - 2))
