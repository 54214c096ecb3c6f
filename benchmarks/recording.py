"""What recording a program costs in the sandbox, beside CPython in the same sandbox.

    python -m benchmarks recording

Each program runs in fresh instances in turn: by CPython alone, recorded for a picture, and recorded
to be judged as well, with the record written out. Figures are milliseconds of processor time, from
the request to the reply, in medians over rounds; ratios are those of single rounds. A whole trace
is what a page shows: the record read, traced and judged; its goal is that of the least figure, as
other processes only add to it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.report import Goal, spread, table
from engine.sandbox.run import Budget
from engine.sandbox.sandbox import sandbox
from engine.trace.build import trace

ROUNDS = 7
SEEDS = Path(__file__).resolve().parent.parent / "tests" / "data" / "seeds"
BUDGET = Budget(seconds=60.0)

BUILT_IN = """
a = Value(2.0)
b = Value(-3.0)
L = (a * b + 10.0).tanh()
L.backward()
print(a.grad)
"""

CLASS = """
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
        return self + other * -1

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
"""

SEVEN = (
    CLASS
    + """
a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)
L = (a * b + c) * f
L.backward()
print(a.grad)
"""
)

TRAINING = (
    CLASS
    + """
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

random.seed(1)
n = MLP(3, [4, 4, 1])
xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
ys = [1.0, -1.0, -1.0, 1.0]
for k in range(STEPS):
    loss = Value(0.0)
    for x, y in zip(xs, ys):
        d = n(x) - y
        loss = loss + d * d
    for p in n.parameters():
        p.grad = 0.0
    loss.backward()
    for p in n.parameters():
        p.data += -0.05 * p.grad
    print(k, loss.data)
"""
)

LOOP = """
t = 0.0
for i in range(1_000_000):
    t = t + i*0.5
print(t)
"""


@dataclass(frozen=True)
class Case:
    """A program, with the milliseconds that it may take recorded."""

    name: str
    program: str
    recorded: Goal | None = None
    has_plain: bool = True
    """Whether CPython runs it without us."""


CASES = (
    Case("built-in Values", BUILT_IN, has_plain=False),
    Case("7 Values of a pasted class", SEVEN, Goal(5)),
    Case(
        "20 steps of MLP(3, [4, 4, 1]), pasted classes",
        TRAINING.replace("STEPS", "20"),
        Goal(200),
    ),
    Case("100 steps of the same", TRAINING.replace("STEPS", "100")),
    Case("1,000,000 turns of t = t + i*0.5", LOOP, Goal(1_000)),
)


def _recorded(program: str, *, is_judged: bool) -> float:
    """Milliseconds of a recorded run."""
    request = json.dumps({"text": program, "judged": is_judged})
    outcome = sandbox().run(request, limits=BUDGET)
    assert outcome.reply is not None, outcome.reason
    return 1_000 * outcome.seconds


def _plain(program: str) -> float:
    """Milliseconds of a run by CPython alone."""
    outcome = sandbox().run(program, export="execute", limits=BUDGET)
    assert outcome.reply is not None, outcome.reason
    return 1_000 * outcome.seconds


def _row(case: Case) -> Iterator[str]:
    plain, recorded, judged = [], [], []
    for _ in range(ROUNDS):
        if case.has_plain:
            plain.append(_plain(case.program))
        recorded.append(_recorded(case.program, is_judged=False))
        judged.append(_recorded(case.program, is_judged=True))
    yield case.name
    yield spread(plain, 1) if plain else "–"
    for taken in (recorded, judged):
        yield spread(taken, 1)
        yield spread([a / b for a, b in zip(taken, plain, strict=True)], 1) if plain else "–"
    yield " ".join(case.recorded.words(median(recorded))) if case.recorded else "–"


WHOLE = {
    "20 steps of MLP(3, [4, 4, 1]), pasted classes": (TRAINING.replace("STEPS", "20"), Goal(600)),
    "a tutorial of 100 epochs, the third": ((SEEDS / "3_all.py").read_text("utf-8"), Goal(3_000)),
    "a tutorial of 100 epochs, the fourth": ((SEEDS / "4_all.py").read_text("utf-8"), Goal(3_000)),
}
"""Programs whose whole traces are measured, with the milliseconds that they may take."""


def _traced(program: str) -> float:
    """Milliseconds of a whole trace, in all threads."""
    began = time.process_time()
    trace(program)
    return 1_000 * (time.process_time() - began)


def _whole() -> str:
    taken: dict[str, list[float]] = {name: [] for name in WHOLE}
    for _ in range(ROUNDS):
        for name, (program, _) in WHOLE.items():
            taken[name].append(_traced(program))
    rows = [
        (name, spread(taken[name], 0), *goal.words(min(taken[name])))
        for name, (_, goal) in WHOLE.items()
    ]
    return table("Whole traces", ("program", "ms", "goal (least)", ""), rows)


def run() -> str:
    """Run all measurements; returns the tables."""
    head = (
        *("program", "CPython, ms"),
        *("recorded, ms", "recorded / CPython"),
        *("judged, ms", "judged / CPython", "goal (recorded)"),
    )
    title = f"Recording in the sandbox, {ROUNDS} rounds"
    return f"{table(title, head, map(tuple, map(_row, CASES)))}\n{_whole()}"
