"""The language of programs on the reference page: examples that run, tables of names, refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.stand_ins import vocabulary

CALL_DEPTH = 1000
"""Calls of a program in one another."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of the language: its name, a program that shows it, and a sentence."""

    name: str
    program: str
    says: str


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Something that is refused: its name, a program with it, and the reason."""

    name: str
    program: str
    why: str


PARTS: tuple[Topic, ...] = (
    Topic(
        "Numbers",
        "a = 2\nb = -3.0\nprint(a ** 100, 7 // 2, -7 % 3, b / a, 0b101 ^ 1, round(2.675, 2))",
        "int without bound, float and bool, as CPython computes them. A program of plain numbers "
        "is drawn like one of Values.",
    ),
    Topic(
        "Text",
        "name, x = 'tanh', 0.76159\n"
        "print(f'{name:>6} {x:.3f} {x = !r}', '%.2f' % x, 'a-b'.split('-'))",
        "str and bytes with their methods; f-strings, % and format with every format.",
    ),
    Topic(
        "Collections",
        "xs = [3, 1, 2]\nfirst, *rest = sorted(xs)\ncounts = {x: x * x for x in xs if x > 1}\n"
        "print(first, rest, counts, {1, 2} | {3}, xs[::-1], (1, 2) < (1, 3))",
        "list, tuple, dict, set, frozenset and range with their methods, slices on both sides of "
        "an assignment, comprehensions of every kind.",
    ),
    Topic(
        "Statements",
        "n = 0\nwhile n < 10:\n    n += 3\n    if n % 2 == 0:\n        continue\n"
        "else:\n    print(n)\n"
        "match [n, 1]:\n    case [12, y] if (z := y + 1):\n        print(z)",
        "if, for and while with else, match, with, assert, del, global, nonlocal, :=.",
    ),
    Topic(
        "Functions",
        "def scaled(by, /, *xs, offset=0):\n    return [by * x + offset for x in xs]\n"
        "twice = lambda f: lambda x: f(f(x))\nprint(scaled(2, 1, 2, offset=1), twice(abs)(-3))",
        "Closures, decorators, defaults, keyword-only and positional-only parameters; recursion "
        f"up to {CALL_DEPTH:,} deep.",
    ),
    Topic(
        "Generators",
        "def halves(x):\n    while x > 1:\n        yield x\n        x /= 2\n"
        "print(list(halves(8.0)), sum(x for x in range(4)))",
        "yield, yield from, send, generator expressions. An endless one ends with the budget.",
    ),
    Topic(
        "Classes",
        "class Value:\n    def __init__(self, data):\n        self.data, self.grad = data, 0.0\n"
        "    def __add__(self, other):\n        return Value(self.data + other.data)\n"
        "    def __repr__(self):\n        return f'Value(data={self.data})'\n"
        "print(Value(2.0) + Value(-3.0))",
        "Inheritance, super, properties, static and class methods, dataclasses, and the special "
        "methods below. An object with a number (data, value, …) and a gradient (grad, …) is a "
        "Value of the picture.",
    ),
    Topic(
        "Exceptions",
        "try:\n    {}['x']\nexcept KeyError as error:\n    print('no', error)\n"
        "finally:\n    print('done')",
        "try, except, else, finally, raise and your own classes. What is not caught is shown "
        "with Python's own words and traceback.",
    ),
)
"""What runs. Each program prints what CPython prints."""

REFUSALS: tuple[Forbidden, ...] = (
    Forbidden("Files", "open('data.txt')", "There are none: write the data into the program."),
    Forbidden("Other packages", "import pandas\npandas.DataFrame()", "Python's own modules are "
            "here, and small stand-ins for NumPy, PyTorch, Matplotlib and a few more. An import "
            "alone is passed over."),
    Forbidden("The network", "import socket\nsocket.create_connection(('localhost', 80))",
            "A program reaches nothing outside of itself."),
    Forbidden("Processes", "import subprocess\nsubprocess.run(['ls'])", "There is one program, "
            "and no other."),
    Forbidden("Threads", "import threading\nthreading.Thread(target=print).start()", "A program "
            "runs from its beginning to its end, so that every run is the same."),
    Forbidden("input", "input()", "A run is a function of its text alone."),
)  # fmt: skip
"""What is refused, with the reason."""


def language_context() -> dict[str, Any]:
    """The part of the template's context that is about the language."""
    modules = vocabulary.modules()
    return {
        "parts": PARTS,
        "refusals": REFUSALS,
        "functions": vocabulary.functions(),
        "types": vocabulary.types(),
        "exceptions": sorted(vocabulary.EXCEPTIONS),
        "special": vocabulary.special(),
        "classes": list(vocabulary.CLASSES),
        "modules": [(name, names) for name, names in modules.items() if names],
        "quiet": [name for name, names in modules.items() if not names],
    }
