"""Which programs are followed array by array."""

from __future__ import annotations

import pytest

from engine.record.array_use import uses_arrays
from engine.record.source import Limits, Source


@pytest.mark.parametrize(
    ("text", "are_used"),
    [
        ("import numpy as np\nx = 1", False),
        ("import numpy as np\nx = np.zeros(3)", True),
        ("from numpy import zeros\nx = zeros(3)", True),
        ("import numpy.random\nx = numpy.random.rand(3)", True),
        ("import torch\nx = torch.tensor(2.0, requires_grad=True)\ny = torch.tanh(x)", False),
        ("import torch\nx = torch.Tensor([-3.0]).double()", False),
        ("import torch\nx = torch.tensor([1.0, 2.0])", True),
        ("import torch\nx = torch.ones(3)", True),
        ("import torch\nmake = torch.tensor\nx = make([1.0, 2.0])", True),
        ("import torch.nn as nn\nx = nn.Linear(2, 1)", True),
        ("x = 2.0", False),
    ],
)
def test_arrays_are_used(text: str, are_used: bool) -> None:
    assert uses_arrays(Source(text, Limits())) == are_used
