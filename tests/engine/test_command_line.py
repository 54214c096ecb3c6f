"""Input and output of the commands that print JSON, as a shell connects them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

INPUTS = {"engine.trace": "é = Value(2.0)\r\ny = é*é\r\n", "engine.training": '{"steps": 1}'}
COMMANDS = pytest.mark.parametrize("module", INPUTS)


def run(module: str, redirection: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """`python -m module -` in a shell, with a redirection."""
    return subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m "$1" - {redirection}', sys.executable, module],
        input=INPUTS[module],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )


@COMMANDS
def test_a_closed_standard_input_cannot_be_read(module: str) -> None:
    done = run(module, "<&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("-:")
    assert done.stderr.endswith(" cannot be read: standard input is closed\n")


@COMMANDS
def test_output_that_cannot_be_written_is_one_line_of_error(module: str) -> None:
    done = run(module, ">/dev/full")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("standard output: cannot be written: ")
    assert done.stderr.count("\n") == 1


@COMMANDS
def test_standard_input_is_utf_8_in_every_locale(module: str) -> None:
    done = run(module, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)


def test_a_program_may_begin_with_a_byte_order_mark_as_python_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_bytes(b"\xef\xbb\xbf" + INPUTS["engine.trace"].encode())
    done = subprocess.run(
        [sys.executable, "-m", "engine.trace", str(file)],
        capture_output=True,
        cwd=ROOT,
        check=True,
    )
    assert json.loads(done.stdout)["nodes"][0]["span"] == [1, 5, 1, 15]
