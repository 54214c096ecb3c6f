"""The sizes of numbers, texts and lists: counted or refused before they are built."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

from .classes import ProgramType, Thing
from .contract import Machine
from .weights import gaps

LARGE = 1 << 64
"""An int beyond which its length is charged."""
LETTERS = 32  # of text that cost one operation
SIZED = frozenset({list, tuple, str, bytes, range, dict, set, frozenset})
"""Types whose items are counted all at once."""

BITS = 1 << 17
"""Of an int: about 39,000 digits."""
TEXT_LENGTH = 1_000_000
LIST_LENGTH = 1_000_000
_SEQUENCES: tuple[Any, ...] = (str, bytes, list, tuple, deque)
_TABLES: tuple[Any, ...] = (set, frozenset, dict)
_VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.items()))
_COUNTED: tuple[Any, ...] = (*_TABLES, *_VIEWS)
DIGIT = 30
"""Bits of a digit of an int."""


def check_int(m: Machine, x: int) -> None:
    """Charge for a large int. Raises Refused beyond BITS."""
    bits = int.bit_length(x)
    m.spend(bits // 512 + 2 * (bits >> 12) ** 2)
    if bits > BITS:
        m.refuse(
            f"This number has more than {BITS:,} bits.",
            "Use smaller numbers, or floats: 2.0 ** 10.",
        )


def check_growth(m: Machine, sign: str, a: Any, b: Any) -> None:
    """Refuse `a ** b` and `a << b` of ints whose result would be too large; charge a division."""
    if not (isinstance(a, int) and isinstance(b, int)):
        return
    a, b = operator.index(a), operator.index(b)
    if sign in ("//", "%"):
        longer, shorter = a.bit_length() // DIGIT, b.bit_length() // DIGIT
        m.spend(max(longer - shorter, 0) * shorter >> 8)
        return
    if sign not in ("**", "<<") or b <= 0:
        return
    if a == 0 or (sign == "**" and a in (1, -1)):
        return
    bits = a.bit_length() + b if sign == "<<" else a.bit_length() * b
    if bits > 2 * BITS:
        m.refuse(
            f"This number has more than {BITS:,} bits.",
            "Use smaller numbers, or floats: 2.0 ** 10.",
        )
    m.spend(bits // 512)


def checked_operands(m: Machine, sign: str, a: Any, b: Any) -> tuple[Any, Any]:
    """The operands of `a sign b` after a charge for the container or int that it builds.

    Refuses one that is too large. What Python would go through by itself is gone through here.
    """
    check_growth(m, sign, a, b)
    if sign == "*" and isinstance(a, _SEQUENCES):
        b = _times(m, a, b)
    elif sign == "*" and isinstance(b, _SEQUENCES):
        a = _times(m, b, a)
    elif sign == "+" and isinstance(a, _SEQUENCES) and isinstance(b, _SEQUENCES):
        _check_length(m, len(a) + len(b), a, b)
    elif isinstance(a, _TABLES) and isinstance(b, _COUNTED):
        m.spend(2 * (len(a) + len(b)) + gaps(a) + gaps(b))
    elif isinstance(a, _VIEWS) and hasattr(type(b), "__iter__"):
        b = list(m.items(b))
        m.spend(2 * (len(a) + len(b)) + gaps(a))
    return a, b


def _times(m: Machine, sequence: Any, count: Any) -> Any:
    """The count of a repetition, checked; what is no whole number is left to Python."""
    kind = type(count)
    if isinstance(count, int) or (_is_index(kind) and not hasattr(kind, "__rmul__")):
        times = operator.index(count)
        _check_length(m, len(sequence) * max(times, 0), sequence)
        return times
    if isinstance(kind, ProgramType) and _is_index(kind):
        m.refuse("A number of this class repeats nothing here.", "Write int(n).")
    return count


def _is_index(kind: type) -> bool:
    return hasattr(kind, "__index__") and isinstance(kind, ProgramType)


def _check_length(m: Machine, length: int, *like: Any) -> None:
    if isinstance(like[0], str | bytes):
        if length > TEXT_LENGTH:
            m.refuse(f"This text has more than {TEXT_LENGTH:,} characters.", "Make it shorter.")
        is_narrow = all(isinstance(x, bytes) or (isinstance(x, str) and x.isascii()) for x in like)
        m.spend(1 + (length >> (5 if is_narrow else 3)))
    else:
        if length > LIST_LENGTH:
            m.refuse(f"This list has more than {LIST_LENGTH:,} items.", "Make it shorter.")
        m.spend(length)


def spend_search(m: Machine, container: Any) -> None:
    """Charge for a search through `container`, or a comparison with it."""
    if isinstance(container, list | tuple):
        m.spend(len(container) // 4)
    elif isinstance(container, str | bytes):
        m.spend(len(container) // 256)


_BOUNDS = frozenset({int, type(None), float, str})


def made_slice(m: Machine, *bounds: Any) -> slice:
    """A slice, whose bounds are numbers, None or objects of the program.

    Python takes a slice of slices apart recursively, without a bound in depth.
    """
    for bound in bounds:
        kind = type(bound)
        if kind not in _BOUNDS and not isinstance(bound, int | float | Thing):
            m.refuse("The bounds of a slice are whole numbers here.", "Write xs[i:j].")
    return slice(*bounds)


def checked_slice(m: Machine, owner: Any, at: slice) -> slice:
    """The slice with bounds of plain ints, after a charge for the items that it takes."""
    start, stop, step = (
        x if x is None else operator.index(x) for x in (at.start, at.stop, at.step)
    )
    taken = len(range(*slice(start, stop, step).indices(len(owner))))
    if isinstance(owner, str | bytes):
        m.spend(taken >> (5 if isinstance(owner, bytes) or owner.isascii() else 3))
    else:
        m.spend(taken)
    return slice(start, stop, step)
