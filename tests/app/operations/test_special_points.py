"""The numbers at special points are those of mathematics, and PyTorch's are those of PyTorch."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import mpmath
import pytest

from app.operations.peers import PEERS
from app.operations.special_points import (
    DIFFERENCES,
    alike,
    differences,
    ours,
    points,
    recorded,
    rows,
    torch_version,
)
from engine.ops import OPS
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.references import OPERATIONS

CPYTHON: dict[str, Callable[..., float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "neg": operator.neg, "abs": abs, "mod": operator.mod, "**": math.pow,
    **{name: getattr(math, name) for name in OPS if hasattr(math, name)},
}  # fmt: skip


@for_each("name", CPYTHON)
def test_values_are_those_of_cpython(name: str) -> None:
    compared = 0
    for point in points(OPS[name]):
        try:
            theirs = float(CPYTHON[name](*point))
        except (ArithmeticError, ValueError):  # CPython raises where IEEE 754 has inf or nan
            continue
        compared += 1
        assert alike(ours(OPS[name], point).value, theirs), point
    assert compared >= 2


@for_each("name", OPS)
def test_finite_values_are_those_of_mathematics(name: str) -> None:
    op = OPS[name]
    finite = [p for p in points(op) if all(map(math.isfinite, p)) and op.in_domain(*p)]
    if name in ("atan2", "copysign"):  # mpmath has no zero with a sign
        finite = [p for p in finite if 0.0 not in p]
    assert finite
    for point in finite:
        exact = OPERATIONS[name](*map(mpmath.mpf, point))
        value = ours(op, point).value
        if math.isfinite(value):
            assert value == pytest.approx(float(exact), rel=1e-9, abs=1e-300), point
        else:
            assert abs(exact) > mpmath.mpf("1.79e308")


@for_each("name", OPS)
def test_finite_partials_are_those_of_mathematics(name: str) -> None:
    op = OPS[name]
    for point in points(op):
        is_plain = all(math.isfinite(x) and abs(x) < 100 for x in point)
        if not is_plain or not op.in_domain(*point) or op.at_kink(*point):
            continue
        partials = ours(op, point).partials
        for slot, partial in enumerate(partials):
            h = mpmath.mpf(2) ** -40
            sides = [[mpmath.mpf(x) + (sign * h if i == slot else 0) for i, x in enumerate(point)]
                     for sign in (1, -1)]  # fmt: skip
            if not all(op.in_domain(*map(float, side)) for side in sides) or 0.0 in point:
                continue
            with mpmath.workdps(50):
                up, down = (OPERATIONS[name](*side) for side in sides)
                slope = (up - down) / (2 * h)
            assert partial == pytest.approx(float(slope.real), rel=1e-6, abs=1e-9), (point, slot)


def test_the_numbers_that_are_shown_are_what_make_oracles_compares(oracle: Oracle) -> None:
    for name, numbers in recorded().items():
        asked = oracle("torch_operations.special_points", name)
        assert repr([[value, *partials] for value, partials in numbers]) == repr(asked)


def test_record_has_every_operation_that_pytorch_has() -> None:
    assert set(recorded()) == {name for name in OPS if PEERS[name].torch}
    assert torch_version().startswith("2.")
    for name, there in recorded().items():
        assert len(there) == len(points(OPS[name]))
        assert {len(it.partials) for it in there} == {len(OPS[name].params)}


def test_every_difference_is_explained_and_no_other() -> None:
    assert {name for name, _ in differences()} == set(DIFFERENCES)


def test_differences_that_are_known() -> None:
    (at_nan,) = [row for row in rows(OPS["relu"]) if not row.same]
    assert math.isnan(at_nan.point[0])
    assert at_nan.ours.partials == (0.0,)
    assert at_nan.torch is not None
    assert at_nan.torch.partials == (1.0,)
    origins = [row.point for row in rows(OPS["hypot"]) if not row.same]
    assert set(origins) == {(0.0, 0.0)}


@for_each(
    ("a", "b", "same"),
    [
        (math.nan, math.nan, True),
        (0.0, -0.0, False),
        (0.0, 0.0, True),
        (1.0, 1.0 + 1e-12, True),
        (1.0, 1.001, False),
        (math.inf, -math.inf, False),
        (math.nan, 0.0, False),
    ],
)
def test_alike(a: float, b: float, same: bool) -> None:
    assert alike(a, b) is same
    assert alike(b, a) is same
