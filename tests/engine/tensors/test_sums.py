"""Sums of 32-bit numbers, in PyTorch's order."""

from __future__ import annotations

from typing import Any

import pytest

from engine.real import as_single
from engine.tensors.sums import adjacent_sum, column_sums


def add(a: float, b: float) -> float:
    return as_single(a + b)


@pytest.mark.parametrize("n", [1, 3, 4, 7, 8, 17, 64, 500])
def test_sums_of_whole_numbers_are_exact(n: int) -> None:
    numbers = [float(i) for i in range(n)]
    assert adjacent_sum(numbers, add) == n * (n - 1) / 2
    assert column_sums([numbers] * 5, add) == [n * (n - 1) / 2] * 5


@pytest.mark.parametrize("n", [2, 5, 8, 9, 33, 64, 200, 1000, 5000])
def test_sums_round_as_pytorch_s(n: int, torch: Any) -> None:
    torch.manual_seed(n)
    for columns in (1, 2, 5, 8, 9, 40):
        x = torch.randn(n, columns)[: 10_000 // columns]
        rows = x.tolist()
        assert [adjacent_sum(row, add) for row in rows] == x.sum(1).tolist()
        assert column_sums([list(c) for c in zip(*rows, strict=True)], add) == x.sum(0).tolist()
    assert adjacent_sum(x.flatten().tolist(), add) == x.sum().item()
