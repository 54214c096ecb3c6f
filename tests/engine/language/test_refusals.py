"""Refused programs: the syntax or value named, its place, and a way out."""

from __future__ import annotations

import ast
import re

import pytest

from engine.language.compiler import EXPRESSIONS, STATEMENTS
from engine.language.compiler.unit import FOREIGN
from tests.support.programs import marked, refusal

FOREIGN_PROGRAMS = {
    "TryStar": "try:\n    a = 1\nexcept* ValueError:\n    pass",
    "AsyncFunctionDef": "async def f():\n    pass",
    "AsyncFor": "async for x in [1]:\n    pass",
    "AsyncWith": "async with x:\n    pass",
    "Await": "await x",
}


YIELDS = {ast.Yield, ast.YieldFrom}


@pytest.mark.parametrize("expression", ["yield 1", "yield from [1]"])
def test_yield_in_an_expression_is_refused_by_its_name_with_a_way_out(expression: str) -> None:
    text = f"def f():\n    print(({expression}))\nlist(f())"
    error = refusal(text)
    assert error.message == "yield inside an expression is not part of this language."
    assert error.hint
    assert error.line == 2


@pytest.mark.parametrize(
    "kind", sorted(FOREIGN.keys() - YIELDS, key=str), ids=lambda kind: kind.__name__
)
def test_foreign_syntax_is_refused_by_its_name_with_a_way_out(kind: type[ast.AST]) -> None:
    text = FOREIGN_PROGRAMS[kind.__name__]
    name, hint = FOREIGN[kind]
    error = refusal(text)
    assert error.message == f"{name} is not part of this language."
    assert error.hint == hint != ""
    there = [n for n in ast.walk(ast.parse(text)) if type(n) is kind]
    spans = [(getattr(n, "lineno", 0), getattr(n, "col_offset", -1) + 1) for n in there]
    assert (error.line, error.column) in spans


def test_all_syntax_of_python_either_runs_or_is_refused_by_name() -> None:
    known = {kind.__name__ for kind in [*STATEMENTS, *EXPRESSIONS, *FOREIGN]}
    kinds = {kind.__name__ for base in (ast.stmt, ast.expr) for kind in base.__subclasses__()}
    kinds -= {"FormattedValue", "TypeAlias", "TemplateStr", "Interpolation"}
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}
    assert kinds - old <= known


REFUSED = [
    ("class A({}):\n    pass", "metaclass=type", "Metaclasses are not part of this language."),
    ("class A({}):\n    pass", "**{'x': 1}", "A class takes no ** here."),
    ("y = {}", "1j", None),
    ("y = {}", "b'%d' % 1", "The sign % on bytes is not part of this language."),
    ("y = {}", "Value(1.0, (), '+')", "A Value with children of its own cannot be made here."),
    ("y = {}", "Value('x')", "A Value holds a number here, not str."),
    ("x = 1\n{} = 2", "x.data", "This is a plain number; its data cannot be set."),
    ("x = Value(1.0)\n{}", "x.backward(2)", "A backward pass starts from the gradient 1"),
    ("import os\ny = {}", "os.getcwd()", "os.getcwd is not here: a program reaches no files"),
    ("with {}:\n    pass", "open('x')", "open is not known here."),
    ("y = {}", "(-8) ** (1/3)", "Complex numbers are not part of this language."),
    ("y = {}", "type('A', (), {{}})", "type takes one argument here."),
    ("y = {}", "'a' * 10**9", None),
    ("y = {}", "n.__dict__", "__dict__ is reserved."),
]  # fmt: skip


@pytest.mark.parametrize(("frame", "part", "message"), REFUSED)
def test_what_is_refused_is_named_and_marked(frame: str, part: str, message: str | None) -> None:
    for before in ("", "ü = 'é'; n = 1; "):
        part = part.replace("{{}}", "{}")
        text = before + frame.replace("{}", part, 1)
        if "n." in part and not before:
            continue
        if "\n" in frame and before:
            continue
        error = refusal(text)
        assert not error.traceback
        assert error.hint
        assert marked(text, error) == part
        if message is not None:
            assert error.message.startswith(message)


