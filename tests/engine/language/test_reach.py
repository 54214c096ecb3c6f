"""Nothing outside of the tables can be reached from a program."""

from __future__ import annotations

import math

import pytest

from engine.language.tape import Number
from engine.value import Value
from tests.support.programs import finished, refusal

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
    "an imported function": "from math import tanh as x",
    "an imported class": "from engine import Value as x",
    "a dtype": "x = torch.float64",
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
