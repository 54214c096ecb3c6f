"""Several backward passes: Values follow micrograd, tensors follow PyTorch, numbers neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ops import OPS
from engine.trace.accumulation import RULES
from engine.trace.build import trace
from engine.trace.gradcheck import check
from engine.trace.transcript import transcript
from tests.oracles.records import Oracle
from tests.support import micrograd
from tests.support.each import for_each
from tests.support.programs import finished, marked, node, printed, refusal, variable

pytestmark = pytest.mark.usefixtures("natively")

SQUARE = "b = a*3\nc = b*b\n"
TWICE = "c.backward()\nc.backward()\n"

# Values follow micrograd


def test_interior_gradients_add_up_too() -> None:
    """By hand: b receives 12 and then 12 more, so that a receives 36 and then 72."""
    assert printed("a = Value(2)\n" + SQUARE + TWICE + "print(a.grad, b.grad)") == ["108.0 24.0"]


def test_the_gradient_of_the_output_is_set_and_not_added_to() -> None:
    assert printed("a = Value(2.0)\na.backward()\na.backward()\nprint(a.grad)") == ["1.0"]


@pytest.mark.parametrize(("text", "slope"), [("1 - a", -1), ("1 / a", -0.25)])
def test_a_difference_and_a_quotient_have_no_value_inside(text: str, slope: float) -> None:
    """Each pass adds dc/da; the -a or 1/a inside micrograd's own would accumulate as well."""
    assert printed(f"a = Value(2.0)\nc = {text}\n{TWICE}print(a.grad)") == [str(2.0 * slope)]


_terms = st.sampled_from(["{} + {}", "{} - {}", "{} * {}", "{}.tanh() * {}", "{}.relu() + {}"])
_turns = st.sampled_from(["3 - {}", "0.5 * {}", "-{}", "{} / 2", "{} ** 2"])


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Assignments that may use every earlier name, with backward() called in between, anywhere."""
    number = st.integers(-12, 12).map(lambda n: n / 8)
    names = ["a", "b"]
    lines = [f"{name} = Value({draw(number)})" for name in names]
    for turn in range(draw(st.integers(1, 7))):
        used = [draw(st.sampled_from(names)) for _ in range(2)]
        lines.append(f"t{turn} = " + draw(_terms | _turns).format(*used))
        names.append(f"t{turn}")
        called = draw(st.lists(st.sampled_from(names), max_size=2))
        lines += [f"{name}.backward()" for name in called]
    return "\n".join([*lines, f"{names[-1]}.backward()"])


@given(programs())
def test_every_gradient_is_micrograds(text: str) -> None:
    expected = micrograd.names_after(text)
    run = finished(text)
    for name, value in expected.items():
        found = variable(run, name)
        assert found.data == pytest.approx(value.data, rel=1e-12)
        assert found.grad == pytest.approx(value.grad, rel=1e-9, abs=1e-12)
    shown = trace(text)
    for one in shown.nodes:
        if one.label:
            assert one.grad == pytest.approx(expected[one.label].grad, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    ["Value(2.0, (), '')", "Value(2.0, (), '', 'a')", "Value(data=2.0, _children=(), _op='')"],
)
def test_a_value_takes_the_arguments_of_the_lecture(text: str) -> None:
    run = finished(f"a = {text}\nprint(a, a._prev)")
    assert run.printed == ["Value(data=2.0) set()"]
    assert run.tape.leaves[-1].label == "a"


@pytest.mark.parametrize("text", ["Value(3.0, (a,), '+')", "Value(3.0, (), '+')"])
def test_a_value_with_children_is_refused(text: str) -> None:
    error = refusal(f"a = Value(2.0)\nb = {text}")
    assert "children" in error.message
    assert marked(f"a = Value(2.0)\nb = {text}", error) == text


def test_a_value_has_no_plus_sign_of_its_own() -> None:
    """micrograd's class has none: Python says "bad operand type for unary +: 'Value'"."""
    assert "unary +: 'Value'" in refusal("a = Value(2.0)\nb = +a").message
    assert printed("a = 2.0\nprint(+a)") == ["2.0"]


def test_a_value_is_not_told_to_keep_its_graph() -> None:
    text = "a = Value(2.0)\nb = a*3\nb.backward(retain_graph=True)"
    message = "TypeError: Value.backward() got an unexpected keyword argument 'retain_graph'"
    assert refusal(text).message == message


# Tensors follow PyTorch


def test_interior_tensors_start_each_pass_from_0() -> None:
    text = "a = torch.tensor(2.0, requires_grad=True)\n" + SQUARE
    text += "c.backward(retain_graph=True)\nc.backward()\nprint(a.grad.item())"
    assert printed(text) == ["72.0"]
    assert node(trace(text), "b").grad == 12.0


