"""Exported programs run as programs of their own: the numbers they print."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
