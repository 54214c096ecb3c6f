"""The unrolled program: CPython computes the numbers of the trace from it, bit for bit."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from app.explore.examples import EXAMPLES
from engine.ops import OPS
from engine.program import ProgramError
from engine.trace.traced import Trace
from engine.trace.unrolled import Unrolled, unrolled
from tests.support.corpus import FOLDER
from tests.support.places import DATA
from tests.support.programs import expressions
from tests.support.traces import EACH, TEXTS, trace
from tests.support.unrolled_programs import bits, numbers_by_line

OF_CORPUS = (
    "arrays_value_exp.py",
    "class_stale_data_in_closure.py",
    "class_other_grad_bug.py",
    "class_symbolic.py",
    "construct_match.py",
    "lecture_slope_at_a_point.py",
    "network_hinge_loss_accuracy.py",
    "network_xor_short_names.py",
    "torch_nn_autoparam.py",
    "own_total_ordering.py",
    "class_second_derivatives.py",
)


def check(found: Iterable[tuple[Trace, Unrolled]]) -> None:
    """Assert that CPython computes each line's number, and in the end every number of the trace."""
    pairs = list(found)
    for (shown, program), seen in zip(
        pairs, numbers_by_line([program for _, program in pairs]), strict=True
    ):
        last = {}
        for line, computed in zip(program.lines, seen, strict=True):
            if not math.isnan(line.number):
                assert computed == bits(line.number), line.text
            last[line.pass_, line.node] = line.number
        for node in shown.nodes:
            if node.id in program.names:
                assert last["forward", node.id] == pytest.approx(node.data, rel=0, nan_ok=True)
            if node.grad is not None and (node.grad != 0 or node.label):
                grad = last.get(("backward", node.id), None if node.label else node.grad)
                assert grad == pytest.approx(node.grad, rel=0, nan_ok=True), node.name


def of_text(text: str) -> tuple[Trace, Unrolled]:
    found = trace(text)
    return found, unrolled(found)


def accepted(texts: Iterable[str]) -> list[tuple[Trace, Unrolled]]:
    """The programs that run; others divide by zero, are complex or need more than there is."""
    found = []
    for text in texts:
        try:
            found.append(of_text(text))
        except ProgramError:
            continue
    return found


def code(text: str) -> list[str]:
    return [line.code for line in of_text(text)[1].lines]


def test_examples_and_programs_of_learners_give_the_numbers_of_the_page() -> None:
    programs = [(FOLDER / name).read_text("utf-8") for name in OF_CORPUS]
    programs += [example.program for example in EXAMPLES]
    found = accepted([*programs, *TEXTS.values()])
    assert len(found) > len(EXAMPLES) + len(TEXTS)
    check(found)


NUMBERS = ["0.0", "-2.0", "1e200", "-1e-320", "710.0"]


def test_every_operation_at_zeros_poles_and_overflows() -> None:
    texts = []
    for op in OPS.values():
        call = f"{op.called}({', '.join(op.params)})"
        if not op.is_word:
            call = "-x" if op.name == "neg" else f"a {op.name} b"
        for x in NUMBERS:
            for y in NUMBERS if len(op.params) > 1 else ["0"]:
                given = [f"{p} = {n}" for p, n in zip(op.params, (x, y), strict=False)]
                texts.append("\n".join(["import math, operator", *given, f"L = {call} * 2"]))
    found = accepted(texts)
    assert len(found) > len(texts) / 2
    check(found)


@settings(max_examples=12, deadline=None, phases=[Phase.generate])
@given(st.lists(st.tuples(expressions, expressions), min_size=5, max_size=20))
def test_random_programs(parts: list[tuple[str, str]]) -> None:
    head = "a = Value(1.25)\nb = Value(-0.5)\nc = Value(2.0)\n"
    check(accepted([f"{head}d = {one}\nL = d * ({other}) + d + a" for one, other in parts]))


