"""Candidates for the fix of a mistake: what the line could be, from the text around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .surroundings import SourceLine
from .text_edits import Rewrite, renamed


def formulas(line: SourceLine) -> Iterator[Rewrite]:
    """The partials of the table, in the names of the method."""
    for _, value in line.writes():
        for upstream in line.upstreams():
            for formula in line.formulas():
                is_one = " " not in formula or formula.startswith("(")
                text = f"{formula} * {upstream}" if is_one else f"({formula}) * {upstream}"
                yield Rewrite(line.span_of(value), text, formula)


def partials_beside(line: SourceLine) -> Iterator[Rewrite]:
    """The missing partial in a collection of them, or a line for an operand without one."""
    for node in [*line.nodes(ast.Tuple)][::-1]:
        if len(node.elts) == 1:
            for formula in line.formulas():
                yield line.replaced(node, f"({line.text_of(node.elts[0])}, {formula})")
    for call in line.nodes(ast.Call):
        for name in line.functions():
            yield line.with_argument(call, name)
        if isinstance(call.func, ast.Name):
            for formula in line.formulas():
                yield line.with_argument(call, f"({formula},)")
    if line.function is not None and line.function.lineno == line.number:
        for target, upstream in line.receivers():
            for formula in line.formulas():
                text = f"{target} += {formula} * {upstream}"
                yield line.after_last(text)


def seeds(line: SourceLine) -> Iterator[Rewrite]:
    """1 as the gradient of the output: in the line, or as a line before the pass."""
    for _, value in line.writes():
        yield line.replaced(value, "1.0")
    yield from line.seeds()


def wrapping(line: SourceLine) -> Iterator[Rewrite]:
    """An operand as it is, where it is an object already."""
    for call in line.nodes(ast.Call):
        match call:
            case ast.Call(
                func=ast.Name(id=kind),
                args=[
                    ast.Attribute(value=ast.Name(id=name))
                    | ast.IfExp(body=ast.Attribute(value=ast.Name(id=name)))
                ],
            ):
                text = f"{name} if isinstance({name}, {kind}) else {kind}({name})"
                texts = [text, name]
                for it in texts[::-1] if "isinstance(" in line.lines[line.number - 1] else texts:
                    yield line.replaced(call, it)
    for node in line.nodes(ast.Attribute):
        if node.attr == line.number_name and isinstance(node.ctx, ast.Load):
            yield line.replaced(node, line.text_of(node.value))


def zeros(line: SourceLine) -> Iterator[Rewrite]:
    """A loop before the pass that sets the gradients to 0."""
    yield from line.resets()


def children(line: SourceLine) -> Iterator[Rewrite]:
    """The operands as the other operations pass them on."""
    for call in line.nodes(ast.Call):
        for operands in line.operands():
            for shape in (f"({operands}{',' if ',' not in operands else ''})", f"[{operands}]"):
                for arg in call.args[1:]:
                    if isinstance(arg, ast.Tuple | ast.List):
                        yield line.replaced(arg, shape)
                if isinstance(call.func, ast.Name) and call.func.id[:1].isupper():
                    yield line.with_argument(call, shape, at=1)
                    for formula in line.formulas():
                        if len(operands.split(",")) == 1:
                            yield line.with_argument(call, f"({operands}, {formula})")


def stored(line: SourceLine) -> Iterator[Rewrite]:
    """The function in place of its call."""
    for call in line.nodes(ast.Call):
        if not isinstance(call.func, ast.Name):
            continue
        name = call.func.id
        statement = line.statement
        if isinstance(statement, ast.Assign):
            yield line.replaced(statement.value, name)
        elif isinstance(statement, ast.Expr):
            for target in line.stores():
                yield line.replaced(statement, f"{target} = {name}")


def swapped(line: SourceLine) -> Iterator[Rewrite]:
    """The two parameters in each other's place."""
    params = line.params(with_self=True)
    if len(params) == 2 and line.statement is not None:
        pair = dict(zip(params, params[::-1], strict=True))
        yield line.replaced(line.statement, renamed(line.text_of(line.statement), pair))


def reflections(line: SourceLine) -> Iterator[Rewrite]:
    """The method for a plain number on the left."""
    yield from line.reflections()


def numbers(line: SourceLine) -> Iterator[Rewrite]:
    """The number of an object in place of the object, or of its gradient."""
    for _, value in line.writes():
        for node in ast.walk(value):
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in line.gradients:
                    yield line.replaced(node, f"{name}.{line.number_name}")
                case ast.Name(id=name) if name in line.objects():
                    yield line.replaced(node, f"{name}.{line.number_name}")
