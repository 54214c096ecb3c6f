"""The program language: what runs, with which numbers; what is refused, where and how."""

from __future__ import annotations

import ast
import math
import random
import re

import mpmath
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.language.expressions import _EXPRESSIONS
from engine.language.functions import BUILTINS, RANDOM
from engine.language.interpreter import _STATEMENTS
from engine.language.names import FOREIGN, LIBRARIES, MODULES, OP_ALIASES
from engine.language.program import Program, ProgramError, UnknownLeaf
from engine.ops import OPS
from engine.trace.build import trace
from tests.support.programs import (
    LEAVES,
    Exact,
    TooClose,
    data,
    expressions,
    finished,
    marked,
    node,
    printed,
    refusal,
)

# Every kind of statement and expression: what a program prints is what Python prints

PROGRAMS = r"""
== Expr ==
print(1)
'a text alone'
1 + 2
print(2)
== Assign ==
a = b = 1
c, (d, e) = 2, (3, 4)
[f, g] = [5, 6]
print(a, b, c, d, e, f, g)
== Assign to an item ==
x = [1, 2, 3]
x[0] = 5
x[-1] = 7
print(x)
== Assign with a star ==
(a, b), *rest = [(1, 2), 3, 4]
*first, last = 'xyz'
print(a, b, rest, first, last)
== Assign with an empty star ==
a, *b = [1]
print(a, b)
== AnnAssign ==
x: float = 2.5
y: int
print(x)
== AugAssign ==
a = 7
a += 1
a -= 2
a *= 3
a /= 2
a **= 2
b = [1]
b += [2]
b *= 2
print(a, b)
== AugAssign to an item ==
x = [1, 2]
x[1] += 5
print(x)
== If ==
for x in [1, 2, 3]:
    if x < 2:
        print('a')
    elif x == 2:
        print('b')
    else:
        print('c')
== For ==
for i in range(2, 9, 3):
    print(i)
for a, (b, c) in [(1, (2, 3))]:
    print(a, b, c)
== For over a text ==
for c in 'abc':
    print(c)
== For with else ==
for i in range(3):
    pass
else:
    print('all')
for i in range(3):
    break
else:
    print('none')
== Break ==
for i in range(9):
    if i > 2:
        break
    print(i)
== Continue ==
for i in range(4):
    if i == 1:
        continue
    print(i)
== Return ==
def f(x):
    for i in range(9):
        if i == x:
            return i * 2
def g():
    return
print(f(3), f(10), g())
== Pass ==
def f():
    pass
print(f())
== Assert ==
assert 1 < 2, 'so it is'
print('on')
== FunctionDef ==
def f(x, k=2, h=3):
    'words'
    return x * k + h
print(f(1), f(1, 5), f(h=1, x=2), f(2, h=0))
== FunctionDef inside ==
def f(x):
    def g(y):
        return x * y
    return g(3) + g(4)
print(f(2))
== FunctionDef calling itself ==
def f(n):
    return 1 if n == 0 else n * f(n - 1)
print(f(10))
== Import ==
import math
import math as m
print(math.pi == m.pi, math.e)
== ImportFrom ==
from math import pi, inf
from math import tau as t
print(pi, inf, t)
== Constant ==
print(1, 2.5, 'x', True, False, None, 1e3, 0x10, 1_000)
== Name ==
a = 1
b = a
print(a, b)
== BinOp ==
print(7 + 2, 7 - 2, 7 * 2, 7 / 2, 7 ** 2, 7 % 4, -7 % 4, 7.5 % 2, 2 ** -1, 2 ** 0.5)
== BinOp on lists ==
print([1] + [2, 3], [1, 2] * 2, 2 * [0], [1] * 0)
== BinOp on texts ==
print('a' + 'b', '-' * 5, 3 * 'ab', 'x' * -1)
== UnaryOp ==
a = 3
print(-a, +a, --a, not a > 2, not (1 < 2))
== Compare ==
a = 2
print(1 < a, a <= 2, a > 2, a >= 3, a == 2.0, a != 2, 0 < a < 3, 0 < a > 5)
== Compare texts and lists ==
print('a' < 'b', 'a' == 'a', [1, [2]] == [1, [2.0]], (1,) == [1], [1] != [1, 2], None == None)
== BoolOp ==
a = 1
print(a > 0 and a < 2, a > 3 or a == 1, a < 0 and a / 0 > 1)
== IfExp ==
a = 1
print('yes' if a > 0 else 'no', 1 if a < 0 else 2)
== List ==
print([], [1], [1, [2.5, 'x']], [None, True])
== Tuple ==
print((), (1,), (1, 'x', [2]))
== ListComp ==
print([i * j for i in range(3) if i != 1 for j in (1, 2)], [[0] * i for i in range(3)])
== GeneratorExp ==
print(sum(i * i for i in range(4)), max(i for i in [3, 1]))
== Names of a comprehension are its own ==
i = 5
x = [i for i in range(3)]
print(i, x)
== Subscript ==
x = [1, 2, 3, 4]
print(x[0], x[-1], x[1:3], x[::-1], x[:2], x[-2:], (5, 6)[1], range(9)[2])
== JoinedStr ==
x = 3.14159
n = 'w'
print(f'{x:.2f}|{x:8.3f}|{x:<8.1f}|{x:+.1e}|{n:>5}|{n!r}|{7:03d}|{0.256:.1%}|{1234.5:,.1f}|{x}')
== JoinedStr of itself ==
x = 2.5
print(f'{x=} {x = :.1f} {{}}')
== JoinedStr in itself ==
w = 8
x = [1.5, 2.5]
print(f"{x[0]:>{w}.2f} {[f'{v:.1f}' for v in x]}")
== Lambda ==
f = lambda x, k=3: x * k
g = lambda: 5
print(f(2), f(2, 4), g())
== Call of an item ==
f = [lambda x: x + 1, lambda x: x * 5]
print(f[0](2), f[-1](2))
== Call of a function given ==
def twice(f, x):
    return f(f(x))
print(twice(lambda v: v + 1, 1))
== Call with the order of Python ==
def say(x):
    print(x)
    return x
def f(a, b):
    return a
y = f(say(1), b=say(2))
== print ==
print()
print(1, 'a', [1.0], sep='-')
print('a', end='')
print('b', end='!\n')
print('c\nd')
== len ==
print(len([1, 2]), len(()), len('abc'), len(range(5)))
== range ==
print(list(range(3)), list(range(5, 1, -2)), range(2))
== zip ==
print(list(zip([1, 2, 3], 'ab')))
for a, b in zip((1, 2), (3, 4)):
    print(a, b)
== enumerate ==
for i, x in enumerate('ab'):
    print(i, x)
for i, x in enumerate('ab', start=1):
    print(i, x)
print(list(enumerate('a', 5)))
== list ==
print(list('ab'), list((1, 2)), list())
== map ==
print(list(map(float, [1, 2])))
def f(x):
    return x * 2
print(list(map(f, [1, 2])))
== sum ==
print(sum([1, 2, 3]), sum([0.5, 0.25]), sum([]), sum([1, 2], 10))
print(sum([1 < 2, 2 < 1]), sum([1], start=2))
== max ==
print(max(1, 2.5), max([3, 1, 2]), min(1, 2), min([2, 1.5]))
== abs ==
print(abs(-3), abs(2.5), pow(2, 3))
== float ==
print(float(3), int(3.9), int(-3.9), str(2.5), round(2.567, 2), round(2.5), round(-1.5))
== append ==
x = []
x.append(1)
x.extend([2, 3])
print(x)
== whole numbers ==
n = 3
print(n, n / 2, n * 2, n ** 2, n ** -1, n - 1, 2 ** 40, 10 ** 20)
== nothing ==
x = None
print(x)
== main ==
if __name__ == '__main__':
    print('main')
== names like functions elsewhere ==
def softmax(x):
    return x
print(softmax(2))
== semicolons ==
a = 1; b = 2; print(a, b)
== lines that go on ==
x = (1 +
     2)
y = 3 + \
    4
print(x, y)
"""


