"""Values in programs: leaves, operations, gradients, labels."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from engine.ops import OPS, Op
from engine.stand_ins.kinds_of_values import OP_ALIASES
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import data, finished, node, printed, refusal


def grads(text: str) -> dict[str, float | None]:
    """The gradient of every labelled leaf."""
    return {n.label: n.grad for n in trace(text).nodes if n.label and not n.op}


def test_plain_arithmetic() -> None:
    found = trace("a = 2; b = -3; L = (a*b + 10) * -2")
    assert node(found, "L").data == -8.0
    assert grads(found.program) == {"a": 6.0, "b": -4.0}


@for_each(
    "make",
    [
        "Value({})", "Value(data={})", "Value({}, label='x')", "Value({}, (), '')",
        "torch.tensor({}, requires_grad=True)", "micrograd.engine.Value({})",
        "nn.Parameter(torch.tensor({}))", "Value(Value({}))", "float({})", "{}",
    ],
)  # fmt: skip
def test_ways_to_make_a_leaf(make: str) -> None:
    text = f"import micrograd\nx = {make.format('2.5')}\ny = x * x"
    assert grads(text) == {"x": 5.0}


WORDS = [op for op in OPS.values() if op.is_word and not op.module]


@for_each("op", WORDS, ids=lambda op: op.name)
def test_ways_to_call_an_operation(op: object) -> None:
    assert isinstance(op, type(OPS["+"]))
    first, *rest = map(repr, op.samples[0])
    leaves = "".join(f"x{i} = {x!r}\n" for i, x in enumerate(op.samples[0]))
    args = ", ".join(f"x{i}" for i in range(len(op.params)))
    right = op.compute(*op.samples[0])
    library = [f"math.{op.name}"] if hasattr(math, op.name) else []
    for call in (
        f"Value({first}).{op.name}({', '.join(rest)})",
        *(f"{name}({args})" for name in (op.name, *library)),
    ):
        found = trace(f"{leaves}y = {call}")
        assert node(found, "y").data == right
        assert node(found, "y").op == op.name


@for_each(("alias", "name"), OP_ALIASES.items())
def test_other_names_of_operations(alias: str, name: str) -> None:
    args = ", ".join(["3.0"][: len(OPS[name].params) - 1])
    assert node(trace(f"y = Value(2.0).{alias}({args})"), "y").op == name


@for_each("sign", ["+", "-", "*", "/", "**"])
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
        "print(x.data, x.grad, x.label)\n"
        "x.data = 5\nx.grad = None\nx.label = 'second'\n"
        "print(x.data, x.grad, x.label)\nx.data += 1\nx.grad -= 2\nprint(x.data, x.grad)"
    )
    assert printed(text) == ["2.0 3.0 first", "5.0 0.0 second", "6.0 -2.0"]


@for_each("name", ["data", "grad"])
@for_each("sign", ["+", "-", "*", "/", "**"])
@for_each("operand", ["0.5", "(x + 0.5)", "3", "True"])
def test_the_numbers_of_a_value_change_in_place_as_in_python(
    name: str, sign: str, operand: str
) -> None:
    text = "x = 0.25\n{before}a.{name} = 1.5\na.{name} {sign}= {operand}\nprint(a.{name})"
    parts = {"name": name, "sign": sign, "operand": operand}
    lines: list[str] = []
    plain: dict[str, object] = {"a": SimpleNamespace(), "print": lambda x: lines.append(str(x))}
    exec(text.format(before="", **parts), plain)  # noqa: S102  # the text above
    for before in ("a = Value(2.0)\n", "a = Value(2.0)\nb = a * 3\n"):
        assert printed(text.format(before=before, **parts)) == lines


def test_a_program_that_only_changes_the_number_of_a_leaf_draws_the_change() -> None:
    nodes = trace("a = Value(2.0)\na.data += 3 * 0.5").nodes
    assert nodes[-1].data == 3.5


def test_comparisons_use_the_numbers_and_equality_is_of_one_object() -> None:
    text = "a = Value(1)\nb = Value(2)\nprint(a < b, a > 1.5, b >= a, a <= 1)\n"
    assert printed(text) == ["True False True True"]
    text += "c = Value(1)\nprint(a == a, a == c, a != c, a in [c, a], len({a, c}))"  # as micrograd
    assert printed(text)[1:] == ["True False True True 2"]


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


@pytest.mark.parametrize("index", ["0", "-2"])
def test_a_number_put_into_a_list_is_a_leaf_with_the_name_of_the_item(index: str) -> None:
    text = f"a = [1.0, 2.0]\na[{index}] = 5.0\nL = a[0] * a[1]"
    leaf = node(trace(text), "a[0]")
    assert leaf.data == 5.0
    assert finished(text).globals["a"][0].leaf is not None


@for_each("op", [op for op in OPS.values() if op.module == "math"], ids=lambda op: op.name)
def test_an_operation_of_a_module_is_no_word_of_the_language(op: Op) -> None:
    point = ", ".join(map(repr, op.samples[0]))
    first, *rest = map(repr, op.samples[0])
    values = "".join(f"x{i} = Value({x!r})\n" for i, x in enumerate(op.samples[0]))
    args = ", ".join(f"x{i}" for i in range(len(op.params)))
    found = trace(f"import math\n{values}y = {op.called}({args})")
    assert (node(found, "y").op, node(found, "y").data) == (op.name, op.compute(*op.samples[0]))
    assert "is not defined" in refusal(f"y = {op.name}({point})").message
    message = f"'Value' object has no attribute '{op.name}'"
    assert message in refusal(f"Value({first}).{op.name}({', '.join(rest)})").message
    micrograd = f"import math\nfrom micrograd.engine import Value\n{values}{op.called}({args})"
    assert refusal(micrograd).message == "TypeError: must be real number, not Value"


OWN = """
class Num:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents
    def __mul__(self, other):
        return Num(self.data * other.data, (self, other))
