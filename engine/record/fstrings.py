"""f-strings of a program, as Python 3.12 nests them, read alike by every Python.

Python 3.11 refuses quotation marks of the same kind, backslashes and comments inside the braces.
Later parsers misread a few f-strings: 3.13 cuts the text of `{d["#"]=}` and reads escapes in raw
format specifications, 3.14 keeps some comments in the text of `{x=}`. f-strings are therefore read
here: a placeholder stands for each of them in the text that Python parses, and their fields, which
it parses one by one, are put into the tree.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeAlias, TypeVar

from engine import parser_lock
from engine.parser_lock import Span

from .fstring_scanner import Chunk, FStringCode, FStringField, Literal, Malformed, Part, Scanned
from .positions import Positions, RewrittenCode, syntax_error

ONLY_REFUSES = sys.version_info < (3, 12)
"""Whether Python's parser reads an f-string as it is documented or not at all."""

Tree = TypeVar("Tree", bound=ast.AST)
Piece: TypeAlias = tuple[str, int, int]

_MAY_HOLD = re.compile(r"(?<!\w)(?:f|rf|fr)['\"]", re.IGNORECASE)


def module(text: str) -> ast.Module:
    """Parse a program. Raises as `ast.parse` does, with the same errors on every Python."""
    if not _MAY_HOLD.search(text):
        return parser_lock.module(text)
    if ONLY_REFUSES:
        with suppress(SyntaxError):
            return parser_lock.module(text)
    return _Reader(text).module()


def comments_and_strings(text: str) -> list[tuple[int, int]]:
    """The start and end of each comment and string; an f-string counts as a whole."""
    return Scanned(text).tokens


def first_unreadable(text: str) -> Span | None:
    """The place, up to its line's end, of the first plain string that cannot be read."""
    for start, end in Scanned(text).plain:
        if not _is_readable(text[start:end]):
            line = text.count("\n", 0, start) + 1
            column = start - text.rfind("\n", 0, start)
            return line, column, line, column + len(text[start:end].partition("\n")[0])
    return None


def _is_readable(token: str) -> bool:
    try:
        parser_lock.expression(token)
    except (SyntaxError, ValueError):
        return False
    return True


