"""Running a program: its statements in order, on a thread of its own, until the budget is used up.

Recursion of a program is recursion of Python's, so that it needs a large stack. Operators and other
native code may recurse on the C stack of the thread as well.
"""

from __future__ import annotations

import ast
import gc
import sys
import threading
import time
from typing import Any, NoReturn

from engine.value import Value

from . import notebook
from .classes import count_anew
from .compiler import compile_program
from .machine import Machine
from .modules.charts import Axes, Figure
from .modules.quiet import Quiet
from .plain import FOLLOWED
from .refusal import CATCHABLE, Refused
from .source import ProgramError
from .texts import repr_text
from .tracebacks import as_program_error
from .turns import Stopped

STACK = 256 << 20  # bytes of address space; only what is used takes memory
FRAMES = 50_000
"""Python's frames for CALL_DEPTH calls of a program."""
COLLECT_AFTER = 100_000, 20, 100
"""Objects between collections of cyclic garbage: a run makes hundreds of thousands that live."""
_SILENT = (Quiet, Figure, Axes)
"""Objects that a notebook shows as pictures."""
_starting = threading.Lock()
sys.setrecursionlimit(max(FRAMES, sys.getrecursionlimit()))


def execute(machine: Machine) -> None:
    """Run the machine's program to its end.

    Raises ProgramError, and the reason for which a pause has ended the run.
    """
    failures: list[BaseException] = []
    if machine.source.is_straight:  # neither long nor deep: a thread would take longer
        try:
            _run(machine)
        except BaseException as error:
            failures.append(error)
    else:
        _run_apart(machine, failures)
    if failures:
        _raise(failures)


def _run_apart(machine: Machine, failures: list[BaseException]) -> None:
    """Run on a thread with a large stack."""
    clocks: list[int] = []

    def run() -> None:
        if hasattr(time, "pthread_getcpuclockid"):  # not on Windows
            clocks.append(time.pthread_getcpuclockid(threading.get_ident()))
        try:
            _run(machine)
        except BaseException as error:  # handed to the thread that waits
            failures.append(error)

    with _starting:
        collected_after = gc.get_threshold()
        if collected_after[0] < COLLECT_AFTER[0]:
            gc.set_threshold(*COLLECT_AFTER)
        before = threading.stack_size(STACK)
        try:
            thread = threading.Thread(target=run, name="program", daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
    try:
        _wait(thread, machine, clocks)
    finally:
        gc.set_threshold(*collected_after)


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


def _wait(thread: threading.Thread, machine: Machine, clocks: list[int]) -> None:
    """Wait for the program. One that takes too long is stopped at its next operation.

    Its thread's processor time counts, where it can be had, so that a busy machine stops nothing.
    Otherwise the time for which it has paused for others does not count.
    """
    began = time.monotonic()
    while thread.is_alive():
        took = time.monotonic() - began - machine.budget.paused
        if took >= machine.limits.seconds and clocks:
            took = _time_of(clocks[0])
        if took < machine.limits.seconds:
            thread.join(max(machine.limits.seconds - took, 0.01))
        else:
            machine.budget.is_late, machine.left = True, -1
            thread.join(0.01)


def _time_of(clock: int) -> float:
    """Seconds of processor time of a thread; 0 once it has ended."""
    try:
        return time.clock_gettime(clock)
    except OSError:
        return 0.0


def _run(m: Machine) -> None:
    count_anew()
    statement: ast.stmt = ast.Pass()
    frame: list[Any] = [m.source.tree]
    _note_dropped(m)
    cells = notebook.cells_of(m.source.text)
    try:
        try:
            for following, code in compile_program(m, m.source.tree):
                if cells and cells[0] < following.lineno:
                    cells = [line for line in cells if line > following.lineno]
                    _echo(m, statement)
                m.left -= 1
                frame[0] = statement = following
                code(frame)
        except SystemExit:
            statement = ast.Pass()
        _finish(m, statement, None)
    except Refused as refused:
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
    if m.last_value is not None and not isinstance(m.last_value, _SILENT):
        m.print_text(("\n" if m.line else "") + repr_text(m, m.last_value) + "\n")
    return True


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
