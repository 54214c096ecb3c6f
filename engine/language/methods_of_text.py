"""The methods of str and bytes: CPython's own, with sizes checked before they are built."""

from __future__ import annotations

from typing import Any

from .classes import native_kind
from .contract import Kind, Machine, Method
from .text_formatting import format_map, format_text_of
from .weights import check_keys, joined, listed, natively, text_cost, weigh, whole

_ENCODINGS = frozenset({"utf-8", "utf8", "ascii", "latin-1", "latin1", "utf-16", "utf-32"})
_SHORT_NEEDLE = 100
"""Length beyond which CPython searches in linear time."""


def _pattern_length(arg: Any) -> int:
    if isinstance(arg, tuple):
        return sum(len(part) for part in arg if isinstance(part, str | bytes))
    return len(arg) if isinstance(arg, str | bytes) else 0


def _read(text: Any, *args: Any) -> int:
    """Cost of a method that goes over the text once."""
    return text_cost(text, 3)


def _search(text: Any, *args: Any) -> int:
    needle = min(_pattern_length(args[0]), _SHORT_NEEDLE) if args else 0
    return text_cost(text, 1 + needle)


def _search_back(text: Any, *args: Any) -> int:
    return text_cost(text, 1 + (_pattern_length(args[0]) if args else 0))


def _parts(text: Any, *args: Any) -> int:
    """Cost of a split: its parts, each an object of its own."""
    pieces = len(text)
    if args and type(args[0]) is type(text) and args[0]:
        pieces = text.count(args[0]) + 1
    elif len(text) <= 1_000:
        pieces = len(native_kind(text).split(text))
    return text_cost(text) + 2 * pieces


def _split(name: str) -> Method:
    def split(m: Machine, text: Any, *args: Any, **kwargs: Any) -> list[Any]:
        separator = (*args, *(kwargs[key] for key in ("sep",) if key in kwargs))
        m.spend(_parts(text, *separator))
        if name == "rsplit":
            m.spend(_search_back(text, *separator))
        return list(getattr(type(text), name)(text, *args, **kwargs))

    return split


def _padded(name: str) -> Method:
    def pad(m: Machine, text: Any, *args: Any) -> Any:
        if args:
            width = whole(args[0])
            m.spend(1 + (max(width, 0) >> 3))
            args = (width, *args[1:])
        return getattr(type(text), name)(text, *args)

    return pad


def _expandtabs(m: Machine, text: Any, *args: Any, **kwargs: Any) -> Any:
    size = whole(args[0] if args else kwargs.get("tabsize", 8))
    tabs = text.count("\t" if isinstance(text, str) else b"\t")
    m.spend(text_cost(text) + (tabs * max(size, 0) >> 3))
    return text.expandtabs(size)


def _join(m: Machine, text: Any, *args: Any) -> Any:
    if len(args) != 1:
        return text.join(*args)
    if not hasattr(type(args[0]), "__iter__") and not hasattr(type(args[0]), "__getitem__"):
        raise TypeError("can only join an iterable")
    parts = listed(m, args[0])
    if isinstance(text, str) and all(isinstance(part, str) for part in parts):
        return joined(m, parts, str.__str__(text))
    m.spend(text_cost(text, len(parts)) + sum(map(len, filter(_is_bytes, parts))) // 32)
    return text.join(parts)


def _is_bytes(x: Any) -> bool:
    return isinstance(x, bytes)


def _replace(m: Machine, text: Any, *args: Any) -> Any:
    if len(args) >= 2 and type(args[0]) is type(args[1]) is type(text):
        old, new = args[:2]
        m.spend(_search(text, old))
        count = text.count(old) if old else len(text) + 1
        if len(args) > 2:
            limit = whole(args[2])
            count, args = (min(count, limit) if limit >= 0 else count), (old, new, limit)
        m.spend(text_cost(text) + text_cost(new, count))
    return text.replace(*args)


def _translate(m: Machine, text: str, *args: Any) -> str:
    if len(args) != 1 or not isinstance(args[0], dict | str | list):
        if len(args) == 1:
            m.refuse(
                "translate takes a dict here.", "Write text.translate(str.maketrans('a', 'b'))."
            )
        return text.translate(*args)
    table = args[0]
    values = table.values() if isinstance(table, dict) else table
    longest = max((len(value) for value in values if isinstance(value, str)), default=1)
    m.spend(len(table) + 1 + (len(text) * max(longest, 1) >> 3))
    return text.translate(table)


def _encode(m: Machine, text: Any, *args: Any, **kwargs: Any) -> Any:
    name = args[0] if args else kwargs.get("encoding", "utf-8")
    if isinstance(name, str) and name.lower() not in _ENCODINGS:
        m.refuse(f"The encoding {name[:20]!r} is not here.", "Use utf-8.")
    m.spend(text_cost(text, 8))
    if isinstance(text, str):
        return text.encode(*args, **kwargs)
    return text.decode(*args, **kwargs)


def maketrans(m: Machine, *args: Any) -> dict[int, Any]:
    """`str.maketrans`."""
    for arg in args:
        weigh(m, arg)
        if isinstance(arg, dict):
            check_keys(m, arg)
        m.spend(2 * len(arg) if isinstance(arg, dict | str) else 1)
    return str.maketrans(*args)


_READING = (
    "upper lower capitalize title swapcase isalpha isdigit isalnum isspace isupper "
    "islower istitle isascii splitlines"
)
_SEARCHING = (
    "find index count startswith endswith removeprefix removesuffix partition strip lstrip rstrip"
)
_SEARCHING_BACK = "rfind rindex rpartition"
_PADDING = "center ljust rjust zfill"
_TEXT_ONLY = "casefold isdecimal isnumeric isidentifier isprintable"


def _shared(kind: type) -> dict[str, Method]:
    """The methods that str and bytes have in common."""
    methods: dict[str, Method] = {
        name: natively(getattr(kind, name), cost)
        for names, cost in (
            (_READING, _read),
            (_SEARCHING, _search),
            (_SEARCHING_BACK, _search_back),
        )
        for name in names.split()
    }
    methods["splitlines"] = natively(getattr(kind, "splitlines"), _lines)  # noqa: B009
    methods |= {
        name: natively(getattr(kind, name), _stripped) for name in ("strip", "lstrip", "rstrip")
    }
    methods |= {name: _padded(name) for name in _PADDING.split()}
    methods |= {name: _split(name) for name in ("split", "rsplit")}
    return methods | {
        "expandtabs": _expandtabs, "join": _join, "replace": _replace,
    }  # fmt: skip


def _lines(text: Any, *args: Any) -> int:
    is_long = len(text) > 1_000
    lines = len(text) if is_long else len(native_kind(text).splitlines(text))
    return text_cost(text) + 2 * lines


def _stripped(text: Any, *args: Any) -> int:
    return text_cost(text, 1 + (_pattern_length(args[0]) if args else 0))


def _hex(m: Machine, data: bytes, *args: Any) -> str:
    m.spend(text_cost(data, 4))
    return data.hex(*args)


TEXT = Kind(
    str,
    "a text",
    methods={
        **_shared(str),
        **{name: natively(getattr(str, name), _read) for name in _TEXT_ONLY.split()},
        "translate": _translate,
        "encode": _encode,
        "format": format_text_of,
        "format_map": format_map,
    },
)
BYTES = Kind(bytes, "a text of bytes", methods={**_shared(bytes), "decode": _encode, "hex": _hex})
