"""How the tests are shared out among processes."""

import pytest

from tests.conftest import ByFile
from tests.support.places import ROOT


def together(one: str, other: str) -> bool:
    """Whether two tests always run in the same process, one after the other."""
    plan = ByFile.__new__(ByFile)
    return bool(plan._split_scope(one) == plan._split_scope(other))


def test_explore_has_two_halves() -> None:
    files = sorted(path.name for path in (ROOT / "tests/browser").glob("test_*.py"))
    explore = [f"tests/browser/{name}" for name in files if not name.startswith("test_train")]
    first = [path for path in explore if together(explore[0], path)]
    second = [path for path in explore if together(explore[-1], path)]
    assert first + second == explore
    assert len(first) > len(explore) / 3 < len(second)


def test_all_tests_of_a_page_in_a_browser_share_a_process() -> None:
    assert together("tests/browser/test_a.py::test_one", "tests/browser/test_b.py::test_two[x]")
    assert together(
        "tests/browser/test_train_a.py::test_one", "tests/browser/test_train_b.py::test_one"
    )
    assert not together(
        "tests/browser/test_a.py::test_one", "tests/browser/test_train_b.py::test_one"
    )
    assert not together("tests/browser/test_a.py::test_one", "tests/engine/test_a.py::test_one")


def test_other_files_are_shared_out_one_by_one() -> None:
    assert together("tests/engine/test_a.py::test_one", "tests/engine/test_a.py::test_two[b/c::d]")
    assert not together("tests/engine/test_a.py::test_one", "tests/engine/test_b.py::test_one")


def test_no_other_test_is_judged_twice(request: pytest.FixtureRequest) -> None:
    assert not [
        item.nodeid
        for item in request.session.items
        if item.get_closest_marker("flaky")
        and not item.nodeid.startswith(("tests/browser/", "tests/deploy/"))
    ]
