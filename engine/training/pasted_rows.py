"""Parser of rows pasted from a table: one sample per line, the inputs and then the label.

The delimiter is the first of tab, semicolon, comma and spaces that occurs; with a tab or a
semicolon, a comma is a decimal mark. A first line without numbers is a header. Words in the last
column are classes in order of appearance: two are labelled -1 and 1, which are classes for every
loss, more are 0, 1, 2, …. Errors count lines and columns from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from .refusals import SpecError, misplaced, shown

Read = Callable[[str], float | None]
"""Parses text as a finite number; None if it is not one."""


class Pasted(NamedTuple):
    """The rows of a table, and the names of its classes, () for numeric labels."""

    rows: Sequence[Sequence[object]]
    names: tuple[str, ...] = ()


class PastedLine(NamedTuple):
    """A non-empty line: its number in the text and its cells."""

    number: int
    cells: list[str]


def rows_of(field: str, text: str, read: Read) -> Pasted:
    """The rows of a multi-line text. Raises SpecError for `field`."""
    delimiter = next((sign for sign in "\t;," if sign in text), None)
    commas = delimiter in ("\t", ";")

    def number(cell: str) -> float | None:
        return read(cell.replace(",", ".") if commas else cell)

    lines = [
        PastedLine(i, [_bare(cell) for cell in line.split(delimiter)])
        for i, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]
    if lines and all(number(cell) is None for cell in lines[0].cells):
        del lines[0]
    _check_widths(field, lines)
    inputs = [
        [_input(field, line, j, number) for j in range(len(line.cells) - 1)] for line in lines
    ]
    labels, names = _labels(field, lines, number)
    return Pasted([[*row, y] for row, y in zip(inputs, labels, strict=True)], names)


def _bare(cell: str) -> str:
    """A cell without surrounding white space and quotes."""
    return cell.strip().removeprefix('"').removesuffix('"').strip()


def _check_widths(field: str, lines: Sequence[PastedLine]) -> None:
    for line in lines:
        width, first = len(line.cells), lines[0]
        if width < 2:
            _refuse(field, line, 1, "; give the inputs and then the label.")
        if width != len(first.cells):
            counts = f"has {width} columns, but line {first.number} has {len(first.cells)}"
            raise SpecError(field, shown(line.cells), f"line {line.number} {counts}.")


def _input(field: str, line: PastedLine, column: int, read: Read) -> float:
    x = read(line.cells[column])
    if x is None:
        _refuse(field, line, column + 1, "; give a finite number.")
    return x


def _labels(
    field: str, lines: Sequence[PastedLine], read: Read
) -> tuple[list[float], tuple[str, ...]]:
    """The labels in the last column as numbers, and the class names if they were words."""
    found = [read(line.cells[-1]) for line in lines]
    named = [x is None for x in found]
    for line, is_word in zip(lines, named, strict=True):
        if not line.cells[-1]:
            _refuse(field, line, len(line.cells), "; give a class or a number.")
        if is_word != named[0]:
            kinds = ("word", "number") if named[0] else ("number", "word")
            wanted = f"; line {lines[0].number} has a {kinds[0]} there: give a {kinds[0]}."
            _refuse(field, line, len(line.cells), wanted)
    numbers = [x for x in found if x is not None]
    if numbers or not lines:
        return numbers, ()
    names = tuple(dict.fromkeys(line.cells[-1] for line in lines))
    if len(names) == 1:
        wanted = "give rows of at least two classes."
        raise misplaced(field, "the label of every row", names[0], wanted)
    values = (-1.0, 1.0) if len(names) == 2 else map(float, range(len(names)))
    classes = dict(zip(names, values, strict=True))
    return [classes[line.cells[-1]] for line in lines], names


def _refuse(field: str, line: PastedLine, column: int, why: str) -> NoReturn:
    seen = shown(line.cells[column - 1])
    raise SpecError(field, seen, f"line {line.number}, column {column}: {seen}{why}")
