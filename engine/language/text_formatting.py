"""Formatting of texts: `format(value, spec)`, the sign %, and `str.format`.

Fields are CPython's own, written one at a time; widths and precisions beyond LONGEST are refused,
and an attribute in a field is read as the program would read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from string import Formatter
from typing import Any

from engine.tensors.scalar import Tensor

from .contract import Machine
from .texts import format_with, repr_text, str_text
from .weights import check_key, guarded_width, joined, text_cost, whole

_NUMBERS = re.compile(r"\d+")
_FILL = re.compile(r"(?s).[<>=^]")
_CONVERSIONS: dict[str, Callable[[Machine, Any], str]] = {
    "s": str_text,
    "r": repr_text,
    "a": lambda m, x: ascii_text(m, x),  # noqa: PLW0108 -- defined below
}
_PARSE = Formatter().parse


def ascii_text(m: Machine, x: Any) -> str:
    """`ascii(x)`."""
    text = repr_text(m, x)
    m.spend(text_cost(text, 8))
    return text.encode("ascii", "backslashreplace").decode()


def formatted(m: Machine, value: Any, spec: str = "", conversion: str = "") -> str:
    """One field of an f-string: `{value!conversion:spec}`; also `format(value, spec)`."""
    if conversion:
        value = _CONVERSIONS[conversion](m, value)
    if type(value) is str and not spec:
        return str(value)
    if type(value) is bool and not spec:
        return str(value)
    return format_with(m, value, checked_spec(m, spec))


def checked_spec(m: Machine, spec: str) -> str:
    """`spec` with a width and a precision within bounds."""
    m.spend(text_cost(spec))
    rest = spec[2:] if _FILL.match(spec) else spec
    for digits in _NUMBERS.findall(rest):
        guarded_width(m, int(digits[:9].lstrip("0") or "0") if len(digits) < 10 else 10**9)
    return spec


# str.format


def format_text_of(m: Machine, template: str, *args: Any, **kwargs: Any) -> str:
    """`template.format(*args, **kwargs)`."""
    return _Fields(m, args, kwargs).fill(template, 2)


def format_map(m: Machine, template: str, *mappings: Any) -> str:
    """`template.format_map(mapping)`."""
    if len(mappings) != 1:
        return template.format_map(*mappings)
    return _Fields(m, (), mappings[0]).fill(template, 2)


class _Fields:
    """The arguments of one `str.format`, and the number of the next field without a name."""

    def __init__(self, m: Machine, args: tuple[Any, ...], kwargs: Any) -> None:
        self.m, self.args, self.kwargs = m, args, kwargs
        self.next: int | None = 0

    def fill(self, template: str, depth: int) -> str:
        if depth == 0:
            raise ValueError("Max string recursion exceeded")
        self.m.spend(text_cost(template, 4))
        parts: list[str] = []
        for literal, name, spec, conversion in _PARSE(template):
            self.m.spend(2)
            parts.append(literal)
            if name is not None:
                parts.append(self._field(name, spec or "", conversion, depth))
        return joined(self.m, parts)

    def _field(self, name: str, spec: str, conversion: str | None, depth: int) -> str:
        value = self._value(name)
        if conversion and conversion not in _CONVERSIONS:
            raise ValueError(f"Unknown conversion specifier {conversion!s}")
        return formatted(
            self.m, value, self.fill(spec, depth - 1) if spec else "", conversion or ""
        )

    def _value(self, name: str) -> Any:
        first, steps = _steps(name)
        value = self._argument(first)
        for is_attribute, step in steps:
            self.m.spend(1)
            value = self.m.get_attribute(value, step) if is_attribute else self._item(value, step)
        return value

    def _argument(self, first: str) -> Any:
        if first and not first.isdigit():
            check_key(self.m, first, 0)
            return self.kwargs[first]
        return self._positional(first)

    def _positional(self, first: str) -> Any:
        if first:
            if self.next:
                raise ValueError(
                    "cannot switch from automatic field numbering to manual field specification"
                )
            self.next, number = None, int(first)
        else:
            if self.next is None:
                raise ValueError(
                    "cannot switch from manual field specification to automatic field numbering"
                )
            number, self.next = self.next, self.next + 1
        if number >= len(self.args):
            message = f"Replacement index {number} out of range for positional args tuple"
            raise IndexError(message)
        return self.args[number]

    def _item(self, value: Any, step: str) -> Any:
        if isinstance(value, type):
            self.m.refuse("Items of a type are not part of this language.", "Format an object.")
        return value[int(step) if step.isdigit() else step]


def _steps(name: str) -> tuple[str, list[tuple[bool, str]]]:
    """`a.b[c]` as "a" and its steps: (True, "b") for an attribute, (False, "c") for an item."""
    match = re.match(r"[^.\[]*", name)
    first = match.group() if match else ""
    rest, steps = name[len(first) :], []
    while rest:
        found = re.match(r"\.([^.\[]+)|\[([^\]]+)\]", rest)
        if not found:
            raise ValueError("Empty attribute in format string")
        attribute, item = found.groups()
        steps.append((attribute is not None, attribute or item))
        rest = rest[found.end() :]
    return first, steps


# The sign %

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|\d*)"
    r"(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<kind>.?)",
    re.DOTALL,
)


def percent(m: Machine, template: str, given: Any) -> str:
    """`template % given`."""
    m.spend(text_cost(template, 4))
    fields = _Percent(m, given)
    parts: list[str] = []
    end = 0
    for found in _PERCENT.finditer(template):
        m.spend(2)
        parts += (template[end : found.start()], fields.write(found))
        end = found.end()
    fields.finish()
    parts.append(template[end:])
    return joined(m, parts)


class _Percent:
    """The arguments of one `template % given`."""

    def __init__(self, m: Machine, given: Any) -> None:
        self.m, self.given = m, given
        self.left: Iterator[Any] = iter(given if isinstance(given, tuple) else (given,))
        self.keyed = False

    def write(self, found: re.Match[str]) -> str:
        kind = found["kind"]
        if kind == "%" and found.group() == "%%":
            return "%"
        value_of_key = self._keyed(found["key"]) if found["key"] is not None else None
        width = self._size(found["width"]) if found["width"] else None
        precision = None if found["precision"] is None else self._size(found["precision"])
        if not kind:
            raise ValueError("incomplete format")
        if kind == "%":
            return "%"
        if kind not in "sradiouxXeEfFgGc":
            message = f"unsupported format character {kind!r} (0x{ord(kind):x})"
            raise ValueError(f"{message} at index {found.end() - 1}")
        value = value_of_key if found["key"] is not None else self._next()
        if kind in _CONVERSIONS:
            value, kind = _CONVERSIONS[kind](self.m, value), "s"
        elif isinstance(value, Tensor):
            value = value.data if kind in "eEfFgG" else int(value.data)
        dot = "" if precision is None else f".{precision}"
        text: str = f"%{found['flags']}{'' if width is None else width}{dot}{kind}" % (value,)
        return text

    def _next(self) -> Any:
        for value in self.left:
            return value
        raise TypeError("not enough arguments for format string")

    def _keyed(self, key: str) -> Any:
        if isinstance(self.given, tuple | str) or not hasattr(type(self.given), "__getitem__"):
            raise TypeError("format requires a mapping")
        self.keyed = True
        return self.given[key]

    def _size(self, written: str) -> int:
        if written == "*":
            value = self._next()
            if not isinstance(value, int):
                raise TypeError("* wants int")
            size = whole(value)
        else:
            size = int(written or "0") if len(written) < 10 else 10**9
        guarded_width(self.m, abs(size))
        return size

    def finish(self) -> None:
        mapping = not isinstance(self.given, tuple | str) and hasattr(
            type(self.given), "__getitem__"
        )
        if not self.keyed and not mapping and next(self.left, self) is not self:
            raise TypeError("not all arguments converted during string formatting")
