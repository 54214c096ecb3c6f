"""f-strings as Python 3.12 nests them, on every Python; what they print follows from PEP 701.

Places and words of mistakes are those of CPython 3.14.
"""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record.source import Limits, ProgramError, Source, Span
from engine.record.tokens import comments_and_strings
from engine.record.tree_json import read, written
from engine.recording import parsed
from tests.support.each import for_each
from tests.support.programs import marked, printed, refusal

SHOWN: dict[str, list[str]] = {
    "d = {'k': 1}\nprint(f'{d['k']}')": ["1"],
    "print(f'{'a' + 'b'}')": ["ab"],
    "print(f'{''}.')": ["."],
    "print(f\"{'\\n'.join(['a', 'b'])}\")": ["a", "b"],
    "print(f'{f'{f'{1 + 1}'}'}')": ["2"],
    'print(f"{f"{f"{f"{f"{f"{1 + 1}"}"}"}"}"}")': ["2"],
    "print(f'{\n1  # one }'\n}')": ["1"],
    "print(f'{[\n1,\n2][1]}', 3)": ["2 3"],
    "print(f'{1 + \\\n 2}')": ["3"],
    "x = 2\nprint(f'{x = # c\n}')": ["x = ", "2"],
    "d = {'#': 1}\nprint(f'{d['#'] = }')": ["d['#'] = 1"],
    "x = 2.5\nprint(f'{x=:.2f}|{x = !s:>5}|{'é'=}')": ["x=2.50|x =   2.5|'é'='é'"],
    "w = 6\nprint(f'{'ab':{'>'}{w}}|{'ab'!r:{f'<{w}'}}|')": ["    ab|'ab'  |"],
    "print(f'{1:{1:{1}}}')": ["1"],
    "print(rf'\\d{'\\n'}|', f'\\N{DIGIT ONE}\\x41\\{'b'}\\{{')": ["\\d", "| 1A\\b\\{"],
    "print('a' f'{{{'b'}}}' \"c\" f'd')": ["a{b}cd"],
    "print(f'''{'''\n'''}{\"a\"}''')": ["", "a"],
    "print(f'{1, 2}', f'{*['a'], 2}')": ["(1, 2) ('a', 2)"],
    "print(f'{ {1: '}'}[1] }', f'{1 != 2}', f'{(lambda x: x)('y')}')": ["} True y"],
    "print(f'{'#'}', '#')  # f'{'": ["# #"],
    "print(f'{'a'!r }')": ["'a'"],
}


@pytest.mark.parametrize(("text", "lines"), SHOWN.items(), ids=SHOWN)
def test_what_python_312_reads_is_read(text: str, lines: list[str]) -> None:
    assert printed(text) == lines


@for_each(
    "text",
    [
        "print(f'{'a'}', zz)",
        "é = 1\nprint(f'é{'é'}{zz}')",
        "print(f'{\n1}{'é' + zz}')",
        "print(f'{f'é{f'{zz}'}'}')",
        "print(f'{'a':>{zz}}')",
        "x = (f'{\n'a'\n}', 'é', zz)",
        "print(f'''\n{'a'}\n  é {zz}''')",
        "print(f'é😀a', f'{''}', zz)",
    ],
)
def test_places_in_and_behind_f_strings_are_those_of_the_text(text: str) -> None:
    assert marked(text, refusal(text)) == "zz"


