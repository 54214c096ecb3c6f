"""What the scripts share that find a program for the tests: their command line, their advice."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path


def named_or(variable: str, advice: str) -> str:
    """What to do where nothing is found: mend what `variable` names, or follow `advice`."""
    named = os.environ.get(variable)
    return f"{variable}={named}: there is no such file" if named else advice


def command(
    script: str,
    variable: str,
    find: Callable[[], Path | None],
    install: Callable[[], Path | None],
    advice: Callable[[], str],
) -> int:
    """Print the path of the program, or advice; the exit status. --install tries to install it."""
    parser = argparse.ArgumentParser(prog=script)
    parser.add_argument("--install", action="store_true", help="install one if there is none")
    arguments = parser.parse_args()
    found = find()
    if found is None and arguments.install and variable not in os.environ:
        found = install()
    if found is None:
        print(advice(), file=sys.stderr)
        return 1
    print(found)
    return 0
