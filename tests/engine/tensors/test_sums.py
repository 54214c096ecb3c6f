"""Sums of 32-bit numbers, in PyTorch's order."""

from __future__ import annotations

from engine.real import as_single
from engine.tensors.sums import adjacent_sum, column_sums
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.library_draws import digest, drawn_matrix


def add(a: float, b: float) -> float:
    return as_single(a + b)


@for_each("n", [1, 3, 4, 7, 8, 17, 64, 500])
def test_sums_of_whole_numbers_are_exact(n: int) -> None:
    numbers = [float(i) for i in range(n)]
    assert adjacent_sum(numbers, add) == n * (n - 1) / 2
    assert column_sums([numbers] * 5, add) == [n * (n - 1) / 2] * 5


@for_each("n", [2, 5, 8, 9, 33, 64, 200, 1000, 5000])
def test_sums_round_as_pytorch_s(n: int, oracle: Oracle) -> None:
    for columns in (1, 2, 5, 8, 9, 40):
        rows = drawn_matrix(min(n, 10_000 // columns), columns)
        wanted = oracle("tensor_functions.sums", len(rows), columns)
        of_rows = [adjacent_sum(row, add) for row in rows]
        assert of_rows[:5] == wanted["first rows"]
        assert digest(of_rows) == wanted["rows"]
        assert column_sums([list(c) for c in zip(*rows, strict=True)], add) == wanted["columns"]
        assert adjacent_sum([x for row in rows for x in row], add) == wanted["all"]
