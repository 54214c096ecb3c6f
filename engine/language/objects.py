"""What the variables of a program can hold, how messages describe it and `print` writes it."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.nn import Module
from engine.value import Value

from .tape import Number, Refused

if TYPE_CHECKING:
    from .expressions import Expressions

Arguments: TypeAlias = list[Any]
Keywords: TypeAlias = dict[str, Any]
LABEL_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Library:
    """A module that programs may import; its functions are looked up in the tables here."""

    name: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A built-in function under a name of the program's: `t` after `from math import tanh as t`."""

    name: str
    library: str


class Drawing:
    """What a call that draws gives back: nothing that could be computed with."""


@dataclass(frozen=True, slots=True)
class Precision:
    """A dtype of PyTorch or NumPy: floats of so many bits."""

    bits: int


PRECISIONS = {
    "float32": Precision(32), "float": Precision(32), "float64": Precision(64),
    "double": Precision(64),
}  # fmt: skip


class Members(tuple[Value, ...]):
    """The args of a Value, printed as micrograd prints its set."""

    __slots__ = ()


class Array(list[Any]):
    """An array of NumPy, or a tensor of several numbers: it is read like a list, item by item."""

    __slots__ = ()


class Parts(list[Any]):
    """The weights, neurons or layers of a network, which a program may read but not replace."""

    __slots__ = ()


DRAWING = Drawing()


def sentence(words: str) -> str:
    """`words` with a capital letter, the others as they are."""
    return words[:1].upper() + words[1:]


def name_of(node: ast.AST) -> str:
    """The name that stands at `node`, for a label; empty if it is no name of the program's."""
    return node.id if isinstance(node, ast.Name) and node.id != MAPPED else ""


def written(node: ast.expr) -> str:
    """The name at `node` as the program writes it: "plt.show", "f(…).x"; never a long one."""
    parts: list[str] = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            parts.append(f".{node.attr}")
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("(…)")
            node = node.func
        else:
            parts.append("…")
            break
    else:
        parts.append(node.id)
    return "".join(reversed(parts))[:40]


def kind(value: Any) -> str:
    """What `value` is, for a message: "a list", "a plain number"."""
    from .kinds import kind_of  # the table of kinds stands on this module

    return kind_of(value).words


def describe(value: Any) -> str:
    """A number as itself, anything else as what it is."""
    bared = bare(value)
    return repr(bared) if type(bared) in (int, float) else kind(value)


def bare(value: Any) -> Any:
    """The plain number of a Value; anything else as it is."""
    if isinstance(value, Number) and value.whole and math.isfinite(value.data):
        return int(value.data)
    return value.data if isinstance(value, Value) else value


def same(run: Expressions, a: Any, b: Any, node: ast.AST) -> bool:
    """Whether a == b; lists are compared item by item, and each item is counted."""
    run.tape.spend(node)
    for types in (list, tuple):
        if isinstance(a, types) and isinstance(b, types):
            return len(a) == len(b) and all(
                same(run, bare(x), bare(y), node) for x, y in zip(a, b, strict=True)
            )
    if isinstance(a, _PLAIN) and isinstance(b, _PLAIN):
        return bool(a == b)
    return a is b


_PLAIN = (int, float, str, range)


def text(run: Expressions, value: Any, *, quote: bool = False, depth: int = 0) -> str:
    """`value` as `print` writes it, or as `repr` does with `quote`; counted by its length."""
    out = _text(run, value, quote, depth)
    run.tape.spend(run.source.tree, 1 + len(out) // LETTERS)
    return out


LETTERS = 32  # of text that cost one operation


def _text(run: Expressions, value: Any, quote: bool, depth: int) -> str:
    if isinstance(value, Number):
        return repr(bare(value))
    if isinstance(value, Value):
        return _value_text(run, value)
    if isinstance(value, str):
        return repr(value) if quote else value
    if isinstance(value, list | tuple):
        inside = (
            "…"
            if depth > 4
            else ", ".join(text(run, v, quote=True, depth=depth + 1) for v in value)
        )
        if isinstance(value, Members):
            return f"{{{inside}}}" if value else "set()"
        if isinstance(value, tuple):
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        return f"[{inside}]"
    if value is None or isinstance(value, bool | int | float | range | Module):
        return str(value)
    return f"<{kind(value)}>"


def _value_text(run: Expressions, value: Value) -> str:
    """As the pasted class Value writes itself, if there was one; else as the built-in does."""
    if run.repr is None or not isinstance(run.repr.body, ast.expr):
        return repr(value)
    around, function, run.repr = run.env, run.repr, None
    run.env = type(around)({function.params.args[0].arg: value}, around)
    try:
        assert isinstance(function.body, ast.expr)
        return str(run.evaluate(function.body))
    finally:
        run.env, run.repr = around, function


_FORMAT = re.compile(r"[<>^]?[ +-]?0?\d{0,2},?(\.\d{1,2})?[defgs%]?")


def formatted(run: Expressions, part: ast.FormattedValue) -> str:
    """One `{…}` of an f-string."""
    value = run.evaluate(part.value)
    if part.format_spec is None:
        return text(run, value, quote=part.conversion == ord("r"))
    spec = str(run.evaluate(part.format_spec))
    if not _FORMAT.fullmatch(spec):
        raise Refused(
            part, f"The format {spec[:20]!r} is not known here.", "Use one such as .4f, 8.2f or 3d."
        )
    value = bare(value)
    try:
        out = format(value if isinstance(value, int | float | str) else text(run, value), spec)
        run.tape.spend(part, 1 + len(out) // LETTERS)
        return out
    except (ValueError, OverflowError):
        raise Refused(
            part, f"The format {spec!r} does not fit {kind(value)}.", "Use .4f for a number."
        ) from None


def plain_number(value: Any, node: ast.AST) -> float:
    value = bare(value)
    if type(value) is float or type(value) is int:
        return value
    raise Refused(
        node,
        f"A number is needed here, not {kind(value)}.",
        number_hint(value) or "Write a number such as 2.0.",
    )


def number_hint(value: Any) -> str:
    """What to write where `value` stands in place of a number; empty for most things."""
    if isinstance(value, tuple) and len(value) == 2 and all(type(n) is int for n in value):
        whole, part = value
        return f"Write {whole}.{part} with a point; a comma makes a pair of numbers."
    if isinstance(value, list):
        return "Gradlens works on single numbers; write [f(v) for v in x]."
    return ""


MAPPED = " item"
"""The name of an item while `map` calls a function with it; no program can write it."""
