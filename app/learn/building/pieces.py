"""Pieces of an engine: definitions that are put into the reader's text, whose rest stays.

A piece is a text of functions, classes and methods. One that is there already is replaced, another
one is added at the end of its class, or of the text. Seegrad's own carry a comment that says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine import parser_lock

MARK = "# Seegrad's piece"
"""The comment above a definition that the reader has left to us."""
_MARKED = re.compile(rf"^[ \t]*{re.escape(MARK)}.*\n", re.MULTILINE)
_Definition = ast.FunctionDef | ast.ClassDef


class DefinitionLines(NamedTuple):
    """The lines of a definition in a text, from 0, its end left out."""

    start: int
    end: int


def definitions(text: str) -> Mapping[str, DefinitionLines]:
    """The places of a text's functions, classes and methods by their names, such as `Value.exp`.

    Empty for a text that is no Python. The line of a mark belongs to what is below it.
    """
    try:
        tree = parser_lock.module(text)
    except SyntaxError:
        return {}
    lines = text.split("\n")
    return {name: _place(node, lines) for name, node in _named(tree)}


def _named(tree: ast.Module) -> Iterator[tuple[str, _Definition]]:
    for node in tree.body:
        if isinstance(node, _Definition):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    yield f"{node.name}.{part.name}", part


def _place(node: _Definition, lines: list[str]) -> DefinitionLines:
    first = min([node.lineno, *[it.lineno for it in node.decorator_list]]) - 1
    is_marked = first > 0 and MARK in lines[first - 1]
    return DefinitionLines(first - is_marked, node.end_lineno or node.lineno)


def marked(text: str) -> frozenset[str]:
    """The names of the definitions that carry the mark."""
    lines = text.split("\n")
    return frozenset(
        name for name, place in definitions(text).items() if MARK in lines[place.start]
    )


def with_piece(text: str, piece: str, *, is_ours: bool) -> str:
    """A text with the definitions of a piece; where they are `is_ours`, those of the text give way.

    Imports of the piece come first. A text that is no Python is left as it is.
    """
    for name, body in _parts(piece):
        known = definitions(text)
        if text.strip() and not known and not _is_python(text):
            return text
        if name in known and (not is_ours or body.startswith("class ")):
            continue
        text = _put(text, name, _with_mark(body) if is_ours else body, known)
    return _with_imports(text, piece)


def _is_python(text: str) -> bool:
    try:
        parser_lock.module(text)
    except SyntaxError:
        return False
    return True


def _parts(piece: str) -> Iterator[tuple[str, str]]:
    """The definitions of a piece by name; of a class first its head, then each method."""
    lines = piece.strip("\n").split("\n")
    tree = parser_lock.module(piece.strip("\n"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name, f"{lines[node.lineno - 1]}\n    pass"
        for name, part in _named(ast.Module([node], [])):
            if isinstance(part, ast.FunctionDef):
                yield name, "\n".join(lines[part.lineno - 1 : part.end_lineno])


def _with_mark(body: str) -> str:
    if body.startswith("class "):
        return body
    indent = body[: len(body) - len(body.lstrip())]
    return f"{indent}{MARK}\n{body}"


def _put(text: str, name: str, body: str, known: Mapping[str, DefinitionLines]) -> str:
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    new = body.split("\n")
    owner = name.rpartition(".")[0]
    if name in known:
        start, end = known[name]
        lines[start:end] = new
    elif owner in known:
        lines = _appended(lines, known[owner], new)
    else:
        lines += [*([""] * 2 if lines else []), *new]
    return "\n".join(lines) + "\n"


def _appended(lines: list[str], owner: DefinitionLines, new: list[str]) -> list[str]:
    """A method at the end of its class; `pass` alone gives way to it."""
    inside = lines[owner.start : owner.end]
    head = next(k for k, line in enumerate(inside) if line.lstrip().startswith("class "))
    body = [line for line in inside[head + 1 :] if line.strip()]
    if all(line.strip() in ("pass", "...") for line in body):
        kept = inside[: head + 1]
    else:
        kept = [*inside, ""]
    return [*lines[: owner.start], *kept, *new, *lines[owner.end :]]


def _with_imports(text: str, piece: str) -> str:
    """The text with what the piece imports and it does not."""
    needed = [
        line
        for line in piece.strip("\n").split("\n")
        if line.startswith("import ") and not re.search(rf"^{line}\b", text, re.MULTILINE)
    ]
    if not needed:
        return text
    gap = "" if text.startswith("import ") else "\n\n"
    return "\n".join(needed) + "\n" + gap + text.lstrip("\n")


def without_marks(text: str) -> str:
    """A text without the comments that say whose a definition is."""
    return _MARKED.sub("", text)
