"""Second derivatives against mathematics and PyTorch, and the verdicts of their check."""

from __future__ import annotations

import math
import random

import mpmath
import pytest
from hypothesis import assume, given, settings

from engine.calculus.curvature import eigenvalues, kind
from engine.calculus.hessian import Hessian
from engine.op import Op
from engine.ops import OPS
from tests.engine.calculus.test_writing import program
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.programs import Exact, TooClose, expressions
from tests.support.references import OPERATIONS
from tests.support.traces import trace

START = {"a": 1.25, "b": -0.5, "c": 2.0}


def hessian(text: str) -> Hessian:
    shown = trace(text)
    return Hessian(shown, [node for node in shown.nodes if node.kind == "leaf"])


def test_textbook_cases() -> None:
    assert hessian("x = 2.0\ny = x**3").rows == [[12.0]]
    assert hessian("a = 2.0\nb = 3.0\ne = a*b + b**2").rows == [[0.0, 1.0], [1.0, 2.0]]
    e = math.exp(0.5)
    found = hessian("x = 0.5\nz = 2.0\ny = math.exp(x) * z").rows
    assert found == [[pytest.approx(2 * e), e], [e, 0.0]]


@for_each("op", OPS.values(), ids=OPS)
def test_every_operation_and_its_check(op: Op) -> None:
    for point in op.samples:
        found = hessian(program(op, point))
        for i, row in enumerate(found.rows):
            for j, number in enumerate(row):
                orders = tuple((k == i) + (k == j) for k in range(len(point)))
                with mpmath.workdps(30):
                    right = float(mpmath.diff(OPERATIONS[op.name], point, orders))
                assert number == pytest.approx(right, rel=1e-9, abs=1e-9)
        assert {entry.verdict for entry in found.check()} == {"agrees"}


@settings(max_examples=40, deadline=None)
@given(expressions)
def test_random_expressions_against_50_digits(text: str) -> None:
    head = "\n".join(f"{name} = Value({x})" for name, x in START.items())
    exact = Exact(text)
    try:
        with mpmath.workdps(50):
            exact(**{name: mpmath.mpf(x) for name, x in START.items()})
    except TooClose:
        assume(False)
    found = hessian(f"{head}\nL = ({text}) + a * 0 + b * 0 + c * 0\nL.backward()")

    def f(a: mpmath.mpf, b: mpmath.mpf, c: mpmath.mpf) -> mpmath.mpf:
        return exact(a=a, b=b, c=c)

    size = max(1.0, *(abs(x) for row in found.rows for x in row))
    for i in range(3):
        for j in range(i + 1):
            orders = tuple((k == i) + (k == j) for k in range(3))
            with mpmath.workdps(50):
                right = float(mpmath.diff(f, tuple(START.values()), orders))
            assert found.rows[i][j] == pytest.approx(right, rel=1e-7, abs=1e-9 * size)
    assert found.asymmetry < 1e-9
    assert all(entry.ok or entry.verdict.startswith("too") for entry in found.check())


def test_network_of_pytorch(oracle: Oracle) -> None:
    shown = trace(
        "w1, w2, b, v = Value(0.3), Value(-0.7), Value(0.1), Value(1.5)\n"
        "L = sum(((w1*x + w2*z + b).tanh()*v - t)**2"
        " for x, z, t in [(1.0, 2.0, 0.5), (-1.0, 0.5, -1.0)])\nL.backward()"
    )
    leaves = [node for node in shown.nodes if node.kind == "leaf"]
    found = Hessian(shown, leaves)
    right = oracle("torch_calculus.hessian_of_network", [leaf.data for leaf in leaves])
    for row, numbers in zip(found.rows, right, strict=True):
        assert row == pytest.approx(numbers, rel=1e-12, abs=1e-13)
    assert all(entry.verdict == "agrees" for entry in found.check())


@for_each(
    ("text", "begins"),
    [
        ("x = Value(0.0)\ny = relu(x)**2", "kink on the path"),
        ("x = Value(0.0)\ny = abs(x) * 2", "kink on the path"),
        ("x = Value(0.0)\ny = sqrt(x)", "not finite"),
        ("x = Value(1e-100)\ny = x * x * x", "agrees"),
        ("x = Value(1e-9)\ny = log(x)", "agrees"),
    ],
)
def test_verdicts(text: str, begins: str) -> None:
    (entry,) = hessian(text).check()
    assert entry.verdict.startswith(begins)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("x = Value(1.0)\ny = 1e-12*x*x + 1e12*x", 2e-12),
        ("x = Value(2.0)\ny = x*8e307 - x*8e307 + x*x", 2.0),
    ],
)
def test_slope_that_is_lost_in_rounding_is_no_disagreement(text: str, due: float) -> None:
    (entry,) = hessian(text).check()
    assert entry.exact == pytest.approx(due)
    assert entry.verdict.startswith(("agrees", "too small"))


def symmetric(n: int) -> list[list[float]]:
    """A matrix of quarters; for every third n one of low rank, with equal eigenvalues."""
    most = 3 if n % 3 == 0 else 400
    draw = random.Random(n)
    rows = [[draw.randint(-most, most) / 4 for _ in range(n)] for _ in range(n)]
    if n % 3 == 0:
        return [[rows[0][i] * rows[0][j] for j in range(n)] for i in range(n)]
    return [[rows[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


@for_each("n", range(1, 13))
def test_eigenvalues_against_lapack(n: int, oracle: Oracle) -> None:
    matrix = symmetric(n)
    right = oracle("torch_calculus.eigenvalues", matrix)
    assert eigenvalues(matrix) == pytest.approx(right, rel=1e-9, abs=1e-9)


@for_each(
    ("values", "gradient", "right"),
    [
        ([1.0, 3.0], [0.0, 0.0], "minimum"),
        ([-1.0, -3.0], [0.0, 0.0], "maximum"),
        ([-1.0, 3.0], [0.0, 0.0], "saddle"),
        ([-1.0, 3.0], [1.0, 0.0], "both ways"),
        ([1.0, 3.0], [1.0, 0.0], "convex"),
        ([-1.0], [1.0], "concave"),
        ([0.0, 3.0], [1.0, 0.0], "partly flat"),
        ([0.0, 0.0], [1.0, 0.0], "flat"),
        ([math.nan], [1.0], "unknown"),
    ],
)
def test_kinds_of_points(values: list[float], gradient: list[float], right: str) -> None:
    assert kind(values, gradient) == right
