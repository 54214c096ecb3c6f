"""A lesson's program on the reader's own engine: the engine's text, then the program, whose leaves
are made by it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from app.learn.building.stage import ORDER
from engine import parser_lock

FUNCTIONS = frozenset({"exp", "tanh", "log"})
NETWORKS = frozenset({"Neuron", "Layer", "MLP"})
_KNOWN = frozenset({"print", "sum", "range", "zip", "len", "Value"}) | FUNCTIONS | NETWORKS
_KNOWN_METHODS = FUNCTIONS | {"backward", "seed", "parameters", "uniform"}
_CALLS = re.compile(r"\b(exp|tanh|log)\(")


class NotOnEngine(Exception):
    """Why a program has no place on the reader's engine."""


def stages_of(program: str) -> list[str]:
    """The stages whose pieces a program needs. Raises NotOnEngine."""
    tree = _tree(program)
    calls = {it.func.id for it in _calls(tree) if isinstance(it.func, ast.Name)}
    methods = _methods(tree)
    if unknown := (calls - _KNOWN - _assigned(tree)) | (methods - _KNOWN_METHODS):
        raise NotOnEngine(min(unknown))
    needed = ["value", "operations", "gradients", "backward", "powers"]
    if FUNCTIONS & (calls | methods) or NETWORKS & calls:
        needed.append("functions")
    if NETWORKS & calls:
        needed.append("network")
    return [slug for slug in ORDER if slug in needed]


def on_engine(engine: str, program: str) -> str:
    """The text of a program on an engine. Raises NotOnEngine."""
    tree = _tree(program)
    lines = program.split("\n")
    for number in sorted(_leaves(tree), key=lambda it: (it.lineno, it.col_offset), reverse=True):
        row = lines[number.lineno - 1].encode()  # columns count bytes
        start, end = number.col_offset, number.end_col_offset or 0
        wrapped = b"%bValue(%b)%b" % (row[:start], row[start:end], row[end:])
        lines[number.lineno - 1] = wrapped.decode()
    if "backward" not in _methods(tree):
        lines.append(f"{_output(tree)}.backward()")
    functions = sorted({f for f in _CALLS.findall(program) if not re.search(rf"\.{f}\(", program)})
    made = [f"def {name}(x):\n    return x.{name}()\n\n\n" for name in functions]
    return f"{engine.rstrip()}\n\n\n{''.join(made)}" + "\n".join(lines) + "\n"


def _tree(program: str) -> ast.Module:
    try:
        tree = parser_lock.module(program)
    except SyntaxError:
        raise NotOnEngine("syntax") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Import | ast.ImportFrom):
            raise NotOnEngine(type(node).__name__)
    return tree


def _assigned(tree: ast.Module) -> set[str]:
    """The names that the program gives, which may hold networks."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _calls(tree: ast.Module) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _methods(tree: ast.Module) -> set[str]:
    return {it.func.attr for it in _calls(tree) if isinstance(it.func, ast.Attribute)}


def _leaves(tree: ast.Module) -> Iterator[ast.expr]:
    """The numbers that a program gives names, alone or in lists."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            held = node.value.elts if isinstance(node.value, ast.List) else [node.value]
            if all(map(_is_number, held)):
                yield from held


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _output(tree: ast.Module) -> str:
    """The name that the last assignment gives. Raises NotOnEngine."""
    for node in reversed(tree.body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
    raise NotOnEngine("no output")
