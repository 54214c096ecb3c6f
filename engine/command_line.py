"""Input and output of the commands that print JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

HELP = ("-h", "--help")
CLOSED_PIPE = 128 + 13  # SIGPIPE, which Windows does not define


def is_help(arguments: Sequence[str], usage: str) -> bool:
    """Whether a command's usage is asked for; then it is printed."""
    asked = any(it in HELP for it in arguments)
    if asked:
        print(usage)
    return asked


def read(name: str) -> bytes:
    """The bytes of a file, or of standard input for "-". Raises OSError."""
    if name != "-":
        return Path(name).read_bytes()
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def write(text: str) -> int:
    """Print `text`; returns the exit status, 2 if standard output cannot be written.

    A reader that closes the pipe early, such as `head`, ends the command without a message, with
    the status that a shell gives a command ended by SIGPIPE.
    """
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _discard_output()
        return CLOSED_PIPE
    except OSError as error:
        print(f"standard output: cannot be written: {error}", file=sys.stderr)
        _discard_output()
        return 2
    return 0


def _discard_output() -> None:
    """Redirect standard output to nowhere, as Python writes the rest of its buffer on exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
