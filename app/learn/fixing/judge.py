"""The judgement of a fixed class, on programs that the reader has not seen.

Each program builds an expression with the reader's class, calls `backward` and prints the gradients
of its leaves. The same program without the class runs on the built-in Value, whose gradients are
proved elsewhere; both print the same numbers if the class is right. The leaves' numbers depend on
the text that is judged, so that no list of answers helps.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.learn.questions import plain
from engine.numbers import with_minus
from engine.program import Program, ProgramError
from engine.record.source import Limits
from engine.recording import ProgramStopped

CLASS = re.compile(r"^class\s+Value\b(?!\s*\(\s*Value)", re.MULTILINE)
SECONDS = 1.0  # of processor time for one program; the largest right one takes a hundredth
MARK = "= hidden program ="
"""Printed before the gradients, as the reader's own text may print, too."""


class Hidden(NamedTuple):
    """A hidden program: what it is about, its lines, and the names of its leaves."""

    about: str
    lines: str
    leaves: Sequence[str]


HIDDEN: tuple[Hidden, ...] = (
    Hidden("a sum and a product", "y = a*b + c", ("a", "b", "c")),
    Hidden("a chain of products", "y = (a*b) * c * 2.0", ("a", "b", "c")),
    Hidden("a difference", "y = (a - b) * c", ("a", "b", "c")),
    Hidden("powers", "y = a**3 + b**2 - a**2", ("a", "b")),
    Hidden("a Value that is used twice", "y = a + a + b*b", ("a", "b")),
    Hidden("paths that part and meet", "u = a*2.0\nv = u + u*u\ny = u - v*v", ("a",)),
    Hidden("a neuron", "n = a*b + c\ny = n.tanh()", ("a", "b", "c")),
    Hidden("tanh inside a product", "t = (a + b).tanh()\ny = t*t*c + t", ("a", "b", "c")),
    Hidden("equal numbers", "d = Value(a.data)\ny = a*b + d*b + d", ("a", "b", "d")),
)
"""The hidden programs, each with leaves a, b and c."""


class Outcome(NamedTuple):
    """How a class did: the programs that were right, and what is said of the first that was not."""

    right: int
    fault: str = ""

    @property
    def is_right(self) -> bool:
        """Whether all were."""
        return not self.fault


def judged(text: str) -> Outcome:
    """Run the class of a text on every hidden program."""
    if not CLASS.search(text):
        return Outcome(0, "There is no `class Value` any more. Fix it, and keep it.")
    numbers = random.Random(text)  # noqa: S311  no secret
    right, fault = 0, ""
    for hidden in HIDDEN:
        values = [round(numbers.uniform(0.3, 1.9), 2) for _ in "abc"]
        try:
            found = _fault(text, hidden, values)
        except ProgramStopped as stop:  # so it is in every hidden program
            return Outcome(right, f"It stops in a hidden program: {plain(stop.message)}")
        right += not found
        fault = fault or found
    return Outcome(right, fault)


def _fault(text: str, hidden: Hidden, values: Sequence[float]) -> str:
    """What is wrong with a class on one hidden program; "" if nothing is.

    Raises ProgramStopped if the program takes too long or too much.
    """
    program = _driver(hidden, values)
    goal = _gradients(program)
    try:
        found = _gradients(f"{text}\n{program}")
    except ProgramStopped:
        raise
    except ProgramError as error:
        lines = text.count("\n") + 1
        where = f"line {error.line}" if error.line <= lines else "a hidden program"
        return f"It stops in {where}: {plain(error.message)}"
    if len(found) != len(goal):
        return f"On {hidden.about}, it printed no gradients."
    for name, number, due in zip(hidden.leaves, found, goal, strict=True):
        if not math.isclose(number, due, rel_tol=1e-6, abs_tol=1e-9):
            return f"On {hidden.about}, the gradient of `{name}` is {_against(number, due)}."
    return ""


def _against(number: float, due: float) -> str:
    """A wrong gradient beside the right one, without giving either away."""
    if number == 0 or not math.isfinite(number):
        return f"{number:g}"
    times = with_minus(f"{number / due:.3g}") if due else ""
    return f"wrong: {times} times the right one" if times else "wrong"


def _driver(hidden: Hidden, values: Sequence[float]) -> str:
    leaves = "\n".join(f"{name} = Value({x})" for name, x in zip("abc", values, strict=True))
    shown = "\n".join(f"print({name}.grad)" for name in hidden.leaves)
    return f"{leaves}\n{hidden.lines}\ny.backward()\nprint({MARK!r})\n{shown}"


def _gradients(program: str) -> list[float]:
    """The numbers printed behind the mark. Raises ProgramError."""
    limits = replace(Limits(), seconds=SECONDS)
    printed = Program(program, limits).run().printed
    if MARK not in printed:
        return []
    behind = printed[len(printed) - printed[::-1].index(MARK) :]
    try:
        return [float(line) for line in behind]
    except ValueError:
        return []