"""


@pytest.mark.parametrize("kind", ["Value", "Num"])
def test_leaves_in_lists_and_dicts_are_named_as_they_are_reached(kind: str) -> None:
    text = f"{OWN}p = {{'a': {kind}(2.0)}}\nws = [[{kind}(3.0)]]\nL = p['a'] * ws[0][0]\n"
    found = trace(f"{text}L.grad = 1.0")
    assert [n.label for n in found.nodes if n.kind == "leaf"] == ["p['a']", "ws[0][0]"]


def test_super_applies_the_operation_of_the_built_in_value_itself() -> None:
    text = (
        "class Loud(Value):\n"
        "    def __mul__(self, other):\n        print('mul')\n"
        "        return super().__mul__(other)\n"
        "    def __rsub__(self, other): return super().__rsub__(other)\n"
        "    def __add__(self, other): return Value.__add__(self, other)\n"
        "a = Loud(3.0)\nb = 1 - (a * a + a)\nb.backward()\nprint(b.data, a.grad, a.__mul__('x'))"
    )
    assert printed(text) == ["mul", "mul", "-11.0 -7.0 NotImplemented"]


def test_a_mixin_stands_beside_a_built_in_class() -> None:
    text = (
        "class Named:\n    name = '?'\n    def named(self, name):\n        self.name = name\n"
        "        return self\n"
        "class Shown(Named):\n    def __repr__(self): return f'{self.name}: {self.data}'\n"
        "class V(Shown, Value): pass\n"
        "class Pair(Named, Module):\n    def __init__(self): self.w = [Value(2.0), Value(3.0)]\n"
        "    def parameters(self): return self.w\n"
        "v = V(3.0).named('v')\n(v * v).backward()\nprint(v, v.grad, Named().name)\n"
        "p = Pair().named('p')\np.w[0].grad = 5\np.zero_grad()\n"
        "print(p.name, p.w[0].grad, isinstance(p, Module), isinstance(p, Named))"
    )
    assert printed(text) == ["v: 3.0 6.0 ?", "p 0.0 True True"]


def test_a_method_defined_anew_replaces_that_of_the_built_in_class() -> None:
    text = (
        "class V(Value):\n    def tanh(self): return self * 2\n"
        "    def backward(self):\n        print('pass')\n        super().backward()\n"
        "x = V(3.0)\nclass N(Neuron):\n    def parameters(self): return self.w[:1]\n"
        "print(x.tanh().data, x.exp().data > 20, len(N(2).parameters()))\n"
        "x.backward()\nprint(x.grad)"
    )
    assert printed(text) == ["6.0 True 1", "pass", "1.0"]
