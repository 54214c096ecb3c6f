"""Which Chromium the tests run in, and when one is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import find_chromium
from scripts.find_chromium import SHELL, VARIABLE, advice, find, main


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any Chromium; commands that are put into this folder are found."""
    monkeypatch.setattr(find_chromium, "application_folders", list)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloaded"))
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was run instead of being run; nothing of it succeeds."""
    found: list[str] = []

    def run(*command: str) -> bool:
        found.append(" ".join(command))
        return False

    monkeypatch.setattr(find_chromium, "run", run)
    return found


def put(path: Path) -> Path:
    """A command that does nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_tests_take_the_shell_and_benchmarks_the_whole_browser(commands: Path) -> None:
    assert find() is None
    assert find(light=True) is None
    shell = put(commands / SHELL)
    assert find() == find(light=True) == shell
    whole = put(commands / "chromium")
    assert (find(), find(light=True)) == (whole, shell)


def test_a_downloaded_shell_is_found(commands: Path) -> None:
    folder = commands / "downloaded/chromium_headless_shell-1234/chrome-headless-shell-linux64"
    put(folder / "chrome-headless-shell.pak.txt")
    assert find(light=True) is None
    shell = put(folder / "chrome-headless-shell")
    assert find(light=True) == shell


def test_the_one_that_is_named_is_taken(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(commands / SHELL)
    named = commands / "named"
    monkeypatch.setenv(VARIABLE, str(named))
    assert find(light=True) is None
    assert str(named) in advice()
    put(named)
    assert find() == find(light=True) == named


def test_nothing_is_installed_where_a_shell_is(commands: Path, ran: list[str]) -> None:
    put(commands / SHELL)
    assert run_main() == 0
    assert ran == []


def test_a_chromium_will_do_where_no_shell_is_offered(commands: Path, ran: list[str]) -> None:
    put(commands / "chromium")
    assert run_main() == 0
    assert ran == []


def test_playwright_installs_a_missing_browser(commands: Path, ran: list[str]) -> None:
    assert run_main() == 1
    (command,) = ran
    assert command.endswith("-m playwright install chromium")


def run_main() -> int:
    """The command with its option."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["find_chromium", "--install"])
        return main()
