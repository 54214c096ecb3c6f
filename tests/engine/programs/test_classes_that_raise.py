"""Classes whose special methods raise or lie print what they print in CPython alone."""

from __future__ import annotations

import json

import pytest

from engine.program import ProgramError
from engine.sandbox.run import Budget
from engine.sandbox.sandbox import sandbox
from engine.trace.build import trace
from tests.support.each import for_each

PROGRAM = """\
{before}class V{bases}:
    def __init__(self, data, _children=()):
        self.data, self.grad, self._prev = data, 0.0, _children
    def __mul__(self, other):
        return V(self.data * other.data, (self, other))
{inside}
a, b = V(2.0), V(3.0)
c = a * b
c.grad = 1.0
a.grad += b.data * c.grad
held, under = [a, (b,)], {{1: c}}
{after}print(a.grad, c.data)
"""
RAISED = "raise ValueError('no')"
CLASS = "    __class__ = property(lambda self: print('asked') / 0)\n"
METHODS = (
    "__bool__ __call__ __class_getitem__ __contains__ __copy__ __del__ __dir__ __enter__ __eq__ "
    "__float__ __format__ __get__ __getattr__ __getattribute__ __getitem__ __hash__ __index__ "
    "__int__ __iter__ __len__ __lt__ __next__ __reduce_ex__ __repr__ __setattr__ __sizeof__ __str__"
)
OF_CLASSES = (
    "__bool__ __dir__ __getattr__ __getattribute__ __init__ __instancecheck__ __iter__ __len__ "
    "__or__ __prepare__ __repr__ __setattr__ __sizeof__ __subclasscheck__ mro"
)


def program(inside: str = "", before: str = "", bases: str = "", after: str = "") -> str:
    return PROGRAM.format(inside=inside, before=before, bases=bases, after=after)


def method(name: str, body: str = RAISED) -> str:
    return f"    def {name}(self, *args): {body}\n"


def of_metaclass(body: str) -> str:
    return program(before=f"class M(type):\n{body}", bases="(metaclass=M)")


PROGRAMS = {
    **{name: program(method(name)) for name in METHODS.split()},
    **{f"type.{name}": of_metaclass(method(name)) for name in OF_CLASSES.split()},
    "bool that never ends": program(method("__bool__", "\n        while True: pass")),
    "told reads": program(
        method("__getattribute__", "print(args); return object.__getattribute__(self, *args)")
    ),
    "all": program("".join(map(method, ("__eq__", "__hash__", "__len__", "__bool__")))),
    "__class__": program(CLASS),
    "__class__ of what is called": program(CLASS, after="a(1)\n"),
    "__class__ for math": program(CLASS, before="import math\n", after="math.exp(a)\n"),
    "another __class__": program("    __class__ = int"),
    "__dict__": program("    @property\n    def __dict__(self): 1 / 0"),
    "__slots__": program("    __slots__ = 'data', 'grad', '_prev'\n" + method("__getattribute__")),
    "names": of_metaclass("    __name__ = __dict__ = __mro__ = property(lambda self: 1 / 0)\n"),
    "__init_subclass__": program(method("__init_subclass__"), after="class W(V): pass\n"),
    "a list": program(
        before="class L(list):\n" + method("__iter__") + method("__len__") + method("__bool__"),
        after="a._prev = L([b])\nlisted = L([1.0])\n",
    ),
    "a dict": program(
        before="class D(dict):\n" + method("__iter__") + method("items") + method("__len__"),
        after="a.grads = D(x=a)\n",
    ),
    "a text": program(before="class S(str):\n" + method("__str__"), after="a.label = S('x')\n"),
    "a float": program(
        before="class F(float):\n" + method("__mul__") + method("__eq__") + method("__float__"),
        after="print(3.0 + F(2.0))\n",
    ),
    "str of an exception": f"class E(Exception):\n{method('__str__')}raise E(1)",
    "tuples in tuples": "t = ()\nfor _ in range(300_000): t = (t,)\nprint('made')",
}


@for_each("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_special_methods_raise_changes_nothing(text: str) -> None:
    alone = sandbox().run(text, export="execute", limits=Budget(seconds=30))
    raised = json.loads(alone.reply or "{}")["error"]
    try:
        printed, error = trace(text).printed, ""
    except ProgramError as failure:
        printed, error = failure.printed, failure.message
    assert "".join(f"{line}\n" for line in printed) == alone.text()
    assert error == (raised.splitlines()[-1] if raised else "")


@pytest.mark.parametrize("name", ["__eq__", "__hash__"])
def test_a_metaclass_that_compares_classes_is_refused_where_it_stands(name: str) -> None:
    with pytest.raises(ProgramError, match="compares or hashes classes") as caught:
        trace(of_metaclass(method(name)))
    assert caught.value.line == 1


@pytest.mark.parametrize(
    "body",
    ["    __name__ = property(lambda s: 1 / 0)\n", "    __class__ = 1\n"],
    ids=["name", "class"],
)
def test_an_exception_is_told_whatever_its_class_says(body: str) -> None:
    text = f"class M(type):\n{body}\nclass E(Exception, metaclass=M):\n{body}\nraise E(1)"
    with pytest.raises(ProgramError, match="E: 1"):
        trace(text)


def test_an_operation_with_more_text_than_a_record_holds_is_kept_as_its_result() -> None:
    text = "import torch\nprint(torch.einsum(','.join('i' * 1000) + '->', *[torch.ones(2)] * 1000))"
    assert trace(text).printed == ("tensor(2.)",)


def test_nesting_beyond_the_stack_is_said_in_a_sentence() -> None:
    text = "import sys\nsys.setrecursionlimit(10**6)\ndef f(): f()\nf()"
    with pytest.raises(ProgramError, match="nested too deeply for what runs it"):
        trace(text)