def test_a_leaf_tensor_adds_the_gradient_of_itself() -> None:
    text = "a = torch.tensor(2.0, requires_grad=True)\na.backward()\na.backward()\nprint(a.grad)"
    assert printed(text) == ["tensor(2.)"]


def test_a_second_pass_through_a_freed_graph_is_refused_where_it_is_asked_for() -> None:
    text = "import torch\na = torch.tensor(2.0, requires_grad=True)\n" + SQUARE + TWICE
    error = refusal(text)
    words = "RuntimeError: Trying to backward through the graph a second time"
    assert error.message.startswith(words)
    assert "retain_graph=True" in error.hint
    assert error.line == 6


FREED = "RuntimeError: Trying to backward through the graph a second time"


TORCHS = {"mod": "remainder", "degrees": "rad2deg", "radians": "deg2rad"}
OPS_AT = [
    (f"torch.{TORCHS.get(op.name, op.name)}" if op.module else op.name, op.samples[0])
    for op in OPS.values()
    if op.name not in ("cbrt", "hypot", "fmod", "copysign")
]
"""The operations that PyTorch has, as programs write them."""


def _call(name: str, names: list[str]) -> str:
    if len(names) == 1:
        return f"-{names[0]}" if name == "neg" else f"{name}({names[0]})"
    return f"{name}({', '.join(names)})" if name[-1].isalnum() else name.join(names)


@for_each(("name", "point"), OPS_AT, ids=[name for name, _ in OPS_AT])
def test_the_operations_that_save_numbers_are_pytorchs(
    name: str, point: tuple[float, ...], oracle: Oracle
) -> None:
    names = ["a", "b"][: len(point)]
    tensor = "{} = torch.tensor({}, requires_grad=True)\n"
    text = "".join(tensor.format(x, at) for x, at in zip(names, point, strict=True))
    text += f"y = {_call(name, names)}\ny.backward()\ny.backward()\n"
    functions = "from torch import *\nfrom torch.nn.functional import *\n"
    of_two = "from torch import maximum as max, minimum as min\n"
    error = oracle("programs.printed", f"import torch\n{functions}{of_two}{text}")["error"]
    assert not error or error.startswith(FREED)
    if error:
        refusal(f"import torch\n{of_two}{text}")
    else:
        finished(f"import torch\n{of_two}{text}")


@for_each(
    "calls",
    [
        "c.backward(retain_graph=True)\nc.backward()",
        "c.backward()\nd.backward()",
        "c.backward()\nc.backward()",
        "d.backward(retain_graph=True)\nc.backward()\nb.backward()",
        "e.backward()\ne.backward()\nc.backward()",
        "a.backward()\ne.backward()\na.backward()",
    ],
)
def test_passes_are_pytorchs(calls: str, oracle: Oracle) -> None:
    text = "a = torch.tensor(2.0, requires_grad=True)\n" + SQUARE + "d = b + 1\ne = a + 1 - a*1\n"
    text = text.replace("- a*1", "+ a") + calls + "\n"
    text += "print(a.grad)"
    theirs = oracle("programs.printed", f"import torch\n{text}")
    assert not theirs["error"] or theirs["error"].startswith(FREED)
    if theirs["error"]:
        refusal(text)
    else:
        assert finished(text).printed == theirs["printed"]


def test_what_a_tensor_takes_with_backward() -> None:
    text = "a = torch.tensor(2.0, requires_grad=True)\nb = a*3\nb.backward({})"
    finished(text.format("retain_graph=None"))
    finished(text.format("gradient=None, retain_graph=False"))
    given = text.format("gradient=torch.tensor(2.0)")
    assert printed(f"{given}\nprint(a.grad)") == ["tensor(6.)"]  # by hand: 2 * 3
    assert "'create_graph'" in refusal(text.format("create_graph=True")).message


# Plain numbers hold the last pass alone


def test_a_plain_number_holds_the_gradient_of_the_last_pass() -> None:
    assert printed("a = 2.0\n" + SQUARE + TWICE + "print(a.grad, b.grad)") == ["36.0 12.0"]


# Where the rules part


def said(text: str) -> list[str]:
    """The sentences of the frames in which the rules part."""
    found = trace(text)
    frames = zip(found.frames, transcript(found), strict=True)
    for at, remarks in found.remarks.items():
        assert all(remark in transcript(found)[at].text for remark in remarks)
    return [line.text for frame, line in frames if frame.leftovers]


KEPT = (
    "a = torch.tensor(2.0, requires_grad=True)\n"
    + SQUARE
    + "c.backward(retain_graph=True)\nc.backward()\n"
)