def sections(text: str) -> dict[str, str]:
    """Programs by their names, which stand between == and ==."""
    _, *parts = re.split(r"^== (.*) ==\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


SAME_AS_PYTHON = sections(PROGRAMS)


def by_python(text: str) -> list[str]:
    """What Python itself prints; the programs are those above."""
    lines: list[str] = []

    def collect(*args: object, sep: str = " ", end: str = "\n") -> None:
        lines.append(sep.join(map(str, args)) + end)

    exec(text, {"print": collect, "__name__": "__main__"})  # noqa: S102  # our own programs
    return "".join(lines).split("\n")[:-1]


@pytest.mark.parametrize("text", SAME_AS_PYTHON.values(), ids=SAME_AS_PYTHON)
def test_a_program_prints_what_python_prints(text: str) -> None:
    assert printed(text) == by_python(text)


def test_every_kind_of_syntax_that_runs_is_tested_here() -> None:
    elsewhere = {"ClassDef", "With", "Attribute", "Call"}
    tested = {name.split()[0] for name in SAME_AS_PYTHON} | elsewhere
    assert {kind.__name__ for kind in [*_STATEMENTS, *_EXPRESSIONS]} <= tested


def test_every_built_in_function_is_tested_here() -> None:
    text = " ".join(SAME_AS_PYTHON.values())
    assert {name for name in BUILTINS if f"{name}(" not in text} == {
        "Value", "Neuron", "Layer", "MLP",
    }  # fmt: skip


# Values and their gradients


def grads(text: str) -> dict[str, float | None]:
    """The gradient of every labelled leaf."""
    return {n.label: n.grad for n in trace(text).nodes if n.label and not n.op}


def test_plain_arithmetic() -> None:
    found = trace("a = 2; b = -3; L = (a*b + 10) * -2")
    assert node(found, "L").data == -8.0
    assert grads(found.program) == {"a": 6.0, "b": -4.0}


@pytest.mark.parametrize(
    "make",
    [
        "Value({})", "Value(data={})", "Value({}, label='x')", "Value({}, (), '')",
        "torch.tensor({}, requires_grad=True)", "torch.tensor([{}])", "torch.Tensor([{}]).double()",
        "np.array({})", "torch.tensor({}, dtype=torch.float64)", "micrograd.engine.Value({})",
        "nn.Parameter(torch.tensor({}))", "Value(Value({}))", "float({})", "{}",
    ],
)  # fmt: skip
def test_ways_to_make_a_leaf(make: str) -> None:
    text = f"import micrograd\nx = {make.format('2.5')}\ny = x * x"
    assert grads(text) == {"x": 5.0}


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.is_word], ids=lambda op: op.name)
def test_ways_to_call_an_operation(op: object) -> None:
    assert isinstance(op, type(OPS["+"]))
    args = ", ".join(map(repr, op.samples[0]))
    first, *rest = map(repr, op.samples[0])
    right = op.compute(*op.samples[0])
    for call in (
        f"Value({first}).{op.name}({', '.join(rest)})",
        *(f"{of}{op.name}({args})" for of in ("", "math.", "torch.", "np.", "F.")),
    ):
        found = trace(f"y = {call}")
        assert node(found, "y").data == right
        assert node(found, "y").op == op.name


@pytest.mark.parametrize(("alias", "name"), OP_ALIASES.items())
def test_other_names_of_operations(alias: str, name: str) -> None:
    args = ", ".join(["Value(2.0)", "3.0"][: len(OPS[name].params)])
    assert node(trace(f"y = torch.{alias}({args})"), "y").op == name


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "**"])
def test_signs_on_values_and_numbers(sign: str) -> None:
    right = OPS[sign].compute(2.0, 3.0)
    for a, b in [("Value(2.0)", "3"), ("2", "Value(3.0)"), ("Value(2.0)", "Value(3.0)")]:
        assert data(f"y = {a} {sign} {b}", "y") == right
    assert data(f"y = Value(2.0)\ny {sign}= 3", "y") == right


def test_sum_max_and_min_of_values_are_operations() -> None:
    text = "xs = [Value(1.0), Value(3.0), Value(2.0)]\ny = sum(xs) + 10 * max(xs) + 100 * min(xs)"
    found = trace(text)
    assert node(found, "y").data == 136.0
    assert [n.grad for n in found.nodes if n.kind == "leaf"] == [101.0, 11.0, 1.0]


def test_what_an_operation_remembers() -> None:
    text = (
        "a = Value(2.0)\nb = Value(3.0)\nc = a * b + a\nprint(c._prev, c._op, a._prev, c.args)\nc"
    )
    assert printed(text) == [
        "{Value(data=6.0), Value(data=2.0)} + set() (Value(data=6.0), Value(data=2.0))",
        "Value(data=8.0)",
    ]


