"""Functions of new tensors take the options of all of PyTorch's: dtype and requires_grad.

Which element types a function makes, and that only those of floats can require gradients, is
PyTorch's rule; the gradient of Σx² with respect to x is 2x.
"""

from __future__ import annotations

from engine.stand_ins.torch_creation import CREATION
from engine.tensors.creation import ALIKE
from tests.support.each import for_each
from tests.support.programs import printed, refusal

FLOATS = ("torch.float32", "torch.float64")
DTYPES = (*FLOATS, "torch.int32", "torch.int64")
CALLS = {
    "tensor": "torch.tensor([[1, 2], [3, 4]]",
    "zeros": "torch.zeros(2, 3",
    "ones": "torch.ones((2, 3)",
    "empty": "torch.empty(4",
    "full": "torch.full((2, 2), 3",
    "eye": "torch.eye(2, 3",
    "arange": "torch.arange(1, 7, step=2",
    "linspace": "torch.linspace(0, 3, 4",
    "rand": "torch.rand(2, 2",
    "randn": "torch.randn(size=(2, 2)",
    "randint": "torch.randint(1, 9, (2, 2)",
    "randperm": "torch.randperm(4",
    "normal": "torch.normal(1.0, 2.0, (3,)",
    "zeros_like": "torch.zeros_like(x",
    "ones_like": "torch.ones_like(x",
    "empty_like": "torch.empty_like(x",
    "full_like": "torch.full_like(x, 3",
    "rand_like": "torch.rand_like(x",
    "randn_like": "torch.randn_like(x",
    "new_zeros": "x.new_zeros(2, 2",
    "new_ones": "x.new_ones((2, 2)",
    "new_empty": "x.new_empty(3",
    "new_full": "x.new_full((2, 2), 5",
    "new_tensor": "x.new_tensor([1, 2]",
}
"""A call of each, its parentheses open."""
DRAWN = {"rand", "randn", "normal", "rand_like", "randn_like"}
"""Those whose numbers are floats always."""
START = "import torch\nx = torch.ones(2, 2)\n"
REFUSED = "Only Tensors of floating point and complex dtype can require gradients"


def test_each_function_of_new_tensors_has_a_call() -> None:
    assert set(CALLS) == {*CREATION, *ALIKE}


@for_each("name", CALLS)
def test_a_new_tensor_has_the_type_and_the_gradient_that_were_asked_for(name: str) -> None:
    call = CALLS[name]
    dtypes = FLOATS if name in DRAWN else DTYPES
    lines = [f"t = {call}, dtype={dtype})\nprint(t.dtype, t.requires_grad)" for dtype in dtypes]
    lines += [
        f"t = {call}, dtype={dtype}, requires_grad=True)\n(t * t).sum().backward()\n"
        "print(t.dtype, t.requires_grad, torch.equal(t.grad, 2 * t.detach()))"
        for dtype in FLOATS
    ]
    right = [f"{dtype} False" for dtype in dtypes] + [f"{dtype} True True" for dtype in FLOATS]
    assert printed(START + "\n".join(lines)) == right


def test_whole_numbers_have_no_gradient() -> None:
    for name in CALLS.keys() - DRAWN:
        text = f"{START}t = {CALLS[name]}, dtype=torch.int64, requires_grad=True)"
        assert REFUSED in refusal(text).message, name


def test_numbers_at_equal_distances_are_those_of_the_element_type() -> None:
    calls = ("linspace(0, 1, 4, dtype=torch.float64)", "arange(end=3)", "arange(0, 10, step=4)")
    shown = [line for call in calls for line in printed(f"print(torch.{call}.tolist())")]
    assert shown == ["[0.0, 0.3333333333333333, 0.6666666666666667, 1.0]", "[0, 1, 2]", "[0, 4, 8]"]
