"""Programs that were written to break in, to never end or to fall over; labels that are code.

`tests/data/hostile-programs.jsonl`: `program` is a text, or pieces of text with how often each
stands there; `right` holds the answers that are right: "refuse", a trace with a "warn"ing, "ok".
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.language.functions import BUILTINS
from engine.language.machine import LIST_LENGTH, NOTES, TEXT_LENGTH
from engine.language.objects import LABEL_LENGTH
from engine.language.program import Limits, Program, ProgramError
from engine.language.source import printable
from engine.language.tape import Number
from engine.trace.build import trace
from engine.trace.transcript import transcript
from engine.value import Value
from tests.support.places import DATA
from tests.support.programs import check_place, finished, marked, printed, refusal


def lines(name: str) -> list[dict[str, Any]]:
    """The cases of a file."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def text_of(case: dict[str, Any]) -> str:
    """The program of a case."""
    program = case["program"]
    return program if isinstance(program, str) else "".join(part * n for part, n in program)


CASES = [
    pytest.param(text_of(case), case["right"], id=case["id"])
    for case in lines("hostile-programs.jsonl")
]
LABELS = [pytest.param(case["text"], id=case["id"]) for case in lines("hostile-labels.jsonl")]


def answer(text: str) -> str:
    """What becomes of a program; anything but a trace or a ProgramError fails the test."""
    try:
        found = trace(text)
    except ProgramError as error:
        check_place(error, text)
        return "refuse"
    json.dumps(found.to_json(), allow_nan=False).encode()
    assert transcript(found)
    return "warn" if found.warnings else "ok"


@pytest.mark.parametrize(("text", "right"), CASES)
def test_a_hostile_program_gets_the_right_answer(text: str, right: list[str]) -> None:
    assert answer(text) in right


def test_no_case_is_lost() -> None:
    assert len(CASES) == 147
    assert len(LABELS) == 43


# Places and answers that the cases ask for beside

PLACES = [
    ("ESC30", 1, 1),
    ("ESC01", 1, 1),
    ("BOMB06", 1, 3),
    ("PARSE29", 1, 4),
    ("UNI02", 1, 4),
    ("UNI04", 1, 2),
    ("UNI05", 1, 9),
    ("UNI13", 1, 3),
]


@pytest.mark.parametrize(("name", "line", "column"), PLACES, ids=[place[0] for place in PLACES])
def test_the_place_is_pointed_at(name: str, line: int, column: int) -> None:
    (case,) = (case for case in lines("hostile-programs.jsonl") if case["id"] == name)
    error = refusal(text_of(case))
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("a=1/0", math.inf),
        ("a=-1/0", -math.inf),
        ("a=1/(-0.0)", -math.inf),
        ("a=0/0", math.nan),
        ("a=0.0**-1", math.inf),
        ("a=(-8)**(1/3)", math.nan),
        ("a=9**9**9", math.inf),
        ("a=2**1e308", math.inf),
        ("a=exp(710)", math.inf),
        ("a=sqrt(-1)", math.nan),
        ("a=sin(exp(1000))", math.nan),
        ("a=relu(log(-1))", math.nan),
        ("a=1e308*10-1e308*10", math.nan),
        ("a=1_0e1_0*1", 1e11),
        ("a=sigmoid(-1000)", 0.0),
        ("a=tanh(1e308)", 1.0),
        ("a=9007199254740993", 2.0**53),
    ],
)
def test_numbers_beyond_floats_are_those_of_ieee_754(text: str, right: float) -> None:
    assert repr(finished(text).env.names["a"].data) == repr(right)


def test_sixty_doublings_have_sixty_one_nodes_and_an_exact_gradient() -> None:
    found = trace("x=1.0\n" + "x=x+x\n" * 60)
    assert len(found.nodes) == 61
    assert found.nodes[0].grad == 2.0**60


# Work without an end, memory without a bound

