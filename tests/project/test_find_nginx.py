"""`scripts.find_nginx`: what is named counts, and what is missing is said with a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import find_nginx


def test_the_one_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "own-nginx"
    own.touch()
    monkeypatch.setenv(find_nginx.VARIABLE, str(own))
    assert find_nginx.find() == own
    own.unlink()
    assert find_nginx.find() is None
    assert str(own) in find_nginx.advice()


def test_where_there_is_none_it_says_how_to_come_by_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(find_nginx.VARIABLE, raising=False)
    monkeypatch.setattr(find_nginx, "candidates", lambda: iter(()))
    monkeypatch.setattr("sys.argv", ["find_nginx"])
    assert find_nginx.main() == 1
    assert f"apt-get install {find_nginx.PACKAGE}" in capsys.readouterr().err


def test_no_web_server_is_installed_where_it_would_be_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(find_nginx, "SERVICES", tmp_path)

    def run(*command: str) -> bool:
        ran.append(command)
        return True

    monkeypatch.setattr(find_nginx, "run", run)
    find_nginx.install()
    assert ran == []
