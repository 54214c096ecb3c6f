"""The trace of a program: plain data that says everything about its two passes.

    python -m gradlens.trace FILE      (or - for standard input)

prints it as JSON, the contract with the page and with other programs. A program that is refused
makes the command exit with 2 and print `FILE:line:column: message` on standard error.

Frames: the first one gives the leaves and constants their numbers; then one for each operation in
the order computed; then the output's gradient becomes 1; then one for each operation backwards.
"""

from .build import trace
from .model import Alarm, Contribution, Frame, Group, Node, Trace

__all__ = ["Alarm", "Contribution", "Frame", "Group", "Node", "Trace", "trace"]
