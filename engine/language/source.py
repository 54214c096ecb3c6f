"""The text of a program before it runs: what may stand in it, where things are, what is refused.

Every refusal is a `ProgramError` with the place and what to do. Lines and columns count from 1 and
in characters; the end of a span is the first column after it.
"""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from engine import syntax
from engine.ops import OPS

Span: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one program. Each field's name is what messages and settings call it."""

    program_bytes: int = 16_384
    nesting: int = 140
    syntax_nodes: int = 10_000
    operations: int = 250_000
    values: int = 10_000
    printed_lines: int = 500


class ProgramError(Exception):
    """A program that is refused, with the place and a way out.

    `line`, `column`, `end_line`, `end_column` are the span; `hint` says what to write instead.
    """

    def __init__(self, message: str, span: Span = (1, 1, 1, 2), hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line, self.column, self.end_line, self.end_column = span
        self.hint = hint

    @property
    def span(self) -> Span:
        return self.line, self.column, self.end_line, self.end_column


NAME_LENGTH = 64
NUMBER_LENGTH = 310
_LONG_NUMBER = re.compile(rf"(?<![\w.])\d\w{{{NUMBER_LENGTH},}}")

_LOOKALIKES = {
    "×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "∕": "/", "−": "-", "–": "-", "—": "-",
    "‘": "'", "’": "'", "“": '"', "”": '"', "²": "**2", "³": "**3", "√": "sqrt(…)",
    "≤": "<=", "≥": ">=", "≠": "!=", "←": "=", "π": "math.pi",
}  # fmt: skip


class Source:
    """A program's text, cleaned, with its lines and its syntax tree."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text = clean(text, limits)
        self.lines = self.text.split("\n")
        self._starts: dict[int, list[int]] = {}
        self.tree = _parse(self.text, self.lines, limits.nesting)
        _check_tree(self, limits)

    def span(self, node: ast.AST) -> Span:
        """Where `node` stands; the tree counts columns in bytes, people in characters."""
        line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", None) or 1
        start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None) or 1
        return line, self._column(line, start), end_line, self._column(end_line, end)

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1]
        if text.isascii():
            return 1 + offset
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
    for index, character in enumerate(text):
        if not character.isascii() or ord(character) < 32:
            _check_character(text, index, character)
    if long := _LONG_NUMBER.search(text):
        raise ProgramError(
            f"This number has {long.end() - long.start():,} digits; "
            f"64-bit floats end at about 1.8e308.",
            place(text, long.start(), long.end()),
            "Write it shorter, such as 1e300.",
        )
    return text


def printable(text: str) -> str:
    """`text` with a sign in place of what no page can show: control characters, half characters.

    They come from escapes such as "\\x00", which are plain letters in the program itself.
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


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


def _parse(text: str, lines: list[str], nesting: int) -> ast.Module:
    try:
        return syntax.module(text)
    except SyntaxError as error:
        raise _syntax_error(error, lines) from None
    except (RecursionError, MemoryError):
        raise ProgramError(
            f"This is nested too deeply: at most {nesting} levels are read.",
            hint="Name the parts on lines of their own.",
        ) from None
    except ValueError as error:
        raise ProgramError(f"This cannot be read: {error}.") from None


def _syntax_error(error: SyntaxError, lines: list[str]) -> ProgramError:
    line = min(max(error.lineno or 1, 1), len(lines))
    text = lines[line - 1]
    column = min(max(error.offset or 1, 1), len(text) + 1)
    end_line, end_column = error.end_lineno or line, error.end_offset or 0
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    message = (error.msg or "this cannot be read").removesuffix(".")
    about = f"{text.partition('#')[0]}\n{message}"
    found = ((re.search(pattern, about), hint) for pattern, hint in _SYNTAX_HINTS)
    hints = (match.expand(hint) for match, hint in found if match)
    hint = next(hints, "Check the brackets and signs around here.")
    for character in text[column - 1 : end_column - 1] + text:
        if character in _LOOKALIKES:
            column = text.index(character) + 1
            end_line, end_column = line, column + 1
            hint = f"Write {_LOOKALIKES[character]} instead of {character}."
            break
    message = re.split(r"\. (?:Maybe|Perhaps) ", message)[0]
    message = _IN_OUR_WORDS.get(message, message[0].upper() + message[1:])
    return ProgramError(f"{message}.", (line, column, end_line, end_column), hint)


_IN_OUR_WORDS = {"invalid decimal literal": "A name cannot begin with a digit"}
_KEYWORD = rf"(?:{'|'.join(keyword.kwlist)})\b"
_FUNCTION = "|".join(name for name, op in OPS.items() if op.is_word)
_SYNTAX_HINTS: tuple[tuple[str, str], ...] = (
    (r"^\s*>>> ", "Remove the >>> in front of each line."),
    (r"^\s*(In|Out) ?\[\d*\]:", "Remove the notebook's In [ ]: in front of the line."),
    (r"^\s*[%!]", "Remove this line; it is a command to a notebook."),
    (r"Missing parentheses in call to 'print'", "Write print(…)."),
    (r"never closed", "Close the bracket that was opened here."),
    (r"unmatched", "Remove it, or open the bracket that it closes."),
    (r"unexpected indent|unindent", "Begin the line where the line above begins."),
    (r"expected an indented block", "Indent this line by four spaces."),
    (r"inconsistent use of tabs", "Indent with spaces only."),
    (r"unterminated string|EOF while scanning", "Close the quotation mark."),
    (r"\|.*\|", "Write abs(x) for the absolute value."),
    (r"(?<![\w.])([\d.]+)(?!e\d)([^\W\d]\w*).*\ninvalid decimal", r"Write \1*\2 for a product."),
    (r"invalid decimal literal", "Write 2*x for 2x."),
    (r"^\s*(let|var|const) +(\w+ *=[^\n]{1,60})\n", r"Write \2 without \1."),
    (r"^\s*([\d.]+) *= *([^\W\d]\w*) *\n", r"Only a name can stand left of =: \2 = \1."),
    (r"^\s*(?:if|elif|assert)\b.*\n.*Maybe you meant '=='", "Write == to compare."),
    (r"Maybe you meant '=='|cannot assign", "Only a name can stand left of =."),
    (r"expected ':'", "End the line with a colon."),
    (r"non-printable|invalid character", "Delete it, or write a letter from the keyboard."),
    (r"too many nested", "Name the parts on lines of their own."),
    (r"(\*\*|[-+*/%=<>]) *\n", r"Something is missing after \1."),
    (rf"\b({_FUNCTION}) +([\w.]+)", r"Write \1(\2)."),
    (
        rf"^[^'\"\n]*?(?<![\w.])(?!{_KEYWORD})(\w+) +(?!{_KEYWORD})([^\W\d]\w*).*\ninvalid",
        r"Write \1*\2 for a product.",
    ),
)


def _check_tree(source: Source, limits: Limits) -> None:
    """Refuse a tree that is too deep or too large, and names that are too long or reserved.

    Texts become printable here, once, since a loop may read them many times.
    """
    for count, (node, depth) in enumerate(_with_depth(source.tree), 1):
        if depth > limits.nesting:
            raise ProgramError(
                f"This is nested {depth} levels deep; at most {limits.nesting} are read.",
                source.span(node),
                "Name the parts on lines of their own.",
            )
        if count > limits.syntax_nodes:
            pieces = sum(1 for _ in _with_depth(source.tree))
            raise ProgramError(
                f"The program has {pieces:,} pieces of syntax; at most {limits.syntax_nodes:,} "
                "are read.",
                source.span(node),
                "Write a loop instead of repeated lines.",
            )
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = printable(node.value)
        for field in ("id", "arg", "asname", "name", "attr"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                _check_name(source, node, name, reserved=field not in ("name", "attr"))


def _check_name(source: Source, node: ast.AST, name: str, *, reserved: bool) -> None:
    if len(name) > NAME_LENGTH:
        raise ProgramError(
            f"The name {name[:20]}… has {len(name):,} letters; at most {NAME_LENGTH} are read.",
            source.span(node),
            "Choose a shorter name.",
        )
    if reserved and name.startswith("__") and name.endswith("__") and name != "__name__":
        raise ProgramError(
            f"{name} is reserved.",
            source.span(node),
            "Choose a name without double underscores.",
        )


def _with_depth(tree: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """Every node with a place, with its depth; in no recursion, since the tree may be deep."""
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        placed = "lineno" in node._attributes
        if placed:
            yield node, depth
        inside = depth + 1 if placed or depth == 0 else depth
        children: list[tuple[ast.AST, int]] = []
        for field in node._fields:  # not ast.iter_child_nodes, which takes three times as long
            value = getattr(node, field, None)
            if isinstance(value, list):
                children += [(child, inside) for child in value if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, _MARKS):
                children.append((value, inside))
        stack += reversed(children)


_MARKS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop)
"""Parts of a tree that are neither deep nor anywhere."""
