"""The language of programs on the reference page: examples that run, tables of names, refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.language import vocabulary
from engine.language.machine import CALL_DEPTH


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
    Forbidden("Files", "open('data.txt')", "A program reads and writes nothing outside of itself."),
    Forbidden("Other modules", "import pandas\npandas.DataFrame()", "Nothing is loaded; an import "
            "alone is passed over, and the use is refused."),
    Forbidden("Text as code", "eval('1 + 1')", "exec and compile as well: the text of a program is "
            "all that runs."),
    Forbidden("Python's own attributes", "(1).__class__.__subclasses__()", "They lead out of the "
            "program, to the objects of the server."),
    Forbidden("type with three arguments", "type('A', (), {})", "Write a class statement."),
    Forbidden("Metaclasses", "class A(metaclass=type):\n    pass", "They could reach out of the "
            "program."),
    Forbidden("Complex numbers", "1j * 1j", "Gradients here are those of real functions."),
    Forbidden("async", "async def f():\n    pass", "A program runs from its beginning to its end."),
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
        "special": sorted(vocabulary.SPECIAL),
        "refused": sorted(vocabulary.REFUSED),
        "classes": list(vocabulary.CLASSES),
        "modules": [(name, names) for name, names in modules.items() if names],
        "quiet": [name for name, names in modules.items() if not names],
    }
