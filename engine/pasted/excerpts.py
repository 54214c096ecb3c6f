"""Pieces that cannot run by themselves, as comments; and imports from the future, at the top."""

from __future__ import annotations

import ast
import re

from .cells import BLANK, cells_of
from .lines import Lines, NumberedLine, joined
from .prose import KNOWN
from .statements import bound_by, names_read, parsed

FUTURE = re.compile(r"\s*from __future__ import ")
MOST_NAMES = 4
"""Names that a comment lists."""


def as_comments(lines: Lines) -> list[NumberedLine]:
    """The lines with those pieces as comments that read names which no piece sets."""
    cells = cells_of(lines)
    if len(cells.pieces) < 2:
        return list(lines)
    trees = {i: parsed(joined(piece)) or [] for i, piece in enumerate(cells.pieces)}
    missing: dict[int, list[str]] = {}
    while True:
        kept = {i: tree for i, tree in trees.items() if i not in missing}
        bound = KNOWN.union(*(_set(tree) for tree in kept.values()))
        found = {i: names for i, tree in kept.items() if (names := sorted(_needs(tree) - bound))}
        if not found:
            break
        missing |= found
    for i, names in missing.items():
        cells.pieces[i] = [_reason(names), *map(_comment, cells.pieces[i])]
    return cells.lines() if missing else list(lines)


def _set(tree: list[ast.stmt]) -> set[str]:
    """The names that a piece sets: of functions and classes their own ones alone."""
    blocks = [node for node in tree if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    rest = [node for node in tree if node not in blocks]
    return {node.name for node in blocks} | bound_by(rest)


def _needs(tree: list[ast.stmt]) -> set[str]:
    """The names that are read when the piece runs; those in functions are read later."""
    found: set[str] = set()
    for node in tree:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            found |= names_read(node)
    return found


def _reason(names: list[str]) -> NumberedLine:
    listed = ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
    return NumberedLine(0, f"# Not run, since nothing in the text sets {listed}:")


def _comment(line: NumberedLine) -> NumberedLine:
    is_comment = line.text.startswith("#")
    return line if is_comment else line.with_text(f"# {line.text}".rstrip())


def future_first(lines: Lines) -> list[NumberedLine]:
    """The lines with imports from `__future__` in front of all others, where Python wants them."""
    moved = [line for line in lines if FUTURE.match(line.text)]
    if not moved or all(FUTURE.match(line.text) for line in lines[: len(moved)]):
        return list(lines)
    rest = [line for line in lines if not FUTURE.match(line.text)]
    unique = {line.text.strip(): line.with_text(line.text.strip()) for line in moved}
    return [*unique.values(), BLANK, *rest]
