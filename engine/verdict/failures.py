"""Where mistakes in a class end the program, instead of giving a wrong gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from engine.named_ops import SPECIAL
from engine.parser_lock import Span
from engine.program import Program, ProgramError
from engine.record.source import Source

from .syntax import operand_in

_OPERANDS = re.compile(
    r"TypeError: unsupported operand type\(s\) for (?P<sign>[^:]{1,12}): "
    r"'(?P<left>[^']{1,64})' and '(?P<right>[^']{1,64})'"
)
_NO_NUMBER = re.compile(r"AttributeError: '(float|int|float64)' object has no attribute ")
_NUMBERS = frozenset({"int", "float"})


def missing_reflected(program: Program, error: ProgramError) -> Iterator[tuple[Span, str]]:
    """An operator whose left operand is a plain number, in a class without the method for it."""
    found = _OPERANDS.match(error.message)
    if not found or found["left"] not in _NUMBERS or _is_in_pass(program, error):
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


def object_in_gradient(program: Program, error: ProgramError) -> Iterator[tuple[Span, str]]:
    """A gradient that is multiplied by an object, in a class whose gradients start as numbers."""
    tree = program.source.tree
    defined = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    is_of_class = any(re.search(rf"\b{name}\b", error.message) for name in defined)
    is_type = error.message.startswith("TypeError: ") and is_of_class
    if not (is_type or _NO_NUMBER.match(error.message)) or not _starts_with_numbers(program.source):
        return
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            objects = _with_gradients(function, program.source.gradients)
            for statement in ast.walk(function):
                name = (
                    _object_in(statement, objects, program.source)
                    if isinstance(statement, ast.stmt)
                    else ""
                )
                if name:
                    yield program.source.span(statement), f"`{name}`"
                    return


def _is_in_pass(program: Program, error: ProgramError) -> bool:
    """Whether a program ended in a statement that writes a gradient."""
    return any(
        isinstance(node, ast.Assign | ast.AugAssign)
        and node.lineno <= error.span[0] <= (node.end_lineno or 0)
        and bool(_gradients_of(node, program.source))
        for node in ast.walk(program.source.tree)
    )


def _gradients_of(statement: ast.stmt, source: Source) -> list[str]:
    """The names of the objects whose gradients an assignment sets."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
        targets = [statement.target]
    return [
        target.value.id
        for target in targets
        if isinstance(target, ast.Attribute)
        and target.attr in source.gradients
        and isinstance(target.value, ast.Name)
    ]


def _starts_with_numbers(source: Source) -> bool:
    """Whether a gradient is a number that stands in the text, where objects are made."""
    for node in ast.walk(source.tree):
        match node:
            case ast.FunctionDef(name="__init__"):
                for inner in ast.walk(node):
                    value = getattr(inner, "value", None)
                    is_start = isinstance(inner, ast.Assign | ast.AnnAssign)
                    if is_start and _gradients_of(inner, source) and _is_number(value):  # type: ignore[arg-type]
                        return True
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if name in source.gradients:
                if _is_number(value):
                    return True
    return False


def _is_number(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Call) and len(node.args) == 1:
        node = node.args[0]  # np.float64(0.0)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _with_gradients(function: ast.FunctionDef, gradients: frozenset[str]) -> set[str]:
    """The names in a function that it reads or writes the gradients of: those of objects."""
    return {
        node.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and node.attr in gradients
        and isinstance(node.value, ast.Name)
    }


def _object_in(statement: ast.stmt, objects: set[str], source: Source) -> str:
    """The object that is a factor of what a statement writes to a gradient; empty if none is."""
    if not _gradients_of(statement, source):
        return ""
    return operand_in(statement.value, objects)  # type: ignore[attr-defined]


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
