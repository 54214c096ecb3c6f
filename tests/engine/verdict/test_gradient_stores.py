"""Where a class keeps its gradients: what they are called makes no difference to the verdict."""

from __future__ import annotations

import ast
from typing import NamedTuple

import pytest

from engine.program import Program
from engine.record.attribute_names import GRADIENTS
from engine.record.gradient_names import gradients_in
from engine.record.native import RepeatableRecording
from engine.verdict.judge import judge
from engine.verdict.model import Verdict
from tests.support.each import for_each

TEXT = """\
class Node:
    made = []
    def __init__(self, data, back=()):
        self.data = data
        self.back = back
        self.at = len(Node.made)
        self.title = f"n{self.at}"
        START
        Node.made.append(self)
    def __add__(self, other):
        return Node(self.data + other.data, ((self, 1.0), (other, 1.0)))
    def __mul__(self, other):
        return Node(self.data * other.data, ((self, other.data), (other, self.data)))

def differentiate(out):
    SEED
    for node in reversed(Node.made):
        for arg, slope in node.back:
            TO_ARG += slope * OF_NODE

a = Node(2.0)
b = Node(-3.0)
c = a * b + a
d = c * c
differentiate(d)
"""


class Kept(NamedTuple):
    """How a gradient is written for the object {0}: `start` in __init__, `seed` before the pass."""

    gradient: str
    start: str = "pass"
    seed: str = ""

    @property
    def text(self) -> str:
        seed = f"{self.seed}\n    {self.gradient.format('out')} = 1.0".lstrip()
        text = TEXT.replace("START", self.start).replace("SEED", seed)
        to_arg, of_node = (self.gradient.format(name) for name in ("arg", "node"))
        return text.replace("TO_ARG", to_arg).replace("OF_NODE", of_node)


OF_ALL = "grads = {key: 0.0 for key in ("
KEPT = {
    "another name": Kept("{0}.cotangent", "self.cotangent = 0.0"),
    "a short name": Kept("{0}.w", "self.w, self.visits = 0.0, 0"),
    "a list in each": Kept("{0}.cell[0]", "self.cell = [0.0]"),
    "a list by index": Kept("grads[{0}.at]", seed="grads = [0.0] * len(Node.made)"),
    "a list by place": Kept(
        "grads[nodes.index({0})]", seed="nodes = list(Node.made)\n    grads = [0.0] * len(nodes)"
    ),
    "a dict by object": Kept("grads[{0}]", seed=f"{OF_ALL}node for node in Node.made)}}"),
    "a dict by id": Kept("grads[id({0})]", seed=f"{OF_ALL}id(node) for node in Node.made)}}"),
    "a dict by name": Kept("grads[{0}.title]", seed=f"{OF_ALL}node.title for node in Node.made)}}"),
}


def verdict_on(text: str) -> Verdict | None:
    program = Program(text, recording=RepeatableRecording)
    return judge(program, program.run(is_judged=True), None)


@for_each("kept", KEPT.values(), ids=KEPT)
def test_right_gradients_are_judged_right(kept: Kept) -> None:
    found = verdict_on(kept.text)
    assert found is not None
    assert (found.mistakes, found.because) == ((), "")
    assert found.right == found.checked == 5  # a, b, a * b, c, d
    assert {found.true_grads[f"v{at}"] for at in (1, 2)} == {16.0, -16.0}  # 2c·(b + 1), 2c·a


WRONG = {
    "a partial": ("(other, 1.0)", "(other, 2.0)", "wrong_partial"),
    "a number": ("(other, self.data)", "(other, other.data)", "wrong_partial"),
    "an operand": (", (other, 1.0))", ",)", "unreachable contribution_missing"),
    "the line for all": ("+= slope", "+= -slope", "wrong_sign"),
    "a square": ("+= slope *", "+= slope * slope *", "wrong_partial"),
    "an assignment": (" += ", " = ", "assigned"),
    "the seed": (" = 1.0\n", " = 2.0\n", "wrong_seed"),
}
"""What is wrong, and the kind to be named, at the line that is changed."""


@for_each("wrong", WRONG.values(), ids=WRONG)
@for_each("kept", KEPT.values(), ids=KEPT)
def test_the_wrong_line_is_blamed_wherever_gradients_are(
    kept: Kept, wrong: tuple[str, str, str]
) -> None:
    old, new, kinds = wrong
    text = kept.text.replace(old, new)
    changed = zip(kept.text.split("\n"), text.split("\n"), strict=True)
    line = next(at for at, (before, after) in enumerate(changed, 1) if before != after)
    found = verdict_on(text)
    assert found is not None
    assert found.mistakes
    assert (found.mistakes[0].span[0], found.mistakes[0].kind in kinds.split()) == (line, True)


def test_a_wrong_partial_is_all_that_is_wrong() -> None:
    kept = KEPT["a list by index"]
    text = kept.text.replace("((self, 1.0)", "((self, 2.0)").replace("d = c * c", "d = c * c + a")
    found = verdict_on(text)
    assert found is not None
    assert {mistake.kind for mistake in found.mistakes} == {"wrong_partial"}


@pytest.mark.parametrize("slope", ["(other, 1.0)", "(other, 2.0)"])
def test_a_pass_along_paths_is_judged(slope: str) -> None:
    text = KEPT["another name"].text.replace("(other, 1.0)", slope)
    start, end = text.index("def differentiate"), text.index("a = Node(")
    path = """\
def differentiate(node, along=1.0):
    node.cotangent += along
    for arg, slope in node.back:
        differentiate(arg, along * slope)

"""
    found = verdict_on(text[:start] + path + text[end:])
    assert found is not None
    assert [mistake.span[0] for mistake in found.mistakes] == ([] if "1.0" in slope else [11])


def test_gradients_that_are_nowhere_are_not_judged_and_why_is_said() -> None:
    kept = Kept("{0}.box.x", "self.box = Box()")
    found = verdict_on(f"class Box:\n    x = 0.0\n{kept.text}")
    assert found is not None
    assert (found.checked, found.mistakes) == (0, ())
    assert found.because.endswith("in which the objects of Node keep them.")


def test_gradients_written_unseen_are_not_judged() -> None:
    kept = KEPT["another name"].text.replace(
        "arg.cotangent += slope * node.cotangent",
        "exec('arg.cotangent += slope * node.cotangent')",
    )
    found = verdict_on(kept)
    assert found is not None
    assert (found.checked, found.mistakes) == (0, ())
    assert "exec()" in found.because


@for_each(
    ("text", "name"),
    [
        ("class A:\n def __init__(s): s.n = 0\n def f(s): s.n += 1", ""),
        ("class A:\n def __init__(s): s.n = 0.0\n def f(s, g): s.n += g", "n"),
        ("class A:\n def __init__(s, n): s.n = n\n def f(s, g): s.n += g", ""),
        ("class A:\n def __init__(s): s.n = None\n def f(s): s.n = 1 if s.n else s.n + 2", "n"),
        ("class A:\n def __init__(s): s.n, s.grad = 0.0, 0.0\n def f(s, g): s.n += g", ""),
        ("class A:\n def __init__(s): s.data = 0.0\n def f(s, g): s.data += g", ""),
        ("class B:\n m: float\n n: float = 0.0\n def f(s): s.n = 1.0", "n"),
        ("x = 1.0", ""),
    ],
)  # fmt: skip
def test_the_name_of_gradients_is_read_from_their_use(text: str, name: str) -> None:
    assert gradients_in(ast.parse(text)) - GRADIENTS == ({name} if name else set())
