"""Tensors of 32 bits: what is rounded, what keeps 64 bits, against PyTorch."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.program import Program
from engine.real import as_single
from engine.trace.build import trace
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.programs import finished, printed, refusal

pytestmark = pytest.mark.usefixtures("natively")

TENTH = 0.10000000149011612  # the binary32 nearest to 0.1, 13421773 / 2**27


def test_a_tensor_holds_32_bits_unless_told_otherwise() -> None:
    assert TENTH == 13421773 / 2**27
    for made, right in {
        "torch.tensor(0.1)": TENTH,
        "torch.tensor(0.1, requires_grad=True)": TENTH,
        "torch.Tensor([0.1])": TENTH,
        "torch.Tensor([0.1]).double()": TENTH,
        "torch.tensor(0.1).double()": TENTH,
        "torch.tensor(0.1, dtype=torch.float64)": 0.1,
        "torch.tensor(0.1, dtype=torch.double)": 0.1,
        "torch.tensor(0.1, dtype=torch.float64).float()": TENTH,
        "np.array(0.1)": 0.1,
        "np.array([0.1], dtype=np.float32)": TENTH,
        "torch.nn.Parameter(torch.tensor(0.1))": TENTH,
    }.items():
        assert printed(f"import torch\nx = {made}\nprint(x.item())") == [repr(right)], made


def test_a_rounded_number_is_told() -> None:
    (note,) = finished("x = torch.tensor(0.1)\ny = torch.tensor(0.5)").notes
    assert note.message == f"torch.tensor holds 32-bit numbers: 0.1 becomes {TENTH}."


def test_results_follow_the_tensors_and_not_the_plain_numbers() -> None:
    lines = "x = torch.tensor(0.1)\nz = torch.tensor(0.1, dtype=torch.float64)\nh = 0.1\n"
    single, double = printed(f"{lines}print((x * h).item(), (x * z).item())")[0].split()
    assert float(single) == as_single(TENTH * TENTH)
    assert float(double) == TENTH * 0.1


def test_a_leaf_that_is_dragged_or_set_keeps_its_precision() -> None:
    text = "x = torch.tensor(0.5)\ny = x * 1"
    output = Program(text).run({"x": 0.1}).output
    assert output is not None
    assert output.data == TENTH
    assert printed("x = torch.tensor(0.5)\nx.data = 0.1\nprint(x.item())") == [repr(TENTH)]


def test_the_precision_of_a_tensor_in_use_can_be_widened() -> None:
    (line,) = printed("x = torch.tensor(0.1)\ny = x.double() * 2\nprint(y.item())")
    assert float(line) == TENTH * 2  # of 64 bits: 13421773 / 2**26


CALLS = [
    "torch.tensor(0.1, dtype=torch.int64)", "F.gelu(x)", "F.gelu(x, approximate='tanh')",
    "F.leaky_relu(x, negative_slope=0.2)", "F.leaky_relu(-x, negative_slope=0.2)",
    "F.leaky_relu(-x)", "torch.softmax(torch.tensor([1.0, 2.0]), dim=0)",
]  # fmt: skip


@for_each("call", CALLS)
def test_an_argument_changes_the_numbers_as_in_pytorch(call: str, oracle: Oracle) -> None:
    text = "import torch\nimport torch.nn.functional as F\nx = torch.tensor(0.5)\n"
    text += f"print({call})"
    assert printed(text) == oracle("programs.printed", text)["printed"]


@for_each(
    "call",
    ["torch.tensor(0.1, foo=1)", "torch.tensor(0.1, dtype=2.0)", "torch.tanh(x, dim=0)",
     "x.tanh(approximate='none')", "F.gelu(x, foo=1)", "F.gelu(x, approximate='other')",
     "torch.relu()", "x.backward(foo=1)"],
)  # fmt: skip
def test_an_argument_that_pytorch_does_not_take_is_an_error_in_the_name_that_was_called(
    call: str, oracle: Oracle
) -> None:
    text = f"import torch\nimport torch.nn.functional as F\nx = torch.tensor(0.5)\ny = {call}"
    kind, colon, _ = oracle("programs.printed", text)["error"].partition(": ")
    assert kind in ("TypeError", "RuntimeError")
    error = refusal(text)
    assert error.message.startswith(kind + colon)
    assert "<locals>" not in error.message
    assert " _" not in error.message


def test_an_argument_that_is_not_here_is_refused() -> None:
    text = "import torch\nx = torch.tensor(0.5, device='cuda')"
    assert refusal(text).hint == "Leave it out."


def by_pytorch(oracle: Oracle, text: str) -> tuple[float, ...]:
    """y and the gradients of a and b after a program."""
    shown = "print(y.item(), a.grad.item(), b.grad.item())"
    (line,) = oracle("programs.printed", f"import torch\n{text}\n{shown}")["printed"]
    return tuple(map(float, line.split()))


def here(text: str) -> tuple[float, ...]:
    found = trace(text)
    leaves = {n.label: n.grad for n in found.nodes if n.grad is not None}
    return found.nodes[-1].data, leaves["a"], leaves["b"]


@pytest.mark.parametrize(
    "expression",
    ["a * b + a", "(a - b * 0.3) ** 2", "(a + b) / 0.7 * a - 0.1", "(-a * b).relu() + (b - a) * 3"],
)
def test_arithmetic_is_that_of_pytorch_to_the_bit(expression: str, oracle: Oracle) -> None:
    """IEEE 754 leaves no choice: each operation is the exact result, rounded to binary32."""
    draw = random.Random(expression)
    points = [(draw.uniform(-4, 4), draw.uniform(0.5, 4)) for _ in range(60)]
    for a, b in [*points, (0.0, 0.5), (-0.0, 4.0), (2.0**-149, 1.0), (-4.0, 2.0**-1)]:
        text = (
            f"a = torch.tensor({a}, requires_grad=True)\n"
            f"b = torch.tensor({b}, requires_grad=True)\ny = {expression}\ny.backward()"
        )
        assert here(text) == by_pytorch(oracle, text), (a, b)


@for_each("name", ["tanh", "exp", "sigmoid", "sin", "cos"])
def test_functions_are_those_of_pytorch_to_a_few_units_of_32_bits(
    name: str, oracle: Oracle
) -> None:
    text = (
        "a = torch.tensor(0.3, requires_grad=True)\nb = torch.tensor(-1.7, requires_grad=True)\n"
        f"y = (a * b).{name}()\ny.backward()"
    )
    for ours, theirs in zip(here(text), by_pytorch(oracle, text), strict=True):
        assert ours == pytest.approx(theirs, rel=2**-21)
        assert ours == as_single(ours)


@given(st.floats())
def test_rounding_to_32_bits_is_that_of_ieee_754(x: float) -> None:
    rounded = as_single(x)
    if math.isnan(x):
        assert math.isnan(rounded)
    elif math.isfinite(rounded):
        exponent = max(math.frexp(x)[1], -125)  # of binary32, subnormal below 2**-126
        scaled = math.ldexp(x, 24 - exponent)
        assert math.ldexp(rounded, 24 - exponent) == round(scaled)
    else:
        assert abs(x) >= 2.0**128 - 2.0**103


@for_each("expression", ["x * 2", "x + x", "2 * x", "x - y", "y / x"])
def test_arrays_are_computed_with_item_by_item(expression: str) -> None:
    """Not repeated or joined as lists are."""
    pairs = [(1.0, 3.0), (2.0, 3.0)]
    right = [eval(expression, {"x": x, "y": y}) for x, y in pairs]  # noqa: S307  # as above
    text = f"x = np.array([1.0, 2.0])\ny = Value(3.0)\nz = {expression}\n"
    lines = printed(f"{text}for part in z: print(float(getattr(part, 'data', part)))")
    assert [float(line) for line in lines] == right
