"""The cost of native work whose size the program decides: texts, comparisons, keys of tables.

One operation stands for at most 50 bytes and about half a microsecond. A comparison, a repr or a
hash of nested containers visits an object once for each path to it, so that `a = [a, a]` forty
times costs 2⁴⁰: `weigh` walks the same paths, and is stopped by the budget.
"""

from __future__ import annotations

import gc
import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .contract import Machine
from .plain import TapedFloat, TapedInt

LONGEST = 2_000
"""Largest width or precision of a formatted text."""
DIGITS = 30
"""Bits of an int that cost one operation, where an int may be large."""

_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
CONTAINERS: tuple[type, ...] = (list, tuple, dict, set, frozenset, deque, *_VIEWS)
_TABLES: tuple[Any, ...] = (dict, set, frozenset)
_DENSE: frozenset[type] = frozenset({list, tuple, range, str, enumerate, zip, map, filter})
ATOMS: frozenset[type] = frozenset({float, bool, type(None), TapedFloat, TapedInt, type(...)})
_SIMPLE_KEYS = frozenset({str, bool, type(None)})
_LARGE_KEY = 2**60
_ENTRY_COST = 3


def text_cost(text: str | bytes, times: int = 1) -> int:
    """Operations for reading or building `times` copies of `text`."""
    narrow = isinstance(text, bytes) or text.isascii()
    return 1 + (len(text) * times >> (5 if narrow else 3))


def joined(m: Machine, parts: Sequence[str], separator: str = "") -> str:
    """`separator.join(parts)`, charged by the width of its widest letter."""
    length = sum(map(len, parts)) + len(separator) * len(parts)
    is_narrow = separator.isascii() and all(part.isascii() for part in parts)
    m.spend(1 + (length >> (5 if is_narrow else 3)))
    return separator.join(parts)


def weigh(m: Machine, x: Any) -> int:
    """Charge a walk over everything in `x` that native code would visit; returns the charge."""
    kind = type(x)
    if kind in ATOMS:
        return 0
    if isinstance(x, int):
        return _charge(m, int.bit_length(x) // DIGITS)
    if isinstance(x, str | bytes):
        return _charge(m, len(x) >> 5)
    return _walk(m, x) if isinstance(x, CONTAINERS) else 0


def _charge(m: Machine, n: int) -> int:
    if n:
        m.spend(n)
    return n


def _walk(m: Machine, x: Any) -> int:
    """The walk of `weigh`, depth first; a container inside itself is not entered again."""
    total, path, inside = 0, [id(x)], {id(x)}
    stack = [_inside(m, x)]
    while stack:
        items = stack[-1]
        total += 1
        for item in items:
            kind = type(item)
            if kind in ATOMS or (kind is int and -_LARGE_KEY < item < _LARGE_KEY):
                continue
            if isinstance(item, CONTAINERS) and id(item) not in inside:
                path.append(id(item))
                inside.add(id(item))
                stack.append(_inside(m, item))
                total += len(item)  # type: ignore[arg-type]
                break
            if isinstance(item, int | str | bytes):
                total += weigh(m, item)
        else:
            stack.pop()
            inside.discard(path.pop())
    return total + len(x)


def _inside(m: Machine, x: Any) -> Iterator[Any]:
    """The parts of a container, charged all at once."""
    m.spend(_ENTRY_COST + len(x) + gaps(x))
    if isinstance(x, dict):
        m.spend(len(x))
        return (part for pair in list(x.items()) for part in pair)
    return iter(x)


def check_key(m: Machine, key: Any, size: int) -> None:
    """Charge the hash of `key`, and the comparisons in a table of `size` keys that may collide.

    Hashes of texts are salted and those of small ints are distinct; but all 2ⁿ tuples of n items
    -1 or -2 have one hash, and so have all multiples of 2⁶¹ - 1.
    """
    kind = type(key)
    if kind in _SIMPLE_KEYS:
        return
    if isinstance(key, int | float):
        if not -_LARGE_KEY < key < _LARGE_KEY:
            m.spend(1 + (size >> 4))
    elif isinstance(key, tuple | frozenset):
        weight = weigh(m, key)
        if size > 64 and not all(_distinct(item) for item in key):
            m.spend(size * (1 + weight) >> 5)


def _distinct(item: Any) -> bool:
    return 0 <= item < _LARGE_KEY if isinstance(item, int) else not isinstance(item, float | tuple)


def check_keys(m: Machine, keys: Iterable[Any], size: int = 0) -> None:
    """`check_key` of each key, in a table that grows with each of them."""
    for number, key in enumerate(keys, size):
        if type(key) not in _SIMPLE_KEYS:
            check_key(m, key, number)


def listed(m: Machine, x: Any) -> list[Any]:
    """The items of an iterable of the program, each charged."""
    return list(m.consumed(x))


def whole(x: Any) -> int:
    """The int of `x`, as CPython reads an index: TypeError for anything that is no whole number."""
    return int(operator.index(x))


def guarded_width(m: Machine, width: int) -> int:
    """A width or precision, refused beyond LONGEST."""
    if width > LONGEST:
        hint = "Print less at once."
        m.refuse(f"This text would have more than {LONGEST:,} characters.", hint)
    return width


def gaps(table: Any) -> int:
    """Operations for going past the places of the items that were deleted from a table or view.

    A view has no size of its own; it refers to its dict alone.
    """
    if type(table) in _DENSE:
        return 0
    if isinstance(table, _VIEWS):
        (table,) = gc.get_referents(table)
    size: int = next((kind.__sizeof__(table) for kind in _TABLES if isinstance(table, kind)), 0)
    return size >> 12


def started(m: Machine, items: Any) -> Iterator[Any]:
    """An iterator over what a loop goes through, charged for the way to its first item.

    TypeError if it has none.
    """
    if type(items) not in _DENSE:
        m.spend(gaps(items))
    return iter(items)


def natively(method: Callable[..., Any], cost: Callable[..., int] | None = None) -> Any:
    """A method that is CPython's own, charged with `cost(obj, *args)`, else with 1."""

    def call(m: Machine, obj: Any, *args: Any, **kwargs: Any) -> Any:
        m.spend(1 if cost is None else cost(obj, *args))
        return method(obj, *args, **kwargs)

    return call


def attribute(name: str) -> Callable[[Machine, Any], Any]:
    """The reader of an attribute that is CPython's own."""
    return lambda m, obj: getattr(obj, name)
