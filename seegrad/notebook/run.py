"""`python -m seegrad run script.py`: the script as Python runs it, and a page of its pass.

What the script prints, its arguments, its exit status and its tracebacks are those of `python
script.py`; what is said beside goes to standard error. It is the user's own program in the user's
own Python: no sandbox is around it.
"""

from __future__ import annotations

import argparse
import builtins
import os
import signal
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from engine.live.refusal import CannotShow
from seegrad.notebook.showing import shown
from seegrad.notebook.shown import Shown
from seegrad.notebook.tracebacks import without_recorder
from seegrad.notebook.watching import WatchedProgram

NO_FILE = 2
FAILED = 1
NOTHING = (
    "no pass was seen: there is a page where backward() is called on an object that holds data,"
    " grad, and what it was computed from"
)


class Ended(NamedTuple):
    """How a script ended: its exit status as `sys.exit` takes it, and whether by the keyboard."""

    status: Any = None
    interrupted: bool = False


def main(argv: Sequence[str]) -> int:
    """Run a script, write the page, and end as the script does."""
    options = _arguments(argv)
    try:
        code = Path(options.script).read_bytes()
    except OSError as error:
        print(f"seegrad run: can't open file {options.script!r}: {error.strerror}", file=sys.stderr)
        return NO_FILE
    program = WatchedProgram(options.which)
    module = _module(str(Path(options.script).absolute()))
    ended = _run(code, module, [options.script, *options.arguments], program)
    # after a traceback that alone is of interest; a child of the script has none of its own
    if os.getpid() == program.process and (program.count or ended.status != FAILED):
        _write(program, vars(module), options)
    if ended.interrupted:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    if ended.status is not None:
        sys.exit(ended.status)
    return 0


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="seegrad run",
        description="Run a Python script, and write a page that steps through its backward pass.",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the page")
    parser.add_argument("--output", type=Path, help="the page (default SCRIPT.seegrad.html)")
    parser.add_argument(
        "--pass", dest="which", type=int, default=0, metavar="N", help="the pass shown, from 1 on"
    )
    parser.add_argument("script", help="the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script is given")
    return parser.parse_args(argv)


def _module(script: str) -> ModuleType:
    """The module that a script is, as Python itself makes it."""
    module = ModuleType("__main__")
    loader = SourceFileLoader("__main__", script)
    vars(module).update(
        __file__=script,
        __builtins__=builtins,
        __cached__=None,
        __loader__=loader,
        __annotations__={},
    )
    return module


def _run(code: bytes, module: ModuleType, argv: list[str], program: WatchedProgram) -> Ended:
    """Run a script in its module; an exception is printed as Python prints it."""
    file = str(module.__file__)
    sys.argv = argv
    sys.path[0:1] = [str(Path(argv[0]).resolve().parent)]
    sys.modules["__main__"] = module
    try:
        compiled = compile(code, file, "exec", dont_inherit=True)
        with program.watching(vars(module)):
            exec(compiled, vars(module))  # noqa: S102  the user's own script
    except SystemExit as end:
        return Ended(end.code if end.code is not None else 0)
    except BaseException as error:
        without_recorder(error, file)
        sys.excepthook(type(error), error, error.__traceback__)
        return Ended(FAILED, isinstance(error, KeyboardInterrupt))
    return Ended()


def _write(program: WatchedProgram, names: Mapping[str, Any], options: argparse.Namespace) -> None:
    """Write the page of the pass, and say so."""
    try:
        page = program.page(names, "script") or _held(names, program.passes.why)
        target = options.output or Path(f"{Path(options.script).stem}.seegrad.html")
        path = page.save(target)
    except (CannotShow, OSError) as error:
        print(f"seegrad: {error}", file=sys.stderr)
        return
    which = f" of pass {program.at:,} of {program.count:,}" if program.count > 1 else ""
    print(f"seegrad: wrote {path}, the graph{which}", file=sys.stderr)
    if not options.no_open:
        webbrowser.open(path.resolve().as_uri())


def _held(names: Mapping[str, Any], why: str) -> Shown:
    """The last graph that a variable of the script holds."""
    for held in reversed(list(names.values())):
        if hasattr(held, "grad") and not isinstance(held, type):
            try:
                return shown(held, names)
            except CannotShow:
                continue
    raise CannotShow(why or NOTHING)
