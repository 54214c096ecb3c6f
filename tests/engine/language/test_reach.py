"""Nothing outside of the tables can be reached from a program."""

from __future__ import annotations

import builtins
import types
from collections.abc import Iterator
from typing import Any

import pytest

from engine.language.classes import LINEAGE, READABLE, SPECIAL
from engine.language.execution import execute
from engine.language.library import Missing
from engine.language.machine import Machine
from engine.language.origins import Number
from engine.language.refusal import Refused
from engine.language.snapshot import Snapshot
from engine.language.tape import Tape
from engine.program import Program, ProgramError
from engine.record.source import Limits, Source
from engine.value import Value
from tests.support.programs import finished, printed, refusal

HELD = {
    "a Value": "x = Value(1.0)",
    "a number": "x = 1.0",
    "an int": "x = 1",
    "an operation": "x = Value(1.0).tanh()",
    "a text": "y = ['t']\nx = y[0]",
    "bytes": "x = b't'",
    "a list": "x = [1.0, 2.0]",
    "a tuple": "x = (1.0, 2.0)",
    "a range": "x = range(3)",
    "a dict": "x = {'a': 1}",
    "a view of a dict": "x = {'a': 1}.items()",
    "a set": "x = {1}",
    "a slice": "x = slice(1)",
    "a set of args": "x = (Value(1.0) + 2)._prev",
    "None": "x = None",
    "the sign ...": "x = ...",
    "NotImplemented": "x = NotImplemented",
    "a truth value": "x = 1 < 2",
    "a function": "def x(a):\n    return a",
    "a lambda": "x = lambda a: a",
    "a cached function": "import functools\n@functools.lru_cache\ndef x(): pass",
    "a partial function": "import functools\nx = functools.partial(print, 1)",
    "a built-in function": "x = print",
    "an operation's function": "x = tanh",
    "a method of a list": "x = [].append",
    "a method of list": "x = list.append",
    "a backward function": "x = Value(1.0)._backward",
    "a neuron": "x = Neuron(2)",
    "a layer": "x = Layer(2, 2)",
    "a network": "x = MLP(2, [1])",
    "weights": "n = Neuron(2)\nx = n.w",
    "parameters": "n = Neuron(2)\nx = n.parameters()",
    "an object": "class A:\n    def __init__(self): self.v = 1\nx = A()",
    "a class": "class x:\n    def f(self): pass",
    "a method": "class A:\n    def f(self): pass\nx = A().f",
    "a function of a class": "class A:\n    def f(self): pass\nx = A.f",
    "an object's __init__": "class A:\n    def __init__(self): pass\nx = A().__init__",
    "a Value of a class": "class V(Value): pass\nx = V(1.0)",
    "a neuron of a class": "class N(Neuron): pass\nx = N(2)",
    "a network of a class": "class N(Module):\n    def __init__(self): self.a = 1\nx = N()",
    "a list of a class": "class L(list): pass\nx = L([1])",
    "super": "class A:\n    def f(self):\n        global x\n        x = super()\nA().f()",
    "a property": "x = property(lambda s: 1)",
    "a static method": "x = staticmethod(len)",
    "the type of an object": "class A: pass\nx = type(A())",
    "the type of a class": "class A: pass\nx = type(A)",
    "the type of types": "x = type(int)",
    "the type of a function": "x = type(print)",
    "the type of a method": "x = type([].append)",
    "the type of a generator": "x = type(i for i in [])",
    "the type of a module": "import math\nx = type(math)",
    "the type of a Value": "x = type(Value(1.0))",
    "a type": "x = int",
    "a union": "x = int | str",
    "object": "x = object()",
    "a generator": "def g():\n    yield 1\nx = g()",
    "a generator expression": "x = (i for i in range(3))",
    "an iterator": "x = iter([1])",
    "a map": "x = map(len, ['a'])",
    "an exception": (
        "def f():\n    1 / 0\ntry:\n    f()\nexcept ZeroDivisionError as e:\n    x = e"
    ),
    "an exception of a class": "class E(Exception): pass\nx = E('a')",
    "an exception's class": "x = ValueError",
    "a data class": "import dataclasses as d\n@d.dataclass\nclass A:\n  a: int = 1\nx = A()",
    "an enumeration": "from enum import Enum\nclass x(Enum):\n    a = 1",
    "a member": "from enum import Enum\nclass A(Enum):\n    a = 1\nx = A.a",
    "a named tuple": "from collections import namedtuple\nP = namedtuple('P', 'a b')\nx = P(1, 2)",
    "a deque": "from collections import deque\nx = deque([1])",
    "a default dict": "from collections import defaultdict\nx = defaultdict(list)",
    "a module": "import math as x",
    "a module of random numbers": "import random as x",
    "a generator of random numbers": "import random\nx = random.Random(1)",
    "an imported function": "from math import tanh as x",
    "an imported class": "from engine import Value as x",
    "a dtype": "x = torch.float64",
    "a tensor": "x = torch.tensor([1.0, 2.0])",
    "an array": "import numpy as np\nx = np.array([1.0])",
    "a linear layer": "x = torch.nn.Linear(2, 1)",
    "a context": "x = torch.no_grad()",
    "a module that is not here": "import os\nx = os",
    "a drawing": "import matplotlib.pyplot as x",
    "what drawing gives": "x = draw_dot(Value(1.0))",
}
KINDS: list[object] = [
    object, type, int, float, str, list, tuple, range, bool, Value, Number, type(lambda: None),
    type(types), BaseException, type(iter([])), type(_ for _ in ()), type("".join), types.CodeType,
    types.FrameType, types.TracebackType, types.CellType, types.MethodType, property, Machine, Tape,
]  # fmt: skip
NAMES = sorted({name for kind in KINDS for name in dir(kind)} | {"__globals__", "__wrapped__"})
KNOWN = SPECIAL | READABLE | LINEAGE
INSIDE = [name for name in NAMES if name.startswith("__") and name not in KNOWN]
"""Names with which programs of the kind that breaks out begin."""
FRAMES = ["f_globals", "f_back", "gi_frame", "gi_code", "tb_frame", "cr_frame", "ag_frame", "mro"]
PLAIN = [
    "op", "origin", "hook", "strict", "forward_", "node", "env", "params", "rng", "scope", "serial",
    "owner", "leaf", "machine", "tape", "_seegrad_serial", "_seegrad_plain",
]  # fmt: skip
OURS = (
    types.ModuleType, types.CodeType, types.FrameType, types.TracebackType, types.CellType,
    types.MappingProxyType, types.GetSetDescriptorType, types.MemberDescriptorType, Machine, Tape,
    Source, Limits, Program,
)  # fmt: skip
"""Types of which no program may hold an object."""


