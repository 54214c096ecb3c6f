"""The text of a tensor as PyTorch prints it.

Source: the documented print options (precision 4, threshold 1000, edgeitems 3, linewidth 80) and
PyTorch's output, with which tests compare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

PRECISION = 4
THRESHOLD = 1000
EDGE = 3
LINE = 80


@dataclass(frozen=True, slots=True)
class Style:
    """How the elements of one tensor are written, all `width` wide."""

    width: int
    write: Callable[[Any], str]

    def written(self, x: Any) -> str:
        return self.write(x).rjust(self.width)


@dataclass(slots=True)
class Options:
    """`torch.set_printoptions` of a run; `sci_mode` None leaves the choice to the numbers."""

    precision: int = PRECISION
    sci_mode: bool | None = None


def set_printing(session: Any, **options: Any) -> None:
    """torch.set_printoptions: the digits, and whether numbers are written as 1.5e+00."""
    for name, value in options.items():
        if name == "precision" and isinstance(value, int) and 0 <= value <= 40:
            session.printing.precision = value
        elif name == "sci_mode":
            session.printing.sci_mode = value
        else:
            session.machine.note(f"Tensors print here without the option {name}={value!r:.20}.")


def _whole(x: float) -> str:
    return f"{x:.0f}." if math.isfinite(x) else f"{x:.0f}"


def style_of(items: Sequence[Any], is_float: bool, options: Options) -> Style:
    """Fixed, whole or scientific notation, by the finite elements that are not 0."""
    if not is_float:
        return Style(max((len(str(x)) for x in items), default=1), str)
    counted = [x for x in items if x != 0 and math.isfinite(x)]
    if not counted:
        return Style(1, _whole)
    smallest, largest = min(map(abs, counted)), max(map(abs, counted))
    whole = all(x == math.floor(x) for x in counted)
    ranging = largest / smallest > 1000 or largest > 1e8 or (not whole and smallest < 1e-4)
    form = "e" if (ranging if options.sci_mode is None else options.sci_mode) else "f"

    def fixed(x: float) -> str:
        return f"{x:.{options.precision}{form}}"

    write = _whole if whole and form == "f" else fixed
    return Style(max(len(write(x)) for x in counted), write)


def shown(items: Sequence[Any], shape: tuple[int, ...]) -> list[Any]:
    """The elements that a summary shows: of each long axis the first and the last three."""
    if not shape:
        return list(items)
    n, size = shape[0], prod(shape[1:])
    rows = [*range(EDGE), *range(n - EDGE, n)] if n > 2 * EDGE else range(n)
    return [x for i in rows for x in shown(items[i * size : (i + 1) * size], shape[1:])]


@dataclass(frozen=True, slots=True)
class _Page:
    """How one tensor is laid out: the style of its elements, and whether it is summarised."""

    style: Style
    summary: bool

    def nested(self, items: Sequence[Any], shape: tuple[int, ...], indent: int) -> str:
        if not shape:
            return self.style.written(items[0])
        if len(shape) == 1:
            return self.row(items, indent)
        n, size = shape[0], prod(shape[1:])
        cut = self.summary and n > 2 * EDGE
        parts = [
            self.nested(items[i * size : (i + 1) * size], shape[1:], indent + 1)
            for i in ([*range(EDGE), *range(n - EDGE, n)] if cut else range(n))
        ]
        if cut:
            parts.insert(EDGE, "...")
        between = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
        return "[" + between.join(parts) + "]"

    def row(self, items: Sequence[Any], indent: int) -> str:
        per_line = max(1, (LINE - indent) // (self.style.width + 2))
        if self.summary and len(items) > 2 * EDGE:
            texts = [self.style.written(x) for x in (*items[:EDGE], *items[-EDGE:])]
            texts.insert(EDGE, " ...")
        else:
            texts = [self.style.written(x) for x in items]
        lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def tensor_text(
    items: Sequence[Any],
    shape: tuple[int, ...],
    is_float: bool,
    suffixes: Sequence[str],
    options: Options | None = None,
) -> str:
    """`tensor(…)` with suffixes such as "dtype=torch.float64"."""
    indent = len("tensor(")
    if not prod(shape):
        size = [f"size={shape}"] if len(shape) != 1 else []
        return with_suffixes("tensor([]", [*size, *suffixes], indent)
    summary = prod(shape) > THRESHOLD
    style = style_of(shown(items, shape) if summary else items, is_float, options or Options())
    body = _Page(style, summary).nested(items, shape, indent)
    return with_suffixes("tensor(" + body, suffixes, indent)


def with_suffixes(text: str, suffixes: Sequence[str], indent: int) -> str:
    """`text` and its suffixes, each on a new line where the line would be longer than 80."""
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > LINE:
            text += ",\n" + " " * indent + suffix
            length = indent + len(suffix)
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"
