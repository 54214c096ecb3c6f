"""The smallest guest: runs the request as a program. Its answer is how that ended, as JSON."""

import json
import sys
import traceback
from types import ModuleType

SAMPLE = """
import math
class Sample:
    def __init__(self, data): self.data = data
    def __add__(self, other): return Sample(self.data + other.data)
total = Sample(0.0)
for turn in range(3): total = total + Sample(math.tanh(turn))
str(f"{total.data:.4f}")
"""


def handle(request: str) -> str:
    """`{"error": null}`, or the text of the exception that ended the program."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    error = None
    try:
        exec(compile(request, "program.py", "exec"), main.__dict__)  # noqa: S102 - inside the sandbox
    except MemoryError:
        raise
    except BaseException as raised:
        lines = raised.__traceback__ and raised.__traceback__.tb_next
        error = "".join(traceback.format_exception(type(raised), raised, lines))
    sys.stdout.flush()
    sys.stderr.flush()
    return json.dumps({"error": error})


def warm() -> None:
    """Run a sample."""
    handle(SAMPLE)
