"""Functions of arrays give what NumPy's give; the sums to the last digit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.arrays import arrangement as views
from engine.arrays import (
    choosing,
    distribution,
    joining,
    linear,
    making,
    picking,
    reductions,
)
from engine.arrays.array import Array, as_array
from engine.arrays.calling import of_array as on
from engine.arrays.products import fused_dot
from tests.oracles.records import Oracle
from tests.support.arrays import Refusal, fresh
from tests.support.each import for_each
from tests.support.library_draws import drawn_sum

A, B = [[1.0, 5.0], [7.0, 2.0]], [[3.0, -1.0], [0.5, 2.0]]
CASES: tuple[tuple[Any, str, tuple[Any, ...], dict[str, Any]], ...] = (
    (making.arange, "arange", (0, 1, 0.3), {}), (making.arange, "arange", (5, 0, -2), {}),
    (making.linspace, "linspace", (-1, 2, 7), {}),
    (making.linspace, "linspace", (0, 1, 4), {"endpoint": False}),
    (making.logspace, "logspace", (0, 2, 3), {}), (making.eye, "eye", (2, 3), {"k": 1}),
    (making.meshgrid, "meshgrid", ([1, 2], [3, 4, 5]), {}), (making.diag, "diag", ([1, 2],), {}),
    (making.full, "full", ((2, 2), 1.5), {}), (making.zeros_like, "zeros_like", ([1, 2],), {}),
    (reductions.sum_of, "sum", (A,), {"axis": 0, "keepdims": True}),
    (reductions.mean, "mean", (A,), {"axis": 1}), (reductions.std, "std", (A,), {}),
    (reductions.var, "var", ([1, 2, 4],), {"ddof": 1}), (reductions.prod, "prod", (A,), {}),
    (reductions.maximum_of, "max", (A,), {"axis": -1}), (reductions.argmax, "argmax", (A,), {}),
    (reductions.argmin, "argmin", (A,), {"axis": 0}), (reductions.cumsum, "cumsum", (A,), {}),
    (reductions.median, "median", ([3, 1, 2, 9],), {}),
    (reductions.any_of, "any", ([0, 1],), {}), (reductions.all_of, "all", ([],), {}),
    (views.reshape, "reshape", (A, (-1, 1)), {}), (views.ravel, "ravel", (A,), {}),
    (views.transposed, "transpose", (A,), {}), (views.flip, "flip", (A, 0), {}),
    (views.squeeze, "squeeze", ([[1, 2]],), {}), (views.roll, "roll", (A, 1), {}),
    (views.expand_dims, "expand_dims", ([1, 2], 1), {}),
    (joining.concatenate, "concatenate", ([A, B],), {"axis": 1}),
    (joining.stack, "stack", ([[1, 2], [3, 4]],), {"axis": 1}),
    (joining.vstack, "vstack", ([[1, 2], [3, 4]],), {}),
    (joining.hstack, "hstack", ([[1, 2], [3.5]],), {}),
    (joining.column_stack, "column_stack", ([[1, 2], [3, 4]],), {}),
    (joining.tile, "tile", ([1, 2], (2, 2)), {}), (joining.outer, "outer", ([1, 2], [3, 4]), {}),
    (joining.repeat, "repeat", (A, 2), {"axis": 0}),
    (choosing.where, "where", ([True, False], [1, 2], 0.5), {}),
    (choosing.where, "where", ([0, 3, 4],), {}), (choosing.clip, "clip", (A, 2, 6), {}),
    (choosing.maximum, "maximum", (A, 3), {}), (choosing.sort, "sort", (A,), {"axis": 0}),
    (choosing.argsort, "argsort", ([3, 1, 2],), {}),
    (choosing.unique, "unique", ([3, 1, 1],), {"return_counts": True}),
    (choosing.diff, "diff", ([1, 4, 9],), {}),
    (choosing.gradient, "gradient", ([1.0, 4, 9, 16], 0.5), {}),
    (choosing.isclose, "isclose", ([1.0, 2.0], [1.0 + 1e-9, 2.1]), {}),
    (choosing.searchsorted, "searchsorted", ([1, 2, 3], [0.5, 3]), {}),
    (distribution.percentile, "percentile", ([3, 1, 2, 9, 4], [0, 10, 25, 60, 100]), {}),
    (distribution.quantile, "quantile", (A, 0.3), {}),
    (distribution.histogram, "histogram", ([1, 2, 2.5, 4],), {"bins": 3}),
    (distribution.histogram, "histogram", ([1, 2, 2.5, 4, 7], [0, 2, 4]), {"density": True}),
    (distribution.histogram, "histogram", ([2.0, 2.0], 2), {}),
    (distribution.bincount, "bincount", ([0, 1, 1, 3],), {"minlength": 6}),
    (distribution.interp, "interp", ([-1, 0, 1.3, 2, 9], [0, 1, 2], [5, 7, 4]), {}),
    (distribution.interp, "interp", (9, [0, 1], [5, 7]), {"right": -1}),
    (distribution.nan_to_num, "nan_to_num", ([float("nan"), 1, float("inf"), -float("inf")],), {}),
    (distribution.nan_to_num, "nan_to_num", ([1, 2],), {}),
    (picking.triu, "triu", (A,), {}), (picking.tril, "tril", ([[1, 2, 3], [4, 5, 6]], 1), {}),
    (picking.unravel_index, "unravel_index", (5, (2, 3)), {}),
    (picking.isin, "isin", ([1, 2, 3], [2, 5]), {}),
    (picking.convolve, "convolve", ([1, 2, 3, 4], [1.0, 0, -1]), {}),
    (picking.convolve, "convolve", ([1, 2], [1, 0, -1, 3]), {"mode": "same"}),
    (picking.convolve, "convolve", ([1, 2, 3, 4], [1, 0, -1]), {"mode": "valid"}),
    (linear.dot, "dot", (A, [1, 2]), {}), (linear.matmul, "matmul", (A, B), {}),
    (linear.inv, "linalg.inv", (A,), {}), (linear.det, "linalg.det", (A,), {}),
    (linear.norm, "linalg.norm", ([3, 4],), {}), (linear.solve, "linalg.solve", (A, [1, 2]), {}),
)  # fmt: skip


def _parts(x: Any) -> list[str]:
    return [repr(part) for part in x] if isinstance(x, tuple) else [repr(x)]


@for_each(
    ("ours", "name", "args", "options"), CASES, ids=[f"{c[1]}-{i}" for i, c in enumerate(CASES)]
)
def test_a_function_gives_numpys_result(
    ours: Any, name: str, args: tuple[Any, ...], options: dict[str, Any], oracle: Oracle
) -> None:
    wanted = oracle("array_functions.parts", name, args, options)
    assert _parts(on(ours)(fresh(), *args, **options)) == wanted


@for_each("seed", range(60))
def test_sums_have_numpys_last_digit(seed: int, oracle: Oracle) -> None:
    drawn, wanted = drawn_sum(seed), oracle("array_functions.sums", seed)
    context = fresh()
    ours: Any = on(views.reshape)(context, drawn.numbers, drawn.shape)
    if drawn.turn == "T":
        ours = on(views.transposed)(context, ours)
    elif drawn.turn:
        ours = ours[:: 2 if drawn.turn == "step" else -1]
    for name, numbers in wanted.items():
        function = {"sum": reductions.sum_of}.get(name) or getattr(reductions, name)
        found = function(ours, drawn.axis)
        assert (found.tolist() if isinstance(found, Array) else found) == numbers


@given(
    pairs=st.lists(
        st.tuples(*[st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-90)] * 2),
        min_size=1,
        max_size=6,
    )
)
def test_short_products_round_each_sum_once(pairs: list[tuple[float, float]]) -> None:
    expected = 0.0
    for a, b in pairs:
        expected = float(Fraction(a) * Fraction(b) + Fraction(expected))
    assert fused_dot([a for a, _ in pairs], [b for _, b in pairs]) == expected


def test_results_stated_by_mathematics() -> None:
    context = fresh()
    assert on(linear.inv)(context, [[2.0, 0.0], [0.0, 4.0]]).tolist() == [
        [0.5, 0.0],
        [0.0, 0.25],
    ]
    assert on(linear.norm)(context, [3.0, 4.0]) == 5.0
    assert making.linspace(context, 0, 1, 5).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert on(reductions.mean)(context, [[1, 2], [3, 4]], axis=0).tolist() == [2.0, 3.0]
    assert joining.Bracketed(context, joining.joined(True))[[1, 2], [3, 4]].tolist() == [
        [1, 3],
        [2, 4],
    ]
    assert on(choosing.gradient)(context, [1, 4, 9, 16]).tolist() == [3.0, 4.0, 6.0, 7.0]
    assert making.vectorize(context, lambda x: x * 2)([1, 2]).tolist() == [2, 4]


@for_each(
    ("call", "message"),
    [
        (
            lambda c: on(views.reshape)(c, [1, 2, 3], (2, -1)),
            r"into shape \(2,newaxis\)",
        ),
        (
            lambda c: on(reductions.sum_of)(c, [1], axis=3),
            "axis 3 is out of bounds for array of dim",
        ),
        (
            lambda c: on(reductions.maximum_of)(c, []),
            "zero-size array to reduction operation maximum",
        ),
        (
            lambda c: joining.concatenate(c, []),
            "need at least one array to concatenate",
        ),
        (
            lambda c: joining.stack(c, [[1], [1, 2]]),
            "all input arrays must have the same shape",
        ),
        (lambda c: on(linear.inv)(c, [[0.0]]), "Singular matrix"),
        (
            lambda c: linear.dot(c, [1, 2], [1, 2, 3]),
            r"shapes \(2,\) and \(3,\) not aligned",
        ),
        (lambda c: making.zeros(c, -1), "negative dimensions are not allowed"),
        (lambda c: as_array(c, [[1, 2], [3]]), "inhomogeneous shape after 1 dimensions"),
    ],
)
def test_mistakes_in_numpys_words(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(fresh())


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda c: making.arange(c, 10**15), id="arange"),
        pytest.param(lambda c: making.linspace(c, 0, 1, 10**12), id="linspace"),
        pytest.param(lambda c: making.meshgrid(c, *[list(range(500))] * 2), id="meshgrid"),
        pytest.param(lambda c: on(joining.tile)(c, [1, 2], 10**9), id="tile"),
        pytest.param(lambda c: on(joining.repeat)(c, [1], 10**12), id="repeat"),
        pytest.param(lambda c: on(joining.outer)(c, *[list(range(500))] * 2), id="outer"),
        pytest.param(lambda c: making.eye(c, 10**6), id="eye"),
        pytest.param(lambda c: on(making.diag)(c, list(range(500))), id="diag"),
        pytest.param(lambda c: on(views.broadcast_to)(c, 1, (10**6,)), id="broadcast"),
        pytest.param(lambda c: on(views.expand_dims)(c, [1], tuple(range(8))), id="axes"),
        pytest.param(lambda c: joining.Bracketed(c, joining.joined(False))[0 : 10**15], id="r_"),
        pytest.param(lambda c: as_array(c, range(10**15)), id="range"),
    ],
)
def test_large_arrays_are_refused_before_they_are_built(call: Any) -> None:
    with pytest.raises(Refusal):
        call(fresh())
