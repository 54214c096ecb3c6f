"""`copy.copy` and `copy.deepcopy` of what libraries make: copies of their own, with NumPy's and
PyTorch's rules."""

from __future__ import annotations

import pytest

from engine.record.source import ProgramError
from tests.support.each import for_each
from tests.support.programs import finished, printed

IMPORTS = "import copy, torch, numpy as np\nfrom torch import nn\n"


@pytest.mark.parametrize("function", ["copy.copy", "copy.deepcopy"])
def test_an_array_is_copied_with_its_numbers(function: str) -> None:
    text = f"a = np.array([[1.0, 2.0]])\nb = {function}(a)\nb[0, 0] = 5\nprint(a, b, b.dtype)"
    assert printed(IMPORTS + text) == ["[[1. 2.]] [[5. 2.]] float64"]


def test_values_in_an_array_are_copied_only_deeply() -> None:
    text = (
        "v = Value(3.0)\na = np.array([v])\n"
        "print(copy.copy(a)[0] is v, copy.deepcopy(a)[0] is v, copy.deepcopy(a)[0].data)"
    )
    assert printed(IMPORTS + text) == ["True False 3.0"]


def test_a_generator_goes_on_apart_from_its_copy() -> None:
    text = (
        "a = np.random.default_rng(3)\nb = copy.deepcopy(a)\n"
        "x = a.random(4)\nprint((b.random(4) == x).all(), (a.random(4) == x).any())"
    )
    assert printed(IMPORTS + text) == ["True False"]


def test_a_copied_network_is_trained_apart() -> None:
    text = (
        "m = nn.Sequential(nn.Linear(1, 1), nn.Tanh())\n"
        "with torch.no_grad():\n    m[0].weight.fill_(0.5)\n    m[0].bias.fill_(0.25)\n"
        "best = copy.deepcopy(m)\nheld = copy.deepcopy(m.state_dict())\n"
        "opt = torch.optim.SGD(m.parameters(), lr=1.0)\n"
        "m[0](torch.ones(1, 1)).sum().backward()\nopt.step()\n"
        "print(m[0].weight.item(), m[0].bias.item())\n"
        "print(best[0].weight.item(), held['0.bias'].item(), best[0].weight.grad)\n"
        "print(isinstance(best[0].weight, nn.Parameter), len(list(best.parameters())))\n"
        "m.load_state_dict(held)\nprint(m[0].weight.item())"
    )
    lines = printed(IMPORTS + text)
    assert lines == ["-0.5 -0.75", "0.5 0.25 None", "True 2", "0.5"]


def test_a_copied_leaf_has_its_gradient() -> None:
    text = (
        "for t in (torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor(3.0, "
        "requires_grad=True)):\n"
        "    (t * t).sum().backward()\n    c = copy.deepcopy(t)\n    t.grad.zero_()\n"
        "    print(c.tolist(), c.grad.tolist(), c.requires_grad, c.is_leaf)"
    )
    assert printed(IMPORTS + text) == ["[1.0, 2.0] [2.0, 4.0] True True", "3.0 6.0 True True"]


def test_a_result_is_not_copied_deeply() -> None:
    text = "t = torch.tensor([1.0], requires_grad=True) * 2\ncopy.deepcopy(t)"
    with pytest.raises(ProgramError, match="RuntimeError: Only Tensors created explicitly by the"):
        finished(IMPORTS + text)


@for_each(
    ("shown", "expected"),
    [
        ("'%.2f' % t.mean()", "2.00"), ("'%d|%s' % (t.sum(), t[0])", "4|tensor(1.5000)"),
        ("f'{t.mean():.3f}'", "2.000"), ("float(t.sum()), int(t.sum())", "4.0 4"),
        ("bool(t.sum() - 4)", "False"), ("round(float(t.mean()), 1)", "2.0"),
    ],
)  # fmt: skip
@for_each("options", ["", ", requires_grad=True"])
def test_a_tensor_of_one_number_is_formatted_as_one(
    shown: str, expected: str, options: str
) -> None:
    if options:
        expected = expected.replace("tensor(1.5000)", "tensor(1.5000, grad_fn=<SelectBackward0>)")
    text = f"import torch\nt = torch.tensor([1.5, 2.5]{options})\nprint({shown})"
    assert printed(text) == [expected]
