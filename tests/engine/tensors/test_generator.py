"""Random numbers: those of PyTorch for the same seed."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.tensors.generator import TorchGenerator


def test_known_numbers() -> None:
    """What `torch.manual_seed(42)` gives in every PyTorch on a CPU."""
    assert [round(x, 4) for x in TorchGenerator(42).uniform(3, 0, 1, single=True)] == [
        0.8823, 0.9150, 0.3829,
    ]  # fmt: skip
    assert [round(x, 4) for x in TorchGenerator(42).normal(3, 0, 1, single=True)] == [
        0.3367, 0.1288, 0.2345,
    ]  # fmt: skip
    assert [round(x, 4) for x in TorchGenerator(42).normal(16, 0, 1, single=True)[:3]] == [
        1.9269, 1.4873, 0.9007,
    ]  # fmt: skip
    assert TorchGenerator(42).integers(8, 0, 10) == [2, 7, 6, 4, 6, 5, 0, 4]


def test_numbers_lie_in_their_ranges() -> None:
    generator = TorchGenerator(1)
    assert all(-2 <= x < 3 for x in generator.uniform(500, -2, 3, single=False))
    assert set(generator.integers(500, 3, 7)) == {3, 4, 5, 6}
    assert sorted(generator.permutation(50)) == list(range(50))
    numbers = generator.normal(5000, 1.0, 2.0, single=True)
    mean = math.fsum(numbers) / 5000
    assert abs(mean - 1) < 0.1
    assert abs(math.fsum((x - mean) ** 2 for x in numbers) / 5000 - 4) < 0.3


@pytest.mark.parametrize("seed", [0, 1337, 2147483647, 2**40 + 5])
def test_every_number_is_pytorch_s(seed: int, torch: Any) -> None:
    ours = TorchGenerator(seed)
    torch.manual_seed(seed)
    for n in (1, 5, 15, 16, 17, 100, 3):
        assert ours.normal(n, 0, 1, single=True) == torch.randn(n).tolist()
        assert ours.uniform(n, 0, 1, single=True) == torch.rand(n).tolist()
        assert (
            ours.uniform(n, -0.3, 0.7, single=True) == torch.empty(n).uniform_(-0.3, 0.7).tolist()
        )
        assert ours.normal(n, 1, 0.2, single=True) == torch.empty(n).normal_(1, 0.2).tolist()
        assert ours.integers(n, 0, 27) == torch.randint(0, 27, (n,)).tolist()
        assert ours.integers(n, 0, 2**30) == torch.randint(0, 2**30, (n,)).tolist()
        assert ours.permutation(n) == torch.randperm(n).tolist()
        wide = torch.randn(n, dtype=torch.float64).tolist()
        assert ours.normal(n, 0, 1, single=False) == pytest.approx(wide, rel=1e-13)
