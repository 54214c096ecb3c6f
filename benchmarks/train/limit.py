"""Compile `limit.c` for this machine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("limit.c")
FLAGS = ("-O3", "-march=native", "-ffast-math")
WIDE = "-mprefer-vector-width=512"  # of use, and known, on some processors alone


class CompileError(Exception):
    """Compilation failed."""


def build(folder: Path) -> Path:
    """The program, compiled into `folder`. Raises CompileError."""
    cc = next((found for name in ("gcc", "cc") if (found := shutil.which(name))), None)
    if cc is None:
        raise CompileError("no C compiler, neither `gcc` nor `cc`")
    program = folder / "limit"
    for flags in ((*FLAGS, WIDE), FLAGS):
        command = [cc, *flags, str(SOURCE), "-o", str(program), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return program
    raise CompileError(f"{cc} does not compile {SOURCE.name}: {done.stderr.strip()[:300]}")
