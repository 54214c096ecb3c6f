"""What a recording of a PyTorch program costs, and its page. Needs the Python of `make notebooks`.

A program of this file runs there, and prints its figures as JSON: processor time of a step of a
transformer, plain and recorded without numbers of cells, memory of a recorded step of a ResNet,
sizes of pages, and a loop of scalars with and without the watching of passes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.report import table
from tests.support.places import ROOT

PYTHON = "SEEGRAD_TORCH_PYTHON"
INSIDE = Path(__file__).with_name("recorded_inside.py")
SLOWER, MEGABYTES, PAGE, WATCHED = 10.0, 1000.0, 5.0, 3.0
"""Goals: times a plain step, MB of memory, MB of a page, times a plain script."""


def run() -> str:
    """The table; without a Python that has PyTorch, a sentence."""
    python = os.environ.get(PYTHON, str(ROOT / "build/notebooks/bin/python"))
    if not Path(python).exists():
        return f"Recordings: not measured. Run make notebooks once, or set {PYTHON}.\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [python, str(INSIDE)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return "Recordings: the measurement failed.\n"
    return _report(json.loads(done.stdout.splitlines()[-1]))


def _report(found: dict[str, Any]) -> str:
    rows = [
        (
            "transformer of 1.3 M parameters, recorded step",
            f"{found['ratio']:.1f} times plain ({found['plain']:.0f} ms)",
            f"≤ {SLOWER:g} times",
        ),
        ("its page", f"{found['page']:.2f} MB", f"≤ {PAGE:g} MB"),
        (
            "ResNet of 11 M parameters, recorded step, all memory",
            f"{found['memory']:.0f} MB",
            f"≤ {MEGABYTES:g} MB",
        ),
        (
            "loop of scalars, passes watched",
            f"{found['watched']:.2f} times plain",
            f"≤ {WATCHED:g} times",
        ),
    ]
    return table("Recordings of PyTorch", ("what", "measured", "goal"), rows)
