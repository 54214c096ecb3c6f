"""`%%seegrad`: a notebook's cell as ever, and the graph of its pass below it."""

from __future__ import annotations

import argparse
import ast
import inspect
import shlex
from typing import Any, NoReturn

from engine.live.passes import Passes, watched
from engine.live.refusal import CannotShow
from seegrad.notebook.showing import shown

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
    passes = Passes(options.which)
    with watched(passes):
        ended = shell.run_cell(cell, store_history=False)
    if ended.success:
        return _found(passes, ended.result, shell.user_ns)
    if passes.taken is not None:
        data, more = shell.display_formatter.format(_found(passes, None, shell.user_ns))
        shell.display_pub.publish(data=data, metadata=more)
    raise CellFailed(str(ended.error_in_exec or ended.error_before_exec))


def _awaits(shell: Any, cell: str) -> bool:
    """Whether a cell awaits at its top level; of one that is no Python the shell says so."""
    try:
        code = compile(shell.transform_cell(cell), "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):
        return False
    return bool(code.co_flags & inspect.CO_COROUTINE)


def _found(passes: Passes, result: Any, names: dict[str, Any]) -> Any:
    if passes.taken is not None:
        trace, _ = passes.taken.drawn()
        return shown(trace, names)
    if passes.wanted and passes.count:
        raise CannotShow(f"There is no pass {passes.wanted:,}: the cell runs {passes.count:,}.")
    if result is None:
        raise CannotShow(passes.why or NOTHING)
    return shown(result, names)
