"""Exports of graphs run as programs of their own: the numbers that they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.places import ROOT

RUNNER = """
import contextlib, io, json, sys

out = []
for text in json.load(sys.stdin):
    seen = io.StringIO()
    with contextlib.redirect_stdout(seen):
        exec(compile(text, "program", "exec"), {"__name__": "__main__"})
    out.append(seen.getvalue())
json.dump(out, sys.stdout)
"""


def printed(texts: Sequence[str], *places: Path) -> list[list[tuple[str, float]]]:
    """The names and numbers that programs print, run in one process that finds `places`."""
    path = os.pathsep.join([*map(str, places), str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", RUNNER], input=json.dumps(texts), capture_output=True, text=True,
        check=False, timeout=300, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [[pair(line) for line in text.splitlines()] for text in json.loads(done.stdout)]


def pair(line: str) -> tuple[str, float]:
    """A name and a number as an exported program prints them."""
    name, _, number = line.rpartition(" ")
    return name, float(number)
