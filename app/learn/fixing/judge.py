"""The judgement of a fixed class, on programs that the reader has not seen.

Each program builds an expression with the reader's class and calls `backward`. The gradients of its
leaves are compared with those of the right class.
"""

from __future__ import annotations

import re

from app.learn.checks import Check, Outcome, checked
from app.learn.fixing.right_class import RIGHT

CLASS = re.compile(r"^class\s+Value\b(?!\s*\(\s*Value)", re.MULTILINE)


def _check(about: str, lines: str, leaves: str) -> Check:
    made = "\n".join(f"{name} = Value({name.upper()})" for name in "abc")
    return Check(about, f"{made}\n{lines}\ny.backward()", [f"{name}.grad" for name in leaves])


HIDDEN = (
    _check("a sum and a product", "y = a*b + c", "abc"),
    _check("a chain of products", "y = (a*b) * c * 2.0", "abc"),
    _check("a difference", "y = (a - b) * c", "abc"),
    _check("powers", "y = a**3 + b**2 - a**2", "ab"),
    _check("a Value that is used twice", "y = a + a + b*b", "ab"),
    _check("paths that part and meet", "u = a*2.0\nv = u + u*u\ny = u - v*v", "a"),
    _check("a neuron", "n = a*b + c\ny = n.tanh()", "abc"),
    _check("tanh inside a product", "t = (a + b).tanh()\ny = t*t*c + t", "abc"),
    _check("equal numbers", "d = Value(a.data)\ny = a*b + d*b + d", "abd"),
)
"""The hidden programs."""


def judged(text: str) -> Outcome:
    """Run the class of a text on every hidden program."""
    if not CLASS.search(text):
        return Outcome(0, len(HIDDEN), "There is no `class Value` any more. Fix it, and keep it.")
    return checked(text, RIGHT, HIDDEN)
