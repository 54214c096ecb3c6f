"""Running a program: its statements in order, on a roomy thread, until the budget is used up."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any, NoReturn

from engine.garbage import SELDOM
from engine.record.source import ProgramError
from engine.value import Value

from .classes import count_anew, end_comparing
from .compiler import compile_program
from .machine import Machine
from .modules.charts import Axes, Figure
from .modules.quiet import Quiet
from .plain import FOLLOWED
from .refusal import CATCHABLE, Exhausted, Refused
from .roomy_threads import is_roomy, started, wear
from .stopping import stopped
from .texts import repr_text
from .tracebacks import as_program_error
from .turns import Stopped
from .watchdog import WATCHDOG

_SILENT = (Quiet, Figure, Axes)
"""Objects that a notebook shows as pictures."""


def execute(machine: Machine) -> None:
    """Run the machine's program to its end.

    Raises ProgramError, and the reason for which a pause has ended the run.
    """
    failures: list[BaseException] = []
    if is_roomy():
        _run_watched(machine, failures)
    elif machine.source.is_straight or machine.budget.is_small:
        # neither long nor deep: a thread would take longer
        _run_here(machine, failures)
    else:
        started(partial(_run_watched, machine, failures)).join()
    if failures:
        _raise(failures)


def _run_watched(machine: Machine, failures: list[BaseException]) -> None:
    """Run on a thread with a large stack, as long as the limits allow."""
    with SELDOM.collected(), WATCHDOG.watching(machine):
        _run_here(machine, failures)
    wear(machine.used)


def _run_here(machine: Machine, failures: list[BaseException]) -> None:
    """Run on the present thread; what it raises is handed to the thread that waits."""
    try:
        _run(machine)
    except BaseException as error:
        failures.append(error)
    finally:
        end_comparing()


def _raise(failures: list[BaseException]) -> NoReturn:
    """Raise the only failure, without the frames of the program, which hold all that it made."""
    error = failures.pop()
    if isinstance(error, Stopped):
        error = error.reason
    error.__traceback__ = error.__context__ = None
    try:
        raise error
    finally:
        del error  # it holds this frame


def _run(m: Machine) -> None:
    count_anew()
    statement: ast.stmt = ast.Pass()
    frame: list[Any] = [m.source.tree]
    if m.witness is not None:
        m.witness.module = frame
    _note_dropped(m)
    cells = m.source.cells
    try:
        try:
            if m.code is None:
                m.code = compile_program(m, m.source.tree)
            for following, code in m.code:
                if cells and cells[0] <= following.lineno:
                    cells = [line for line in cells if line > following.lineno]
                    _echo(m, statement)
                m.left -= 1
                frame[0] = statement = following
                code(frame)
        except SystemExit:
            statement = ast.Pass()
        _finish(m, statement, None)
    except Refused as refused:
        if isinstance(refused, Exhausted):
            m.stopped = stopped(m, refused)
        if m.stopped is None:
            span = m.source.span(refused.node)
            raise ProgramError(refused.message, span, refused.hint, m.printed_lines()) from None
    except SyntaxError as error:
        place = getattr(error, "at", None) or m.source.tree.body[0]
        raise ProgramError(f"SyntaxError: {error.msg}.", m.source.span(place)) from None
    except CATCHABLE as error:
        raise as_program_error(m, error, frame[0]) from None
    finally:
        m.ended = True


def _finish(m: Machine, last: ast.stmt, result: Any) -> None:
    """Print the value of a last expression, as a notebook does, and choose what is drawn."""
    m.redirected.clear()
    if _echo(m, last):
        result = m.last_value
    elif isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        result = m.globals.get(last.targets[0].id)
    if m.line:
        m.print_text("\n")
    tape = m.tape
    if type(result) in FOLLOWED:
        if result.op is not None:
            tape.last_number = tape.ending = result
    elif isinstance(result, Value) and result.op is not None:
        tape.last = result
    _draw_network(m)
    m.scenes.finish(result)


def _echo(m: Machine, last: ast.AST) -> bool:
    """Print the value of an expression that ends a cell; whether `last` is one."""
    if not isinstance(last, ast.Expr) or isinstance(last.value, ast.Constant):
        return False
    if _ends_in_semicolon(m, last):
        return True
    if m.last_value is not None and not isinstance(m.last_value, _SILENT):
        m.print_text(("\n" if m.line else "") + repr_text(m, m.last_value) + "\n")
    return True


def _ends_in_semicolon(m: Machine, last: ast.Expr) -> bool:
    """Whether `;` stands behind an expression, by which a notebook is told not to show it."""
    line = m.source.code.text.split("\n")[(last.end_lineno or 1) - 1].encode()
    return line[last.end_col_offset :].lstrip().startswith(b";")


def _draw_network(m: Machine) -> None:
    """Where a program only makes a network, call it, so that there is something to see."""
    tape = m.tape
    if tape.networks and not (tape.has_passed or tape.last or tape.last_number):
        module, node = tape.networks[-1]
        m.note("The network is not called yet; it is drawn for inputs of 1.", node)
        m.node = node
        inputs = [tape.given(1.0, f"x[{i}]") for i in range(module.inputs())]
        module(inputs)


def _note_dropped(m: Machine) -> None:
    """Name the lines of a notebook that are no Python."""
    source = m.source
    written = [i for i in source.code.dropped if source.lines[i - 1].strip()]
    if not written:
        return
    text = source.lines[written[0] - 1]
    shown, more = text.strip()[:40], len(written) - 1
    if more:
        lines = "1 more line" if more == 1 else f"{more:,} more lines"
        message = f"{shown} and {lines} are passed over: they are no Python."
    else:
        message = f"{shown} is passed over: it is no Python."
    m.note_at(message, (written[0], 1, written[0], len(text) + 1))
