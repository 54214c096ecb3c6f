"""Hints at the name or module that the writer may have meant."""

from __future__ import annotations

import pytest

from tests.support.programs import refusal


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("y = thanh(0.5)", "Write tanh, or set thanh on a line above."),
        ("alpha = 1\ny = alhpa", "Write alpha, or set alhpa on a line above."),
        ("y = pi", "Write math.pi."),
        ("y = e", "Set it first, on a line above: e = 1.0."),
        ("a = 1\nb = 2\nL = ab", "Write a*b for a product."),
        ("a = In[1]", "Remove the notebook's In [ ]: in front of the line."),
        ("def f(x, y=1):\n    return x", "Add a line that calls it, such as L = f(Value(2.0))."),
        ("import math", "Add an expression, such as L = Value(2.0) * 3."),
        (
            "class MLP:\n    pass",
            "Add a line that uses it, such as L = n([1.0, -2.0]) with n = MLP(2, [3, 1]).",
        ),
        ("a = 2,5\nL = a*2", "Write 2.5 with a point; a comma makes a pair of numbers."),
        ("a = 2,5\nL = Value(a)", "Write 2.5 with a point; a comma makes a pair of numbers."),
        (
            "x = torch.tensor([1., 2.])**2",
            "Gradlens works on single numbers; write [v**2 for v in x].",
        ),
        ("x = [1.0] * 0.5", "Gradlens works on single numbers; write [v*2 for v in x]."),
        (
            "x = [1.0] * [2.0]",
            "Gradlens works on single numbers; write [v*w for v, w in zip(x, y)].",
        ),
        ("x = tanh([1.0])", "Gradlens works on single numbers; write [f(v) for v in x]."),
        ("import torch.nn as nn\nm = nn.Sequential(1)", "Write MLP(2, [4, 1])."),
        ("x = np.foo(1)", "See the reference page for what is built in."),
    ],
)
def test_hints_at_what_was_meant(text: str, hint: str) -> None:
    assert refusal(text).hint == hint


def test_a_module_has_the_name_that_the_program_gave_it() -> None:
    assert refusal("m = torch.nn.Foo(2)").message == "torch.nn has no function Foo here."
