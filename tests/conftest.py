"""What all tests share: the order they run in, and a closing word on what could not be compared."""

from importlib.util import find_spec

import pytest
from hypothesis import settings

# Machines that run tests are shared and stall; what is slow is for the benchmarks to say.
settings.register_profile("gradlens", deadline=None)
settings.load_profile("gradlens")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests in a browser last: the quick ones tell most of what is wrong."""
    items.sort(key=lambda item: "browser" in item.path.parts)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say aloud when gradients were not compared with PyTorch's."""
    if find_spec("torch") is None:
        terminalreporter.write_line("PyTorch cross-checks: not run (torch not installed)")
