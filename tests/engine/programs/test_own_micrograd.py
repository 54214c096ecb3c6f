"""Programs that build operations of their own on micrograd's classes."""

from __future__ import annotations

import math

import pytest

from engine.trace.build import trace

TANH = """\
from micrograd.engine import Value
import math
def tanh(self):
    t = math.tanh(self.data)
    out = Value(t, (self,), 'tanh')
    def _backward():
        self.grad += (1 - t**2) * out.grad
    out._backward = _backward
    return out
Value.tanh = tanh
x = Value(0.5)
y = (x * 2).tanh()
y.backward()
print(x.grad, y.data, y.grad, type(y), len(y._prev), y._op)
"""
NETWORK = """\
import random
from micrograd.engine import Value
from micrograd.nn import MLP
random.seed(3)
model = MLP(2, [3, 1])
first = model.layers[0].neurons[0].w[0]
loss = (model([1.0, -2.0]) ** 2 / 3 - 1 + 2 * model([0.5, 4])).relu() + 1 / first
model.zero_grad()
loss.backward()
print(model, len(model.parameters()))
print(loss)
for p in model.parameters():
    print(p)
"""
OWN = "unused = Value(1.0, (), 'mine')\n"
"""A line that asks for the class with children."""


def test_an_operation_of_the_programs_own_joins_the_graph() -> None:
    found = trace(TANH)
    t = math.tanh(1.0)
    words = found.printed[0].split(" ", 3)
    assert [float(x) for x in words[:2]] == [2 * (1 - t**2), t]
    assert words[2:] == ["1", "<class 'micrograd.engine.Value'> 1 tanh"]
    assert found.mistakes == ()
    assert found.verdict is not None
    assert found.verdict.right == found.verdict.checked == 4


def test_a_mistake_in_it_is_found_at_its_line() -> None:
    found = trace(TANH.replace("(1 - t**2)", "(1 - self.data**2)"))
    (mistake,) = found.mistakes
    assert (mistake.kind, mistake.span[0]) == ("wrong_partial", 7)


def test_the_classes_compute_as_the_built_in_ones() -> None:
    assert trace(NETWORK + OWN).printed == trace(NETWORK).printed


@pytest.mark.parametrize(
    "line",
    ["from micrograd.engine import *", "from micrograd.engine import Value as Value"],
)
def test_subclasses_and_other_imports(line: str) -> None:
    program = TANH.replace("from micrograd.engine import Value", line).replace(
        "Value.tanh = tanh", "class V(Value):\n    def square(self): return self * self"
    )
    program = program.replace("y = (x * 2).tanh()", "y = tanh(V(1.5).square() * x)")
    found = trace(program)
    t = math.tanh(1.125)
    assert float(found.printed[0].split()[0]) == pytest.approx(2.25 * (1 - t**2), rel=1e-15)


def test_other_programs_keep_the_built_in_values() -> None:
    found = trace("from micrograd.engine import Value\na = Value(2.0)\nb = a * a\nb.backward()")
    assert found.verdict is None
    assert [node.grad for node in found.nodes] == [4.0, 1.0]


def test_the_programs_own_names_stay() -> None:
    text = "_x = 1\nfrom micrograd.engine import Value\nValue(1, (), 'a')\nprint(sorted(globals()))"
    (printed,) = trace(text).printed[-1:]
    assert "classes" not in printed
    assert "'Value'" in printed
