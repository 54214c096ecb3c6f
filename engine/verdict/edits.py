"""Edits: the small changes that a line may need, each with the kind of mistake that it would fix.

Which of them is meant is for measuring to say: see `fixes`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from engine.parser_lock import expression

from .surroundings import SourceLine
from .text_edits import Rewrite, renamed

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip
_COMPARED: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
_NUMBERS = ("1.0", "0.0", "2", "3", "-1", "0.5")
_FUNCTIONS = ("sin", "cos", "exp", "log", "tanh", "sinh", "cosh", "sqrt")
_HELD = ast.Name | ast.Attribute | ast.Subscript
_OPERATIONS = ast.BinOp | ast.UnaryOp | ast.Compare | ast.BoolOp


def edits(line: SourceLine) -> Iterator[Rewrite]:
    """All of them, the likeliest first."""
    for found in (
        adding, names, exchanged, numbers, signs, flow, operators, elements, factors, functions,
    ):  # fmt: skip
        yield from found(line)


def put(line: SourceLine, node: ast.expr, text: str, kind: str) -> Rewrite:
    """A text in place of a part, in brackets where what stands around it asks for them."""
    parent = line.parents.get(node)
    is_part = isinstance(parent, _OPERATIONS | ast.Attribute | ast.Subscript | ast.Starred)
    if isinstance(parent, ast.Subscript | ast.Attribute) and parent.value is not node:
        is_part = False
    if is_part and not line.is_in_brackets(node) and _loosest(text) <= _binding(parent, node):
        text = f"({text})"
    return line.replaced(node, text)._replace(kind="order" if _is_of_flow(line, node) else kind)


def _binding(parent: ast.AST | None, node: ast.expr) -> int:
    """How tightly an operator holds an operand; the left one of equals needs no brackets."""
    if not isinstance(parent, ast.BinOp):
        return 5
    binds = _BINDS.get(_SIGNS.get(type(parent.op), ""), 3)
    is_left = node is parent.left and binds < _BINDS["**"]
    return binds - is_left


def _loosest(text: str) -> int:
    """How tightly an expression holds together."""
    try:
        node = expression(text)
    except SyntaxError:
        return 0
    if isinstance(node, ast.BinOp):
        return _BINDS.get(_SIGNS.get(type(node.op), ""), 0)
    if isinstance(node, ast.UnaryOp) or (isinstance(node, ast.Constant) and text[:1] == "-"):
        return 3
    return 0 if isinstance(node, ast.IfExp | ast.Lambda | ast.Compare | ast.BoolOp) else 6


def roots(line: SourceLine) -> Iterator[ast.expr]:
    """The expressions whose numbers are written, returned, passed on or listed."""
    for node in line.nodes(ast.expr):
        parent = line.parents.get(node)
        is_sum = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub)
        if not isinstance(parent, _OPERATIONS | ast.Attribute | ast.Subscript) or is_sum:
            is_called = isinstance(parent, ast.Call) and parent.func is node
            is_stored = isinstance(getattr(node, "ctx", None), ast.Store)
            if not is_called and not is_stored and not isinstance(node, ast.Lambda | ast.Tuple):
                yield node


def adding(line: SourceLine) -> Iterator[Rewrite]:
    """`+=` in place of `=`, the other way round, or the gradient at hand as a term."""
    for node in line.nodes(ast.Assign):
        target = line.text_of(node.targets[0])
        if len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple | ast.Name):
            yield from _summed(line, node, target)
        elif isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.BinOp):
            yield line.replaced(node, f"{target} += {line.text_of(node.value)}")
    for aug in line.nodes(ast.AugAssign):
        text = f"{line.text_of(aug.target)} = {line.text_of(aug.value)}"
        yield line.replaced(aug, text)._replace(kind="wrong_partial")


def _summed(line: SourceLine, node: ast.Assign, target: str) -> Iterator[Rewrite]:
    parts = [node.value]
    if isinstance(node.value, ast.IfExp):
        parts = [node.value.body, node.value.orelse]
        for part in parts:
            yield line.replaced(part, f"{target} + {line.text_of(part)}")._replace(kind="assigned")
    elif isinstance(node.value, ast.BoolOp):
        parts = node.value.values[::-1]
    for part in parts:
        yield line.replaced(node, f"{target} += {line.text_of(part)}")._replace(kind="assigned")


def names(line: SourceLine) -> Iterator[Rewrite]:
    """Another name, or another number of an object, in place of one."""
    known = line.objects()
    attributes = [line.number_name, line.gradient]
    for node in line.nodes(ast.Name):
        if node.id in known and isinstance(node.ctx, ast.Load):
            for name in known:
                if name != node.id:
                    yield put(line, node, name, "wrong_variable")
    for held in line.nodes(ast.Attribute):
        owner = next(n for n in ast.walk(held) if not hasattr(n, "value"))
        for text in (*line.siblings(held), f"{line.text_of(owner)}.{held.attr}"):
            yield put(line, held, text, "wrong_variable")
    pairs = [f"{x}.{line.number_name}" for x in known if x in line.owners]
    for held in line.nodes(ast.Attribute):
        if held.attr in attributes:
            for attr in attributes:
                text = f"{line.text_of(held.value)}.{attr}"
                yield line.replaced(held, text)._replace(kind="gradient_for_number")
            if isinstance(held.ctx, ast.Load):
                for name in known:
                    yield put(line, held, name, "wrong_variable")
    for node in line.nodes(ast.Name):
        if node.id in known and not isinstance(line.parents.get(node), ast.Attribute):
            for text in pairs:
                yield put(line, node, text, "wrong_variable")


def exchanged(line: SourceLine) -> Iterator[Rewrite]:
    """Two numbers, or the last two parameters of functions, in each other's place all along."""
    read = dict.fromkeys(
        line.text_of(node) for node in line.nodes(ast.Attribute) if node.attr == line.number_name
    )
    for one, other in combinations(read, 2):
        yield line.with_exchanged({one: other, other: one})
    for function in line.nodes(ast.Lambda):
        for one, other in combinations([arg.arg for arg in function.args.args], 2):
            text = renamed(line.text_of(function.body), {one: other, other: one})
            yield put(line, function.body, text, "wrong_variable")
    for call in line.nodes(ast.Call):
        for at in range(len(call.args) - 1):
            texts = [line.text_of(arg) for arg in call.args]
            texts[at : at + 2] = texts[at + 1], texts[at]
            text = f"{line.text_of(call.func)}({', '.join(texts)})"
            yield line.replaced(call, text)._replace(kind="wrong_variable")


