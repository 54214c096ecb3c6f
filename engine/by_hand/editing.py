"""A statement that computes a gradient, and changes of its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from engine.parser_lock import Span
from engine.record.source import Source

_PLAIN = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant


class TriedChange(NamedTuple):
    """A text in place of what stands at a span, and the kind of mistake that it would fix.

    `told` fills the words of the kind, and `line` is the one to blame, 0 for that of the span.
    """

    kind: str
    span: Span
    text: str
    told: str = ""
    line: int = 0


class GradientLine:
    """One statement of a program."""

    def __init__(self, source: Source, node: ast.stmt) -> None:
        self.source, self.node = source, node
        self.span = source.span(node)

    @property
    def line(self) -> int:
        return self.node.lineno

    @cached_property
    def value(self) -> ast.expr | None:
        """What is assigned, returned or called."""
        return getattr(self.node, "value", None)

    @cached_property
    def target(self) -> str:
        """The name of the array that it assigns, or whose items it changes; "" if it has none."""
        targets = getattr(self.node, "targets", None) or [getattr(self.node, "target", None)]
        found: ast.AST | None = targets[0]
        while isinstance(found, ast.Subscript) and not isinstance(found.slice, ast.Constant):
            found = found.value
        if not isinstance(found, ast.Name | ast.Attribute | ast.Subscript):
            return ""
        return self.text(found)

    @cached_property
    def indent(self) -> str:
        line = self.source.lines[self.line - 1]
        return line[: len(line) - len(line.lstrip())]

    def text(self, node: ast.AST) -> str:
        """The text of a part."""
        line, column, end_line, end_column = self.source.span(node)
        lines = self.source.lines[line - 1 : end_line]
        lines[-1] = lines[-1][: end_column - 1]
        lines[0] = lines[0][column - 1 :]
        return "\n".join(lines)

    def factor(self, node: ast.AST) -> str:
        """The text of a part as an operand of a product or the owner of an attribute."""
        text = self.text(node)
        is_plain = isinstance(node, _PLAIN)
        return text if is_plain or self.is_in_brackets(node) else f"({text})"

    def is_in_brackets(self, node: ast.AST) -> bool:
        """Whether brackets stand around a part that are its own."""
        text = self.text(node)
        return text.startswith("(") and text.endswith(")") and _closes(text)

    def parts(self, kind: type[ast.expr] | tuple[type[ast.expr], ...]) -> Iterator[ast.expr]:
        """The parts of the value of some kind, outer ones first."""
        if self.value is not None:
            for node in ast.walk(self.value):
                if isinstance(node, kind):
                    yield node

    def put(self, kind: str, node: ast.AST, text: str, told: str = "") -> TriedChange:
        """The change that puts a text in the place of a part."""
        return TriedChange(kind, self.source.span(node), text, told)

    def whole(self, kind: str, text: str, told: str = "") -> TriedChange:
        """The change of the value as a whole."""
        assert self.value is not None
        return self.put(kind, self.value, text, told)

    def below(self, kind: str, text: str, told: str = "") -> TriedChange:
        """The change that adds a line below."""
        _, _, line, column = self.span
        return TriedChange(kind, (line, column, line, column), f"\n{self.indent}{text}", told)

    def names(self) -> list[str]:
        """The names, attributes and items that the value reads, each once."""
        functions = {node.func for node in self.parts(ast.Call) if isinstance(node, ast.Call)}
        found: dict[str, None] = {}
        for node in self.parts((ast.Name, ast.Attribute, ast.Subscript)):
            if node not in functions:
                found.setdefault(self.text(node))
        return list(found)

    def renamed(self, kind: str, old: str, new: str, told: str = "") -> Iterator[TriedChange]:
        """The changes that put one name in place of another: wherever it stands, and at one place.

        Only of a value that stands in one line.
        """
        if self.value is None:
            return
        line, column, end, _ = self.source.span(self.value)
        spots = {
            (span[1] - column, span[3] - column)
            for node in self.parts((ast.Name, ast.Attribute, ast.Subscript))
            for span in (self.source.span(node),)
            if self.text(node) == old
        }
        if line != end or not spots:
            return
        choices = [sorted(spots, reverse=True)]
        if len(spots) > 1:
            choices += [[spot] for spot in sorted(spots)]
        for chosen in choices:
            text = self.text(self.value)
            for start, stop in chosen:
                text = text[:start] + new + text[stop:]
            yield self.whole(kind, text, told)


def _closes(text: str) -> bool:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and at < len(text) - 1:
            return False
    return True
