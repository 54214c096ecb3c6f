"""The second opinion: programs that are acquitted, mistakes in lines far from the write."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.verdict.fixes import verdict_on
from engine.verdict.model import Verdict
from engine.verdict.opinion import with_opinion
from engine.verdict.text_edits import applied

pytestmark = pytest.mark.usefixtures("natively")

LAZY = """\
class Var:
    def __init__(self, value):
        self.value = value
        self.children = []
        self.grad_value = None
    def grad(self):
        if self.grad_value is None:
            self.grad_value = sum(weight * var.grad() for weight, var in self.children)
        return self.grad_value
    def __add__(self, other):
        z = Var(self.value + other.value)
        self.children.append((1.0, z))
        other.children.append((1.0, z))
        return z
    def __mul__(self, other):
        z = Var(self.value * other.value)
        self.children.append((other.value, z))
        other.children.append((self.value, z))
        return z
x = Var(0.5)
y = Var(4.2)
L = (x * y + x) * y
L.grad_value = 1.0
print(x.grad(), y.grad())
"""
PATHS = """\
class Variable:
    def __init__(self, value, local_gradients=()):
        self.value = value
        self.local_gradients = local_gradients
    def __add__(self, other):
        return add(self, other)
    def __mul__(self, other):
        return mul(self, other)
def add(a, b):
    return Variable(a.value + b.value, ((a, 1), (b, 1)))
def mul(a, b):
    return Variable(a.value * b.value, ((a, b.value), (b, a.value)))
def get_gradients(variable):
    gradients = {}
    def compute(variable, path_value):
        for child, local_gradient in variable.local_gradients:
            gradients[child] = gradients.get(child, 0) + path_value * local_gradient
            compute(child, path_value * local_gradient)
    compute(variable, path_value=1)
    return gradients
a = Variable(0.7)
b = Variable(1.3)
c = a * b
L = c * a + c
gradients = get_gradients(L)
"""
COUNTS = """\
class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.fn = None
        self.uses = 0
        self.seen = 0
        for parent in parents:
            parent.uses += 1
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def fn():
            self.grad += out.grad
            other.grad += out.grad
        out.fn = fn
        return out
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def fn():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.fn = fn
        return out
    def backward(self, root=True):
        if root:
            self.grad = 1.0
        if self.fn is None:
            return
        self.fn()
        for p in self.parents:
            p.seen += 1
            if p.seen == p.uses:
                p.backward(False)
a = Value(2.0)
b = Value(-3.0)
c = a * b
d = c + a
L = d * c + b
L.backward()
"""
GATES = """\
class Var:
    def __init__(self, value, gate=None):
        self.value, self.gate, self.grad = value, gate, 0.0
class Gate:
    def __call__(self, *inputs):
        self.inputs = inputs
        self.output = Var(self.forward(*[i.value for i in inputs]), self)
        return self.output
class Mul(Gate):
    def forward(self, x, y):
        self.x, self.y = x, y
        return x * y
    def backward(self, dz):
        return [self.y * dz, self.x * dz]
class Add(Gate):
    def forward(self, x, y):
        return x + y
    def backward(self, dz):
        return [dz, dz]
def backward(loss):
    gates, todo = [], [loss]
    while todo:
        v = todo.pop(0)
        if v.gate in gates:
            gates.remove(v.gate)
        if v.gate:
            gates.append(v.gate)
            todo += v.gate.inputs
    loss.grad = 1.0
    for gate in gates:
        for v, g in zip(gate.inputs, gate.backward(gate.output.grad)):
            v.grad += g
x = Var(1.5)
y = Var(-0.5)
q = Mul()(x, y)
s = Add()(q, y)
L = Mul()(s, x)
backward(L)
"""


def opinion(text: str) -> Verdict:
    program = Program(text)
    verdict, _ = verdict_on(text)
    found = with_opinion(program, program.run(is_judged=True), verdict)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text", [LAZY, PATHS, COUNTS, GATES], ids=["lazy", "paths", "counts", "gates"]
)
def test_a_right_program_is_not_accused(text: str) -> None:
    found = opinion(text)
    assert found.mistakes == ()
    assert found.right == found.checked
    assert found.right or "central differences" in found.because


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (LAZY, "self.children.append((other.value, z))", "self.children.append((self.value, z))"),
        (PATHS, "((a, b.value), (b, a.value))", "((a, a.value), (b, b.value))"),
        (PATHS, "path_value=1)", "path_value=2)"),
        (COUNTS, "if p.seen == p.uses:", "if p.seen >= 1:"),
        (COUNTS, "            p.seen += 1", "            p.seen = 1"),
        (GATES, "self.y * dz, self.x * dz", "self.y * dz, self.x"),
    ],
)
def test_a_mistake_is_found_where_one_edit_makes_everything_right(
    text: str, old: str, new: str
) -> None:
    wrong = text.replace(old, new)
    (first, *_) = opinion(wrong).mistakes
    assert first.span[0] == text[: text.index(old.lstrip())].count("\n") + 1
    assert first.fix is not None
    fixed = applied(wrong, first.fix.span, first.fix.text)
    assert opinion(fixed).mistakes == ()
    larger = fixed.replace("L = d * c + b", "L = d * c + b * d\nL = L * L + c * a")
    assert opinion(larger).mistakes == ()  # what counts uses fits no graph by chance


TARGET = """\
class Num:
    def __init__(self, v):
        self.v, self.g = v, 0.0
tape = []
def mse(inp, targ):
    out = Num((inp.v - targ.v) ** 2)
    def back():
        inp.g += 2 * (inp.v - targ.v) * out.g
    tape.append(back)
    return out
def backward(y):
    y.g = 1.0
    for back in reversed(tape):
        back()
x = Num(1.5)
targ = Num(0.5)
L = mse(x, targ)
backward(L)
"""


def test_a_target_needs_no_gradient() -> None:
    assert verdict_on(TARGET)[1] == ()
    found = verdict_on(TARGET.replace("targ", "other"))[1]
    assert found
    assert found[0].kind == "contribution_missing"
