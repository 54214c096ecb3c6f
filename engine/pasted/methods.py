"""Methods that a text shows on their own, put into the class that they belong to.

Articles show a class, then what is added to it: methods by themselves, or a difference whose lines
around the added ones repeat what is there. `...` stands for the rest of a method as it was.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .cells import CodePieces, cells_of
from .lines import Lines, NumberedLine, joined
from .statements import parsed

STEP = "    "


@dataclass(slots=True)
class _Class:
    """A class in a piece: the piece's number, its lines there, and its node."""

    piece: int
    node: ast.ClassDef


def in_classes(lines: Lines) -> list[NumberedLine]:
    """The lines with methods in the last class above them, and no piece of their own."""
    cells = cells_of(lines)
    classes: dict[str, _Class] = {}
    last = ""
    for i, cell in enumerate(cells.pieces):
        nodes = parsed(joined(cell))
        if nodes is None:
            continue
        methods = _methods(nodes, cell, classes, last)
        if methods is None:
            for node in nodes:
                if isinstance(node, ast.ClassDef):
                    classes[node.name] = _Class(i, node)
                    last = node.name
            continue
        name, found = methods
        cells.pieces[i] = []
        for method in found:
            _put(cells, classes[name], cell, method)
    return cells.lines()


def _methods(
    nodes: list[ast.stmt], cell: Lines, classes: dict[str, _Class], last: str
) -> tuple[str, list[ast.FunctionDef]] | None:
    """The class and the methods that a piece adds to it; None if it stands for itself."""
    match nodes:
        case [ast.ClassDef(name=name, body=body)] if name in classes and _is_partial(cell):
            methods = [node for node in body if isinstance(node, ast.FunctionDef)]
            return (name, methods) if len(methods) == len(body) else None
    methods = [node for node in nodes if isinstance(node, ast.FunctionDef) and _has_self(node)]
    others = [node for node in nodes if node not in methods and not _is_ellipsis(node)]
    return (last, methods) if last and methods and not others else None


def _is_partial(cell: Lines) -> bool:
    """Whether a piece is a difference, some lines of which were there before."""
    return 0 < sum(line.is_added for line in cell) < sum(not line.is_blank for line in cell)


def _has_self(node: ast.FunctionDef) -> bool:
    return bool(node.args.args) and node.args.args[0].arg == "self"


def _is_ellipsis(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and node.value.value is ...
    )


def _put(cells: CodePieces, found: _Class, cell: Lines, method: ast.FunctionDef) -> None:
    """Put a method into the class, in place of one of the same name or behind all others.

    One that a difference only repeats stays as it was.
    """
    part = _lines(cell, method)
    piece = cells.pieces[found.piece]
    old = next(
        (
            node
            for node in found.node.body
            if isinstance(node, ast.FunctionDef) and node.name == method.name
        ),
        None,
    )
    shift = STEP * (1 if method.col_offset == 0 else 0)
    new = [
        line if line.is_blank else line.with_text(shift + line.text)
        for line in _lines(cell, method)
    ]
    if old is not None:
        if _is_partial(cell) and not any(line.is_added for line in part):
            return
        if _is_partial(part) or _is_ellipsis(method.body[-1]):
            new = _with_rest(new, method, piece, old)
        start, end = _span(old)
        piece[start:end] = new
    else:
        end = found.node.end_lineno or len(piece)
        piece[end:end] = new
    nodes = parsed(joined(piece)) or []
    name = found.node.name
    found.node = next(
        (node for node in nodes[::-1] if isinstance(node, ast.ClassDef) and node.name == name),
        found.node,
    )


def _with_rest(
    new: list[NumberedLine], method: ast.FunctionDef, piece: Lines, old: ast.FunctionDef
) -> list[NumberedLine]:
    """The lines of a method with those of the old one that follow the last line it shows."""
    shown = [node for node in method.body if not _is_ellipsis(node)]
    if len(shown) < len(method.body):
        new = new[: (shown[-1].end_lineno or 0) - _span(method)[0]] if shown else new[:1]
    if not shown:
        return [*new, *piece[old.body[0].lineno - 1 : old.end_lineno]]
    text = ast.unparse(shown[-1])
    at = next((node.end_lineno for node in old.body if ast.unparse(node) == text), old.end_lineno)
    return [*new, *piece[at or 0 : old.end_lineno]]


def _span(node: ast.FunctionDef) -> tuple[int, int]:
    """The first line of a function with its decorators, and the one after its last, from 0."""
    first = min([node.lineno, *(part.lineno for part in node.decorator_list)])
    return first - 1, node.end_lineno or node.lineno


def _lines(cell: Lines, node: ast.FunctionDef) -> list[NumberedLine]:
    start, end = _span(node)
    return list(cell[start:end])
