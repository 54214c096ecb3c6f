"""Exports of a graph: run, they print the numbers of the trace."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from app.explore.examples import EXAMPLES
from engine.graph_export.exports import GRAPH_EXPORTS, export
from engine.graph_export.graph import NothingToExport
from engine.ops import OPS
from engine.program import ProgramError
from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.oracles.records import Oracle
from tests.support.corpus import FOLDER
from tests.support.each import for_each
from tests.support.graph_exports import pair, printed
from tests.support.programs import expressions
from tests.support.traces import TEXTS

pytestmark = pytest.mark.usefixtures("natively")

PROGRAMS = [name for name, entry in GRAPH_EXPORTS.items() if entry.file_name.endswith(".py")]
LARGEST = 300  # Values
OF_CORPUS = (
    "arrays_value_exp.py", "class_other_grad_bug.py", "class_symbolic.py", "construct_match.py",
    "lecture_slope_at_a_point.py", "network_hinge_loss_accuracy.py", "torch_nn_autoparam.py",
)  # fmt: skip
EDGES = {
    "kinks": "x = Value(0.0)\ny = x.relu() + abs(x) + max(x, 0) + x**2 + leaky_relu(x)",
    "held": "a = Value(2.0)\nb = 3*a\nc = b*b\nc.backward()\nc.backward()",
    "a leaf": "x = Value(3.0)",
    "constants": "k = 2.0 ** 3.0\nx = Value(1.5)\nL = (1 + 1) * x + max(2.0, 3.0) * k",
    "names": 'x = Value(2.0, label="class")\n'
    'y = Value(3.0, label="it\'s \\" \\\\ # 100%_{}$")\nL = x*y',
    "unused": "a = Value(1.0)\nb = Value(2.0)\nL = (a - a) * b",
}
NOT_FINITE = {
    "poles": "x = Value(0.0)\ny = log(x) * 0 + x",
    "outside": "x = Value(-2.0)\ny = log(x) + x**0.5 + max(x**0.5, x)",
    "overflow": "x = Value(800.0)\ny = exp(x) / exp(x)",
}


Run = Callable[[list[str]], list[list[tuple[str, float]]]]
"""Runs exported programs: the names and numbers that each prints."""


@cache
def traces() -> dict[str, Trace]:
    """Programs of many kinds, of moderate size, whose own gradients are the derivatives."""
    texts = {example.slug: example.program for example in EXAMPLES} | TEXTS | EDGES | NOT_FINITE
    texts |= {name: (FOLDER / name).read_text("utf-8") for name in OF_CORPUS}
    found = {}
    for name, text in texts.items():
        try:
            shown = trace(text)
        except ProgramError:
            continue
        if shown.output is not None and len(shown.nodes) <= LARGEST:
            found[name] = shown
    return found


def wanted(of: Trace) -> list[float]:
    """The number of the output, and the gradient of each named leaf."""
    nodes = {node.id: node for node in of.nodes}
    leaves = [x for x in of.nodes if not x.args and x.label and x.grad is not None]
    return [nodes[of.drawn].data, *(x.grad or 0.0 for x in leaves)]


def check(
    found: Sequence[Trace],
    kind: str,
    run: Run = printed,
    near: float = 1e-9,
    noise: float = 1e-11,
) -> None:
    """Assert that the exports print the trace's numbers, or say that they do not."""
    texts = [export(shown, kind) for shown in found]
    for shown, text, seen in zip(found, texts, run(texts), strict=True):
        numbers = [number for _, number in seen]
        if "traced program" in text:
            assert len(numbers) == len(wanted(shown))
            continue
        size = max([1.0, *(abs(x.data) for x in shown.nodes if math.isfinite(x.data))])
        assert numbers == pytest.approx(
            wanted(shown), rel=near, abs=noise * size**2, nan_ok=True
        ), text


@pytest.fixture(scope="module")
def micrograd(place: Path) -> Run:
    """Run by micrograd, or its stand-in."""
    return lambda texts: printed(texts, place)


@pytest.fixture(scope="module")
def recorded(oracle: Oracle) -> Run:
    """Run by PyTorch and JAX."""
    return lambda texts: [
        [pair(line) for line in oracle("exports.printed", text)] for text in texts
    ]


def test_plain_python() -> None:
    check(list(traces().values()), "python", near=0, noise=0)


def test_micrograd(micrograd: Run) -> None:
    check(list(traces().values()), "micrograd", micrograd)


@pytest.mark.parametrize("kind", ["pytorch", "jax"])
def test_pytorch_and_jax(kind: str, recorded: Run) -> None:
    check(list(traces().values()), kind, recorded)