def test_reading_and_setting_a_value() -> None:
    text = (
        "x = Value(2.0, label='first')\ny = x * 3\ny.backward()\n"
        "print(x.data, x.grad, x.label, x.item(), x.grad.item(), x.data.item(), x.detach())\n"
        "x.data = 5\nx.grad = None\nx.label = 'second'\nx.requires_grad = True\n"
        "print(x.data, x.grad, x.label)\nx.data += 1\nx.grad -= 2\nprint(x.data, x.grad)"
    )
    assert printed(text) == ["2.0 3.0 first 2.0 3.0 2.0 2.0", "5.0 0.0 second", "6.0 -2.0"]


def test_comparisons_use_the_numbers() -> None:
    text = "a = Value(1)\nb = Value(2)\nprint(a < b, a > 1.5, a == 1, a != b, b >= a, [a] == [1])"
    assert printed(text) == ["True False True True True True"]


def test_with_no_grad() -> None:
    text = "import torch\nx = Value(2.0)\nwith torch.no_grad():\n    x.data -= 1\ny = x * 2"
    assert data(text, "y") == 2.0


def test_a_name_is_a_label_and_an_own_label_is_kept() -> None:
    text = (
        "a = Value(1.0)\nb = Value(2.0, label='mine')\nc = a * b\nd = c\ne = a + b\ne.label = 'sum'"
    )
    labels = {n.label: n.op for n in trace(text).nodes}
    assert labels == {"a": None, "mine": None, "sum": "+"}
    assert node(trace(text + "\nf = d * 1"), "c").op == "*"


def test_items_of_a_list_are_called_by_its_name() -> None:
    found = trace("w = [1.0, Value(2.0)]\nm = [[3.0], [4.0]]\ny = w[0] * w[1] * m[1][0]")
    assert {n.label for n in found.nodes if not n.op} == {"w[0]", "w[1]", "m[1][0]"}


def test_a_loop_variable_is_nobody_s_leaf() -> None:
    found = trace("y = Value(1.0)\nfor k in [2.0, 3.0]:\n    y = y * k")
    kinds = [(n.label, n.kind) for n in found.nodes if not n.op]
    assert kinds == [("y", "leaf"), ("k", "constant"), ("k", "constant")]


# The output


@pytest.mark.parametrize(
    ("text", "label", "x"),
    [
        ("a = 2\nb = a * 3\nc = a + 1", "c", 3.0),
        ("a = Value(2.0)\nb = a * 3\nb.backward()\nc = a + 1", "b", 6.0),
        ("a = Value(2.0)\nb = a * 3\nc = a + 1\nb.backward()\nc.backward()", "c", 3.0),
        ("a = Value(2.0)\nb = a * 3\nn = 2 + 3", "b", 6.0),
        ("a = 2\nb = 3", "b", 3.0),
        ("a = Value(2.0)", "a", 2.0),
        ("a = Value(2.0)\nc = a * 3\na + 1\nL = c", "c", 6.0),
        ("a = Value(2.0)\nc = a * 3\na + 1\nc", "c", 6.0),
        ("a = 2.0\nc = a * 3\na + 1\nL = c", "c", 6.0),
        ("a = Value(2.0)\nc = a * 3\nn = 2 * 3\nm = n", "c", 6.0),
        ("a = Value(2.0)\nc = a * 3\nm = a", "c", 6.0),
    ],
)
def test_the_output_is_what_backward_is_called_on_else_the_last_computed(
    text: str, label: str, x: float
) -> None:
    run = Program(text).run()
    assert (run.output.label, run.output.data) == (label, x)


def test_training_shows_the_numbers_of_the_last_backward_pass() -> None:
    text = (
        "w = Value(1.0)\nfor k in range(3):\n    loss = (w - 3) ** 2\n    w.grad = 0\n"
        "    loss.backward()\n    w.data -= 0.25 * w.grad"
    )
    found = trace(text)  # w: 1, 2, 2.5, 2.75; the last pass saw 2.5
    assert node(found, "w").data == 2.5
    assert node(found, "w").grad == -1.0
    assert node(found, "loss").data == 0.25


def test_two_backward_calls_add_up_on_leaves() -> None:
    text = "a = Value(3.0)\nb = a * 2\nb.backward()\nb.backward()\nprint(a.grad, b.grad)"
    found = trace(text)
    assert found.printed == ("4.0 1.0",)
    assert node(found, "a").grad == 4.0


def test_a_network_that_is_not_called_is_called_once() -> None:
    found = trace("n = MLP(2, [3, 1])")
    assert any("not called yet" in note.message for note in found.notes)
    assert sum(n.kind == "leaf" for n in found.nodes) == 13


# Networks in programs


def test_networks_read_like_micrograd() -> None:
    text = (
        "n = MLP(2, [3, 1])\nprint(len(n.parameters()), len(n.layers), len(n.layers[0].neurons))\n"
        "y = n([1.0, -2.0])\nn.zero_grad()\ny.backward()\nneuron = n.layers[0].neurons[2]\n"
        "print(len(neuron.w), neuron.b.label)\nz = neuron([1.0, 2.0])\nw = n.layers[0]([1.0, 2.0])"
    )
    assert printed(text) == ["13 2 3", "2 l0.n2.b"]


@pytest.mark.parametrize(
    ("line", "activation", "bias"),
    [
        ("n = Neuron(2)", "tanh", True),
        ("n = Neuron(2, 'relu', 'zero')", "ReLU", False),
        ("n = Neuron(2, nonlin=False)", "Linear", True),
        ("from micrograd.nn import Neuron\nn = Neuron(2)", "ReLU", False),
        ("import micrograd.nn\nn = micrograd.nn.Neuron(2, activation='silu')", "silu", False),
    ],
)
def test_conventions_of_networks(line: str, activation: str, bias: bool) -> None:
    ((neuron, _),) = finished(line).tape.networks
    assert str(neuron) == f"{activation}Neuron(2)"
    assert bool(neuron.parameters()[-1].data) == bias


def test_a_pasted_neuron_says_how_the_network_is_made() -> None:
    text = (
        "class Neuron:\n    def __init__(self, n):\n"
        "        self.w = [Value(random.uniform(-1, 1)) for _ in range(n)]\n"
        "        self.b = Value({})\n    def __call__(self, x):\n"
        "        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)\n        return {}\n"
        "n = Neuron(2)"
    )
    for bias, out, activation in [
        ("random.uniform(-1, 1)", "act.tanh()", "tanh"),
        ("0.0", "act.relu()", "ReLU"),
        ("0", "act", "Linear"),
    ]:
        ((neuron, _),) = finished(text.format(bias, out)).tape.networks
        assert str(neuron) == f"{activation}Neuron(2)"
        assert bool(neuron.parameters()[-1].data) == ("random" in bias)


