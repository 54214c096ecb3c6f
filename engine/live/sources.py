"""The text of a class, and what it needs of the module, or the cell, that it stands in."""

from __future__ import annotations
import __future__

import ast
import builtins
import linecache
import typing
from collections.abc import Iterator, Mapping
from textwrap import dedent
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

from engine import parser_lock

MOST = 40
"""Definitions that are followed for one class."""
_FUTURE = __future__.annotations.compiler_flag
FUTURE = "from __future__ import annotations"
LITERAL = 2_000
"""Letters of a collection that is written down."""


class Definition(NamedTuple):
    """A class or function as it is written: its text, first line, file, tree and the globals.

    `flags` are those of the compiler that its file asks for, by `from __future__ import`.
    """

    text: str
    line: int
    file: str
    tree: ast.AST
    names: Mapping[str, Any]
    flags: int


def definition(thing: type | FunctionType, near: Definition | None = None) -> Definition | None:
    """How a class or function is written; None where that cannot be found.

    A class without a function of its own is looked for `near` what names it.
    """
    function = thing if isinstance(thing, FunctionType) else next(_functions(thing), None)
    names: Mapping[str, Any]
    if function is not None:
        code, names = function.__code__, function.__globals__
        file, at, flags = code.co_filename, code.co_firstlineno, code.co_flags
    elif near is not None:
        file, at, flags, names = near.file, 0, near.flags, near.names
    else:
        return None
    lines = linecache.getlines(file, dict(names))
    try:
        tree = parser_lock.module("".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    kinds = (ast.FunctionDef,) if thing is function else (ast.ClassDef,)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and node.name == thing.__name__:
            first = min([node.lineno, *(it.lineno for it in node.decorator_list)])
            if not at or first <= at <= (node.end_lineno or 0):
                text = dedent("".join(lines[first - 1 : node.end_lineno])).rstrip("\n")
                return Definition(text, first, file, node, names, flags & _FUTURE)
    return None


def _functions(kind: type) -> Iterator[FunctionType]:
    """The functions in a class that are written in it."""
    for held in vars(kind).values():
        found = getattr(held, "__func__", getattr(held, "fget", held))
        is_function = isinstance(found, FunctionType)
        if is_function and found.__qualname__.rpartition(".")[0] == kind.__qualname__:
            yield found


class Needs(NamedTuple):
    """The lines that a definition needs, before it and, as only its calls need them, after it."""

    before: list[str]
    after: list[str]


def needs(of: Definition, known: set[str]) -> Needs:
    """What a definition needs of its module, but for the names `known`; they are added to these."""
    first = _names_at_once(of.tree)
    found = Needs([], [])
    for name in sorted(_loaded(of.tree)):
        if name in known or hasattr(builtins, name) or name not in of.names:
            continue
        known.add(name)
        lines = lines_of(name, of.names[name], known, of)
        (found.before if name in first else found.after).extend(lines)
    return found


def _loaded(tree: ast.AST) -> set[str]:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names if isinstance(node.ctx, ast.Load)} - bound


def _names_at_once(tree: ast.AST) -> set[str]:
    """The names that are read when the definition itself is run, before any call."""
    if not isinstance(tree, ast.ClassDef):
        return set()
    parts: list[ast.AST] = [*tree.bases, *tree.keywords, *tree.decorator_list]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            parts += [
                *node.decorator_list,
                *node.args.defaults,
                *filter(None, node.args.kw_defaults),
            ]
            parts += [it.annotation for it in node.args.args if it.annotation is not None]
            parts += [node.returns] if node.returns is not None else []
        else:
            parts.append(node)
    return set().union(*map(_loaded, parts)) if parts else set()


def lines_of(name: str, held: Any, known: set[str], near: Definition | None = None) -> list[str]:
    """The lines that give `name` what it holds; none if that cannot be written."""
    if isinstance(held, ModuleType):
        return [f"import {held.__name__} as {name}" if held.__name__ != name else f"import {name}"]
    if isinstance(held, int | float | str | bool | None):
        return [f"{name} = {held!r}"]
    if isinstance(held, list | dict | set | tuple):
        return [f"{name} = {held!r}"] if _is_literal(held) else []
    module = getattr(held, "__module__", None)
    own = getattr(held, "__name__", name)
    if module == "typing" and not isinstance(
        held, FunctionType
    ):  # of annotations, which say nothing
        return [
            "import typing",
            f"{name} = typing.{own if getattr(typing, own, None) is held else 'Any'}",
        ]
    # What stands beside the class is written, too: its functions ask for the class by its name.
    home = None if near is None else near.names.get("__name__")
    written_here = (None, "__main__", "builtins", home)
    if isinstance(held, BuiltinFunctionType) or module not in written_here:
        return [f"from {module} import {own} as {name}"] if isinstance(module, str) else []
    if isinstance(held, type | FunctionType) and len(known) < MOST:
        written = definition(held, near)
        if written is not None:
            more = needs(written, known)
            return [*more.before, *written.text.split("\n"), *more.after]
    return []


def _is_literal(held: object) -> bool:
    """Whether a collection can be written down: a class may count, or keep its settings, in one."""
    text = repr(held)
    if len(text) > LITERAL:
        return False
    try:
        return bool(ast.literal_eval(text) == held)
    except (ValueError, SyntaxError, RecursionError):
        return text == "set()"