RAISED = [
    ("y = {}", "1 % 0"),
    ("y = {}", "zz"),
    ("y = {} + 1", "None"),
    ("y = {}", "[1] + 3"),
    ("y = {}", "-'x'"),
    ("y = {}", "+'x'"),
    ("y = {}", "1 < 'x'"),
    ("for i in {}:\n    pass", "3"),
    ("for i in {}:\n    pass", "range(2.5)"),
    ("for i in {}:\n    pass", "range(0, 1, 0)"),
    ("x = [1, 2]\ny = {}", "x[2]"),
    ("x = [1]\ny = {}", "x[0.5]"),
    ("x = [1]\ny = {}", "x[::0]"),
    ("x = 3\ny = {}", "x[0]"),
    ("x = (1, 2)\n{} = 3", "x[0]"),
    ("{} = [1, 2, 3]", "a, b"),
    ("{} = [1]", "a, b, *c"),
    ("{} = 3", "a, b"),
    ("y = {}", "max()"),
    ("y = {}", "max([1, 2], key=3)"),
    ("y = {}", "max([])"),
    ("y = {}", "int('1.5')"),
    ("x = 2\ny = {}", "x(3)"),
    ("a = [1]\ny = {}", "a[0](2)"),
    ("def f(a):\n    return a\ny = {}", "f()"),
    ("def f(a):\n    return a\ny = {}", "f(1, 2)"),
    ("def f(a):\n    return a\ny = {}", "f(1, a=2)"),
    ("def f(a, b, c):\n    return a\ny = {}", "f(1, d=2)"),
    ("def f(*, k):\n    return k\ny = {}", "f()"),
    ("def f(a):\n    return a\nx = 1\ny = {}", "f(**x)"),
    ("x = [1]\n{}", "x.append(1, 2)"),
    ("x = [1]\n{}", "x.remove(5)"),
    ("x = {{}}\n{}", "x['k']"),
    ("x = {{}}\n{}", "x[[]]"),
    ("print({})", "f'{1.5:d}'"),
    ("x = 'a'\ny = {}", "x.uper()"),
    ("class A: pass\ny = {}", "A().b"),
    ("class A: pass\ny = {}", "A(1)"),
    ("class A: pass\ny = {}", "A() + 1"),
    ("class A: pass\ny = {}", "A() < A()"),
    ("class A: pass\ny = {}", "len(A())"),
    ("class A: pass\ny = {}", "A()[0]"),
    ("y = {}", "{1: 2}.pop(3)"),
    ("y = {}", "''.join([1])"),
    ("y = {}", "sum(['a'])"),
    ("y = {}", "sorted([1, 'a'])"),
    ("y = {}", "'%d' % 'x'"),
    ("y = {}", "'{}'.format()"),
    ("y = {}", "ord('ab')"),
    ("y = {}", "chr(-1)"),
    ("y = {}", "int([])"),
    ("y = {}", "2 ** -1 // 0"),
]


@pytest.mark.parametrize(("frame", "part"), RAISED)
def test_a_mistake_raises_what_cpython_raises(frame: str, part: str) -> None:
    text = frame.replace("{}", part, 1) if "{{" not in frame else frame.format(part)
    with pytest.raises(Exception, match=r"(?s).*") as right:
        exec(text, {"__name__": "__main__"})  # noqa: S102  # the list above
    error = refusal(text)
    words = re.sub(r"\(\d+\)$", "", f"{type(right.value).__name__}: {right.value}")
    assert error.message == words
    assert error.traceback[0] == "Traceback (most recent call last):"
    assert error.traceback[-1] == words
    first, *_ = [line for line in error.traceback if "<module>" in line]
    line = text.count("\n", 0, text.rfind(part)) + 1
    assert first == f'  File "<program>", line {line}, in <module>'


@pytest.mark.parametrize(
    "text",
    ["assert 1 > 2", "assert 1 > 2, 'so'", "raise ValueError('own')", "raise KeyError",
     "class E(Exception): pass\nraise E(1, 2)", "raise ValueError('a') from KeyError('b')"],
)  # fmt: skip
def test_an_exception_of_the_program_ends_it_with_its_words(text: str) -> None:
    with pytest.raises(Exception, match=r"(?s).*") as right:
        exec(text, {"__name__": "__main__"})  # noqa: S102  # the list above
    words = f"{type(right.value).__name__}: {right.value}".removesuffix(": ")
    assert refusal(f"x = 1\n{text}").message == words


@pytest.mark.parametrize("statement", ["return 3", "break", "continue", "yield 1"])
def test_a_statement_outside_of_its_loop_or_function_is_a_syntax_error(statement: str) -> None:
    assert refusal(f"x = 1\n{statement}").message.startswith("SyntaxError: ")


def test_a_break_in_a_function_does_not_end_the_caller_s_loop() -> None:
    text = "def f():\n    break\nfor i in range(3):\n    f()"
    assert refusal(text).message == "SyntaxError: 'break' outside loop."
