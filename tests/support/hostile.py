"""Hostile inputs of `tests/data`, read, and the answer that a program gets.

`program` of a case is a text, or pieces of text with how often each stands there.
"""

from __future__ import annotations

import json
from typing import Any

from engine.program import ProgramError
from engine.trace.build import trace
from engine.trace.transcript import transcript
from tests.support.places import DATA
from tests.support.programs import check_place


def lines(name: str) -> list[dict[str, Any]]:
    """The cases of a file."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def text_of(case: dict[str, Any]) -> str:
    """The program of a case."""
    program = case["program"]
    return program if isinstance(program, str) else "".join(part * n for part, n in program)


def answer(text: str) -> str:
    """What becomes of a program; anything but a trace or a ProgramError fails the test.

    A program that runs without computing a number has "nothing" to draw.
    """
    try:
        found = trace(text)
    except ProgramError as error:
        check_place(error, text)
        return "refuse"
    json.dumps(found.to_json(), allow_nan=False).encode()
    assert bool(transcript(found)) == bool(found.nodes)
    if not found.nodes:
        return "nothing"
    return "warn" if found.warnings else "ok"


GOOD = """
a = 2; b = -3; L = (a*b + 10) * -2
===
x = Value(2.0, label='x')
y = (x * 3).tanh()
y.backward()
print(f'{x.grad:.4f}', x._prev, y._op)
===
def f(x, k=2):
    return x ** k
for i, j in zip(range(3), 'abc'):
    y = f(Value(i), k=3)
print(y, j, end='')
===
m = MLP(2, [2, 1])
xs = [[1.0, 2.0], [0.5, -1.0]]
loss = sum((m(x) - 1)**2 for x in xs)
loss.backward()
for p in m.parameters():
    p.data -= 0.1 * p.grad
===
import random
random.seed(1)
a, *b = [random.uniform(-1, 1) for _ in range(3)]
c = max(b) % 2
===
class V(Value):
    def __repr__(self):
        return f"V({self.data})"
print(V(1.0) + 2, sep='|')
===
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self._prev = data, 0.0, set(children)
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
a, b = Value(2.0), Value(-3.0)
c = a * b
c.grad = 1.0
c._backward()
===
def g(n):
    try:
        while n:
            n -= (k := 1)
            yield {n: [k]}
    finally:
        print('end')
match [*g(2)]:
    case [{1: [x]}, *_] if x:
        y = x * 2.0
===
xs = [1.0, 2.0]
xs[0] += xs[-1]
z = xs[::-1] + 2 * [3]
if z[0] > 1 and not z[1] < 0:
    w = z[0] if z[1] == 2 else abs(z[-1])
===
import torch
import torch.nn.functional as F
x = torch.tensor([2.0], requires_grad=True)
with torch.no_grad():
    y = F.relu(x) + math.pi
g = list(map(torch.tanh, [y, y * 0.5]))
""".strip().split("\n===\n")
