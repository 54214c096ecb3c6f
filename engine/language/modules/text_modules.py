"""The modules `json` and `textwrap`, without files: CPython's own, with sizes checked."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Machine
from engine.language.weights import check_keys, guarded_width, text_cost, weigh, whole

_WIDEST_INDENT = 20
_OPTIONS = frozenset(
    {"indent", "sort_keys", "separators", "ensure_ascii", "allow_nan", "default", "skipkeys"}
)


def json_names(m: Machine) -> dict[str, Any]:
    """The names of the module `json` that touch no file."""
    return {
        "dumps": bound(m, _dumps, "dumps"),
        "loads": bound(m, _loads, "loads"),
        "JSONDecodeError": json.JSONDecodeError,
    }


def _dumps(m: Machine, obj: Any, **options: Any) -> str:
    for name in options:
        if name not in _OPTIONS:
            m.refuse(f"json.dumps has no {name[:40]} here.", "Leave it out.")
    indent = options.get("indent")
    if indent is not None:
        width = len(indent) if isinstance(indent, str) else whole(indent)
        if width > _WIDEST_INDENT:
            m.refuse("This indent is too wide.", "Use 2 or 4.")
    if options.get("default") is not None:
        options["default"] = m.callable(options["default"])
    weight = weigh(m, obj)
    m.spend(1 + weight * (1 + _depth(obj) if indent else 1))
    text = json.dumps(obj, **options)
    m.spend(text_cost(text))
    return text


def _depth(x: Any, most: int = 200) -> int:
    """Levels of nesting along the first items of `x`, and at most those of all its items."""
    if most == 0 or not isinstance(x, dict | list | tuple):
        return 0
    items = x.values() if isinstance(x, dict) else x
    return 1 + max((_depth(item, most - 1) for item in items), default=0)


def _loads(m: Machine, s: Any) -> Any:
    if isinstance(s, str | bytes):
        m.spend(1 + 2 * len(s))
    found = json.loads(s)
    if isinstance(found, dict):
        check_keys(m, found)
    return found


def textwrap_names(m: Machine) -> dict[str, Any]:
    """The names of the module `textwrap`."""
    functions: dict[str, Callable[..., Any]] = {
        "dedent": _dedent,
        "indent": _indent,
        "fill": _fill,
        "wrap": _wrap,
    }
    return {name: bound(m, function, name) for name, function in functions.items()}


def _dedent(m: Machine, text: Any) -> str:
    m.spend(_cost(text))
    return textwrap.dedent(text)


def _indent(m: Machine, text: Any, prefix: Any) -> str:
    m.spend(_cost(text) + (text.count("\n") + 1) * len(prefix) // 8)
    return textwrap.indent(text, prefix)


def _fill(m: Machine, text: Any, width: Any = 70) -> str:
    m.spend(_cost(text))
    return textwrap.fill(text, guarded_width(m, whole(width)))


def _wrap(m: Machine, text: Any, width: Any = 70) -> list[str]:
    m.spend(_cost(text))
    return textwrap.wrap(text, guarded_width(m, whole(width)))


def _cost(text: Any) -> int:
    return 1 + (len(text) if isinstance(text, str) else 0)
