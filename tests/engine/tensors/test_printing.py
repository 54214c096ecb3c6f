"""Tensors as text, against the output that PyTorch's documentation shows and PyTorch itself."""

from __future__ import annotations

import math

from engine.tensors.printing import tensor_text
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.library_draws import drawn_tensor

NAN, INF = math.nan, math.inf


@for_each(
    ("items", "shape", "suffixes", "text"),
    [
        ([3.0], (), [], "tensor(3.)"),
        ([1.0, 2.0], (2,), [], "tensor([1., 2.])"),
        ([0.70710678], (), ["dtype=torch.float64"], "tensor(0.7071, dtype=torch.float64)"),
        (
            [1.5, -2.0],
            (2,),
            ["requires_grad=True"],
            "tensor([ 1.5000, -2.0000], requires_grad=True)",
        ),
        ([1.0, 1e10], (2,), [], "tensor([1.0000e+00, 1.0000e+10])"),
        ([1e-5], (1,), [], "tensor([1.0000e-05])"),
        ([1.0, NAN, INF], (3,), [], "tensor([1., nan, inf])"),
        ([1.5, NAN], (2,), [], "tensor([1.5000,    nan])"),
        ([1.0, 2.0, 3.0, 4.0], (2, 2), [], "tensor([[1., 2.],\n        [3., 4.]])"),
        ([], (0,), [], "tensor([])"),
        ([], (0, 3), [], "tensor([], size=(0, 3))"),
    ],
)
def test_floats(items: list[float], shape: tuple[int, ...], suffixes: list[str], text: str) -> None:
    assert tensor_text(items, shape, True, suffixes) == text


def test_integers_and_truth_values_are_aligned() -> None:
    assert tensor_text([1, -20], (2,), False, []) == "tensor([  1, -20])"
    assert tensor_text([True, False], (2,), False, []) == "tensor([ True, False])"


def test_long_tensors_are_summarised() -> None:
    text = "tensor([   0,    1,    2,  ..., 1998, 1999, 2000])"
    assert tensor_text(list(range(2001)), (2001,), False, []) == text


def test_a_suffix_that_does_not_fit_gets_a_line() -> None:
    items = [float(i) + 0.5 for i in range(8)]
    text = tensor_text(items, (8,), True, ["grad_fn=<MulBackward0>"])
    assert text.endswith("7.5000],\n       grad_fn=<MulBackward0>)")


@for_each("seed", range(150))
def test_random_tensors_print_as_in_pytorch(seed: int, oracle: Oracle) -> None:
    shape, numbers = drawn_tensor(seed)
    found = [tensor_text(numbers, shape, True, [])]
    if all(map(math.isfinite, numbers)):
        whole = [int(min(max(number, -1e9), 1e9)) for number in numbers]
        found.append(tensor_text(whole, shape, False, []))
    assert found == oracle("tensor_functions.texts", seed)