def numbers(line: SourceLine) -> Iterator[Rewrite]:
    """Other constants."""
    for power in line.nodes(ast.BinOp):
        if isinstance(power.op, ast.Pow):
            for text in ("1", "2", "3"):
                yield put(line, power.right, text, "wrong_partial")
            text = line.factor(power.right)
            yield put(line, power.right, f"{text} - 1", "wrong_partial")
            yield put(line, power.right, f"{text} + 1", "wrong_partial")
    for node in line.nodes(ast.Constant):
        if type(node.value) is bool:
            yield put(line, node, str(not node.value), "order")
        elif isinstance(node.value, int | float):
            is_whole = isinstance(node.value, int)
            near = (str(node.value + 1), str(node.value - 1)) if is_whole else ()
            for text in dict.fromkeys((*near, *_NUMBERS)):
                yield put(line, node, text, "wrong_partial")


def _is_of_flow(line: SourceLine, node: ast.AST) -> bool:
    """Whether a number decides what runs, and is part of no amount."""
    while (parent := line.parents.get(node)) is not None and not isinstance(parent, ast.stmt):
        if isinstance(parent, ast.Compare | ast.Subscript):
            return True
        node = parent
    target = getattr(parent, "target", None)
    return isinstance(parent, ast.If | ast.While | ast.For) or (
        isinstance(target, ast.Attribute) and target.attr not in line.gradients
    )


def signs(line: SourceLine) -> Iterator[Rewrite]:
    """The other sign."""
    for aug in line.nodes(ast.AugAssign):
        if isinstance(aug.op, ast.Add | ast.Sub):
            sign = "-=" if isinstance(aug.op, ast.Add) else "+="
            text = f"{line.text_of(aug.target)} {sign} {line.text_of(aug.value)}"
            yield line.replaced(aug, text)._replace(kind="wrong_sign")
    for unary in line.nodes(ast.UnaryOp):
        if isinstance(unary.op, ast.USub):
            yield put(line, unary, line.text_of(unary.operand), "wrong_sign")
    for node in roots(line):
        if not isinstance(node, ast.UnaryOp | ast.List):
            yield put(line, node, f"-{line.factor(node)}", "wrong_sign")


def operators(line: SourceLine) -> Iterator[Rewrite]:
    """Another operator, the operands in the other order, and one of them alone."""
    for node in line.nodes(ast.BinOp):
        left, right = line.factor(node.left), line.factor(node.right)
        now = _SIGNS.get(type(node.op))
        for sign in _SIGNS.values() if now else ():
            if sign != now:
                yield put(line, node, f"{left} {sign} {right}", "wrong_partial")
        if now in ("-", "/", "**"):
            yield put(line, node, f"{right} {now} {left}", "wrong_partial")
        yield put(line, node, line.text_of(node.left), "wrong_partial")
        yield put(line, node, line.text_of(node.right), "wrong_partial")


