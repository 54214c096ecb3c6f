"""Arrays as NumPy 2 prints them: aligned columns, nested brackets, wrapped and summarised rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.array_ops.grid import Grid, from_items

from .context import Context, PrintOptions
from .dtypes import BOOL, FLOAT64, INT64, OBJECT, ArrayDType
from .number_columns import Floats
from .scalars import scalar

Write = Callable[[Any], str]
KINDS = {
    "b": ("bool",), "i": ("int_kind", "int"), "u": ("int_kind", "int"),
    "f": ("float_kind", "float"), "U": ("str_kind", "numpystr"), "O": ("object",),
}  # fmt: skip
"""The keys of `formatter` that apply to a kind of elements."""


@dataclass(slots=True)
class _Lines:
    """How the text is laid out."""

    write: Write
    separator: str
    edge: int  # elements kept at either end of an axis; 0 for all


def text(context: Context, grid: Grid, dtype: ArrayDType) -> str:
    """What `print` writes."""
    if not grid.shape:
        return str(scalar(grid.flat[grid.offset], dtype))
    return bracketed(context, grid, dtype, " ", "")


def representation(context: Context, grid: Grid, dtype: ArrayDType) -> str:
    """What `repr` gives: "array([1., 2.])", with the shape and type where these do not show."""
    options = context.printing
    body = "array(" + bracketed(context, grid, dtype, ", ", "array(")
    extras = []
    if (grid.size == 0 and grid.shape != (0,)) or grid.size > options.threshold:
        extras.append(f"shape={grid.shape}")
    if dtype not in (INT64, FLOAT64, BOOL) or grid.size == 0:
        name = f"'{dtype.name}'" if dtype.kind == "U" else dtype.name
        extras.append(f"dtype={name}")
    if not extras:
        return body + ")"
    body += ","
    rest = ", ".join(extras) + ")"
    last = len(body) - (body.rfind("\n") + 1)
    fits = last + len(rest) + 1 <= options.linewidth
    return body + (" " if fits else "\n" + " " * len("array(")) + rest


def bracketed(context: Context, grid: Grid, dtype: ArrayDType, separator: str, prefix: str) -> str:
    """The elements in brackets, aligned behind a prefix, which a bracket will close."""
    if not grid.size:
        return "[]"
    options = context.printing
    edge = options.edgeitems if grid.size > options.threshold else 0
    shown = _corners(grid, edge).items() if edge else grid.items()
    write = _writer(context, shown, dtype, bool(grid.shape))
    lines = _Lines(write, separator, edge)
    return _nested(grid, lines, " " * (1 + len(prefix)), options.linewidth - bool(prefix))


def _corners(grid: Grid, edge: int) -> Grid:
    """The elements that a summary shows."""
    picks = [
        [*range(edge), *range(n - edge, n)] if n > 2 * edge else list(range(n)) for n in grid.shape
    ]
    places = [grid.offset]
    for pick, stride in zip(picks, grid.strides, strict=True):
        places = [place + i * stride for place in places for i in pick]
    return from_items([grid.flat[place] for place in places], tuple(map(len, picks)))


def _writer(context: Context, shown: list[Any], dtype: ArrayDType, aligned: bool) -> Write:
    options = context.printing
    chosen = _chosen(options, dtype)
    if chosen is not None:
        return lambda x: str(context.host.call(chosen, scalar(x, dtype)))
    if dtype.kind == "f":
        return Floats(shown, dtype, options)
    if dtype.kind == "b":
        return lambda x: ("True".rjust(5) if aligned else "True") if x else "False"
    if dtype is OBJECT:
        return lambda x: _object(context, x)
    if dtype.kind == "U":
        return repr
    return _whole_numbers(shown, options.sign)


def _chosen(options: PrintOptions, dtype: ArrayDType) -> Any:
    """The program's own formatter for a type."""
    for key in (*KINDS[dtype.kind], "all"):
        if options.formatter and options.formatter.get(key) is not None:
            return options.formatter[key]
    return None


def _whole_numbers(shown: list[int], sign: str) -> Write:
    high, low = max(shown), min(shown)
    if sign == " " and low < 0:
        sign = "-"
    width = max(len(str(high)) + (high >= 0 and sign in "+ "), len(str(low)))
    return lambda x: f"{x:{sign}{width}d}"


def _object(context: Context, x: Any) -> str:
    words = context.represent(x)
    return f"list({words})" if type(x) is list else words


def _nested(grid: Grid, lines: _Lines, indent: str, width: int) -> str:
    """A grid in brackets; `indent` stands before all of its lines but the first."""
    if not grid.shape:
        return lines.write(grid.flat[grid.offset])
    if grid.ndim == 1:
        body = _row(grid, lines, indent, width)
    else:
        end = lines.separator.rstrip() + "\n" * (grid.ndim - 1)
        parts = [
            "..." if at is None else _nested(_slice(grid, at), lines, indent + " ", width - 1)
            for at in _shown(grid.shape[0], lines.edge)
        ]
        body = end.join(indent + part for part in parts)
    return "[" + body[len(indent) :] + "]"


def _slice(grid: Grid, at: int) -> Grid:
    return Grid(grid.flat, grid.shape[1:], grid.strides[1:], grid.offset + at * grid.strides[0])


def _shown(n: int, edge: int) -> list[int | None]:
    """The indices along an axis; None for those that a summary leaves out."""
    if not edge or n <= 2 * edge:
        return list(range(n))
    return [*range(edge), None, *range(n - edge, n)]


def _row(grid: Grid, lines: _Lines, indent: str, width: int) -> str:
    """The elements of a row, wrapped so that a comma or bracket stays within `width`."""
    done, line = "", indent
    shown = _shown(grid.shape[0], lines.edge)
    for at in shown:
        word = "..." if at is None else lines.write(grid.flat[grid.offset + at * grid.strides[0]])
        done, line = _extended(done, line, word, width - 1, indent)
        if at != shown[-1]:
            line += lines.separator
    return done + line


def _extended(done: str, line: str, word: str, width: int, indent: str) -> tuple[str, str]:
    """The finished lines and the current one after a word, which may have lines of its own."""
    words = word.splitlines() or [""]
    longest = max(map(len, words))
    if len(line) + longest > width and len(line) > len(indent):
        done, line = f"{done}{line.rstrip()}\n", indent
        margin = indent
    else:
        margin = " " * len(line)
    line += words[0]
    for more in words[1:]:
        done, line = f"{done}{line.rstrip()}\n", margin + more
    return done, line + " " * (longest - len(words[-1]))