class _Reader:
    """The tree of a text, from those of its code and of the fields of its f-strings."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.positions = Positions(text)
        self.errors: list[SyntaxError] = []
        self.values: list[list[ast.expr]] = []
        """The parts of each f-string, by its number."""
        self.scanned = Scanned(text)

    def module(self) -> ast.Module:
        """The tree, or the text's first error."""
        self.errors = [self._error(error) for error in self.scanned.errors]
        for literal in self.scanned.literals:
            self.values.append(
                [node for part in literal.parts for node in self._part(part, literal)]
            )
        tree = self._tree(self.scanned.code, parser_lock.module, "", "")
        if self.errors:
            raise min(self.errors, key=lambda error: (error.lineno or 1, error.offset or 1))
        assert tree is not None
        return tree

    def _error(self, error: Malformed) -> SyntaxError:
        return syntax_error(self.positions, error.message, error.start, error.end)

    def _tree(
        self, code: FStringCode, parse: Callable[[str], Tree], before: str, after: str
    ) -> Tree | None:
        """The tree of `code` between two signs; None, and an error noted, if it has none."""
        pieces = [
            (before, code.start, code.start),
            *self._pieces(code),
            (after, code.end, code.end),
        ]
        written = RewrittenCode(self.positions, [piece for piece in pieces if piece[0]])
        try:
            tree = parse(written.text)
        except SyntaxError as error:
            self._note(written.moved(error), code)
            return None
        for node in list(ast.walk(tree)):
            written.move(node)
            if isinstance(node, ast.JoinedStr):
                node.values = self._joined(node.values)
        return tree

    def _note(self, error: SyntaxError, code: FStringCode) -> None:
        """Remember an error, unless it may come from a broken f-string in front of it."""
        broken = next((literal for literal in code.literals if literal.is_broken), None)
        if broken is not None:
            line, column = self.positions.character(broken.start)
            if (error.lineno or 1, error.offset or 1) >= (line, column + 1):
                return
        self.errors.append(error)

    def _pieces(self, code: FStringCode) -> Iterator[Piece]:
        """`code` with placeholders in place of f-strings."""
        done = code.start
        for literal in code.literals:
            if literal.start > done:
                yield self.text[done : literal.start], done, literal.start
            placeholder = f'f"{{{literal.number}}}"' if literal.is_closed else literal.quote
            yield placeholder, literal.start, literal.end
            done = literal.end
        yield self.text[done : code.end], done, code.end

    def _joined(self, values: list[ast.expr]) -> list[ast.expr]:
        """The parts of neighbouring strings, with those of f-strings for their placeholders."""
        parts: list[ast.expr] = []
        for value in values:
            if isinstance(value, ast.FormattedValue) and isinstance(value.value, ast.Constant):
                parts += self.values[value.value.value]  # type: ignore[index]  # a placeholder's
            else:
                parts.append(value)
        return _merged(parts)

    def _part(self, part: Part, literal: Literal) -> Iterator[ast.expr]:
        """The nodes of a part: text, a field, or a field with the text that `=` shows."""
        if isinstance(part, Chunk):
            yield self._placed(ast.Constant(self._text_of(part, literal)), part.start, part.end)
            return
        if part.shown is not None:
            shown = self._shown(part, part.shown)
            yield self._placed(ast.Constant(shown), part.start + 1, part.shown)
        yield self._field(part, literal)

    def _text_of(self, chunk: Chunk, literal: Literal) -> str:
        """What `chunk` means, with its escapes read."""
        text = self.text[chunk.start : chunk.end]
        if literal.raw or "\\" not in text:
            return text
        try:  # a full stop, so that neither a quotation mark nor a backslash is the last sign
            node = parser_lock.expression(f"{literal.quote}{text}.{literal.quote}")
        except SyntaxError as error:
            message = error.msg or ""
            self.errors.append(syntax_error(self.positions, message, literal.start, literal.end))
            return ""
        assert isinstance(node, ast.Constant)
        return str(node.value)[:-1]

    def _shown(self, part: FStringField, end: int) -> str:
        """The text of a field up to and around its `=`, without comments."""
        pieces, done = [], part.code.start
        for start, after in part.code.comments:
            pieces.append(self.text[done:start])
            done = after
        return "".join(pieces) + self.text[done:end]

    def _field(self, part: FStringField, literal: Literal) -> ast.expr:
        spec = None
        if part.spec is not None:
            values = [node for piece in part.spec for node in self._part(piece, literal)]
            spec = self._placed(ast.JoinedStr(_merged(values)), part.colon, part.end - 1)
        is_shown = part.shown is not None and part.conversion == -1 and spec is None
        conversion = ord("r") if is_shown else part.conversion
        node = ast.FormattedValue(self._expression(part.code), conversion, spec)
        return self._placed(node, part.start, part.end)

    def _expression(self, code: FStringCode) -> ast.expr:
        """The tree of a field's code; the brackets around it let it go over lines."""
        code.end = code.start + len(self.text[code.start : code.end].rstrip())
        for start, end in reversed(code.comments):
            if end == code.end:
                code.end = code.start + len(self.text[code.start : start].rstrip())
        text = self.text[code.start : code.end]
        code.start += len(text) - len(text.lstrip())
        return self._tree(code, parser_lock.expression, "(", "\n)") or ast.Constant(None)

    def _placed(self, node: ast.expr, start: int, end: int) -> ast.expr:
        node.lineno, node.col_offset = self.positions.place(start)
        node.end_lineno, node.end_col_offset = self.positions.place(end)
        return node


def _merged(values: list[ast.expr]) -> list[ast.expr]:
    """`values` with neighbouring texts as one, and without empty ones."""
    merged: list[ast.expr] = []
    for value in values:
        last = merged[-1] if merged else None
        if isinstance(value, ast.Constant) and isinstance(last, ast.Constant):
            text = f"{last.value!s}{value.value!s}"
            merged[-1] = joined = ast.Constant(text)
            ast.copy_location(joined, last)
            joined.end_lineno, joined.end_col_offset = value.end_lineno, value.end_col_offset
        elif not isinstance(value, ast.Constant) or value.value:
            merged.append(value)
    return merged