MISSING = "An expression is missing in these braces of an f-string."
REFUSED: list[tuple[str, str, Span]] = [
    ("print(f'{}')", MISSING, (1, 10, 1, 11)),
    ("print(f'{ # c\n}')", MISSING, (2, 1, 2, 2)),
    ("print(f'{'a'}{!r}')", MISSING, (1, 15, 1, 16)),
    ("x = 1\nprint(f'{x}' f'{x:{}}')", MISSING, (2, 20, 2, 21)),
    ("print(f'{'a'}}')", "Single '}' in an f-string.", (1, 14, 1, 15)),
    ("print(f'{f'{1}}'}')", "Single '}' in an f-string.", (1, 15, 1, 16)),
    ("print(f'{d['a']!x}')", "A conversion in an f-string is !r, !s or !a.", (1, 17, 1, 18)),
    ("print(f'{d['a'] b}')", "Invalid syntax.", (1, 10, 1, 18)),
    ("print(f'{a b}')", "Invalid syntax.", (1, 10, 1, 13)),
    ("x = 1\nprint(f'{d['a'] + 'b')", "Unmatched ')'.", (2, 22, 2, 23)),
    ("x = 1\nprint(f'{d['a']')", "Expected '}'.", (2, 16, 2, 17)),
    (
        "print(f'{x:>5')",
        "Closing parenthesis ')' does not match opening parenthesis '{'.",
        (1, 15, 1, 16),
    ),
    (
        "print(f'{(1}')",
        "Closing parenthesis '}' does not match opening parenthesis '('.",
        (1, 12, 1, 13),
    ),
    ("print(f'{1)}')", "Unmatched ')'.", (1, 11, 1, 12)),
    ("print(f'{lambda: 1}')", "A lambda in an f-string stands in parentheses.", (1, 10, 1, 17)),
    (
        "print(f'{1:{1:{1:{1}}}}')",
        "Format specifications of an f-string are nested too deeply.",
        (1, 17, 1, 18),
    ),
    (
        "print(f'{'a'}' f'{'\\N{no}'}')",
        "An escape after a backslash in this string cannot be read.",
        (1, 19, 1, 27),
    ),
    ("f'{'a'}' = 3", "Cannot assign to f-string expression here.", (1, 1, 1, 9)),
    ("a = f'x", "Unterminated string literal (detected at line 1).", (1, 5, 1, 6)),
]


@for_each(("text", "message", "span"), REFUSED, ids=[case[0] for case in REFUSED])
def test_mistakes_are_named_where_they_are(text: str, message: str, span: Span) -> None:
    with pytest.raises(ProgramError) as caught:
        Source(text, Limits(), parsed)
    assert (caught.value.message, caught.value.span) == (message, span)


@pytest.mark.parametrize("depth", [75, 120, 2000])
def test_nesting_is_limited(depth: int) -> None:
    with pytest.raises(ProgramError, match="at most 140"):
        Source("x = " + "f'{" * depth + "1" + "}'" * depth, Limits(), parsed)


texts = st.text("aé😀{}'\"\\\n#:!= ", max_size=5)


@st.composite
def nested(draw: st.DrawFn, depth: int = 0) -> tuple[str, str]:
    """An f-string in single quotation marks, and its meaning."""
    written, meant = "", ""
    for _ in range(draw(st.integers(0, 3))):
        plain = draw(texts)
        if depth > 3 or draw(st.booleans()):
            written += _escaped(plain).replace("{", "{{").replace("}", "}}")
            meant += plain
            continue
        code, value = draw(nested(depth + 1)) if draw(st.booleans()) else (_quoted(plain), plain)
        blank = draw(st.sampled_from(["", " ", "\n", " # }'\n"]))
        width = draw(st.sampled_from(["", ":", ":>9", ":{'<'}{9}"]))
        written += f"{{{blank}{code}{blank}{width}}}"
        meant += value.rjust(9) if ">" in width else value.ljust(9) if "<" in width else value
    return f"f'{written}'", meant


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return f"'{_escaped(text)}'"


@given(nested())
def test_nested_f_strings_mean_what_they_are_made_of(case: tuple[str, str]) -> None:
    text, meant = case
    assert printed(f"x = {text}\nprint(x == {_quoted(meant)})") == ["True"]


PARTS = (
    "def f(a, /, b: int = 1, *c, d=1e999, **e) -> None: return a if b else [*c]",
    "x = (1, 2.5, -1j, 'é', b'\\x00', None, True, ..., 10**5, 1e999j, f'{1!r:>{2}}')",
    "class A(B, c=1):\n  @p\n  async def g(self): yield (x := 1); await x; lambda: {1: {*a}}",
    "match x:\n  case [1, {'a': y, **z}, A(b=_)] | None: pass",
)


@pytest.mark.parametrize("text", PARTS)
def test_a_tree_is_the_same_behind_its_json(text: str) -> None:
    tree = ast.parse(text)
    behind = read(json.loads(json.dumps(written(tree))))
    assert ast.dump(behind, include_attributes=True) == ast.dump(tree, include_attributes=True)


@pytest.mark.parametrize("found", [1, ["os", {}, []], ["Name", {}, ["x"]], {"items": [None]}, "a"])
def test_what_is_no_tree_is_refused(found: object) -> None:
    with pytest.raises(ValueError, match=r"no tree|no syntax|invalid literal|could not"):
        read(found)


@given(st.text("fFrR'\"{}a\\#\n :!=()", max_size=40))
def test_comments_and_strings_stand_one_behind_the_other(text: str) -> None:
    ends = [at for span in comments_and_strings(text) for at in span]
    assert ends == sorted(ends)
    assert all(0 <= at <= len(text) for at in ends)
