"""Command line and advice shared by the scripts that find programs for the tests."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path


def named_or(variable: str, advice: str) -> str:
    """Instructions when nothing is found: correct `variable` if set, otherwise `advice`."""
    named = os.environ.get(variable)
    return f"{variable}={named}: there is no such file" if named else advice


def command(
    script: str,
    variable: str,
    find: Callable[[], Path | None],
    install: Callable[[], Path | None],
    advice: Callable[[], str],
) -> int:
    """Print the path of the program, or advice; returns the exit status."""
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
