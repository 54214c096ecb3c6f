"""Tensors of 32 bits: what is rounded, what keeps 64 bits, against PyTorch."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.language.program import Program
from engine.language.tape import as_single
from engine.trace.build import trace
from tests.support.programs import finished, printed, refusal

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
        "Value(0.1)": 0.1,
    }.items():
        assert printed(f"import torch\nx = {made}\nprint(x.item())") == [repr(right)], made


def test_a_rounded_number_is_told() -> None:
    (note,) = finished("x = torch.tensor(0.1)\ny = torch.tensor(0.5)").notes
    assert note.message == f"torch.tensor holds 32-bit numbers: 0.1 becomes {TENTH}."
    first, second = finished("x = torch.tensor([0.1, 0.2])").notes
    assert first.message == "The numbers of this torch.tensor keep 64 bits here, 32 in PyTorch."
    assert second.message == "This torch.tensor is read item by item here, and printed as a list."


def test_results_follow_the_tensors_and_not_the_plain_numbers() -> None:
    lines = "x = torch.tensor(0.1)\nz = torch.tensor(0.1, dtype=torch.float64)\nh = 0.1\n"
    single, double = printed(f"{lines}print((x * h).item(), (x * z).item())")[0].split()
    assert float(single) == as_single(TENTH * TENTH)
    assert float(double) == TENTH * 0.1


def test_a_leaf_that_is_dragged_or_set_keeps_its_precision() -> None:
    text = "x = torch.tensor(0.5)\ny = x * 1"
    assert Program(text).run({"x": 0.1}).output.data == TENTH
    assert printed("x = torch.tensor(0.5)\nx.data = 0.1\nprint(x.item())") == [repr(TENTH)]


def test_the_precision_of_a_tensor_in_use_stays() -> None:
    error = refusal("x = torch.tensor(0.1)\ny = x.double() * 2")
    assert error.message == "The precision of a tensor in use stays as it is here."


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("torch.tensor(0.1, foo=1)", "torch.tensor has no argument foo here."),
        ("torch.tensor(0.1, dtype=2.0)", "A dtype is needed here, not a plain number."),
        ("torch.tensor(0.1, dtype=torch.int64)", "torch has no int64 here."),
        ("torch.tensor(0.1, device='cuda')", "Only the device 'cpu' is known here."),
        ("F.gelu(x, approximate='tanh')", "gelu is computed with approximate='none' only."),
        ("F.relu(x, inplace=True)", "relu is computed with inplace=False only."),
        ("F.leaky_relu(x, negative_slope=0.2)", "leaky_relu is computed with negative_slope=0.01"),
        ("torch.tanh(x, dim=0)", "tanh has no argument dim here."),
        ("x.tanh(approximate='none')", "tanh has no argument approximate here."),
    ],
)
def test_an_argument_that_would_change_the_numbers_is_refused(call: str, message: str) -> None:
    text = f"import torch\nimport torch.nn.functional as F\nx = torch.tensor(0.5)\ny = {call}"
    assert refusal(text).message.startswith(message)


def test_the_form_of_gelu_that_is_told_is_pytorch_s() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    hint = refusal("x = torch.tensor(0.5)\ny = F.gelu(x, approximate='tanh')").hint
    formula = hint.removeprefix("Write ").removesuffix(".")
    for x in (-1.5, 0.3, 2.0):
        text = f"x = torch.tensor({x}, dtype=torch.float64)\ny = {formula}"
        exact = torch.nn.functional.gelu(
            torch.tensor(x, dtype=torch.float64), approximate="tanh"
        ).item()
        assert trace(text).nodes[-1].data == pytest.approx(exact, rel=1e-15)


def by_pytorch(torch: Any, text: str) -> tuple[float, ...]:
    """y and the gradients of a and b after a program."""
    names = {"torch": torch}
    exec(text, names)  # noqa: S102  # the tests' own text
    return tuple(x.item() for x in (names["y"], names["a"].grad, names["b"].grad))


def here(text: str) -> tuple[float, ...]:
    found = trace(text)
    leaves = {n.label: n.grad for n in found.nodes if n.grad is not None}
    return found.nodes[-1].data, leaves["a"], leaves["b"]


@pytest.mark.parametrize(
    "expression",
    ["a * b + a", "(a - b * 0.3) ** 2", "(a + b) / 0.7 * a - 0.1", "(-a * b).relu() + (b - a) * 3"],
)
@given(a=st.floats(-4, 4, width=32), b=st.floats(0.5, 4))
def test_arithmetic_is_that_of_pytorch_to_the_bit(expression: str, a: float, b: float) -> None:
    """IEEE 754 leaves no choice: each operation is the exact result, rounded to binary32."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    text = (
        f"a = torch.tensor({a}, requires_grad=True)\nb = torch.tensor({b}, requires_grad=True)\n"
        f"y = {expression}\ny.backward()"
    )
    assert here(text) == by_pytorch(torch, text)


@pytest.mark.parametrize("name", ["tanh", "exp", "sigmoid", "sin", "cos"])
def test_functions_are_those_of_pytorch_to_a_few_units_of_32_bits(name: str) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    text = (
        "a = torch.tensor(0.3, requires_grad=True)\nb = torch.tensor(-1.7, requires_grad=True)\n"
        f"y = (a * b).{name}()\ny.backward()"
    )
    for ours, theirs in zip(here(text), by_pytorch(torch, text), strict=True):
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


@pytest.mark.parametrize("expression", ["x * 2", "x + x", "2 * x", "x - y", "y / x"])
def test_arrays_are_no_lists_to_compute_with(expression: str) -> None:
    """NumPy would scale or add item by item; a list would be repeated or joined."""
    error = refusal(f"x = np.array([1.0, 2.0])\ny = Value(3.0)\nprint({expression})")
    assert error.message == "Arrays are not computed with as a whole here."
