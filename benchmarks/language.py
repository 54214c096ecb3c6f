"""The program language against CPython: operations a second on the same programs.

    python -m benchmarks language

Each program runs here as a trace of the page does, without its picture, and in CPython by `exec`,
with `benchmarks.closures.Value` for the built-in one where it needs one. A round measures both in
turn, in one process; a figure is the median over rounds. `operations` are those that the budget
counts. The interpreter before the compiler of closures took 13 µs for a turn of the first loop; see
docs/figures.md. The last row is the training before it on `engine.value` and `engine.nn`, called
from CPython without the language: the part of its time that is the engine's own.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from benchmarks import closures
from benchmarks.report import spread, table
from engine.language import turns
from engine.nn import MLP
from engine.program import Limits, Program
from engine.value import Value

ROUNDS = 7
LIMITS = Limits(seconds=60.0)

NUMBERS = """
t = 0.0
for i in range({count}):
    t = t + i*0.5
print(t)
"""

FUNCTIONS = """
def f(x, y=1):
    if x > 10:
        return x - y
    return x + y

t = 0
for i in range({count}):
    t = f(t) + f(i, y=2)
print(t)
"""

LISTS = """
xs = [i * 3 % 17 for i in range({count})]
seen = {{}}
for i, x in enumerate(xs):
    seen.setdefault(x, []).append(i)
ys = sorted(xs, key=lambda x: -x)
print(len(seen), ys[:3], sum(y * y for y in ys if y % 2))
print([len(v) for k, v in sorted(seen.items())])
"""

PASTED = """
import math
import random

class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad = data, 0.0
        self.parents, self.push = parents, lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out.push = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.push = push
        return out

    __radd__ = __add__

    def __sub__(self, other):
        return self + other * -1 if isinstance(other, Value) else self + -other

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))

        def push():
            self.grad += (1 - t * t) * out.grad

        out.push = push
        return out

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents:
                    visit(p)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v.push()

class Neuron:
    def __init__(self, n):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(n)]
        self.b = Value(random.uniform(-1, 1))

    def __call__(self, x):
        return sum((w * x for w, x in zip(self.w, x)), self.b).tanh()

class Layer:
    def __init__(self, n, m):
        self.neurons = [Neuron(n) for _ in range(m)]

    def __call__(self, x):
        outs = [n(x) for n in self.neurons]
        return outs[0] if len(outs) == 1 else outs

class MLP:
    def __init__(self, n, sizes):
        self.layers = [Layer(a, b) for a, b in zip([n] + sizes, sizes)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for l in self.layers for n in l.neurons for p in n.w + [n.b]]
"""

TRAINING = """
{classes}
random.seed(1)
n = MLP(3, [4, 4, 1])
xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
ys = [1.0, -1.0, -1.0, 1.0]
for k in range({count}):
    loss = Value(0.0)
    for x, y in zip(xs, ys):
        d = n(x) - y
        loss = loss + d * d
    for p in n.parameters():
        p.grad = 0.0
    loss.backward()
    for p in n.parameters():
        p.data += -0.05 * p.grad
print(loss.data)
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A program, here and in CPython."""

    name: str
    here: str
    cpython: str

    @classmethod
    def same(cls, name: str, program: str) -> Case:
        """The same text in both."""
        return cls(name, program, program)


BUILT_IN = TRAINING.format(classes="import random", count=200)
CASES = (
    Case.same("100,000 turns of t = t + i*0.5", NUMBERS.format(count=100_000)),
    Case.same("100,000 calls of a function", FUNCTIONS.format(count=50_000)),
    Case.same("lists, dicts and sorting, 30,000 items", LISTS.format(count=30_000)),
    Case.same(
        "20 steps of MLP(3, [4, 4, 1]), pasted classes",
        TRAINING.format(classes=PASTED, count=20),
    ),
    Case(
        "200 steps of MLP(3, [4, 4, 1]), built-in classes",
        BUILT_IN,
        TRAINING.format(classes=PASTED, count=200),
    ),
)


def operations(program: str) -> int:
    """The operations that the budget counts for a program: the least budget it ends with."""
    used: list[int] = []
    with turns.taken(turns.Turn(1, used.append)):
        Program(program, LIMITS).run()
    return used[-1] if used else 0


def here(program: str) -> float:
    """Seconds to read and run a program in this language."""
    began = perf_counter()
    Program(program, LIMITS).run()
    return perf_counter() - began


def cpython(program: str, value: type = closures.Value) -> float:
    """Seconds to compile and run a program in CPython."""
    began = perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program, {"Value": value, "MLP": MLP})  # noqa: S102  # the constants above
    return perf_counter() - began


def floor(program: str) -> float:
    """Seconds of a program on the engine's classes, without the language."""
    return cpython(program, Value)


def measured(case: Case, ours: Callable[[str], float] = here) -> tuple[list[float], list[float]]:
    """Seconds of each round here and in CPython."""
    mine, theirs = [], []
    for _ in range(ROUNDS):
        mine.append(ours(case.here))
        theirs.append(cpython(case.cpython))
    return mine, theirs


def _row(case: Case, ours: Callable[[str], float] = here) -> Iterator[str]:
    count = operations(case.here) if ours is here else 0
    mine, theirs = measured(case, ours)
    ratios = [a / b for a, b in zip(mine, theirs, strict=True)]
    yield from (case.name, f"{count:,}" if count else "—")
    yield spread([1_000 * x for x in mine], 0)
    yield f"{count / median(mine) / 1e6:.2f}" if count else "—"
    yield spread([1_000 * x for x in theirs], 0)
    yield spread(ratios, 1)


def run() -> str:
    """Run all measurements; returns the table."""
    head = (
        "program",
        "operations",
        "here, ms",
        "million a second",
        "CPython, ms",
        "here / CPython",
    )
    rows = [tuple(_row(case)) for case in CASES]
    engine = Case(
        "200 steps on the engine's classes, without the language", BUILT_IN, CASES[-1].cpython
    )
    rows.append(tuple(_row(engine, floor)))
    return table(f"The program language, {ROUNDS} rounds", head, rows)
