"""One test for many cases that take no time: it runs all of them and names each that fails.

Written as `pytest.mark.parametrize` is, but without a test for each case: that costs milliseconds
in every process and a line of every report.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

Case = TypeVar("Case", bound=Callable[..., None])
Ids = Callable[[Any], str] | Iterable[str] | None


class Cases(list[Any]):
    """The functions that one test runs in turn, e.g. on one page, whose opening costs the most.

    Each is written as a test is, below that test and without `test_` in its name:

        at_first_frame = Cases()

        @for_each("case", at_first_frame)
        def test_at_first_frame(page: Page, case: Callable[[Page], None]) -> None:
            ...  # bring the page back to where each case starts
            case(page)

        @at_first_frame.add
        def buttons_step(page: Page) -> None:
    """

    have_test = False
    """Whether `for_each` has made a test of them."""

    def add(self, case: Case) -> Case:
        """Let the test run one more function."""
        assert self.have_test, f"no test runs {named(case)}"
        self.append(case)
        return case


def named(case: Any) -> str:
    """What a case is called: by its name, or as it is written."""
    own = getattr(case, "name", None) or getattr(case, "__name__", None)
    name = case if isinstance(case, str) else own
    return name if isinstance(name, str) and name else repr(case)[:200]


def labels(cases: Sequence[Any], ids: Ids) -> list[str]:
    """The names of all cases."""
    if ids is None or callable(ids):
        return [(ids or named)(case) for case in cases]
    return list(ids)


def for_each(
    names: str | tuple[str, ...],
    cases: Iterable[Any] | Callable[[], Iterable[Any]],
    ids: Ids = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test on all cases; a function of cases is asked when the test runs.

    The test fails with the name and message of every case that fails; the first traceback is shown.
    """
    if isinstance(cases, Cases):
        cases.have_test = True
    keys = (names,) if isinstance(names, str) else names

    def all_at_once(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_all(**others: Any) -> None:
            rows = list(cases() if callable(cases) else cases)
            failed: list[tuple[str, Exception]] = []
            for row, label in zip(rows, labels(rows, ids), strict=True):
                values = (row,) if isinstance(names, str) else row
                try:
                    test(**dict(zip(keys, values, strict=True)), **others)
                except Exception as error:
                    failed.append((label, error))
            if failed:
                lines = [f"{label}: {type(error).__name__}: {error}" for label, error in failed]
                told = f"{len(failed)} of {len(rows)} cases fail:\n" + "\n".join(lines)
                raise AssertionError(told) from failed[0][1]
            assert rows, "there is no case"

        signature = inspect.signature(test)
        rest = [it for name, it in signature.parameters.items() if name not in keys]
        vars(test_all)["__signature__"] = signature.replace(parameters=rest)
        return test_all

    return all_at_once
