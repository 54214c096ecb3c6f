"""Programs with torch print what PyTorch prints."""

from __future__ import annotations

import pytest

from engine.trace.build import trace
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.programs import printed, refusal
from tests.support.torch_programs import PROGRAMS

IMPORTS = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F"


@for_each("name", PROGRAMS)
def test_a_program_prints_what_pytorch_prints(name: str, oracle: Oracle) -> None:
    text = IMPORTS + PROGRAMS[name]
    theirs = oracle("programs.printed", text)
    assert theirs["error"] == ""
    assert printed(text) == theirs["printed"]


def test_what_a_pass_prints() -> None:
    lines = """\
tensor([1., 2., 3.], requires_grad=True) tensor(14., grad_fn=<SumBackward0>)
tensor([2., 4., 6.]) 14.0 tensor(2.) tensor(12.) 14.000 14.0"""
    assert printed(IMPORTS + PROGRAMS["a pass"])[:2] == lines.split("\n")


def test_what_an_optimizer_of_the_program_s_own_prints() -> None:
    lines = ["[0.5, 1.0] None {'lr': 0.25}", "NotImplementedError"]
    assert printed(IMPORTS + PROGRAMS["an optimizer of the program's own"]) == lines


def test_the_words_of_mistakes() -> None:
    lines = """\
RuntimeError mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)
RuntimeError The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1
RuntimeError element 0 of tensors does not require grad and does not have a grad_fn
RuntimeError grad can be implicitly created only for scalar outputs
RuntimeError a leaf Variable that requires grad is being used in an in-place operation."""  # noqa: E501
    assert printed(IMPORTS + PROGRAMS["mistakes"])[:5] == lines.split("\n")


@for_each(
    ("window", "words"),
    [
        ("unfold(0, 5, 1)", "maximum size for tensor at dimension 0 is 4 but size is 5"),
        ("unfold(0, 2, 0)", "step is 0 but must be > 0"),
        ("unfold(0, -1, 1)", "size is -1 but must be >= 0"),
        ("as_strided((2,), (1,), -1)", "Tensor: invalid storage offset -1"),
    ],
)
def test_the_words_of_windows_that_do_not_fit(window: str, words: str) -> None:
    assert refusal(f"{IMPORTS}\ntorch.ones(4).{window}").message == f"RuntimeError: {words}"


@for_each(
    "text",
    [
        "torch.zeros(200_001)",
        "torch.zeros(2, 2, 2, 2, 2, 2, 2, 2, 2)",
        "torch.randn(10**9)",
        "torch.arange(0, 1e12)",
        "torch.linspace(0, 1, 10**8)",
        "torch.eye(10**6)",
        "torch.ones(1).expand(10**6)",
        "torch.ones(1).as_strided((10**9,), (0,))",
        "torch.ones(100, 100).repeat(50, 50)",
        "torch.ones(5000, 1) * torch.ones(1, 5000)",
        "torch.ones(5000, 1) @ torch.ones(1, 5000)",
        "F.one_hot(torch.tensor([10**9]))",
        "nn.Linear(10_000, 10_000)",
    ],
)
def test_what_is_too_large_is_refused(text: str) -> None:
    assert refusal(f"{IMPORTS}\n{text}").message.startswith("This tensor has more than")


def test_tensors_are_named_after_the_variable_that_first_held_them() -> None:
    drawn = trace(
        """
import torch
x = torch.Tensor([2.0]).double(); x.requires_grad = True
w, v = torch.ones(2), torch.ones(1)
for p in [w, v]:
    p.requires_grad = True
L = (x * w * v).sum()
L.backward()
"""
    )
    assert drawn.arrays is not None
    assert [node.name for node in drawn.arrays.nodes if node.op is None] == ["x", "w", "v"]


def test_tensors_of_one_number_are_named_after_it_too() -> None:
    drawn = trace("import torch\nx = torch.ones(1, requires_grad=True)\nL = x * 2\nL.backward()")
    assert [node.label for node in drawn.nodes if node.kind == "leaf"] == ["x"]


def test_modules_change_their_precision_in_place() -> None:
    text = """
import torch
from torch import nn
layer = nn.Linear(1, 1)
weight = layer.weight
print(layer.double() is layer, layer.weight is weight, weight.dtype)
layer.weight.data.fill_(0.1)
print(layer(torch.tensor([[1.0]]).double()).dtype, layer.to(torch.float32).weight.dtype)
print(layer.weight.item())
"""
    assert printed(text) == [
        "True True torch.float64", "torch.float64 torch.float32", "0.10000000149011612"
    ]  # fmt: skip


EINSUM = (
    "RuntimeError: einsum(): subscript i has size 2 for operand 1 which does not "
    "broadcast with previously seen size 3"
)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nn.Embedding(4, 2)(torch.tensor([5]))", "IndexError: index out of range in self"),
        ("nn.Embedding(4, 2)(torch.tensor([-1]))", "IndexError: index out of range in self"),
        (
            "torch.einsum('i,i->', torch.ones(3), torch.ones(2))",
            EINSUM,
        ),
    ],
)
def test_what_pytorch_refuses_is_refused_in_its_words(line: str, words: str) -> None:
    assert refusal(f"{IMPORTS}\n{line}").message == words
