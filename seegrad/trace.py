"""The trace of a program. `python -m seegrad.trace FILE` prints it as JSON (`-`: standard input).

A program that is refused makes the command exit with 2 and print `FILE:line:column: message` on
standard error.
"""

import sys

from engine.program import ProgramError
from engine.trace import Alarm, Contribution, Frame, Group, Node, Trace, trace
from engine.trace.__main__ import main

__all__ = ["Alarm", "Contribution", "Frame", "Group", "Node", "ProgramError", "Trace", "trace"]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
