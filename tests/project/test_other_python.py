"""`scripts.other_python`: a root is made once, and what is missing is said with a way out."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scripts import other_python


class Machine:
    """A machine on which commands do as little as the script relies on; pytest exits with 3."""

    def __init__(self) -> None:
        self.ran: list[list[str]] = []
        self.fails = ""

    def run(self, command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        self.ran.append(list(command))
        if command[0] == "git":
            return subprocess.CompletedProcess(command, 0, "README.md\0gone.md\0app/main.py\0")
        if self.fails and self.fails in command:
            return subprocess.CompletedProcess(command, 1, "")
        if "debootstrap" in command:
            part = next(Path(word) for word in command if word.endswith(".part"))
            (part / "etc").mkdir(parents=True)
        if "venv" in command:
            folder = Path(command[command.index(other_python.ENTER) + 1])
            (folder / "venv").mkdir(exist_ok=True)
        return subprocess.CompletedProcess(command, 3 if "pytest" in command else 0, "")

    def count(self, word: str) -> int:
        return sum(word in command for command in self.ran)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    made = Machine()
    suites = tmp_path_factory.mktemp("scripts")
    (suites / "trixie").touch()
    monkeypatch.setattr(other_python, "KNOWN_SUITES", suites)
    monkeypatch.setattr(subprocess, "run", made.run)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return made


def test_root_and_requirements_are_kept_and_the_checkout_is_copied_anew(
    machine: Machine, tmp_path: Path
) -> None:
    folder = tmp_path / "root"
    arguments = ["--folder", str(folder), "--python", "python3.14", "--", "-k", "depth"]
    assert other_python.main(arguments) == 3
    assert (folder / "src/app/main.py").read_bytes() == Path("app/main.py").read_bytes()
    (folder / "src/left over.py").touch()
    assert other_python.main(arguments) == 3
    assert not (folder / "src/left over.py").exists()
    assert (machine.count("debootstrap"), machine.count("venv"), machine.count("pip")) == (1, 1, 1)
    assert machine.ran[-1][-2:] == ["-k", "depth"]
    assert "--ignore=tests/browser" in machine.ran[-1]


@pytest.mark.parametrize("step", ["debootstrap", "venv", "pip"])
def test_failed_root_is_named_and_made_anew(
    step: str, machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = step
    assert other_python.main(["--folder", str(tmp_path / "root")]) == 2
    assert "exit status 1" in capsys.readouterr().err
    assert machine.count("pytest") == 0
    machine.fails = ""
    assert other_python.main(["--folder", str(tmp_path / "root")]) == 3
    assert machine.count(step) == 2


def test_mounts_stay_in_a_namespace_of_the_command(machine: Machine, tmp_path: Path) -> None:
    other_python.main(["--folder", str(tmp_path / "root")])
    entering = [command for command in machine.ran if other_python.ENTER in command]
    assert len(entering) == 3
    for command in [*entering, *(ran for ran in machine.ran if "debootstrap" in ran)]:
        assert command[:2] == ["unshare", "--mount"]


def test_missing_programs_are_named_with_their_packages(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert other_python.main([]) == 2
    said = capsys.readouterr().err
    assert all(f"{tool} (package {name})" in said for tool, name in other_python.TOOLS.items())
    assert machine.ran == []


def test_message_for_users_without_root(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert other_python.main([]) == 2
    assert "sudo make other-python" in capsys.readouterr().err
    assert machine.ran == []


def test_a_suite_that_debootstrap_does_not_know_needs_a_mirror(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(other_python, "KNOWN_SUITES", tmp_path)
    assert other_python.main(["--suite", "newer", "--folder", str(tmp_path / "root")]) == 2
    assert "does not know newer" in capsys.readouterr().err
    assert machine.count("debootstrap") == 0