def test_inputs_are_shared_by_the_neurons_and_have_names() -> None:
    found = trace("n = Layer(2, 3)\nx = [0.5, -1.0]\ny = sum(n(x))")
    assert sum(n.label == "x[0]" for n in found.nodes) == 1
    mapped = trace("n = MLP(2, [1])\ny = list(map(n, [[0.5, -1.0]]))[0]")
    assert all(n.label == n.label.strip() for n in mapped.nodes)


REFUSED_NETWORKS = [
    ("n = MLP(2, [1])\ny = n([1.0])", "A neuron with 2 weights got 1 inputs."),
    ("n = MLP(2, [1])\ny = n(1.0)", "A network takes one list of inputs."),
    ("n = MLP(2, [1])\ny = n([1.0, 'x'])", "A network takes numbers, not a text."),
    ("n = MLP(2, [0])", "A size of a network is at least 1."),
    ("n = MLP(2)", "MLP takes its number of inputs and a list"),
    ("n = MLP(2, 3)", "MLP takes its number of inputs and a list"),
    ("n = Layer(2)", "Layer takes its number of inputs and its number of neurons."),
    ("n = Layer(2, 2.5)", "A whole number is needed here, not 2.5."),
    ("n = Neuron(True)", "A whole number is needed here, not a truth value."),
    ("n = Neuron(2, bias=math)", "bias is a text, not a module."),
    ("n = Neuron(2, bias=lambda x: x)", "bias is a text, not a function."),
    ("n = Neuron(2, nonlin=3)", "nonlin is True or False, not a plain number."),
    ("n = Layer(2, 2, 'relu', activation='relu')", "Layer has too many arguments here."),
    ("n = MLP(2, [1.5])", "A whole number is needed here, not 1.5."),
    ("n = MLP(100, [100, 100])", "This network has more than 10,000 weights."),
    ("n = MLP(2, [1], activation='swosh')", "The network cannot be made: unknown activation"),
    ("n = MLP(2, [1], size=3)", "MLP has no argument size here."),
    ("n = Neuron(2, output_activation='tanh')", "Only an MLP has an output_activation."),
    ("n = Neuron(2)\nn.w = 1", "A neuron has no attribute w to set."),
    ("n = Neuron(2)\nn.w[0] = 1", "The parts of a network cannot be replaced."),
    ("n = Layer(2, 2)\nn.neurons.append(1)", "The parts of a network cannot be replaced."),
    ("n = MLP(2, [1])\nn.layers.extend([1])", "The parts of a network cannot be replaced."),
]


@pytest.mark.parametrize(("text", "message"), REFUSED_NETWORKS)
def test_networks_that_cannot_be(text: str, message: str) -> None:
    assert refusal(text).message.startswith(message)


# Random numbers


def test_random_numbers_are_python_s_from_the_seed_0() -> None:
    rng = random.Random(0)
    right = [rng.uniform(-1, 1), rng.random(), rng.gauss(0, 2)]
    assert [float(x) for x in printed("print(random.uniform(-1, 1))\nprint(random.random())\n"
                                      "print(random.gauss(0, 2))")] == right  # fmt: skip


@pytest.mark.parametrize(
    "line", ["random.seed(42)", "import random as r\nr.seed(42)", "torch.manual_seed(42)",
             "import numpy as np\nnp.random.seed(42)"],
)  # fmt: skip
def test_a_seed(line: str) -> None:
    right = random.Random(42).uniform(-1, 1)
    assert printed(f"{line}\nprint(random.uniform(-1, 1))") == [str(right)]


def test_every_random_function() -> None:
    text = (
        "import random\nrandom.seed('s')\na = random.random()\nb = random.uniform(0, 1)\n"
        "c = random.gauss(0, 1)\nd = np.random.normal(0, 1)\ne = random.randint(1, 6)\n"
        "f = random.choice([1.5, 2.5])"
    )
    assert all(f".{name}(" in text for name in RANDOM)
    held = finished(text).env.names
    assert 1 <= held["e"].data <= 6
    assert held["f"].data in (1.5, 2.5)
    rng = random.Random("s")
    assert [held["a"].data, held["b"].data] == [rng.random(), rng.uniform(0, 1)]


@pytest.mark.parametrize("seed", ["", "None", "0"])
def test_every_run_gives_the_same_numbers(seed: str) -> None:
    text = f"random.seed({seed})\nx = Value(random.random())\nn = MLP(2, [2, 1])\ny = n([x, 1.0])"
    assert trace(text).to_json() == trace(text).to_json()
    assert node(trace(text), "x").data == random.Random(0).random()


# Leaves changed from outside

TWICE = """
a = Value(1.0)
b = a * 10
a = Value(2.0)
c = b + a
a = Value(3.0)
L = c * a
n = 4
M = L + n
"""


def test_leaves_are_changed_by_their_keys() -> None:
    program = Program(TWICE)
    assert program.defaults() == {"a@1": 1.0, "a@2": 2.0, "a": 3.0, "n": 4.0}
    for leaves, right in [
        ({}, (10 + 2) * 3 + 4),
        ({"a": 5.0}, (10 + 2) * 5 + 4),
        ({"a@1": 0.0}, 2 * 3 + 4),
        ({"a@2": -10.0, "n": 0.5}, 0.5),
    ]:
        assert program.run(leaves).output.data == right


def test_keys_stand_in_the_trace() -> None:
    found = trace(TWICE, {"a@1": 7.0})
    assert [(n.key, n.data) for n in found.nodes if n.kind == "leaf"] == [
        ("a@1", 7.0), ("a@2", 2.0), ("a", 3.0), ("n", 4.0),
    ]  # fmt: skip
    assert all(n.key is None for n in found.nodes if n.kind != "leaf")


def test_parameters_have_keys() -> None:
    text = "n = MLP(2, [1])\ny = n([1.0, 1.0])"
    assert list(Program(text).defaults()) == ["l0.n0.w0", "l0.n0.w1", "l0.n0.b"]
    changed = trace(text, {"l0.n0.w0": 0.0, "l0.n0.w1": 0.0, "l0.n0.b": 0.5})
    assert node(changed, "y").data == math.tanh(0.5)


def test_a_changed_leaf_changes_what_the_program_does() -> None:
    text = "n = 2\ny = Value(1.0)\nif n > 3:\n    y = y * 5\nz = y + n"
    assert data(text, "z") == 3.0
    assert data(text, "z", {"n": 4.0}) == 9.0


