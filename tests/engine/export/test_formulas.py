"""Formulas of the table as code: the same numbers in Python and PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.formula_code import operations_in, translate
from engine.ops import OPS
from tests.oracles.records import Oracle
from tests.support.exported_programs import printed

POINTS = [(op, point) for op in OPS.values() for point in op.samples]


def numbers_at_points() -> list[float]:
    """What every operation and its partials give at its samples."""
    found = []
    for op, point in POINTS:
        y = op.compute(*point)
        found += [y, *(derive(y, *point) for derive in op.derive)]
    return found


def printing(tensors: bool) -> list[str]:
    """A program that prints the same from the texts of the table."""
    lines = []
    for op, point in POINTS:
        names = ("y", *op.params) if tensors else ()
        for name, x in zip(op.params, point, strict=True):
            lines.append(f"{name} = torch.tensor({x!r})" if tensors else f"{name} = {x!r}")
        lines += [f"y = {translate(op.formula, {}, names)}", "print(float(y))"]
        lines += [f"print(float({translate(text, {}, names)}))" for text in op.partials]
    return lines


def test_formulas_mean_the_same_in_python(place: Path) -> None:
    called = operations_in(text for op in OPS.values() for text in (op.formula, *op.partials))
    definitions = [
        f"def {op.name}({', '.join(op.params)}): return {translate(op.formula)}" for op in called
    ]
    text = "\n".join(["import math", *definitions, *printing(tensors=False)])
    assert printed(text, place) == pytest.approx(numbers_at_points(), rel=1e-15)


def test_formulas_mean_the_same_in_pytorch(oracle: Oracle) -> None:
    head = ["import math, torch", "from torch.nn import functional"]
    head.append("torch.set_default_dtype(torch.float64)")
    lines = oracle("exports.printed", "\n".join([*head, *printing(tensors=True)]))
    assert [float(line) for line in lines] == pytest.approx(numbers_at_points(), rel=1e-12)
