"""Statements in a text that may hold prose: which lines are one, and what they bind and read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.parser_lock import module

from .lines import Lines

LONGEST = 120
"""Lines of one statement."""
LONGEST_LINE = 2_000
"""Letters of a line that may be code."""
_LATER = re.compile(r"(?:else\b|elif\b|except\b|finally\b)")
STRINGS = re.compile(
    r"\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*",
    re.DOTALL,
)
_TRY = re.compile(r"try\s*:\s*(?:#.*)?")
_QUOTES = re.compile("\"\"\"|'''")
_HEADED = (
    ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.For | ast.While | ast.If | ast.With
)  # fmt: skip
GRADIENTS = "a gradient"
"""What `x.backward()` sets and `x.grad` reads, as if it were a name: no identifier has a space."""


@dataclass(slots=True)
class PastedStatement:
    """A statement without its indentation, from line `first` up to `end`, counted from 0.

    That of a block is its header alone. `opens` is the type of the block, "" for none; `later` the
    word of a further clause, such as `else`.
    """

    first: int
    end: int
    text: str
    nodes: list[ast.stmt]
    opens: str = ""
    later: str = ""
    binds: frozenset[str] = field(default_factory=frozenset)
    reads: frozenset[str] = field(default_factory=frozenset)

    @property
    def function(self) -> ast.FunctionDef | None:
        """The function that it defines, or begins to."""
        node = self.nodes[0] if self.nodes else None
        return node if isinstance(node, ast.FunctionDef) else None

    @property
    def is_method(self) -> bool:
        """Whether that is a function whose first parameter is called self, or cls."""
        args = self.function.args.args if self.function else []
        return bool(args) and args[0].arg in ("self", "cls")


def statement_at(lines: Lines, first: int) -> PastedStatement | None:
    """The statement that begins at this line, indented or not; None if none does."""
    text = lines[first].text.strip()
    if not text or len(text) > LONGEST_LINE:
        return None
    end = _end(lines, first)
    if not end:
        return None
    rest = [line.text for line in lines[first + 1 : end]]
    return _read("\n".join([text, *rest]), first, end)


def is_statement(text: str) -> bool:
    """Whether a line is a statement, or begins one."""
    text = text.strip()
    return bool(text) and (_balance(STRINGS.sub("", text)) > 0 or _read(text, 0, 1) is not None)


def _end(lines: Lines, first: int) -> int:
    """The line after the last one of a statement, by its brackets and quotes; 0 if too far away."""
    depth, quote = 0, ""
    for i in range(first, min(len(lines), first + LONGEST)):
        code, quote = _code(lines[i].text, quote)
        depth += _balance(code)
        if depth <= 0 and not quote and not code.endswith("\\"):
            return i + 1
    return 0


def _code(text: str, quote: str) -> tuple[str, str]:
    """A line without strings and comments, and the triple quotes that are open at its end."""
    if quote:
        _, closing, text = text.partition(quote)
        if not closing:
            return "", quote
    code = STRINGS.sub("", text)
    opened = _QUOTES.search(code)
    return (code[: opened.start()], opened[0]) if opened else (code, "")


def _balance(code: str) -> int:
    return sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))


def parsed(text: str) -> list[ast.stmt] | None:
    """The statements of `text`; None if it has none, or is no Python."""
    try:
        return module(text).body or None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _read(text: str, first: int, end: int) -> PastedStatement | None:
    nodes = parsed(text)
    if nodes is None:
        return _header(text, first, end)
    return PastedStatement(first, end, text, nodes, "", "", bound_by(nodes), _read_names(nodes))


def _header(text: str, first: int, end: int) -> PastedStatement | None:
    """The header of a block, or a decorator, which are no statements by themselves."""
    if text.startswith("@"):
        is_read = parsed(f"{text}\ndef f(): pass") is not None
        return PastedStatement(first, end, text, [], "@") if is_read else None
    if not STRINGS.sub("", text).rstrip().endswith(":"):
        return None
    if later := _LATER.match(text):
        before = "try" if later[0] in ("except", "finally") else "if 0"
        nodes = parsed(f"{before}:\n pass\n{text}\n pass")
        reads = _read_names(nodes or [])
        none: frozenset[str] = frozenset()
        clause = PastedStatement(first, end, text, [], later[0], later[0], none, reads)
        return clause if nodes else None
    if _TRY.fullmatch(text):
        return PastedStatement(first, end, text, [], "try")
    nodes = parsed(f"{text}\n pass")
    if not nodes or not isinstance(nodes[0], _HEADED):
        return None
    names = bound_by(nodes), _read_names(nodes)
    return PastedStatement(first, end, text, nodes, _word(nodes[0]), "", *names)


def _word(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return "def"
        case ast.ClassDef():
            return "class"
        case _:
            return type(node).__name__.lower()


def bound_by(nodes: list[ast.stmt]) -> frozenset[str]:
    """The names that statements bind; of a function, its parameters as well."""
    return frozenset(name for node in nodes for name in _names_bound(node))


def _names_bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
            yield from (part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg))
        case ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.Call(func=ast.Attribute(attr="backward" | "zero_grad")):
            yield GRADIENTS
    if not isinstance(
        node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda
    ):
        for child in ast.iter_child_nodes(node):
            yield from _names_bound(child)


def _read_names(nodes: list[ast.stmt]) -> frozenset[str]:
    """The names that statements read, less those that they bind within a comprehension."""
    return frozenset(name for node in nodes for name in names_read(node))


def names_read(node: ast.AST) -> set[str]:
    """The names that a piece of syntax reads from outside of it."""
    found: set[str] = set()
    own: set[str] = set()
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return {name}
        case ast.AugAssign(target=ast.Name(id=name)):
            found.add(name)
        case ast.Attribute(attr="grad", ctx=ast.Load()):
            found.add(GRADIENTS)
        case ast.Attribute(attr="step"):
            found.add(GRADIENTS)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            own = {name for each in node.generators for name in _names_bound(each.target)}
        case ast.Lambda() | ast.FunctionDef():
            own = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
            own |= {name for part in _body(node) for name in _names_bound(part)}
    for child in ast.iter_child_nodes(node):
        found |= names_read(child)
    return found - own


def _body(node: ast.Lambda | ast.FunctionDef) -> list[ast.stmt]:
    return node.body if isinstance(node, ast.FunctionDef) else []