def flow(line: SourceLine) -> Iterator[Rewrite]:
    """The other direction of a loop or of a stack, the other case of a condition."""
    for call in line.nodes(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id="reversed"), args=[inner]):
                yield put(line, call, line.text_of(inner), "order")
            case ast.Call(func=ast.Attribute(attr="pop"), args=args) if len(args) < 2:
                text = "" if args else "0"
                yield put(line, call, f"{line.text_of(call.func)}({text})", "order")
            case ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[item]):
                text = f"{line.text_of(owner)}.insert(0, {line.text_of(item)})"
                yield put(line, call, text, "order")
            case ast.Call(func=ast.Attribute(value=owner, attr="insert"), args=[_, item]):
                yield put(
                    line, call, f"{line.text_of(owner)}.append({line.text_of(item)})", "order"
                )
    for loop in line.loops():
        if loop.iter.lineno == line.number:
            yield line.replaced(loop.iter, f"reversed({line.text_of(loop.iter)})")._replace(
                kind="order"
            )
    for node in line.nodes(ast.Compare):
        sign = _COMPARED[type(node.ops[0])]
        for other in _COMPARED.values():
            if len(node.ops) == 1 and other != sign and other.isalpha() == sign.isalpha():
                text = f"{line.text_of(node.left)} {other} {line.text_of(node.comparators[0])}"
                yield put(line, node, text, "order")
        for side in (node.left, *node.comparators):
            if isinstance(node.left, ast.Attribute) and isinstance(
                side, ast.Constant | ast.Attribute
            ):
                for attr in line.counters():
                    yield put(line, side, f"{line.text_of(node.left.value)}.{attr}", "order")
    for choice in line.nodes(ast.IfExp):
        body, test, other = map(line.text_of, (choice.body, choice.test, choice.orelse))
        yield put(line, choice, f"{other} if {test} else {body}", "wrong_partial")


def elements(line: SourceLine) -> Iterator[Rewrite]:
    """Two elements in each other's place, and one more like the last, of the other operand."""
    for node in line.nodes(ast.expr):
        if not isinstance(node, ast.Tuple | ast.List):
            continue
        texts = [line.text_of(part) for part in node.elts]
        is_bare = not line.text_of(node).startswith(("(", "["))
        for at in range(len(texts) - 1):
            exchanged = [*texts[:at], texts[at + 1], texts[at], *texts[at + 2 :]]
            yield _listed(line, node, exchanged, is_bare)
        if texts and not is_bare:
            yield _listed(line, node, [*texts, line.mirrored(texts[-1])], is_bare)


def _listed(line: SourceLine, node: ast.AST, texts: list[str], is_bare: bool) -> Rewrite:
    opened, closed = ("", "") if is_bare else (line.text_of(node)[0], line.text_of(node)[-1])
    text = f"{opened}{', '.join(texts)}{closed}"
    return line.replaced(node, text)._replace(kind="contribution_missing")


def factors(line: SourceLine) -> Iterator[Rewrite]:
    """One more factor: a gradient, or a number at hand; a square, or a number subtracted from 1."""
    upstreams = line.upstreams()
    known = [x for x in line.objects() if x not in line.owners]
    known += [f"{x}.{line.number_name}" for x in line.objects() if x in line.owners]
    read = [text for held in line.nodes(ast.Attribute) for text in line.siblings(held)]
    known += [text for text in dict.fromkeys(read) if text not in upstreams][:8]
    for node in roots(line):
        text = line.factor(node)
        for upstream in upstreams:
            yield put(line, node, f"{text} * {upstream}", "upstream_missing")
        for factor in (*known, "2"):
            yield put(line, node, f"{text} * {factor}", "wrong_partial")
        yield put(line, node, f"1 - {text}", "wrong_partial")
        yield put(line, node, f"1 / {text}", "wrong_partial")
        for upstream in upstreams if isinstance(node, ast.Constant) else ():
            yield put(line, node, upstream, "upstream_missing")
    for node in line.nodes(ast.expr):
        if isinstance(node, _HELD) and isinstance(node.ctx, ast.Load):
            yield put(line, node, f"{line.text_of(node)}**2", "wrong_partial")
            yield put(line, node, f"(1 - {line.text_of(node)})", "wrong_partial")


def functions(line: SourceLine) -> Iterator[Rewrite]:
    """Another function of the same library, or of another class, and the argument alone."""
    classes = [node.name for node in line.tree.body if isinstance(node, ast.ClassDef)]
    for call in line.nodes(ast.Call):
        match call.func:
            case ast.Attribute(value=ast.Name(id=owner) as named) if owner in classes:
                for name in classes:
                    yield line.replaced(named, name)
            case ast.Attribute(value=ast.Name(id="math" | "np" | "numpy" as owner), attr=attr):
                for name in (line.method().strip("_"), *_FUNCTIONS):
                    if name != attr:
                        yield line.replaced(call.func, f"{owner}.{name}")._replace(
                            kind="wrong_partial"
                        )
            case ast.Name(id="max" | "min" as name):
                yield line.replaced(call.func, "min" if name == "max" else "max")
        if len(call.args) == 1:
            yield put(line, call, line.text_of(call.args[0]), "wrong_partial")
