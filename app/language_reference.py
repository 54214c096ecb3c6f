"""The language of programs on the reference page: examples that run, tables of names, refusals."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app import vocabulary
from engine.parser_lock import GRAMMAR
from engine.sandbox.machine_code import MEMORY

PYTHON = "3.14"
"""The CPython that runs programs."""
TOO_NEW = "type Number = float"
"""A statement that is in that Python, and not in the grammar that is the same on all servers."""
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
    """Something that is not there: its name, a program with it, how its message begins, a way."""

    name: str
    program: str
    says: str
    instead: str


@dataclass(frozen=True, slots=True)
class Bound:
    """What a program may spend: its name, a program that spends more, how it is told, and so on."""

    name: str
    amount: str
    program: str
    says: str
    then: str


PARTS: tuple[Topic, ...] = (
    Topic(
        "Numbers",
        "a = 2\nb = -3.0\nprint(a ** 100, 7 // 2, -7 % 3, b / a, 0b101 ^ 1, round(2.675, 2))",
        "int without bound, float, complex, Fraction and Decimal. A program of plain floats and "
        "ints is drawn like one of Values.",
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
        "if, for and while with else, match, with, assert, del, global, nonlocal, :=, async.",
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
        "yield, yield from, send, generator expressions. An endless one is stopped as any program.",
    ),
    Topic(
        "Classes",
        "class Value:\n    def __init__(self, data):\n        self.data, self.grad = data, 0.0\n"
        "    def __add__(self, other):\n        return Value(self.data + other.data)\n"
        "    def __repr__(self):\n        return f'Value(data={self.data})'\n"
        "print(Value(2.0) + Value(-3.0))",
        "Inheritance, properties, descriptors, dataclasses, metaclasses, and the special methods "
        "below. An object with a number (data, value, …) and a gradient (grad, …) is a "
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
    Forbidden(
        "Files to read",
        "open('data.txt')",
        "FileNotFoundError: [Errno 2] No such file or directory: 'data.txt'",
        "Write the data into the program, or run it on your own machine.",
    ),
    Forbidden(
        "Files to write",
        "open('data.txt', 'w')",
        "PermissionError: [Errno 13] Permission denied: 'data.txt'",
        "Print the text, or write to io.StringIO().",
    ),
    Forbidden(
        "The network",
        "import socket\nsocket.create_connection(('localhost', 80))",
        "PermissionError: [Errno 2] Permission denied",
        "Write what would be fetched into the program.",
    ),
    Forbidden(
        "Processes",
        "import subprocess\nsubprocess.run(['ls'])",
        "OSError: [Errno 58] wasi does not support processes.",
        "Leave them out.",
    ),
    Forbidden(
        "Threads",
        "import threading\nthreading.Thread(target=print).start()",
        "RuntimeError: can't start new thread",
        "Call the function. asyncio runs.",
    ),
    Forbidden(
        "Input",
        "input()",
        "EOFError: EOF when reading a line",
        "Write the answer into the program.",
    ),
    Forbidden(
        "Some modules of Python's",
        "import tkinter\ntkinter.Tk()",
        "ModuleNotFoundError: No module named 'tkinter'",
        "They need a screen, or libraries that are not here.",
    ),
    Forbidden(
        "Other packages",
        "import pandas\npandas.DataFrame()",
        "ModuleNotFoundError: No module named 'pandas'",
        "Paste the definition into the program. An import alone is passed over.",
    ),
    Forbidden(
        "The rest of a library",
        "import numpy as np\nnp.fft.fft([1.0, 2.0])",
        "numpy.fft.fft is not here.",
        "The tables above list the names that are.",
    ),
)
"""What is not there. Each program ends with an exception that it could catch."""


def bounds(settings: Mapping[str, float]) -> tuple[Bound, ...]:
    """What a program may spend on a server with these settings."""
    seconds, recorded, lines = (settings[it] for it in ("seconds", "recorded", "printed_lines"))
    return (
        Bound(
            "Processor time",
            f"{seconds:g} s",
            "while True:\n    pass",
            f"The program was stopped: it takes more than {seconds:g} seconds.",
            "It is stopped. What it printed is kept.",
        ),
        Bound(
            "Memory",
            f"{MEMORY >> 20} MB",
            "numbers = [0.0] * 100_000_000",
            "MemoryError",
            "The exception can be caught.",
        ),
        Bound(
            "Recorded numbers",
            f"{recorded:,.0f}",
            f"t = 0.0\nfor i in range({recorded:.0f}):\n    t += i * 0.5",
            f"The program has computed {recorded + 1:,.0f} numbers by now.",
            "It runs on to its end at full speed; what it computes from there is not recorded.",
        ),
        Bound(
            "Printed lines",
            f"{lines:,.0f}",
            f"for i in range({lines + 1:.0f}):\n    print(i)",
            f"Only the first {lines:,.0f} lines of output are kept.",
            "It runs on to its end.",
        ),
    )


def language_context(settings: Mapping[str, float]) -> dict[str, Any]:
    """The part of the template's context that is about the language."""
    modules = vocabulary.modules()
    told = [(name, names) for name, names in modules.items() if names]
    silent = [name for name, names in modules.items() if not names]
    return {
        "python": PYTHON,
        "grammar": "{}.{}".format(*GRAMMAR),
        "too_new": TOO_NEW,
        "parts": PARTS,
        "refusals": REFUSALS,
        "bounds": bounds(settings),
        "functions": vocabulary.FUNCTIONS,
        "types": vocabulary.TYPES,
        "exceptions": vocabulary.EXCEPTIONS,
        "special": vocabulary.special(),
        "classes": list(vocabulary.CLASSES),
        "modules": told,
        "others": [name for name in silent if name in sys.stdlib_module_names],
        "quiet": [name for name in silent if name not in sys.stdlib_module_names],
        "absent": vocabulary.ABSENT,
    }
