"""Refused programs: the syntax or value named, its place, and a way out."""

from __future__ import annotations

import ast

import pytest

from engine.language.expressions import _EXPRESSIONS
from engine.language.interpreter import _STATEMENTS
from engine.language.names import FOREIGN
from tests.support.programs import marked, refusal

FOREIGN_PROGRAMS = {
    "While": "while 1 < 2:\n    pass",
    "Delete": "a = 1\ndel a",
    "Raise": "raise ValueError",
    "Try": "try:\n    a = 1\nexcept ValueError:\n    pass",
    "TryStar": "try:\n    a = 1\nexcept* ValueError:\n    pass",
    "AsyncFunctionDef": "async def f():\n    pass",
    "AsyncFor": "async for x in [1]:\n    pass",
    "AsyncWith": "async with x:\n    pass",
    "Global": "def f():\n    global a\nf()",
    "Nonlocal": "def f():\n    a = 1\n    def g():\n        nonlocal a\n    g()\nf()",
    "Match": "match 1:\n    case 1:\n        pass",
    "NamedExpr": "a = (b := 2)",
    "Dict": "a = {1: 2}",
    "DictComp": "a = {x: 1 for x in [1]}",
    "Set": "a = {1, 2}",
    "SetComp": "a = {x for x in [1]}",
    "Await": "await x",
    "Yield": "def f():\n    yield 1\nf()",
    "YieldFrom": "def f():\n    yield from [1]\nf()",
    "Starred": "a = [*[1, 2]]",
    "Slice": "a = [1, 2]\na[0:1] = [3]",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_syntax_is_refused_by_its_name_with_a_way_out(kind: str) -> None:
    text = FOREIGN_PROGRAMS[kind]
    name, hint = FOREIGN[kind]
    error = refusal(text)
    assert error.message == f"{name} is not part of this language."
    assert error.hint == hint != ""
    there = [n for n in ast.walk(ast.parse(text)) if type(n).__name__ == kind]
    spans = [(getattr(n, "lineno", 0), getattr(n, "col_offset", -1) + 1) for n in there]
    assert (error.line, error.column) in spans


def test_all_syntax_of_python_either_runs_or_is_refused_by_name() -> None:
    known = {kind.__name__ for kind in [*_STATEMENTS, *_EXPRESSIONS]} | set(FOREIGN)
    kinds = {kind.__name__ for base in (ast.stmt, ast.expr) for kind in base.__subclasses__()}
    kinds -= {"FormattedValue", "TypeAlias", "TemplateStr", "Interpolation"}
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}
    assert kinds - old <= known


