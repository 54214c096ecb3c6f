"""Where mistakes in a class end the program, instead of giving a wrong gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from engine.named_ops import SPECIAL
from engine.parser_lock import Span
from engine.program import Program, ProgramError

_OPERANDS = re.compile(
    r"TypeError: unsupported operand type\(s\) for (?P<sign>[^:]{1,12}): "
    r"'(?P<left>[^']{1,64})' and '(?P<right>[^']{1,64})'"
)
_NUMBERS = frozenset({"int", "float"})


def missing_reflected(program: Program, error: ProgramError) -> Iterator[tuple[Span, str]]:
    """An operator whose left operand is a plain number, in a class without the method for it."""
    found = _OPERANDS.match(error.message)
    if not found or found["left"] not in _NUMBERS:
        return
    name = SPECIAL.get(found["sign"].removesuffix(" or pow()"))
    defined = _class(program, found["right"])
    if name is None or defined is None:
        return
    methods = {node.name for node in defined.body if isinstance(node, ast.FunctionDef)}
    if f"__{name}__" in methods and f"__r{name}__" not in methods:
        yield error.span, f"__r{name}__"


def _class(program: Program, name: str) -> ast.ClassDef | None:
    for node in ast.walk(program.source.tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            return node
    return None


def called_not_stored(program: Program, error: ProgramError) -> Iterator[tuple[Span, str]]:
    """`out._backward = _backward()` where None is called in the pass."""
    if error.message != "TypeError: 'NoneType' object is not callable":
        return
    for function in ast.walk(program.source.tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        inner = {node.name for node in function.body if isinstance(node, ast.FunctionDef)}
        for node in function.body:
            match node:
                case ast.Assign(
                    targets=[ast.Attribute()], value=ast.Call(func=ast.Name(id=name))
                ) if name in inner:
                    yield program.source.span(node), ""
                    return