def test_a_changed_whole_number_is_no_whole_number_anymore() -> None:
    text = "n = 3\nfor i in range(n):\n    y = Value(1.0)"
    with pytest.raises(ProgramError, match="A whole number is needed here"):
        Program(text).run({"n": 2.0})


def test_an_unknown_leaf() -> None:
    with pytest.raises(UnknownLeaf, match="no leaf called 'z'; there are a@1, a@2, a, n") as error:
        Program(TWICE).run({"z": 1.0})
    assert (error.value.name, error.value.known) == ("z", ["a@1", "a@2", "a", "n"])


@given(st.dictionaries(st.sampled_from(["a@1", "a@2", "a", "n"]), st.floats(-1e6, 1e6)))
def test_changed_leaves_are_as_if_written_in_the_program(leaves: dict[str, float]) -> None:
    x = Program(TWICE).defaults() | leaves
    found = trace(TWICE, leaves)
    assert node(found, "M").data == (x["a@1"] * 10 + x["a@2"]) * x["a"] + x["n"]


# What the reader is told


def test_notes() -> None:
    text = (
        "class Value:\n    pass\nimport torch\na = torch.Tensor([0.1])\nunused = Value(1.0)\n"
        "b = a * 2\ndraw_dot(b)\nimport matplotlib.pyplot as plt\nplt.plot([1])"
    )
    notes = {note.message: note.span for note in trace(text).notes}
    assert notes == {
        "Value is built in: your class is passed over and the built-in one is used.": (1, 1, 2, 9),
        "torch.Tensor holds 32-bit numbers: 0.1 becomes 0.10000000149011612.": (4, 5, 4, 24),
        "draw_dot(…) is passed over: the graph is drawn here.": (7, 1, 7, 12),
        "plt.plot(…) is passed over: the graph is drawn here.": (9, 1, 9, 14),
        "b does not depend on unused: its gradient is 0.": (5, 10, 5, 20),
    }


def test_a_class_with_its_own_way_to_write_values() -> None:
    text = (
        "class Value:\n    def __init__(self, data):\n        self.data = data\n"
        '    def __repr__(self):\n        return f"V<{self.data:.2f}|{self.grad}>"\n'
        "a = Value(2.0)\nb = a * 3\nb.backward()\nprint(a, [b], f'{a}')\nb"
    )
    assert printed(text) == ["V<2.00|3.0> [V<6.00|1.0>] V<2.00|3.0>", "V<6.00|1.0>"]


def test_the_last_expression_is_printed_as_a_notebook_does() -> None:
    assert printed("a = Value(2.0)\na") == ["Value(data=2.0)"]
    assert printed("a = 'x'\n1 + 1\na") == ["'x'"]
    assert printed("a = Value(2.0)\na\nb = a") == []
    assert printed("[1.0, 'x', (2,)]") == ["[1.0, 'x', (2,)]"]


# What is refused

FOREIGN_PROGRAMS = {
    "While": "while 1 < 2:\n    pass",
    "Delete": "a = 1\ndel a",
    "Raise": "raise ValueError",
    "Try": "try:\n    a = 1\nexcept ValueError:\n    pass",
    "TryStar": "try:\n    a = 1\nexcept* ValueError:\n    pass",
    "AsyncFunctionDef": "async def f():\n    pass",
    "AsyncFor": "async for x in [1]:\n    pass",
    "AsyncWith": "async with x:\n    pass",
    "Global": "def f():\n    global a\nf()",
    "Nonlocal": "def f():\n    a = 1\n    def g():\n        nonlocal a\n    g()\nf()",
    "Match": "match 1:\n    case 1:\n        pass",
    "NamedExpr": "a = (b := 2)",
    "Dict": "a = {1: 2}",
    "DictComp": "a = {x: 1 for x in [1]}",
    "Set": "a = {1, 2}",
    "SetComp": "a = {x for x in [1]}",
    "Await": "await x",
    "Yield": "def f():\n    yield 1\nf()",
    "YieldFrom": "def f():\n    yield from [1]\nf()",
    "Starred": "a = [*[1, 2]]",
    "Slice": "a = [1, 2]\na[0:1] = [3]",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_syntax_is_refused_by_its_name_with_a_way_out(kind: str) -> None:
    text = FOREIGN_PROGRAMS[kind]
    name, hint = FOREIGN[kind]
    error = refusal(text)
    assert error.message == f"{name} is not part of this language."
    assert error.hint == hint != ""
    there = [n for n in ast.walk(ast.parse(text)) if type(n).__name__ == kind]
    spans = [(getattr(n, "lineno", 0), getattr(n, "col_offset", -1) + 1) for n in there]
    assert (error.line, error.column) in spans


def test_all_syntax_of_python_either_runs_or_is_refused_by_name() -> None:
    known = {kind.__name__ for kind in [*_STATEMENTS, *_EXPRESSIONS]} | set(FOREIGN)
    kinds = {kind.__name__ for base in (ast.stmt, ast.expr) for kind in base.__subclasses__()}
    kinds -= {"FormattedValue", "TypeAlias", "TemplateStr", "Interpolation"}
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}
    assert kinds - old <= known


