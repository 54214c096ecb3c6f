"""Values as Python text, and text of a visitor inside programs: the only place that quotes it.

Every program that this package writes for a reader's machine takes strings from here, so that no
name, label or line of a visitor can become code there.
"""

from __future__ import annotations

import math


def literal(value: object) -> str:
    """None, a number, text, tuple, list or dict as Python text; that of a number that is not finite
    is a constant of `math`.

    `ast.literal_eval` reads it back, unless a number is not finite. Raises TypeError for others.
    """
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, str):
        return f'"{escaped(value)}"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(x)}" for k, x in value.items()) + "}"
    if isinstance(value, tuple | list):
        inside = ", ".join(map(literal, value))
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    raise TypeError(f"no literal for {type(value).__name__}")


def _float(x: float) -> str:
    if math.isfinite(x):
        return float.__repr__(x)
    return "math.nan" if x != x else "math.inf" if x > 0 else "-math.inf"


def escaped(text: str) -> str:
    """A text as it stands between double quotes, one or three: on one line and printable."""
    return "".join(r"\"" if letter == '"' else repr(letter)[1:-1] for letter in text)


def one_line(text: str) -> str:
    """A text as it stands in a comment: printable, with single spaces."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split())
