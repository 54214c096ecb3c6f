"""Fills the templates of cards: `data-slot` elements with text, `data-if` elements by their flags.

The browser fills the same templates by `static/js/explore/explanation.js`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import TypeAlias

from app.caches import cached
from engine.numbers import in_equation
from engine.trace import symbols

Slot = str | float | bool | None
Digits = Mapping[str, int]
_Part: TypeAlias = "str | Callable[[Mapping[str, Slot], Digits], str]"
"""Fixed markup, or the markup for some values with their further digits."""
NO_MORE: Digits = {}

EXPRESSION = re.compile(r"[-+*/ ]")
_PART = re.compile(r'<(\w+)([^<>]*) data-slot="([^"]+)"></\1>| data-if="([^"]+)"')


def filled(template: str, values: Mapping[str, Slot], more: Digits = NO_MORE) -> str:
    """`template` with `values`, as HTML: all text is escaped. `more` digits of numbers by slot."""
    parts = _parts(template)
    return "".join([part if isinstance(part, str) else part(values, more) for part in parts])


@cached("parts of cards")
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


def _condition(flag: str) -> Callable[[Mapping[str, Slot], Digits], str]:
    """The attribute `hidden`, unless the flag is set or, after "!", if it is."""
    name, is_negated = flag.removeprefix("!"), flag.startswith("!")
    return lambda values, more: "" if bool(values.get(name)) != is_negated else " hidden"


def _slot(element: str, attributes: str, name: str) -> Callable[[Mapping[str, Slot], Digits], str]:
    """An element with a number or a text; a name inside of a formula becomes its symbols."""
    paren = "data-paren" in attributes
    start, end = f"<{element}{attributes}>", f"</{element}>"
    empty = start + end

    def put(values: Mapping[str, Slot], more: Digits) -> str:
        value = values.get(name)
        if value is None:
            return empty
        if isinstance(value, float):
            return start + in_equation(value, paren=paren, more=more.get(name, 0)) + end
        text = str(value)
        if element != "mi":
            return start + escape(text) + end
        shown = symbols.mathml(text)
        return f"<mi>(</mi>{shown}<mi>)</mi>" if paren and EXPRESSION.search(text) else shown

    return put