REFUSED = [
    ("y = {}", "7 // 2", "The sign // is not part of this language."),
    ("y = {}", "[1] @ [2]", "The sign @ is not part of this language."),
    ("y = {}", "1 << 2", "The sign << is not part of this language."),
    ("y = {}", "8 >> 2", "The sign >> is not part of this language."),
    ("y = {}", "1 | 2", "The sign | is not part of this language."),
    ("y = {}", "1 & 2", "The sign & is not part of this language."),
    ("y = {}", "1 ^ 2", "The sign ^ is not part of this language."),
    ("y = {}", "~1", "The sign ~ is not part of this language."),
    ("y = {}", "'%s' % 1", "The sign % on a text is not part of this language."),
    ("y = {}", "1 % 0", "There is no remainder of a division by 0."),
    ("y = {}", "Value(5.0) % 3", "The remainder of a Value has no gradient here."),
    ("y = {}", "1j", "A complex number is not part of this language."),
    ("y = {}", "b'x'", "A text of bytes is not part of this language."),
    ("y = {}", "...", "The sign ... is not part of this language."),
    ("y = {}", "zz", "zz has no value yet."),
    ("y = {}", "tanh", "tanh is a function."),
    ("y = {}", "print", "print is a function."),
    ("y = {} + 1", "True", "Arithmetic needs a number here, not a truth value."),
    ("y = {} * 2", "None", "Arithmetic needs a number here, not None."),
    ("y = {}", "[1] + 3", "A list and a plain number do not go together here."),
    ("y = -{}", "'x'", "Minus needs a number, not a text."),
    ("y = +{}", "'x'", "Plus needs a number, not a text."),
    ("y = {}", "1 < 'x'", "A plain number and a text cannot be compared."),
    ("y = {}", "[1] < [2]", "A list and a list cannot be compared."),
    ("y = {}", "1 in [1]", "Only == != < <= > >= compare here."),
    ("y = {}", "1 is 1", "Only == != < <= > >= compare here."),
    ("if {}:\n    pass", "1", "A condition is a comparison, not a plain number."),
    ("a = Value(1.0)\nif {}:\n    pass", "a", "A condition is a comparison, not a Value."),
    ("y = 1 if {} else 2", "[]", "A condition is a comparison, not a list."),
    ("y = not {}", "1", "A condition is a comparison, not a plain number."),
    ("y = {} and 1 < 2", "1", "A condition is a comparison, not a plain number."),
    ("for i in {}:\n    pass", "3", "A plain number has no items to go through."),
    ("for i in range({}):\n    pass", "2.5", "A whole number is needed here, not 2.5."),
    ("for i in {}:\n    pass", "range(0, 1, 0)", "A range cannot have the step 0."),
    ("x = [1, 2]\ny = x[{}]", "2", "There is no item 2; the last one is 1."),
    ("x = []\ny = x[{}]", "0", "There is no item 0; the list is empty."),
    ("x = [1]\ny = x[{}]", "0.5", "A whole number is needed here, not 0.5."),
    ("x = [1]\ny = {}", "x[::0]", "A slice cannot have the step 0."),
    ("y = {}[0]", "3", "A plain number has no items."),
    ("x = (1, 2)\n{} = 3", "x[0]", "Items of a tuple cannot be set."),
    ("{} = [1, 2, 3]", "a, b", "There are 2 names here for 3 values."),
    ("{} = [1]", "a, b, *c", "There are 3 names here for 1 values."),
    ("{} = 3", "a, b", "A plain number has no items to go through."),
    ("{} = 3", "tanh", "tanh is built in."),
    ("{} = 3", "Value", "Value is built in."),
    ("for {} in [1]:\n    pass", "sum", "sum is built in."),
    ("y = {}", "tanh(1, 2)", "tanh takes 1 input, not 2."),
    ("y = {}", "Value(1.0).max()", "max takes 2 inputs, not 1."),
    ("y = {}", "tanh(1, x=2)", "tanh has no argument x here."),
    ("y = {}", "Value()", "Value takes 1 number, not 0."),
    ("y = {}", "Value('x')", "A number is needed here, not a text."),
    ("y = {}", "Value(1.0, label=2)", "A label is a text."),
    ("y = {}", "max()", "max needs something to compare."),
    ("y = {}", "max([1, 2], key=3)", "max has no argument key here."),
    ("y = {}", "round(2.5, ndigits=1)", "round has no argument ndigits here."),
    ("y = {}", "random.uniform(1)", "This takes 2 numbers, not 1."),
    ("{}", "random.seed([1])", "A number is needed here, not a list."),
    ("y = {}", "random.randint(0.5, 1)", "A whole number is needed here, not 0.5."),
    ("y = {}", "int(math.nan)", "nan has no whole part."),
    ("y = {}", "math.floor(2.5)", "math has no function floor here."),
    ("y = {}", "torch.optim", "torch has no optim here."),
    ("y = {}(2)", "math", "math cannot be called."),
    ("a = Value(1.0)\ny = {}(2)", "a", "a is a Value, not a function."),
    ("a = [1]\ny = {}(2)", "a[0]", "a[0] is a plain number, not a function."),
    ("y = ({})(1)", "lambda x: x", "Only a name can be called."),
    ("y = {}", "Value(1.0).foo()", "A Value has no method foo here."),
    ("y = {}", "Value(1.0).foo", "A Value has no foo here."),
    ("x = Value(1.0)\n{} = 2", "x.foo", "A Value has no attribute foo to set."),
    ("x = 1\n{} = 2", "x.data", "This is a plain number; its data cannot be set."),
    ("x = Value(1.0)\n{} = 2", "x.label", "A label is a text."),
    ("x = Value(1.0)\n{}", "x.backward(2)", "A backward pass starts from the gradient 1"),
    ("def f(a):\n    return a\ny = {}", "f()", "f also needs a."),
    ("def f(a):\n    return a\ny = {}", "f(1, 2)", "f takes 1 arguments, not 2."),
    ("def f(a):\n    return a\ny = {}", "f(1, a=2)", "f has no free argument 'a'."),
    ("y = tanh({})", "*[1]", "Arguments with * are not part of this language."),
    ("def f(a):\n    return a\ny = {}", "f(**x)", None),
    ("{}", "def f(*a):\n    pass", "Parameters with * or / are not part of this language."),
    ("@{}\ndef f():\n    pass", "g", "A decorator is not part of this language."),
    ("{}", "class Dog:\n    pass", "A class of your own is not part of this language."),
    ("with {}:\n    pass", "open('x')", "Only `with torch.no_grad():` is known here."),
    ("{}", "assert 1 > 2", "This assertion does not hold."),
    ("{}", "return 3", "This stands outside of a loop or function."),
    ("{}", "break", "This stands outside of a loop or function."),
    ("import os\ny = {}", "os.getcwd()", "os.getcwd is not here: a program reaches no files"),
    ("from math import floor\ny = {}", "floor(2.5)", "floor (math.floor) is not here."),
    ("{}", "from math import flor", "math has no flor."),
    ("x = [1]\n{}", "x.append(1, 2)", "append takes 1 argument here."),
    ("x = Value(1.0)\n{}", "x.item(2)", "item takes no arguments here."),
    ("m = Neuron(2)\n{}", "m.parameters(recurse=True)", "parameters takes no arguments here."),
    ("y = [1 async for x in {}]", "[1]", "async is not part of this language."),
    ("print({})", "f'{1.5:d}'", None),
    ("y = {}", "'a' * 3000", "This text has more than 2,000 characters."),
    ("y = {}", "range(10**18, 10**19)[0]", None),
]  # fmt: skip


@pytest.mark.parametrize(("frame", "part", "message"), REFUSED)
def test_what_is_refused_is_named_and_marked(frame: str, part: str, message: str | None) -> None:
    for before in ("", "ü = 'é'; "):
        text = before + frame.format(part) if "\n" not in frame + part else frame.format(part)
        error = refusal(text)
        if message is not None:
            assert error.message.startswith(message)
            assert error.hint
            assert marked(text, error) == part


def test_a_break_in_a_function_does_not_end_the_caller_s_loop() -> None:
    text = "def f():\n    break\nfor i in range(3):\n    f()"
    assert refusal(text).message == "A break or continue in f stands outside of a loop."
