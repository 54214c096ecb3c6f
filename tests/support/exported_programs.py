"""Exported programs run as programs of their own: the numbers they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.places import ROOT


def printed(text: str, place: Path) -> list[float]:
    """The losses that a program prints, run on its own."""
    done = subprocess.run(
        [sys.executable, "-"], input=text, cwd=place, env=finding(place),
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [float(line) for line in done.stdout.splitlines()]


def finding(place: Path) -> dict[str, str]:
    """An environment in which programs find the packages of a folder."""
    path = os.pathsep.join([str(place), str(ROOT), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path}


TOGETHER = """
import contextlib, io, json, sys

out, limit = [], sys.getrecursionlimit()
for at, text in enumerate(json.load(sys.stdin)):
    for name in [name for name in sys.modules if name.partition(".")[0] == "micrograd"]:
        del sys.modules[name]  # a program adds to its classes
    sys.setrecursionlimit(limit)
    seen = io.StringIO()
    with contextlib.redirect_stdout(seen):
        exec(compile(text, f"program {at}", "exec"), {"__name__": "__main__"})
    out.append([float(line) for line in seen.getvalue().splitlines()])
json.dump(out, sys.stdout)
"""


def printed_together(texts: list[str], place: Path) -> list[list[float]]:
    """What several programs print, in one process: to start one takes longer than a program."""
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER], input=json.dumps(texts),
        env=finding(place),
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[list[float]] = json.loads(done.stdout)
    return found
