"""The text of a program before it runs: what may stand in it, where things are, what is refused.

Every refusal is a `ProgramError` with the place and what to do. Lines and columns count from 1 and
in characters; the end of a span is the first column after it.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, NoReturn, TypeAlias, TypeVar, cast

from engine import parser_lock
from engine.parser_lock import Span

from . import notebook, syntax_errors
from .gradient_names import gradients_in
from .tokens import comments_and_strings
from .tree import SHAPES, NodePlace, assignments_in, by_place, parents_in, with_depth

__all__ = ["Limits", "ProgramError", "Source", "Span", "clean", "place", "printable"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one program. Each field's name is what messages and settings call it."""

    program_bytes: int = 65_536
    nesting: int = 140
    syntax_nodes: int = 40_000
    recorded: int = 150_000
    values: int = 10_000
    writes: int = 10_000
    printed_lines: int = 2_000
    line_length: int = 10_000
    seconds: float = 5.0


class ProgramError(Exception):
    """A program that is refused, with the place and a way out.

    `line`, `column`, `end_line`, `end_column` are the span; `hint` says what to write instead.
    `printed` are the lines printed before, `traceback` those of Python for an exception.
    """

    def __init__(
        self,
        message: str,
        span: Span = (1, 1, 1, 2),
        hint: str = "",
        printed: Sequence[str] = (),
        traceback: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line, self.column, self.end_line, self.end_column = span
        self.hint = hint
        self.printed, self.traceback = tuple(printed), tuple(traceback)
        self.mistakes: tuple[Any, ...] = ()
        """The mistakes in the program's own class that ended it."""

    @property
    def sentences(self) -> str:
        """The message and the hint, as one text."""
        end = "" if not self.hint or self.message.endswith((".", "?", "!")) else "."
        return f"{self.message}{end} {self.hint}".strip()

    @property
    def span(self) -> Span:
        return self.line, self.column, self.end_line, self.end_column


Part = TypeVar("Part", bound=ast.AST)
Parse: TypeAlias = Callable[[str], ast.Module]
"""Reads a program as `ast.parse` does. Raises SyntaxError and what else a parser raises."""
NAME_LENGTH = 64
PARSED = 1000
"""Levels that every supported Python parses; 3.11 gives up first, below 2,979."""


class Source:
    """A program's text, cleaned, with its lines and its syntax tree."""

    def __init__(self, text: str, limits: Limits, parse: Parse = parser_lock.module) -> None:
        self.text = clean(text, limits)
        self.lines = self.text.split("\n")
        self._starts: dict[int, list[int]] = {}
        self._spans: dict[ast.AST, Span] = {}
        self.code, self.tree = _read(self.text, limits.nesting, parse)
        self.parts = _check_tree(self, limits)
        """The tree's nodes that have a place, by their types: its searches need no walk."""

    @cached_property
    def cells(self) -> list[int]:
        """The lines at which a cell of a notebook begins."""
        return notebook.cells_of(self.text)

    @cached_property
    def gradients(self) -> frozenset[str]:
        """The names under which objects of the program keep gradients."""
        return gradients_in(self.tree)

    @cached_property
    def stores_gradients(self) -> bool:
        """Whether the program sets a gradient of an object under one of these names."""
        return any(
            node.attr in self.gradients
            and not isinstance(node.ctx, ast.Load)
            and not _is_list(self.assignments.get(node))
            for node in self.each(ast.Attribute)
        ) or any(
            isinstance(node.target, ast.Name) and node.target.id in self.gradients
            for node in self.each(ast.AnnAssign)
        )

    @cached_property
    def nodes(self) -> dict[NodePlace, ast.AST]:
        """The nodes by their type and place, as records name them; the first of several."""
        return by_place(self.tree, self.parts)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node."""
        return parents_in(self.tree)

    @cached_property
    def assignments(self) -> dict[ast.AST, ast.AST]:
        """The assignment that each attribute is a target of."""
        return assignments_in(chain(*map(self.each, (ast.Assign, ast.AugAssign, ast.AnnAssign))))

    @cached_property
    def computed(self) -> frozenset[ast.AST]:
        """The targets of assignments of more than a constant."""
        return frozenset(
            target
            for node in self.each(ast.Assign)
            if not isinstance(node.value, ast.Constant)
            for target in node.targets
        )

    def each(self, kind: type[Part]) -> list[Part]:
        """The nodes of this type, as they stand in the text."""
        return cast("list[Part]", self.parts.get(kind, []))

    def span(self, node: ast.AST) -> Span:
        """Where `node` stands; the tree counts columns in bytes, people in characters."""
        found = self._spans.get(node)
        if found is None:
            found = self._spans[node] = self._span(node)
        return found

    def _span(self, node: ast.AST) -> Span:
        if isinstance(node, ast.FormattedValue):  # its place is the whole f-string's in Python 3.11
            node = node.value
        line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", None) or 1
        start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None) or 1
        return line, self._column(line, start), end_line, self._column(end_line, end)

    def text_of(self, node: ast.AST, length: int = 40) -> str:
        """The text at `node` on one line, cut to `length` characters."""
        line, column, end_line, end_column = self.span(node)
        taken = self.lines[line - 1 : end_line]
        taken[-1] = taken[-1][: end_column - 1]
        taken[0] = taken[0][column - 1 :]
        text = " ".join(" ".join(taken).split())
        return text if len(text) <= length else f"{text[: length - 1]}…"

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1]
        offset += len(text[: self.code.cuts.get(line, 0)].encode())
        if text.isascii():
            return 1 + min(offset, len(text))  # `pass` may stand for a shorter command
        if line not in self._starts:
            sizes = (len(character.encode()) for character in text)
            self._starts[line] = list(accumulate(sizes, initial=0))
        return bisect_right(self._starts[line], offset)


def clean(text: str, limits: Limits) -> str:
    """`text` with line ends as newlines, or ProgramError for what no program may hold."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise ProgramError(
            "Half a character (a lone surrogate) stands here.",
            place(text, error.start),
            "Delete it.",
        ) from None
    if size > limits.program_bytes:
        raise ProgramError(
            f"The program has {size:,} bytes; at most {limits.program_bytes:,} are read.",
            place(text, min(len(text) - 1, limits.program_bytes)),
            "Shorten it, or write a loop instead of repeated lines.",
        )
    if not text.strip():
        raise ProgramError(
            "There is nothing here yet.",
            (1, 1, 1, 2),
            "Type an expression, such as L = (a*b + c) * f.",
        )
    _check_characters(text)
    return text


