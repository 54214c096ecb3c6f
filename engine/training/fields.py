"""The types of the fields of a training spec: validation, and conversion to JSON and query strings.

Each type has four methods: `read` validates a value from JSON or from Python, or raises SpecError;
`parse` converts query text to the JSON value, and returns text that has none unchanged, for `read`
to refuse; `text` and `plain` convert back. Nothing is coerced: "4" is not a number, 4.0 not a size,
true not an integer.
"""

from __future__ import annotations

import difflib
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from .pasted_rows import Pasted, rows_of
from .refusals import LENGTH
from .refusals import SpecError as SpecError
from .refusals import misplaced as misplaced
from .refusals import refusal as refusal
from .refusals import shown as shown

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")
_SIZE = re.compile(r"[0-9]{1,30}")
_NETWORK = re.compile(r"MLP\(\s*([0-9]+)\s*,\s*\[(.*)\]\s*\)")
_BETWEEN = re.compile("→|->|-|,")


def nearest(name: str, known: Iterable[str]) -> str:
    """A suggestion for an unknown name: the closest known names, or all of them."""
    names = list(known)
    close = difflib.get_close_matches(name[:LENGTH].lower(), names, 2, 0.6)
    return f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(names)}."


class FieldType(ABC):
    """The type of a field. `joint` joins the texts of a query parameter that may be repeated."""

    __slots__ = ()
    joint: ClassVar[str] = ""

    @abstractmethod
    def read(self, field: str, value: object) -> Any:
        """The validated value. Raises SpecError."""

    def parse(self, text: str) -> object:
        """The JSON value of query text."""
        return text

    def text(self, value: Any) -> str:
        """The value as query text."""
        return str(value)

    def plain(self, value: Any) -> Any:
        """The value as plain data for JSON."""
        return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Name(FieldType):
    """A name from a table."""

    known: tuple[str, ...]

    def read(self, field: str, value: object) -> str:
        if isinstance(value, str) and value in self.known:
            return value
        name = value if isinstance(value, str) else ""
        raise refusal(field, value, f", which is not known; {nearest(name, self.known)}")


@dataclass(frozen=True, slots=True)
class Whole(FieldType):
    """An integer from `least` to `most`."""

    least: int
    most: int | None = None

    def read(self, field: str, value: object) -> int:
        x = whole(value)
        if x is None or x < self.least or (self.most is not None and x > self.most):
            raise refusal(field, value, f"; give a whole number {_range(self.least, self.most)}.")
        return x

    def parse(self, text: str) -> object:
        return _whole(text)


def whole(value: object) -> int | None:
    """`value` if it is an integer; None for anything else, 4.0 and true included."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _whole(text: str) -> object:
    stripped = text.strip()  # strips more than int() and float(): \x1f is white space to str only
    return int(stripped) if _WHOLE.fullmatch(stripped) else text


@dataclass(frozen=True, slots=True)
class Seed(Whole):
    """The seed of a part of a run; None if it is the seed of the run."""

    def read(self, field: str, value: object) -> int | None:  # type: ignore[override]
        return None if value is None else Whole.read(self, field, value)

    def parse(self, text: str) -> object:
        return _whole(text) if text.strip() else None

    def text(self, value: int | None) -> str:
        return "" if value is None else str(value)


SEED = Seed(0, 2**64 - 1)


@dataclass(frozen=True, slots=True)
class Number(FieldType):
    """A finite number from `least` to `most` and below `below`."""

    least: float = 0.0
    most: float | None = None
    below: float = math.inf

    def read(self, field: str, value: object) -> float:
        x = finite(value)
        if x is not None and self.least <= x < self.below and (self.most is None or x <= self.most):
            return x
        wanted = _range(self.least, self.most)
        if self.below < math.inf:
            wanted = f"from {self.least:g} to just below {self.below:g}"
        raise refusal(field, value, f"; give a number {wanted}.")

    def parse(self, text: str) -> object:
        return _number(text)


def finite(value: object) -> float | None:
    """`value` as a finite float, -0.0 as 0.0; None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        x = float(value) + 0.0
    except OverflowError:
        return None
    return x if math.isfinite(x) else None


