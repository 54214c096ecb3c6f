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
from typing import Any

from engine.live.attributes import constructed_with
from engine.live.graph import LiveGraph, MadeBy
from engine.live.pass_call import PassCall
from engine.live.refusal import CannotRebuild
from engine.live.sources import FUTURE, definition, lines_of, needs
from engine.live.trials import Trials
from engine.named_ops import SPECIAL
from engine.op import Op
from engine.value import Constant, Value

SIGN_OF = {name: sign for sign, name in SPECIAL.items()}
_REFLECTED = {f"r{name}": name for name in SPECIAL.values()}


@dataclass(frozen=True)
class Rebuilt:
    """The program, and the variable that holds each object of the graph, by the object's id.

    `seeded` is the program for a pass that leaves it to its caller to set the result's gradient;
    `made` is how each object was made, as far as that was found out.
    """

    program: str
    seeded: str
    variables: Mapping[int, str]
    made: Mapping[int, MadeBy]


def rebuilt(
    graph: LiveGraph, called: Mapping[int, str], call: PassCall | None, as_built_in: bool = False
) -> Rebuilt:
    """The program of a graph whose objects are `called` so; with the built-in Value if wanted.

    Raises CannotRebuild.
    """
    is_own = not as_built_in and not issubclass(graph.attributes.kind, Value)
    lines, taken = _class_lines(graph, call) if is_own else ([], {"Value"})
    variables = _variables(graph, called, taken)
    writer = _Writer(graph, variables, Trials(lines, graph) if is_own else None)
    lines += [
        f"{variables[id(o)]} = {writer.expression(o)}" for o in graph.order if id(o) in variables
    ]
    seeded = [*lines, writer.seed(), writer.backward(call)]
    lines.append(writer.backward(call))
    return Rebuilt("\n".join(lines) + "\n", "\n".join(seeded) + "\n", variables, writer.made)


def _class_lines(graph: LiveGraph, call: PassCall | None) -> tuple[list[str], set[str]]:
    """The lines of the class and of what the graph needs, and the names that they define.

    The class stands on the lines that it has in its file, if what it needs leaves it there.
    """
    base = graph.attributes.base
    written = definition(base)
    if written is None:
        raise CannotRebuild(f"The source of {base.__name__} is not at hand")
    known = {base.__name__}
    found = needs(written, known)
    before = [FUTURE, *found.before] if written.flags else found.before
    padding = [""] * max(written.line - 1 - len(before), 0)
    lines = [*before, *padding, *written.text.split("\n"), *found.after]
    others: dict[str, Any] = {type(o).__name__: type(o) for o in graph.order}
    others |= {it.method: it.function for it in graph.made.values() if it.function is not None}
    if call is not None and call.function is not None:
        others[call.name] = call.function
    for name, held in others.items():
        if name not in known:
            known.add(name)
            lines += lines_of(name, held, known, written)
    return lines, known


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
    """Writes the lines of a graph: for its own class with the trials of that, else for Value."""

    def __init__(
        self, graph: LiveGraph, variables: Mapping[int, str], trials: Trials | None
    ) -> None:
        self.graph, self.variables, self.trials = graph, variables, trials
        self.kind = graph.attributes.kind
        self.made = dict(graph.made)

    def expression(self, o: Any) -> str:
        made = self.graph.made.get(id(o))
        if made is None:
            return self._leaf(o)
        if self.trials is not None:
            made = self.made[id(o)] = self._in_its_class(o, made)
            if made.method:
                return _called(made, self._texts(made))
        if made.op is None:
            raise CannotRebuild(_unknown(self.graph, o, made))
        return _operation(made.op, self._texts(made), type(o) if self.trials else Value)

    def _leaf(self, o: Any) -> str:
        """The call that makes a leaf, with what its class was told of it besides."""
        if self.trials is None:
            return f"Value({self._data(o)})"
        told = [f"{name}={held!r}" for name, held in constructed_with(o, self.graph.attributes)]
        return f"{type(o).__name__}({', '.join([self._data(o), *told])})"

    def _in_its_class(self, o: Any, made: MadeBy) -> MadeBy:
        """How an object was made: where that is not known, what its class makes alike."""
        assert self.trials is not None
        is_known = made.method or (made.op is not None and has_operation(type(o), made.op))
        return made if is_known else self.trials.made(o, made) or made

    def _texts(self, made: MadeBy) -> list[str]:
        return [self._operand(x) for x in made.operands]

    def _data(self, o: Any) -> str:
        held = getattr(o, self.graph.attributes.data)
        return repr(held) if type(held) in (int, float) and held == held else _number(float(held))

    def _operand(self, x: Any) -> str:
        if id(x) in self.variables:
            return self.variables[id(x)]
        x = x.data if isinstance(x, Constant) else x
        return repr(x) if type(x) is int else _number(float(x))

    def backward(self, call: PassCall | None) -> str:
        """The line of the pass."""
        output = self.variables[id(self.graph.output)]
        if self.trials is None:
            return f"{output}.backward()"
        if call is None:
            raise CannotRebuild(f"{self.kind.__name__} has no backward()")
        given = [_number(x) for x in call.arguments]
        if call.function is not None:
            return f"{call.name}({', '.join([output, *given])})"
        return f"{output}.{call.name}({', '.join(given)})"

    def seed(self) -> str:
        """The line that gives the result the gradient that it holds, or 1.0."""
        output, of = self.graph.output, self.graph.attributes
        return f"{self.variables[id(output)]}.{of.grad} = {_number(of.gradient_of(output) or 1.0)}"


def _number(x: float) -> str:
    return repr(x) if x - x == 0 else f'float("{x!r}")'


def _called(made: MadeBy, texts: list[str]) -> str:
    """The call of a method of a class, as an operator where it is one, or of a function."""
    method = made.method
    if made.function is not None:
        return f"{method}({', '.join(texts)})"
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
    if not has_operation(kind, op):
        raise CannotRebuild(f"{kind.__name__} has no method {op.name}")
    return f"{texts[0]}.{op.name}({', '.join(texts[1:])})"


def has_operation(kind: type, op: Op) -> bool:
    """Whether a class has an operation of the table by the table's name."""
    name = SPECIAL.get(op.name, op.name)
    return hasattr(kind, f"__{name}__" if name != op.name or name in ("neg", "abs") else name)


def _held(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _unknown(graph: LiveGraph, o: Any, made: MadeBy) -> str:
    text = graph.attributes.op_of(o)
    what = f"the operation {text!r}" if text else "an operation that has no name"
    return f"What {what} computes from {len(made.operands)} operands cannot be read off the objects"
