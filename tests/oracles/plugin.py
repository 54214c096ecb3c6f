"""The tests' access to the oracles, and their run with the real libraries: `make oracles`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.oracles.records import HOW_TO_RECORD, Mode, Oracle

_ORACLE = pytest.StashKey[Oracle]()
ASKED = "asked of oracles"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `make oracles`."""
    group = parser.getgroup("oracles")
    group.addoption(
        "--oracles", action="store_true", help="ask PyTorch, NumPy and JAX, and compare the records"
    )
    group.addoption("--record", action="store_true", help="write what they answer")


def _mode(config: pytest.Config) -> Mode:
    if config.option.record:
        return "record"
    return "check" if config.option.oracles else "read"


def keep_those_that_ask(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With the real libraries run only the tests that ask an oracle."""
    if _mode(config) == "read":
        return
    asking = [item for item in items if "oracle" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(asking)])
    items[:] = asking


@pytest.fixture(scope="session")
def oracle(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    """The answers of PyTorch, NumPy and JAX; see `tests.oracles`."""
    config = request.config
    found = _oracle_of(config)
    yield found
    if found.mode == "record":
        found.write(forget=_is_whole(request.session))


def _oracle_of(config: pytest.Config) -> Oracle:
    return config.stash.setdefault(_ORACLE, Oracle(_mode(config)))


LEAVES_OUT = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "collectonly")
"""Options with which not all tests run."""


def _is_whole(session: pytest.Session) -> bool:
    """Whether all tests ran, and passed, so that a record nobody asked for is stale."""
    config = session.config
    if any(getattr(config.option, name, None) for name in LEAVES_OUT) or session.testsfailed:
        return False
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS


def pytest_testnodedown(node: Any) -> None:
    """Take over what the tests of a process have asked, which ends here."""
    _oracle_of(node.config).were_asked(getattr(node, "workeroutput", {}).get(ASKED, {}))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run of all tests for answers that none of them asks for."""
    config = session.config
    found = _oracle_of(config)
    if hasattr(config, "workeroutput"):
        config.workeroutput[ASKED] = found.asked()
    elif found.mode != "record" and _is_whole(session) and (stale := found.unasked()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print(f"\nNo test asks for these records; {HOW_TO_RECORD}", *stale, sep="\n  ")
