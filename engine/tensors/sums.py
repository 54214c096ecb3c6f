"""Sums in the order in which PyTorch's CPU kernel adds 32-bit numbers, so that they round alike.

Rows are added with four accumulators, and eight lanes of these where the numbers are adjacent;
each accumulator is a cascade, which starts a new partial sum after every 16 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Add = Callable[[Any, Any], Any]

LANES = 8
ACCUMULATORS = 4
LEVELS = 4


def _cascade(items: Sequence[Any], add: Add) -> Any:
    """The sum of at least one number by levels of partial sums."""
    power = max(4, ((len(items) - 1).bit_length()) // LEVELS)
    step = 1 << power
    levels: list[Any] = [None] * LEVELS
    whole = len(items) - len(items) % step
    for start in range(0, whole, step):
        levels[0] = _total((levels[0], *items[start : start + step]), add)
        for level in range(1, LEVELS):
            levels[level] = _total((levels[level], levels[level - 1]), add)
            levels[level - 1] = None
            if (start + step) & ((step - 1) << (level * power)):
                break
    levels[0] = _total((levels[0], *items[whole:]), add)
    return _total(levels, add)


def _total(items: Sequence[Any], add: Add) -> Any:
    """The sum from left to right of what is not None; None if nothing is left."""
    total = None
    for x in items:
        if x is not None:
            total = x if total is None else add(total, x)
    return total


def _interleaved(items: Sequence[Any], add: Add) -> Any:
    """The sum by four accumulators; the numbers left over go to the first."""
    whole = len(items) - len(items) % ACCUMULATORS
    parts = [
        _cascade(items[k:whole:ACCUMULATORS], add) if whole else None for k in range(ACCUMULATORS)
    ]
    parts[0] = _total((parts[0], *items[whole:]), add)
    return _total(parts, add)


def adjacent_sum(items: Sequence[Any], add: Add) -> Any:
    """The sum of at least one number that lie next to each other."""
    if len(items) < LANES:
        return _interleaved(items, add)
    whole = len(items) - len(items) % LANES
    lanes = [_interleaved(items[k:whole:LANES], add) for k in range(LANES)]
    return _total((_total(items[whole:], add), *lanes), add)


def column_sums(columns: Sequence[Sequence[Any]], add: Add) -> list[Any]:
    """The sum of each column of a matrix that is stored by rows."""
    if len(columns) == 1:
        return [adjacent_sum(columns[0], add)]
    block = LANES * ACCUMULATORS if len(columns) >= LANES else ACCUMULATORS
    blocks = len(columns) - len(columns) % block
    return [
        _cascade(column, add) if k < blocks else _interleaved(column, add)
        for k, column in enumerate(columns)
    ]


def sums_along(
    rows: Sequence[Sequence[Any]], axes: Sequence[int], rank: int, add: Add
) -> list[Any]:
    """The sum of each row along axes of a tensor with `rank` axes, none of them empty."""
    if len(axes) == 1 and axes[0] < rank - 1:
        return column_sums(rows, add)
    return [adjacent_sum(row, add) for row in rows]
