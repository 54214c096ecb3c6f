"""Runs in the sandbox that nobody records: of many programs at once a few numbers are read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from engine import recording

from .scalar_numpy import SCALAR_NUMPY
from .text_edits import Rewrite

_NUMPY = re.compile(r"^\s*(?:import|from)\s+numpy\b", re.MULTILINE)
MARK = "= plain run ="
TEXT = 200
"""Characters of an exception that are told."""
_RUN = """\
import ast, contextlib, io, json, warnings
warnings.simplefilter("ignore")
def number(name, scope):
    try:
        return float(eval(name, scope))
    except Exception:
        if {lenient}:
            return float("nan")
        raise
def run(names, made):
    scope = {{"__name__": "__main__"}}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for code in made():
                exec(code, scope)
            found = [number(name, scope) for name in names]
    except BaseException as error:
        found = f"{{type(error).__name__}}: {{error}}"[:{most}]
    print({mark!r}, json.dumps(found), flush=True)
"""
_PROGRAMS = """\
definitions = compile({definitions!r}, "class.py", "exec")
for text, names in {programs!r}:
    run(names, lambda: (definitions, text))
"""
_EDITS = """\
text, names = {text!r}, {names!r}
lines, whole = text.split("\\n"), compile(text, "class.py", "exec")
units = []
for node in compile(text, "class.py", "exec", ast.PyCF_ONLY_AST).body:
    for part in node.body if isinstance(node, ast.ClassDef) else [node]:
        if isinstance(part, ast.FunctionDef):
            first = min([part.lineno, *(x.lineno for x in part.decorator_list)])
            owner = node.name if part is not node else ""
            units.append((first, part.end_lineno, owner, part.name))
def applied(lines, span, new):
    a, b, c, d = span
    middle = lines[a - 1][:b - 1] + new + lines[c - 1][d - 1:]
    return "\\n".join([*lines[:a - 1], middle, *lines[c:]])
def inner(code, name, first):
    for const in code.co_consts:
        if getattr(const, "co_name", "") == name and first in (0, const.co_firstlineno):
            return const
def put(code, old, new):
    return code.replace(co_consts=tuple([new if x is old else x for x in code.co_consts]))
def made(span, new):
    for first, last, owner, name in units:
        if first <= span[0] and span[2] <= last:
            moved = (span[0] - first + 1, span[1], span[2] - first + 1, span[3])
            part = applied(lines[first - 1:last], moved, new)
            part = compile(f"class {{owner}}:\\n{{part}}" if owner else part, "class.py", "exec")
            kind = inner(whole, owner, 0) if owner else whole
            old = inner(kind, name, first)
            fresh = inner(inner(part, owner, 0) if owner else part, name, 0)
            kind = put(kind, old, fresh)
            return [put(whole, inner(whole, owner, 0), kind) if owner else kind]
    return [compile(applied(lines, span, new), "class.py", "exec")]
for span, new in {edits!r}:
    run(names, lambda: made(span, new))
"""


class PlainProgram(NamedTuple):
    """A text, and the expressions whose numbers it is asked for when it has run."""

    text: str
    names: Sequence[str]


Answer: TypeAlias = list[float] | str
"""The numbers, or the exception that ended a program."""


def answers(
    programs: Sequence[PlainProgram], seconds: float, definitions: str = "", lenient: bool = False
) -> list[Answer]:
    """What programs answer, as far as their time lasts; each has `definitions` before it.

    If `lenient`, an expression that fails is no number, which otherwise ends its program.
    """
    given = [tuple(program) for program in programs]
    driver = _PROGRAMS.format(definitions=definitions, programs=given)
    texts = [definitions, *(program.text for program in programs[:1])]
    return _answers(driver, texts, seconds, lenient)


def answers_to_edits(
    program: PlainProgram, edits: Sequence[Rewrite], seconds: float
) -> list[Answer]:
    """What a program answers with each of the edits: only the function around one is read anew."""
    given = [(tuple(edit.span), edit.text) for edit in edits]
    driver = _EDITS.format(text=program.text, names=list(program.names), edits=given)
    return _answers(driver, [program.text], seconds, lenient=False)


def _answers(driver: str, texts: Sequence[str], seconds: float, lenient: bool) -> list[Answer]:
    library = SCALAR_NUMPY if any(map(_NUMPY.search, texts)) else ""
    run = _RUN.format(mark=MARK, most=TEXT, lenient=lenient)
    return list(_read(recording.run_inside(library + run + driver, seconds, "execute").text()))


def _read(printed: str) -> Iterator[Answer]:
    """The answers in order; the instance may say anything."""
    for line in printed.splitlines():
        if not line.startswith(MARK):
            continue
        try:
            found = json.loads(line.removeprefix(MARK))
            yield found if isinstance(found, str) else [float(x) for x in found]
        except (ValueError, TypeError):
            return