ENDLESS = {
    "unpacking a long range": "a, b = range(1000000000)",
    "unpacking in a loop": "for a, b in [range(1000000000)]:\n    pass",
    "unpacking into a star": "a, *b = range(1000000000)",
    "comparing deep lists": "a = b = [0]\nfor i in range(60): a = [a, a]; b = [b, b]\nc = a == b",
    "a wide tuple of sizes": "m = MLP(3, (100000, 100000))",
    "a range of sizes": "m = MLP(3, range(1, 10000000))",
    "a huge layer": "n = 10000000\nm = Layer(1, n)",
    "many networks": "for i in range(30000):\n    m = MLP(100, [99])",
    "lists by *": "xs = []\nfor i in range(25000):\n    xs.append([0] * 20000)",
    "lists by slices": "xs = []\nz = [0] * 20000\nfor i in range(20000):\n    xs.append(z[:])",
    "long texts": f"s = '{'x' * 8000}'\nxs = [s] * 20000\nprint([xs] * 10)",
    "texts of a network": "m = MLP(1, [3000, 1])\nfor i in range(60000):\n    str(m)",
    "texts by *": "s = 'ab' * 100000000",
    "texts by +": "s = 'ab'\nfor i in range(100):\n    s = s + s",
    "loops in loops": "for i in range(10**6):\n    for j in range(10**6):\n        pass",
    "a comprehension": "x = [0 for i in range(10**9)]",
    "comprehensions in one": "x = [0 for i in range(10**5) for j in range(10**5) if i > j]",
    "a sum": "x = sum(range(10**9))",
    "a zip": "x = zip(range(10**9), range(10**9))",
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "recursion twice": "def f(n):\n    return f(n - 1) + f(n - 1) if n > 0 else 1\ny = f(24)",
    "printing": "for i in range(1000):\n    print(i)",
    "printing many lines at once": "print('\\n' * 1900)",
    "a network in itself": "m = MLP(2, [2])\nm.layers.append(m)\ny = m([1, 2])",
    "classes in a loop": (
        "for i in range(60000):\n  class Neuron:\n    def __init__(self):\n"
        f"      x = [{'1,' * 5000}]"
    ),
    "defaults in a loop": (
        f"def f({','.join(f'a{i}=0' for i in range(1000))}):\n  return 1\n"
        "for i in range(60000): f()"
    ),
    "many named arguments": f"def f(a): return a\nf({','.join(f'a{i}=0' for i in range(101))})",
    "many arguments of a method": f"x = Value(1.0)\nx.tanh({'1,' * 101})",
    "a wide zip": f"x = range(20000)\nz = zip({'x,' * 100})",
    "long seeds": f"for i in range(50000):\n  random.seed('{'x' * 8000}')",
    "long texts by a format": f"s = '{'x' * 1900}'\nfor i in range(60000): f'{{s:s}}' == 1",
    "options of a network": "a = [0]\nfor i in range(60): a = [a, a]\nNeuron(2, activation=a)",
    "numbers without an end": f"x = []\nx.append({'9' * 308})\nx.append(sum(x + x))",
    "a list in itself": "a = [1]\na.append(a)\nb = [1]\nb.append(b)\nc = a == b",
}  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_work_without_an_end_is_stopped(text: str) -> None:
    refusal(text)


def test_nothing_can_be_repeated_any_number_of_times() -> None:
    assert printed(f"print([] * {10**25}, [''*{10**25}], [1] * -{10**25})") == ["[] [''] []"]


def test_a_call_that_is_passed_over_is_named_and_not_written_out() -> None:
    notes = finished(f"for i in range(9): show([{'1,' * 7000}]).x()").notes
    assert [note.message.split(" is ")[0] for note in notes] == ["show(…)", "show(…).x(…)"]
    (note,) = finished("plt.a.show([1, 2])").notes
    assert note.message.startswith("plt.a.show(…) is passed over")


def test_a_text_is_made_printable_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str) -> str:
        calls.append(text)
        return text

    monkeypatch.setattr("engine.language.source.printable", counted)
    finished("for i in range(50):\n    s = 'long'")
    assert calls == ["long"]