def printable(text: str) -> str:
    """`text` with U+FFFD for what no page can show, or what reorders the text around it.

    These are control characters, lone surrogates, line separators and bidirectional controls. They
    come from escapes such as "\\x00", which are plain letters in the program itself.
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"
    r"\ud800-\udfff\ufffe\uffff]"
)


_REORDERING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""The bidirectional classes of characters that reorder what stands around them (UAX #9)."""


_UNUSUAL = re.compile(r"[^\t\n\x20-\x7f]")


def _check_characters(text: str) -> None:
    """Raises ProgramError for characters that are no part of any program.

    Format characters, such as a zero-width space, may stand in comments and strings, unless they
    reorder the line.
    """
    formats = []
    for found in _UNUSUAL.finditer(text):
        index, character = found.start(), found[0]
        if unicodedata.category(character) == "Cf" and not _reorders(character):
            formats.append(index)
        else:
            _check_character(text, index, character)
    if not formats:
        return
    quoted = {i for span in comments_and_strings(text) for i in range(*span)}
    for index in formats:
        if index not in quoted:
            _check_character(text, index, text[index])


def _reorders(character: str) -> bool:
    return unicodedata.bidirectional(character) in _REORDERING or character in _DIRECTION_MARKS


_DIRECTION_MARKS = "\u061c\u200e\u200f"


def _check_character(text: str, index: int, character: str) -> None:
    kind = unicodedata.category(character)
    if (
        character in "\t\n"
        or kind[0] in "LMN"
        or kind in ("Sm", "So", "Sc", "Pd", "Po", "Ps", "Pe", "Pi", "Pf")
    ):
        return
    if kind == "Zs" or kind == "Sk" or kind == "Pc":
        return
    name = unicodedata.name(character, "a control character").lower()
    raise ProgramError(
        f"An invisible character stands here: U+{ord(character):04X}, {name}.",
        place(text, index),
        "Delete it; it can hide or reorder what the program says.",
    )


def place(text: str, start: int, end: int | None = None) -> Span:
    """The span of text[start:end] (one character if `end` is left out)."""
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    return line, column, line, column + ((end or start + 1) - start)