@settings(max_examples=6, deadline=None, phases=[Phase.generate])
@given(st.lists(st.tuples(expressions, expressions), min_size=5, max_size=15))
def test_random_programs(micrograd: Run, parts: list[tuple[str, str]]) -> None:
    head = "a = Value(1.25)\nb = Value(-0.5)\nc = Value(2.0)\n"
    found = []
    for one, other in parts:
        try:
            found.append(trace(f"{head}d = {one}\nL = d * ({other}) + d + a"))
        except ProgramError:  # complex numbers
            continue
    finite = [x for x in found if all(math.isfinite(node.data) for node in x.nodes)]
    check(found, "python", near=0, noise=0)
    check(finite, "micrograd", micrograd)
    for kind in ("pytorch", "jax"):
        for shown in found:
            ast.parse(export(shown, kind))


def test_every_operation(micrograd: Run, recorded: Run) -> None:
    found = []
    for op in OPS.values():
        for sample in op.samples:
            call = f"{op.called}({', '.join(op.params)})" if op.is_word else f"a {op.name} b"
            call = "-x" if op.name == "neg" else call
            given = [f"{p} = {x!r}" for p, x in zip(op.params, sample, strict=True)]
            found.append(trace("\n".join(["import math, operator", *given, f"L = {call} * 2.5"])))
    check(found, "pytorch", recorded)
    check(found, "jax", recorded)
    check(found, "micrograd", micrograd)


def test_names_are_those_of_the_program() -> None:
    (seen,) = printed([export(trace("a = 2.0\nw = [3.0, 4.0]\nL = a * w[0] + w[1]"), "python")])
    assert seen == [("L", 10.0), ("a", 3.0), ("w[0]", 2.0), ("w[1]", 1.0)]


OWN = """\
class V:
    def __init__(self, data, args=()):
        self.data, self.grad, self.args = data, 0.0, args
    def __mul__(self, other):
        out = V(self.data * other.data, (self, other))
        def back():
            self.grad += other.data * out.grad
            other.grad += 2 * self.data * out.grad
        out.back = back
        return out
a, b = V(2.0), V(5.0)
L = a * b
L.grad = 1.0
L.back()"""


@pytest.mark.parametrize("kind", [*PROGRAMS, "latex"])
def test_a_class_of_the_program_is_exported_as_its_graph(kind: str) -> None:
    text = export(trace(OWN), kind)
    assert "class V" not in text
    is_own = kind == "python"  # the program as it ran, mistake included
    assert ("4.0 of b" in text or "4.0 of b" in text.replace("\\", "")) is not is_own


def test_what_a_mistaken_program_has_is_said_beside_the_derivative() -> None:
    (seen,) = printed([export(trace(OWN), "python")])
    assert dict(seen[1:]) == {"a": 5.0, "b": 4.0}
    assert "gradient 4.0 of b; the derivative is 2.0" in export(trace(OWN), "micrograd")


def test_a_program_without_a_graph() -> None:
    with pytest.raises(NothingToExport):
        export(trace('print("hello")'), "python")


@for_each("name", [*EDGES, *NOT_FINITE, "3_manual_computation", "network"])
def test_latex_is_well_formed(name: str) -> None:
    shown = traces().get(name) or trace(TEXTS["network"])
    text = export(shown, "latex")
    assert text.isascii()
    bare = re.sub(r"\\[\\{}]", "", text)
    depth = 0
    for letter in bare:
        depth += (letter == "{") - (letter == "}")
        assert depth >= 0
    assert depth == 0
    stack = []
    for verb, environment in re.findall(r"\\(begin|end)\{([a-z*]+)\}", text):
        if verb == "begin":
            stack.append(environment)
        else:
            assert stack.pop() == environment
    assert not stack
    assert text.count(r"\left") == text.count(r"\right")
    assert not re.search(r"(?<!\\)[$#%]", text)
    known = {
        "begin", "end", "documentclass", "usepackage", "allowdisplaybreaks", "setlength",
        "parindent", "section", "subsection", "frac", "partial", "cdot", "text", "left", "right",
        "quad", "Big",
        "infty", "mathrm", "sqrt", "ln", "tanh", "max", "min", "sigma", "operatorname", "par", "le",
        "ge", "ne", "textbackslash", "textquotesingle", "textquotedbl", "pi", "sin", "cos", "bmod",
    }  # fmt: skip
    assert {*re.findall(r"\\([A-Za-z]+)", text)} <= known


def test_latex_derives_the_gradients() -> None:
    text = export(trace("a = 2.0\nb = -3.0\nc = a * b\nL = c * a"), "latex")
    assert r"c &= a \cdot b = 2 \cdot (-3) = -6" in text
    assert r"\frac{\partial L}{\partial c} &= a = 2" in text
    assert r"&= 1 \cdot (-6) + 2 \cdot (-3) = -12" in text
