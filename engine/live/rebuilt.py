"""A program that computes the graph of an object anew, with the class of its objects.

One line for each object, in order: `a = Value(2.0)`, `v3 = a * b`. The text of the class stands
before them, where possible on the lines that it has in its own file, and the pass after them. So
the recorder sees what the class does, on objects of its own: those of the caller are only read.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

from engine.live.graph import LiveGraph, MadeBy
from engine.live.refusal import CannotShow
from engine.live.sources import definition, needs
from engine.named_ops import SPECIAL
from engine.op import Op
from engine.record.attribute_names import BACKWARD
from engine.value import Constant, Value

SIGN_OF = {name: sign for sign, name in SPECIAL.items()}
_REFLECTED = {f"r{name}": name for name in SPECIAL.values()}


class CannotRebuild(CannotShow):
    """A graph that no program can be written for; the message says why."""


@dataclass(frozen=True)
class Rebuilt:
    """The program, and the variable that holds each object of the graph, by the object's id.

    `first` is the line of the graph's first object.
    """

    program: str
    variables: Mapping[int, str]
    first: int


def rebuilt(graph: LiveGraph, called: Mapping[int, str], as_built_in: bool = False) -> Rebuilt:
    """The program of a graph whose objects are `called` so; with the built-in Value if wanted.

    Raises CannotRebuild.
    """
    is_own = not as_built_in and not issubclass(graph.attributes.kind, Value)
    lines, taken = _class_lines(graph.attributes.kind) if is_own else ([], {"Value"})
    variables = _variables(graph, called, taken)
    writer = _Writer(graph, variables, is_own)
    first = len(lines) + 1
    lines += [
        f"{variables[id(o)]} = {writer.expression(o)}" for o in graph.order if id(o) in variables
    ]
    lines += writer.backward()
    return Rebuilt("\n".join(lines) + "\n", variables, first)


def _class_lines(kind: type) -> tuple[list[str], set[str]]:
    """The lines of a class and of what it needs, and the names that they define."""
    written = definition(kind)
    if written is None:
        raise CannotRebuild(f"The source of {kind.__name__} is not at hand")
    known = {kind.__name__}
    found = needs(written, known)
    padding = [""] * max(written.line - 1 - len(found.before), 0)
    return [*found.before, *padding, *written.text.split("\n"), *found.after], known


def _variables(graph: LiveGraph, called: Mapping[int, str], taken: set[str]) -> dict[int, str]:
    """A variable for each object: its own name where that is one, and free."""
    used = {*taken, *dir(__builtins__)}
    found: dict[int, str] = {}
    for place, o in enumerate(graph.order, 1):
        if isinstance(o, Constant):
            continue  # a number in an expression of the built-in Value
        name = called.get(id(o), "")
        if not name.isidentifier() or keyword.iskeyword(name) or name in used:
            name = f"v{place}"
            while name in used:
                name += "_"
        used.add(name)
        found[id(o)] = name
    return found


class _Writer:
    def __init__(self, graph: LiveGraph, variables: Mapping[int, str], is_own: bool) -> None:
        self.graph, self.variables, self.is_own = graph, variables, is_own
        self.kind = graph.attributes.kind

    def expression(self, o: Any) -> str:
        made = self.graph.made.get(id(o))
        if made is None:
            return f"{self.kind.__name__ if self.is_own else 'Value'}({self._data(o)})"
        texts = [self._operand(x) for x in made.operands]
        if made.method and self.is_own:
            return _called(made.method, texts, self.kind)
        if made.op is None:
            raise CannotRebuild(_unknown(self.graph, o, made))
        return _operation(made.op, texts, self.kind if self.is_own else Value)

    def _data(self, o: Any) -> str:
        held = getattr(o, self.graph.attributes.data)
        return repr(held) if type(held) in (int, float) and held == held else _number(float(held))

    def _operand(self, x: Any) -> str:
        if id(x) in self.variables:
            return self.variables[id(x)]
        x = x.data if isinstance(x, Constant) else x
        return repr(x) if type(x) is int else _number(float(x))

    def backward(self) -> list[str]:
        """The line of the pass; none for a class that has no method for it."""
        kind = self.kind if self.is_own else Value
        name = next((x for x in dir(kind) if x in BACKWARD), "")
        function = getattr(kind, name, None)
        if function is None:
            return []
        try:
            params = list(signature(function).parameters.values())[1:]
        except (TypeError, ValueError):
            params = []
        needed = [p for p in params if p.default is p.empty and p.kind is not Parameter.VAR_KEYWORD]
        needed = [p for p in needed if p.kind is not Parameter.VAR_POSITIONAL]
        if len(needed) > 1:
            return []
        return [f"{self.variables[id(self.graph.output)]}.{name}({'1.0' if needed else ''})"]


def _number(x: float) -> str:
    return repr(x) if x - x == 0 else f'float("{x!r}")'


def _called(method: str, texts: list[str], kind: type) -> str:
    """The call of a method of a class, as an operator where it is one."""
    bare = method.strip("_")
    if method == f"__{bare}__":
        if bare in SIGN_OF and len(texts) == 2:
            return f"{_held(texts[0])} {SIGN_OF[bare]} {_held(texts[1])}"
        if bare == "neg":
            return f"-{_held(texts[0])}"
        if bare == "abs":
            return f"abs({texts[0]})"
        if bare in _REFLECTED and len(texts) == 2 and re.match(r"[-\d]", texts[1]):
            return f"{_held(texts[1])} {SIGN_OF[_REFLECTED[bare]]} {_held(texts[0])}"
    return f"{texts[0]}.{method}({', '.join(texts[1:])})"


def _operation(op: Op, texts: list[str], kind: type) -> str:
    """An operation of the table, as a class that calls it by that name, or an operator, has it."""
    if op.name in SPECIAL:
        return f"{_held(texts[0])} {op.name} {_held(texts[1])}"
    if op.name == "neg":
        return f"-{_held(texts[0])}"
    if op.name == "abs":
        return f"abs({texts[0]})"
    method = next((x for x in (op.name, op.name.lower()) if hasattr(kind, x)), "")
    if not method:
        raise CannotRebuild(f"{kind.__name__} has no method {op.name}")
    return f"{texts[0]}.{method}({', '.join(texts[1:])})"


def _held(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _unknown(graph: LiveGraph, o: Any, made: MadeBy) -> str:
    text = graph.attributes.op_of(o)
    what = f"the operation {text!r}" if text else "an operation that has no name"
    return f"What {what} computes from {len(made.operands)} operands cannot be read off the objects"
