"""Exported programs run as programs of their own: the numbers they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.places import ROOT


def printed(text: str, place: Path) -> list[float]:
    """The losses that a program prints, run on its own."""
    path = os.pathsep.join([str(place), str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-"], input=text, cwd=place, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [float(line) for line in done.stdout.splitlines()]


TOGETHER = """
import contextlib, io, json, sys

out = []
for text in json.load(sys.stdin):
    seen = io.StringIO()
    with contextlib.redirect_stdout(seen):
        exec(compile(text, "program", "exec"), {"__name__": "__main__"})
    out.append([float(line) for line in seen.getvalue().splitlines()])
json.dump(out, sys.stdout)
"""


def printed_together(texts: list[str]) -> list[list[float]]:
    """What several programs print, in one process: PyTorch takes seconds to start."""
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER], input=json.dumps(texts),
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[list[float]] = json.loads(done.stdout)
    return found


needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
