"""Programs as they are copied: from notebooks, interpreter sessions, Markdown."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record.notebook import python_of
from engine.record.source import Limits, Source
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import data, finished, marked, printed, refusal

COPIED = {
    "magic": "%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n{}",
    "magic of a cell": "%%time\n{}",
    "shell": "!pip install micrograd\n!{{sys.executable}} -m pip list\n{}",
    "help": "Value?\n?Value.backward\n{}",
    "cells": "# %%\n%matplotlib inline\n# %% second\n{}\n# %%\n",
    "a cell in another language": "%%bash\nls -l | wc\necho 'it\n# %%\n{}",
    "a fence": "```python\n{}\n```",
    "a fence that is not closed": "```\n{}",
    "the end of a fence alone": "{}\n```",
    "prose around a fence": "# Title\nDon't worry:\n\n```py\n{}\n```\n\nand *that's* it.",
    "a fence of output": "```python\n{}\n```\nwhich prints\n```\nit's 8.0 2\n```\n",
    "fences in two languages": "```bash\npip install x\n```\n~~~python\n{}\n~~~\n",
}
LINES = ["a = Value(2.0)", "b = a * 3", "for i in range(2):", "    b = b + a"]
PLAIN = "\n".join(LINES)
SESSIONS = {
    "interpreter": (">>> a = Value(2.0)\n>>> b = a * 3\n>>> b\nValue(data=6.0)\n"
                    ">>> for i in range(2):\n...     b = b + a\n...\n>>> b.data\n10.0\n"),
    "an indented session": "    >>> a = Value(2.0)\n    >>> b = a * 5\n    >>> b.data\n    10.0",
    "IPython": ("In [1]: a = Value(2.0)\n   ...: b = a * 3\n\nIn [2]: b\nOut[2]: 6.0\n\n"
                "In [3]: for i in range(2):\n   ...:     b = b + a\n   ...: \n"),
    "a notebook as text": ("In [1]:\na = Value(2.0)\nb = a * 5\nb\nOut[1]:\nValue(data=10.0)\n"
                           "In [ ]:\nb.data\n"),
}  # fmt: skip


@for_each("around", COPIED.values(), ids=COPIED)
def test_what_is_no_python_is_passed_over(around: str) -> None:
    text = around.format(PLAIN)
    assert data(text, "b") == 10.0
    source = Source(text, Limits())
    lines = text.split("\n")
    first = lines.index(LINES[0])
    assert [node.lineno for node in source.tree.body] == [first + i for i in (1, 2, 3)]
    assert ast.dump(source.tree) == ast.dump(ast.parse(PLAIN))


@for_each("text", SESSIONS.values(), ids=SESSIONS)
def test_sessions_run_without_their_output(text: str) -> None:
    assert data(text, "b") == 10.0


@for_each(
    ("text", "line"),
    [
        (">>> a = 1.0\n>>> for i in [1]:\n...     b = a * zz\n", 3),
        ("In [1]: a = 1.0\n   ...: b = a * zz", 2),
        ("In [12]: b = 1 * zz", 1),
        ("  >>> é = '日本'; b = zz", 1),
        ("%time b = zz", 1),
        ("Text.\n\n```python\na = 1\nb = zz\n```", 5),
        ("%pylab\nb = [1,\n  zz]", 3),
    ],
)
def test_places_are_those_of_the_text_as_it_was_copied(text: str, line: int) -> None:
    error = refusal(text)
    assert error.line == line
    assert marked(text, error) == "zz"


@for_each(
    ("text", "span"),
    [
        (">>> a = 1\n>>> b = a × 2", (2, 11, 2, 12)),
        ("In [1]: a = (", (1, 13, 1, 14)),
        ("%matplotlib inline\na = 2 × 3", (2, 7, 2, 8)),
        ("a = 1\\\n !", (2, 2, 2, 3)),
        ("class é(x):\n !é", (1, 9, 1, 10)),
    ],
)
def test_an_error_is_marked_where_it_is(text: str, span: tuple[int, ...]) -> None:
    assert refusal(text).span == span


def test_the_marks_of_a_trace_lie_in_the_text() -> None:
    text = ">>> a = Value(2.0)\n>>> b = a * 3\n"
    found = trace(text)
    lines = found.program.split("\n")
    spans = {n.label or n.data: n.span for n in found.nodes}
    assert found.program == text
    assert {k: lines[s[0] - 1][s[1] - 1 : s[3] - 1] for k, s in spans.items()} == {
        "a": "Value(2.0)", "b": "a * 3", 3.0: "3",
    }  # fmt: skip


def test_the_first_line_that_is_passed_over_is_told() -> None:
    (note,) = finished("%matplotlib inline\na = 1").notes
    assert note.message == "%matplotlib inline is passed over: it is no Python."
    assert note.span == (1, 1, 1, 19)
    (note,) = finished("a = 1\n!ls\n\n!pwd").notes
    assert note.message == "!ls and 1 more line are passed over: they are no Python."


@pytest.mark.parametrize(
    "text",
    [
        'x = """\n>>> a\n%magic\n```\nIn [1]: b\n"""\na = 7.0\nprint(a\n%4)',
        "a = 11.0\nprint(a\n%4)  # ```",
    ],
)
def test_python_is_left_as_it_is(text: str) -> None:
    assert printed(text) == ["3.0"]
    assert finished(text).notes == []


def test_a_docstring_keeps_its_session() -> None:
    text = '%matplotlib inline\nprint("""\n>>> a\n!ls\n""")'
    assert printed(text) == ["", ">>> a", "!ls", ""]


def test_a_command_that_is_the_body_of_a_block_does_nothing() -> None:
    assert data("a = 1.0\nfor i in range(2):\n    !ls\nb = a * 3", "b") == 3.0


_PARTS = st.sampled_from(
    ["a = 1", "    b", ">>> ", ">>> a", "... b", "In [1]: a", "Out[1]: 2", "   ...: b", "```",
     "```python", "~~~", "%time a", "%%bash", "!ls", "x?", "# %%", "'''", '"""', "# '", "", "é\t"]
)  # fmt: skip


@given(st.lists(_PARTS, min_size=1, max_size=12).map("\n".join))
def test_each_line_is_kept_from_a_place_on_or_dropped(text: str) -> None:
    code = python_of(text)
    lines, kept = text.split("\n"), code.text.split("\n")
    assert len(kept) == len(lines)
    for i, (line, left) in enumerate(zip(lines, kept, strict=True), 1):
        if i in code.dropped:
            assert left == ""
        elif left.strip() != "pass":
            assert left == line[code.cuts.get(i, 0) :]


def test_commands_as_nbconvert_writes_them_do_nothing() -> None:
    text = "get_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().system('ls')\n"
    assert data(f"{text}a = Value(2.0)", "a") == 2.0
    outside = "try:\n    get_ipython()\nexcept NameError:\n    print('no notebook')"
    assert printed(outside) == ["no notebook"]
