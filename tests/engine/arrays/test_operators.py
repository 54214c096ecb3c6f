"""Operators: types of results, broadcasting, errors, objects, cost."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.arrays.array import Array, as_array
from engine.arrays.making import array, zeros
from engine.arrays.scalars import COMPARISONS, SIGNS, Float64, Int64, scalar
from tests.oracles.records import Oracle
from tests.support.arrays import Refusal, fresh, notes, shaped
from tests.support.each import for_each
from tests.support.library_draws import drawn_operands


class Dual:
    """An object of a program with operators of its own."""

    def __init__(self, data: float) -> None:
        self.data = data

    def __mul__(self, other: Any) -> Dual:
        return Dual(self.data * (other.data if isinstance(other, Dual) else other))

    def __add__(self, other: Any) -> Dual:
        return Dual(self.data + (other.data if isinstance(other, Dual) else other))

    __rmul__, __radd__ = __mul__, __add__

    def tanh(self) -> Dual:
        return Dual(math.tanh(self.data))


def test_division_by_zero_is_infinite_and_noted() -> None:
    context = fresh()
    a: Any = as_array(context, [1, 0])
    assert str(a / 0) == "[inf nan]"
    assert notes(context) == [
        "RuntimeWarning: divide by zero encountered in divide",
        "RuntimeWarning: invalid value encountered in divide",
    ]


def test_integers_wrap_and_refuse_negative_powers() -> None:
    a: Any = as_array(fresh(), [2**62, 3])
    assert (a * 4).tolist() == [0, 12]
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        _ = a**-1


def test_the_truth_of_several_elements_is_ambiguous() -> None:
    with pytest.raises(ValueError, match="more than one element is ambiguous"):
        bool(as_array(fresh(), [1, 2]))


def test_shapes_that_do_not_broadcast() -> None:
    a: Any = zeros(fresh(), 3)
    with pytest.raises(
        ValueError, match=r"could not be broadcast together with shapes \(3,\) \(2,\) "
    ):
        _ = a * [1, 2]
    with pytest.raises(ValueError, match="size 2 is different from 3"):
        _ = a @ [1, 2]


def test_objects_use_their_own_operators() -> None:
    context = fresh()
    w: Any = as_array(context, [Dual(1.0), Dual(-2.0)])
    x: Any = as_array(context, [3.0, 4.0])
    assert [v.data for v in (w * x).items()] == [3.0, -8.0]
    assert [v.data for v in (x * w).items()] == [3.0, -8.0]
    assert (w @ x).data == -5.0
    assert [v.data for v in (2.0 * w).items()] == [2.0, -4.0]
    assert [v.data for v in w.mapped("tanh").items()] == [math.tanh(1.0), math.tanh(-2.0)]
    with pytest.raises(TypeError, match="type Dual which has no callable exp method"):
        w.mapped("exp")


def test_scalars_compute_as_numpy_does() -> None:
    assert repr(Float64(1) / 0) == "np.float64(inf)"
    assert repr(Int64(7) // 2) == "np.int64(3)"
    assert repr(Int64(3) + 2.5) == "np.float64(5.5)"
    assert repr(Float64(1) >= 1) == "np.True_"
    assert repr(2 * Float64(1.5)) == "np.float64(3.0)"
    assert round(Float64(2.567), 2) == 2.57
    assert (Float64(2) * Dual(3.0)).data == 6.0


def test_arrays_have_bounds() -> None:
    for shape in ((201, 1000), (1,) * 9, 10**12):
        with pytest.raises(Refusal, match="at most 8 axes and 200,000 elements"):
            zeros(fresh(), shape)
    zeros(fresh(), (200, 1000))
    zeros(fresh(), (1,) * 8)


def test_lists_that_contain_themselves_end() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(Refusal, match="8 axes"):
        array(fresh(), loop)


OPERATORS = {sign: f for sign, f in (SIGNS | COMPARISONS).items() if sign not in ("**", "<<", ">>")}
"""The power function is left out: its last digit depends on the processor."""


@for_each(("sign", "number"), [(sign, n) for sign in OPERATORS for n in range(20)])
def test_any_operator_gives_what_it_gives_in_numpy(sign: str, number: int, oracle: Oracle) -> None:
    seed = 100 * sorted(OPERATORS).index(sign) + number
    operands, context = drawn_operands(seed), fresh()
    if sign in ("//", "%") and "bool" in {operand.kind for operand in operands}:
        return  # 8-bit integers in NumPy
    sides: list[Any] = []
    for kind, items, is_scalar in operands:
        array = shaped(context, items, (len(items),), kind)
        sides.append(array[0] if is_scalar else array)
    wanted = oracle("array_functions.operated", OPERATORS[sign].__name__, seed)
    assert _outcome(sign, *sides) == wanted


def _outcome(sign: str, a: Any, b: Any) -> str:
    try:
        return repr(OPERATORS[sign](a, b))
    except (TypeError, ValueError) as error:
        return "no" if isinstance(error, TypeError) else str(error)


def test_elements_keep_their_type() -> None:
    context = fresh()
    found = as_array(context, [1, 2.5])[0]
    assert type(found) is Float64
    assert scalar(3, Int64.dtype) + 1 == 4
    assert isinstance(as_array(context, [[1], [2]])[0], Array)