REFUSED = [
    ("y = {}", "7 // 2", "The sign // is not part of this language."),
    ("y = {}", "[1] @ [2]", "The sign @ is not part of this language."),
    ("y = {}", "1 << 2", "The sign << is not part of this language."),
    ("y = {}", "8 >> 2", "The sign >> is not part of this language."),
    ("y = {}", "1 | 2", "The sign | is not part of this language."),
    ("y = {}", "1 & 2", "The sign & is not part of this language."),
    ("y = {}", "1 ^ 2", "The sign ^ is not part of this language."),
    ("y = {}", "~1", "The sign ~ is not part of this language."),
    ("y = {}", "'%s' % 1", "The sign % on a text is not part of this language."),
    ("y = {}", "1 % 0", "There is no remainder of a division by 0."),
    ("y = {}", "Value(5.0) % 3", "The remainder of a Value has no gradient here."),
    ("y = {}", "1j", "A complex number is not part of this language."),
    ("y = {}", "b'x'", "A text of bytes is not part of this language."),
    ("y = {}", "...", "The sign ... is not part of this language."),
    ("y = {}", "zz", "zz has no value yet."),
    ("y = {}", "tanh", "tanh is a function."),
    ("y = {}", "print", "print is a function."),
    ("y = {} + 1", "True", "Arithmetic needs a number here, not a truth value."),
    ("y = {} * 2", "None", "Arithmetic needs a number here, not None."),
    ("y = {}", "[1] + 3", "A list and a plain number do not go together here."),
    ("y = -{}", "'x'", "Minus needs a number, not a text."),
    ("y = +{}", "'x'", "Plus needs a number, not a text."),
    ("y = {}", "1 < 'x'", "A plain number and a text cannot be compared."),
    ("y = {}", "[1] < [2]", "A list and a list cannot be compared."),
    ("y = {}", "1 in [1]", "Only == != < <= > >= compare here."),
    ("y = {}", "1 is 1", "Only == != < <= > >= compare here."),
    ("if {}:\n    pass", "1", "A condition is a comparison, not a plain number."),
    ("a = Value(1.0)\nif {}:\n    pass", "a", "A condition is a comparison, not a Value."),
    ("y = 1 if {} else 2", "[]", "A condition is a comparison, not a list."),
    ("y = not {}", "1", "A condition is a comparison, not a plain number."),
    ("y = {} and 1 < 2", "1", "A condition is a comparison, not a plain number."),
    ("for i in {}:\n    pass", "3", "A plain number has no items to go through."),
    ("for i in range({}):\n    pass", "2.5", "A whole number is needed here, not 2.5."),
    ("for i in {}:\n    pass", "range(0, 1, 0)", "A range cannot have the step 0."),
    ("x = [1, 2]\ny = x[{}]", "2", "There is no item 2; the last one is 1."),
    ("x = []\ny = x[{}]", "0", "There is no item 0; the list is empty."),
    ("x = [1]\ny = x[{}]", "0.5", "A whole number is needed here, not 0.5."),
    ("x = [1]\ny = {}", "x[::0]", "A slice cannot have the step 0."),
    ("y = {}[0]", "3", "A plain number has no items."),
    ("x = (1, 2)\n{} = 3", "x[0]", "Items of a tuple cannot be set."),
    ("{} = [1, 2, 3]", "a, b", "There are 2 names here for 3 values."),
    ("{} = [1]", "a, b, *c", "There are 3 names here for 1 values."),
    ("{} = 3", "a, b", "A plain number has no items to go through."),
    ("{} = 3", "tanh", "tanh is built in."),
    ("{} = 3", "Value", "Value is built in."),
    ("for {} in [1]:\n    pass", "sum", "sum is built in."),
    ("y = {}", "tanh(1, 2)", "tanh takes 1 input, not 2."),
    ("y = {}", "Value(1.0).max()", "max takes 2 inputs, not 1."),
    ("y = {}", "tanh(1, x=2)", "tanh has no argument x here."),
    ("y = {}", "Value()", "Value takes 1 number, not 0."),
    ("y = {}", "Value('x')", "A number is needed here, not a text."),
    ("y = {}", "Value(1.0, label=2)", "A label is a text."),
    ("y = {}", "max()", "max needs something to compare."),
    ("y = {}", "max([1, 2], key=3)", "max has no argument key here."),
    ("y = {}", "round(2.5, ndigits=1)", "round has no argument ndigits here."),
    ("y = {}", "random.uniform(1)", "This takes 2 numbers, not 1."),
    ("{}", "random.seed([1])", "A number is needed here, not a list."),
    ("y = {}", "random.randint(0.5, 1)", "A whole number is needed here, not 0.5."),
    ("y = {}", "int(math.nan)", "nan has no whole part."),
    ("y = {}", "math.floor(2.5)", "math has no function floor here."),
    ("y = {}", "torch.optim", "torch has no optim here."),
    ("y = {}(2)", "math", "math cannot be called."),
    ("a = Value(1.0)\ny = {}(2)", "a", "a is a Value, not a function."),
    ("a = [1]\ny = {}(2)", "a[0]", "a[0] is a plain number, not a function."),
    ("y = ({})(1)", "lambda x: x", "Only a name can be called."),
    ("y = {}", "Value(1.0).foo()", "A Value has no method foo here."),
    ("y = {}", "Value(1.0).foo", "A Value has no foo here."),
    ("x = Value(1.0)\n{} = 2", "x.foo", "A Value has no attribute foo to set."),
    ("x = 1\n{} = 2", "x.data", "This is a plain number; its data cannot be set."),
    ("x = Value(1.0)\n{} = 2", "x.label", "A label is a text."),
    ("x = Value(1.0)\n{}", "x.backward(2)", "A backward pass starts from the gradient 1"),
    ("def f(a):\n    return a\ny = {}", "f()", "f also needs a."),
    ("def f(a):\n    return a\ny = {}", "f(1, 2)", "f takes 1 arguments, not 2."),
    ("def f(a):\n    return a\ny = {}", "f(1, a=2)", "f has no free argument 'a'."),
    ("y = tanh({})", "*[1]", "Arguments with * are not part of this language."),
    ("def f(a):\n    return a\ny = {}", "f(**x)", None),
    ("{}", "def f(*a):\n    pass", "Parameters with * or / are not part of this language."),
    ("@{}\ndef f():\n    pass", "g", "A decorator is not part of this language."),
    ("{}", "class Dog:\n    pass", "A class of your own is not part of this language."),
    ("with {}:\n    pass", "open('x')", "Only `with torch.no_grad():` is known here."),
    ("{}", "assert 1 > 2", "This assertion does not hold."),
    ("{}", "return 3", "This stands outside of a loop or function."),
    ("{}", "break", "This stands outside of a loop or function."),
    ("import os\ny = {}", "os.getcwd()", "os.getcwd is not here: a program reaches no files"),
    ("from math import floor\ny = {}", "floor(2.5)", "floor (math.floor) is not here."),
    ("{}", "from math import flor", "math has no flor."),
    ("{}", "from math import tanh as t", "A built-in name cannot be changed on import."),
    ("y = [1 async for x in {}]", "[1]", "async is not part of this language."),
    ("print({})", "f'{1.5:d}'", None),
    ("y = {}", "'a' * 3000", "This text has more than 2,000 characters."),
    ("y = {}", "range(10**18, 10**19)[0]", None),
]  # fmt: skip


@pytest.mark.parametrize(("frame", "part", "message"), REFUSED)
def test_what_is_refused_is_named_and_marked(frame: str, part: str, message: str | None) -> None:
    for before in ("", "ü = 'é'; "):
        text = before + frame.format(part) if "\n" not in frame + part else frame.format(part)
        error = refusal(text)
        if message is not None:
            assert error.message.startswith(message)
            assert error.hint
            assert marked(text, error) == part


