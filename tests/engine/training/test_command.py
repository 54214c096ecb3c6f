"""The command `python -m seegrad.training`: its answer, its input, its refusals."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.runs.run import run
from engine.training.__main__ import main
from engine.training.spec import TrainSpec
from tests.support.places import ROOT

SPEC = '{"data": "four_points", "layers": "3-2-1", "steps": 2}'


def test_the_command_prints_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "spec.json"
    path.write_text(SPEC, "utf-8")
    assert main([str(path)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == run(TrainSpec.from_text(SPEC))
    assert err == ""


def test_the_command_reads_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine.training", "-"],
        input=SPEC, capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["parameter_count"] == 11
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"steps": 0}', "-: steps is 0; give a whole number from 1 to 100,000."),
        (b"{", "-: Not JSON: "),
        (b"\xff", "-: Not JSON: it is not UTF-8, byte 1."),
        (b'{"data": "\\ud800\\n"}', '-: data is "\\ud800\\n", which is not known'),
    ],
)
def test_the_command_refuses_in_one_line(
    text: bytes, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["-"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_the_command_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["a", "b"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith("usage: python -m seegrad.training SPEC.json")
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: python -m seegrad.training SPEC.json")


def test_the_command_says_what_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert main([str(path)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith(f"{path}: cannot be read: ")


def test_a_closed_pipe_ends_the_command_without_a_message() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "engine.training", "-"],
            input=SPEC, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")
