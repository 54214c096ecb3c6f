"""Exceptions of a program as Python reports them, with the program's own lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import groupby

from engine.record.source import ProgramError

from .hints import hint_for
from .machine import Machine
from .refusal import Refused
from .texts import str_text

SHOWN = 3
"""Repeated frames of a traceback that are shown, as Python does."""
WIDTH = 200
"""Characters of a line, or of an exception's message, that are shown."""


def as_program_error(m: Machine, error: BaseException, statement: ast.AST) -> ProgramError:
    """The refusal of a program that ends with an exception at the module's `statement`."""
    frames = list(m.failed_at) if m.failed is error else []
    frames.append(("<module>", statement))
    words = _words(m, error)
    span = m.source.span(_place(m.node, frames[0][1]))
    lines = ["Traceback (most recent call last):", *_lines(m, frames), words]
    hint = hint_for(m, error) if isinstance(error, Exception) else ""
    return ProgramError(words, span, hint, m.printed_lines(), lines)


def _words(m: Machine, error: BaseException) -> str:
    name = type(error).__name__
    try:
        message = str_text(m, error)
    except (Exception, Refused):
        message = "<exception str() failed>"
    shown = message if len(message) <= WIDTH else f"{message[:WIDTH]}…"
    return f"{name}: {shown}" if shown else name


def _place(node: ast.AST, statement: ast.AST) -> ast.AST:
    """The place of the last operation, if it lies in the statement that failed."""
    first, last = getattr(statement, "lineno", 1), getattr(statement, "end_lineno", 1)
    line = getattr(node, "lineno", 0)
    return node if isinstance(node, ast.expr) and first <= line <= (last or first) else statement


def _lines(m: Machine, frames: list[tuple[str, ast.AST]]) -> Iterator[str]:
    """Each frame, outermost first; of repeated ones the first three, as Python does."""
    heads = [(f'  File "<program>", line {_line(node)}, in {name}', node) for name, node in frames]
    for head, group in groupby(reversed(heads), key=lambda frame: frame[0]):
        nodes = [node for _, node in group]
        text = m.source.lines[_line(nodes[0]) - 1].strip()[:WIDTH]
        for _ in nodes[:SHOWN]:
            yield head
            yield f"    {text}"
        if (more := len(nodes) - SHOWN) > 0:
            times = "time" if more == 1 else "times"
            yield f"  [Previous line repeated {more} more {times}]"


def _line(node: ast.AST) -> int:
    line: int = getattr(node, "lineno", 1)
    return line