def test_a_break_in_a_function_does_not_end_the_caller_s_loop() -> None:
    text = "def f():\n    break\nfor i in range(3):\n    f()"
    assert refusal(text).message == "A break or continue in f stands outside of a loop."


@pytest.mark.parametrize("name", MODULES)
def test_every_module_of_the_table_can_be_imported(name: str) -> None:
    finished(f"import {name}\nimport {name} as other\nfrom {name} import *")


@pytest.mark.parametrize("name", LIBRARIES)
def test_some_modules_are_known_without_an_import(name: str) -> None:
    finished(f"x = {name}")


@pytest.mark.parametrize(
    "line",
    [
        "from micrograd.engine import Value", "from micrograd.nn import MLP, Neuron, Layer",
        "from micrograd import nn", "import torch.nn as nn", "from torch.nn import functional as F",
        "from graphviz import Digraph", "import matplotlib.pyplot as plt", "import IPython.display",
        "from IPython.display import display, SVG", "from __future__ import annotations",
        "from typing import List, Union", "from numpy import random", "import numpy as np",
        "from micrograd.engine import *", "from engine import Value",
        "from gradlens import MLP, Layer, Neuron, Value", "import gradlens",
    ],
)  # fmt: skip
def test_imports_of_the_tutorials(line: str) -> None:
    assert data(f"{line}\na = Value(2.0)\nb = a * 3", "b") == 6.0


# Random arithmetic, against 50 digits

inputs = st.tuples(*[st.integers(-32, 32).filter(bool).map(lambda n: n / 16) for _ in LEAVES])


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(expressions, inputs)
def test_random_expressions_agree_with_fifty_digits(text: str, x: tuple[float, ...]) -> None:
    exact = Exact(text)
    with mpmath.workdps(50):
        point = [mpmath.mpf(v) for v in x]
        try:
            right = exact(**dict(zip(LEAVES, point, strict=True)))
        except TooClose:
            assume(False)
        lines = [f"{name} = Value({v!r})" for name, v in zip(LEAVES, x, strict=True)]
        found = trace("\n".join([*lines, f"y = {text} * 1"]))
        assert abs(node(found, "y").data - right) <= 1e-12 * abs(right)
        for i, name in enumerate(LEAVES):
            if any(n.label == name for n in found.nodes):
                check_slope(exact, point, i, node(found, name).grad)


def check_slope(exact: Exact, point: list[mpmath.mpf], i: int, grad: float | None) -> None:
    """A gradient against the derivative that mpmath takes with 50 digits."""

    def along(t: mpmath.mpf) -> mpmath.mpf:
        moved = [t if j == i else x for j, x in enumerate(point)]
        return exact(**dict(zip(LEAVES, moved, strict=True)))

    assert grad is not None
    try:
        slope = mpmath.diff(along, point[i])
    except TooClose:
        assume(False)
    # Contributions may cancel in the sum: held against the larger of the slope and 1.
    assert abs(grad - slope) <= 1e-12 * max(abs(slope), 1)


# Leaves are known by their places, not by a count that shifts with the branches taken

BRANCH = "a = 1.0\nif a > 0:\n    b = 2.0\nc = 3.0\nL = a*c"


def test_a_changed_leaf_is_the_same_one_where_another_branch_is_taken() -> None:
    found = trace(BRANCH, {"a": -1.0, "b": 7.0})
    assert node(found, "L").data == -1.0 * 3.0
    assert {n.label: n.key for n in found.nodes} == {"a": "a", "c": "c", "L": None}
    assert data(BRANCH, "L", {"a": -1.0, "c": 5.0}) == -5.0


def test_a_changed_leaf_that_is_not_reached_is_told() -> None:
    message = "b is not reached with these numbers. What it was changed to has no effect."
    notes = {note.message: note.span for note in trace(BRANCH, {"a": -1.0, "b": 7.0}).notes}
    assert notes == {message: (3, 9, 3, 12)}
    reached = trace(BRANCH, {"a": 2.0, "b": 7.0})
    assert not any("not reached" in note.message for note in reached.notes)


def test_a_leaf_of_the_other_branch_has_no_key() -> None:
    text = "a = 1.0\nif a > 0:\n    b = 2.0\nelse:\n    b = 3.0\nL = a*b"
    found = trace(text, {"a": -1.0})
    assert {n.label: n.key for n in found.nodes} == {"a": "a", "b": None, "L": None}
    assert node(trace(text, {"a": -1.0, "b": 9.0}), "L").data == -3.0


def test_leaves_made_in_turns_of_a_loop_or_by_map_are_told_apart() -> None:
    text = "ws = [Value(1.0, label='w') for i in [1, 2, 3]]\nL = ws[0] + ws[1]*10 + ws[2]*100"
    assert data(text, "L", {"w@1": 5.0, "w": 7.0}) == 5 + 10 + 700
    text = "ws = list(map(Value, [1.0, 2.0]))\nL = ws[0] + ws[1]*10"
    assert data(text, "L", {"ws[1]": 4.0}) == 41.0


@pytest.mark.parametrize("labels", [["a", "a@1", "a"], ["a@1", "a", "a"], ["a", "a", "a@1", "a@1"]])
def test_no_two_leaves_have_the_same_key(labels: list[str]) -> None:
    lines = [f"x{i} = Value({i + 1}.0, label='{label}')" for i, label in enumerate(labels)]
    program = Program("\n".join([*lines, f"L = {' + '.join(f'x{i}' for i in range(len(labels)))}"]))
    assert sorted(program.defaults().values()) == [i + 1.0 for i in range(len(labels))]
    for key in program.defaults():
        run = program.run({key: 100.0})
        assert run.output.data == sum(program.defaults().values()) - program.defaults()[key] + 100.0
        assert len(set(run.keys.values())) == len(labels)


# Results that are not drawn


def unseen(text: str) -> list[str]:
    return [note.message for note in trace(text).notes if "end the program" in note.message]


def test_a_result_that_is_not_drawn_is_told() -> None:
    text = "a = Value(2.0)\nb = Value(3.0)\nc = a * b\nd = a + b"
    (note,) = trace(text).notes
    assert note.message == "d does not depend on c; to see c, end the program with c.backward()."
    assert note.span == (3, 5, 3, 10)
    assert unseen("a = 2.0\nc = a * 3\nd = a + 3") == [note.message]


