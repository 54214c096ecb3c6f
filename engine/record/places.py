"""Where CPython is in a program: its running frames as nodes of the program's syntax tree."""

from __future__ import annotations

import ast
import sys
from bisect import bisect_right
from types import CodeType, FrameType
from typing import Any, TypeAlias

from .source import Source
from .tree import children_of

FILENAME = "<program>"
"""The file name of a program's code, by which its frames are known."""
Where: TypeAlias = tuple[int | None, int | None, int | None, int | None]
_BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})
"""Fields of statements that hold other statements."""


def own_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame of the program among `frame` and those that called it."""
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back
    return frame


def current_frame() -> FrameType | None:
    """The innermost running frame of the program."""
    return own_frame(sys._getframe(1))


class Places:
    """The nodes of one program's tree by their places in the text.

    Most runs ask for few of them: the parts of a statement are listed when one of them is asked
    for.
    """

    def __init__(self, source: Source) -> None:
        self._source, self._tree = source, source.tree
        self._nodes: dict[Where, ast.AST] = {}
        self._definitions: dict[tuple[str, int], ast.AST] = {}
        """Functions by their names and first lines."""
        self._parents: dict[ast.AST, ast.AST] = {}
        self._statements: list[ast.stmt] = []
        """All statements, as they begin in the text."""
        self._starts: list[tuple[int, int]] = []
        self._ends: list[tuple[int, int]] = []
        self._listed: set[ast.stmt] = set()
        """The statements whose parts are among the nodes."""
        self._of: dict[tuple[int, int], ast.AST] = {}
        """By the identity of the code, whose hash goes through all of it, and the place in it."""
        self._running: dict[tuple[int, int], ast.AST] = {}
        """The statements around these."""
        self._tables: dict[int, tuple[CodeType, list[Where]]] = {}

    def definition(self, code: CodeType) -> ast.AST | None:
        """The function of the program that has this code; None for code of anything else."""
        if code.co_filename != FILENAME:
            return None
        if not self._definitions:
            each = self._source.each
            functions: list[Any] = [*each(ast.FunctionDef), *each(ast.AsyncFunctionDef)]
            for node in functions:
                first = node.decorator_list[0] if node.decorator_list else node
                self._definitions[node.name, first.lineno] = node
            for function in each(ast.Lambda):
                self._definitions.setdefault(("<lambda>", function.lineno), function)
        return self._definitions.get((code.co_name, code.co_firstlineno))

    def node(self, frame: FrameType) -> ast.AST:
        """The node that a frame of the program is computing."""
        return self.node_of(frame.f_code, frame.f_lasti)

    def node_of(self, code: CodeType, at: int) -> ast.AST:
        """The node at a place of the program's code, which must live as long as the run."""
        found = self._of.get((id(code), at))
        if found is None:
            found = self._of[id(code), at] = self.node_at(code, at)
        return found

    def node_at(self, code: CodeType, at: int) -> ast.AST:
        """The node at a place of the program's code."""
        if id(code) not in self._tables:
            self._tables[id(code)] = code, list(code.co_positions())
        table = self._tables[id(code)][1]
        where = table[at // 2] if 0 <= at // 2 < len(table) else (None, None, None, None)
        found = self._found(where)
        return found if found is not None else self._in_line(where[0] or code.co_firstlineno)

    def _found(self, where: Where) -> ast.AST | None:
        """The node at this place; the innermost that is no statement, the outermost of those."""
        line, column = where[0], where[2]
        if line is None or column is None:
            return None
        if where not in self._nodes:
            self._list_around(line, column)
        if where not in self._nodes:  # as a decorator, which stands before its statement
            for statement in self._statements:
                self._list(statement)
        return self._nodes.get(where)

    def _order(self) -> None:
        todo: list[ast.AST] = [*reversed(self._tree.body)]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.stmt):
                self._statements.append(node)
            for name in reversed(node._fields):
                if name in _BLOCKS and isinstance(inner := getattr(node, name), list):
                    todo += reversed(inner)
        for each in self._statements:
            self._starts.append((each.lineno, each.col_offset))
            self._ends.append((each.end_lineno or 0, each.end_col_offset or 0))

    def _list_around(self, line: int, column: int) -> None:
        """List the parts of the innermost statement around a place."""
        if not self._statements:
            self._order()
        place = line, column
        at = bisect_right(self._starts, place) - 1
        while at >= 0 and self._ends[at] <= place:
            at -= 1
        if at >= 0:
            self._list(self._statements[at])

    def _list(self, statement: ast.stmt) -> None:
        """Take in a statement and its parts, but no statement in it."""
        if statement in self._listed:
            return
        self._listed.add(statement)
        todo: list[ast.AST] = [statement]
        for node in todo:  # which grows meanwhile
            for child in children_of(node):
                self._parents[child] = node
                if not isinstance(child, ast.stmt):
                    todo.append(child)
            if hasattr(node, "lineno"):
                at: Any = node
                where = at.lineno, at.end_lineno, at.col_offset, at.end_col_offset
                held = self._nodes.get(where)
                if held is None or isinstance(held, ast.stmt):
                    self._nodes[where] = node

    def _in_line(self, line: int) -> ast.AST:
        """The last statement that begins at or above a line."""
        if not self._statements:
            self._order()
        found: ast.AST = self._tree
        for statement in self._statements:
            if getattr(found, "lineno", 0) <= statement.lineno <= line:
                found = statement
        return found

    def statement(self, frame: FrameType) -> ast.AST:
        """The statement that a frame of the program is running; of a lambda the lambda."""
        key = id(frame.f_code), frame.f_lasti
        found = self._running.get(key)
        if found is None:
            found = self._running[key] = self.statement_around(self.node(frame))
        return found

    def statement_around(self, node: ast.AST) -> ast.AST:
        """The innermost statement or lambda around a node that was found here."""
        found: ast.AST | None = node
        while found is not None and not isinstance(found, ast.stmt | ast.Lambda):
            found = self._parents.get(found)
        return found or node