@EACH
def test_each_line_belongs_to_its_frame(text: str) -> None:
    shown, program = of_text(text)
    for line in program.lines:
        for at in line.frames:
            frame = shown.frames[at]
            assert frame.pass_ == line.pass_
            if line.of is not None:
                assert line.of == frame.node
                found = [c for c in frame.contributions if c.slot == line.slot]
                assert not frame.contributions or [c.to for c in found] == [line.node]
    told = {at for line in program.lines for at in line.frames}
    for at, frame in enumerate(shown.frames):
        assert at in told or not (frame.contributions or frame.given or frame.written)


@EACH
def test_names_are_unique_identifiers_and_so_are_those_of_gradients(text: str) -> None:
    names = list(of_text(text)[1].names.values())
    both = [*names, *(f"{name}_" for name in names)]
    assert len({*both}) == len(both)
    assert all(name.isidentifier() for name in both)


def test_the_program_of_the_picture() -> None:
    text = "a = 2.0\nb = -3.0\nc = a * b\nd = a + c\nt = c * d\nL = t + a"
    assert code(text) == [
        "a = 2.0", "b = -3.0", "c = a * b", "d = a + c", "t = c * d", "L = t + a",
        "L_ = 1.0", "t_ = L_", "a_ = L_", "c_ = d * t_", "d_ = c * t_", "a_ += d_", "c_ += d_",
        "a_ += b * c_", "b_ = a * c_",
    ]  # fmt: skip


def test_a_zero_keeps_its_sign() -> None:
    check([of_text("x = Value(-2.0)\ny = -x.relu()\nz = y * 3\nw = (0 * x) + y")])


def test_labels_that_are_no_identifiers() -> None:
    text = 'w = [Value(1.0), Value(2.0)]\nx = Value(3.0, label="class")\n'
    text += 'y = Value(4.0, label="x_")\nz = Value(5.0, label="ﬁ \\" # \\n")\nL = w[0]*w[1]*x*y*z'
    shown, program = of_text(text)
    check([(shown, program)])
    ast.parse(program.text)


def test_gradients_held_from_an_earlier_pass() -> None:
    held = "a = Value(2.0)\nb = 3 * a\nc = b * b\nc.backward()\nc.backward()"
    found = of_text(held)
    check([found])
    assert [line.code for line in found[1].lines if "held" in line.note] == [
        "b_ = 12.0",
        "a_ = 36.0",
    ]


def test_gradients_that_the_program_wrote_itself() -> None:
    text = (DATA / "tutorials" / "micrograd_readme.py").read_text("utf-8")
    own = """\
class V:
    def __init__(self, data, args=()):
        self.data, self.grad, self.args = data, 0.0, args
    def __mul__(self, other):
        out = V(self.data * other.data, (self, other))
        def back():
            self.grad += other.data * out.grad
            other.grad = self.data * out.grad + 1
        out.back = back
        return out
a, b = V(2.0), V(5.0)
L = a * b
L.grad = 1.0
L.back()"""
    shown, program = of_text(own)
    check([(shown, program), of_text(text)])
    lines = {line.code: line.note for line in program.of("backward")}
    assert "line 7: self.grad += other.data * out.grad" in lines["a_ = b * L_"]
    assert "line 8" in lines["b_ = 3.0"]


def test_numbers_of_32_bits_are_rounded_as_torch_does() -> None:
    text = "import torch\na = torch.tensor(0.1, requires_grad=True)\nb = a * 0.3 + a.tanh()\n"
    found = of_text(f"{text}c = b ** 2\nc.backward()")
    check([found])
    assert "b = f32(t1 + t2)" in [line.code for line in found[1].lines]


def test_data_set_by_hand_says_so() -> None:
    found = of_text("a = Value(2.0)\nb = a * 3\nb.data = 7.0\nL = b * a")
    check([found])
    (line,) = [line for line in found[1].lines if line.note]
    assert line.code == "b = 7.0"
