"""Fills the templates of cards: `data-slot` elements with text, `data-if` elements by their flags.

The browser fills the same templates by `static/js/explore/explanation.js`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from typing import TypeAlias

from engine.numbers import in_equation

Slot = str | float | bool | None
_Part: TypeAlias = "str | Callable[[Mapping[str, Slot]], str]"
"""Fixed markup, or the markup for some values."""

EXPRESSION = re.compile(r"[-+*/ ]")
_PART = re.compile(r'<(\w+)([^<>]*) data-slot="([^"]+)"></\1>| data-if="([^"]+)"')


def filled(template: str, values: Mapping[str, Slot]) -> str:
    """`template` with `values`, as HTML: all text is escaped."""
    return "".join([part if isinstance(part, str) else part(values) for part in _parts(template)])


@lru_cache(maxsize=512)
def _parts(template: str) -> tuple[_Part, ...]:
    """A template taken apart, once."""
    parts: list[_Part] = []
    end = 0
    for found in _PART.finditer(template):
        parts.append(template[end : found.start()])
        element, attributes, name, flag = found.groups()
        parts.append(_condition(flag) if flag else _slot(element, attributes, name))
        end = found.end()
    return (*parts, template[end:])


def _condition(flag: str) -> Callable[[Mapping[str, Slot]], str]:
    """The attribute `hidden`, unless the flag is set or, after "!", if it is."""
    name, is_negated = flag.removeprefix("!"), flag.startswith("!")
    return lambda values: "" if bool(values.get(name)) != is_negated else " hidden"


def _slot(element: str, attributes: str, name: str) -> Callable[[Mapping[str, Slot]], str]:
    paren = "data-paren" in attributes
    start, end = f"<{element}{attributes}>", f"</{element}>"
    empty = start + end

    def put(values: Mapping[str, Slot]) -> str:
        value = values.get(name)
        if value is None:
            return empty
        if isinstance(value, float):
            return start + in_equation(value, paren=paren) + end
        text = str(value)
        held = f"({text})" if paren and EXPRESSION.search(text) else text
        return start + escape(held) + end

    return put
