"""Candidates for the fix of a mistake: what the line could be, from the text around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .surroundings import Rewrite, SourceLine


def adding(line: SourceLine) -> Iterator[Rewrite]:
    """`+=` in place of `=`."""
    for node in line.nodes(ast.Assign):
        if len(node.targets) != 1:
            continue
        target, value = line.text_of(node.targets[0]), node.value
        parts = [value]
        if isinstance(value, ast.IfExp):
            parts = [value.body, value.orelse]
        elif isinstance(value, ast.BoolOp):
            parts = value.values[::-1]
        for part in parts:
            yield line.replaced(node, f"{target} += {line.text_of(part)}")


def signs(line: SourceLine) -> Iterator[Rewrite]:
    """The other sign, of the whole first."""
    for aug in line.nodes(ast.AugAssign):
        if isinstance(aug.op, ast.Add | ast.Sub):
            sign = "-=" if isinstance(aug.op, ast.Add) else "+="
            text = f"{line.text_of(aug.target)} {sign} {line.text_of(aug.value)}"
            yield line.replaced(aug, text)
    for unary in line.nodes(ast.UnaryOp):
        if isinstance(unary.op, ast.USub | ast.UAdd):
            minus = "-" if isinstance(unary.op, ast.UAdd) else ""
            yield line.replaced(unary, f"{minus}{line.text_of(unary.operand)}")
    for node in line.nodes(ast.expr):
        is_number = isinstance(node, ast.BinOp | ast.Name | ast.Attribute | ast.Constant | ast.Call)
        if is_number and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            text = line.text_of(node)
            shown = f"({text})" if isinstance(node, ast.BinOp) else text
            yield line.replaced(node, f"-{shown}")


def upstreams(line: SourceLine) -> Iterator[Rewrite]:
    """The gradient of the result as a factor, in place of another one first."""
    for _, value in line.writes():
        for upstream in line.upstreams():
            for node in ast.walk(value):
                if isinstance(node, ast.Attribute) and node.attr in line.gradients:
                    yield line.replaced(node, upstream)
            yield line.replaced(value, f"{line.factor(value)} * {upstream}")
            if isinstance(value, ast.Constant):
                yield line.replaced(value, upstream)


def formulas(line: SourceLine) -> Iterator[Rewrite]:
    """The partials of the table, in the names of the method."""
    for _, value in line.writes():
        for upstream in line.upstreams():
            for formula in line.formulas():
                is_one = " " not in formula or formula.startswith("(")
                text = f"{formula} * {upstream}" if is_one else f"({formula}) * {upstream}"
                yield Rewrite(line.span_of(value), text, formula)


def names(line: SourceLine) -> Iterator[Rewrite]:
    """Another of the method's names in place of one in the line."""
    for node in line.nodes(ast.Name):
        for name in line.objects():
            if name != node.id:
                yield line.replaced(node, name)


def squares(line: SourceLine) -> Iterator[Rewrite]:
    """A square, or another number of the method, in place of a number."""
    for node in line.nodes(ast.Attribute):
        if node.attr not in line.gradients and isinstance(node.ctx, ast.Load):
            yield line.replaced(node, f"{line.text_of(node)} ** 2")
    for node in line.nodes(ast.Attribute):
        if node.attr not in line.gradients and isinstance(node.ctx, ast.Load):
            yield line.replaced(node, f"-{line.text_of(node)}")


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


def orders(line: SourceLine) -> Iterator[Rewrite]:
    """The other direction of a loop or of a stack, or the gradient that was passed."""
    for call in line.nodes(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "pop":
            yield line.replaced(call, f"{line.text_of(call.func)}({'' if call.args else '0'})")
    for loop in line.loops():
        text = line.text_of(loop.iter)
        match loop.iter:
            case ast.Call(func=ast.Name(id="reversed"), args=[inner]):
                yield line.replaced(loop.iter, line.text_of(inner))
            case _:
                yield line.replaced(loop.iter, f"reversed({text})")
    for node in line.nodes(ast.Attribute):
        if node.attr in line.gradients:
            for name in line.params():
                yield line.replaced(node, name)


def ones(line: SourceLine) -> Iterator[Rewrite]:
    """1 as what the line writes."""
    for _, value in line.writes():
        yield line.replaced(value, "1.0")


def seeds(line: SourceLine) -> Iterator[Rewrite]:
    """1 as the gradient of the output: in the line, or as a line before the pass."""
    yield from ones(line)
    yield from line.seeds()


def numbers(line: SourceLine) -> Iterator[Rewrite]:
    """The number of an object in place of the object, or of its gradient."""
    for _, value in line.writes():
        for node in ast.walk(value):
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in line.gradients:
                    yield line.replaced(node, f"{name}.{line.number_name}")
                case ast.Name(id=name) if name in line.objects():
                    yield line.replaced(node, f"{name}.{line.number_name}")


def gradients(line: SourceLine) -> Iterator[Rewrite]:
    """The gradient of an object as what is written, in place of its number."""
    for aug in line.nodes(ast.AugAssign):
        match aug.target:
            case ast.Attribute(value=owner, attr=line.number_name):
                yield line.replaced(aug.target, f"{line.text_of(owner)}.{line.gradient}")


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


def operators(line: SourceLine) -> Iterator[Rewrite]:
    """The operator that the method's name stands for, and its operands in the other order."""
    sign = line.sign()
    for node in line.nodes(ast.BinOp):
        left, right = line.text_of(node.left), line.text_of(node.right)
        if sign in ("+", "-", "*", "/", "**") and line.is_plain(node):
            yield line.replaced(node, f"{left} {sign} {right}")
        yield line.replaced(node, f"{right} {line.sign_of(node)} {left}")
        yield line.replaced(node.right, f"-{right}")
    yield from _swapped(line)
    for call in line.nodes(ast.Call):
        name = line.method().strip("_")
        match call.func:
            case ast.Name(id="max" | "min"):
                yield line.replaced(call.func, name)
            case ast.Attribute(value=ast.Name(id="math")):
                yield line.replaced(call.func, f"math.{name}")
            case ast.Attribute(value=ast.Name() as owner):
                for other in line.classes():
                    yield line.replaced(owner, other)
    for attribute in line.nodes(ast.Attribute):
        if isinstance(attribute.ctx, ast.Load):
            yield line.replaced(attribute, f"-{line.text_of(attribute)}")


def _swapped(line: SourceLine) -> Iterator[Rewrite]:
    """The two parameters in each other's place."""
    params = line.params(with_self=True)
    if len(params) == 2 and line.statement is not None:
        pair = dict(zip(params, params[::-1], strict=True))
        yield line.replaced(line.statement, line.renamed(pair))


def reflections(line: SourceLine) -> Iterator[Rewrite]:
    """The method for a plain number on the left."""
    yield from line.reflections()