def _number(text: str) -> object:
    stripped = text.strip()
    return float(stripped) if _NUMBER.fullmatch(stripped) else text


def _range(least: float, most: float | None) -> str:
    return f"from {least:g} upwards" if most is None else f"from {least:g} to {most:,}"


_SHARE = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*%")


@dataclass(frozen=True, slots=True)
class Percentage(FieldType):
    """A share of another number in per cent, such as "10%", or a number from 0 upwards."""

    def read(self, field: str, value: object) -> float | str:
        if isinstance(value, str) and (found := _SHARE.fullmatch(value.strip())):
            percent = float(found[1])
            if percent <= 100:
                return f"{_brief(percent)}%"
        x = finite(value)
        if x is None or x < 0:
            wanted = 'give a percentage such as "10%", up to "100%", or a number from 0 upwards.'
            raise refusal(field, value, f"; {wanted}")
        return x

    def parse(self, text: str) -> object:
        return _number(text)

    @staticmethod
    def of(value: float | str, whole: float) -> float:
        """The number that a value stands for: a percentage of `whole`, or the number itself."""
        return whole * (float(value[:-1]) / 100) if isinstance(value, str) else value


def _brief(x: float) -> str:
    return repr(x).removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Switch(FieldType):
    """True or false."""

    def read(self, field: str, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise refusal(field, value, "; give true or false.")

    def parse(self, text: str) -> object:
        return _SWITCHED.get(text.strip(), text)

    def text(self, value: bool) -> str:
        return "true" if value else "false"


_SWITCHED = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Sizes(FieldType):
    """The layer sizes of a network: a list, or a text as in `sizes_of`."""

    def read(self, field: str, value: object) -> tuple[int, ...]:
        sizes = sizes_of(value) if isinstance(value, str) else value
        if not isinstance(sizes, list | tuple) or len(sizes) < 2:
            wanted = "give the inputs and the size of each layer, such as [2, 16, 1] or 2-16-1."
            raise refusal(field, value, f"; {wanted}")
        return tuple(self._size(field, i, size) for i, size in enumerate(sizes))

    def _size(self, field: str, i: int, value: object) -> int:
        size = whole(value)
        if size is None or size < 1:
            raise misplaced(field, f"{field}[{i}]", value, "give a whole number from 1 upwards.")
        return size

    def text(self, value: Sequence[int]) -> str:
        return layers_text(value)


def sizes_of(text: str) -> list[int] | None:
    """The sizes in "2 → 6 → 4 → 1", "2 -> 6 -> 1", "2-6-1", "2, 6, 1" or "MLP(2, [6, 1])"."""
    network = _NETWORK.fullmatch(text.strip())
    parts = _BETWEEN.split(f"{network[1]},{network[2]}" if network else text.strip())
    if not all(_SIZE.fullmatch(part.strip()) for part in parts):
        return None
    return [int(part) for part in parts]


def layers_text(layers: Sequence[int]) -> str:
    """Layer sizes as query text: "2-16-16-1"."""
    return "-".join(map(str, layers))


@dataclass(frozen=True, slots=True)
class Activations(FieldType):
    """One activation for all hidden layers, or a list with one each."""

    known: tuple[str, ...]

    def read(self, field: str, value: object) -> str | tuple[str, ...]:
        one = Name(self.known)
        if isinstance(value, list | tuple):
            return tuple(one.read(field, name) for name in value)
        return one.read(field, value)

    def parse(self, text: str) -> object:
        if "," not in text:
            return text or []
        return [name.strip() for name in text.removesuffix(",").split(",")]

    def text(self, value: str | tuple[str, ...]) -> str:
        if isinstance(value, str):
            return value
        return ",".join(value) + ("," if len(value) == 1 else "")


@dataclass(frozen=True, slots=True)
class BatchSize(FieldType):
    """A batch size, or "all"."""

    def read(self, field: str, value: object) -> int | str:
        size = whole(value)
        if size is not None and size >= 1:
            return size
        if isinstance(value, str) and value == "all":
            return value
        raise refusal(field, value, '; give a whole number from 1 upwards, or "all".')

    def parse(self, text: str) -> object:
        return _whole(text)


@dataclass(frozen=True, slots=True)
class FiniteNumbers(FieldType):
    """A list of finite numbers."""

    def read(self, field: str, value: object) -> tuple[float, ...]:
        if not isinstance(value, list | tuple):
            raise refusal(field, value, "; give a list of numbers.")
        return _row(field, field, value)

    def parse(self, text: str) -> object:
        return [_number(cell) for cell in text.split(",")] if text.strip() else []

    def text(self, value: Sequence[float]) -> str:
        return ",".join(map(repr, value))


def _row(field: str, place: str, values: Sequence[object]) -> tuple[float, ...]:
    found = tuple(map(finite, values))
    if None in found:
        i = found.index(None)
        raise misplaced(field, f"{place}[{i}]", values[i], "give a finite number.")
    return tuple(x for x in found if x is not None)


@dataclass(frozen=True, slots=True)
class ClassNames(FieldType):
    """Distinct names of classes, each a line of up to 60 printable characters.

    As query text, separated by commas, or by tabs if a name has a comma or there is one name.
    """

    def read(self, field: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise refusal(field, value, '; give a list of names such as ["cat", "dog"].')
        for i, name in enumerate(value, 1):
            is_name = isinstance(name, str) and name.isprintable() and 0 < len(name) <= LENGTH
            if not is_name or value.index(name) != i - 1:
                wanted = f"give different names of 1 to {LENGTH} printable characters."
                raise misplaced(field, f"name {i}", name, wanted)
        return tuple(value)

    def parse(self, text: str) -> object:
        return text.split("\t" if "\t" in text else ",") if text else []

    def text(self, value: Sequence[str]) -> str:
        return ("\t" if any("," in name for name in value) else ",").join(value)


LARGEST = 1e100
"""The largest number of a row; the squares of larger ones overflow in losses and pictures."""


@dataclass(frozen=True, slots=True)
class Rows(FieldType):
    """Rows of equal length, at least 2, of finite numbers: the inputs, then the label."""

    def read(self, field: str, value: object) -> tuple[tuple[float, ...], ...]:
        if not isinstance(value, list | tuple):
            raise refusal(field, value, "; give a list of rows such as [0.5, -1, 1].")
        for i, row in enumerate(value):
            place = f"row {i + 1} of {field}"
            if not isinstance(row, list | tuple) or len(row) < 2:
                raise misplaced(field, place, row, "give the inputs and then the label.")
            if len(row) != len(value[0]):
                wanted = f"give as many numbers as in row 1, {len(value[0])}."
                raise misplaced(field, place, row, wanted)
        return tuple(self._cells(field, i, row) for i, row in enumerate(value, 1))

    def _cells(self, field: str, number: int, row: Sequence[object]) -> tuple[float, ...]:
        for column, cell in enumerate(row, 1):
            x = finite(cell)
            if x is None or abs(x) > LARGEST:
                wanted = "give a finite number."
                if x is not None:
                    wanted = f"give a number from −{LARGEST:g} to {LARGEST:g}."
                raise misplaced(field, f"row {number}, column {column} of {field}", cell, wanted)
        return tuple(float(cell) + 0.0 for cell in row)  # type: ignore[arg-type]

    def parse(self, text: str) -> object:
        return self.pasted(text).rows

    def pasted(self, text: str) -> Pasted:
        """Rows separated by line breaks, as `rows_of` parses them, or by semicolons.

        Rows separated by semicolons that all end with a word are parsed as if by line breaks.
        """
        if len(text.strip().splitlines()) > 1:
            return rows_of("rows", text, lambda cell: finite(_number(cell)))
        lines = [line for line in text.split(";") if line.strip()]
        rows = [[_number(cell) for cell in line.split(",")] for line in lines]
        if len(rows) > 1 and all(len(row) > 1 and isinstance(row[-1], str) for row in rows):
            return self.pasted("\n".join(map(str.strip, lines)))
        return Pasted(rows)

    def text(self, value: Sequence[Sequence[float]]) -> str:
        return ";".join(",".join(map(repr, row)) for row in value)

    def plain(self, value: Sequence[Sequence[float]]) -> list[list[float]]:
        return [list(row) for row in value]
