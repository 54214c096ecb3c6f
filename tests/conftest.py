"""What all tests share: their order, which of them run side by side, and a closing word."""

from collections import Counter
from importlib.util import find_spec
from posixpath import dirname

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# Machines that run tests are shared and stall; what is slow is for the benchmarks to say.
settings.register_profile("gradlens", deadline=None)
settings.load_profile("gradlens")

BROWSER = "tests/browser"
TOGETHER = {BROWSER, "tests/deploy"}  # folders whose files share servers


class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Gives a process one file after the other, and all files of a TOGETHER folder to the same one.

    So the tests in a browser share a server and a Chromium, and do not wait for each other's; what
    a file computes once is computed once.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        return dirname(path) if dirname(path) in TOGETHER else path


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    """Share the tests out among processes, in the order below."""
    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests in a browser where they delay least.

    Beside the others they begin first, as they take longest; in one process they come last: the
    quick ones tell most of what is wrong.
    """
    _must_differ(items)
    beside = hasattr(config, "workerinput")
    items.sort(key=lambda item: item.nodeid.startswith(BROWSER) is not beside)


def _must_differ(items: list[pytest.Item]) -> None:
    """Of several tests with the same name xdist would run but one."""
    twice = [name for name, times in Counter(item.nodeid for item in items).items() if times > 1]
    if twice:
        raise pytest.UsageError(f"more than one test is called {twice[0]}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say aloud when gradients were not compared with PyTorch's."""
    if find_spec("torch") is None:
        terminalreporter.write_line("PyTorch cross-checks: not run (torch not installed)")
