"""The command `python -m seegrad.trace`: its answer, its refusals, its help."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.trace.__main__ import main
from tests.support.places import ROOT
from tests.support.traces import EXAMPLE, trace

pytestmark = pytest.mark.usefixtures("sandboxed")


def command(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """`python -m seegrad.trace …`, as another program starts it."""
    return subprocess.run(
        [sys.executable, "-m", "engine.trace", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )


def test_the_command_prints_the_trace_of_a_file_and_of_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "é.py"
    file.write_text(EXAMPLE, "utf-8")
    for done in (command(str(file)), command("-", text=EXAMPLE)):
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout) == trace(EXAMPLE).to_json()


def test_the_command_refuses_with_the_place(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("α = 1\ny = α * zz", "utf-8")
    done = command(str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{file}:2:9: NameError: name 'zz' is not defined")
    assert command("-", text="a = (").stderr.startswith("-:1:5: '(' was never closed.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = \xff", "1:1: cannot be read"),
        (b"", "1:1: There is nothing here yet."),
        (b"a = 1\x00", "1:6: An invisible character"),
        (b"y = " + b"-" * 9000 + b"1", "1:1: This is nested too deeply: at most 140 levels"),
    ],
)
def test_no_file_makes_the_command_crash(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program.py"
    file.write_bytes(content)
    assert main([str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{file}:{message}")
    assert "Traceback" not in err


def test_the_command_says_how_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 2
    assert main(["a", "b"]) == 2
    assert capsys.readouterr().err.count("usage: python -m seegrad.trace FILE") == 2
    assert main(["--help"]) == main(["-h"]) == 0
    assert capsys.readouterr().out.count("usage: python -m seegrad.trace FILE") == 2
    assert main([str(tmp_path / "none.py")]) == 2
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("cannot be read") == 2


def test_a_closed_pipe_ends_the_command_without_a_message() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "engine.trace", "-"],
            input=EXAMPLE, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")