def _is_list(assignment: ast.AST | None) -> bool:
    return isinstance(getattr(assignment, "value", None), ast.List | ast.Dict)


def _read(text: str, nesting: int, parse: Parse) -> tuple[notebook.Code, ast.Module]:
    """The Python of `text` and its tree; what was copied from a notebook is cleared of the rest."""
    code = notebook.Code(text, {}, [])
    if not notebook.has_prompts(text):
        try:
            return code, _parse(code, text, nesting, parse)
        except ProgramError:
            code = notebook.python_of(text)
            if code.text == text:
                raise
    else:
        code = notebook.python_of(text)
    return code, _parse(code, text, nesting, parse)


def _parse(code: notebook.Code, text: str, nesting: int, parse: Parse) -> ast.Module:
    """The tree of `code`; places in a ProgramError are those of `text`, which it was made from."""
    try:
        return parse(code.text)
    except SyntaxError as error:
        message, span, hint = syntax_errors.explained(error, code.text)
        raise ProgramError(message, _in_original(span, code, text), hint) from None
    except (RecursionError, MemoryError):
        raise _too_deep(nesting) from None
    except ValueError:
        raise ProgramError("This cannot be read.") from None


def _in_original(span: Span, code: notebook.Code, text: str) -> Span:
    """`span` of `code` in `text`: past what was cut off, and never past the end of a line."""
    lines = text.split("\n")
    line, column, end_line, end_column = span
    column = min(column + code.cuts.get(line, 0), len(lines[line - 1]) + 1)
    end_column = min(end_column + code.cuts.get(end_line, 0), len(lines[end_line - 1]) + 1)
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    return line, column, end_line, end_column


def _too_deep(nesting: int) -> ProgramError:
    """The refusal of a text that is too deep for some Python's parser, or would be."""
    return ProgramError(
        f"This is nested too deeply: at most {nesting} levels are read.",
        hint="Name the parts on lines of their own.",
    )


def _check_tree(source: Source, limits: Limits) -> dict[type[ast.AST], list[ast.AST]]:
    """Refuse a tree that is too deep or too large, and names that are too long or reserved.

    Returns its nodes by their types. Texts become printable here, once, since a loop may read them
    many times.
    """
    parts: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    for count, (node, depth) in enumerate(with_depth(source.tree), 1):
        if depth > limits.nesting or count > limits.syntax_nodes:
            _refuse_size(source, limits, node, depth)
        kind = type(node)
        parts[kind].append(node)
        if kind is ast.Constant:
            if isinstance(node.value, str):  # type: ignore[attr-defined]
                node.value = printable(node.value)  # type: ignore[attr-defined]
            continue
        for field in SHAPES[kind].names:
            name = getattr(node, field, None)
            if isinstance(name, str) and len(name) > NAME_LENGTH:
                raise _too_long(source, node, name)
    _check_future(source)
    return dict(parts)


def _check_future(source: Source) -> None:
    """Refuse an import from `__future__` behind other statements, as Python's compiler does."""
    is_first = True
    for i, node in enumerate(source.tree.body):
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if is_future and not is_first:
            raise ProgramError(
                "Imports from __future__ stand at the beginning of a program.",
                source.span(node),
                "Move this line to the top.",
            )
        is_first &= is_future or (i == 0 and ast.get_docstring(source.tree) is not None)


def _refuse_size(source: Source, limits: Limits, node: ast.AST, depth: int) -> NoReturn:
    """Refuse a tree for `node`, the first one that is too deep or one too many."""
    if max(depth for _, depth in with_depth(source.tree)) > PARSED:
        raise _too_deep(limits.nesting)
    if depth > limits.nesting:
        raise ProgramError(
            f"This is nested {depth} levels deep; at most {limits.nesting} are read.",
            source.span(node),
            "Name the parts on lines of their own.",
        )
    pieces = sum(1 for _ in with_depth(source.tree))
    raise ProgramError(
        f"The program has {pieces:,} pieces of syntax; at most {limits.syntax_nodes:,} are read.",
        source.span(node),
        "Write a loop instead of repeated lines.",
    )


def _too_long(source: Source, node: ast.AST, name: str) -> ProgramError:
    return ProgramError(
        f"The name {name[:20]}… has {len(name):,} letters; at most {NAME_LENGTH} are read.",
        source.span(node),
        "Choose a shorter name.",
    )
