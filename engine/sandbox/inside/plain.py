"""A program as it is, with nothing beside it. The answer is how it ended, as JSON."""

import json
import sys
import traceback
from types import ModuleType

FILE = "program.py"


def execute(program: str) -> str:
    """`{"error": null}`, or the text of the exception that ended the program."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = FILE
    error = None
    try:
        exec(compile(program, FILE, "exec"), main.__dict__)  # noqa: S102 - inside the sandbox
    except BaseException as raised:
        lines = raised.__traceback__ and raised.__traceback__.tb_next
        error = "".join(traceback.format_exception(type(raised), raised, lines))
    sys.stdout.flush()
    sys.stderr.flush()
    return json.dumps({"error": error})
