"""Configuration of all tests: order, distribution over processes, oracles, a final report."""

from collections import Counter
from posixpath import dirname

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests.oracles.plugin import (
    keep_those_that_ask,
    np,
    oracle,
    pytest_addoption,
    pytest_sessionfinish,
    torch,
)

__all__ = ["np", "oracle", "pytest_addoption", "pytest_sessionfinish", "torch"]

# Test machines are shared and stall; speed is measured by the benchmarks.
settings.register_profile("seegrad", deadline=None)
settings.load_profile("seegrad")

BROWSER = "tests/browser"
TRAIN = f"{BROWSER}/test_train"
SECOND = f"{BROWSER}/test_long"  # the files of Explore from here on take half of its time
TOGETHER = {BROWSER, "tests/deploy"}  # folders whose files share servers
LONG = {"tests/firefox", "tests/project", "tests/engine/trials", "tests/engine/verdict"}
"""Folders with a file that takes more than 20 seconds."""
TWICE = pytest.mark.flaky(reruns=1)  # judges a failed test again


class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Schedules whole files, and all files of a TOGETHER folder to the same process.

    The browser tests of a page, or of half of Explore, thereby share one server and one Chromium,
    and a file's fixtures are computed once.
    """

    def _split_scope(self, nodeid: str) -> str:
        path, folder = nodeid.partition("::")[0], _folder(nodeid)
        if folder == BROWSER:
            return _part(path)
        return folder if folder in TOGETHER else path


def _part(path: str) -> str:
    """The part of the browser tests that a file belongs to: none takes half of the suite's time."""
    if path.startswith(TRAIN):
        return f"{BROWSER} of Train"
    return f"{BROWSER} of Explore, {'second' if path >= SECOND else 'first'} half"


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    """Distribute the tests by file."""
    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Judge failed tests of browsers and servers twice, and order the browser tests.

    Those wait for programs that the machine may delay. All others fail at once: what they compute
    is the same each time.

    In parallel the tests of browsers and servers start first, and what else takes long next, as no
    process must be left with a long file at the end; in a single process they come last, as the
    fast tests find most failures.
    """
    _must_differ(items)
    keep_those_that_ask(config, items)
    for item in items:
        if _folder(item.nodeid) in TOGETHER:
            item.add_marker(TWICE)
    beside = hasattr(config, "workerinput")
    items.sort(key=lambda item: _takes_long(item.nodeid) is not beside)


def _folder(nodeid: str) -> str:
    """The folder of a test's file."""
    return dirname(nodeid.partition("::")[0])


def _takes_long(nodeid: str) -> bool:
    """Whether a test is of a file, or of files together, that keep a process busy for long."""
    return _folder(nodeid) in TOGETHER | LONG


def _must_differ(items: list[pytest.Item]) -> None:
    """Fail for duplicate names, of which xdist would run only one."""
    twice = [name for name, times in Counter(item.nodeid for item in items).items() if times > 1]
    if twice:
        raise pytest.UsageError(f"duplicate test name {twice[0]}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests were not run, by reason."""
    reasons = Counter(
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"Not run: {count} tests, {reason}")
