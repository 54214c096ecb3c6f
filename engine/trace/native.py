"""Traces of programs that run in this Python, not in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.program import Limits, Program
from engine.record.native import NativeRecording, as_script

from .build import trace
from .traced import Trace


def record(
    program: str,
    leaves: Mapping[str, float] | None = None,
    limits: Limits | None = None,
    scene: int | None = None,
) -> Trace:
    """Run a program in the caller's own Python, with no sandbox around it, and trace it.

    It may do what the caller may: import what is installed, read and write files, take its time.
    Built-in Values, objects of the program's own classes and its plain numbers are recorded as
    `trace` records them; arrays of an installed NumPy and tensors of an installed PyTorch are not.
    Gradients are judged at the numbers of this run alone, as it is not repeated. With `leaves` the
    program runs twice: as it is, to find them, and with the other numbers.

    Raises ProgramError for a program that cannot be read or ends with an exception, UnknownLeaf for
    a leaf that it has not.
    """
    return trace(Program(program, limits, NativeRecording), leaves, scene=scene)


def record_file(path: str | Path, argv: Sequence[str] = ()) -> Trace:
    """Run a file in the caller's own Python, as `python path argv` does, and trace it.

    What it may do, and what is recorded of it, is said of `record`. Raises OSError and
    UnicodeDecodeError for a file that cannot be read, and as `record` does.
    """
    text = Path(path).read_text("utf-8")
    with as_script(path, argv):
        return record(text)
