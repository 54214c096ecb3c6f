"""`scripts.find_firefox`: what is named counts, and what is missing is said with a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import find_firefox


def test_the_one_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "own-firefox"
    own.touch()
    monkeypatch.setenv(find_firefox.VARIABLE, str(own))
    assert find_firefox.find() == own
    own.unlink()
    assert find_firefox.find() is None
    assert str(own) in find_firefox.advice()


def test_where_there_is_none_it_says_how_to_come_by_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(find_firefox.VARIABLE, raising=False)
    monkeypatch.setattr(find_firefox, "candidates", lambda: iter(()))
    monkeypatch.setattr("sys.argv", ["find_firefox"])
    assert find_firefox.main() == 1
    assert f"apt-get install {find_firefox.PACKAGE}" in capsys.readouterr().err


def test_debian_package_is_installed_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.delenv(find_firefox.VARIABLE, raising=False)
    monkeypatch.setattr(find_firefox, "candidates", lambda: iter(()))
    monkeypatch.setattr(find_firefox, "install_with_apt", lambda *names: asked.extend(names))
    monkeypatch.setattr("sys.argv", ["find_firefox", "--install"])
    assert find_firefox.main() == 1
    assert asked == [find_firefox.PACKAGE]
