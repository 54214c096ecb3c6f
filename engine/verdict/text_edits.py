"""Changes of a text, as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from engine.parser_lock import Span


class Rewrite(NamedTuple):
    """A text in place of what stands at a span, and the kind of mistake that it would fix.

    `formula` is the partial that it writes.
    """

    span: Span
    text: str
    formula: str = ""
    kind: str = ""


def applied(text: str, span: Span, new: str) -> str:
    """A text with `new` in place of what stands at a span of lines and columns from 1."""
    lines = text.split("\n")
    before = [*lines[: span[0] - 1], lines[span[0] - 1][: span[1] - 1]]
    after = [lines[span[2] - 1][span[3] - 1 :], *lines[span[2] :]]
    return "\n".join(before) + new + "\n".join(after)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with some names, or paths of attributes, in the place of others."""
    any_of = "|".join(re.escape(name) for name in names) or "(?!)"
    return re.sub(rf"(?<![\w.])(?:{any_of})(?!\w)", lambda found: names[found[0]], text)
