"""The command `python -m seegrad.trace FILE`: a program's trace as JSON."""

from __future__ import annotations

import sys

from engine import command_line
from engine.program import ProgramError

from . import trace_json
from .build import trace

USAGE = """usage: python -m seegrad.trace FILE

Print a program's trace as JSON: its graph with data and grad, and all frames of both passes.
FILE is the program, - standard input. A program that is refused makes the exit status 2."""


def main(arguments: list[str]) -> int:
    """The command line; the exit status is 0, or 2 for an invalid program."""
    if command_line.is_help(arguments, USAGE):
        return 0
    if len(arguments) != 1:
        print(USAGE.splitlines()[0] + "   (- for standard input)", file=sys.stderr)
        return 2
    name = arguments[0]
    try:
        program = command_line.read(name).decode("utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a name with a null character
        print(f"{name}:1:1: cannot be read: {error}", file=sys.stderr)
        return 2
    try:
        written = trace_json.write(trace(program))
    except ProgramError as error:
        print(f"{name}:{error.line}:{error.column}: {error.sentences}", file=sys.stderr)
        for line in error.traceback:
            print(line, file=sys.stderr)
        return 2
    return command_line.write(written)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
