"""Configuration of all tests: order, distribution over processes, oracles, a final report."""

import gc
from collections import Counter

import pytest
from hypothesis import settings

from engine.garbage import COLLECT_AFTER
from tests.oracles.plugin import (
    keep_those_that_ask,
    oracle,
    pytest_addoption,
    pytest_sessionfinish,
    pytest_testnodedown,
)
from tests.support.natively import natively, sandboxed
from tests.support.once import share
from tests.support.order import ByFile, is_judged_twice, place

__all__ = [
    "natively", "oracle", "pytest_addoption", "pytest_sessionfinish", "pytest_testnodedown",
    "sandboxed",
]  # fmt: skip

# Test machines are shared and stall; speed is measured by the benchmarks.
# Every run draws other examples: fifty are enough where a test does not ask for more.
settings.register_profile("seegrad", deadline=None, max_examples=50)
settings.load_profile("seegrad")

share()

TWICE = pytest.mark.flaky(reruns=1)  # judges a failed test again


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    """Distribute the tests by file."""
    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Judge failed tests of browsers and servers twice, and bring all tests into their order.

    Those wait for programs that the machine may delay. All others fail at once: what they compute
    is the same each time.
    """
    _must_differ(items)
    keep_those_that_ask(config, items)
    for item in items:
        if is_judged_twice(item.nodeid):
            item.add_marker(TWICE)
    in_parallel = hasattr(config, "workerinput")
    items.sort(key=lambda item: place(item.nodeid, in_parallel))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave out of collections of garbage what the tests have imported, as the server does."""
    gc.set_threshold(*COLLECT_AFTER)
    gc.collect()
    gc.freeze()


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
