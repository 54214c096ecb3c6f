"""Python out of copied notebooks, interpreter sessions and Markdown.

Lines that are no Python become empty and prompts are cut off, so that every line keeps its number;
how far a line moved to the left is told with it, so that places can be given in the original text.

    %matplotlib inline    !pip install torch    x?        commands to a notebook
    >>> a = 1    ... b    In [3]: a = 1    ...: b         prompts; the output below them
    ```python    ```                                      fences; the text around them
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from .tokens import comments_and_strings


class Code(NamedTuple):
    """The Python of a text, line by line; `cuts` are the characters cut off in front, by line."""

    text: str
    cuts: dict[int, int]
    dropped: list[int]
    """The lines, counted from 1, that are passed over."""


Kept: TypeAlias = "tuple[str, int] | None"
"""What is left of a line and how much was cut off in front; None if it is no Python."""

_SESSION = re.compile(r"(\s*)(?:>>>|\.\.\.)(?: |$)")
_IN = re.compile(r"In ?\[\d*\]:(?: |$)")
_CONTINUED = re.compile(r" *\.\.\.:(?: |$)")
_OUT = re.compile(r"Out ?\[\d*\]:")
_FENCE = re.compile(r" {0,3}(?:```+|~~~+) *([\w+-]*)[^`]*$")
_TIMED = re.compile(r"\s*%time +(?=\S)")
_COMMAND = re.compile(r"\s*(?:%%?[A-Za-z]|!|\?+\w|[\w.]+\?{1,2}\s*$)")
_OTHER_CELL = re.compile(
    r"%%(?:(?:bash|sh|html|javascript|js|latex|markdown|svg|cmd)\b|(?:write)?file\b(?!.*\.py\s*$))"
)
_CELL = re.compile(r"# ?%%|In ?\[\d*\]:")
_MARKER = re.compile(r"# ?%%")
_PYTHON = frozenset({"", "python", "python3", "py", "ipython", "ipython3", "pycon"})


def has_prompts(text: str) -> bool:
    """Whether a line begins with `In [3]:`, which by itself would be an annotation in Python."""
    found = [i for i, line in enumerate(text.split("\n")) if _IN.match(line)]
    return bool(found) and not _quoted_lines(text).issuperset(found)


def cells_of(text: str) -> list[int]:
    """The lines, counted from 1, at which a cell begins: with `# %%`, `In [3]:` or `>>>`."""
    written = text.split("\n")
    starts = next((line for line in written if line.strip()), "").lstrip().startswith(">>>")
    lines = [i for i, line in enumerate(written) if _begins(line, starts)]
    quoted = _quoted_lines(text) if lines else set()
    return [i + 1 for i in lines if i not in quoted]


def _begins(line: str, in_session: bool) -> bool:
    return bool(
        _MARKER.match(line) or _IN.match(line) or (in_session and line.lstrip().startswith(">>>"))
    )


def python_of(text: str) -> Code:
    """The Python of `text`, with its line numbers."""
    lines: list[Kept] = [(line, 0) for line in text.split("\n")]
    quoted = _quoted_lines(text)
    for rule in (_fenced, _session, _prompted, _commands):
        seen = [("", 0) if i in quoted else line for i, line in enumerate(lines)]
        kept = list(rule(seen))
        lines = [line if line is None or i in quoted else kept[i] for i, line in enumerate(lines)]
    return Code(
        "\n".join(line[0] if line else "" for line in lines),
        {i: line[1] for i, line in enumerate(lines, 1) if line and line[1]},
        [i for i, line in enumerate(lines, 1) if line is None],
    )


def _quoted_lines(text: str) -> set[int]:
    """The lines, counted from 0, that begin inside a string."""
    quoted: set[int] = set()
    done = line = 0
    for start, end in comments_and_strings(text):
        line += text.count("\n", done, start)
        inside = text.count("\n", start, end)
        quoted.update(range(line + 1, line + inside + 1))
        line, done = line + inside, end
    return quoted


def _cut(line: tuple[str, int], found: re.Match[str]) -> tuple[str, int]:
    return line[0][found.end() :], line[1] + found.end()


def _fenced(lines: list[Kept]) -> Iterator[Kept]:
    """Drop what stands outside of fences, and what is fenced as another language.

    Where fences name Python, those that name nothing hold output.
    """
    fences = [found for line in lines if line and (found := _FENCE.match(line[0]))]
    written = [line[0] for line in lines if line and line[0].strip()]
    starts_inside = len(fences) % 2 == 1 and not _FENCE.match(written[0])
    named = any(found[1].lower() in _PYTHON and found[1] for found in fences)
    kept = _PYTHON - {""} if named else _PYTHON
    inside = is_python = not fences or starts_inside
    for line in lines:
        found = line and _FENCE.match(line[0])
        if found:
            inside = not inside
            is_python = inside and found[1].lower() in kept
        yield line if is_python and not found else None


def _session(lines: list[Kept]) -> Iterator[Kept]:
    """Cut off `>>>` and `...` if the text begins with one, and drop the output."""
    written = [line[0] for line in lines if line and line[0].strip()]
    if not (written and written[0].lstrip().startswith(">>>")):
        yield from lines
        return
    for line in lines:
        found = line and _SESSION.match(line[0])
        yield _cut(line, found) if line and found else None


def _prompted(lines: list[Kept]) -> Iterator[Kept]:
    """Cut off `In [3]:` and `...:`, and drop `Out[3]:` with what follows up to an empty line."""
    has_in = any(line and _IN.match(line[0]) for line in lines)
    is_output = False
    for line in lines:
        found = line and (_IN.match(line[0]) or (has_in and _CONTINUED.match(line[0])))
        if line and found:
            is_output = False
            yield _cut(line, found)
            continue
        if line is None or not line[0].strip():
            is_output = False
        elif _OUT.match(line[0]):
            is_output = True
        yield None if is_output else line


def _commands(lines: list[Kept]) -> Iterator[Kept]:
    """Drop commands to the notebook, and cells in another language; a Python file is kept."""
    is_other = False
    for line in lines:
        if line is None:
            yield None
        elif _OTHER_CELL.match(line[0]):
            is_other = True
            yield None
        elif is_other and not _CELL.match(line[0]):
            yield None
        else:
            is_other = False
            yield _without_command(line)


def _without_command(line: tuple[str, int]) -> Kept:
    if found := _TIMED.match(line[0]):
        return _cut(line, found)
    if not _COMMAND.match(line[0]):
        return line
    indent = len(line[0]) - len(line[0].lstrip())
    return (f"{line[0][:indent]}pass", line[1]) if indent else None
