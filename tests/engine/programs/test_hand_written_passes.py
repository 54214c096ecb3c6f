"""Scenes of backward passes that no method `backward` of the output does."""

from __future__ import annotations

from engine.program import Program
from engine.trace.build import trace
from tests.support.own_class import CLASS as VALUE
from tests.support.programs import node

CLASS = """\
class Node:
    def __init__(self, value, parents=(), op=""):
        self.value = value
        self.grad = 0.0
        self.parents = parents
        self.op = op
    def __mul__(self, other):
        return Node(self.value * other.value, (self, other), "*")
    def __add__(self, other):
        return Node(self.value + other.value, (self, other), "+")
    def backward(self):
        a, b = self.parents
        if self.op == "*":
            a.grad += b.value * self.grad
            b.grad += a.value * self.grad
        else:
            a.grad += self.grad
            b.grad += self.grad
"""
DRIVER = """\
def backprop(root):
    order = []
    def walk(n):
        if n not in order:
            for p in n.parents: walk(p)
            order.append(n)
    walk(root)
    root.grad = 1.0
    for n in reversed(order):
        if n.parents: n.backward()
"""


def test_a_method_backward_of_one_operation_is_no_pass_of_its_own() -> None:
    text = f"{CLASS}{DRIVER}a = Node(2.0)\nb = Node(-3.0)\nL = a * b + a\nbackprop(L)"
    traced = trace(text)
    assert [scene.title for scene in traced.scenes] == ["backprop(L), line 32"]
    assert (node(traced, "a").grad, node(traced, "b").grad) == (-2.0, 2.0)
    assert node(traced, "L").kind == "output"


def test_each_step_of_a_training_loop_by_hand_is_a_scene() -> None:
    text = f"""{CLASS}{DRIVER}
w = Node(2.0)
for step in range(3):
    w.grad = 0.0
    L = w * w
    backprop(L)
    w.value -= 0.25 * w.grad
"""
    traced = trace(text)
    shown = "backprop(L), line 34"
    titles = [shown] + [f"{shown}, turn {n}" for n in (2, 3)]
    assert [scene.title for scene in traced.scenes] == titles
    w = 2.0
    for scene in traced.scenes:
        drawn = Program(text).run(scene=scene.id)
        assert drawn.output is not None
        assert drawn.output.data == w * w
        assert node(trace(text, scene=scene.id), "w").grad == 2 * w
        w -= 0.25 * 2 * w


def test_d_is_the_number_of_an_object_that_has_no_other_and_a_gradient_beside_one() -> None:
    text = """class V:
    def __init__(s, {number}, ch=()):
        s.{number} = {number}
        s.{gradient} = 0.0
        s.ch = ch
    def __mul__(s, o):
        return V(s.{number} * o.{number}, (s, o))
    def backward(s):
        s.{gradient} = 1.0
        a, b = s.ch
        a.{gradient} += b.{number}
        b.{gradient} += a.{number}
a = V(3.0)
b = V(4.0)
L = a * b
L.backward()
"""
    for number, gradient in (("d", "g"), ("v", "d")):
        traced = trace(text.format(number=number, gradient=gradient))
        assert node(traced, "L").data == 12.0
        assert (node(traced, "a").grad, node(traced, "b").grad) == (4.0, 3.0)


def test_a_result_computed_anew_after_gradients_by_hand_is_drawn_last() -> None:
    """By hand: 2 * -3 = -6; after a step of 0.5 along the gradients -3 and 2, 0.5 * -2 = -1."""
    first = "a = Value(2.0)\nb = Value(-3.0)\nL = a * b\nL.grad = 1.0\n"
    moved = "a.grad = b.data\nb.grad = a.data\na.data += 0.5 * a.grad\nb.data += 0.5 * b.grad\n"
    text = f"{first}{moved}L = a * b"
    found = trace(text)
    assert [scene.kind for scene in found.scenes] == ["gradients", "end"]
    assert (node(found, "L").data, node(found, "L").grad) == (-1.0, 0.0)
    assert (node(found, "a").grad, node(found, "b").grad) == (-3.0, 2.0)
    by_hand = trace(text, scene=1)
    assert (node(by_hand, "L").data, node(by_hand, "L").grad) == (-6.0, 1.0)


def test_gradients_clipped_after_a_pass_are_no_scene_of_their_own() -> None:
    found = trace(
        f"{VALUE}"
        "w = Value(3.0)\nloss = w * w\nloss.backward()\n"
        "for p in [w]:\n    p.grad *= 0.5\n    p.data -= 0.1 * p.grad"
    )
    assert [scene.kind for scene in found.scenes] == ["backward"]
    assert (node(found, "w").grad, node(found, "loss").grad) == (6.0, 1.0)


def test_whole_number_that_the_class_makes_a_float_is_judged() -> None:
    """`Value(len(x))` is a constant, though its number is no constant of the text."""
    text = VALUE.replace("self.data = data", "self.data = float(data)")
    found = trace(f"{text}w = Value(3.0)\nloss = w * len('abcdefg')\nloss.backward()")
    assert found.verdict is not None
    assert (found.verdict.right, found.verdict.unknown) == (3, 0)
    assert node(found, "w").grad == 7.0
