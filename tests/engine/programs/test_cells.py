"""Cells after `# %%`: the last expression of each is printed, as a notebook does."""

from __future__ import annotations

import pytest

from engine.program import ProgramError
from engine.trace.build import trace
from tests.support.each import for_each


@for_each(
    ("program", "printed"),
    [
        ("1 + 1\n2 + 2", ["4"]),
        ("1 + 1\n# %%\n2 + 2", ["2", "4"]),
        ("#%% first\n1 + 1\n# %% second\n\n# %%\n2 + 2", ["2", "4"]),
        ("a = 3\na\n# %%\nb = a", ["3"]),
        ("a = 3\n# %%\na.bit_length()\nprint('x')\n# %%\nNone", ["x"]),
        ("def f():\n    1 + 1\n    # %%\n    return 5\nf()", ["5"]),
        ("s = '''\n# %%\n'''\nlen(s)\ns = 1", []),
        ("x = 1 + 1\nx\n# %%\nx = 5\nx\nx = 6", ["2"]),
        ("# %%\nfor i in range(2):\n    i + 1\n# %%\n3 + 4", ["7"]),
        ("print('a', end='')\n# %%\n1 + 1\n# %%", ["a", "2"]),
        ("In [1]:\na = 2\na\nIn [2]:\na + 1\nOut[2]:\n3\n\nIn [3]:\na = 5", ["2", "3"]),
        ("In [1]: a = 2\nIn [2]: a\nOut[2]: 2\n\nIn [3]: print(a)\n2\n", ["2", "2"]),
        (">>> a = 2\n>>> a\n2\n>>> def f():\n...     return a\n...\n>>> f()\n2", ["2", "2"]),
        ("s = 1\n# %%\ns;\n# %%\ns; # shown by no cell\n# %%\n'é;'\n(s); s", ["1"]),
        ("x = 4\nx;", []),
    ],
)
def test_last_expression_of_each_cell_is_printed(program: str, printed: list[str]) -> None:
    assert list(trace(program).printed) == printed


def test_a_cell_that_fails_keeps_the_output_of_those_before() -> None:
    with pytest.raises(ProgramError) as caught:
        trace("1 + 1\n# %%\n1 / 0")
    assert caught.value.printed == ("2",)
