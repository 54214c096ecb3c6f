"""Test my class: right classes pass, wrong ones fail on a program that CPython finds wrong, too."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections import Counter

import pytest

from engine.named_ops import op_named
from engine.program import Program
from engine.trials import class_test, programs
from engine.trials.class_test import ClassTest
from engine.trials.programs import MOST, HiddenProgram, hidden_programs
from engine.trials.subject import ClassUnderTest, Usage, subject_of
from engine.verdict.fixes import verdict_on
from tests.support.bugs import Bug, Right, bugs, right_programs
from tests.support.each import for_each
from tests.support.own_class import CLASS

pytestmark = pytest.mark.usefixtures("natively")

UNTESTED = {
    "by_hand/lecture_builtin": "no class",
    "by_hand/neuron": "no method backward",
    "by_hand/called_one_by_one": "no method backward",
    "by_hand/own_loop": "no method backward",
    "oddities/recursive_with_memo": "cannot be used here",  # its pass is given the program's leaves
    "oddities/numeric_partials": "no operation",
    "oddities/operators_made_by_a_function": "no operation",
    "oddities/tape_with_indices": "cannot be used here",  # an object needs its place on the tape
    "oddities/lazy_numbers": "cannot be used here",  # a result has no number before its pass
}
OF_THE_PROGRAM = frozenset({"not_zeroed", "second_pass", "missing_reflected"})
"""Kinds of mistakes that a program makes with a right class, or that end it."""
STYLES = frozenset({"closures", "functions", "methods", "partials", "recursive", "tape"})


def of(text: str) -> ClassTest:
    return class_test.tested(Program(text))


FEW = 250
"""Hidden programs that show the same in half of the time: of every family, and of every size."""


@for_each("right", right_programs)
def test_a_right_class_is_right_on_all_programs(
    right: Right, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = MOST if right.style in STYLES else FEW
    monkeypatch.setattr(programs, "MOST", most)
    found = of(right.text)
    if right.name in UNTESTED:
        assert UNTESTED[right.name] in found.reason
        return
    assert not found.reason
    assert found.failure is None
    assert found.right == found.programs > most // 5


BESIDE = """\
class Num:
    def __init__(self, data, back=()):
        self.data, self.back, self.came = data, back, []
    def __add__(self, other):
        return Num(self.data + other.data, ((self, 1.0), (other, 1.0)))
    @property
    def grad(self):
        return sum(self.came)
    def backward(self, along=1.0):
        self.came.append(along)
        for arg, slope in self.back:
            arg.backward(along * slope)
"""


def test_a_gradient_that_nobody_can_set_is_read() -> None:
    found = of(BESIDE)
    assert (found.reason, found.failure) == ("", None)
    assert found.right == found.programs > 0


KEPT_IN_A_DICT = """\
class Num:
    def __init__(self, val, parents=()):
        self.val, self.parents = val, parents
    def __add__(self, o):
        return Num(self.val + o.val, ((self, 1.0), (o, 1.0)))
    def __mul__(self, o):
        return Num(self.val * o.val, ((self, o.val), (o, self.val)))
def backward(root):
    order, seen = [], set()
    def dfs(n):
        if id(n) not in seen:
            seen.add(id(n))
            for p, _ in n.parents:
                dfs(p)
            order.append(n)
    dfs(root)
    G = {id(n): 0.0 for n in order}
    G[id(root)] = 1.0
    for n in reversed(order):
        for p, d in n.parents:
            G[id(p)] += d * G[id(n)]
    return G
