"""Unrolled programs run by CPython, line by line, in a process of their own."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Sequence

from engine.trace.unrolled import Unrolled

RUNNER = """
import json, struct, sys

out = []
for text, definitions, lines in json.load(sys.stdin):
    exec(compile(text, "whole", "exec"), {})
    names = {}
    exec("import math, struct", names)
    for block in definitions:
        exec(block, names)
    found = []
    for line, target in lines:
        exec(line, names)
        found.append(struct.pack("<d", names[target]).hex())
    out.append(found)
json.dump(out, sys.stdout)
"""


def numbers_by_line(programs: Sequence[Unrolled]) -> list[list[str]]:
    """The bits of the target of each line after the line, program by program.

    Each program also runs as a whole.
    """
    sent = [
        [
            program.text,
            list(program.definitions),
            [[line.text, target(program, i)] for i, line in enumerate(program.lines)],
        ]
        for program in programs
    ]
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUNNER], input=json.dumps(sent),
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[list[str]] = json.loads(done.stdout)
    return found


def target(program: Unrolled, at: int) -> str:
    """The variable that a line assigns."""
    line = program.lines[at]
    return program.names[line.node] + "_" * (line.pass_ == "backward")


def bits(x: float) -> str:
    """The bits of a number; every nan has the same ones."""
    return struct.pack("<d", x).hex()