def is_ours(m: Machine, found: Any) -> bool:
    if isinstance(found, dict) and (found is m.globals or found is vars(builtins)):
        return True
    return isinstance(found, OURS) or found is type or isinstance(found, type(m.own))


def attributes(m: Machine, held: Any) -> Iterator[tuple[str, Any]]:
    """What a program reads from `held`, by every name that it or any of KINDS has."""
    for name in sorted({*NAMES, *FRAMES, *PLAIN, *dir(held), *dir(type(held))}):
        try:
            found = m.get_attribute(held, name)
        except (AttributeError, TypeError, Refused):
            continue
        yield name, found


@pytest.mark.parametrize("setup", HELD.values(), ids=HELD)
def test_whatever_can_be_read_is_of_the_program(setup: str) -> None:
    run = finished(setup)
    for name, found in attributes(run, run.globals["x"]):
        assert name in KNOWN or not name.startswith("__"), name
        assert not is_ours(run, found), name
        if type(found) is not Missing:
            for inner, deep in attributes(run, found):
                assert not is_ours(run, deep), (name, inner)


@pytest.mark.parametrize("setup", HELD.values(), ids=HELD)
def test_no_attribute_outside_of_the_tables_can_be_reached(setup: str) -> None:
    for name in INSIDE:
        uses = [f"x.{name}", f"x.{name} = 1", f"del x.{name}", f"getattr(x, '{name}')"]
        for use in uses[name == "__dict__" :]:
            refusal(f"{setup}\n{use}")


@pytest.mark.parametrize("setup", HELD.values(), ids=HELD)
def test_a_dict_of_attributes_holds_what_the_program_could_read(setup: str) -> None:
    m = Machine(Source(f"{setup}\ny = x.__dict__\n", Limits()), Limits(), {})
    try:
        execute(m)
    except ProgramError:
        return
    assert type(m.globals["y"]) is Snapshot
    assert m.globals["y"] is not vars(m.globals["x"])
    for name, found in m.globals["y"].items():
        assert not is_ours(m, found), name
        assert m.get_attribute(m.globals["x"], name) == found


@pytest.mark.parametrize("name", sorted(READABLE))
def test_what_an_exception_holds_is_read_alone(name: str) -> None:
    refusal(f"x = ValueError()\nx.{name} = 1")
    refusal(f"x = ValueError()\ndel x.{name}")
    refusal(f"x = [1]\nx.{name}")


