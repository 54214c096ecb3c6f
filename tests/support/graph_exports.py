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

JAX = {
    "__init__.py": '''
"""A stand-in for JAX: gradients by central differences, functions of `engine.real`."""


class config:
    update = staticmethod(lambda name, value: None)


class custom_jvp:
    """A function with rules for its derivatives, which the stand-in holds against differences."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        return self.function(*args)

    def defjvps(self, *rules):
        self.rules = rules


def grad(function, argnums):
    def gradients(*args):
        found = []
        for at in argnums:
            h = 1e-6 * max(1.0, abs(args[at]))
            up, down = [*args], [*args]
            up[at] += h
            down[at] -= h
            found.append((function(*up) - function(*down)) / (2 * h))
        return found

    return gradients
''',
    "numpy.py": """
from engine.formulas import FUNCTIONS as _F

globals().update(_F)
maximum, minimum = _F["max"], _F["min"]
arcsin, arccos, arctan, arctan2 = _F["asin"], _F["acos"], _F["atan"], _F["atan2"]
arcsinh, arccosh, arctanh = _F["asinh"], _F["acosh"], _F["atanh"]
asarray = lambda x, dtype=float: float(x)
where = lambda condition, a, b: a if condition else b
""",
    "scipy/__init__.py": "",
    "scipy/special.py": "from math import erf, erfc\n",
}


def make_jax(folder: Path) -> Path:
    """A folder with the stand-in for JAX."""
    for name, text in JAX.items():
        path = folder / "jax" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def printed(texts: Sequence[str], *places: Path) -> list[list[tuple[str, float]]]:
    """The names and numbers that programs print, run in one process that finds `places`."""
    path = os.pathsep.join([*map(str, places), str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", RUNNER], input=json.dumps(texts), capture_output=True, text=True,
        check=False, timeout=300, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [[_pair(line) for line in text.splitlines()] for text in json.loads(done.stdout)]


def _pair(line: str) -> tuple[str, float]:
    name, _, number = line.rpartition(" ")
    return name, float(number)
