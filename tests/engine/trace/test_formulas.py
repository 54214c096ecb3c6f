"""Formulas of the program's own objects: their operations are groups with the object's op text."""

from __future__ import annotations

import pytest

from engine.trace.build import trace
from engine.trace.model import Group, Node
from engine.trace.traced import Trace
from tests.support.own_class import CLASS, OVERWRITES, method
from tests.support.programs import node

TANH = f"{CLASS}n = Value(0.5)\no = n.tanh()\no.backward()\n"


def formulas(found: Trace) -> list[Group]:
    return [group for group in found.groups if group.kind == "formula"]


def inside(found: Trace, group: Group) -> list[Node]:
    """The computed Values of a group."""
    return [n for n in found.nodes if n.group == group.id and n.args]


def test_the_seven_operations_of_tanh_are_one_formula() -> None:
    found = trace(TANH)
    (group,) = formulas(found)
    assert (group.title, group.parent) == ("tanh", None)
    assert [n.op for n in inside(found, group)] == ["*", "exp", "-", "*", "exp", "+", "/"]
    assert inside(found, group)[-1] == node(found, "o")
    assert node(found, "n").group is None


def test_a_formula_of_one_operation_is_that_operation() -> None:
    found = trace(f"{CLASS}a = Value(2.0)\nb = Value(-3.0)\nc = a*b + a\nc.backward()")
    assert found.groups == ()
    assert [n.op for n in found.nodes if n.args] == ["*", "+"]
    assert (node(found, "a").grad, node(found, "b").grad) == (-2.0, 2.0)


def test_a_formula_of_nine_operations() -> None:
    text = method("""
def poly(self):
    x = self.data
    out = Value(x*x*x + 2*x*x - 4*x + 7 - 1/x, (self,), "poly")
    return out
""")
    found = trace(f"{text}a = Value(2.0)\np = a.poly()\np.backward()")
    (group,) = formulas(found)
    assert group.title == "poly"
    assert len(inside(found, group)) == 10  # x·x·x: 2, 2·x·x: 2, 4·x, 1/x, and 4 sums
    assert node(found, "p").data == 8 + 8 - 8 + 7 - 0.5


def test_a_formula_without_an_op_text_has_the_name_of_its_method() -> None:
    text = method("""
def double_and_square(self):
    return Value((2 * self.data) ** 2, (self,))
""")
    found = trace(f"{text}a = Value(3.0)\ny = a.double_and_square()\ny.backward()")
    assert [group.title for group in formulas(found)] == ["double_and_square"]
    assert node(found, "y").data == 36.0


def test_an_object_made_outside_of_methods_has_a_formula_called_so() -> None:
    found = trace(f"{CLASS}a = Value(2.0)\ny = Value(a.data * 3 + 1, (a,))\ny.backward()")
    assert [group.title for group in formulas(found)] == ["formula"]


def test_methods_that_call_methods_have_no_formula_of_their_own() -> None:
    text = method("""
def squared_error(self, target):
    error = self - target
    return (error * error).tanh()
""")
    found = trace(
        f"{text}a = Value(0.75)\nL = a.squared_error(Value(0.5))\nz = L + 1\nz.backward()"
    )
    call, minus = [group for group in found.groups if group.kind != "formula"]
    assert call.title.startswith("squared_error(")
    assert (minus.title.partition(", line ")[0], minus.parent) == ("self - target", call.id)
    (group,) = formulas(found)
    assert (group.title, group.parent) == ("tanh", call.id)
    assert [n.op for n in found.nodes if n.group == minus.id and n.op] == ["*", "+"]
    assert [n.op for n in found.nodes if n.group == call.id and n.op] == ["*"]
    assert node(found, "L").data == pytest.approx(0.0624187467475)  # tanh(1/16)


def test_helper_functions_belong_to_the_formula() -> None:
    text = "def half(x):\n    return x / 2\n" + method("""
def mean(self, other):
    return Value(half(self.data + other.data), (self, other), "mean")
""")
    found = trace(f"{text}a = Value(2.0)\nb = Value(5.0)\nm = a.mean(b)\nm.backward()")
    (group,) = formulas(found)
    ops = [n.op for n in found.nodes if n.args]
    assert (group.title, ops, node(found, "m").data) == ("mean", ["+", "/"], 3.5)


def test_what_two_objects_share_stays_outside_of_both() -> None:
    text = method("""
def both(self):
    shared = self.data * 3
    return Value(shared + 1 - 2, (self,), "one"), Value(shared * 2 + 5, (self,), "two")
""")
    found = trace(f"{text}a = Value(2.0)\np, q = a.both()\ns = p + q\ns.backward()")
    one, two = formulas(found)
    assert [n.op for n in inside(found, one)] == ["+", "-"]
    assert [n.op for n in inside(found, two)] == ["*", "+"]
    shared = next(n for n in found.nodes if n.data == 6.0 and n.op == "*")
    assert shared.group not in (one.id, two.id)


def test_plain_arithmetic_with_a_name_stays_as_it_is() -> None:
    text = f"{CLASS}k = 2.0 * 3\na = Value(2.0)\ny = Value(a.data * k + 1, (a,), 'f')\ny.backward()"
    found = trace(text)
    (group,) = formulas(found)
    assert [n.op for n in inside(found, group)] == ["*", "+"]
    assert node(found, "k").group is None


def test_every_turn_of_a_loop_has_its_formula_in_it() -> None:
    found = trace(
        f"{CLASS}y = Value(0.5)\nfor k in range(3):\n    y = y.tanh()\nz = y + 1\nz.backward()"
    )
    by_id = {group.id: group for group in found.groups}
    around = [by_id[group.parent or ""].title for group in formulas(found)]
    line = CLASS.count("\n") + 2
    assert around == [f"turn {turn}, line {line}" for turn in (1, 2, 3)]


def test_a_loop_in_a_method_is_a_part_of_the_formula() -> None:
    text = method("""
def power(self, n):
    t = 1.0
    for _ in range(n):
        t = t * self.data
    return Value(t, (self,), "power")
""")
    found = trace(f"{text}a = Value(2.0)\ny = a.power(3)\nz = y + 1\nz.backward()")
    (group,) = formulas(found)
    parents = {g.id: g.parent for g in found.groups}
    assert all(parent == group.id for g, parent in parents.items() if by_kind(found, g) == "loop")
    assert node(found, "y").data == 8.0


def by_kind(found: Trace, name: str) -> str:
    return next(group.kind for group in found.groups if group.id == name)


def test_ids_do_not_depend_on_the_numbers() -> None:
    text = f"{CLASS}a = Value(2.0)\nb = a.relu().tanh()\nc = a.tanh() + b\nc.backward()"
    names = [group.id for group in formulas(trace(text))]
    assert len(names) == len(set(names)) == 2
    assert [group.id for group in formulas(trace(text, {"a": -1.0}))] == names


def test_a_wrong_gradient_is_the_one_of_the_program() -> None:
    good, wrong = (
        trace(f"{text}a = Value(3.0)\nb = a + a\nc = b.tanh()\nb.backward()\nc.backward()")
        for text in (CLASS, OVERWRITES)
    )
    text = "a = Value(3.0)\nb = a + a\nb.backward()"
    assert node(trace(CLASS + text), "a").grad == 2.0
    assert node(trace(OVERWRITES + text), "a").grad == 1.0
    assert [group.title for group in formulas(good)] == ["tanh"]
    assert [group.title for group in formulas(wrong)] == ["tanh"]
