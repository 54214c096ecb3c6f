"""Indices, views and assignment."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from engine.arrays.array import Array, as_array
from engine.arrays.making import zeros
from tests.oracles.records import Oracle
from tests.support.arrays import Refusal, fresh, shaped
from tests.support.each import for_each
from tests.support.library_draws import drawn_index


def test_slices_are_views() -> None:
    a = as_array(fresh(), [1, 2, 3, 4])
    a[1:3] = 0
    b = a[::2]
    b[0] = 9
    assert a.tolist() == [9, 0, 0, 4]


def test_rows_and_transposes_are_views() -> None:
    a = zeros(fresh(), (2, 3))
    row = a[0]
    row += 5.0
    a.like(a.grid)[:, 1] = [7, 8]
    assert a.tolist() == [[5.0, 7.0, 5.0], [0.0, 8.0, 0.0]]


def test_masks_and_integer_arrays_are_copies() -> None:
    a: Any = as_array(fresh(), [1.0, -2.0, 3.0])
    picked = a[a > 0]
    picked[0] = 100.0
    assert a.tolist() == [1.0, -2.0, 3.0]
    a[a < 0] = 0
    assert a.tolist() == [1.0, 0.0, 3.0]
    assert a[[2, 0]].tolist() == [3.0, 1.0]


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (5, "index 5 is out of bounds for axis 0 with size 3"),
        ((0, 1), "too many indices for array: array is 1-dimensional, but 2 were indexed"),
        (0.5, "only integers, slices"),
    ],
)
def test_bad_indices(key: Any, error: str) -> None:
    with pytest.raises(IndexError, match=error):
        as_array(fresh(), [1, 2, 3])[key]


def test_values_that_do_not_fit() -> None:
    a = zeros(fresh(), 3)
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(3,\) into"):
        a[:2] = [1, 2, 3]
    with pytest.raises(ValueError, match="setting an array element with a sequence"):
        a[0] = [1, 2]


def test_an_index_cannot_name_more_than_an_array_holds() -> None:
    context = fresh()
    a = zeros(context, (100, 100))
    column, row = zeros(context, (10_000, 1), int), zeros(context, (1, 10_000), int)
    with pytest.raises(Refusal, match="200,000 elements"):
        a[column, row]


@for_each("seed", range(250))
def test_any_index_names_what_it_names_in_numpy(seed: int, oracle: Oracle) -> None:
    context, wanted = fresh(), oracle("array_functions.indexed", seed)
    shape, keys = drawn_index(seed)
    array = shaped(context, [*range(math.prod(shape))], shape, "int64")
    forms: dict[str, Callable[..., Any]] = {
        "at": lambda n: n, "slice": slice, "new": lambda: None,
        "list": lambda *x: shaped(context, [*x], (len(x),), "int64"),
        "mask": lambda *x: shaped(context, [*x], (len(x),), "bool"),
    }  # fmt: skip
    assert _found(array, tuple(forms[kind](*rest) for kind, *rest in keys)) == wanted


def _found(array: Any, key: Any) -> Any:
    """Elements, or the message of an IndexError."""
    try:
        found = array[key]
    except IndexError as error:
        return str(error)
    return found.tolist() if isinstance(found, Array) else found