@pytest.mark.parametrize("name", sorted(LINEAGE))
def test_what_a_class_derives_from_is_read_alone(name: str) -> None:
    for setup in ("class A: pass", "class A(int): pass", "class A(Value): pass"):
        refusal(f"{setup}\nA.{name} = 1")
        refusal(f"{setup}\ndel A.{name}")
        refusal(f"{setup}\nA().{name}")
        refusal(f"{setup}\nsetattr(A, '{name}', 1)")
    for other in ("int", "object", "Value", "MLP", "[1]", "type", "ValueError", "print"):
        refusal(f"{other}.{name}")
    refusal(f"class A:\n    {name} = 1")
    assert printed("class A: pass\nclass B(A): pass\nprint(B.__mro__, B.mro()[0])") == [
        "(<class '__main__.B'>, <class '__main__.A'>, <class 'object'>) <class '__main__.B'>"
    ]


def test_the_class_of_self_reaches_no_further() -> None:
    for read in (
        "self.__class__.__subclasses__()", "setattr(self, '__class__', 1)", "other.__class__",
        "x.__class__", "getattr(self, '__class__')", "self.__class__ = 1", "del self.__class__",
        "[self.__class__ for self in [1]]", "(lambda self: self.__class__)(1)",
        "self.__class__.__class__",
    ):  # fmt: skip
        refusal(f"class A:\n    def f(self, other, x=1):\n        {read}\nA().f(A())")
    for text in ("def f(self): return self.__class__\nf(1)", "self = 1\nself.__class__"):
        refusal(text)
    refusal("class A:\n    def f(self): return self.__class__\nA.f(1)")
    refusal("class A:\n    @classmethod\n    def f(cls): return cls.__class__\nA.f()")


@pytest.mark.parametrize("name", ["__class__", "__closure__", "__globals__", "__subclasses__"])
@pytest.mark.parametrize(
    "use",
    [
        "setattr(x, '{}', 1)", "delattr(x, '{}')", "hasattr(x, '{}') and 1/0",
        "f'{{x.{}}}'", "'{{0.{}}}'.format(x)", "'{{x.{}}}'.format_map({{'x': x}})",
        "import operator\noperator.attrgetter('{}')(x)",
        "import operator\noperator.methodcaller('{}')(x)",
        "match x:\n    case object({}=y): 1/0\n    case _: 1/0",
        "(lambda x: x.{})(x)", "[x.{} for x in [x]]", "super().{}", "object.{}", "type(x).{}",
        "Value.{}", "len.{}", "x.f.{}",
    ],
)  # fmt: skip
def test_no_way_of_reading_reaches_further(use: str, name: str) -> None:
    refusal(f"class A:\n    def f(self): pass\nx = A()\n{use.format(name)}")


@pytest.mark.parametrize("name", INSIDE)
def test_a_class_defines_no_reserved_name(name: str) -> None:
    for body in (f"def {name}(self, *a): return 1", f"{name} = 1", f"{name}: int = 1"):
        refusal(f"class A:\n    {body}\nA()")


@pytest.mark.parametrize(
    "use",
    [
        "setattr(x, '__dict__', 1)", "delattr(x, '__dict__')", "hasattr(x, '__dict__') and 1/0",
        "'{0.__dict__}'.format(x)", "'{x.__dict__}'.format_map({'x': x})",
        "import operator\noperator.attrgetter('__dict__')(x)",
        "match x:\n    case object(__dict__=y): 1/0\n    case _: 1/0",
        "super().__dict__", "object.__dict__", "Value.__dict__", "len.__dict__", "x.f.__dict__",
        "x.__dict__ = {}", "del x.__dict__", "x.__dict__ |= {}", "x.__dict__['__class__'] = 1",
        "x.__dict__.update(_seegrad_serial=1)", "x.__dict__.__dict__",
    ],
)  # fmt: skip
def test_a_dict_of_attributes_is_read_by_that_expression_alone(use: str) -> None:
    refusal(f"class A:\n    def f(self): pass\nx = A()\n{use}")


def test_what_drawing_gives_stays_a_drawing() -> None:
    setup = "import matplotlib.pyplot as x\n"
    for name in ("savefig", "op", "gcf", "f_globals"):
        held = finished(f"{setup}y = x.{name}\nz = y().q(1)").globals
        assert not isinstance(held["z"], OURS)
    assert printed(f"{setup}print(x.savefig('/etc/passwd'))") == ["<savefig>"]


ELSEWHERE = [
    "eval", "exec", "compile", "open", "locals", "input", "memoryview",
    "__import__", "breakpoint", "exit", "quit", "help",
]  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_functions_of_python_that_reach_out_are_refused_when_called(name: str) -> None:
    for call in (f"{name}('1')", f"f = {name}\nf('1')", f"list(map({name}, ['1']))"):
        error = refusal(call)
        assert error.message == f"{name} is not known here."
        assert error.hint
    (held,) = finished(f"x = [{name}]").globals["x"]
    assert held is not getattr(builtins, name, None)


