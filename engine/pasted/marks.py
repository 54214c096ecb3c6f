"""Marks in front of lines, and lines that hold nothing else: prompts, numbers, differences, fences.

Each function returns the lines without them, and without the lines that they say are no code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .cells import MARKER
from .lines import Lines, NumberedLine, indent_of
from .statements import is_statement

_SESSION = re.compile(r"\s*>>>(?: |$)")
_MORE = re.compile(r"\s*\.\.\.(?: |$)")
_IN = re.compile(r"\s*In ?\[[\d* ]*\]:?(?: |$)")
_IN_MORE = re.compile(r"\s*\.\.\.:(?: |$)")
_OUT = re.compile(r"\s*Out ?\[\d*\]:?")
_NUMBER = re.compile(r"\s*(\d{1,5})(?:[ \t]*([:|│.)])|(?=\s|$))(.*)$")
_HUNK = re.compile(r"@@ .*@@")
_HEADER = re.compile(r"(?:diff --git |index [0-9a-f]{4,}|--- |\+\+\+ |new file mode|similarity )")
_FENCE = re.compile(r"\s{0,3}(?:```+|~~~+) *([\w+-]*)[^`]*$")
_PYTHON = frozenset({"", "python", "python3", "py", "ipython", "pycon", "diff", "text", "console"})
FEWEST_NUMBERED = 3
"""Lines that count up before their numbers are taken for line numbers."""


def without_prompts(lines: Lines) -> list[NumberedLine]:
    """The lines without prompts, and without the output that follows up to a blank line."""
    kept: list[NumberedLine] = []
    more: re.Pattern[str] | None = None
    is_output = False
    for line in lines:
        found = _SESSION.match(line.text) or _IN.match(line.text)
        if found:
            more = _MORE if ">>>" in found[0] else _IN_MORE
        elif more and not is_output and (found := more.match(line.text)):
            pass
        elif _OUT.match(line.text) or (more is _MORE and not line.is_blank):
            is_output = True
            continue
        elif line.is_blank:
            more, is_output = (None if more is _MORE else more), False
        if found:
            is_output = False
            line = line.with_text(line.text[found.end() :])
        if not is_output:
            kept.append(line)
    return kept


def without_numbers(lines: Lines) -> list[NumberedLine]:
    """The lines without numbers that count up in front of them."""
    kept: list[NumberedLine] = []
    run: list[tuple[NumberedLine, re.Match[str]]] = []
    for line in lines:
        found = _NUMBER.match(line.text)
        if found and run and int(found[1]) == int(run[-1][1][1]) + 1:
            run.append((line, found))
            continue
        kept += _unnumbered(run)
        run = [(line, found)] if found else []
        if not found:
            kept.append(line)
    return kept + _unnumbered(run)


def _unnumbered(run: list[tuple[NumberedLine, re.Match[str]]]) -> list[NumberedLine]:
    if len(run) < FEWEST_NUMBERED:
        return [line for line, _ in run]
    rests = [found[3].expandtabs(4) for _, found in run]
    common = min((indent_of(rest) for rest in rests if rest.strip()), default=0)
    common = common if run[0][1][2] is None else min(common, 1)
    return [line.with_text(rest[common:]) for (line, _), rest in zip(run, rests, strict=True)]


def without_differences(lines: Lines) -> list[NumberedLine]:
    """The lines of a difference as they are after it."""
    if any(_HUNK.match(line.text) for line in lines):
        return list(_patched(lines))
    kept: list[NumberedLine] = []
    run: list[NumberedLine] = []
    for line in [*lines, NumberedLine(0, "")]:
        if line.text.startswith(("+", "-")):
            run.append(line)
            continue
        kept += _added(run)
        run = []
        kept.append(line)
    return kept[:-1]


def _patched(lines: Lines) -> Iterator[NumberedLine]:
    """The lines of hunks; git writes a mark in front of each."""
    for line in lines:
        if _HUNK.match(line.text) or _HEADER.match(line.text):
            yield line.with_text("")
        elif not line.text.startswith("-"):
            is_marked = line.text[:1] in ("+", " ")
            text = line.text[1:] if is_marked else line.text
            yield line._replace(text=text, is_added=line.text.startswith("+"))


def _added(run: list[NumberedLine]) -> list[NumberedLine]:
    """The lines that a run of marked ones adds; the run itself if it is no difference."""
    added = [line for line in run if line.text.startswith("+")]
    if not any(is_statement(line.text[1:]) for line in added):
        return run
    has_space = all(line.text[1:2] in ("", " ") for line in added)
    return [line._replace(text=line.text[1 + has_space :], is_added=True) for line in added]


def without_fences(lines: Lines) -> list[NumberedLine]:
    """What stands in fences, if there are any; those of another language are left out."""
    fences = [found for line in lines if (found := _FENCE.match(line.text))]
    if not fences:
        return list(lines)
    named = any(found[1].lower() in _PYTHON and found[1] for found in fences)
    kept: list[NumberedLine] = []
    inside = len(fences) % 2 == 1 and not _FENCE.match(lines[0].text)
    is_python = inside
    for line in lines:
        if found := _FENCE.match(line.text):
            inside = not inside
            is_python = inside and found[1].lower() in (_PYTHON - {""} if named else _PYTHON)
            kept += [MARKER] if is_python else []
        elif is_python:
            kept.append(line)
    return kept
