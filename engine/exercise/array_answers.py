"""Arrays as a student types them, a row on each line, and what a wrong one is likely to come from.

2 -1 0.5        also 2, -1, 1/2 or [2, -1, 0.5]; a shape is 3 2, 3×2 or (3, 2)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isclose
from typing import NamedTuple

from engine.array_ops.flat import Flat
from engine.numbers import counted
from engine.trace.array_sabotage import broken
from engine.trace.array_trace import ArrayTrace, TracedArray

from .answer_text import read_number
from .judging import is_right

DATA, GRAD, SHAPE = "data", "grad", "shape"
TOLERANCE = 0.005
_ALIKE = 0.002
_TIMES = re.compile(r"(?<=\d)\s*[×x*]\s*(?=\d)")
_BRACKETS = str.maketrans("[]();", "     ")
SLIPS = {
    "transpose": "One factor of the product is not transposed.",
    "sum": "The rows that were copies have not been added up.",
    "axis": "The sum runs along the wrong axis.",
    "mean": "That is the mean of the contributions. Contributions are added.",
}
"""What is said of the mistakes of `array_sabotage` that a student makes by hand."""


class ThoughtArray(NamedTuple):
    """An array that a slip leads to, and what is said of it."""

    made: Flat
    says: str


def read_rows(lines: Sequence[str], columns: int) -> list[list[float]]:
    """The rows of numbers of some lines; commas are decimal if there are `columns` words.

    Raises AnswerError.
    """
    words = [re.sub(r",(?=\s|$)", " ", line.translate(_BRACKETS)).split() for line in lines]
    rows = []
    for row in filter(None, words):
        texts = row if len(row) == columns else [it for word in row for it in word.split(",")]
        rows.append([read_number(text) for text in texts if text])
    return rows


def read_shape(lines: Sequence[str]) -> tuple[int, ...]:
    """A shape; a number that is not whole is as wrong as any. Raises AnswerError."""
    text = _TIMES.sub(" ", " ".join(lines))
    return tuple(round(x) for row in read_rows([text], 0) for x in row)


def shape_slip(trace: ArrayTrace, node: TracedArray, typed: tuple[int, ...]) -> str:
    """What is wrong with a shape; "" if it is right."""
    due = node.data.shape
    if typed == due:
        return ""
    if typed == due[::-1]:
        return "Rows and columns have changed places."
    if len(typed) != len(due):
        axes = "1 axis" if len(due) == 1 else f"{len(due)} axes"
        return f"It has {axes}, so {counted(len(due), 'number')} in its shape."
    for other in trace.nodes:
        if other.data.shape == typed and other.is_named:
            return f"That is the shape of {other.name}."
    parts = [k for k, (a, b) in enumerate(zip(typed, due, strict=True)) if a == b]
    return "One of the two numbers is right." if parts else "Neither number is right."


def rows_slip(trace: ArrayTrace, node: TracedArray, kind: str, rows: list[list[float]]) -> str:
    """What is wrong with rows of numbers for an array's data or gradient; "" if they are right."""
    due = node.data if kind == DATA else node.grad
    assert due is not None
    typed = _typed(rows, due.shape)
    if typed is None:
        return "The rows differ in length."
    is_same_shape = typed.shape == due.shape
    pairs = zip(typed.data, due.data, strict=False)
    right = [is_same_shape and is_right(a, b, TOLERANCE) for a, b in pairs]
    if is_same_shape and all(right):
        return ""
    for thought in _thoughts(trace, node, kind):
        if _is_alike(typed, thought.made):
            return thought.says
    if not is_same_shape:
        return _of_shape(typed.shape, due.shape, node.name, kind)
    ratio = _ratio(typed.data, due.data)
    if ratio is not None:
        return "All signs are flipped." if ratio == -1 else f"All are {ratio:g} times too large."
    place = right.index(False)
    where = f"row {place // due.shape[-1] + 1}, column {place % due.shape[-1] + 1}"
    if len(due.shape) < 2:
        where = f"place {place + 1}"
    return f"{sum(right)} of {len(right)} numbers are right; the one in {where} is not."


def _typed(rows: list[list[float]], due: tuple[int, ...]) -> Flat | None:
    """Rows as an array; a single row has one axis where one is due."""
    if len({len(row) for row in rows}) != 1:
        return None
    data = [x for row in rows for x in row]
    is_flat = len(due) < 2 and 1 in (len(rows), len(rows[0]))
    return Flat((len(data),) if is_flat else (len(rows), len(rows[0])), data)


def _of_shape(typed: tuple[int, ...], due: tuple[int, ...], name: str, kind: str) -> str:
    said = "×".join(map(str, typed)) if len(typed) > 1 else f"{typed[0]} numbers in a row"
    wanted = "×".join(map(str, due)) if len(due) > 1 else counted(due[0], "number")
    rule = f"A gradient has the shape of its array: {name} is" if kind == GRAD else f"{name} is"
    return f"You typed {said}. {rule} {wanted}."


def _thoughts(trace: ArrayTrace, node: TracedArray, kind: str) -> Iterator[ThoughtArray]:
    """The arrays that slips lead to, the likeliest first."""
    due = node.data if kind == DATA else node.grad
    assert due is not None
    if kind == GRAD:
        yield from _slips_of_uses(trace, node)
    if len(due.shape) == 2:
        yield ThoughtArray(_transposed(due), "Rows and columns have changed places.")
    for other in (it for it in trace.nodes if it.is_named):
        if other is not node or kind == GRAD:
            yield ThoughtArray(other.data, f"Those are the numbers of {other.name} itself.")
        if other.grad is not None and (other is not node or kind == DATA):
            yield ThoughtArray(other.grad, f"That is the gradient of {other.name}.")


def _slips_of_uses(trace: ArrayTrace, node: TracedArray) -> Iterator[ThoughtArray]:
    nodes = {it.id: it for it in trace.nodes}
    uses = [(f.node, c) for f in trace.frames for c in f.contributions if c.to == node.id]
    for user, contribution in uses:
        if len(uses) > 1:
            says = f"That comes through {nodes[user].name} alone, and {node.name} has more uses."
            yield ThoughtArray(contribution.amount, says)
        args = [nodes[arg] for arg in nodes[user].args]
        for found in broken(nodes[user], args, contribution):
            if found.made is not None and found.name in SLIPS:
                yield ThoughtArray(found.made, SLIPS[found.name])


def _transposed(it: Flat) -> Flat:
    rows, columns = it.shape
    data = [it.data[j * columns + i] for i in range(columns) for j in range(rows)]
    return Flat((columns, rows), data)


def _is_alike(a: Flat, b: Flat) -> bool:
    pairs = zip(a.data, b.data, strict=False)
    return a.shape == b.shape and all(is_right(x, y, _ALIKE) for x, y in pairs)


def _ratio(typed: Sequence[float], due: Sequence[float]) -> float | None:
    """The one factor between wrong and right numbers, if there is one of a few digits."""
    found = {round(a / b, 3) for a, b in zip(typed, due, strict=True) if b}
    zeros = all(isclose(a, 0, abs_tol=1e-9) for a, b in zip(typed, due, strict=True) if not b)
    ratio = found.pop() if len(found) == 1 and zeros else None
    return ratio or None