@pytest.mark.parametrize(
    "name", ["__builtins__", "__build_class__", "__loader__", "__spec__", "__file__", "os", "sys",
             "subprocess", "self", "copyright"],
)  # fmt: skip
def test_names_of_python_outside_of_the_tables_are_unknown(name: str) -> None:
    for text in (f"x = {name}", f"{name}('1')", f"{name}", f"x = [{name}]", f"print({name})"):
        error = refusal(text)
        assert name in error.message


@pytest.mark.parametrize("call", ["type('A', (), {})", "type('A', (object,), {'a': 1})"])
def test_no_class_is_made_by_a_call(call: str) -> None:
    assert refusal(call).message == "type takes one argument here."
    refusal(f"class A: pass\ntype(A){call.removeprefix('type')}")


@pytest.mark.parametrize(
    "module", ["subprocess", "builtins", "importlib.util", "ctypes", "pickle", "math.os", "socket"]
)
def test_nothing_of_other_modules_can_be_used(module: str) -> None:
    for imported in (
        f"import {module} as m",
        f"import {module} as math",
        f"from {module} import m",
    ):
        name = "math" if imported.endswith("math") else "m"
        for use in (
            "{}.system('id')",
            "print({}.x.y)",
            "{}()",
            "{}.x = 1",
            "{}.x + 1",
            "for i in {}: pass",
            "with {}.x: pass",
            "@{}.x\ndef f(): pass",
            "class A({}.x): pass",
            "f'{{{}.x}}'",
            "{}[0]",
            "if {}.x: pass",
            "list(map({}.x, [1]))",
        ):
            refusal(f"{imported}\n{use.format(name)}")
        assert type(finished(imported).globals[name]) is Missing
    held = finished(f"import {module}\nfrom {module} import y as x").globals
    assert {type(x) for x in held.values()} <= {
        Missing,
        type(finished("import math").globals["math"]),
    }


def test_formats_reach_nothing() -> None:
    for text in (
        "x = 1\nprint(f'{x.__class__}')",
        "x = Value(1.0)\nprint(f'{x.op}')",
        "x = 1\nprint(f'{x:{x.op}}')",
        "print('{0.__class__}'.format(1))",
        "print('{0[__class__]}'.format(1))",
        "print('{.__init__.__globals__}'.format(print))",
        "print('%(a.b)s' % 1)",
    ):
        refusal(text)


def test_runs_share_nothing() -> None:
    left = (
        "class A: pass\nA.__annotations__['left'] = 1\nValue.left = 1\nNeuron.left = 1\n"
        "import math\nimport random\nrandom.seed(7)\nprint.left = 1"
    )
    with pytest.raises(Exception, match="left"):
        finished(left)
    for line in ("A.__annotations__['left'] = 1", "Value.left = 1", "Neuron.left = 1"):
        finished(f"class A: pass\n{line}")
    assert printed("class A: pass\nprint(A.__annotations__, hasattr(Value, 'left'))") == [
        "{} False"
    ]
    refusal("Value(1.0).left")
    refusal("Neuron(2).left")
    text = "class A: pass\nprint(A(), hash(A()), id(A()), {A(), A()})"
    assert printed(text) == printed(text)


@pytest.mark.parametrize(
    "use",
    [
        "v = V(1.0)\nv.op = 'x'", "v = V(1.0)\nv.args = (v,)", "v = V(1.0)\nv.origin = 1",
        "n = N(2)\nn.hook = print", "n = N(2)\nn.strict = 1", "n = N(2)\nn.w = iter(int, 1)",
        "n = N(2)\nn.w = (i for i in [1])", "Value.__add__ = print", "Value.__init__ = print",
        "n = Neuron(2)\nn.w = [1]", "m = MLP(2, [1])\nm.layers = []", "int.a = 1", "str.upper = 1",
    ],
)  # fmt: skip
def test_the_engine_s_own_attributes_cannot_be_set(use: str) -> None:
    refusal(f"class V(Value): pass\nclass N(Neuron): pass\n{use}")


@pytest.mark.parametrize(
    "special", ["__getattr__", "data", "grad", "label", "__str__", "__repr__", "__eq__", "__hash__"]
)
@pytest.mark.parametrize("body", ["raise KeyError('k')", "return self", "1 / 0"])
def test_the_engine_runs_no_code_of_an_object_that_the_program_does_not_ask_for(
    special: str, body: str
) -> None:
    head = "    @property\n" if not special.startswith("__") else ""
    star = "" if head else ", *a"
    method = f"{head}    def {special}(self{star}):\n        {body}"
    text = f"class A:\n{method}\na = A()\nb = Value(2.0) * 3"
    assert Program(text).run().output is not None
