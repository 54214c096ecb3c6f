"""What programs with autograd classes print and leave in CPython, and the true derivatives."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from typing import Any

from tests.support.places import DATA, ROOT

LIBRARY = f"CPython {platform.python_version()}"
NEAR, NOISE = 1e-6, 1e-8  # of central differences
VARIES = True
"""Sets of objects are in the order of their addresses, and wrong gradients follow that order."""
RUNNER = ROOT / "tests/support/bugs_cpython.py"
MODULES = DATA / "corpus/support"
NUMPY = ROOT / "tests/support/numpy_scalars"
"""A module in NumPy's place, for where it is not installed."""
PATIENCE = 120.0  # seconds


def answers(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `tests.support.bugs_cpython` answers to jobs, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-I", str(RUNNER), str(MODULES), str(NUMPY)],
        input=json.dumps(jobs),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
