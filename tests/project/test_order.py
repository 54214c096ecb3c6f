"""How the tests are shared out among processes."""

import pytest

from tests.support.order import SECONDS, ByFile, kind_of, next_file, place
from tests.support.places import ROOT

EXPLORE, TRAIN = "tests/browser/test_pan_and_zoom.py", "tests/browser/test_train_wire.py"
DEPLOY, ENGINE = "tests/deploy/test_nginx.py", "tests/engine/test_ops.py"


def order(process: str, *files: str) -> list[str]:
    """The order in which a process would run files if it were alone."""
    left, found = list(files), []
    while left:
        found.append(next_file(left, process))
        left.remove(found[-1])
    return found


def test_a_file_is_never_divided() -> None:
    plan = ByFile.__new__(ByFile)
    assert {plan._split_scope(f"{ENGINE}::{test}") for test in ("test_a", "test_b[c/d::e]")} == {
        ENGINE
    }


def test_of_three_processes_one_begins_with_what_computes() -> None:
    files = (ENGINE, DEPLOY, EXPLORE, TRAIN)
    assert order("gw0", *files) == [DEPLOY, EXPLORE, TRAIN, ENGINE]
    assert order("gw1", *files) == [ENGINE, DEPLOY, EXPLORE, TRAIN]
    assert order("gw2", *files) == [TRAIN, DEPLOY, EXPLORE, ENGINE]
    assert order("gw5", *files) == order("gw2", *files)


def test_in_parallel_long_files_begin_and_in_one_process_the_fast_tests() -> None:
    longest = max(SECONDS, key=lambda file: SECONDS[file] * (kind_of(file) == "computing"))
    nodes = [f"{file}::test_a" for file in (ENGINE, DEPLOY, EXPLORE, longest)]
    parallel = sorted(nodes, key=lambda node: place(node, True))
    assert parallel == [nodes[2], nodes[3], *sorted(nodes[:2], key=lambda node: place(node, True))]
    assert sorted(nodes, key=lambda node: place(node, False))[:2] == [nodes[0], nodes[3]]


def test_every_long_file_is_there() -> None:
    assert [file for file in SECONDS if not (ROOT / file).is_file()] == []


def test_no_other_test_is_judged_twice(request: pytest.FixtureRequest) -> None:
    assert not [
        item.nodeid
        for item in request.session.items
        if item.get_closest_marker("flaky")
        and not item.nodeid.startswith(("tests/browser/", "tests/deploy/", "tests/firefox/"))
    ]
