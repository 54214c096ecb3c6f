"""Programs that use the modules, built-in functions and methods print what CPython prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.programs import finished

PROGRAMS = sorted((Path(__file__).parents[3] / "data" / "modules").glob("*.py"))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_prints_what_python_prints(path: Path) -> None:
    command = [sys.executable, "-I", "-X", "utf8", str(path)]
    real = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    run = finished(path.read_text(encoding="utf-8"))
    assert "\n".join(run.printed) == real.stdout.rstrip("\n")
