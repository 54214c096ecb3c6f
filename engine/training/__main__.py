"""The command `python -m seegrad.training SPEC.json`: a whole run as JSON."""

from __future__ import annotations

import json
import sys

from engine import command_line
from engine.runs.run import run

from .spec import SpecError, TrainSpec

USAGE = """usage: python -m seegrad.training SPEC.json

Train a network as SPEC.json says, and print the run as JSON: losses, parameters, outputs.
SPEC.json is the settings, - standard input. Settings that are refused make the exit status 2."""


def main(arguments: list[str]) -> int:
    """The command line; returns the exit status, 2 for an invalid spec."""
    if command_line.is_help(arguments, USAGE):
        return 0
    if len(arguments) != 1:
        print(USAGE.splitlines()[0] + "   (- for standard input)", file=sys.stderr)
        return 2
    name = arguments[0]
    try:
        text = command_line.read(name)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        print(f"{name}: cannot be read: {error}", file=sys.stderr)
        return 2
    try:
        answer = run(TrainSpec.from_text(text))
    except SpecError as error:
        print(f"{name}: {error.message}", file=sys.stderr)
        return 2
    return command_line.write(json.dumps(answer, allow_nan=False))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
