"""Figures in words and as a matrix of numbers, for pages and tables."""

from __future__ import annotations

from typing import Any

from engine.numbers import short
from engine.pytorch.record import Figures

FEW = 8
"""Numbers that are listed."""


def matrix_of(figures: Figures) -> list[list[float]]:
    """The kept numbers as rows, of a large tensor its corner's; none of one without numbers.

    Complex numbers have no place in a map of numbers.
    """
    if figures.dtype.startswith("complex"):
        return []
    values = figures.values
    if values is not None:
        columns = figures.shape[-1] if figures.shape else 1
        flat = [float(x.real) for x in values]
        return [flat[i : i + columns] for i in range(0, len(flat), columns)] if columns else []
    corner = figures.corner
    if corner is None:
        return []
    rows: list[Any] = corner if isinstance(corner, list) else corner.tolist()
    lines: list[Any] = [rows] if len(figures.shape) == 1 else rows
    return [[float(x) for x in row] for row in lines]


def shape_text(figures: Figures) -> str:
    """6×8, or the number of elements of one axis; empty for one number."""
    return "×".join(map(str, figures.shape))


def told(figures: Figures | None) -> str:
    """The numbers of a tensor in a line: few are listed, of many the figures are given."""
    if figures is None:
        return "none"
    values = figures.values
    if values is not None and len(values) <= FEW:
        listed = ", ".join(map(_text, values))
        return listed if not figures.shape else f"[{listed}]"
    if figures.norm is None or figures.least is None or figures.largest is None:
        return f"{figures.dtype} {shape_text(figures)}"
    bad = [f"{n:,} {word}" for n, word in ((figures.nans, "nan"), (figures.infs, "inf")) if n]
    kind = "absolute values " if figures.dtype.startswith("complex") else ""
    text = (
        f"{kind}{short(figures.least)} to {short(figures.largest)}, "
        f"mean {short(figures.mean or 0.0)}, length {short(figures.norm)}"
    )
    return f"{text}, {' and '.join(bad)}" if bad else text


def _text(x: Any) -> str:
    if not isinstance(x, complex):
        return short(x)
    return f"{short(x.real)} {'-' if x.imag < 0 else '+'} {short(abs(x.imag))}i"