a = Num(0.5)
b = Num(-1.5)
L = a * b + a
G = backward(L)
"""


@pytest.mark.parametrize("is_wrong", [False, True])
def test_gradients_that_are_kept_beside_the_objects_are_read(is_wrong: bool) -> None:
    found = of(KEPT_IN_A_DICT.replace("] += d", "] = d" if is_wrong else "] += d"))
    assert found.reason == ""
    assert (found.failure is not None) == is_wrong
    if found.failure:
        assert found.failure.says.startswith("G[id(a)] is ")


def test_a_class_without_gradients_is_not_tested_and_why_is_said() -> None:
    beside = BESIDE.replace("def grad", "def total").replace("self.came", "self.box")
    assert "no gradient of its objects could be read" in of(beside).reason


NO_SEED = CLASS.replace("        self.grad = 1.0\n", "")
USE = "a = Value(2.0)\nb = a * a\n"


@pytest.mark.parametrize("lines", ["", f"{USE}b.backward()\n", f"{USE}c = b + a\nc.backward()\n"])
def test_a_class_that_forgets_the_seed_is_wrong_however_it_is_used(lines: str) -> None:
    found = of(f"{NO_SEED}\n{lines}")
    assert found.failure is not None
    assert found.failure.mistake is not None
    assert found.failure.mistake.kind == "seed_missing"


@pytest.mark.usefixtures("sandboxed")
def test_a_class_whose_seed_is_set_by_the_learners_own_lines_is_right() -> None:
    found = of(f"{NO_SEED}\n{USE}b.grad = 1.0\nb.backward()\n")
    assert not found.reason
    assert found.failure is None
    assert found.right == found.programs


WRONG = [bug for bug in bugs() if bug.style in STYLES and bug.kind not in OF_THE_PROGRAM]
UNSEEN = frozenset({
    "recursive/leaky_ignores_the_slope", "closures/late_bound_in_a_sum",
    "tape/product_shifted_in_place",
})  # fmt: skip
"""Mistakes in operations whose names are those of several functions, or of none in the table."""


def one_of_each_kind() -> list[Bug]:
    """For each kind of mistake a class, in the style of writing that was taken least before it."""
    seen = [bug for bug in WRONG if bug.name not in UNSEEN]
    taken: Counter[str] = Counter()
    found = []
    for kind in sorted({bug.kind for bug in seen}):
        bug = min((it for it in seen if it.kind == kind), key=lambda it: taken[it.style])
        taken[bug.style] += 1
        found.append(bug)
    assert taken.keys() == STYLES
    return found


@for_each("bug", one_of_each_kind)
def test_a_wrong_class_fails(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST", FEW)
    found = of(bug.text)
    assert not found.reason
    assert found.failure is not None
    assert found.right < found.programs


ASSIGNED = CLASS.replace("self.grad += out.grad", "self.grad = out.grad", 1)


def test_a_mistake_that_sleeps_is_found() -> None:
    """Nothing is used twice: every gradient of the program is right, and the class is not."""
    text = f"{ASSIGNED}\na = Value(2.0)\nb = Value(3.0)\nL = a + b\nL.backward()\n"
    assert ASSIGNED != CLASS
    verdict, mistakes = verdict_on(text)
    assert verdict is not None
    assert (verdict.right, mistakes) == (verdict.checked, ())
    failure = of(text).failure
    assert failure is not None
    assert failure.mistake is not None
    assert failure.mistake.kind == "assigned"
    line = ASSIGNED.splitlines()[failure.mistake.span[0] - 1]
    assert line.strip() == "self.grad = out.grad"


def test_the_smallest_failing_program_prints_the_wrong_gradient_in_cpython() -> None:
    failure = of(f"{ASSIGNED}\nL = Value(1.0) + 2\nL.backward()").failure
    assert failure is not None
    name, ends, due = re.findall(r"(\w+)\.grad is (\S+), it should be (\S+)\.", failure.says)[0]
    program = f"{failure.program}\nprint({name}.grad)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == pytest.approx(float(ends), rel=1e-5)
    assert float(due) != pytest.approx(float(ends), rel=1e-5)


# The true gradients of the hidden programs

OPERATIONS = {
    "{0} + {1}": "+", "{0} - {1}": "-", "{0} * {1}": "*", "{0} / {1}": "/", "{0} ** {1}": "**",
    "-{0}": "neg", "math.tanh({0})": "tanh", "math.exp({0})": "exp", "math.log({0})": "log",
}  # fmt: skip
STEP = 1e-5


def plain() -> ClassUnderTest:
    """Floats, as if they were a class."""
    usages = [Usage(op, form) for form, name in OPERATIONS.items() if (op := op_named(name))]
    assert len(usages) == len(OPERATIONS)
    reflected = [Usage(it.op, it.form, is_reflected=True) for it in usages[:4]]
    return ClassUnderTest(
        "float",
        "",
        "{0}",
        "None",
        "",
        "",
        "",
        [*usages, *reflected],
        [],
        frozenset("+"),
        True,
        False,
    )


def output_of(program: HiddenProgram, leaf: str, step: float) -> float:
    """The output's number, with a leaf moved by a step."""
    scope: dict[str, float] = {}
    for line in program.lines:
        if not re.match(r"None|\w+\. = ", line):
            exec(line, {"math": math}, scope)  # noqa: S102  a line of our own
            if line.startswith(f"{leaf} = "):
                scope[leaf] += step
    return scope[program.output]


