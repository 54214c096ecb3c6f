"""Random numbers: those of PyTorch for the same seed."""

from __future__ import annotations

import math

import pytest

from engine.tensors.generator import TorchGenerator
from tests.oracles.records import Oracle
from tests.support.each import for_each


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


SIZES = [1, 5, 15, 16, 17, 100, 3]


@for_each("seed", [0, 1337, 2147483647, 2**40 + 5])
def test_every_number_is_pytorch_s(seed: int, oracle: Oracle) -> None:
    ours = TorchGenerator(seed)
    for n, wanted in zip(SIZES, oracle("tensor_functions.drawn", seed, SIZES), strict=True):
        assert ours.normal(n, 0, 1, single=True) == wanted["randn"]
        assert ours.uniform(n, 0, 1, single=True) == wanted["rand"]
        assert ours.uniform(n, -0.3, 0.7, single=True) == wanted["uniform_"]
        assert ours.normal(n, 1, 0.2, single=True) == wanted["normal_"]
        assert ours.integers(n, 0, 27) == wanted["randint"]
        assert ours.integers(n, 0, 2**30) == wanted["randint, large"]
        assert ours.permutation(n) == wanted["randperm"]
        wide = ours.normal(n, 0, 1, single=False)
        assert wide == pytest.approx(wanted["randn, double"], rel=1e-13)