@pytest.mark.parametrize(
    "text",
    [
        "a = Value(2.0)\nc = a * 3\nd = a + 3\nd.backward()",
        "a = Value(2.0)\nc = a * 3\nd = c + 3",
        "a = Value(2.0)\nn = 2 * 3\nd = a + 3",
        "def f(x):\n    c = x * 2\n    return x + 1\na = Value(2.0)\nd = f(a)",
    ],
)
def test_where_all_results_are_drawn_there_is_no_such_note(text: str) -> None:
    assert unseen(text) == []


def test_three_results_that_are_not_drawn_are_told() -> None:
    lines = [f"c{i} = a * {i}" for i in range(5)]
    assert len(unseen("\n".join(["a = Value(2.0)", *lines, "d = a + 1"]))) == 3


# What the writer may have meant


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("y = thanh(0.5)", "Write tanh, or set thanh on a line above."),
        ("alpha = 1\ny = alhpa", "Write alpha, or set alhpa on a line above."),
        ("y = pi", "Write math.pi."),
        ("y = e", "Set it first, on a line above: e = 1.0."),
        ("a = 1\nb = 2\nL = ab", "Write a*b for a product."),
        ("a = In[1]", "Remove the notebook's In [ ]: in front of the line."),
        ("def f(x, y=1):\n    return x", "Add a line that calls it, such as L = f(Value(2.0))."),
        ("import math", "Add an expression, such as L = Value(2.0) * 3."),
        (
            "class MLP:\n    pass",
            "Add a line that uses it, such as L = n([1.0, -2.0]) with n = MLP(2, [3, 1]).",
        ),
        ("a = 2,5\nL = a*2", "Write 2.5 with a point; a comma makes a pair of numbers."),
        ("a = 2,5\nL = Value(a)", "Write 2.5 with a point; a comma makes a pair of numbers."),
        (
            "x = torch.tensor([1., 2.])**2",
            "Gradlens works on single numbers; write [v**2 for v in x].",
        ),
        ("x = [1.0] * 0.5", "Gradlens works on single numbers; write [v*2 for v in x]."),
        (
            "x = [1.0] * [2.0]",
            "Gradlens works on single numbers; write [v*w for v, w in zip(x, y)].",
        ),
        ("x = tanh([1.0])", "Gradlens works on single numbers; write [f(v) for v in x]."),
        ("import torch.nn as nn\nm = nn.Sequential(1)", "Write MLP(2, [4, 1])."),
        ("x = np.foo(1)", "See the reference page for what is built in."),
    ],
)
def test_hints_at_what_was_meant(text: str, hint: str) -> None:
    assert refusal(text).hint == hint


def test_a_module_has_the_name_that_the_program_gave_it() -> None:
    assert refusal("m = torch.nn.Foo(2)").message == "torch.nn has no function Foo here."


@pytest.mark.parametrize(
    ("body", "used"),
    [
        (
            "def __init__(self, nin):\n        self.b = Value(0.0)",
            "with tanh, weights from random.uniform(-1, 1) and biases of 0",
        ),
        (
            "def __init__(self, nin):\n        self.b = Value(random.uniform(-1, 1))",
            "with tanh, and weights and biases from random.uniform(-1, 1)",
        ),
        (
            "def __init__(self, nin, nonlin=True):\n        self.b = random.uniform(-1, 1)",
            "with relu except in the last layer, and weights and biases from random.uniform(-1, 1)",
        ),
    ],
)
def test_a_pasted_neuron_says_what_is_used(body: str, used: str) -> None:
    (note,) = finished(f"class Neuron:\n    {body}\n").notes
    assert note.message == (
        f"Neuron is built in: your class is passed over and the built-in one is used, {used}."
    )


# Items, infinities, zip


@pytest.mark.parametrize("index", ["0", "-2"])
def test_a_number_put_into_a_list_is_a_leaf_with_the_name_of_the_item(index: str) -> None:
    text = f"a = [1.0, 2.0]\na[{index}] = 5.0\nL = a[0] * a[1]"
    leaf = node(trace(text), "a[0]")
    assert leaf.data == 5.0
    assert finished(text).env.names["a"][0].origin.leaf is not None


@pytest.mark.parametrize("text", ["inf", "+inf", "-inf"])
def test_infinities_are_read_from_text(text: str) -> None:
    assert finished(f"best = float('{text}')").env.names["best"].data == float(text)


@pytest.mark.parametrize("text", ["nan", "1.5", ""])
def test_float_reads_no_other_text(text: str) -> None:
    assert "reads no text" in refusal(f"a = float('{text}')").message


def test_a_strict_zip_takes_lists_of_one_length() -> None:
    assert printed("print(zip([1], [2], strict=True))") == ["[(1, 2)]"]
    assert printed("print(zip([1], [2, 3], strict=False))") == ["[(1, 2)]"]
    assert refusal("zip([1], [2, 3], strict=True)").message == "These have 1 and 2 items."


@pytest.mark.parametrize("seed", ["1e999", "0 * 1e999"])
def test_a_seed_is_finite(seed: str) -> None:
    assert refusal(f"random.seed({seed})").message.startswith("A seed is finite")


def test_a_network_with_given_parameters_has_them_as_leaves() -> None:
    text = "net = MLP(2, [1], parameters=[0.5, -1.0, 0.25])\nL = net([1.0, 2.0])\nL.backward()"
    found = {node.label: node.data for node in trace(text).nodes}
    assert (found["l0.n0.w0"], found["l0.n0.w1"], found["l0.n0.b"]) == (0.5, -1.0, 0.25)
    changed = trace(Program(text), {"l0.n0.w0": 2.0})
    assert {node.label: node.data for node in changed.nodes}["l0.n0.w0"] == 2.0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("[0.5]", "1 numbers for 3 parameters"),
        ("3", "list of numbers"),
        ("[1, 2, 'x']", "A number is needed"),
        (f"[1, 2, {'9' * 400}]", "400 digits"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(given: str, says: str) -> None:
    with pytest.raises(ProgramError, match=says):
        trace(f"net = MLP(2, [1], parameters={given})\nL = net([1.0, 2.0])")


def test_networks_count_as_work_before_they_are_made() -> None:
    """A weight takes as long as some operations, whether or not it is ever used."""
    with pytest.raises(ProgramError, match="more than 250,000 operations") as caught:
        Program("nets = [MLP(30, [30, 30]) for i in range(25)]\nL = 2.0*3").run()
    assert caught.value.span == (1, 9, 1, 26)
    Program("net = MLP(90, [100, 1])\nL = 2.0*3").run()
