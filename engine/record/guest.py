"""What runs beside a program in the sandbox: a request for a run in, its record out.

A request is `{"text", "known", "changes", "scene", "judged", "limits"}`: see `session.Wanted`;
`known` has the leaves of the program's own run as a record lists them, each with its place. The
answer is `{"record": …}`, or `{"error": …}` with the message, span, hint, printed lines and
traceback of a program that is refused or fails.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from . import objects
from .encode import encode
from .model import Leaf, Place
from .session import Wanted, record
from .source import Limits, ProgramError, Source

SAMPLE = """
class Value:
    def __init__(self, data, _children=()):
        self.data, self.grad = data, 0.0
        self._backward, self._prev = lambda: None, set(_children)
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()
a = Value(2.0)
for turn in range(2):
    L = a * Value(-3.0)
    L.backward()
print(f"{L.data:.4f}")
"""
"""A program that uses most of what programs use: what it touches is in memory before one comes."""


def handle(request: str) -> str:
    """The answer to a request, both as JSON."""
    asked = json.loads(request)
    try:
        answer = {"record": _recorded(asked)}
    except ProgramError as error:
        answer = {"error": described(error)}
    return json.dumps(answer, separators=(",", ":"), allow_nan=False)


def warm() -> None:
    """Run a sample, and a second one of built-in Values."""
    for text, judged in (
        (SAMPLE, True),
        ("a = Value(2.0); L = (a*3 + 1).tanh(); L.backward()", False),
    ):
        handle(json.dumps({"text": text, "judged": judged}))


def _recorded(asked: dict[str, Any]) -> dict[str, Any]:
    limits = Limits(**asked.get("limits") or {})
    source = Source(asked["text"], limits)
    known = asked.get("known")
    wanted = Wanted(
        known=None if known is None else _leaves(known, source),
        changes=asked.get("changes"),
        scene=asked.get("scene"),
        judged=bool(asked.get("judged")),
    )
    return encode(record(source, limits, wanted), _OBJECTS)


_OBJECTS: Any = objects


def _leaves(rows: list[Any], source: Source) -> list[Leaf]:
    """Leaves as a record lists them: key, default, place, turn."""
    nodes = {
        (type(node).__name__, *(getattr(node, name, 0) for name in _SPAN)): node
        for node in ast.walk(source.tree)
    }
    return [
        Leaf(key, default, Place(nodes.get(tuple(place), source.tree), turn))
        for key, default, place, turn in rows
    ]


_SPAN = "lineno", "col_offset", "end_lineno", "end_col_offset"


def described(error: ProgramError) -> dict[str, Any]:
    """An error of a program as JSON-ready values."""
    return {
        "message": error.message,
        "span": list(error.span),
        "hint": error.hint,
        "printed": list(error.printed),
        "traceback": list(error.traceback),
    }
