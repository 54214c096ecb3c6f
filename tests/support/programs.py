"""Programs for tests: functions that run them, and random programs."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Mapping
from typing import Any

import mpmath
import pytest
from hypothesis import strategies as st

from engine.program import Limits, Program, ProgramError
from engine.record.follow import FOLLOWED
from engine.record.objects import is_object
from engine.record.recorder import Recorder
from engine.record.session import RecordingSession, Wanted
from engine.record.source import Source
from engine.recording import parsed
from engine.tensors.tensor_array import TensorArray
from engine.trace.build import trace
from engine.trace.model import Node
from engine.trace.traced import Trace
from engine.value import Value


def node(of: Trace, label: str) -> Node:
    """The last node with this label."""
    return [node for node in of.nodes if node.label == label][-1]


def data(text: str, label: str, leaves: Mapping[str, float] | None = None) -> float:
    """The final data of `label`."""
    return node(trace(text, leaves), label).data


def printed(text: str) -> list[str]:
    """A program's output; it need not compute a graph."""
    lines: list[str] = finished(text).printed
    return lines


def finished(text: str) -> Recorder:
    """The recorder after a program's run in this process, with variables and tape."""
    limits = Limits()
    session = RecordingSession(Source(text, limits, parsed), limits, Wanted())
    session.live()
    return session.m


def variable(run: Recorder, name: str) -> Any:
    """The Value bound to this name, or with this label; an object of the program's own as it is."""
    held = run.globals.get(name)
    if is_object(held):
        return held
    if isinstance(held, Value) or type(held) in FOLLOWED:
        return run.tape.lift(held)
    if isinstance(held, TensorArray):
        return ItsNumber(held)
    leaf = next(leaf for leaf in reversed(run.tape.leaves) if leaf.label == name)
    return run.tape.lift(leaf)


class ItsNumber:
    """The only number of a tensor of one axis, and of its gradient; None without one."""

    def __init__(self, tensor: TensorArray) -> None:
        (self.data,) = tensor.numbers()
        (element,) = tensor.grid.items()
        self.grad = element.grad if isinstance(element, Value) else None


def drawn_by(program: Program, leaves: Mapping[str, float] | None = None) -> Value:
    """The output of a program that draws one."""
    output = program.run(leaves).output
    assert output is not None
    return output


def refusal(text: str) -> ProgramError:
    """The error of an invalid program; asserts that its span lies inside the text."""
    with pytest.raises(ProgramError) as caught:
        Program(text).run()
    check_place(caught.value, text)
    return caught.value


def check_place(error: ProgramError, text: str) -> None:
    """Assert a span in the text, and a message that is a sentence without Python internals.

    An exception of the program has Python's own words instead, with a traceback.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= error.line <= error.end_line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert 2 <= error.end_column <= len(lines[error.end_line - 1]) + 2
    assert (error.line, error.column) < (error.end_line, error.end_column)
    assert error.message
    if error.traceback:
        assert error.traceback[-1] == error.message
        return
    assert error.message.endswith((".", "?", "!"))
    first = error.message.split()[0]  # a capital letter, a name of the program or of a module
    is_name = "." in first or first in unicodedata.normalize("NFKC", text)
    assert is_name or not first[0].islower()
    assert "object at 0x" not in error.message
    assert "Traceback" not in error.message


def marked(text: str, error: ProgramError) -> str:
    """The part of the text that an error points at."""
    lines = text.split("\n")[error.line - 1 : error.end_line]
    lines[-1] = lines[-1][: error.end_column - 1]
    lines[0] = lines[0][error.column - 1 :]
    return "\n".join(lines)


# Random arithmetic

LEAVES = ("a", "b", "c")
FUNCTIONS = (
    "exp log sqrt sin cos tan tanh sigmoid relu leaky_relu softplus silu gelu abs".split()  # noqa: SIM905
)

_numbers = st.integers(-40, 40).filter(bool).map(lambda n: repr(n / 16))
_atoms = st.sampled_from(LEAVES) | _numbers.map(lambda x: f"({x})" if x.startswith("-") else x)


def _compound(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {} {})".format, parts, st.sampled_from("+-*/"), parts),
        st.builds("({})**{}".format, parts, st.sampled_from(("2", "3", "(-1)", "0.5", "(-1.5)"))),
        st.builds("{}({})".format, st.sampled_from(FUNCTIONS), parts),
        st.builds("(0 + {}).{}()".format, parts, st.sampled_from(FUNCTIONS)),
        st.builds("{}({}, {})".format, st.sampled_from(("max", "min")), parts, parts),
        st.builds("(-{})".format, parts),
    )


expressions = st.recursive(_atoms, _compound, max_leaves=8)
"""Expressions in a, b and c, as a program writes them."""


class TooClose(Exception):
    """Too close to a pole, kink or cancellation for an accurate comparison of floats."""


class Exact:
    """An expression evaluated with 50 digits, from textbook definitions."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text, mode="eval").body

    def __call__(self, **leaves: mpmath.mpf) -> mpmath.mpf:
        return self._value(self.tree, leaves)

    def _value(self, node: ast.expr, leaves: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
        match node:
            case ast.Constant():
                return mpmath.mpf(node.value)
            case ast.Name():
                return leaves[node.id]
            case ast.UnaryOp():
                return -self._value(node.operand, leaves)
            case ast.BinOp():
                a, b = self._value(node.left, leaves), self._value(node.right, leaves)
                return _keep(_sign(node.op, a, b))
            case ast.Call(func=ast.Name() as name):
                return _keep(_named(name.id, [self._value(x, leaves) for x in node.args]))
            case ast.Call(func=ast.Attribute() as method):
                return _keep(_named(method.attr, [self._value(method.value, leaves)]))
        raise AssertionError(ast.dump(node))


def _keep(x: mpmath.mpf) -> mpmath.mpf:
    if not 1e-2 < abs(x) < 1e2:
        raise TooClose
    return x


def _sign(op: ast.operator, a: mpmath.mpf, b: mpmath.mpf) -> mpmath.mpf:
    match op:
        case ast.Add():
            return _far(a, -b) and a + b
        case ast.Sub():
            return _far(a, b) and a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            return _keep(b) and a / b
    if a < 0 and b != int(b):
        raise TooClose
    return a**b


def _far(a: mpmath.mpf, b: mpmath.mpf) -> bool:
    if abs(a - b) < 0.1 * (abs(a) + abs(b)):
        raise TooClose
    return True


DEFINITIONS = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sqrt": mpmath.sqrt,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "relu": lambda x: x if x > 0 else mpmath.mpf(0),
    "leaky_relu": lambda x: x if x > 0 else x / 100,
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "gelu": lambda x: x * mpmath.ncdf(x),
    "abs": abs,
    "max": max,
    "min": min,
}
"""Every named operation by its definition, in arbitrary precision."""


def _named(name: str, args: list[mpmath.mpf]) -> mpmath.mpf:
    if name in ("max", "min"):
        _far(*args)
    x = args[0]
    if (name in ("relu", "abs", "leaky_relu") and abs(x) < 0.05) or abs(x) > 3:
        raise TooClose
    if name in ("log", "sqrt") and x < 0.1:
        raise TooClose
    if name in ("tan", "sin") and abs(mpmath.cos(x)) < 0.1:
        raise TooClose
    if name == "cos" and abs(mpmath.sin(x)) < 0.1:
        raise TooClose
    if name == "log" and abs(x - 1) < 0.1:
        raise TooClose
    return DEFINITIONS[name](*args)


def notes(text: str) -> list[str]:
    """What is told of a program."""
    return [note.message for note in trace(text).notes]