@pytest.mark.parametrize("error", [OverflowError, ValueError, MemoryError, ZeroDivisionError])
def test_an_error_of_python_is_refused_at_its_statement(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise error

    monkeypatch.setitem(BUILTINS, "len", broken)
    caught = refusal("a = 1\nb = len([])")
    assert caught.message == "This cannot be computed here."
    assert caught.line == 2


def test_separators_of_print_are_cut_and_counted() -> None:
    text = "a = [0]\nfor i in range(60):\n    a = [a, a]\nprint(1, 2, sep=a)"
    assert len(printed(text)[0]) < 100


def test_notes_are_few() -> None:
    text = "for i in range(2000):\n    torch.Tensor([0.1 * i])"
    assert len(trace(text).notes) <= NOTES + 5


def test_the_budget_counts_the_work() -> None:
    text = "x = 1.0\nfor i in range({}):\n    x = x * 2 + 1"
    used = []
    for turns in (100, 200):
        run = finished(text.format(turns))
        used.append(Limits().operations - run.tape.left)
    assert used[0] > 100
    assert used[1] == pytest.approx(2 * used[0], rel=0.05)
    few = Limits(operations=used[0] - 1)
    with pytest.raises(ProgramError, match=f"needs more than {used[0] - 1:,} operations"):
        Program(text.format(100), few).run()
    Program(text.format(100), Limits(operations=used[0])).run()


def test_a_graph_larger_than_can_be_drawn_is_refused() -> None:
    text = "x = 1.0\nfor i in range(20):\n    x = x * x"
    assert len(Program(text, Limits(values=21)).run().backward.order) == 21
    with pytest.raises(ProgramError, match=r"The graph has 21 Values; at most 20 are drawn\."):
        Program(text, Limits(values=20)).run()


def test_a_line_is_cut() -> None:
    (line,) = printed("print([1.5] * 5000)")
    assert len(line) == TEXT_LENGTH + 1
    assert line.endswith("…")


def test_lists_have_an_end() -> None:
    assert len(finished(f"x = [0] * {LIST_LENGTH}").env.names["x"]) == LIST_LENGTH
    longer = f"x = [0] * {LIST_LENGTH + 1}"
    assert marked(longer, refusal(longer)) == longer[4:]


# What could be reached from a program

HELD = {
    "a Value": "x = Value(1.0)",
    "a number": "x = 1.0",
    "an operation": "x = Value(1.0).tanh()",
    "a text": "y = ['t']\nx = y[0]",
    "a list": "x = [1.0, 2.0]",
    "a tuple": "x = (1.0, 2.0)",
    "a range": "x = range(3)",
    "a set of args": "x = (Value(1.0) + 2)._prev",
    "None": "x = None",
    "a truth value": "x = 1 < 2",
    "a function": "def x(a):\n    return a",
    "a lambda": "x = lambda a: a",
    "a neuron": "x = Neuron(2)",
    "a layer": "x = Layer(2, 2)",
    "a network": "x = MLP(2, [1])",
    "weights": "n = Neuron(2)\nx = n.w",
    "parameters": "n = Neuron(2)\nx = n.parameters()",
    "a module": "import math as x",
    "a module of random numbers": "import random as x",
    "a drawing": "import matplotlib.pyplot as x",
    "what drawing gives": "x = draw_dot(Value(1.0))",
}
KINDS: list[object] = [
    object, type, int, float, str, list, tuple, range, bool, Value, Number, type(lambda: None),
    type(math), BaseException, type(iter([])), type(_ for _ in ()), type("".join),
]  # fmt: skip
INSIDE = sorted({name for kind in KINDS for name in dir(kind) if name.startswith("_")})
PLAIN = ("op", "origin", "hook", "forward_", "name", "activation", "node", "env", "params", "rng")


@pytest.mark.parametrize("setup", HELD.values(), ids=HELD)
def test_no_attribute_outside_of_the_tables_can_be_reached(setup: str) -> None:
    reached = {"_prev", "_op", "_backward"}
    drawing = "draw" in setup or "pyplot" in setup
    for name in [*INSIDE, *PLAIN]:
        if name in reached or drawing:
            continue
        for use in (f"x.{name}", f"x.{name}()", f"y = x.{name}", f"x.{name} = 1"):
            refusal(f"{setup}\n{use}")


def test_what_drawing_gives_stays_a_drawing() -> None:
    setup = "import matplotlib.pyplot as x\n"
    for name in INSIDE:
        held = finished(f"{setup}y = x.{name}.z\ny.q(1).r = 2\nz = y()").env.names
        assert held["y"] is held["z"] is held["x"] or type(held["y"]).__name__ == "Drawing"
    for use in ("y = x + 1", "y = x < 1", "y = -x", "y = x[0]", "for i in x: pass", "y = len(x)"):
        refusal(f"{setup}{use}")


@pytest.mark.parametrize(
    "name",
    [
        "eval", "exec", "compile", "open", "globals", "locals", "getattr", "setattr", "delattr",
        "vars", "dir", "input", "type", "object", "super", "isinstance", "id", "memoryview",
        "__import__", "__builtins__", "__build_class__", "__loader__", "breakpoint", "exit", "quit",
        "os", "sys", "subprocess", "self", "classmethod", "property", "iter", "next", "hash",
    ],
)  # fmt: skip
def test_names_of_python_outside_of_the_tables_are_unknown(name: str) -> None:
    for text in (f"x = {name}", f"{name}('1')", f"{name}", f"x = [{name}]", f"print({name})"):
        error = refusal(text)
        assert name in error.message


@pytest.mark.parametrize(
    "module", ["os", "sys", "subprocess", "builtins", "importlib", "ctypes", "pickle", "math.os"]
)
def test_nothing_of_other_modules_can_be_used(module: str) -> None:
    for imported in (
        f"import {module} as m",
        f"import {module} as math",
        f"from {module} import m",
    ):
        name = "math" if imported.endswith("math") else "m"
        for use in (
            "{}",
            "{}.x",
            "{}.system('id')",
            "y = [{}]",
            "print({}.x.y)",
            "{}()",
            "{}.x = 1",
        ):
            assert " not here" in refusal(f"{imported}\n{use.format(name)}").message
    held = finished(f"import {module}\nfrom {module} import *\nfrom {module} import y as x").env
    assert not held.names


def test_formats_reach_nothing() -> None:
    for text in (
        "x = 1\nprint(f'{x.__class__}')",
        "x = Value(1.0)\nprint(f'{x.op}')",
        "x = 1\nprint(f'{x:{x.real}}')",
        "print('{0.__class__}'.format(1))",
        "print('%s' % 1)",
    ):
        refusal(text)


# Random texts and mutated programs

GOOD = """
a = 2; b = -3; L = (a*b + 10) * -2
===
x = Value(2.0, label='x')
y = (x * 3).tanh()
y.backward()
print(f'{x.grad:.4f}', x._prev, y._op)
===
def f(x, k=2):
    return x ** k
for i, j in zip(range(3), 'abc'):
    y = f(Value(i), k=3)
print(y, j, end='')
===
m = MLP(2, [2, 1])
xs = [[1.0, 2.0], [0.5, -1.0]]
loss = sum((m(x) - 1)**2 for x in xs)
loss.backward()
for p in m.parameters():
    p.data -= 0.1 * p.grad
===
import random
random.seed(1)
a, *b = [random.uniform(-1, 1) for _ in range(3)]
c = max(b) % 2
===
class Value:
    def __repr__(self):
        return f"V({self.data})"
print(Value(1.0), sep='|')
===
xs = [1.0, 2.0]
xs[0] += xs[-1]
z = xs[::-1] + 2 * [3]
if z[0] > 1 and not z[1] < 0:
    w = z[0] if z[1] == 2 else abs(z[-1])
===
import torch
import torch.nn.functional as F
x = torch.tensor([2.0], requires_grad=True)
with torch.no_grad():
    y = F.relu(x) + math.pi
g = list(map(tanh, [y, 0.5]))
""".strip().split("\n===\n")
TOKENS = (
    *"()[]{}:;,.=+-*/%@&|^~<>!'\"#\\ \n\t", "**", "//", "==", "!=", ":=", "->", "...", "f'", "{x}",
    "0", "1", "2.5", "1e999", "9" * 320, "x", "y", "_", "__class__", "Value", "MLP", "print", "sum",
    "for ", "in ", "if ", "else ", "def ", "return ", "lambda ", "class ", "import ", "from ",
    "not ", "and ", "is ", "del ", "None", "True", "\n    ", "é", "×", "\u200b", "\ud800", "\x00",
    "random.", "math.", ".data", ".grad", ".backward()", "range(9)", "label=", "*", "inf", "nan",
)  # fmt: skip

mutations = st.lists(
    st.tuples(
        st.sampled_from(["put", "cut", "swap"]), st.integers(0, 400), st.sampled_from(TOKENS)
    ),
    min_size=1,
    max_size=6,
)


def mutated(text: str, changes: list[tuple[str, int, str]]) -> str:
    """A program with pieces put in, cut out or put in place of others."""
    for change, place, token in changes:
        at = place % (len(text) + 1)
        end = at if change == "put" else at + 1 + place % 5
        text = text[:at] + ("" if change == "cut" else token) + text[end:]
    return text


@given(st.text())
@example("\ufeffa = 1")
@example("f'''\n{x!r:\n>{y}}'''")
@example("a = 1\\")
@example("\\\n")
@example("\tif 1:\n x")
def test_any_text_is_drawn_or_refused(text: str) -> None:
    answer(text)


@given(st.lists(st.sampled_from(TOKENS), max_size=30).map("".join))
def test_any_tokens_are_drawn_or_refused(text: str) -> None:
    answer(text)


@given(st.sampled_from(GOOD), mutations)
def test_any_mutated_program_is_drawn_or_refused(
    text: str, changes: list[tuple[str, int, str]]
) -> None:
    answer(mutated(text, changes))


@pytest.mark.parametrize("text", GOOD)
def test_the_programs_before_mutation_run(text: str) -> None:
    assert answer(text) == "ok"


# Labels are text


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_text_and_nothing_else(label: str) -> None:
    text = f"a = Value(2.0, label={label!a})\nb = a * 3\nb.label = {'b' + label!a}"
    found = trace(text)
    shown = printable(label) if label else "a"
    assert [n.label for n in found.nodes] == [shown, "", printable("b" + label)]
    written = json.loads(json.dumps(found.to_json()))
    assert written["nodes"][0]["label"] == shown
    words = " ".join(line.text for line in transcript(found))
    assert f"{shown} = 2.0" in words


@pytest.mark.parametrize("length", [1, LABEL_LENGTH, LABEL_LENGTH + 1, 5000])
def test_a_label_is_cut_at_64_characters(length: int) -> None:
    name = "x" * length
    found = trace(f"a = Value(2.0, label='{name}')\nb = a * 3\nb.label = '{name}'")
    assert LABEL_LENGTH == 64
    assert found.nodes[0].label == found.nodes[-1].label == name[:64]


@given(st.text(st.characters(), max_size=80))
def test_any_label_can_be_sent_anywhere(label: str) -> None:
    found = trace(f"a = Value(2.0, label={label!a})\nb = a * 3")
    sent = json.dumps(found.to_json(), ensure_ascii=False).encode("utf-8")
    shown = json.loads(sent)["nodes"][0]["label"]
    assert shown == (printable(label[:64]) or "a")
    assert not any(ord(c) < 32 and c not in "\t\n\r" for c in shown)
