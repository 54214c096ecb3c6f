"""`%%seegrad`: a notebook's cell as ever, and the graph of its pass below it."""

from __future__ import annotations

import argparse
import ast
import inspect
import shlex
from typing import Any, NoReturn

from engine.live.refusal import CannotShow
from seegrad.notebook.showing import shown_or_recorded
from seegrad.notebook.watching import WatchedProgram

NOTHING = (
    "No pass was seen in this cell: call backward() on an object that holds data, grad and what it "
    "was computed from, or end the cell with it."
)
NO_AWAIT = (
    "A cell with await is not watched: run it without %%seegrad, and then seegrad.show(loss)."
)


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CannotShow(f"%%seegrad: {message}.")


class CellFailed(Exception):
    """The cell ended with an exception, whose traceback is there already."""

    def _render_traceback_(self) -> list[str]:
        return []


def register(shell: Any) -> None:
    """Make `%%seegrad` known to a notebook: what `%load_ext seegrad` does."""

    def seegrad(line: str, cell: str) -> Any:
        """Run the cell, and show the graph of its last backward pass: %%seegrad [--pass N]."""
        return run_cell(shell, line, cell)

    shell.register_magic_function(seegrad, magic_kind="cell")


def run_cell(shell: Any, line: str, cell: str) -> Any:
    """Run a cell in the user's own names, and show its graph, also if it ends with an error.

    Raises CannotShow, and CellFailed for a cell that raised, so that "run all" ends as ever.
    """
    parser = _Options(prog="%%seegrad", add_help=False)
    parser.add_argument("--pass", dest="which", type=int, default=0)
    options = parser.parse_args(shlex.split(line))
    if _awaits(shell, cell):
        raise CannotShow(NO_AWAIT)
    program = WatchedProgram(options.which)
    with program.watching(shell.user_ns):
        ended = shell.run_cell(cell, store_history=False)
    error = ended.error_in_exec or ended.error_before_exec
    if error is None:
        return _found(program, ended.result, shell.user_ns)
    if program.count and (page := program.page(shell.user_ns, "cell")) is not None:
        data, more = shell.display_formatter.format(page)
        shell.display_pub.publish(data=data, metadata=more)
    raise CellFailed(str(error))


def _awaits(shell: Any, cell: str) -> bool:
    """Whether a cell awaits at its top level; of one that is no Python the shell says so."""
    try:
        code = compile(shell.transform_cell(cell), "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):
        return False
    return bool(code.co_flags & inspect.CO_COROUTINE)


def _found(program: WatchedProgram, result: Any, names: dict[str, Any]) -> Any:
    page = program.page(names, "cell")
    if page is None and result is None:
        raise CannotShow(program.passes.why or NOTHING)
    return shown_or_recorded(result, names) if page is None else page
