"""Scripts run by Playwright's bundled Node, which every test environment has."""

from __future__ import annotations

import subprocess
from pathlib import Path

import playwright

NODE = Path(playwright.__file__).parent / "driver/node"


def run(script: str | Path, *arguments: object, text: str | None = None) -> str:
    """The standard output of the ES module at the path `script`; `text` is its standard input.

    The arguments are passed as text. Raises AssertionError with the standard error of a script
    that fails.
    """
    command = [str(NODE), str(script), *map(str, arguments)]
    ran = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
