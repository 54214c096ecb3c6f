"""A test of many cases runs them all and names those that fail."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from tests.support.each import Cases, for_each


def test_all_cases_run_and_those_that_fail_are_named() -> None:
    seen = []

    @for_each("letter", ["a", "b"])
    @for_each(("number", "half"), [(2, 1.0), (4, 2.0)], ids=["two", "four"])
    def test_product(number: int, half: float, letter: str, more: str) -> None:
        seen.append((letter, number))
        assert half * 2 == number
        if letter == "b":
            raise ValueError(f"no {number}, {more}")

    assert list(inspect.signature(test_product).parameters) == ["more"]
    with pytest.raises(AssertionError, match=r"^1 of 2 cases fail:\n") as found:
        test_product(more="please")
    assert seen == [("a", 2), ("a", 4), ("b", 2), ("b", 4)]
    for line in ("two: ValueError: no 2, please", "four: ValueError: no 4, please"):
        assert line in str(found.value)
    assert isinstance(found.value.__cause__, AssertionError)


def test_cases_may_be_found_when_the_test_runs_and_without_one_it_fails() -> None:
    cases: list[int] = []
    seen: list[int] = []

    @for_each("number", lambda: cases)
    def test_number(number: int) -> None:
        seen.append(number)

    with pytest.raises(AssertionError, match="there is no case"):
        test_number()
    cases.append(3)
    test_number()
    assert seen == [3]


def test_functions_are_run_in_turn_and_named_where_they_fail() -> None:
    cases = Cases()

    @for_each("case", cases)
    def test_page(case: Callable[[list[str]], None], page: list[str]) -> None:
        case(page)

    @cases.add
    def is_written(page: list[str]) -> None:
        page.append("written")

    @cases.add
    def is_empty(page: list[str]) -> None:
        assert page == []

    with pytest.raises(
        AssertionError, match=r"^1 of 2 cases fail:\nis_empty: AssertionError"
    ) as it:
        test_page(page=[])
    assert "is_written" not in str(it.value)


def test_function_that_no_test_would_run_is_refused() -> None:
    with pytest.raises(AssertionError, match="no test runs is_left_out"):

        @Cases().add
        def is_left_out() -> None:
            """Never called."""
