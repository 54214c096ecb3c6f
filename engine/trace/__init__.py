"""The trace of a program: its forward and backward passes as plain data.

    python -m seegrad.trace FILE      (or - for standard input)

prints it as JSON, the contract with the page and with other programs. For an invalid program the
command prints `FILE:line:column: message` on standard error and exits with status 2.

Frames: the values of leaves and constants; each operation in order of computation; the seed of the
output's gradient; each operation in reverse order.
"""

from engine.reverse import Contribution

from .build import trace
from .model import Alarm, Frame, Group, Node
from .native import record, record_file
from .traced import Trace

__all__ = [
    "Alarm",
    "Contribution",
    "Frame",
    "Group",
    "Node",
    "Trace",
    "record",
    "record_file",
    "trace",
]