@for_each(
    ("text", "words"),
    [
        (
            "a = Value(2.0)\n" + SQUARE + TWICE,
            "b had gradient 12.0 before this pass. As in micrograd, interior",
        ),
        (KEPT, "b had gradient 12.0 before this pass. As in PyTorch, interior"),
        (
            "a = Value(2.0)\na.grad = 5\na.backward()",
            "a had gradient 5.0 before this pass. As in micrograd, backward() sets",
        ),
        (
            "a = torch.tensor(2.0, requires_grad=True)\na.grad = torch.tensor(5.0)\na.backward()",
            "a had gradient 5.0 before this pass. As in PyTorch, backward() adds",
        ),
    ],
)
def test_a_frame_in_which_the_rules_part_says_so_once(text: str, words: str) -> None:
    (line,) = said(text)
    assert words in line
    assert "micrograd" in line
    assert "PyTorch" in line


@for_each(
    "text",
    [
        "a = Value(2.0)\n" + SQUARE + "c.backward()",
        "a = Value(2.0)\na.grad = 5.0\n" + SQUARE + "c.backward()",
        "a = 2.0\n" + SQUARE + TWICE,
        "a = Value(2.0)\nfor k in range(2):\n    b = a*3\n    b.backward()",
    ],
)
def test_other_frames_say_nothing_of_rules(text: str) -> None:
    assert said(text) == []


def test_the_nudge_is_compared_with_this_pass_alone() -> None:
    (found,) = check(trace("a = Value(2.0)\n" + SQUARE + TWICE))
    assert (found.grad, found.verdict) == (36.0, "agrees")


def test_every_rule_is_told() -> None:
    assert {trace("a = Value(2.0)").rule, trace("a = torch.tensor(2.0)").rule} < set(RULES)


# Gradients that a program resets or did not ask for


@pytest.mark.parametrize("reset", ["a.grad.zero_()", "a.grad.data.zero_()", "a.grad = None"])
def test_a_reset_gradient_starts_the_next_pass_from_0(reset: str) -> None:
    """By hand: d(a²)/da at a = 3 is 6, twice 12."""
    passes = "(a*a).backward()\n{}\n(a*a).backward()\nprint(a.grad)"
    text = "a = torch.tensor(3.0, requires_grad=True)\n" + passes
    assert printed(text.format(reset)) == ["tensor(6.)"]
    assert printed(text.format("")) == ["tensor(12.)"]


@pytest.mark.parametrize("before", [True, False])
def test_a_training_loop_resets_the_gradients_of_values(before: bool) -> None:
    """By hand: with L = (w - 3)² and a step of L'/4 the distance to 3 halves, 2, 1, 0.5, 0.25."""
    reset, update = "    w.grad = 0.0\n", "    L.backward()\n    w.data -= 0.25 * w.grad\n"
    turn = reset + update if before else update + reset
    loop = f"for k in range(3):\n    L = (w - 3.0)**2\n{turn}print(w.data)"
    found = trace(f"w = Value(1.0)\n{loop}")
    assert found.printed == ("2.75",)
    assert [scene.kind for scene in found.scenes] == ["backward"] * 3
    assert node(found, "w").data == 2.5
    assert node(found, "w").grad == 2 * (2.5 - 3)
    assert trace(f"w = Value(1.0)\n{loop}", {"w": -5.0}).printed == ("2.0",)


def test_the_gradient_of_a_value_has_no_method_as_in_micrograd() -> None:
    error = refusal("a = Value(3.0)\n(a*a).backward()\na.grad.zero_()")
    assert error.message == "AttributeError: 'float' object has no attribute 'zero_'"
    assert error.line == 3
    assert ".grad = 0.0" in error.hint
    assert refusal("a = torch.tensor(3.0)\na.grad.zero_()").line == 2  # of None
    assert refusal("a = [1.0]\na.grad.zero_()").line == 2


@for_each(
    ("made", "is_recorded"),
    [
        ("a = torch.tensor(3.0)", False),
        ("a = torch.tensor(3.0, requires_grad=True)", True),
        ("a = torch.tensor(3.0)\na.requires_grad = True", True),
        ("a = torch.tensor(3.0).requires_grad_()", True),
        ("a = torch.nn.Parameter(torch.tensor(3.0))", True),
    ],
)
def test_the_gradients_that_are_recorded_are_pytorchs(
    made: str, is_recorded: bool, oracle: Oracle
) -> None:
    text = f"import torch\n{made}\nc = a*a\nc.backward()\nprint(a.grad)"
    theirs = oracle("programs.printed", text)
    assert bool(theirs["error"]) is not is_recorded
    if is_recorded:
        assert printed(text) == theirs["printed"]
    else:
        assert refusal(text).message == theirs["error"]


def test_a_tensor_that_no_pass_reaches_is_not_told_of() -> None:
    text = "a = torch.tensor(3.0)\nb = torch.tensor(2.0, requires_grad=True)\nc = b*b\n"
    assert finished(text + "c.backward()\nd = a*b").notes == []
