"""Indices, views and assignment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.arrays.array import Array, as_array
from engine.arrays.making import zeros
from tests.support.arrays import Refusal, fresh, like


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


def _key(np: Any, n: int, draw: Any) -> Any:
    index = st.integers(-n, n - 1)
    bound = st.one_of(st.none(), st.integers(-n - 1, n + 1))
    return draw(
        st.one_of(
            index,
            st.builds(slice, bound, bound, st.sampled_from([None, 1, 2, -1, -2])),
            st.lists(index, min_size=2, max_size=2).map(np.array),
            st.lists(st.booleans(), min_size=n, max_size=n).map(np.array),
        )
    )


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_index_names_what_it_names_in_numpy(data: Any, np: Any) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    theirs = np.arange(np.prod(shape)).reshape(shape)
    count = data.draw(st.integers(1, len(shape)))
    key = [_key(np, n, data.draw) for n in shape[:count]]
    if len(shape) < 3 and data.draw(st.booleans()):
        key.insert(data.draw(st.integers(0, len(key))), None)
    context = fresh()
    ours = like(context, theirs)
    mine = tuple(like(context, x) if isinstance(x, np.ndarray) else x for x in key)
    wanted, found = _found(theirs, tuple(key)), _found(ours, mine)
    assert isinstance(wanted, str) or np.ndim(wanted) > 3 or found == wanted.tolist()
    assert not isinstance(wanted, str) or found == wanted


def _found(array: Any, key: Any) -> Any:
    """Elements, the message of an IndexError, or None for a refusal."""
    try:
        found = array[key]
    except IndexError as error:
        return str(error)
    except Refusal:
        return None
    return found.tolist() if isinstance(found, Array) else found