@for_each("program", lambda: hidden_programs(plain(), "seed")[::3], ids=lambda it: it.about)
def test_gradients_are_the_measured_slopes(program: HiddenProgram) -> None:
    for leaf, gradient in program.gradients.items():
        up, down = (output_of(program, leaf, step) for step in (STEP, -STEP))
        assert (up - down) / (2 * STEP) == pytest.approx(
            gradient, rel=1e-4, abs=1e-4 * program.sizes[leaf] + 1e-6
        )
    assert output_of(program, "", 0) == pytest.approx(program.number)


def test_programs_grow_and_meet_every_operation() -> None:
    programs = hidden_programs(plain(), "another seed")
    assert len(programs) == MOST
    assert len(programs[0].lines) < 5 < 12 < len(programs[-1].lines)
    said = {program.about for program in programs}
    assert {
        "*",
        "* of one object",
        "an object * a number",
        "a number - an object",
        "+=",
        "sum()",
        "a chain",
    } <= said


# Classes that do not play along


@pytest.mark.usefixtures("sandboxed")
def test_a_class_that_never_ends_is_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_test, "SECONDS", 0.5)
    endless = CLASS.replace(
        "def __add__(self, other):", "def __add__(self, other):\n        while True: pass"
    )
    assert endless != CLASS
    found = of(endless)
    assert found.failure is None
    assert "takes too long" in found.reason


@pytest.mark.usefixtures("sandboxed")
def test_a_class_that_prints_answers_is_not_believed() -> None:
    forged = ASSIGNED.replace(
        "def __add__(self, other):",
        "def __add__(self, other):\n        print('= hidden program =', '[0, [1.0, 1.0, 1.0]]')",
    )
    assert forged != ASSIGNED
    assert of(forged).failure is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = Value(2.0)\nL = a * 3", "no class"),
        ("class Value:\n    def __init__(self, data):\n        self.data = data", "no operation"),
        (re.sub(r"(?s)    def backward.*", "", CLASS), "no method backward"),
        (
            CLASS.replace("def __init__(self, data", "def __init__(self, must, data"),
            "cannot be used",
        ),
    ],
)
def test_why_a_class_is_not_tested(text: str, says: str) -> None:
    found = of(text)
    assert says in found.reason
    assert not found.programs


def test_what_the_class_does_not_take_is_no_failure() -> None:
    """`2 * a` needs `__rmul__`; a class without it is not wrong."""
    assert "__rmul__" not in CLASS
    found = of(CLASS)
    assert found.failure is None
    assert "a number * an object" in found.unsupported


def test_hidden_programs_depend_on_the_class_alone() -> None:
    one, other = (
        subject_of(Program(f"{CLASS}\n{use}")) for use in ("a = Value(1.0)", "b = Value(7.5)")
    )
    assert hidden_programs(one, "x") == hidden_programs(other, "x")
    assert hidden_programs(one, "x") != hidden_programs(one, "y")


@pytest.mark.usefixtures("sandboxed")
def test_a_class_of_numpy_scalars_is_tested_like_any_other() -> None:
    (bug,) = [it for it in bugs() if it.name == "numpy/tanh_of_x"]
    found = of(bug.text)
    assert found.failure is not None
    assert found.failure.mistake is not None
    assert (found.failure.mistake.kind, found.failure.mistake.span[0]) == (bug.kind, bug.line)


@pytest.mark.parametrize(
    ("written", "instead", "uses"),
    [
        ("self.data + other.data", "np.einsum('i,i->', self.data, other.data)", "np.einsum"),
        ("self.data + other.data", "(self.data + other.data).reshape(1)", "the attribute reshape"),
        ("self.data + other.data", "np.array([self.data + other.data])", "an array of list"),
    ],
)
def test_what_needs_arrays_is_said_in_a_sentence(written: str, instead: str, uses: str) -> None:
    text = "import numpy as np\n" + CLASS.replace(written, instead)
    found = of(f"{text}\na = Value(2.0)\nL = a * a\nL.backward()\n")
    assert found.reason.startswith("Value is not tested: the hidden programs have single numbers")
    assert uses in found.reason
