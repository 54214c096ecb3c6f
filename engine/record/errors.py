"""Exceptions of a program as Python reports them, with the program's own lines alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from .follow import is_a
from .hints import hint_for
from .objects import class_name
from .places import FILENAME
from .source import ProgramError

SHOWN = 3
"""Repeated frames of a traceback that are shown, as Python does."""
WIDTH = 200
"""Characters of a line, or of an exception's message, that are shown."""


def as_program_error(m: Any, error: BaseException) -> ProgramError:
    """What is told of a program that ends with an exception."""
    frames = list(_frames(m, error))
    node = frames[-1][2] if frames else m.source.tree
    m.node = node
    words = _words(error)
    lines = ["Traceback (most recent call last):", *_lines(m, frames), words]
    hint = _hint(m, error)
    return ProgramError(words, m.source.span(node), hint, m.printed_lines(), lines)


_traceback: Any = BaseException.__dict__["__traceback__"].__get__
"""That of the exception itself, whatever its class calls so."""


def _hint(m: Any, error: BaseException) -> str:
    """A way out; none where the exception's own class keeps it from being looked at."""
    try:
        return hint_for(m, error) if is_a(error, Exception) else ""
    except Exception:
        return ""


def _frames(m: Any, error: BaseException) -> Iterator[tuple[str, int, ast.AST]]:
    """The functions of the program that an exception left, outermost first, each with its line."""
    trace = _traceback(error)
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == FILENAME:
            yield code.co_name, trace.tb_lineno, m.places.node_at(code, trace.tb_lasti)
        trace = trace.tb_next


def _words(error: BaseException) -> str:
    name = class_name(type(error))
    try:
        message = str(error)
    except BaseException:
        message = "<exception str() failed>"
    shown = message if len(message) <= WIDTH else f"{message[:WIDTH]}…"
    return f"{name}: {shown}" if shown else name


def _lines(m: Any, frames: list[tuple[str, int, ast.AST]]) -> Iterator[str]:
    """Each frame, outermost first; of repeated ones the first three, as Python does."""
    for (name, line), group in groupby(frames, key=lambda frame: frame[:2]):
        text = m.source.lines[line - 1].strip()[:WIDTH]
        count = sum(1 for _ in group)
        for _ in range(min(count, SHOWN)):
            yield f'  File "<program>", line {line}, in {name}'
            yield f"    {text}"
        if (more := count - SHOWN) > 0:
            times = "time" if more == 1 else "times"
            yield f"  [Previous line repeated {more} more {times}]"
